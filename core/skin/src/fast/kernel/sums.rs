//! Sums of dual quaternions and of stretches, and the signs that go into the former.

use glam::DQuat;
use throng_simd::{Lanes, Wide};

use super::matrix::WideMatrix;
use super::rigid::WideRigid;
use super::rows::Rows;
use super::vec3::WideVec3;
use super::{Part, Scratch};
use crate::fast::batching::BATCH;
use crate::fast::palette::{DualRow, FastPalette, Signs};

/// Dual quaternions whose real parts lie within 45° of one of them lie within 90° of each other, so that
/// their signs agree whichever is the pivot. A little more than √½, for rounding.
const COS_45: f32 = std::f32::consts::FRAC_1_SQRT_2 + 1e-5;

/// Of the squared length of a sum: below it, float32 has nothing left but rounding.
const CANCELLED: f32 = 1e-12;

/// The dual quaternions of a set of joints.
pub(super) struct RigidSum<'a, const N: usize> {
    rows: Rows<'a, 8, N>,
    how: How,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    /// All signs agree already.
    Agreed,
    /// Each vertex by its pivot.
    ByPivot,
    /// As they come; the sum may cancel out.
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
        let how = match signs {
            Signs::AsTheyCome => How::MayCancel,
            Signs::Pivot if all_near_first(&rows) => How::Agreed,
            Signs::Pivot => {
                scratch.set_signs(&palette.real, joints);
                How::ByPivot
            }
        };
        Self { rows, how }
    }

    #[inline(always)]
    pub fn sum<V: Wide>(&self, part: &Part<'_>, scratch: &mut Scratch) -> WideRigid<V> {
        let mut rigid: WideRigid<V> = WideRigid::from_sum(match self.how {
            How::ByPivot => self.rows.sum(scratch.signed_weights(part)),
            How::Agreed | How::MayCancel => self.rows.sum(part.weights()),
        });
        if self.how == How::MayCancel && rigid.length_squared.any_below(CANCELLED) {
            let weights = scratch.weights_of_heaviest(part, self.rows.table_of_joints());
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

/// The stretches of a set of joints, where there are any.
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

    /// The sum, where there is one.
    #[inline(always)]
    pub fn sum<V: Wide>(&self, part: &Part<'_>) -> Option<WideMatrix<V>> {
        match &self.0 {
            Some(rows) if STRETCHED => Some(WideMatrix::from_row(rows.sum(part.weights()))),
            _ => None,
        }
    }

    /// Position and normal after it; the normal is not of unit length.
    #[inline(always)]
    pub fn moved<V: Wide>(&self, part: &Part<'_>) -> (WideVec3<V>, WideVec3<V>) {
        match self.sum::<V>(part) {
            Some(stretch) => (
                stretch.point(part.position()),
                stretch.normal(part.normal()),
            ),
            None => (part.position(), part.normal()),
        }
    }
}

impl Scratch {
    /// The sign of each joint (down) in the hemisphere of each (across), decided in float64 as the
    /// reference does: at half a turn, float32 would choose the other way round.
    #[cold]
    #[inline(never)]
    fn set_signs(&mut self, real: &[DQuat], joints: &[u32]) {
        self.signs.clear();
        for &joint in joints {
            for &pivot in joints {
                let dot = real[joint as usize].dot(real[pivot as usize]);
                self.signs.push(if dot < 0.0 { -1.0 } else { 1.0 });
            }
        }
    }

    /// Weights with the sign that each vertex's pivot asks for.
    #[inline(never)]
    fn signed_weights(&mut self, part: &Part<'_>) -> [&[Lanes]; 2] {
        let weights = part.weights();
        for (batch, out) in self.weights.iter_mut().enumerate() {
            out.clear();
            let signs = self.signs.chunks_exact(weights[batch].len());
            for (row, signs) in weights[batch].iter().zip(signs) {
                let mut signed = *row;
                for (weight, &pivot) in signed.0.iter_mut().zip(part.pivots[batch]) {
                    *weight *= signs[pivot as usize];
                }
                out.push(signed);
            }
        }
        [&self.weights[0], &self.weights[1]]
    }

    /// Weights where the heaviest influence stands in for a sum that cancelled out.
    #[cold]
    #[inline(never)]
    fn weights_of_heaviest(
        &mut self,
        part: &Part<'_>,
        (table, joints): (&[DualRow], &[u32]),
    ) -> [&[Lanes]; 2] {
        let weights = part.weights();
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
                // A little more than the limit: rounding here is not that of the kernel.
                if length_squared < 2.0 * CANCELLED {
                    for row in out.iter_mut() {
                        row.0[lane] = 0.0;
                    }
                    out[part.pivots[batch][lane] as usize].0[lane] = 1.0;
                }
            }
        }
        [&self.weights[0], &self.weights[1]]
    }
}
