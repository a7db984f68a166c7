//! Not a way to skin: reads and writes what skinning does, for benchmarks.

use throng_simd::Wide;

use super::{Kernel, Out, Part, Prepared, Scratch};
use crate::fast::palette::FastPalette;

pub(in crate::fast) struct TrafficKernel;

impl Kernel for TrafficKernel {
    const PREFETCHES: bool = false;

    type Of<'a, const N: usize> = Traffic;
}

pub(in crate::fast) struct Traffic;

impl<'a> Prepared<'a> for Traffic {
    #[inline(always)]
    fn new(_: &'a FastPalette, _: &'a [u32], _: &mut Scratch) -> Self {
        Self
    }

    /// The weights are added to a coordinate, so that they have to be read.
    #[inline(always)]
    fn skin<V: Wide>(&self, part: &Part<'_>, _: &mut Scratch, out: &mut Out<'_>) {
        let mut position = part.position::<V>();
        let [first, second] = part.weights();
        for (first, second) in first.iter().zip(second) {
            position.x = position.x + V::load_pair(first, second);
        }
        out.positions(position);
        out.normals(part.normal::<V>());
    }
}
