//! Sums of dual quaternions, with their signs, and of stretches.

use throng_simd::{Lanes, Wide};

use super::matrix::WideMatrix;
use super::rows::Rows;
use super::vec3::WideVec3;
use super::wide_rigid::WideRigid;
use super::{BatchPair, Scratch};
use crate::fast::batching::BATCH;
use crate::fast::palette::{DualRow, FastPalette, Signs};

/// Cosine of 45°, plus a margin for rounding. Dual quaternions whose real parts are within 45° of one of them are
/// within 90° of each other, so that their signs agree whichever is the pivot.
const COS_45: f32 = std::f32::consts::FRAC_1_SQRT_2 + 1e-5;

/// Squared length of a sum below which float32 holds only rounding.
const CANCELLED: f32 = 1e-12;

/// Dual quaternions of a set of joints.
pub(super) struct RigidSum<'a, const N: usize> {
    rows: Rows<'a, 8, N>,
    sign_mode: SignMode,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum SignMode {
    /// All signs agree.
    Agreed,
    /// Signs are chosen per vertex, by its pivot.
    ByPivot,
    /// Signs are those of the palette; the sum may cancel.
    MayCancel,
}

impl<'a, const N: usize> RigidSum<'a, N> {
    #[inline(always)]
    pub fn new(
        signs: Signs,
        palette: &'a FastPalette,
        joints: &'a [u32],
        scratch: &mut Scratch,
    ) -> Self {
        let rows = Rows::new(&palette.rigid, joints);
        let sign_mode = match signs {
            Signs::AsStored => SignMode::MayCancel,
            Signs::Pivot if all_near_first(&rows) => SignMode::Agreed,
            Signs::Pivot => {
                scratch.set_signs(palette, joints);
                SignMode::ByPivot
            }
        };
        Self { rows, sign_mode }
    }

    #[inline(always)]
    pub fn sum<V: Wide>(&self, pair: &BatchPair<'_>, scratch: &mut Scratch) -> WideRigid<V> {
        let mut rigid: WideRigid<V> = WideRigid::from_sum(match self.sign_mode {
            SignMode::ByPivot => self.rows.sum(scratch.signed_weights(pair)),
            SignMode::Agreed | SignMode::MayCancel => self.rows.sum(pair.weights()),
        });
        if self.sign_mode == SignMode::MayCancel && rigid.length_squared.any_below(CANCELLED) {
            let weights = scratch.weights_of_heaviest(pair, self.rows.table_of_joints());
            rigid = WideRigid::from_sum(self.rows.sum(weights));
        }
        rigid
    }
}

#[inline(always)]
fn all_near_first<const N: usize>(rows: &Rows<'_, 8, N>) -> bool {
    let first = rows.get(0);
    let mut near = true;
    for i in 1..rows.count() {
        near &= dot_real(first, rows.get(i)) > COS_45;
    }
    near
}

#[inline(always)]
fn dot_real(a: &DualRow, b: &DualRow) -> f32 {
    let mut dot = 0.0;
    for k in 0..4 {
        dot += a[k].0[0] * b[k].0[0];
    }
    dot
}

/// Stretches of a set of joints, if there are any.
pub(super) struct StretchSum<'a, const N: usize, const STRETCHED: bool>(Option<Rows<'a, 12, N>>);

impl<'a, const N: usize, const STRETCHED: bool> StretchSum<'a, N, STRETCHED> {
    #[inline(always)]
    pub fn new(palette: &'a FastPalette, joints: &'a [u32]) -> Self {
        Self(if STRETCHED {
            Some(Rows::new(&palette.stretches, joints))
        } else {
            None
        })
    }

    /// Returns the sum, if there are stretches.
    #[inline(always)]
    pub fn sum<V: Wide>(&self, pair: &BatchPair<'_>) -> Option<WideMatrix<V>> {
        match &self.0 {
            Some(rows) if STRETCHED => Some(WideMatrix::from_row(rows.sum(pair.weights()))),
            _ => None,
        }
    }

    /// Returns position and normal after the stretch; the normal is not normalised.
    #[inline(always)]
    pub fn stretched<V: Wide>(&self, pair: &BatchPair<'_>) -> (WideVec3<V>, WideVec3<V>) {
        match self.sum::<V>(pair) {
            Some(stretch) => (
                stretch.point(pair.position()),
                stretch.normal(pair.normal()),
            ),
            None => (pair.position(), pair.normal()),
        }
    }
}

impl Scratch {
    /// Computes the sign of each joint (row) in the hemisphere of each pivot (column). In float64 and with the signs of
    /// the reference: near 180° float32 may choose the other sign, and at 180° the choice depends on the signs.
    #[cold]
    #[inline(never)]
    fn set_signs(&mut self, palette: &FastPalette, joints: &[u32]) {
        self.signs.clear();
        let real = &palette.real;
        for &joint in joints {
            let row = &palette.rigid[joint as usize];
            let stored = real[joint as usize].to_array();
            let along: f64 = (0..4).map(|k| f64::from(row[k].0[0]) * stored[k]).sum();
            for &pivot in joints {
                let dot = real[joint as usize].dot(real[pivot as usize]);
                let is_opposite = (dot < 0.0) != (along < 0.0);
                self.signs.push(if is_opposite { -1.0 } else { 1.0 });
            }
        }
    }

    /// Returns the weights with the signs for each vertex's pivot.
    #[inline(never)]
    fn signed_weights(&mut self, pair: &BatchPair<'_>) -> [&[Lanes]; 2] {
        let weights = pair.weights();
        for (batch, out) in self.weights.iter_mut().enumerate() {
            out.clear();
            let signs = self.signs.chunks_exact(weights[batch].len());
            for (row, signs) in weights[batch].iter().zip(signs) {
                let mut signed = *row;
                for (weight, &pivot) in signed.0.iter_mut().zip(pair.pivots[batch]) {
                    *weight *= signs[pivot as usize];
                }
                out.push(signed);
            }
        }
        [&self.weights[0], &self.weights[1]]
    }

    /// Returns weights in which the heaviest influence replaces sums that cancel.
    #[cold]
    #[inline(never)]
    fn weights_of_heaviest(
        &mut self,
        pair: &BatchPair<'_>,
        (table, joints): (&[DualRow], &[u32]),
    ) -> [&[Lanes]; 2] {
        let weights = pair.weights();
        for (batch, out) in self.weights.iter_mut().enumerate() {
            out.clear();
            out.extend_from_slice(weights[batch]);
            for lane in 0..BATCH {
                let mut real = [0.0; 4];
                for (row, &joint) in weights[batch].iter().zip(joints) {
                    for (sum, part) in real.iter_mut().zip(table[joint as usize]) {
                        *sum += part.0[0] * row.0[lane];
                    }
                }
                let length_squared: f32 = real.iter().map(|x| x * x).sum();
                // A margin, because rounding here differs from the kernel's.
                if length_squared < 2.0 * CANCELLED {
                    for row in out.iter_mut() {
                        row.0[lane] = 0.0;
                    }
                    out[pair.pivots[batch][lane] as usize].0[lane] = 1.0;
                }
            }
        }
        [&self.weights[0], &self.weights[1]]
    }
}
