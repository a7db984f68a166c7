//! Operations that tasks are written in.

use std::ops::{Add, Div, Mul, Sub};

use crate::{LANES, Lanes};

/// A vector of float32 lanes.
///
/// `+`, `-`, `*` and `/` round as plain float32 does, so they give the same numbers at every level. Fused
/// operations do not: they round once where the machine has FMA, and twice elsewhere.
pub trait Vector:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self>
{
    /// Returns the same number in all lanes.
    fn splat(number: f32) -> Self;

    /// Returns `self * factor + term`, fused.
    fn mul_add(self, factor: Self, term: Self) -> Self;

    /// Returns `self * factor - term`, fused.
    fn mul_sub(self, factor: Self, term: Self) -> Self;

    /// Returns `term - self * factor`, fused.
    fn neg_mul_add(self, factor: Self, term: Self) -> Self;
}

/// A vector of eight lanes.
///
/// All operations except the fused ones of [`Vector`] give the same numbers at every level.
pub trait F32x8: Vector {
    /// Reads eight numbers.
    fn load(numbers: &Lanes) -> Self;

    /// Writes eight numbers.
    fn store(self, out: &mut Lanes);

    /// Returns `1 / √self`: a square root and a division, each rounded.
    fn inverse_sqrt(self) -> Self;

    /// Returns `self` where it is less than `other`, else `other`. `other` also where either is NaN.
    fn min(self, other: Self) -> Self;

    /// Returns `self` where it is greater than `other`, else `other`. `other` also where either is NaN.
    fn max(self, other: Self) -> Self;

    /// Clears the sign bit.
    fn abs(self) -> Self;

    /// Replaces the sign bit by that of `sign`.
    fn copysign(self, sign: Self) -> Self;

    /// Returns `yes` where `self >= 0`, else `no`. `no` also where `self` is NaN.
    fn select_non_negative(self, yes: Self, no: Self) -> Self;

    /// Returns `yes` where `self > 0`, else `no`. `no` also where `self` is NaN.
    fn select_positive(self, yes: Self, no: Self) -> Self;

    /// Returns the low 8 bits of four floats, side by side per lane, the first lowest.
    fn low_8_bits(floats: [Self; 4]) -> [u32; LANES];

    /// Returns the low 16 bits of two floats, side by side per lane, the first lowest.
    fn low_16_bits(floats: [Self; 2]) -> [u32; LANES];

    /// Returns the low 16 bits of four floats, side by side per lane, the first lowest.
    fn low_16_bits_of_four(floats: [Self; 4]) -> [u64; LANES];

    /// Returns the nearest float16 values of four floats, side by side per lane, the first lowest. Ties go
    /// to the even one.
    fn to_f16_bits(floats: [Self; 4]) -> [u64; LANES];

    /// Transposes eight rows: lane `i` of vector `k` is number `k` of row `i`.
    fn from_rows(rows: [&Lanes; LANES]) -> [Self; LANES];

    /// Writes the 3×4 matrix of each lane, by rows, to `out[0]`, `out[stride]`, `out[2 * stride]`, …
    ///
    /// # Panics
    /// If `out` ends before the matrix of the last lane.
    fn write_matrices(matrix: [[Self; 4]; 3], out: &mut [[[f32; 4]; 3]], stride: usize);
}

/// A vector of one or two [`Lanes`]: 8 or 16 lanes.
///
/// Where [`Self::WIDTH`] is 1, the second operand of loads and stores is ignored.
pub trait Wide: Vector {
    /// Number of [`Lanes`] that a value spans: 1 or 2.
    const WIDTH: usize;

    /// True if it pays to compile a loop separately for each of its small iteration counts.
    const UNROLLS: bool;

    /// Returns a number that is in all lanes of `number` already.
    fn splat_lanes(number: &Lanes) -> Self;

    /// Reads one [`Lanes`] or both.
    fn load_pair(first: &Lanes, second: &Lanes) -> Self;

    /// Writes one [`Lanes`] or both. The second may be missing.
    fn store_pair(self, first: &mut Lanes, second: Option<&mut Lanes>);

    /// Writes as [`Self::store_pair`], past the cache. Do not read the results before the task has ended:
    /// [`crate::Level::run_wide`] then makes them visible.
    fn stream_pair(self, first: &mut Lanes, second: Option<&mut Lanes>);

    /// Fetches a cache line. Any address is allowed.
    fn prefetch(line: *const Lanes);

    /// Returns `1 / √self` to a relative error of 3e-7, for normal numbers. Differs between levels.
    fn fast_inverse_sqrt(self) -> Self;

    /// Returns true if any lane is below the limit or NaN.
    fn any_below(self, limit: f32) -> bool;

    /// Returns `below` where `self` is below the limit or NaN, else `other`.
    fn select_below(self, limit: f32, below: Self, other: Self) -> Self;
}
