//! Many numbers at a time: the few operations that the kernels are written in.
//!
//! Every function here and in the kernels is inlined into one entry a [`super::Level`], which is compiled
//! for that level's instructions. Closures are avoided for the same reason: one that is not inlined would
//! be compiled without them.

#[cfg(target_arch = "x86_64")]
pub(super) mod avx2;
#[cfg(target_arch = "x86_64")]
pub(super) mod avx512;
pub(super) mod eight;
pub(super) mod portable;
mod wide3;

use std::ops::{Add, Mul, Sub};

use super::lanes::Lanes;
pub(super) use wide3::Wide3;

/// One number of each vertex of one batch or of two.
pub(super) trait Simd:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self>
{
    /// How many batches a value spans: 1 or 2.
    const BATCHES: usize;

    /// Whether the kernels are compiled for one to four joints each, or once for any number.
    const BY_COUNT: bool;

    /// The same number for all.
    fn splat(number: f32) -> Self;

    /// A number that stands in all lanes already.
    fn spread(number: &Lanes) -> Self;

    /// Reads one batch, or both.
    fn load(first: &Lanes, second: &Lanes) -> Self;

    /// Writes one batch, or both; the second may be missing.
    fn store(self, first: &mut Lanes, second: Option<&mut Lanes>);

    /// [`Self::store`] past the cache. [`Self::fence`] must follow before other threads look.
    fn stream(self, first: &mut Lanes, second: Option<&mut Lanes>);

    /// Fetches into the cache; any address will do.
    fn prefetch(row: *const Lanes);

    /// Makes what was streamed visible to all.
    fn fence();

    /// `self * factor + term`, rounded once where the machine can.
    fn mul_add(self, factor: Self, term: Self) -> Self;

    /// `self * factor - term`, rounded once where the machine can.
    fn mul_sub(self, factor: Self, term: Self) -> Self;

    /// `term - self * factor`, rounded once where the machine can.
    fn sub_from(self, factor: Self, term: Self) -> Self;

    /// `self / divisor`.
    fn over(self, divisor: Self) -> Self;

    /// `1 / √self` to within 3e-7 of itself, for normal numbers.
    fn inverse_sqrt(self) -> Self;

    /// True where any number is below the limit, or is NaN.
    fn any_below(self, limit: f32) -> bool;

    /// For each number of `self`: that of `small` where it is below the limit or NaN, else that of
    /// `other`.
    fn choose_below(self, limit: f32, small: Self, other: Self) -> Self;
}
