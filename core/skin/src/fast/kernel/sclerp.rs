//! Screw-linear blending by iteration. Twin of [`crate::reference`]'s `sclerp`.
//!
//! The logarithm of a motion is linear in its dual quaternion, but for two factors that depend on the cosine of the half
//! angle alone: polynomials replace angles, and dual quaternions are summed before they are multiplied by the inverse of
//! the blend, once per vertex and step.

use throng_simd::{Lanes, Wide};

use super::rows::Rows;
use super::sums::{RigidSum, StretchSum};
use super::wide_rigid::{WideQuat, WideRigid};
use super::{BatchPair, Kernel, Out, Prepared, Scratch};
use crate::fast::palette::{FastPalette, Signs};

/// Largest number of steps. See `fast.rs` of the tests for what it suffices for.
const MAX_STEPS: usize = 12;

/// Squared length of a step, relative to the dual quaternion, below which float32 holds only rounding.
const CONVERGED: f32 = 4e-13;

/// `φ / sin φ` in powers of `1 − cos φ` from 0 to 1, to 2e-8.
const STRETCH: [f32; 10] = [
    0.999_999_99,
    0.333_335_38,
    0.133_266_57,
    0.057_977_8,
    0.020_163_49,
    0.030_059_176,
    -0.033_552_998,
    0.050_975_76,
    -0.032_591_69,
    0.011_162_824,
];

/// `(φ cos φ / sin φ − 1) / sin² φ` in powers of `1 − cos φ` from 0 to 1, to 2e-7.
const CURL: [f32; 10] = [
    -0.333_333_26,
    -0.266_681_45,
    -0.170_947_1,
    -0.107_598_92,
    -0.020_135_5,
    -0.164_449_46,
    0.259_333_4,
    -0.351_824,
    0.230_564_23,
    -0.074_927_8,
];

/// `sin h / h` in powers of `h²`, to 2e-7 for `h` up to 1.
const SINC: [f32; 4] = [1.0, -1.0 / 6.0, 1.0 / 120.0, -1.0 / 5040.0];

/// `cos h` in powers of `h²`, to 3e-7 for `h` up to 1.
const COS: [f32; 5] = [1.0, -0.5, 1.0 / 24.0, -1.0 / 720.0, 1.0 / 40_320.0];

/// `(cos h − sin h / h) / h²` in powers of `h²`.
const EXP_CURL: [f32; 4] = [-1.0 / 3.0, 1.0 / 30.0, -1.0 / 840.0, 1.0 / 45_360.0];

pub(in crate::fast) struct SclerpKernel<const STRETCHED: bool>;

impl<const STRETCHED: bool> Kernel for SclerpKernel<STRETCHED> {
    type Of<'a, const N: usize> = Sclerp<'a, N, STRETCHED>;
}

pub(in crate::fast) struct Sclerp<'a, const N: usize, const STRETCHED: bool> {
    rigid: RigidSum<'a, N>,
    rows: Rows<'a, 8, N>,
    stretches: StretchSum<'a, N, STRETCHED>,
}

impl<'a, const N: usize, const STRETCHED: bool> Prepared<'a> for Sclerp<'a, N, STRETCHED> {
    #[inline(always)]
    fn new(palette: &'a FastPalette, joints: &'a [u32], scratch: &mut Scratch) -> Self {
        Self {
            rigid: RigidSum::new(Signs::Pivot, palette, joints, scratch),
            rows: Rows::new(&palette.rigid, joints),
            stretches: StretchSum::new(palette, joints),
        }
    }

    #[inline(always)]
    fn skin<V: Wide>(&self, pair: &BatchPair<'_>, scratch: &mut Scratch, out: &mut Out<'_>) {
        let mut rigid = self.rigid.sum::<V>(pair, scratch);
        if self.rows.count() > 1 {
            rigid = rigid.unit();
            for _ in 0..MAX_STEPS {
                let size = rigid.dual().dot(rigid.dual()) + V::splat(1.0);
                let (next, step_squared) = self.step(pair.weights(), &rigid);
                rigid = next;
                if !(V::splat(CONVERGED) * size - step_squared).any_below(0.0) {
                    break;
                }
            }
        }
        let scale = rigid.scale();
        let (position, mut normal) = self.stretches.stretched::<V>(pair);
        out.positions(rigid.point(scale, position));
        normal = rigid.vector(scale, normal);
        if STRETCHED {
            normal = normal.unit_or(pair.normal());
        }
        out.normals(normal);
    }
}

impl<const N: usize, const STRETCHED: bool> Sclerp<'_, N, STRETCHED> {
    /// Adds the weighted screws to all joints to a blend. Returns the unit sum and the squared length of the step.
    #[inline(always)]
    fn step<V: Wide>(&self, weights: [&[Lanes]; 2], blend: &WideRigid<V>) -> (WideRigid<V>, V) {
        let (one, zero) = (V::splat(1.0), V::splat(0.0));
        let (real, dual) = (blend.real(), blend.dual());
        let mut sum_real = WideQuat::splat(0.0);
        let mut sum_dual = WideQuat::splat(0.0);
        for i in 0..self.rows.count() {
            let [first, second] = weights;
            let weight = V::load_pair(&first[i], &second[i]);
            let [joint_real, joint_dual] = WideQuat::parts(self.rows.get(i));
            let dot = real.dot(joint_real);
            // The joint in the hemisphere of the blend.
            let sign = dot.select_below(0.0, V::splat(-1.0), one);
            let x = one - dot * sign;
            let x = x.select_below(0.0, zero, x);
            let weight = weight * sign;
            let along = real.dot(joint_dual) + dual.dot(joint_real);
            let stretch = polynomial(&STRETCH, x) * weight;
            let curl = polynomial(&CURL, x) * (along * sign) * weight;
            sum_real = joint_real.mul_add(stretch, sum_real);
            sum_dual = joint_dual.mul_add(stretch, joint_real.mul_add(curl, sum_dual));
        }
        let twist_real = real.conjugate_mul_vector(sum_real);
        let twist_dual = real
            .conjugate_mul_vector(sum_dual)
            .plus(dual.conjugate_mul_vector(sum_real));

        let square = twist_real.dot(twist_real);
        let sinc = polynomial(&SINC, square);
        let along = twist_real.dot(twist_dual);
        let step_real = WideQuat {
            v: twist_real.scaled(sinc),
            w: polynomial(&COS, square),
        };
        let curl = along * polynomial(&EXP_CURL, square);
        let step_dual = WideQuat {
            v: twist_dual.scaled(sinc).plus(twist_real.scaled(curl)),
            w: zero - along * sinc,
        };
        let next_real = real.mul(step_real);
        let next_dual = real.mul(step_dual).plus(dual.mul(step_real));
        let step_squared = twist_dual.dot_add(twist_dual, square);
        (WideRigid::new(next_real, next_dual).unit(), step_squared)
    }
}

#[inline(always)]
fn polynomial<V: Wide, const N: usize>(coefficients: &[f32; N], x: V) -> V {
    let mut sum = V::splat(coefficients[N - 1]);
    for &coefficient in coefficients[..N - 1].iter().rev() {
        sum = sum.mul_add(x, V::splat(coefficient));
    }
    sum
}
