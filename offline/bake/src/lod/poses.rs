//! Poses of the clips that stand for all of their motion.

use glam::Vec3;
use rayon::prelude::*;
use throng_rig::Clip;

use crate::sampler::VertexSampler;

/// Poses that are sampled over all clips, unless there are more clips.
const SAMPLES: usize = 64;
/// Most poses that are sampled.
const MAX_SAMPLES: usize = 256;
/// Poses that simplification and the search for near points look at, beside the rest pose.
pub(super) const KEY_POSES: usize = 6;
/// Points by which poses are compared.
const COMPARED_POINTS: usize = 256;

/// A time of a clip of the character.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct PoseTime {
    /// Index into the character's clips.
    pub clip: usize,
    /// Time of the clip, in seconds.
    pub secs: f64,
}

/// Returns times that are spread evenly over clips, given with their indices.
pub(super) fn sample_times(clips: &[(usize, &Clip)]) -> Vec<PoseTime> {
    let per_clip = (SAMPLES / clips.len().max(1)).clamp(1, SAMPLES);
    let times = clips.iter().flat_map(|&(clip, source)| {
        (0..per_clip).map(move |index| PoseTime {
            clip,
            secs: source.start_secs()
                + source.duration_secs() * (index as f64 + 0.5) / per_clip as f64,
        })
    });
    let times: Vec<PoseTime> = times.collect();
    let stride = times.len().div_ceil(MAX_SAMPLES).max(1);
    times.into_iter().step_by(stride).collect()
}

/// Returns the few times whose poses differ most from the rest pose and from each other.
pub(super) fn key_times(sampler: &VertexSampler<'_>, times: &[PoseTime]) -> Vec<PoseTime> {
    let points = sampler.rest().positions.len();
    let stride = points.div_ceil(COMPARED_POINTS).max(1);
    let compared = |positions: &[Vec3]| -> Vec<Vec3> {
        let some: Vec<Vec3> = positions.iter().copied().step_by(stride).collect();
        let centre = some.iter().sum::<Vec3>() / some.len().max(1) as f32;
        some.into_iter().map(|position| position - centre).collect()
    };
    let rest = compared(&sampler.rest().positions);
    let poses: Vec<Vec<Vec3>> = times
        .par_iter()
        .map(|time| compared(&sampler.positions(time.clip, time.secs)))
        .collect();
    let distance = |a: &[Vec3], b: &[Vec3]| -> f32 {
        a.iter().zip(b).map(|(a, b)| a.distance_squared(*b)).sum()
    };
    let mut nearest: Vec<f32> = poses.iter().map(|pose| distance(pose, &rest)).collect();
    let mut chosen = Vec::new();
    while chosen.len() < KEY_POSES {
        let farthest = (0..poses.len()).max_by(|&a, &b| nearest[a].total_cmp(&nearest[b]));
        let Some(index) = farthest.filter(|&index| nearest[index] > 0.0) else {
            break;
        };
        chosen.push(times[index]);
        for (nearest, pose) in nearest.iter_mut().zip(&poses) {
            *nearest = nearest.min(distance(pose, &poses[index]));
        }
    }
    chosen
}

/// Positions of all points in the rest pose and in key poses, those of a point side by side.
pub(super) struct KeyPoses {
    positions: Vec<Vec3>,
    /// Number of poses.
    pub count: usize,
}

impl KeyPoses {
    pub fn new(sampler: &VertexSampler<'_>, times: &[PoseTime]) -> Self {
        let sample = |time: &PoseTime| sampler.positions(time.clip, time.secs);
        let posed: Vec<Vec<Vec3>> = times.par_iter().map(sample).collect();
        let points = 0..sampler.rest().positions.len();
        let of_point = |point: usize| {
            let rest = sampler.rest().positions[point];
            std::iter::once(rest).chain(posed.iter().map(move |pose| pose[point]))
        };
        Self {
            positions: points.flat_map(of_point).collect(),
            count: 1 + times.len(),
        }
    }

    /// Positions of a point in all poses, the rest pose first.
    pub fn of(&self, point: u32) -> &[Vec3] {
        let first = point as usize * self.count;
        &self.positions[first..first + self.count]
    }
}
