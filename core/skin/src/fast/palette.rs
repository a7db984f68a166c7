//! Palettes in the layout of the kernels.

use glam::{DAffine3, DQuat};
use throng_rig::{DualQuat, Mat3x4, Method, Palette};
use throng_simd::Lanes;

use super::batching::BATCH;

/// Largest difference of an element of a stretch from the identity that counts as rounding: files store inverse
/// bind matrices in float32. Without it a vertex moves by at most 2e-6 of its distance from the joint.
const STRETCH_ROUNDING: f64 = 1e-6;

/// A 3×4 matrix by rows: x, y, z and translation each.
pub(super) type MatrixRow = [Lanes; 12];

/// A dual quaternion: the real part, then the dual part, x, y, z, w each.
pub(super) type DualRow = [Lanes; 8];

/// A bone at rest, after the stretch, then posed: its head, the vector to its tail, and one over its squared length (0 for
/// a point) each.
pub(super) type BoneRow = [Lanes; 14];

/// One pose in float32 for one [`Method`]. Holds only what the method reads. Made once, then reused. The default is for
/// linear skinning by no joints.
#[derive(Debug, Clone, Default)]
pub struct FastPalette {
    pub(super) kind: Kind,
    /// Matrices that are blended linearly; see [`Kind`].
    pub(super) matrices: Vec<MatrixRow>,
    /// Rigid part of each joint's motion.
    pub(super) rigid: Vec<DualRow>,
    /// Real parts of [`Palette::rigid`] in float64, to choose signs as the reference does. `rigid` may have opposite signs.
    pub(super) real: Vec<DQuat>,
    /// Stretches, applied before the rigid part; empty if every joint is rigid.
    pub(super) stretches: Vec<MatrixRow>,
    /// Bones, for [`Kind::BulgeFree`].
    pub(super) bones: Vec<BoneRow>,
    len: usize,
}

/// Kernel of a palette, and contents of its lists.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) enum Kind {
    /// A sum of stretches, if there are any, then a sum of matrices.
    #[default]
    Linear,
    /// A sum of stretches, if there are any, then a sum of dual quaternions.
    Rigid(RigidKind),
    /// As [`Self::Rigid`] with [`Signs::Pivot`], then a pull towards bones.
    BulgeFree,
    /// A sum of stretches, then a rotation about a centre that the sum of `matrices` moves.
    Cor,
    /// A sum of stretches, then an iteration from the sum of dual quaternions.
    Sclerp,
    /// A blend of both as matrices: `matrices` hold `(1 − f)·matrix`, plus `f·identity` if there are no
    /// stretches.
    Blend(f32),
    /// A blend of both as matrices, with the factor of each vertex times this one.
    BlendByVertex(f32),
    /// A blend of the results of both.
    BlendPositions(f32),
}

/// Variant of a sum of dual quaternions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RigidKind {
    pub signs: Signs,
    pub flat_normal: FlatNormal,
}

/// Choice of the sign of each dual quaternion in the sum.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Signs {
    /// Hemisphere of the heaviest influence.
    Pivot,
    /// Sign in the palette. A sum that cancels is replaced by the heaviest influence.
    AsStored,
}

/// Normal where the stretch flattens the surface so that no normal is left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FlatNormal {
    /// Normal in bind space.
    Bind,
    /// Normal in bind space, rotated by the rigid part.
    Rotated,
}

impl FastPalette {
    /// Converts a palette for a method.
    pub fn new(method: Method, palette: &Palette) -> Self {
        let mut out = Self::default();
        out.update(method, palette);
        out
    }

    /// Converts another palette, into the same memory.
    pub fn update(&mut self, method: Method, palette: &Palette) {
        self.clear(palette.len());
        if method != Method::Lbs {
            self.set_stretches(palette);
        }
        let rigid = |signs, flat_normal| Kind::Rigid(RigidKind { signs, flat_normal });
        self.kind = match method {
            Method::Lbs | Method::DqsSum => Kind::Linear,
            Method::Dqs => rigid(Signs::Pivot, FlatNormal::Bind),
            Method::DqsBulgeFree => Kind::BulgeFree,
            Method::Cor => Kind::Cor,
            Method::Sclerp => Kind::Sclerp,
            Method::DqsPlain => rigid(Signs::AsStored, FlatNormal::Bind),
            Method::DqsDirect => rigid(Signs::AsStored, FlatNormal::Rotated),
            Method::Blend(f) => Kind::Blend(f as f32),
            Method::BlendPositions(f) => Kind::BlendPositions(f as f32),
        };
        match method {
            Method::Lbs | Method::BlendPositions(_) => self.set_matrices(palette, |m| *m),
            Method::Blend(f) => {
                let identity = if self.stretches.is_empty() { f } else { 0.0 };
                self.set_matrices(palette, |m| weighted_plus_identity(m, 1.0 - f, identity));
            }
            Method::DqsSum | Method::Cor => {
                let matrices = palette.rigid().iter().map(|rigid| rigid.to_affine());
                self.matrices.extend(matrices.map(|m| matrix_row(&m)));
            }
            Method::DqsBulgeFree => self.set_bones(palette),
            Method::Dqs | Method::Sclerp | Method::DqsPlain | Method::DqsDirect => {}
        }
        match method {
            // Where signs are chosen per vertex, any signs will do. Those aligned to the parents mostly need no
            // change.
            Method::Dqs
            | Method::DqsBulgeFree
            | Method::Cor
            | Method::Sclerp
            | Method::DqsDirect
            | Method::Blend(_)
            | Method::BlendPositions(_) => {
                self.set_rigid(palette.aligned(), palette);
            }
            Method::DqsPlain => self.set_rigid(palette.rigid(), palette),
            Method::Lbs | Method::DqsSum => {}
        }
    }

