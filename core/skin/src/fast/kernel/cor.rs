//! Rotation of blended quaternions about a centre per vertex.

use throng_simd::Wide;

use super::matrix::WideMatrix;
use super::rows::Rows;
use super::sums::{RigidSum, StretchSum};
use super::{BatchPair, Kernel, Out, Prepared, Scratch};
use crate::fast::palette::{FastPalette, Signs};

pub(in crate::fast) struct CorKernel<const STRETCHED: bool>;

impl<const STRETCHED: bool> Kernel for CorKernel<STRETCHED> {
    type Of<'a, const N: usize> = Cor<'a, N, STRETCHED>;
}

pub(in crate::fast) struct Cor<'a, const N: usize, const STRETCHED: bool> {
    /// Rigid motions as matrices, which move the centre.
    matrices: Rows<'a, 12, N>,
    rigid: RigidSum<'a, N>,
    stretches: StretchSum<'a, N, STRETCHED>,
}

impl<'a, const N: usize, const STRETCHED: bool> Prepared<'a> for Cor<'a, N, STRETCHED> {
    #[inline(always)]
    fn new(palette: &'a FastPalette, joints: &'a [u32], scratch: &mut Scratch) -> Self {
        Self {
            matrices: Rows::new(&palette.matrices, joints),
            rigid: RigidSum::new(Signs::Pivot, palette, joints, scratch),
            stretches: StretchSum::new(palette, joints),
        }
    }

    #[inline(always)]
    fn skin<V: Wide>(&self, pair: &BatchPair<'_>, scratch: &mut Scratch, out: &mut Out<'_>) {
        let (mut position, mut normal, mut center) =
            (pair.position::<V>(), pair.normal(), pair.center());
        if let Some(stretch) = self.stretches.sum::<V>(pair) {
            position = stretch.point(position);
            normal = stretch.normal(normal);
            center = stretch.point(center);
        }
        let moved = WideMatrix::from_row(self.matrices.sum(pair.weights())).point(center);
        let rigid = self.rigid.sum::<V>(pair, scratch);
        let scale = rigid.scale();
        out.positions(rigid.vector(scale, position.minus(center)).plus(moved));
        normal = rigid.vector(scale, normal);
        if STRETCHED {
            normal = normal.unit_or(pair.normal());
        }
        out.normals(normal);
    }
}
