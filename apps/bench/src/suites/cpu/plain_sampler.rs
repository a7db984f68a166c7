//! A straightforward sampler: a binary search and a slerp per track, then products up the hierarchy, into a reused buffer.

use glam::{Affine3A, Quat, Vec3};
use throng_rig::{Clip, Key, Skeleton, Track};
use throng_simd::{F32x8, Level, Task};

/// A clip with rotation keys on every joint and linear interpolation.
pub struct PlainSampler {
    joints: Vec<PlainJoint>,
}

struct PlainJoint {
    parent: Option<usize>,
    rest_translation: Vec3,
    rotation: PlainTrack<Quat>,
    translation: Option<PlainTrack<Vec3>>,
}

struct PlainTrack<K> {
    times: Vec<f32>,
    values: Vec<K>,
}

impl<K: Key> PlainTrack<K> {
    fn new(track: &Track<K>) -> Self {
        Self {
            times: track.times().iter().map(|&secs| secs as f32).collect(),
            values: track.values().to_vec(),
        }
    }
}

impl<K: Copy> PlainTrack<K> {
    #[inline(always)]
    fn sample(&self, secs: f32, between: impl Fn(K, K, f32) -> K) -> K {
        let after = self.times.partition_point(|&time| time <= secs);
        if after == 0 {
            return self.values[0];
        }
        if after == self.times.len() {
            return self.values[after - 1];
        }
        let (from, to) = (self.times[after - 1], self.times[after]);
        let fraction = (secs - from) / (to - from);
        between(self.values[after - 1], self.values[after], fraction)
    }
}

impl PlainSampler {
    /// Takes the keys of a clip.
    ///
    /// # Panics
    /// Panics if a joint has no rotation keys.
    pub fn new(skeleton: &Skeleton, clip: &Clip) -> Self {
        let joints = skeleton.joints().iter().zip(clip.joints());
        let joints = joints.map(|(joint, tracks)| PlainJoint {
            parent: joint.parent,
            rest_translation: joint.parent_from_joint.translation.as_vec3(),
            rotation: PlainTrack::new(tracks.rotation.as_ref().expect("keys on every joint")),
            translation: tracks.translation.as_ref().map(PlainTrack::new),
        });
        Self {
            joints: joints.collect(),
        }
    }

    /// Samples all instances with the flags of the build. `out` has one `model_from_joint` for each joint of each instance.
    pub fn sample(&self, times_secs: &[f64], out: &mut [Affine3A]) {
        self.sample_inline(times_secs, out);
    }

    /// [`Self::sample`], compiled for the instructions of a level.
    pub fn sample_at(&self, level: Level, times_secs: &[f64], out: &mut [Affine3A]) {
        level.run(SampleTask {
            sampler: self,
            times_secs,
            out,
        });
    }

    #[inline(always)]
    fn sample_inline(&self, times_secs: &[f64], out: &mut [Affine3A]) {
        let instances = out.chunks_exact_mut(self.joints.len());
        for (&secs, model_from_joint) in times_secs.iter().zip(instances) {
            let secs = secs as f32;
            for (index, joint) in self.joints.iter().enumerate() {
                let rotation = joint.rotation.sample(secs, Quat::slerp);
                let translation = match &joint.translation {
                    Some(track) => track.sample(secs, Vec3::lerp),
                    None => joint.rest_translation,
                };
                let parent_from_joint = Affine3A::from_rotation_translation(rotation, translation);
                model_from_joint[index] = match joint.parent {
                    Some(parent) => model_from_joint[parent] * parent_from_joint,
                    None => parent_from_joint,
                };
            }
        }
    }
}

struct SampleTask<'a> {
    sampler: &'a PlainSampler,
    times_secs: &'a [f64],
    out: &'a mut [Affine3A],
}

impl Task for SampleTask<'_> {
    #[inline(always)]
    fn run<V: F32x8>(self) {
        self.sampler.sample_inline(self.times_secs, self.out);
    }
}
