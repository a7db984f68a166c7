//! Blend of the matrices of linear and dual-quaternion skinning, with a factor per vertex.

use throng_simd::Wide;

use super::matrix::WideMatrix;
use super::rows::Rows;
use super::sums::{RigidSum, StretchSum};
use super::{BatchPair, Kernel, Out, Prepared, Scratch};
use crate::fast::palette::{FastPalette, Kind, Signs};

pub(in crate::fast) struct BlendByVertexKernel<const STRETCHED: bool>;

impl<const STRETCHED: bool> Kernel for BlendByVertexKernel<STRETCHED> {
    type Of<'a, const N: usize> = BlendByVertex<'a, N, STRETCHED>;
}

pub(in crate::fast) struct BlendByVertex<'a, const N: usize, const STRETCHED: bool> {
    matrices: Rows<'a, 12, N>,
    rigid: RigidSum<'a, N>,
    stretches: StretchSum<'a, N, STRETCHED>,
    /// Factor of the factors of the vertices.
    factor: f32,
}

impl<'a, const N: usize, const STRETCHED: bool> Prepared<'a> for BlendByVertex<'a, N, STRETCHED> {
    #[inline(always)]
    fn new(palette: &'a FastPalette, joints: &'a [u32], scratch: &mut Scratch) -> Self {
        let Kind::BlendByVertex(factor) = palette.kind else {
            unreachable!("the kernel is chosen by the palette's kind");
        };
        Self {
            matrices: Rows::new(&palette.matrices, joints),
            rigid: RigidSum::new(Signs::Pivot, palette, joints, scratch),
            stretches: StretchSum::new(palette, joints),
            factor,
        }
    }

    #[inline(always)]
    fn skin<V: Wide>(&self, pair: &BatchPair<'_>, scratch: &mut Scratch, out: &mut Out<'_>) {
        let rigid = self.rigid.sum::<V>(pair, scratch);
        let factor = pair.factor::<V>() * V::splat(self.factor);
        let scale = rigid.scale() * factor;
        let linear = WideMatrix::from_row(self.matrices.sum(pair.weights()));
        let linear = linear.scaled(V::splat(1.0) - factor);
        let identity = WideMatrix::diagonal(factor);
        let matrix = match self.stretches.sum(pair) {
            Some(stretch) => rigid
                .matrix_mul_add(scale, &identity)
                .after_plus(&stretch, &linear),
            None => rigid.matrix_mul_add(scale, &linear.plus(&identity)),
        };
        out.positions(matrix.point(pair.position()));
        let rest = pair.normal();
        out.normals(matrix.normal(rest).unit_or(rest));
    }
}
