//! Not a way to skin: reads and writes what skinning does, for benchmarks.

use super::{Kernel, Part, Prepared, Scratch};
use crate::fast::palette::FastPalette;
use crate::fast::simd::{Simd, Wide3};

pub(in crate::fast) struct TrafficKernel;

impl Kernel for TrafficKernel {
    type Of<'a, const N: usize> = Traffic<N>;
}

pub(in crate::fast) struct Traffic<const N: usize> {
    joints: usize,
}

impl<'a, const N: usize> Prepared<'a> for Traffic<N> {
    #[inline(always)]
    fn new(_: &'a FastPalette, joints: &'a [u32], _: &mut Scratch) -> Self {
        Self {
            joints: if N == 0 { joints.len() } else { N },
        }
    }

    /// The weights are added to a coordinate, so that they have to be read.
    #[inline(always)]
    fn moved<V: Simd>(&self, part: &Part<'_>, _: &mut Scratch) -> (Wide3<V>, Wide3<V>) {
        let mut position = part.position::<V>();
        let weights = part.weights();
        for i in 0..self.joints {
            position.x = position.x + V::load(&weights[0][i], &weights[1][i]);
        }
        (position, part.normal())
    }
}
