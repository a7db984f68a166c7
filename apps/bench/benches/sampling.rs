//! Sampling a crowd: nanoseconds per joint from a clip and a time to `model_from_joint`, compared with a plain
//! version, forward and at random times: `cargo bench -p throng-bench --bench sampling`.
//!
//! All versions run in turns in every round, so that a machine that slows down slows them all.

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use glam::{Affine3A, DAffine3, DQuat, DVec3, EulerRot, Quat, Vec3};
use throng_rig::{
    Clip, CrowdClip, CrowdPalette, CrowdPose, Interpolation, Joint, JointKind, JointTracks,
    Skeleton, Skin, Track, Transform,
};
use throng_simd::{F32x8, Level, Task};

const INSTANCES: usize = 1000;
const RATE_HZ: f64 = 30.0;
const DURATION_SECS: f64 = 2.0;
/// Time that the clip advances per round.
const FRAME_SECS: f64 = 1.0 / 60.0;
const ROUNDS: usize = 300;
/// Required speed relative to the plain version.
const BAR: f64 = 3.0;

fn main() {
    let skeleton = humanoid();
    let clip = walk(&skeleton);
    let versions = measure(&skeleton, &clip);
    print(&versions, skeleton.len());
}

/// 67 joints: a trunk with eyes, arms with five fingers of four joints, and legs.
fn humanoid() -> Skeleton {
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
            chain(
                Some(hand),
                4,
                DVec3::new(0.03 * side, 0.0, 0.01 * f64::from(finger)),
            );
        }
        chain(Some(hips), 5, DVec3::new(0.05 * side, -0.2, 0.0));
    }
    chain(Some(head), 1, DVec3::Y * 0.2);
    Skeleton::new(joints).expect("parents come first")
}

