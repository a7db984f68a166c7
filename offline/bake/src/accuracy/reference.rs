//! The reference, played once and cached for many candidates.

use glam::{DAffine3, DVec3};
use rayon::prelude::*;
use throng_format::decode::BonePose;

use super::plan::MeasurePlan;
use super::playback::{JointPlayer, Playback, Played, Player, PosedPlayback};
use super::times::TimeKind;

/// A playback that caches its planned times in memory, as many as fit. Other times are played again.
pub struct CachedReference<'a> {
    playback: &'a dyn Playback,
    /// Cached poses of each clip, by time.
    clips: Vec<Vec<CachedPose>>,
}

/// A cached pose; the vertices of all parts are concatenated.
struct CachedPose {
    time_secs: f64,
    positions: Vec<DVec3>,
    normals: Vec<DVec3>,
    part_sizes: Vec<usize>,
    /// Joints; empty where there are no bones.
    pose: BonePose,
}

impl<'a> CachedReference<'a> {
    /// Plays the plan's times and caches them up to `max_bytes`.
    pub fn new(playback: &'a dyn Playback, plan: &MeasurePlan, max_bytes: usize) -> Self {
        let joints = plan.character.skeleton().len();
        let parts = plan.character.parts().len();
        let bytes = size_of::<CachedPose>()
            + 2 * plan.vertices() * size_of::<DVec3>()
            + joints * size_of::<DAffine3>()
            + parts * size_of::<usize>();
        let mut left = max_bytes / bytes;
        let mut clips = Vec::with_capacity(plan.clip_count());
        for clip in 0..plan.clip_count() {
            // Across the seam the reference is at the clip's start, which is cached already.
            let times = plan.times_of(clip).filter(|t| t.kind != TimeKind::Seam);
            let mut times: Vec<f64> = times.map(|t| t.reference_secs).take(left).collect();
            times.sort_by(f64::total_cmp);
            left -= times.len();
            let buffers = || (playback.player(), playback.posed(), Played::default());
            let cached = times.par_iter().with_min_len(MIN_TIMES).map_init(
                buffers,
                |(player, posed, played), &time_secs| {
                    player.play(clip, time_secs, played);
                    let pose = posed.as_mut().map(|p| p.joints.pose(clip, time_secs));
                    CachedPose::new(time_secs, played, pose)
                },
            );
            clips.push(cached.collect());
        }
        Self { playback, clips }
    }

    /// Number of cached times.
    pub fn cached_times(&self) -> usize {
        self.clips.iter().map(Vec::len).sum()
    }

    fn find(&self, clip: usize, time_secs: f64) -> Option<&CachedPose> {
        let cached = &self.clips[clip];
        let index = cached.partition_point(|k| k.time_secs < time_secs);
        cached.get(index).filter(|k| k.time_secs == time_secs)
    }
}

/// Smallest number of times per player, so that few players are made.
const MIN_TIMES: usize = 32;

impl CachedPose {
    fn new(time_secs: f64, played: &Played, pose: Option<&BonePose>) -> Self {
        let parts = played.parts.iter();
        let join = |of: fn(&throng_skin::reference::Skinned) -> &[DVec3]| {
            let slices: Vec<&[DVec3]> = parts.clone().map(of).collect();
            slices.concat()
        };
        Self {
            time_secs,
            positions: join(|part| &part.positions),
            normals: join(|part| &part.normals),
            part_sizes: parts.clone().map(|part| part.positions.len()).collect(),
            pose: BonePose {
                model_from_joint: played.model_from_joint.clone(),
                morph_weights: pose.map_or(Vec::new(), |pose| pose.morph_weights.clone()),
            },
        }
    }

    fn write(&self, out: &mut Played) {
        out.set_parts(self.part_sizes.len());
        let mut first = 0;
        for (part, size) in out.parts.iter_mut().zip(&self.part_sizes) {
            let range = first..first + size;
            part.positions.clear();
            part.positions
                .extend_from_slice(&self.positions[range.clone()]);
            part.normals.clear();
            part.normals.extend_from_slice(&self.normals[range]);
            part.tangents.clear();
            first += size;
        }
        out.model_from_joint.clone_from(&self.pose.model_from_joint);
    }
}

impl Playback for CachedReference<'_> {
    fn player(&self) -> Box<dyn Player + '_> {
        Box::new(CachedReferencePlayer {
            reference: self,
            live: None,
        })
    }

    fn posed(&self) -> Option<PosedPlayback<'_>> {
        let live = self.playback.posed()?;
        Some(PosedPlayback {
            joints: Box::new(CachedJoints {
                reference: self,
                live: live.joints,
            }),
            ..live
        })
    }
}

struct CachedReferencePlayer<'a> {
    reference: &'a CachedReference<'a>,
    /// Created when it is first needed.
    live: Option<Box<dyn Player + 'a>>,
}

impl Player for CachedReferencePlayer<'_> {
    fn play(&mut self, clip: usize, time_secs: f64, out: &mut Played) {
        match self.reference.find(clip, time_secs) {
            Some(cached) => cached.write(out),
            None => self
                .live
                .get_or_insert_with(|| self.reference.playback.player())
                .play(clip, time_secs, out),
        }
    }
}

struct CachedJoints<'a> {
    reference: &'a CachedReference<'a>,
    live: Box<dyn JointPlayer + 'a>,
}

impl JointPlayer for CachedJoints<'_> {
    fn pose(&mut self, clip: usize, time_secs: f64) -> &BonePose {
        match self.reference.find(clip, time_secs) {
            Some(cached) => &cached.pose,
            None => self.live.pose(clip, time_secs),
        }
    }
}
