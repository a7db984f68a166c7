//! Eight numbers in memory.

/// Number of float32 values in a [`Lanes`]: one AVX2 register, or half an AVX-512 register.
pub const LANES: usize = 8;

/// Eight float32 values, aligned for vector loads and stores.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[repr(C, align(32))]
pub struct Lanes(pub [f32; LANES]);

impl Lanes {
    /// All zero.
    pub const ZERO: Self = Self([0.0; LANES]);
}
