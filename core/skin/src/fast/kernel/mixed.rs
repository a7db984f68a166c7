//! Between linear and dual-quaternion skinning: mixed as matrices, or as positions.

use throng_simd::Wide;

use super::matrix::WideMatrix;
use super::rows::Rows;
use super::sums::{RigidSum, StretchSum};
use super::{Kernel, Out, Part, Prepared, Scratch};
use crate::fast::palette::{FastPalette, Kind, Signs};

pub(in crate::fast) struct MixedKernel<const STRETCHED: bool>;

impl<const STRETCHED: bool> Kernel for MixedKernel<STRETCHED> {
    type Of<'a, const N: usize> = Mixed<'a, N, STRETCHED>;
}

pub(in crate::fast) struct Mixed<'a, const N: usize, const STRETCHED: bool> {
    /// Already times `1 − factor`, and with the identity's part in where nothing stretches.
    matrices: Rows<'a, 12, N>,
    rigid: RigidSum<'a, N>,
    stretches: StretchSum<'a, N, STRETCHED>,
    factor: f32,
}

impl<'a, const N: usize, const STRETCHED: bool> Prepared<'a> for Mixed<'a, N, STRETCHED> {
    #[inline(always)]
    fn new(palette: &'a FastPalette, joints: &'a [u32], scratch: &mut Scratch) -> Self {
        let Kind::Mixed(factor) = palette.kind else {
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
    fn skin<V: Wide>(&self, part: &Part<'_>, scratch: &mut Scratch, out: &mut Out<'_>) {
        let rigid = self.rigid.sum::<V>(part, scratch);
        let factor = V::splat(self.factor);
        let scale = rigid.scale() * factor;
        let linear = WideMatrix::from_row(self.matrices.sum(part.weights()));
        let matrix = match self.stretches.sum(part) {
            Some(stretch) => rigid
                .matrix_mul_add(scale, &WideMatrix::diagonal(factor))
                .after_plus(&stretch, &linear),
            None => rigid.matrix_mul_add(scale, &linear),
        };
        out.positions(matrix.point(part.position()));
        let rest = part.normal();
        out.normals(matrix.normal(rest).unit_or(rest));
    }
}

pub(in crate::fast) struct MixedPositionsKernel<const STRETCHED: bool>;

impl<const STRETCHED: bool> Kernel for MixedPositionsKernel<STRETCHED> {
    type Of<'a, const N: usize> = MixedPositions<'a, N, STRETCHED>;
}

pub(in crate::fast) struct MixedPositions<'a, const N: usize, const STRETCHED: bool> {
    matrices: Rows<'a, 12, N>,
    rigid: RigidSum<'a, N>,
    stretches: StretchSum<'a, N, STRETCHED>,
    factor: f32,
}

impl<'a, const N: usize, const STRETCHED: bool> Prepared<'a> for MixedPositions<'a, N, STRETCHED> {
    #[inline(always)]
    fn new(palette: &'a FastPalette, joints: &'a [u32], scratch: &mut Scratch) -> Self {
        let Kind::MixedPositions(factor) = palette.kind else {
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
    fn skin<V: Wide>(&self, part: &Part<'_>, scratch: &mut Scratch, out: &mut Out<'_>) {
        let rest = part.normal();
        let factor = V::splat(self.factor);
        let rigid = self.rigid.sum::<V>(part, scratch);
        let scale = rigid.scale();
        let (position, normal) = self.stretches.moved::<V>(part);
        let rigid_position = rigid.point(scale, position);
        let mut rigid_normal = rigid.vector(scale, normal);
        if STRETCHED {
            rigid_normal = rigid_normal.unit_or(rest);
        }

        let matrix = WideMatrix::from_row(self.matrices.sum(part.weights()));
        let linear_position = matrix.point(part.position());
        out.positions(linear_position.lerp(rigid_position, factor));
        let linear_normal = matrix.normal(rest).unit_or(rest);
        out.normals(linear_normal.lerp(rigid_normal, factor).unit_or(rest));
    }
}
