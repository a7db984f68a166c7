//! The unit that everything fast is stored in.

/// How many vertices a batch holds: one AVX2 register of float32, or half an AVX-512 one.
pub const BATCH: usize = 8;

/// One number of each vertex of a batch.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C, align(32))]
pub struct Lanes(pub [f32; BATCH]);

impl Lanes {
    /// All zero.
    pub const ZERO: Self = Self([0.0; BATCH]);
}
