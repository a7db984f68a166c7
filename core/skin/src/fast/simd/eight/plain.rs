//! Eight numbers in an array.

use std::array::from_fn;
use std::ops::{Add, Mul, Sub};

use half::f16;

use super::Eight;
use crate::fast::lanes::{BATCH, Lanes};

#[derive(Clone, Copy)]
pub(in crate::fast) struct Plain([f32; BATCH]);

impl Plain {
    #[inline(always)]
    fn zip(self, other: Self, of: impl Fn(f32, f32) -> f32) -> Self {
        Self(from_fn(|lane| of(self.0[lane], other.0[lane])))
    }
}

/// The last 16 bits.
fn last_16(float: f32) -> u64 {
    u64::from(float.to_bits() & 0xffff)
}

impl Add for Plain {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.zip(other, |a, b| a + b)
    }
}

impl Sub for Plain {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.zip(other, |a, b| a - b)
    }
}

impl Mul for Plain {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.zip(other, |a, b| a * b)
    }
}

impl Eight for Plain {
    #[inline(always)]
    fn splat(number: f32) -> Self {
        Self([number; BATCH])
    }

    #[inline(always)]
    fn load(numbers: &Lanes) -> Self {
        Self(numbers.0)
    }

    #[inline(always)]
    fn store(self, out: &mut Lanes) {
        out.0 = self.0;
    }

    #[inline(always)]
    fn over(self, divisor: Self) -> Self {
        self.zip(divisor, |a, b| a / b)
    }

    #[inline(always)]
    fn less(self, other: Self) -> Self {
        self.zip(other, |a, b| if a < b { a } else { b })
    }

    #[inline(always)]
    fn greater(self, other: Self) -> Self {
        self.zip(other, |a, b| if a > b { a } else { b })
    }

    #[inline(always)]
    fn abs(self) -> Self {
        Self(self.0.map(f32::abs))
    }

    #[inline(always)]
    fn with_sign(self, sign: Self) -> Self {
        self.zip(sign, f32::copysign)
    }

    #[inline(always)]
    fn choose_not_negative(self, yes: Self, no: Self) -> Self {
        Self(from_fn(|lane| match self.0[lane] >= 0.0 {
            true => yes.0[lane],
            false => no.0[lane],
        }))
    }

    #[inline(always)]
    fn last_bytes(floats: [Self; 4]) -> [u32; BATCH] {
        from_fn(|lane| u32::from_le_bytes(floats.map(|f| f.0[lane].to_bits() as u8)))
    }

    #[inline(always)]
    fn last_pairs([low, high]: [Self; 2]) -> [u32; BATCH] {
        from_fn(|lane| (last_16(low.0[lane]) | last_16(high.0[lane]) << 16) as u32)
    }

    #[inline(always)]
    fn last_quads([a, b, c, d]: [Self; 4]) -> [u64; BATCH] {
        let (low, high) = (Self::last_pairs([a, b]), Self::last_pairs([c, d]));
        from_fn(|lane| u64::from(low[lane]) | u64::from(high[lane]) << 32)
    }

    #[inline(always)]
    fn halves(floats: [Self; 4]) -> [u64; BATCH] {
        from_fn(|lane| {
            let bits = |channel: usize| f16::from_f32(floats[channel].0[lane]).to_bits();
            let all = [0, 1, 2, 3].map(|channel| u64::from(bits(channel)) << (16 * channel));
            all[0] | all[1] | all[2] | all[3]
        })
    }
}
