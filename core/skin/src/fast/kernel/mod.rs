//! The kernels: what happens to the vertices of one batch, or of two side by side.
//!
//! A kernel is prepared once for a run of batches with one set of joints, then moves batch after batch.
//! Each is compiled for one, two, three, four and any number of joints (`N` of 0), and for every level.

mod linear;
mod matrix;
mod mixed;
mod out;
mod rigid;
mod rigid_sum;
mod rows;
mod sums;
mod traffic;
mod vec3;

use throng_simd::{Lanes, Wide};

use super::batching::BATCH;
use super::mesh::REST_ROWS;
use super::palette::FastPalette;
pub(super) use linear::LinearKernel;
pub(super) use mixed::{MixedKernel, MixedPositionsKernel};
pub(super) use out::Out;
pub(super) use rigid_sum::RigidKernel;
pub(super) use traffic::TrafficKernel;
use vec3::WideVec3;

/// One way to skin, for sets of any size.
pub(super) trait Kernel {
    /// Whether it computes for so long that rows are worth fetching ahead.
    const PREFETCHES: bool = true;

    /// The kernel for `N` joints.
    type Of<'a, const N: usize>: Prepared<'a>;
}

/// A kernel with one set of joints at hand.
pub(super) trait Prepared<'a>: Sized {
    fn new(palette: &'a FastPalette, joints: &'a [u32], scratch: &mut Scratch) -> Self;

    /// Writes positions and unit normals. Positions go first: what only they need is then out of the way
    /// of the normals.
    fn skin<V: Wide>(&self, part: &Part<'_>, scratch: &mut Scratch, out: &mut Out<'_>);
}

/// One batch at rest, or two of the same run; the second may be the first again.
pub(super) struct Part<'a> {
    pub records: [&'a [Lanes]; 2],
    pub pivots: [&'a [u32; BATCH]; 2],
}

impl<'a> Part<'a> {
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
    fn weights(&self) -> [&'a [Lanes]; 2] {
        [&self.records[0][REST_ROWS..], &self.records[1][REST_ROWS..]]
    }
}

/// Room for what rare sets need. Empty until then.
#[derive(Default)]
pub(super) struct Scratch {
    signs: Vec<f32>,
    weights: [Vec<Lanes>; 2],
}