    /// Converts a palette for [`Method::Blend`] with the factor of each vertex times `factor`: see
    /// [`throng_rig::Mesh::blend_factors`].
    pub fn update_blended_by_vertex(&mut self, factor: f64, palette: &Palette) {
        self.clear(palette.len());
        self.set_stretches(palette);
        self.kind = Kind::BlendByVertex(factor as f32);
        self.set_matrices(palette, |m| *m);
        self.set_rigid(palette.aligned(), palette);
    }

    /// Takes the matrices of an instance of a crowd ([`throng_rig::CrowdPalette::instance`]), for [`Method::Lbs`].
    pub fn update_linear(&mut self, matrices: &[Mat3x4]) {
        self.clear(matrices.len());
        self.kind = Kind::Linear;
        self.matrices.extend(matrices.iter().map(|matrix| {
            let mut row = [Lanes::ZERO; 12];
            for (to, &from) in row.iter_mut().zip(matrix.as_flattened()) {
                *to = Lanes([from; BATCH]);
            }
            row
        }));
    }

    fn clear(&mut self, len: usize) {
        self.matrices.clear();
        self.rigid.clear();
        self.real.clear();
        self.stretches.clear();
        self.bones.clear();
        self.len = len;
    }

    fn set_stretches(&mut self, palette: &Palette) {
        if !is_rigid(palette) {
            let stretches = palette.stretches().iter();
            self.stretches.extend(stretches.map(matrix_row));
        }
    }

    fn set_matrices(&mut self, palette: &Palette, change: impl Fn(&DAffine3) -> DAffine3) {
        let matrices = palette.matrices().iter();
        self.matrices
            .extend(matrices.map(|m| matrix_row(&change(m))));
    }

    fn set_rigid(&mut self, rigid: &[DualQuat], palette: &Palette) {
        self.rigid.extend(rigid.iter().map(|dual_quat| {
            let parts = [dual_quat.real.to_array(), dual_quat.dual.to_array()];
            let mut row = [Lanes::ZERO; 8];
            for (to, from) in row.iter_mut().zip(parts.as_flattened()) {
                *to = Lanes([*from as f32; BATCH]);
            }
            row
        }));
        self.real.extend(palette.rigid().iter().map(|q| q.real));
    }

    fn set_bones(&mut self, palette: &Palette) {
        let motions = palette.stretches().iter().zip(palette.matrices());
        let bones = palette.bones().iter().zip(motions);
        self.bones.extend(bones.map(|(bone, (stretch, matrix))| {
            let place = |motion: &DAffine3| {
                let head = motion.transform_point3(bone.head);
                let along = motion.transform_point3(bone.tail) - head;
                let square = along.length_squared();
                // Shorter bones are points: the quotient would overflow float32.
                let inverse = if square > 1e-30 { 1.0 / square } else { 0.0 };
                [head.x, head.y, head.z, along.x, along.y, along.z, inverse]
            };
            let mut row = [Lanes::ZERO; 14];
            let numbers = place(stretch).into_iter().chain(place(matrix));
            for (to, from) in row.iter_mut().zip(numbers) {
                *to = Lanes([from as f32; BATCH]);
            }
            row
        }));
    }

    /// Number of joints.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns true if there are no joints.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
}

fn is_rigid(palette: &Palette) -> bool {
    palette.is_rigid()
        || palette.stretches().iter().all(|stretch| {
            let identity = DAffine3::IDENTITY.matrix3;
            stretch.matrix3.abs_diff_eq(identity, STRETCH_ROUNDING)
        })
}

fn weighted_plus_identity(matrix: &DAffine3, weight: f64, identity: f64) -> DAffine3 {
    let unit = DAffine3::IDENTITY;
    DAffine3 {
        matrix3: matrix.matrix3 * weight + unit.matrix3 * identity,
        translation: matrix.translation * weight,
    }
}

fn matrix_row(matrix: &DAffine3) -> MatrixRow {
    let mut row = [Lanes::ZERO; 12];
    for axis in 0..3 {
        let across = matrix.matrix3.row(axis).extend(matrix.translation[axis]);
        for (to, from) in row[4 * axis..].iter_mut().zip(across.as_vec4().to_array()) {
            *to = Lanes([from; BATCH]);
        }
    }
    row
}
