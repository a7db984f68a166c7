//! Eight lanes in an AVX2 register.

use std::arch::x86_64::{
    __m128i, __m256, __m256i, _CMP_GE_OQ, _CMP_GT_OQ, _CMP_NGE_UQ, _MM_FROUND_TO_NEAREST_INT,
    _MM_HINT_T0, _mm_load_ps, _mm_prefetch, _mm_storeu_ps, _mm_storeu_si128, _mm_unpackhi_epi16,
    _mm_unpackhi_epi32, _mm_unpacklo_epi16, _mm_unpacklo_epi32, _mm256_add_ps, _mm256_and_ps,
    _mm256_and_si256, _mm256_andnot_ps, _mm256_blend_epi16, _mm256_blendv_ps, _mm256_castps_si256,
    _mm256_castps256_ps128, _mm256_castsi256_si128, _mm256_cmp_ps, _mm256_cvtps_ph, _mm256_div_ps,
    _mm256_extractf128_ps, _mm256_extracti128_si256, _mm256_fmadd_ps, _mm256_fmsub_ps,
    _mm256_fnmadd_ps, _mm256_load_ps, _mm256_max_ps, _mm256_min_ps, _mm256_movemask_ps,
    _mm256_mul_ps, _mm256_or_ps, _mm256_or_si256, _mm256_rsqrt_ps, _mm256_set_m128,
    _mm256_set1_epi32, _mm256_set1_ps, _mm256_setzero_ps, _mm256_shuffle_ps, _mm256_slli_epi32,
    _mm256_sqrt_ps, _mm256_store_ps, _mm256_storeu_si256, _mm256_stream_ps, _mm256_sub_ps,
    _mm256_unpackhi_ps, _mm256_unpacklo_ps,
};
use std::ops::{Add, Div, Mul, Sub};

use crate::vector::{F32x8, Vector, Wide};
use crate::{LANES, Lanes};

/// Exists only inside tasks of [`crate::Level::Avx2`] and above, which run only after AVX2, FMA and F16C
/// were found. Every SAFETY line below relies on it. Aligned addresses are those of [`Lanes`]: 32 bytes at
/// a multiple of 32.
#[derive(Clone, Copy)]
pub(crate) struct Avx2(__m256);

impl Avx2 {
    #[inline(always)]
    fn sign_bit() -> Self {
        Self::splat(-0.0)
    }

    #[inline(always)]
    fn bits(self) -> __m256i {
        // SAFETY: AVX2 is available, see the type.
        unsafe { _mm256_castps_si256(self.0) }
    }

    /// The low 16 bits of two floats, side by side per lane.
    #[inline(always)]
    fn low_pairs([low, high]: [Self; 2]) -> __m256i {
        // SAFETY: AVX2 is available, see the type.
        unsafe { _mm256_blend_epi16::<0xaa>(low.bits(), _mm256_slli_epi32::<16>(high.bits())) }
    }
}

/// Writes two words per lane, for four lanes.
#[inline(always)]
fn store_four(low: __m128i, high: __m128i, out: &mut [u64]) {
    let out = &mut out[..LANES / 2];
    // SAFETY: called from `Avx2` alone; the slice is 32 writable bytes.
    unsafe {
        let out = out.as_mut_ptr().cast::<__m128i>();
        _mm_storeu_si128(out, _mm_unpacklo_epi32(low, high));
        _mm_storeu_si128(out.add(1), _mm_unpackhi_epi32(low, high));
    }
}

#[inline(always)]
fn store_words(words: __m256i) -> [u32; LANES] {
    let mut out = [0; LANES];
    // SAFETY: called from `Avx2` alone; the array is 32 writable bytes.
    unsafe { _mm256_storeu_si256(out.as_mut_ptr().cast(), words) };
    out
}

/// Transposes numbers `FIRST` to `FIRST + 3` of each row. `FIRST` is 0 or 4.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn transpose_rows<const FIRST: usize>(rows: [&Lanes; LANES]) -> [__m256; 4] {
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

impl Add for Avx2 {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        // SAFETY: AVX2 is available, see the type.
        Self(unsafe { _mm256_add_ps(self.0, other.0) })
    }
}

