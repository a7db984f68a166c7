//! A crowd to sample: a skeleton, a clip, and the times of its instances.

use std::sync::Arc;

use glam::{DVec3, EulerRot, Quat, Vec3};
use throng_rig::{
    Clip, Interpolation, Joint, JointKind, JointTracks, Key, Skeleton, Track, Transform,
};

/// Characters of the crowd.
pub const INSTANCES: usize = 1000;

/// Keyframes per second.
const RATE_HZ: f64 = 30.0;

/// Duration of the clip.
const DURATION_SECS: f64 = 2.0;

/// Frames of a loop of the clip, at 60 frames per second.
pub const FRAMES: usize = 120;

/// Order of times.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// Every instance advances by a frame, each slightly ahead of the one before it.
    Forward,
    /// Any time.
    Random,
}

impl Order {
    /// Both orders.
    pub const ALL: [Self; 2] = [Self::Forward, Self::Random];

    /// Name, as in ids.
    pub fn name(self) -> &'static str {
        match self {
            Self::Forward => "forward",
            Self::Random => "random",
        }
    }

    /// Seconds of all instances in a frame.
    pub fn times_secs(self, frame: usize) -> Vec<f64> {
        match self {
            Self::Forward => {
                let start = frame as f64 / FRAMES as f64;
                let phase = |instance: usize| instance as f64 / INSTANCES as f64;
                let at = |instance| (start + phase(instance)) % 1.0 * DURATION_SECS;
                (0..INSTANCES).map(at).collect()
            }
            Self::Random => {
                let mut random = crate::random::Random::new(frame as u64);
                let times = (0..INSTANCES).map(|_| random.unit() * DURATION_SECS);
                times.collect()
            }
        }
    }
}

/// 67 joints: a trunk with eyes, arms with five fingers of four joints, and legs.
pub fn skeleton() -> Skeleton {
    let mut joints: Vec<Joint> = Vec::new();
    let mut chain = |mut parent: Option<usize>, len: usize, bone: DVec3| {
        for _ in 0..len {
            joints.push(Joint {
                name: String::new(),
                parent,
                parent_from_joint: Transform::from_translation(bone),
                kind: JointKind::Bone,
            });
            parent = Some(joints.len() - 1);
        }
        joints.len() - 1
    };
    let head = chain(None, 6, DVec3::Y * 0.15);
    let (hips, chest) = (0, 3);
    for side in [-1.0, 1.0] {
        chain(Some(head), 1, DVec3::new(0.03 * side, 0.1, 0.1));
        let hand = chain(Some(chest), 4, DVec3::X * 0.2 * side);
        for finger in 0..5 {
            let bone = DVec3::new(0.03 * side, 0.0, 0.01 * f64::from(finger));
            chain(Some(hand), 4, bone);
        }
        chain(Some(hips), 5, DVec3::new(0.05 * side, -0.2, 0.0));
    }
    chain(Some(head), 1, DVec3::Y * 0.2);
    Skeleton::new(joints).expect("parents come first")
}

/// Rotation keys on every joint and translation keys on the root.
pub fn walk(skeleton: &Skeleton) -> Clip {
    let keys = (DURATION_SECS * RATE_HZ) as usize + 1;
    let times: Arc<[f64]> = (0..keys).map(|key| key as f64 / RATE_HZ).collect();
    let tracks = (0..skeleton.len()).map(|joint| {
        let wave = |secs: f64, phase: f64| ((secs + phase + joint as f64) * 5.0).sin() as f32;
        let rotation = |&secs: &f64| {
            let [x, y, z] = [0.0, 0.3, 0.7].map(|phase| 0.5 * wave(secs, phase));
            Quat::from_euler(EulerRot::XYZ, x, y, z)
        };
        let translation = |&secs: &f64| Vec3::new(0.0, 1.0 + 0.1 * wave(secs, 0.0), secs as f32);
        JointTracks {
            rotation: Some(linear(&times, rotation)),
            translation: (joint == 0).then(|| linear(&times, translation)),
            ..JointTracks::new(joint)
        }
    });
    Clip::new("walk".into(), tracks.collect(), vec![]).expect("one set of tracks per joint")
}

fn linear<K: Key>(times: &Arc<[f64]>, value: impl Fn(&f64) -> K) -> Track<K> {
    let values = times.iter().map(value).collect();
    Track::new(times.clone(), values, Interpolation::Linear).expect("keys are in order")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_within_the_clip() {
        assert_eq!(skeleton().len(), 67);
        for order in Order::ALL {
            for frame in [0, 1, FRAMES - 1] {
                let times = order.times_secs(frame);
                assert_eq!(times.len(), INSTANCES);
                assert!(times.iter().all(|secs| (0.0..DURATION_SECS).contains(secs)));
            }
        }
        let [first, next] = [0, 1].map(|frame| Order::Forward.times_secs(frame)[5]);
        assert!((next - first - 1.0 / 60.0).abs() < 1e-12);
    }
}
