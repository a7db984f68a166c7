//! The operations that other work on batches is written in, see [`crate::fast::Task`].

#[cfg(target_arch = "x86_64")]
pub(in crate::fast) mod avx2;
pub(in crate::fast) mod plain;

use std::ops::{Add, Mul, Sub};

use crate::fast::lanes::{BATCH, Lanes};

/// One number of each vertex of a batch, in a register where there is one that wide.
///
/// Every operation rounds as a plain float32 does, so that results are the same at every level.
pub trait Eight: Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> {
    /// The same number for all.
    fn splat(number: f32) -> Self;

    /// Reads a batch.
    fn load(numbers: &Lanes) -> Self;

    /// Writes a batch.
    fn store(self, out: &mut Lanes);

    /// `self / divisor`.
    fn over(self, divisor: Self) -> Self;

    /// `self` where it is less, else `other`, also where either is NaN.
    fn less(self, other: Self) -> Self;

    /// `self` where it is greater, else `other`, also where either is NaN.
    fn greater(self, other: Self) -> Self;

    /// Without its sign.
    fn abs(self) -> Self;

    /// With the sign of another.
    fn with_sign(self, sign: Self) -> Self;

    /// `yes` where `self` is zero or more, else `no`, also where it is NaN.
    fn choose_not_negative(self, yes: Self, no: Self) -> Self;

    /// The last 8 bits of four floats side by side, the first lowest.
    fn last_bytes(floats: [Self; 4]) -> [u32; BATCH];

    /// The last 16 bits of two floats side by side, the first lowest.
    fn last_pairs(floats: [Self; 2]) -> [u32; BATCH];

    /// The last 16 bits of four floats side by side, the first lowest.
    fn last_quads(floats: [Self; 4]) -> [u64; BATCH];

    /// The nearest half floats of four floats side by side, the first lowest. Of two that are as near it is
    /// the even one.
    fn halves(floats: [Self; 4]) -> [u64; BATCH];
}
