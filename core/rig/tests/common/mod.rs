//! Random characters with clips of every kind of track.
#![allow(dead_code)] // Each test file uses some of it.

pub mod bounds;

use std::sync::Arc;

use glam::{DAffine3, DMat3, DQuat, DVec3, Quat};
use throng_rig::{
    Character, CharacterParts, Clip, Interpolation, Joint, JointKind, JointTracks, Key, Mat3x4,
    Skeleton, Skin, Track, Transform,
};

/// Deterministic pseudo-random numbers.
pub struct Noise(pub u64);

impl Noise {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    pub fn chance(&mut self, probability: f64) -> bool {
        self.within(0.0, 1.0) < probability
    }

    pub fn within(&mut self, from: f64, to: f64) -> f64 {
        from + (to - from) * (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn vec3(&mut self) -> DVec3 {
        DVec3::from([(); 3].map(|()| self.within(-1.0, 1.0)))
    }

    pub fn rotation(&mut self) -> DQuat {
        let q = DQuat::from_array([(); 4].map(|()| self.within(-1.0, 1.0)));
        if q.length() < 0.1 {
            return self.rotation();
        }
        q.normalize()
    }

    /// Returns factors from 0.5 to 1.5, some negative.
    pub fn scale(&mut self) -> DVec3 {
        let factor = |noise: &mut Self| {
            let sign = if noise.chance(0.1) { -1.0 } else { 1.0 };
            noise.within(0.5, 1.5) * sign
        };
        DVec3::new(factor(self), factor(self), factor(self))
    }
}

/// Shape of a skeleton.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tree {
    /// The parent is any joint before; some joints are roots.
    Bushy,
    /// The parent is the joint before.
    Chain,
}

/// Animated channels of the joints of a clip.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Channels {
    /// Rotation only.
    Rotation,
    /// Translation, rotation and scale.
    All,
}

/// A character with one clip and one skin of all joints, last first.
pub fn character(joints: usize, tree: Tree, channels: Channels, seed: u64) -> Character {
    let mut noise = Noise(seed);
    let skeleton = (0..joints).map(|index| Joint {
        name: String::new(),
        parent: match tree {
            _ if index == 0 => None,
            Tree::Bushy if noise.chance(0.05) => None,
            Tree::Bushy => Some(noise.below(index)),
            Tree::Chain => Some(index - 1),
        },
        parent_from_joint: Transform {
            translation: noise.vec3() * 0.3,
            rotation: noise.rotation(),
            scale: match channels {
                Channels::All if noise.chance(0.3) => noise.scale(),
                _ => DVec3::ONE,
            },
        },
        kind: JointKind::Bone,
    });
    let skeleton = Skeleton::new(skeleton.collect()).unwrap();
    let shared: Vec<Arc<[f64]>> = (0..3).map(|_| times(&mut noise)).collect();
    let tracks = (0..joints).map(|joint| joint_tracks(&mut noise, joint, channels, &shared));
    let tracks = tracks.filter(|tracks| tracks.joint % 7 != 3).collect();
    let clip = Clip::new("clip".into(), tracks, vec![]).unwrap();
    let bind = (0..joints).map(|_| {
        DAffine3::from_scale_rotation_translation(noise.scale(), noise.rotation(), noise.vec3())
    });
    let bind = bind.collect();
    let skin = Skin::new(String::new(), &skeleton, (0..joints).rev().collect(), bind).unwrap();
    Character::new(CharacterParts {
        name: String::new(),
        skeleton,
        skins: vec![skin],
        meshes: vec![],
        parts: vec![],
        morph_sets: vec![],
        clips: vec![clip],
        materials: vec![],
        images: vec![],
    })
    .unwrap()
}

/// One key, evenly spaced keys as in files, or keys at random distances.
fn times(noise: &mut Noise) -> Arc<[f64]> {
    let keys = 1 + noise.below(30);
    let start = noise.within(-1.0, 3.0);
    match noise.below(4) {
        0 => [start].into(),
        1 => (0..keys)
            .map(|key| f64::from((key as f64 / 30.0) as f32))
            .collect(),
        _ => {
            let mut time = start;
            let next = |_| {
                time += 10f64.powf(noise.within(-4.0, 0.0));
                time
            };
            (0..keys).map(next).collect()
        }
    }
}

