//! Eight float64 lanes: one AVX-512 register, two AVX2 registers or a plain array.

use std::ops::{Add, Div, Mul, Sub};

use crate::{LANES, Level};

/// Eight float64 values, aligned for vector loads and stores.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[repr(C, align(64))]
pub struct Lanes64(pub [f64; LANES]);

impl Lanes64 {
    /// All zero.
    pub const ZERO: Self = Self([0.0; LANES]);
}

/// A vector of eight float64 lanes.
///
/// There are no fused operations: every operation gives the same numbers at every level.
pub trait F64x8:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self>
{
    /// Returns the same number in all lanes.
    fn splat(number: f64) -> Self;

    /// Reads eight numbers.
    fn load(numbers: &Lanes64) -> Self;

    /// Writes eight numbers.
    fn store(self, out: &mut Lanes64);

    /// Returns the square root, rounded.
    fn sqrt(self) -> Self;

    /// Returns `self` where it is less than `other`, else `other`. `other` also where either is NaN.
    fn min(self, other: Self) -> Self;

    /// Returns `self` where it is greater than `other`, else `other`. `other` also where either is NaN.
    fn max(self, other: Self) -> Self;

    /// Returns true if any lane is greater than that of `other`. False where either is NaN.
    fn any_above(self, other: Self) -> bool;

    /// Returns true if any lane is not from `low` to `high`, or is NaN.
    fn any_outside(self, low: f64, high: f64) -> bool;
}

/// Work on 8 float64 lanes. [`Level::run_f64`] compiles it once per level.
///
/// `run` and everything that it calls with vectors must be `#[inline(always)]`: other code is compiled for
/// the baseline.
pub trait F64Task {
    /// Does the work.
    fn run<V: F64x8>(self);
}

