//! Output of a kernel.

use throng_simd::{Lanes, Wide};

use super::vec3::WideVec3;
use crate::fast::skinned::SkinnedBatch;

/// One batch to write, or two.
pub(in crate::fast) struct Out<'a> {
    pub first: &'a mut SkinnedBatch,
    pub second: Option<&'a mut SkinnedBatch>,
    /// True to write past the cache.
    pub streams: bool,
}

impl Out<'_> {
    #[inline(always)]
    pub fn positions<V: Wide>(&mut self, positions: WideVec3<V>) {
        let second = match &mut self.second {
            Some(second) => second.positions.each_mut().map(Some),
            None => [None, None, None],
        };
        write(positions, &mut self.first.positions, second, self.streams);
    }

    #[inline(always)]
    pub fn normals<V: Wide>(&mut self, normals: WideVec3<V>) {
        let second = match &mut self.second {
            Some(second) => second.normals.each_mut().map(Some),
            None => [None, None, None],
        };
        write(normals, &mut self.first.normals, second, self.streams);
    }
}

#[inline(always)]
fn write<V: Wide>(
    vectors: WideVec3<V>,
    [x, y, z]: &mut [Lanes; 3],
    [second_x, second_y, second_z]: [Option<&mut Lanes>; 3],
    streams: bool,
) {
    if streams {
        vectors.x.stream_pair(x, second_x);
        vectors.y.stream_pair(y, second_y);
        vectors.z.stream_pair(z, second_z);
    } else {
        vectors.x.store_pair(x, second_x);
        vectors.y.store_pair(y, second_y);
        vectors.z.store_pair(z, second_z);
    }
}
