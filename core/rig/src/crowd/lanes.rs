//! Eight numbers at a time, by the widest instructions that the machine has.
//!
//! Work is written once over [`Lanes`] and compiled for every level. `unsafe` is allowed in this file
//! and nowhere else in the crate.
#![allow(unsafe_code)]

use std::fmt;
use std::ops::{Add, Mul, Sub};

use super::pose::Mat3x4;

/// How many instances are worked on side by side.
pub(super) const LANES: usize = 8;

/// Eight numbers where vectors are loaded and stored well.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[repr(C, align(32))]
pub(super) struct Eight(pub [f32; LANES]);

/// Which instructions are used. A value is proof that the machine has them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SimdLevel(Kind);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2,
}

impl SimdLevel {
    /// What every machine has.
    pub const PORTABLE: Self = Self(Kind::Portable);

    /// The fastest that this machine has.
    pub fn widest() -> Self {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
            return Self(Kind::Avx2);
        }
        Self::PORTABLE
    }

    /// All that this machine has, slowest first.
    pub fn all() -> Vec<Self> {
        let mut levels = vec![Self::PORTABLE, Self::widest()];
        levels.dedup();
        levels
    }

    /// Does the work with this level's instructions.
    pub(super) fn run(self, work: impl Work) {
        match self.0 {
            Kind::Portable => work.run::<Portable>(),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `widest` makes this level only where the machine has both features.
            Kind::Avx2 => unsafe { avx2::run(work) },
        }
    }
}

impl Default for SimdLevel {
    fn default() -> Self {
        Self::widest()
    }
}

impl fmt::Display for SimdLevel {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(match self.0 {
            Kind::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => "avx2",
        })
    }
}

/// Something to do at any level. Implementations are `#[inline(always)]`, and so is all that they call
/// with lanes: only what is inlined into the level's own function is compiled for its instructions.
pub(super) trait Work {
    fn run<L: Lanes>(self);
}

/// One number of each of eight instances.
pub(super) trait Lanes:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self>
{
    fn splat(number: f32) -> Self;
    fn load(from: &Eight) -> Self;
    fn store(self, to: &mut Eight);
    /// `self * by + plus`, in one rounding or two.
    fn mul_add(self, by: Self, plus: Self) -> Self;
    /// `from - self * by`, in one rounding or two.
    fn mul_sub_from(self, by: Self, from: Self) -> Self;
    /// `1 / √self`, as exact as a division.
    fn inverse_sqrt(self) -> Self;
    /// In each lane `yes` where `self` is positive, else `no`.
    fn if_positive(self, yes: Self, no: Self) -> Self;
    /// Turns a row of eight numbers a lane into eight lanes.
    fn from_rows(rows: [&Eight; LANES]) -> [Self; 8];
    /// Writes the matrix of each lane to `to[0]`, `to[stride]`, `to[2 * stride]`, …
    fn write_matrices(matrix: [[Self; 4]; 3], to: &mut [Mat3x4], stride: usize);
}

#[derive(Clone, Copy)]
struct Portable([f32; LANES]);

impl Portable {
    #[inline(always)]
    fn zip(self, other: Self, op: impl Fn(f32, f32) -> f32) -> Self {
        Self(std::array::from_fn(|lane| op(self.0[lane], other.0[lane])))
    }
}

impl Add for Portable {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.zip(other, |a, b| a + b)
    }
}

impl Sub for Portable {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.zip(other, |a, b| a - b)
    }
}

impl Mul for Portable {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.zip(other, |a, b| a * b)
    }
}

impl Lanes for Portable {
    #[inline(always)]
    fn splat(number: f32) -> Self {
        Self([number; LANES])
    }

    #[inline(always)]
    fn load(from: &Eight) -> Self {
        Self(from.0)
    }

    #[inline(always)]
    fn store(self, to: &mut Eight) {
        to.0 = self.0;
    }

    #[inline(always)]
    fn mul_add(self, by: Self, plus: Self) -> Self {
        self * by + plus
    }

    #[inline(always)]
    fn mul_sub_from(self, by: Self, from: Self) -> Self {
        from - self * by
    }

    #[inline(always)]
    fn inverse_sqrt(self) -> Self {
        Self(self.0.map(|x| 1.0 / x.sqrt()))
    }

    #[inline(always)]
    fn if_positive(self, yes: Self, no: Self) -> Self {
        let pick = |lane: usize| if self.0[lane] > 0.0 { yes } else { no }.0[lane];
        Self(std::array::from_fn(pick))
    }

    #[inline(always)]
    fn from_rows(rows: [&Eight; LANES]) -> [Self; 8] {
        std::array::from_fn(|number| Self(rows.map(|row| row.0[number])))
    }

