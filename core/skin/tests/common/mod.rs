//! Small rigs for tests, and an independent implementation of skinning.
#![allow(dead_code)] // Each test file uses some of it.

pub mod limb;
pub mod naive;

use glam::{DAffine3, DMat3, DQuat, DVec3};
use proptest::prelude::*;
use throng_rig::{Joint, JointKind, Method, ModelPose, Palette, Skeleton, Skin, Transform};
use throng_skin::reference::{BoundVertex, Motion, motion};

/// All methods.
pub const METHODS: [Method; 9] = [
    Method::Lbs,
    Method::Dqs,
    Method::DqsPlain,
    Method::DqsDirect,
    Method::DqsSum,
    Method::Blend(0.3),
    Method::Blend(0.8),
    Method::BlendPositions(0.3),
    Method::BlendPositions(0.8),
];

/// Methods that transform a vertex by one map, so that its exact normal is defined.
pub const ONE_MAP_METHODS: [Method; 7] = [
    Method::Lbs,
    Method::Dqs,
    Method::DqsPlain,
    Method::DqsDirect,
    Method::DqsSum,
    Method::Blend(0.3),
    Method::Blend(0.8),
];

/// A palette and the influences of one vertex, heaviest first.
#[derive(Debug, Clone)]
pub struct Case {
    pub palette: Palette,
    pub influences: Vec<(usize, f64)>,
}

impl Case {
    /// Returns the motion of a vertex at the origin of bind space.
    pub fn motion(&self, method: Method) -> Motion {
        self.motion_at(method, DVec3::ZERO, DVec3::ZERO)
    }

    /// Returns the motion of a vertex in bind space with a centre of rotation.
    pub fn motion_at(&self, method: Method, position: DVec3, center: DVec3) -> Motion {
        let vertex = BoundVertex {
            influences: self.influences.iter().copied(),
            position,
            center,
        };
        motion(method, &self.palette, &vertex)
    }
}

/// Normalises the weights of joints 0, 1, 2, … and sorts them, heaviest first.
pub fn heaviest_first(weights: &[f64]) -> Vec<(usize, f64)> {
    let sum: f64 = weights.iter().sum();
    let mut pairs: Vec<_> = weights.iter().map(|w| w / sum).enumerate().collect();
    pairs.sort_by(|a, b| b.1.total_cmp(&a.1));
    pairs
}

pub fn joint(parent: Option<usize>, parent_from_joint: Transform) -> Joint {
    Joint {
        name: String::new(),
        parent,
        parent_from_joint,
        kind: JointKind::Bone,
    }
}

pub fn rotated(rotation: DQuat) -> Transform {
    Transform {
        rotation,
        ..Transform::IDENTITY
    }
}

/// Makes the palette `model_from_bind` of joints with bind positions `centres`.
pub fn palette_of(
    parents: &[Option<usize>],
    centres: &[DVec3],
    model_from_bind: &[DAffine3],
) -> Palette {
    let joints = parents.iter().map(|&p| joint(p, Transform::IDENTITY));
    let skeleton = Skeleton::new(joints.collect()).unwrap();
    let joint_from_bind = centres.iter().map(|&c| DAffine3::from_translation(-c));
    let skin = Skin::new(
        String::new(),
        &skeleton,
        (0..parents.len()).collect(),
        joint_from_bind.collect(),
    )
    .unwrap();
    let pose = ModelPose {
        model_from_joint: model_from_bind
            .iter()
            .zip(centres)
            .map(|(&m, &c)| m * DAffine3::from_translation(c))
            .collect(),
    };
    let mut palette = Palette::default();
    palette.update(&skin, &pose);
    palette
}

/// Returns the parents of a chain.
pub fn chain(len: usize) -> Vec<Option<usize>> {
    (0..len).map(|i| i.checked_sub(1)).collect()
}

/// A chain bound at the origin, rotated about Z by angles in model space.
pub fn rotated_about_z(degrees: &[f64]) -> Palette {
    let rotations = degrees
        .iter()
        .map(|d| DQuat::from_rotation_z(d.to_radians()));
    let matrices: Vec<_> = rotations.map(DAffine3::from_quat).collect();
    palette_of(
        &chain(degrees.len()),
        &vec![DVec3::ZERO; degrees.len()],
        &matrices,
    )
}

pub fn vec3(size: f64) -> impl Strategy<Value = DVec3> {
    prop::array::uniform3(-size..size).prop_map(DVec3::from_array)
}

pub fn unit_vec3() -> impl Strategy<Value = DVec3> {
    vec3(1.0)
        .prop_filter("has a direction", |v| v.length() > 0.1)
        .prop_map(DVec3::normalize)
}

pub fn rotation() -> impl Strategy<Value = DQuat> {
    prop::array::uniform4(-1.0..1.0f64)
        .prop_filter("not zero", |q| q.iter().map(|x| x * x).sum::<f64>() > 0.01)
        .prop_map(|q| DQuat::from_array(q).normalize())
}

/// Rotates and translates.
pub fn rigid() -> impl Strategy<Value = DAffine3> {
    (rotation(), vec3(2.0)).prop_map(|(q, t)| DAffine3::from_rotation_translation(q, t))
}

/// Rotates, translates, scales along any three axes by 0.3 to 3, which shears, and mirrors in half of the cases.
pub fn affine() -> impl Strategy<Value = DAffine3> {
    let scale = (prop::array::uniform3(0.3..3.0f64), any::<bool>());
    (rotation(), scale, rotation(), vec3(2.0)).prop_map(|(u, (s, mirrors), v, t)| {
        let sign = if mirrors { -1.0 } else { 1.0 };
        let scale = DMat3::from_diagonal(DVec3::from_array(s) * DVec3::new(1.0, sign, 1.0));
        DAffine3 {
            matrix3: DMat3::from_quat(u) * scale * DMat3::from_quat(v),
            translation: t,
        }
    })
}

/// A chain of one to six joints with random bind positions, and a vertex that all of them influence.
pub fn case<M: Strategy<Value = DAffine3>>(matrix: fn() -> M) -> impl Strategy<Value = Case> {
    let one_joint = (matrix(), vec3(2.0), 0.01..1.0f64);
    prop::collection::vec(one_joint, 1..=6).prop_map(|joints| {
        let matrices: Vec<_> = joints.iter().map(|j| j.0).collect();
        let centres: Vec<_> = joints.iter().map(|j| j.1).collect();
        let weights: Vec<_> = joints.iter().map(|j| j.2).collect();
        Case {
            palette: palette_of(&chain(joints.len()), &centres, &matrices),
            influences: heaviest_first(&weights),
        }
    })
}

/// Deterministic pseudo-random numbers.
pub struct Noise(pub u64);

impl Noise {
    /// Returns a number from 0 to 1.
    pub fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((x ^ (x >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Returns an index less than `len`.
    pub fn index(&mut self, len: usize) -> usize {
        (self.unit() * len as f64) as usize
    }

    /// Returns a vector with coordinates from -1 to 1.
    pub fn vec3(&mut self) -> DVec3 {
        DVec3::new(self.unit(), self.unit(), self.unit()) * 2.0 - 1.0
    }

    pub fn rotation(&mut self) -> DQuat {
        DQuat::from_scaled_axis(self.vec3() * 3.0)
    }
}

/// Returns the angle between two directions, accurate for small angles.
pub fn angle(a: DVec3, b: DVec3) -> f64 {
    a.cross(b).length().atan2(a.dot(b))
}
