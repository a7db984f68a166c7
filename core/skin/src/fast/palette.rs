//! What the kernels need of a pose.

use glam::{DAffine3, DQuat};
use throng_rig::{DualQuat, Method, Palette};
use throng_simd::Lanes;

use super::batching::BATCH;

/// How far an entry of a stretch may be from the identity's and still count as rounding: inverse bind
/// matrices come from files as float32. Leaving it out moves a vertex by no more than 2e-6 of its distance
/// from the joint.
const STRETCH_ROUNDING: f64 = 1e-6;

/// A matrix by rows: the 3×3 and the translation, x y z t each.
pub(super) type MatrixRow = [Lanes; 12];

/// A dual quaternion: the real part, then the dual one, x y z w each.
pub(super) type DualRow = [Lanes; 8];

/// One pose in float32 for one [`Method`]: only what that method reads. Made once, then reused.
#[derive(Debug, Clone)]
pub struct FastPalette {
    pub(super) kind: Kind,
    /// Blended linearly: the joints' matrices, or what [`Kind`] says.
    pub(super) matrices: Vec<MatrixRow>,
    /// The rigid part of each joint's motion.
    pub(super) rigid: Vec<DualRow>,
    /// The real parts of `rigid`, to decide about signs exactly as the reference does.
    pub(super) real: Vec<DQuat>,
    /// What comes before the rigid part; empty where every joint is rigid.
    pub(super) stretches: Vec<MatrixRow>,
    len: usize,
}

/// Which kernel skins, and what the palette's lists hold.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Kind {
    /// A sum of matrices, after a sum of stretches where there are any.
    Linear,
    /// A sum of dual quaternions, likewise.
    Rigid(RigidKind),
    /// A matrix made of both: `matrices` hold `(1 − f)·matrix`, and `f·identity` more where there are no
    /// stretches.
    Mixed(f32),
    /// Both apart, then mixed.
    MixedPositions(f32),
}

/// The forms of a sum of dual quaternions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RigidKind {
    pub signs: Signs,
    pub flat: Flat,
}

/// Which sign of each dual quaternion goes into the sum.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Signs {
    /// The one in the hemisphere of the heaviest influence.
    Pivot,
    /// The one in the palette. A sum that cancels out is replaced by the heaviest influence.
    AsTheyCome,
}

/// The normal where the stretch flattens the surface so that none is left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Flat {
    /// Stays as it was.
    Stays,
    /// Is turned by the rigid part.
    Turns,
}

impl FastPalette {
    /// Takes what the method needs of a palette.
    pub fn new(method: Method, palette: &Palette) -> Self {
        let mut out = Self {
            kind: Kind::Linear,
            matrices: Vec::new(),
            rigid: Vec::new(),
            real: Vec::new(),
            stretches: Vec::new(),
            len: 0,
        };
        out.update(method, palette);
        out
    }

    /// Takes another pose or method into the same memory.
    pub fn update(&mut self, method: Method, palette: &Palette) {
        self.matrices.clear();
        self.rigid.clear();
        self.real.clear();
        self.stretches.clear();
        self.len = palette.len();
        if method != Method::Lbs && !is_rigid(palette) {
            let stretches = palette.stretches().iter();
            self.stretches.extend(stretches.map(matrix_row));
        }
        let rigid = |signs, flat| Kind::Rigid(RigidKind { signs, flat });
        self.kind = match method {
            Method::Lbs | Method::DqsSum => Kind::Linear,
            Method::Dqs => rigid(Signs::Pivot, Flat::Stays),
            Method::DqsPlain => rigid(Signs::AsTheyCome, Flat::Stays),
            Method::DqsDirect => rigid(Signs::AsTheyCome, Flat::Turns),
            Method::Blend(f) => Kind::Mixed(f as f32),
            Method::BlendPositions(f) => Kind::MixedPositions(f as f32),
        };
        match method {
            Method::Lbs | Method::BlendPositions(_) => self.set_matrices(palette, |m| *m),
            Method::Blend(f) => {
                let identity = if self.stretches.is_empty() { f } else { 0.0 };
                self.set_matrices(palette, |m| blend_part(m, 1.0 - f, identity));
            }
            Method::DqsSum => {
                let matrices = palette.rigid().iter().map(|rigid| rigid.to_affine());
                self.matrices.extend(matrices.map(|m| matrix_row(&m)));
            }
            Method::Dqs | Method::DqsPlain | Method::DqsDirect => {}
        }
        match method {
            // Where signs are decided a vertex, any will do: those that agree with their parents'
            // mostly need no change.
            Method::Dqs | Method::DqsDirect | Method::Blend(_) | Method::BlendPositions(_) => {
                self.set_rigid(palette.aligned());
            }
            Method::DqsPlain => self.set_rigid(palette.rigid()),
            Method::Lbs | Method::DqsSum => {}
        }
    }

    fn set_matrices(&mut self, palette: &Palette, change: impl Fn(&DAffine3) -> DAffine3) {
        let matrices = palette.matrices().iter();
        self.matrices
            .extend(matrices.map(|m| matrix_row(&change(m))));
    }

    fn set_rigid(&mut self, rigid: &[DualQuat]) {
        self.rigid.extend(rigid.iter().map(|dual_quat| {
            let parts = [dual_quat.real.to_array(), dual_quat.dual.to_array()];
            let mut row = [Lanes::ZERO; 8];
            for (to, from) in row.iter_mut().zip(parts.as_flattened()) {
                *to = Lanes([*from as f32; BATCH]);
            }
            row
        }));
        self.real
            .extend(rigid.iter().map(|dual_quat| dual_quat.real));
    }

    /// How many joints there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// True where there are no joints.
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

fn blend_part(matrix: &DAffine3, part: f64, identity: f64) -> DAffine3 {
    let unit = DAffine3::IDENTITY;
    DAffine3 {
        matrix3: matrix.matrix3 * part + unit.matrix3 * identity,
        translation: matrix.translation * part,
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
