//! Linear blend skinning, and sums of rigid motions as matrices.

use throng_simd::Wide;

use super::matrix::WideMatrix;
use super::rows::Rows;
use super::sums::StretchSum;
use super::{BatchPair, Kernel, Out, Prepared, Scratch};
use crate::fast::palette::FastPalette;

pub(in crate::fast) struct LinearKernel<const STRETCHED: bool>;

impl<const STRETCHED: bool> Kernel for LinearKernel<STRETCHED> {
    type Of<'a, const N: usize> = Linear<'a, N, STRETCHED>;
}

pub(in crate::fast) struct Linear<'a, const N: usize, const STRETCHED: bool> {
    matrices: Rows<'a, 12, N>,
    stretches: StretchSum<'a, N, STRETCHED>,
}

impl<'a, const N: usize, const STRETCHED: bool> Prepared<'a> for Linear<'a, N, STRETCHED> {
    #[inline(always)]
    fn new(palette: &'a FastPalette, joints: &'a [u32], _: &mut Scratch) -> Self {
        Self {
            matrices: Rows::new(&palette.matrices, joints),
            stretches: StretchSum::new(palette, joints),
        }
    }

    #[inline(always)]
    fn skin<V: Wide>(&self, pair: &BatchPair<'_>, _: &mut Scratch, out: &mut Out<'_>) {
        let (position, normal) = self.stretches.stretched::<V>(pair);
        let matrix = WideMatrix::from_row(self.matrices.sum(pair.weights()));
        out.positions(matrix.point(position));
        out.normals(matrix.normal(normal).unit_or(pair.normal()));
    }
}