    #[inline(always)]
    fn write_matrices(matrix: [[Self; 4]; 3], to: &mut [Mat3x4], stride: usize) {
        for lane in 0..LANES {
            to[lane * stride] = matrix.map(|row| row.map(|numbers| numbers.0[lane]));
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use super::{Add, Eight, LANES, Lanes, Mat3x4, Mul, Sub, Work};
    use std::arch::x86_64::*;

    /// Exists only inside [`run`], which is what every SAFETY line below leans on.
    #[derive(Clone, Copy)]
    struct Avx2(__m256);

    #[target_feature(enable = "avx2,fma")]
    pub(super) fn run(work: impl Work) {
        work.run::<Avx2>();
    }

    impl Add for Avx2 {
        type Output = Self;
        #[inline(always)]
        fn add(self, other: Self) -> Self {
            // SAFETY: inside `run` the machine has AVX2 and FMA.
            Self(unsafe { _mm256_add_ps(self.0, other.0) })
        }
    }

    impl Sub for Avx2 {
        type Output = Self;
        #[inline(always)]
        fn sub(self, other: Self) -> Self {
            // SAFETY: inside `run` the machine has AVX2 and FMA.
            Self(unsafe { _mm256_sub_ps(self.0, other.0) })
        }
    }

    impl Mul for Avx2 {
        type Output = Self;
        #[inline(always)]
        fn mul(self, other: Self) -> Self {
            // SAFETY: inside `run` the machine has AVX2 and FMA.
            Self(unsafe { _mm256_mul_ps(self.0, other.0) })
        }
    }

    impl Lanes for Avx2 {
        #[inline(always)]
        fn splat(number: f32) -> Self {
            // SAFETY: inside `run` the machine has AVX2 and FMA.
            Self(unsafe { _mm256_set1_ps(number) })
        }

        #[inline(always)]
        fn load(from: &Eight) -> Self {
            // SAFETY: inside `run` the machine has AVX2 and FMA; `Eight` is 32 bytes, aligned to 32.
            Self(unsafe { _mm256_load_ps(from.0.as_ptr()) })
        }

        #[inline(always)]
        fn store(self, to: &mut Eight) {
            // SAFETY: inside `run` the machine has AVX2 and FMA; `Eight` is 32 bytes, aligned to 32.
            unsafe { _mm256_store_ps(to.0.as_mut_ptr(), self.0) }
        }

        #[inline(always)]
        fn mul_add(self, by: Self, plus: Self) -> Self {
            // SAFETY: inside `run` the machine has AVX2 and FMA.
            Self(unsafe { _mm256_fmadd_ps(self.0, by.0, plus.0) })
        }

        #[inline(always)]
        fn mul_sub_from(self, by: Self, from: Self) -> Self {
            // SAFETY: inside `run` the machine has AVX2 and FMA.
            Self(unsafe { _mm256_fnmadd_ps(self.0, by.0, from.0) })
        }

        #[inline(always)]
        fn inverse_sqrt(self) -> Self {
            // SAFETY: inside `run` the machine has AVX2 and FMA.
            Self(unsafe { _mm256_div_ps(_mm256_set1_ps(1.0), _mm256_sqrt_ps(self.0)) })
        }

        #[inline(always)]
        fn if_positive(self, yes: Self, no: Self) -> Self {
            // SAFETY: inside `run` the machine has AVX2 and FMA.
            unsafe {
                let positive = _mm256_cmp_ps::<_CMP_GT_OQ>(self.0, _mm256_setzero_ps());
                Self(_mm256_blendv_ps(no.0, yes.0, positive))
            }
        }

        #[inline(always)]
        fn from_rows(rows: [&Eight; LANES]) -> [Self; 8] {
            // SAFETY: inside `run` the machine has AVX2 and FMA.
            let (low, high) = unsafe { (transpose_rows::<0>(rows), transpose_rows::<4>(rows)) };
            let ([a, b, c, d], [e, f, g, h]) = (low, high);
            [
                Self(a),
                Self(b),
                Self(c),
                Self(d),
                Self(e),
                Self(f),
                Self(g),
                Self(h),
            ]
        }

        #[inline(always)]
        fn write_matrices(matrix: [[Self; 4]; 3], to: &mut [Mat3x4], stride: usize) {
            assert!((LANES - 1) * stride < to.len());
            for (row, [a, b, c, d]) in matrix.into_iter().enumerate() {
                // SAFETY: inside `run` the machine has AVX2 and FMA.
                let quads = unsafe { transpose([a.0, b.0, c.0, d.0]) };
                for (lane, quad) in quads.into_iter().enumerate() {
                    // SAFETY: inside `run` the machine has AVX2 and FMA; both places are within `to`, as
                    // was asserted for the last, and a row has 4 numbers.
                    unsafe {
                        let low = to.get_unchecked_mut(lane * stride)[row].as_mut_ptr();
                        _mm_storeu_ps(low, _mm256_castps256_ps128(quad));
                        let high = to.get_unchecked_mut((lane + 4) * stride)[row].as_mut_ptr();
                        _mm_storeu_ps(high, _mm256_extractf128_ps::<1>(quad));
                    }
                }
            }
        }
    }

    /// Numbers `FIRST` to `FIRST + 3` of each row. `FIRST` is 0 or 4.
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    fn transpose_rows<const FIRST: usize>(rows: [&Eight; LANES]) -> [__m256; 4] {
        const { assert!(FIRST == 0 || FIRST == 4) }
        // Lane i and lane i + 4 share a vector, so that no shuffle crosses its middle.
        let pair = |lane: usize| {
            // SAFETY: both rows have 4 numbers from `FIRST` on, aligned to 16 bytes.
            unsafe {
                let low = _mm_load_ps(rows[lane].0.as_ptr().add(FIRST));
                let high = _mm_load_ps(rows[lane + 4].0.as_ptr().add(FIRST));
                _mm256_set_m128(high, low)
            }
        };
        transpose([pair(0), pair(1), pair(2), pair(3)])
    }

    /// Transposes both 4×4 halves.
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    fn transpose([a, b, c, d]: [__m256; 4]) -> [__m256; 4] {
        let (ab_low, ab_high) = (_mm256_unpacklo_ps(a, b), _mm256_unpackhi_ps(a, b));
        let (cd_low, cd_high) = (_mm256_unpacklo_ps(c, d), _mm256_unpackhi_ps(c, d));
        [
            _mm256_shuffle_ps::<0b01_00_01_00>(ab_low, cd_low),
            _mm256_shuffle_ps::<0b11_10_11_10>(ab_low, cd_low),
            _mm256_shuffle_ps::<0b01_00_01_00>(ab_high, cd_high),
            _mm256_shuffle_ps::<0b11_10_11_10>(ab_high, cd_high),
        ]
    }
}
