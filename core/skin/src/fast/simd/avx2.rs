//! Eight numbers in an AVX2 register.
#![allow(unsafe_code)] // The one way to say which instructions are meant.

use std::arch::x86_64::{
    __m256, _CMP_NGE_UQ, _MM_HINT_T0, _mm_prefetch, _mm_sfence, _mm256_add_ps, _mm256_blendv_ps,
    _mm256_cmp_ps, _mm256_div_ps, _mm256_fmadd_ps, _mm256_fmsub_ps, _mm256_fnmadd_ps,
    _mm256_load_ps, _mm256_movemask_ps, _mm256_mul_ps, _mm256_rsqrt_ps, _mm256_set1_ps,
    _mm256_store_ps, _mm256_stream_ps, _mm256_sub_ps,
};
use std::ops::{Add, Mul, Sub};

use super::Simd;
use crate::fast::lanes::Lanes;

/// Exists only inside the kernels of [`crate::fast::Level::Avx2`], which run only where AVX2 and FMA were
/// found: that is what makes every block below sound. Addresses are those of [`Lanes`], 32 bytes at a
/// multiple of 32.
#[derive(Clone, Copy)]
pub(in crate::fast) struct Avx2(__m256);

impl Add for Avx2 {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        // SAFETY: AVX2 is there, see the type.
        Self(unsafe { _mm256_add_ps(self.0, other.0) })
    }
}

impl Sub for Avx2 {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        // SAFETY: AVX2 is there, see the type.
        Self(unsafe { _mm256_sub_ps(self.0, other.0) })
    }
}

impl Mul for Avx2 {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        // SAFETY: AVX2 is there, see the type.
        Self(unsafe { _mm256_mul_ps(self.0, other.0) })
    }
}

impl Simd for Avx2 {
    const BATCHES: usize = 1;
    const BY_COUNT: bool = true;

    #[inline(always)]
    fn splat(number: f32) -> Self {
        // SAFETY: AVX2 is there, see the type.
        Self(unsafe { _mm256_set1_ps(number) })
    }

    #[inline(always)]
    fn spread(number: &Lanes) -> Self {
        Self::load(number, number)
    }

    #[inline(always)]
    fn load(first: &Lanes, _: &Lanes) -> Self {
        // SAFETY: AVX2 is there; a reference to `Lanes` is 32 readable bytes, aligned to 32.
        Self(unsafe { _mm256_load_ps(first.0.as_ptr()) })
    }

    #[inline(always)]
    fn store(self, first: &mut Lanes, _: Option<&mut Lanes>) {
        // SAFETY: AVX2 is there; a reference to `Lanes` is 32 writable bytes, aligned to 32.
        unsafe { _mm256_store_ps(first.0.as_mut_ptr(), self.0) }
    }

    #[inline(always)]
    fn stream(self, first: &mut Lanes, _: Option<&mut Lanes>) {
        // SAFETY: as in `store`; the kernels end with `fence` before they give the reference back.
        unsafe { _mm256_stream_ps(first.0.as_mut_ptr(), self.0) }
    }

    #[inline(always)]
    fn prefetch(row: *const Lanes) {
        // SAFETY: SSE is part of x86-64, and a prefetch reads nothing that the program sees.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(row.cast()) }
    }

    #[inline(always)]
    fn fence() {
        // SAFETY: SSE is part of x86-64.
        unsafe { _mm_sfence() }
    }

    #[inline(always)]
    fn mul_add(self, factor: Self, term: Self) -> Self {
        // SAFETY: FMA is there, see the type.
        Self(unsafe { _mm256_fmadd_ps(self.0, factor.0, term.0) })
    }

    #[inline(always)]
    fn mul_sub(self, factor: Self, term: Self) -> Self {
        // SAFETY: FMA is there, see the type.
        Self(unsafe { _mm256_fmsub_ps(self.0, factor.0, term.0) })
    }

    #[inline(always)]
    fn sub_from(self, factor: Self, term: Self) -> Self {
        // SAFETY: FMA is there, see the type.
        Self(unsafe { _mm256_fnmadd_ps(self.0, factor.0, term.0) })
    }

    #[inline(always)]
    fn over(self, divisor: Self) -> Self {
        // SAFETY: AVX2 is there, see the type.
        Self(unsafe { _mm256_div_ps(self.0, divisor.0) })
    }

    /// 12 bits from the machine's table, doubled by one step of Newton's method.
    #[inline(always)]
    fn inverse_sqrt(self) -> Self {
        // SAFETY: AVX2 is there, see the type.
        let guess = Self(unsafe { _mm256_rsqrt_ps(self.0) });
        let half = self * Self::splat(0.5);
        guess * (half * guess).sub_from(guess, Self::splat(1.5))
    }

    #[inline(always)]
    fn any_below(self, limit: f32) -> bool {
        // SAFETY: AVX2 is there, see the type.
        unsafe {
            let below = _mm256_cmp_ps::<_CMP_NGE_UQ>(self.0, _mm256_set1_ps(limit));
            _mm256_movemask_ps(below) != 0
        }
    }

    #[inline(always)]
    fn choose_below(self, limit: f32, small: Self, other: Self) -> Self {
        // SAFETY: AVX2 is there, see the type.
        unsafe {
            let below = _mm256_cmp_ps::<_CMP_NGE_UQ>(self.0, _mm256_set1_ps(limit));
            Self(_mm256_blendv_ps(other.0, small.0, below))
        }
    }
}