fn joint_tracks(
    noise: &mut Noise,
    joint: usize,
    channels: Channels,
    shared: &[Arc<[f64]>],
) -> JointTracks {
    let base = noise.rotation();
    let any = channels == Channels::All;
    JointTracks {
        translation: (any && noise.chance(0.5))
            .then(|| track(noise, shared, |noise, _| noise.vec3().as_vec3())),
        rotation: noise
            .chance(0.8)
            .then(|| track(noise, shared, |noise, part| quat(noise, part, base))),
        scale: (any && noise.chance(0.3)).then(|| {
            track(noise, shared, |noise, part| match part {
                Part::Tangent => noise.vec3().as_vec3(),
                Part::Value | Part::SplineValue => noise.scale().as_vec3(),
            })
        }),
        ..JointTracks::new(joint)
    }
}

#[derive(Clone, Copy)]
enum Part {
    Value,
    SplineValue,
    Tangent,
}

/// Spline keys are near `base`, so that splines stay away from zero. Other keys are any rotation, not all of unit
/// length.
fn quat(noise: &mut Noise, part: Part, base: DQuat) -> Quat {
    let small = noise.rotation() * 0.2;
    let quat = match part {
        Part::Value => noise.rotation() * noise.within(0.5, 2.0),
        Part::SplineValue => base + small,
        Part::Tangent => small,
    };
    quat.as_quat()
}

fn track<K: Key>(
    noise: &mut Noise,
    shared: &[Arc<[f64]>],
    value: impl Fn(&mut Noise, Part) -> K,
) -> Track<K> {
    let times = match noise.chance(0.5) {
        true => shared[noise.below(shared.len())].clone(),
        false => times(noise),
    };
    let (interpolation, parts) = match noise.below(4) {
        0 => (Interpolation::Step, vec![Part::Value]),
        1 => (
            Interpolation::CubicSpline,
            vec![Part::Tangent, Part::SplineValue, Part::Tangent],
        ),
        _ => (Interpolation::Linear, vec![Part::Value]),
    };
    let first: Vec<K> = parts.iter().map(|&part| value(noise, part)).collect();
    let constant = noise.chance(0.2);
    let mut values = Vec::new();
    for _ in times.iter() {
        match constant {
            true => values.extend_from_slice(&first),
            false => values.extend(parts.iter().map(|&part| value(noise, part))),
        }
    }
    Track::new(times, values, interpolation).unwrap()
}

/// Times at keys, next to keys, between keys, outside of the clip, infinite and NaN.
pub fn any_times(noise: &mut Noise, clip: &Clip, instances: usize) -> Vec<f64> {
    let tracks = clip.joints().iter();
    let keys: Vec<f64> = tracks
        .flat_map(|tracks| {
            let translation = tracks.translation.as_ref().map(Track::times);
            let rotation = tracks.rotation.as_ref().map(Track::times);
            let scale = tracks.scale.as_ref().map(Track::times);
            [translation, rotation, scale].into_iter().flatten()
        })
        .flatten()
        .copied()
        .collect();
    let time = |_| {
        let key = match keys.len() {
            0 => 0.0,
            len => keys[noise.below(len)],
        };
        match noise.below(8) {
            0 => key,
            1 => key.next_up(),
            2 => key.next_down(),
            3 => [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e9, -1e9][noise.below(5)],
            _ => noise.within(clip.start_secs() - 0.2, clip.end_secs() + 0.2),
        }
    };
    (0..instances).map(time).collect()
}

/// Converts a matrix of a crowd to float64.
pub fn affine(rows: &Mat3x4) -> DAffine3 {
    let column = |i: usize| DVec3::from(rows.map(|row| f64::from(row[i])));
    DAffine3 {
        matrix3: DMat3::from_cols(column(0), column(1), column(2)),
        translation: column(3),
    }
}
