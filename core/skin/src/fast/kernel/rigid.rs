//! Dual-quaternion skinning.

use throng_simd::Wide;

use super::sums::{RigidSum, StretchSum};
use super::{BatchPair, Kernel, Out, Prepared, Scratch};
use crate::fast::palette::{FastPalette, FlatNormal, Kind, RigidKind};

pub(in crate::fast) struct RigidKernel<const STRETCHED: bool>;

impl<const STRETCHED: bool> Kernel for RigidKernel<STRETCHED> {
    type Of<'a, const N: usize> = Rigid<'a, N, STRETCHED>;
}

pub(in crate::fast) struct Rigid<'a, const N: usize, const STRETCHED: bool> {
    rigid: RigidSum<'a, N>,
    stretches: StretchSum<'a, N, STRETCHED>,
    flat_normal: FlatNormal,
}

impl<'a, const N: usize, const STRETCHED: bool> Prepared<'a> for Rigid<'a, N, STRETCHED> {
    #[inline(always)]
    fn new(palette: &'a FastPalette, joints: &'a [u32], scratch: &mut Scratch) -> Self {
        let Kind::Rigid(RigidKind { signs, flat_normal }) = palette.kind else {
            unreachable!("the kernel is chosen by the palette's kind");
        };
        Self {
            rigid: RigidSum::new(signs, palette, joints, scratch),
            stretches: StretchSum::new(palette, joints),
            flat_normal,
        }
    }

    #[inline(always)]
    fn skin<V: Wide>(&self, pair: &BatchPair<'_>, scratch: &mut Scratch, out: &mut Out<'_>) {
        let (position, mut normal) = self.stretches.stretched::<V>(pair);
        let rigid = self.rigid.sum::<V>(pair, scratch);
        let scale = rigid.scale();
        out.positions(rigid.point(scale, position));
        if STRETCHED && self.flat_normal == FlatNormal::Rotated {
            normal = normal.unit_or(pair.normal());
        }
        normal = rigid.vector(scale, normal);
        if STRETCHED && self.flat_normal == FlatNormal::Bind {
            normal = normal.unit_or(pair.normal());
        }
        out.normals(normal);
    }
}