/// Rotation keys on every joint and translation keys on the root.
fn walk(skeleton: &Skeleton) -> Clip {
    let keys = (DURATION_SECS * RATE_HZ) as usize + 1;
    let times: Arc<[f64]> = (0..keys).map(|key| key as f64 / RATE_HZ).collect();
    let tracks = (0..skeleton.len()).map(|joint| {
        let wave = |secs: f64, phase: f64| ((secs + phase + joint as f64) * 5.0).sin() as f32;
        let rotation = |&secs: &f64| {
            let angles = [0.0, 0.3, 0.7].map(|phase| 0.5 * wave(secs, phase));
            Quat::from_euler(EulerRot::XYZ, angles[0], angles[1], angles[2])
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

fn linear<K: throng_rig::Key>(times: &Arc<[f64]>, value: impl Fn(&f64) -> K) -> Track<K> {
    let values = times.iter().map(value).collect();
    Track::new(times.clone(), values, Interpolation::Linear).expect("good keys")
}

/// A straightforward sampler: a binary search and a slerp per track, then products up the hierarchy, into a
/// reused buffer.
struct Plain {
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

impl<K: Copy> PlainTrack<K> {
    fn new(track: &Track<K>) -> Self
    where
        K: throng_rig::Key,
    {
        Self {
            times: track.times().iter().map(|&t| t as f32).collect(),
            values: track.values().to_vec(),
        }
    }

    #[inline(always)]
    fn sample(&self, secs: f32, between: impl Fn(K, K, f32) -> K) -> K {
        let after = self.times.partition_point(|&t| t <= secs);
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

impl Plain {
    fn new(skeleton: &Skeleton, clip: &Clip) -> Self {
        let joints = skeleton.joints().iter().zip(clip.joints());
        let joints = joints.map(|(joint, tracks)| PlainJoint {
            parent: joint.parent,
            rest_translation: joint.parent_from_joint.translation.as_vec3(),
            rotation: PlainTrack::new(tracks.rotation.as_ref().expect("one a joint")),
            translation: tracks.translation.as_ref().map(PlainTrack::new),
        });
        Self {
            joints: joints.collect(),
        }
    }

    /// `out` has one matrix for each joint of each instance.
    #[inline(always)]
    fn sample(&self, times_secs: &[f64], out: &mut [Affine3A]) {
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

    /// With the flags of the whole build.
    fn sample_as_built(&self, times_secs: &[f64], out: &mut [Affine3A]) {
        self.sample(times_secs, out);
    }
}

/// [`Plain::sample`], compiled for the instructions of a level.
struct SamplePlain<'a>(&'a Plain, &'a [f64], &'a mut [Affine3A]);

impl Task for SamplePlain<'_> {
    #[inline(always)]
    fn run<V: F32x8>(self) {
        self.0.sample(self.1, self.2);
    }
}

/// Times of one round, in both orders.
struct Times {
    forward: Vec<f64>,
    random: Vec<f64>,
}

impl Times {
    /// Forward: every instance advances by a frame, each slightly ahead of the one before it. Random: any time.
    fn of_round(round: usize) -> Self {
        let start = round as f64 * FRAME_SECS;
        let phase = |i: usize| i as f64 / INSTANCES as f64 * DURATION_SECS;
        let forward = (0..INSTANCES).map(|i| (start + phase(i)) % DURATION_SECS);
        let mut state = round as u64 + 1;
        let random = (0..INSTANCES).map(|_| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as f64 / (1u64 << 24) as f64 * DURATION_SECS
        });
        Self {
            forward: forward.collect(),
            random: random.collect(),
        }
    }
}

/// One version and its times in each round.
struct Version {
    name: String,
    group: Group,
    forward_ns: Vec<f64>,
    random_ns: Vec<f64>,
}

#[derive(Clone, Copy, PartialEq)]
enum Group {
    Plain,
    Ours,
    OursAllCores,
    Further,
}

fn measure(skeleton: &Skeleton, clip: &Clip) -> Vec<Version> {
    let plain = Plain::new(skeleton, clip);
    let crowd = CrowdClip::new(skeleton, clip);
    let portable = CrowdClip::new(skeleton, clip).with_simd_level(Level::Portable);
    let joints = skeleton.len();
    let bind =
        vec![DAffine3::from_rotation_translation(DQuat::from_rotation_x(0.3), DVec3::ONE); joints];
    let skin = Skin::new(String::new(), skeleton, (0..joints).collect(), bind).expect("a skin");
    let mut plain_out = vec![Affine3A::IDENTITY; INSTANCES * joints];
    let mut pose = CrowdPose::default();
    let mut palette = CrowdPalette::default();
    check(&plain, &crowd);

    let mut versions: Vec<Version> = Vec::new();
    for round in 0..ROUNDS {
        let times = Times::of_round(round);
        let mut turn = 0;
        let mut time = |name: &str, group: Group, sample: &mut dyn FnMut(&[f64])| {
            if round == 0 {
                versions.push(Version {
                    name: name.to_owned(),
                    group,
                    forward_ns: Vec::new(),
                    random_ns: Vec::new(),
                });
            }
            let version = &mut versions[turn];
            turn += 1;
            for (times, taken) in [
                (&times.forward, &mut version.forward_ns),
                (&times.random, &mut version.random_ns),
            ] {
                let start = Instant::now();
                sample(black_box(times));
                let ns = start.elapsed().as_nanos() as f64;
                taken.push(ns / (INSTANCES * joints) as f64);
            }
        };
        time("plain", Group::Plain, &mut |times| {
            plain.sample_as_built(times, &mut plain_out);
            black_box(&plain_out);
        });
        if Level::Avx2.is_available() {
            time(
                "plain, compiled for avx2 and fma",
                Group::Plain,
                &mut |times| {
                    Level::Avx2.run(SamplePlain(&plain, times, &mut plain_out));
                    black_box(&plain_out);
                },
            );
        }
        time("ours, portable", Group::Further, &mut |times| {
            portable.sample(times, &mut pose);
            black_box(&pose);
        });
        let name = format!("ours, {}", Level::detect().min(Level::Avx2));
        time(&name, Group::Ours, &mut |times| {
            crowd.sample(times, &mut pose);
            black_box(&pose);
        });
        time(
            &format!("{name}, all cores"),
            Group::OursAllCores,
            &mut |times| {
                crowd.sample_parallel(times, &mut pose);
                black_box(&pose);
            },
        );
        time(
            &format!("{name}, with palette"),
            Group::Further,
            &mut |times| {
                crowd.sample(times, &mut pose);
                palette.update(&skin, &pose);
                black_box(&palette);
            },
        );
    }
    versions
}

/// Checks that all versions compute the same poses.
fn check(plain: &Plain, crowd: &CrowdClip) {
    let times = Times::of_round(7).random;
    let mut expected = vec![Affine3A::IDENTITY; INSTANCES * crowd.joint_count()];
    plain.sample_as_built(&times, &mut expected);
    let mut pose = CrowdPose::default();
    crowd.sample(&times, &mut pose);
    for (index, expected) in expected.iter().enumerate() {
        let (instance, joint) = (index / crowd.joint_count(), index % crowd.joint_count());
        let rows = pose.model_from_joint(instance, joint);
        let translation = Vec3::from(rows.map(|row| row[3]));
        let far = translation.distance(expected.translation.into());
        // 0.1 mm; glam's slerp itself is an approximation.
        assert!(far < 1e-4, "instance {instance}, joint {joint}: {far} m");
    }
}

/// Returns the fastest round. Other processes disturb long rounds more often than short ones, so a median would
/// favour fast versions.
fn best(ns: &[f64]) -> f64 {
    ns.iter().copied().fold(f64::INFINITY, f64::min)
}

fn print(versions: &[Version], joints: usize) {
    println!(
        "{INSTANCES} instances of {joints} joints, clip to model pose: ns a joint in the best of {ROUNDS} rounds\n"
    );
    println!("{:<36}{:>10}{:>10}", "", "forward", "random");
    for version in versions {
        let (forward, random) = (best(&version.forward_ns), best(&version.random_ns));
        println!("{:<36}{forward:>10.2}{random:>10.2}", version.name);
    }
    let best_of = |group: Group, of: fn(&Version) -> &Vec<f64>| {
        let of_group = versions.iter().filter(|v| v.group == group);
        of_group
            .map(|v| best(of(v)))
            .min_by(f64::total_cmp)
            .expect("one at least")
    };
    println!("\ntimes as fast as the better plain version (bar: {BAR}), and all cores as one");
    for (name, of) in [
        ("forward", (|v| &v.forward_ns) as fn(&Version) -> &Vec<f64>),
        ("random", |v| &v.random_ns),
    ] {
        let (plain, ours) = (best_of(Group::Plain, of), best_of(Group::Ours, of));
        let ratio = plain / ours;
        let verdict = if ratio >= BAR { "met" } else { "MISSED" };
        let cores = ours / best_of(Group::OursAllCores, of);
        println!("{name:<36}{ratio:>10.2} {verdict:<9}{cores:>10.2}");
    }
}