impl Sub for Avx2 {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        // SAFETY: AVX2 is available, see the type.
        Self(unsafe { _mm256_sub_ps(self.0, other.0) })
    }
}

impl Mul for Avx2 {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        // SAFETY: AVX2 is available, see the type.
        Self(unsafe { _mm256_mul_ps(self.0, other.0) })
    }
}

impl Div for Avx2 {
    type Output = Self;
    #[inline(always)]
    fn div(self, divisor: Self) -> Self {
        // SAFETY: AVX2 is available, see the type.
        Self(unsafe { _mm256_div_ps(self.0, divisor.0) })
    }
}

impl Vector for Avx2 {
    #[inline(always)]
    fn splat(number: f32) -> Self {
        // SAFETY: AVX2 is available, see the type.
        Self(unsafe { _mm256_set1_ps(number) })
    }

    #[inline(always)]
    fn mul_add(self, factor: Self, term: Self) -> Self {
        // SAFETY: FMA is available, see the type.
        Self(unsafe { _mm256_fmadd_ps(self.0, factor.0, term.0) })
    }

    #[inline(always)]
    fn mul_sub(self, factor: Self, term: Self) -> Self {
        // SAFETY: FMA is available, see the type.
        Self(unsafe { _mm256_fmsub_ps(self.0, factor.0, term.0) })
    }

    #[inline(always)]
    fn neg_mul_add(self, factor: Self, term: Self) -> Self {
        // SAFETY: FMA is available, see the type.
        Self(unsafe { _mm256_fnmadd_ps(self.0, factor.0, term.0) })
    }
}

impl F32x8 for Avx2 {
    #[inline(always)]
    fn load(numbers: &Lanes) -> Self {
        // SAFETY: AVX2 is available; a reference to `Lanes` is 32 readable bytes, aligned to 32.
        Self(unsafe { _mm256_load_ps(numbers.0.as_ptr()) })
    }

    #[inline(always)]
    fn store(self, out: &mut Lanes) {
        // SAFETY: AVX2 is available; a reference to `Lanes` is 32 writable bytes, aligned to 32.
        unsafe { _mm256_store_ps(out.0.as_mut_ptr(), self.0) }
    }

