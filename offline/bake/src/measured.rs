//! Bounding boxes of a pose.

use throng_rig::Bounds;
use throng_simd::{F32x8, Lanes, Level, Task};
use throng_skin::fast::BATCH;

use crate::sampler::{VertexBatch, VertexPiece, vector};

/// Bounding boxes of the positions and of the offsets from the rest pose.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Measured {
    positions: [[Lanes; 3]; 2],
    offsets: [[Lanes; 3]; 2],
}

impl Measured {
    /// Boxes of no vertices.
    pub const EMPTY: Self = {
        let none = [
            [Lanes([f32::INFINITY; BATCH]); 3],
            [Lanes([f32::NEG_INFINITY; BATCH]); 3],
        ];
        Self {
            positions: none,
            offsets: none,
        }
    };

    /// Adds eight vertices.
    #[inline(always)]
    pub fn add<V: F32x8>(&mut self, batch: &VertexBatch<'_>) {
        for axis in 0..3 {
            grow::<V>(&mut self.positions, axis, V::load(&batch.positions[axis]));
            grow::<V>(&mut self.offsets, axis, batch.offset(axis));
        }
    }

    /// Adds many vertices.
    pub fn add_piece(&mut self, piece: &VertexPiece<'_>) {
        Level::detect().run(AddPiece(self, piece));
    }

    /// Bounding box of all positions.
    pub fn bounds(&self) -> Bounds {
        bounds_of(&self.positions)
    }

    /// Bounding box of all offsets from the rest pose.
    pub fn offsets(&self) -> Bounds {
        bounds_of(&self.offsets)
    }
}

struct AddPiece<'a>(&'a mut Measured, &'a VertexPiece<'a>);

impl Task for AddPiece<'_> {
    #[inline(always)]
    fn run<V: F32x8>(self) {
        let Self(measured, piece) = self;
        for index in 0..piece.len() {
            measured.add::<V>(&piece.batch(index));
        }
    }
}

#[inline(always)]
fn grow<V: F32x8>([least, greatest]: &mut [[Lanes; 3]; 2], axis: usize, numbers: V) {
    let (least, greatest) = (&mut least[axis], &mut greatest[axis]);
    numbers.min(V::load(least)).store(least);
    numbers.max(V::load(greatest)).store(greatest);
}

fn bounds_of([least, greatest]: &[[Lanes; 3]; 2]) -> Bounds {
    let mut bounds = Bounds::EMPTY;
    for lane in 0..BATCH {
        bounds.min = bounds.min.min(vector(least, lane).as_dvec3());
        bounds.max = bounds.max.max(vector(greatest, lane).as_dvec3());
    }
    bounds
}