impl Level {
    /// Runs a task of 8 float64 lanes with the instructions of this level.
    ///
    /// # Panics
    /// If the machine lacks the level.
    pub fn run_f64(self, task: impl F64Task) {
        self.check();
        match self {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the check above found AVX2, FMA and F16C.
            Self::Avx2 => unsafe { x86::run_avx2(task) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the check above found AVX-512F, AVX2 and FMA.
            Self::Avx512 => unsafe { x86::run_avx512(task) },
            _ => task.run::<Portable>(),
        }
    }
}

#[derive(Clone, Copy)]
struct Portable([f64; LANES]);

impl Portable {
    #[inline(always)]
    fn zip(mut self, other: Self, f: impl Fn(f64, f64) -> f64) -> Self {
        for (a, b) in self.0.iter_mut().zip(other.0) {
            *a = f(*a, b);
        }
        self
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

impl Div for Portable {
    type Output = Self;
    #[inline(always)]
    fn div(self, divisor: Self) -> Self {
        self.zip(divisor, |a, b| a / b)
    }
}

impl F64x8 for Portable {
    #[inline(always)]
    fn splat(number: f64) -> Self {
        Self([number; LANES])
    }

    #[inline(always)]
    fn load(numbers: &Lanes64) -> Self {
        Self(numbers.0)
    }

    #[inline(always)]
    fn store(self, out: &mut Lanes64) {
        out.0 = self.0;
    }

    #[inline(always)]
    fn sqrt(mut self) -> Self {
        for number in &mut self.0 {
            *number = number.sqrt();
        }
        self
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        self.zip(other, |a, b| if a < b { a } else { b })
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        self.zip(other, |a, b| if a > b { a } else { b })
    }

    #[inline(always)]
    fn any_above(self, other: Self) -> bool {
        let mut any = false;
        for (a, b) in self.0.into_iter().zip(other.0) {
            any |= a > b;
        }
        any
    }

    #[inline(always)]
    fn any_outside(self, low: f64, high: f64) -> bool {
        let mut all_inside = true;
        for a in self.0 {
            all_inside &= a >= low && a <= high;
        }
        !all_inside
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::{
        __m256d, __m512d, _CMP_GT_OQ, _CMP_NGE_UQ, _CMP_NLE_UQ, _mm256_add_pd, _mm256_cmp_pd,
        _mm256_div_pd, _mm256_load_pd, _mm256_max_pd, _mm256_min_pd, _mm256_movemask_pd,
        _mm256_mul_pd, _mm256_or_pd, _mm256_set1_pd, _mm256_sqrt_pd, _mm256_store_pd,
        _mm256_sub_pd, _mm512_add_pd, _mm512_cmp_pd_mask, _mm512_div_pd, _mm512_load_pd,
        _mm512_max_pd, _mm512_min_pd, _mm512_mul_pd, _mm512_set1_pd, _mm512_sqrt_pd,
        _mm512_store_pd, _mm512_sub_pd,
    };
    use std::ops::{Add, Div, Mul, Sub};

    use super::{F64Task, F64x8, LANES, Lanes64};

    #[target_feature(enable = "avx2,fma,f16c")]
    pub(super) fn run_avx2(task: impl F64Task) {
        task.run::<Avx2>();
    }

    #[target_feature(enable = "avx512f,avx2,fma")]
    pub(super) fn run_avx512(task: impl F64Task) {
        task.run::<Avx512>();
    }

    /// Exists only inside tasks of [`crate::Level::Avx2`] and above, which run only after AVX2 was found. Every SAFETY
    /// line below relies on it. Aligned addresses are those of [`Lanes64`]: 64 bytes at a multiple of 64.
    #[derive(Clone, Copy)]
    pub(super) struct Avx2(__m256d, __m256d);

    /// Exists only inside tasks of [`crate::Level::Avx512`], which run only after AVX-512F was found. Every SAFETY
    /// line below relies on it. Aligned addresses are those of [`Lanes64`]: 64 bytes at a multiple of 64.
    #[derive(Clone, Copy)]
    pub(super) struct Avx512(__m512d);

    /// Implements an operator and its function of both vectors.
    macro_rules! operator {
        ($operator:ident, $function:ident, $half:ident, $whole:ident) => {
            impl $operator for Avx2 {
                type Output = Self;
                #[inline(always)]
                fn $function(self, other: Self) -> Self {
                    // SAFETY: AVX2 is available, see the type.
                    unsafe { Self($half(self.0, other.0), $half(self.1, other.1)) }
                }
            }

            impl $operator for Avx512 {
                type Output = Self;
                #[inline(always)]
                fn $function(self, other: Self) -> Self {
                    // SAFETY: AVX-512F is available, see the type.
                    Self(unsafe { $whole(self.0, other.0) })
                }
            }
        };
    }

    operator!(Add, add, _mm256_add_pd, _mm512_add_pd);
    operator!(Sub, sub, _mm256_sub_pd, _mm512_sub_pd);
    operator!(Mul, mul, _mm256_mul_pd, _mm512_mul_pd);
    operator!(Div, div, _mm256_div_pd, _mm512_div_pd);

    impl F64x8 for Avx2 {
        #[inline(always)]
        fn splat(number: f64) -> Self {
            // SAFETY: AVX2 is available, see the type.
            let half = unsafe { _mm256_set1_pd(number) };
            Self(half, half)
        }

        #[inline(always)]
        fn load(numbers: &Lanes64) -> Self {
            let numbers = numbers.0.as_ptr();
            // SAFETY: AVX2 is available; both halves are 32 readable bytes, aligned to 32.
            unsafe {
                Self(
                    _mm256_load_pd(numbers),
                    _mm256_load_pd(numbers.add(LANES / 2)),
                )
            }
        }

        #[inline(always)]
        fn store(self, out: &mut Lanes64) {
            let out = out.0.as_mut_ptr();
            // SAFETY: AVX2 is available; both halves are 32 writable bytes, aligned to 32.
            unsafe {
                _mm256_store_pd(out, self.0);
                _mm256_store_pd(out.add(LANES / 2), self.1);
            }
        }

        #[inline(always)]
        fn sqrt(self) -> Self {
            // SAFETY: AVX2 is available, see the type.
            unsafe { Self(_mm256_sqrt_pd(self.0), _mm256_sqrt_pd(self.1)) }
        }

        #[inline(always)]
        fn min(self, other: Self) -> Self {
            // SAFETY: AVX2 is available, see the type.
            unsafe {
                Self(
                    _mm256_min_pd(self.0, other.0),
                    _mm256_min_pd(self.1, other.1),
                )
            }
        }

        #[inline(always)]
        fn max(self, other: Self) -> Self {
            // SAFETY: AVX2 is available, see the type.
            unsafe {
                Self(
                    _mm256_max_pd(self.0, other.0),
                    _mm256_max_pd(self.1, other.1),
                )
            }
        }

        #[inline(always)]
        fn any_above(self, other: Self) -> bool {
            // SAFETY: AVX2 is available, see the type.
            unsafe {
                let low = _mm256_cmp_pd::<_CMP_GT_OQ>(self.0, other.0);
                let high = _mm256_cmp_pd::<_CMP_GT_OQ>(self.1, other.1);
                _mm256_movemask_pd(_mm256_or_pd(low, high)) != 0
            }
        }

        #[inline(always)]
        fn any_outside(self, low: f64, high: f64) -> bool {
            // SAFETY: AVX2 is available, see the type.
            unsafe {
                let (low, high) = (_mm256_set1_pd(low), _mm256_set1_pd(high));
                let below = _mm256_or_pd(
                    _mm256_cmp_pd::<_CMP_NGE_UQ>(self.0, low),
                    _mm256_cmp_pd::<_CMP_NGE_UQ>(self.1, low),
                );
                let above = _mm256_or_pd(
                    _mm256_cmp_pd::<_CMP_NLE_UQ>(self.0, high),
                    _mm256_cmp_pd::<_CMP_NLE_UQ>(self.1, high),
                );
                _mm256_movemask_pd(_mm256_or_pd(below, above)) != 0
            }
        }
    }

    impl F64x8 for Avx512 {
        #[inline(always)]
        fn splat(number: f64) -> Self {
            // SAFETY: AVX-512F is available, see the type.
            Self(unsafe { _mm512_set1_pd(number) })
        }

        #[inline(always)]
        fn load(numbers: &Lanes64) -> Self {
            // SAFETY: AVX-512F is available; `Lanes64` are 64 readable bytes, aligned to 64.
            Self(unsafe { _mm512_load_pd(numbers.0.as_ptr()) })
        }

        #[inline(always)]
        fn store(self, out: &mut Lanes64) {
            // SAFETY: AVX-512F is available; `Lanes64` are 64 writable bytes, aligned to 64.
            unsafe { _mm512_store_pd(out.0.as_mut_ptr(), self.0) }
        }

        #[inline(always)]
        fn sqrt(self) -> Self {
            // SAFETY: AVX-512F is available, see the type.
            Self(unsafe { _mm512_sqrt_pd(self.0) })
        }

        #[inline(always)]
        fn min(self, other: Self) -> Self {
            // SAFETY: AVX-512F is available, see the type.
            Self(unsafe { _mm512_min_pd(self.0, other.0) })
        }

        #[inline(always)]
        fn max(self, other: Self) -> Self {
            // SAFETY: AVX-512F is available, see the type.
            Self(unsafe { _mm512_max_pd(self.0, other.0) })
        }

        #[inline(always)]
        fn any_above(self, other: Self) -> bool {
            // SAFETY: AVX-512F is available, see the type.
            unsafe { _mm512_cmp_pd_mask::<_CMP_GT_OQ>(self.0, other.0) != 0 }
        }

        #[inline(always)]
        fn any_outside(self, low: f64, high: f64) -> bool {
            // SAFETY: AVX-512F is available, see the type.
            unsafe {
                let below = _mm512_cmp_pd_mask::<_CMP_NGE_UQ>(self.0, _mm512_set1_pd(low));
                let above = _mm512_cmp_pd_mask::<_CMP_NLE_UQ>(self.0, _mm512_set1_pd(high));
                below | above != 0
            }
        }
    }
}
