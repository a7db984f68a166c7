//! Where a kernel's results go.

use crate::fast::lanes::Lanes;
use crate::fast::simd::{Simd, Wide3};
use crate::fast::skinned::SkinnedBatch;

/// One batch to write, or two.
pub(in crate::fast) struct Out<'a> {
    pub first: &'a mut SkinnedBatch,
    pub second: Option<&'a mut SkinnedBatch>,
    /// Past the cache.
    pub streams: bool,
}

impl Out<'_> {
    #[inline(always)]
    pub fn positions<V: Simd>(&mut self, positions: Wide3<V>) {
        let second = match &mut self.second {
            Some(second) => second.positions.each_mut().map(Some),
            None => [None, None, None],
        };
        write(positions, &mut self.first.positions, second, self.streams);
    }

    #[inline(always)]
    pub fn normals<V: Simd>(&mut self, normals: Wide3<V>) {
        let second = match &mut self.second {
            Some(second) => second.normals.each_mut().map(Some),
            None => [None, None, None],
        };
        write(normals, &mut self.first.normals, second, self.streams);
    }
}

#[inline(always)]
fn write<V: Simd>(
    vectors: Wide3<V>,
    [x, y, z]: &mut [Lanes; 3],
    [second_x, second_y, second_z]: [Option<&mut Lanes>; 3],
    streams: bool,
) {
    if streams {
        vectors.x.stream(x, second_x);
        vectors.y.stream(y, second_y);
        vectors.z.stream(z, second_z);
    } else {
        vectors.x.store(x, second_x);
        vectors.y.store(y, second_y);
        vectors.z.store(z, second_z);
    }
}
