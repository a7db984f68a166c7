//! Reads and writes the same bytes as skinning, without skinning. For benchmarks.

use throng_simd::Wide;

use super::{BatchPair, Kernel, Out, Prepared, Scratch};
use crate::fast::palette::FastPalette;

pub(in crate::fast) struct MoveBytesKernel;

impl Kernel for MoveBytesKernel {
    const PREFETCHES: bool = false;

    type Of<'a, const N: usize> = MoveBytes;
}

pub(in crate::fast) struct MoveBytes;

impl<'a> Prepared<'a> for MoveBytes {
    #[inline(always)]
    fn new(_: &'a FastPalette, _: &'a [u32], _: &mut Scratch) -> Self {
        Self
    }

    /// Copies positions and normals. Weights are added to a coordinate, so that they have to be read.
    #[inline(always)]
    fn skin<V: Wide>(&self, pair: &BatchPair<'_>, _: &mut Scratch, out: &mut Out<'_>) {
        let mut position = pair.position::<V>();
        let [first, second] = pair.weights();
        for (first, second) in first.iter().zip(second) {
            position.x = position.x + V::load_pair(first, second);
        }
        out.positions(position);
        out.normals(pair.normal::<V>());
    }
}
