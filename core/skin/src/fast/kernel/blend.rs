//! Blends of linear and dual-quaternion skinning: of matrices, or of positions and normals.

use throng_simd::Wide;

use super::matrix::WideMatrix;
use super::rows::Rows;
use super::sums::{RigidSum, StretchSum};
use super::{BatchPair, Kernel, Out, Prepared, Scratch};
use crate::fast::palette::{FastPalette, Kind, Signs};

pub(in crate::fast) struct BlendKernel<const STRETCHED: bool>;

impl<const STRETCHED: bool> Kernel for BlendKernel<STRETCHED> {
    type Of<'a, const N: usize> = Blend<'a, N, STRETCHED>;
}

pub(in crate::fast) struct Blend<'a, const N: usize, const STRETCHED: bool> {
    /// Matrices times `1 − factor`, plus `factor` times the identity if there are no stretches.
    matrices: Rows<'a, 12, N>,
    rigid: RigidSum<'a, N>,
    stretches: StretchSum<'a, N, STRETCHED>,
    factor: f32,
}

impl<'a, const N: usize, const STRETCHED: bool> Prepared<'a> for Blend<'a, N, STRETCHED> {
    #[inline(always)]
    fn new(palette: &'a FastPalette, joints: &'a [u32], scratch: &mut Scratch) -> Self {
        let Kind::Blend(factor) = palette.kind else {
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
        let factor = V::splat(self.factor);
        let scale = rigid.scale() * factor;
        let linear = WideMatrix::from_row(self.matrices.sum(pair.weights()));
        let matrix = match self.stretches.sum(pair) {
            Some(stretch) => rigid
                .matrix_mul_add(scale, &WideMatrix::diagonal(factor))
                .after_plus(&stretch, &linear),
            None => rigid.matrix_mul_add(scale, &linear),
        };
        out.positions(matrix.point(pair.position()));
        let rest = pair.normal();
        out.normals(matrix.normal(rest).unit_or(rest));
    }
}

pub(in crate::fast) struct BlendPositionsKernel<const STRETCHED: bool>;

impl<const STRETCHED: bool> Kernel for BlendPositionsKernel<STRETCHED> {
    type Of<'a, const N: usize> = BlendPositions<'a, N, STRETCHED>;
}

pub(in crate::fast) struct BlendPositions<'a, const N: usize, const STRETCHED: bool> {
    matrices: Rows<'a, 12, N>,
    rigid: RigidSum<'a, N>,
    stretches: StretchSum<'a, N, STRETCHED>,
    factor: f32,
}

impl<'a, const N: usize, const STRETCHED: bool> Prepared<'a> for BlendPositions<'a, N, STRETCHED> {
    #[inline(always)]
    fn new(palette: &'a FastPalette, joints: &'a [u32], scratch: &mut Scratch) -> Self {
        let Kind::BlendPositions(factor) = palette.kind else {
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
        let rest = pair.normal();
        let factor = V::splat(self.factor);
        let rigid = self.rigid.sum::<V>(pair, scratch);
        let scale = rigid.scale();
        let (position, normal) = self.stretches.stretched::<V>(pair);
        let rigid_position = rigid.point(scale, position);
        let mut rigid_normal = rigid.vector(scale, normal);
        if STRETCHED {
            rigid_normal = rigid_normal.unit_or(rest);
        }

        let matrix = WideMatrix::from_row(self.matrices.sum(pair.weights()));
        let linear_position = matrix.point(pair.position());
        out.positions(linear_position.lerp(rigid_position, factor));
        let linear_normal = matrix.normal(rest).unit_or(rest);
        out.normals(linear_normal.lerp(rigid_normal, factor).unit_or(rest));
    }
}
