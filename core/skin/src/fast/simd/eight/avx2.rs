//! Eight numbers in an AVX2 register.
#![allow(unsafe_code)] // The one way to say which instructions are meant.

use std::arch::x86_64::{
    __m128i, __m256, __m256i, _CMP_GE_OQ, _MM_FROUND_TO_NEAREST_INT, _mm_storeu_si128,
    _mm_unpackhi_epi16, _mm_unpackhi_epi32, _mm_unpacklo_epi16, _mm_unpacklo_epi32, _mm256_add_ps,
    _mm256_and_ps, _mm256_and_si256, _mm256_andnot_ps, _mm256_blend_epi16, _mm256_blendv_ps,
    _mm256_castps_si256, _mm256_castsi256_si128, _mm256_cmp_ps, _mm256_cvtps_ph, _mm256_div_ps,
    _mm256_extracti128_si256, _mm256_load_ps, _mm256_max_ps, _mm256_min_ps, _mm256_mul_ps,
    _mm256_or_ps, _mm256_or_si256, _mm256_set1_epi32, _mm256_set1_ps, _mm256_setzero_ps,
    _mm256_slli_epi32, _mm256_store_ps, _mm256_storeu_si256, _mm256_sub_ps,
};
use std::ops::{Add, Mul, Sub};

use super::Eight;
use crate::fast::lanes::{BATCH, Lanes};

/// Exists only inside tasks of [`crate::fast::Level::Avx2`] and above, which run only where AVX2 and F16C
/// were found: that is what makes every block below sound. Addresses are those of [`Lanes`], 32 bytes at a
/// multiple of 32, or of arrays that are written without alignment.
#[derive(Clone, Copy)]
pub(in crate::fast) struct Avx2(__m256);

impl Avx2 {
    #[inline(always)]
    fn sign_bit() -> Self {
        Self::splat(-0.0)
    }

    #[inline(always)]
    fn bits(self) -> __m256i {
        // SAFETY: AVX2 is there, see the type.
        unsafe { _mm256_castps_si256(self.0) }
    }

    /// The last 16 bits of two floats.
    #[inline(always)]
    fn pairs([low, high]: [Self; 2]) -> __m256i {
        // SAFETY: AVX2 is there, see the type.
        unsafe { _mm256_blend_epi16::<0xaa>(low.bits(), _mm256_slli_epi32::<16>(high.bits())) }
    }
}

/// Two words a vertex, for four vertices.
#[inline(always)]
fn store_four(low: __m128i, high: __m128i, out: &mut [u64]) {
    let out = &mut out[..BATCH / 2];
    // SAFETY: called from `Avx2` alone; the slice is 32 writable bytes.
    unsafe {
        let out = out.as_mut_ptr().cast::<__m128i>();
        _mm_storeu_si128(out, _mm_unpacklo_epi32(low, high));
        _mm_storeu_si128(out.add(1), _mm_unpackhi_epi32(low, high));
    }
}

#[inline(always)]
fn store_words(words: __m256i) -> [u32; BATCH] {
    let mut out = [0; BATCH];
    // SAFETY: called from `Avx2` alone; the array is 32 writable bytes.
    unsafe { _mm256_storeu_si256(out.as_mut_ptr().cast(), words) };
    out
}

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

impl Eight for Avx2 {
    #[inline(always)]
    fn splat(number: f32) -> Self {
        // SAFETY: AVX2 is there, see the type.
        Self(unsafe { _mm256_set1_ps(number) })
    }

    #[inline(always)]
    fn load(numbers: &Lanes) -> Self {
        // SAFETY: AVX2 is there; a reference to `Lanes` is 32 readable bytes, aligned to 32.
        Self(unsafe { _mm256_load_ps(numbers.0.as_ptr()) })
    }

    #[inline(always)]
    fn store(self, out: &mut Lanes) {
        // SAFETY: AVX2 is there; a reference to `Lanes` is 32 writable bytes, aligned to 32.
        unsafe { _mm256_store_ps(out.0.as_mut_ptr(), self.0) }
    }

    #[inline(always)]
    fn over(self, divisor: Self) -> Self {
        // SAFETY: AVX2 is there, see the type.
        Self(unsafe { _mm256_div_ps(self.0, divisor.0) })
    }

    #[inline(always)]
    fn less(self, other: Self) -> Self {
        // SAFETY: AVX2 is there, see the type.
        Self(unsafe { _mm256_min_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn greater(self, other: Self) -> Self {
        // SAFETY: AVX2 is there, see the type.
        Self(unsafe { _mm256_max_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn abs(self) -> Self {
        // SAFETY: AVX2 is there, see the type.
        Self(unsafe { _mm256_andnot_ps(Self::sign_bit().0, self.0) })
    }

    #[inline(always)]
    fn with_sign(self, sign: Self) -> Self {
        // SAFETY: AVX2 is there, see the type.
        Self(unsafe { _mm256_or_ps(self.abs().0, _mm256_and_ps(Self::sign_bit().0, sign.0)) })
    }

    #[inline(always)]
    fn choose_not_negative(self, yes: Self, no: Self) -> Self {
        // SAFETY: AVX2 is there, see the type.
        unsafe {
            let not_negative = _mm256_cmp_ps::<_CMP_GE_OQ>(self.0, _mm256_setzero_ps());
            Self(_mm256_blendv_ps(no.0, yes.0, not_negative))
        }
    }

    #[inline(always)]
    fn last_bytes([a, b, c, d]: [Self; 4]) -> [u32; BATCH] {
        // SAFETY: AVX2 is there, see the type.
        store_words(unsafe {
            let byte = _mm256_set1_epi32(0xff);
            let low = _mm256_and_si256(a.bits(), byte);
            let second = _mm256_slli_epi32::<8>(_mm256_and_si256(b.bits(), byte));
            let third = _mm256_slli_epi32::<16>(_mm256_and_si256(c.bits(), byte));
            let high = _mm256_slli_epi32::<24>(d.bits());
            _mm256_or_si256(_mm256_or_si256(low, second), _mm256_or_si256(third, high))
        })
    }

    #[inline(always)]
    fn last_pairs(floats: [Self; 2]) -> [u32; BATCH] {
        store_words(Self::pairs(floats))
    }

    #[inline(always)]
    fn last_quads([a, b, c, d]: [Self; 4]) -> [u64; BATCH] {
        let (low, high) = (Self::pairs([a, b]), Self::pairs([c, d]));
        let mut out = [0; BATCH];
        let (first, last) = out.split_at_mut(BATCH / 2);
        // SAFETY: AVX2 is there, see the type.
        unsafe {
            store_four(
                _mm256_castsi256_si128(low),
                _mm256_castsi256_si128(high),
                first,
            );
            store_four(
                _mm256_extracti128_si256::<1>(low),
                _mm256_extracti128_si256::<1>(high),
                last,
            );
        }
        out
    }

    #[inline(always)]
    fn halves([a, b, c, d]: [Self; 4]) -> [u64; BATCH] {
        let mut out = [0; BATCH];
        let (first, last) = out.split_at_mut(BATCH / 2);
        // SAFETY: AVX2 and F16C are there, see the type.
        unsafe {
            let a = _mm256_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(a.0);
            let b = _mm256_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(b.0);
            let c = _mm256_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(c.0);
            let d = _mm256_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(d.0);
            store_four(_mm_unpacklo_epi16(a, b), _mm_unpacklo_epi16(c, d), first);
            store_four(_mm_unpackhi_epi16(a, b), _mm_unpackhi_epi16(c, d), last);
        }
        out
    }
}
