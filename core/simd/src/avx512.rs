//! Sixteen lanes in an AVX-512 register: two [`Lanes`] side by side.

use std::arch::x86_64::{
    __m512, _CMP_NGE_UQ, _MM_HINT_T0, _mm_prefetch, _mm256_castpd_ps, _mm256_castps_pd,
    _mm256_load_ps, _mm256_store_ps, _mm256_stream_ps, _mm512_add_ps, _mm512_castpd_ps,
    _mm512_castps_pd, _mm512_castps256_ps512, _mm512_castps512_ps256, _mm512_cmp_ps_mask,
    _mm512_div_ps, _mm512_extractf64x4_pd, _mm512_fmadd_ps, _mm512_fmsub_ps, _mm512_fnmadd_ps,
    _mm512_insertf64x4, _mm512_mask_blend_ps, _mm512_mul_ps, _mm512_rsqrt14_ps, _mm512_set1_ps,
    _mm512_sub_ps,
};
use std::ops::{Add, Div, Mul, Sub};

use crate::Lanes;
use crate::vector::{Vector, Wide};

/// Exists only inside tasks of [`crate::Level::Avx512`], which run only after AVX-512F was found. Every
/// SAFETY line below relies on it. Addresses are those of [`Lanes`]: 32 bytes at a multiple of 32.
#[derive(Clone, Copy)]
pub(crate) struct Avx512(__m512);

impl Add for Avx512 {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        // SAFETY: AVX-512F is available, see the type.
        Self(unsafe { _mm512_add_ps(self.0, other.0) })
    }
}

impl Sub for Avx512 {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        // SAFETY: AVX-512F is available, see the type.
        Self(unsafe { _mm512_sub_ps(self.0, other.0) })
    }
}

impl Mul for Avx512 {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        // SAFETY: AVX-512F is available, see the type.
        Self(unsafe { _mm512_mul_ps(self.0, other.0) })
    }
}

impl Div for Avx512 {
    type Output = Self;
    #[inline(always)]
    fn div(self, divisor: Self) -> Self {
        // SAFETY: AVX-512F is available, see the type.
        Self(unsafe { _mm512_div_ps(self.0, divisor.0) })
    }
}

impl Vector for Avx512 {
    #[inline(always)]
    fn splat(number: f32) -> Self {
        // SAFETY: AVX-512F is available, see the type.
        Self(unsafe { _mm512_set1_ps(number) })
    }

    #[inline(always)]
    fn mul_add(self, factor: Self, term: Self) -> Self {
        // SAFETY: AVX-512F is available, see the type.
        Self(unsafe { _mm512_fmadd_ps(self.0, factor.0, term.0) })
    }

    #[inline(always)]
    fn mul_sub(self, factor: Self, term: Self) -> Self {
        // SAFETY: AVX-512F is available, see the type.
        Self(unsafe { _mm512_fmsub_ps(self.0, factor.0, term.0) })
    }

    #[inline(always)]
    fn neg_mul_add(self, factor: Self, term: Self) -> Self {
        // SAFETY: AVX-512F is available, see the type.
        Self(unsafe { _mm512_fnmadd_ps(self.0, factor.0, term.0) })
    }
}

impl Wide for Avx512 {
    const WIDTH: usize = 2;
    const UNROLLS: bool = true;

    #[inline(always)]
    fn splat_lanes(number: &Lanes) -> Self {
        Self::splat(number.0[0])
    }

    #[inline(always)]
    fn load_pair(first: &Lanes, second: &Lanes) -> Self {
        // SAFETY: AVX-512F is available; references to `Lanes` are 32 readable bytes, aligned to 32.
        unsafe {
            let low = _mm512_castps_pd(_mm512_castps256_ps512(_mm256_load_ps(first.0.as_ptr())));
            let high = _mm256_castps_pd(_mm256_load_ps(second.0.as_ptr()));
            Self(_mm512_castpd_ps(_mm512_insertf64x4::<1>(low, high)))
        }
    }

    #[inline(always)]
    fn store_pair(self, first: &mut Lanes, second: Option<&mut Lanes>) {
        // SAFETY: AVX-512F is available; references to `Lanes` are 32 writable bytes, aligned to 32.
        unsafe {
            _mm256_store_ps(first.0.as_mut_ptr(), _mm512_castps512_ps256(self.0));
            if let Some(second) = second {
                let high = _mm512_extractf64x4_pd::<1>(_mm512_castps_pd(self.0));
                _mm256_store_ps(second.0.as_mut_ptr(), _mm256_castpd_ps(high));
            }
        }
    }

    #[inline(always)]
    fn stream_pair(self, first: &mut Lanes, second: Option<&mut Lanes>) {
        // SAFETY: as in `store_pair`; a fence follows before the task gives the references back.
        unsafe {
            _mm256_stream_ps(first.0.as_mut_ptr(), _mm512_castps512_ps256(self.0));
            if let Some(second) = second {
                let high = _mm512_extractf64x4_pd::<1>(_mm512_castps_pd(self.0));
                _mm256_stream_ps(second.0.as_mut_ptr(), _mm256_castpd_ps(high));
            }
        }
    }

    #[inline(always)]
    fn prefetch(line: *const Lanes) {
        // SAFETY: SSE is part of x86-64, and a prefetch reads nothing that the program sees.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(line.cast()) }
    }

    /// 14 bits from the machine's table, doubled by one step of Newton's method.
    #[inline(always)]
    fn fast_inverse_sqrt(self) -> Self {
        // SAFETY: AVX-512F is available, see the type.
        let guess = Self(unsafe { _mm512_rsqrt14_ps(self.0) });
        let half = self * Self::splat(0.5);
        guess * (half * guess).neg_mul_add(guess, Self::splat(1.5))
    }

    #[inline(always)]
    fn any_below(self, limit: f32) -> bool {
        // SAFETY: AVX-512F is available, see the type.
        unsafe { _mm512_cmp_ps_mask::<_CMP_NGE_UQ>(self.0, _mm512_set1_ps(limit)) != 0 }
    }

    #[inline(always)]
    fn select_below(self, limit: f32, below: Self, other: Self) -> Self {
        // SAFETY: AVX-512F is available, see the type.
        unsafe {
            let is_below = _mm512_cmp_ps_mask::<_CMP_NGE_UQ>(self.0, _mm512_set1_ps(limit));
            Self(_mm512_mask_blend_ps(is_below, other.0, below.0))
        }
    }
}
