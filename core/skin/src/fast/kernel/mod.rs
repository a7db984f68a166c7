//! Kernels: skin the vertices of one batch, or of two side by side.
//!
//! A kernel is prepared once for a run of batches with one set of joints, then skins batch by batch. Each is
//! compiled for one, two, three, four and any number of joints (`N` of 0), and for every level.

mod blend;
mod blend_by_vertex;
mod bulge_free;
mod cor;
mod linear;
mod matrix;
mod move_bytes;
mod out;
mod rigid;
mod rows;
mod sclerp;
mod sums;
mod vec3;
mod wide_rigid;

use throng_simd::{Lanes, Wide};

use super::batching::BATCH;
use super::mesh::REST_ROWS;
use super::palette::FastPalette;
pub(super) use blend::{BlendKernel, BlendPositionsKernel};
pub(super) use blend_by_vertex::BlendByVertexKernel;
pub(super) use bulge_free::BulgeFreeKernel;
pub(super) use cor::CorKernel;
pub(super) use linear::LinearKernel;
pub(super) use move_bytes::MoveBytesKernel;
pub(super) use out::Out;
pub(super) use rigid::RigidKernel;
pub(super) use sclerp::SclerpKernel;
use vec3::WideVec3;

/// A kernel, for sets of any number of joints.
pub(super) trait Kernel {
    /// True if it computes long enough for prefetching to pay.
    const PREFETCHES: bool = true;

    /// Kernel for `N` joints.
    type Of<'a, const N: usize>: Prepared<'a>;
}

/// A kernel prepared for one set of joints.
pub(super) trait Prepared<'a>: Sized {
    fn new(palette: &'a FastPalette, joints: &'a [u32], scratch: &mut Scratch) -> Self;

    /// Writes positions, then unit normals. This order frees registers that only positions need.
    fn skin<V: Wide>(&self, pair: &BatchPair<'_>, scratch: &mut Scratch, out: &mut Out<'_>);
}

/// One batch in bind space, or two of the same run. The second may equal the first.
pub(super) struct BatchPair<'a> {
    pub records: [&'a [Lanes]; 2],
    pub pivots: [&'a [u32; BATCH]; 2],
    pub factors: [&'a Lanes; 2],
    /// Centres of rotation; of vertices without one, their positions.
    pub centers: Option<[&'a [Lanes; 3]; 2]>,
}

impl<'a> BatchPair<'a> {
    #[inline(always)]
    fn row<V: Wide>(&self, row: usize) -> V {
        V::load_pair(&self.records[0][row], &self.records[1][row])
    }

    #[inline(always)]
    fn position<V: Wide>(&self) -> WideVec3<V> {
        WideVec3::new(self.row(0), self.row(1), self.row(2))
    }

    #[inline(always)]
    fn normal<V: Wide>(&self) -> WideVec3<V> {
        WideVec3::new(self.row(3), self.row(4), self.row(5))
    }

    #[inline(always)]
    fn center<V: Wide>(&self) -> WideVec3<V> {
        let Some([first, second]) = self.centers else {
            return self.position();
        };
        let axis = |axis: usize| V::load_pair(&first[axis], &second[axis]);
        WideVec3::new(axis(0), axis(1), axis(2))
    }

    #[inline(always)]
    fn factor<V: Wide>(&self) -> V {
        V::load_pair(self.factors[0], self.factors[1])
    }

    #[inline(always)]
    fn weights(&self) -> [&'a [Lanes]; 2] {
        [&self.records[0][REST_ROWS..], &self.records[1][REST_ROWS..]]
    }
}

/// Scratch memory for rare sets. Empty until needed.
#[derive(Default)]
pub(super) struct Scratch {
    signs: Vec<f32>,
    weights: [Vec<Lanes>; 2],
}