    #[inline(always)]
    fn inverse_sqrt(self) -> Self {
        // SAFETY: AVX2 is available, see the type.
        Self(unsafe { _mm256_div_ps(_mm256_set1_ps(1.0), _mm256_sqrt_ps(self.0)) })
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        // SAFETY: AVX2 is available, see the type.
        Self(unsafe { _mm256_min_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        // SAFETY: AVX2 is available, see the type.
        Self(unsafe { _mm256_max_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn abs(self) -> Self {
        // SAFETY: AVX2 is available, see the type.
        Self(unsafe { _mm256_andnot_ps(Self::sign_bit().0, self.0) })
    }

    #[inline(always)]
    fn copysign(self, sign: Self) -> Self {
        // SAFETY: AVX2 is available, see the type.
        Self(unsafe { _mm256_or_ps(self.abs().0, _mm256_and_ps(Self::sign_bit().0, sign.0)) })
    }

    #[inline(always)]
    fn select_non_negative(self, yes: Self, no: Self) -> Self {
        // SAFETY: AVX2 is available, see the type.
        unsafe {
            let non_negative = _mm256_cmp_ps::<_CMP_GE_OQ>(self.0, _mm256_setzero_ps());
            Self(_mm256_blendv_ps(no.0, yes.0, non_negative))
        }
    }

    #[inline(always)]
    fn select_positive(self, yes: Self, no: Self) -> Self {
        // SAFETY: AVX2 is available, see the type.
        unsafe {
            let positive = _mm256_cmp_ps::<_CMP_GT_OQ>(self.0, _mm256_setzero_ps());
            Self(_mm256_blendv_ps(no.0, yes.0, positive))
        }
    }

    #[inline(always)]
    fn low_8_bits([a, b, c, d]: [Self; 4]) -> [u32; LANES] {
        // SAFETY: AVX2 is available, see the type.
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
    fn low_16_bits(floats: [Self; 2]) -> [u32; LANES] {
        store_words(Self::low_pairs(floats))
    }

    #[inline(always)]
    fn low_16_bits_of_four([a, b, c, d]: [Self; 4]) -> [u64; LANES] {
        let (low, high) = (Self::low_pairs([a, b]), Self::low_pairs([c, d]));
        let mut out = [0; LANES];
        let (first, last) = out.split_at_mut(LANES / 2);
        // SAFETY: AVX2 is available, see the type.
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
    fn to_f16_bits([a, b, c, d]: [Self; 4]) -> [u64; LANES] {
        let mut out = [0; LANES];
        let (first, last) = out.split_at_mut(LANES / 2);
        // SAFETY: AVX2 and F16C are available, see the type.
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

    #[inline(always)]
    fn from_rows(rows: [&Lanes; LANES]) -> [Self; LANES] {
        // SAFETY: AVX2 and FMA are available, see the type.
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
    fn write_matrices(matrix: [[Self; 4]; 3], out: &mut [[[f32; 4]; 3]], stride: usize) {
        assert!((LANES - 1).saturating_mul(stride) < out.len());
        for (row, [a, b, c, d]) in matrix.into_iter().enumerate() {
            // SAFETY: AVX2 and FMA are available, see the type.
            let quads = unsafe { transpose([a.0, b.0, c.0, d.0]) };
            for (lane, quad) in quads.into_iter().enumerate() {
                // SAFETY: AVX2 is available; both indices are within `out`, as was asserted for the
                // last, and a row has 4 numbers.
                unsafe {
                    let low = out.get_unchecked_mut(lane * stride)[row].as_mut_ptr();
                    _mm_storeu_ps(low, _mm256_castps256_ps128(quad));
                    let high = out.get_unchecked_mut((lane + 4) * stride)[row].as_mut_ptr();
                    _mm_storeu_ps(high, _mm256_extractf128_ps::<1>(quad));
                }
            }
        }
    }
}

impl Wide for Avx2 {
    const WIDTH: usize = 1;
    const UNROLLS: bool = true;

    #[inline(always)]
    fn splat_lanes(number: &Lanes) -> Self {
        Self::load(number)
    }

    #[inline(always)]
    fn load_pair(first: &Lanes, _: &Lanes) -> Self {
        Self::load(first)
    }

    #[inline(always)]
    fn store_pair(self, first: &mut Lanes, _: Option<&mut Lanes>) {
        self.store(first);
    }

    #[inline(always)]
    fn stream_pair(self, first: &mut Lanes, _: Option<&mut Lanes>) {
        // SAFETY: as in `store`; a fence follows before the task gives the reference back.
        unsafe { _mm256_stream_ps(first.0.as_mut_ptr(), self.0) }
    }

    #[inline(always)]
    fn prefetch(line: *const Lanes) {
        // SAFETY: SSE is part of x86-64, and a prefetch reads nothing that the program sees.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(line.cast()) }
    }

    /// 12 bits from the machine's table, doubled by one step of Newton's method.
    #[inline(always)]
    fn fast_inverse_sqrt(self) -> Self {
        // SAFETY: AVX2 is available, see the type.
        let guess = Self(unsafe { _mm256_rsqrt_ps(self.0) });
        let half = self * Self::splat(0.5);
        guess * (half * guess).neg_mul_add(guess, Self::splat(1.5))
    }

    #[inline(always)]
    fn any_below(self, limit: f32) -> bool {
        // SAFETY: AVX2 is available, see the type.
        unsafe {
            let below = _mm256_cmp_ps::<_CMP_NGE_UQ>(self.0, _mm256_set1_ps(limit));
            _mm256_movemask_ps(below) != 0
        }
    }

    #[inline(always)]
    fn select_below(self, limit: f32, below: Self, other: Self) -> Self {
        // SAFETY: AVX2 is available, see the type.
        unsafe {
            let is_below = _mm256_cmp_ps::<_CMP_NGE_UQ>(self.0, _mm256_set1_ps(limit));
            Self(_mm256_blendv_ps(other.0, below.0, is_below))
        }
    }
}
