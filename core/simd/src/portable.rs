//! Eight lanes in a plain array, which the compiler turns into what the target has.

use std::array::from_fn;
use std::ops::{Add, Div, Mul, Sub};

use half::f16;

use crate::vector::{F32x8, Vector, Wide};
use crate::{LANES, Lanes};

#[derive(Clone, Copy)]
pub(crate) struct Portable([f32; LANES]);

impl Portable {
    #[inline(always)]
    fn zip(mut self, other: Self, f: impl Fn(f32, f32) -> f32) -> Self {
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
        let (a, b) = (self.0, other.0);
        Self([
            a[0] + b[0],
            a[1] + b[1],
            a[2] + b[2],
            a[3] + b[3],
            a[4] + b[4],
            a[5] + b[5],
            a[6] + b[6],
            a[7] + b[7],
        ])
    }
}

impl Sub for Portable {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        let (a, b) = (self.0, other.0);
        Self([
            a[0] - b[0],
            a[1] - b[1],
            a[2] - b[2],
            a[3] - b[3],
            a[4] - b[4],
            a[5] - b[5],
            a[6] - b[6],
            a[7] - b[7],
        ])
    }
}

impl Mul for Portable {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        let (a, b) = (self.0, other.0);
        Self([
            a[0] * b[0],
            a[1] * b[1],
            a[2] * b[2],
            a[3] * b[3],
            a[4] * b[4],
            a[5] * b[5],
            a[6] * b[6],
            a[7] * b[7],
        ])
    }
}

impl Div for Portable {
    type Output = Self;
    #[inline(always)]
    fn div(self, divisor: Self) -> Self {
        self.zip(divisor, |a, b| a / b)
    }
}

// Not `f32::mul_add`: without the instruction that is a slow call.
impl Vector for Portable {
    #[inline(always)]
    fn splat(number: f32) -> Self {
        Self([number; LANES])
    }

    #[inline(always)]
    fn mul_add(self, factor: Self, term: Self) -> Self {
        self * factor + term
    }

    #[inline(always)]
    fn mul_sub(self, factor: Self, term: Self) -> Self {
        self * factor - term
    }

    #[inline(always)]
    fn neg_mul_add(self, factor: Self, term: Self) -> Self {
        term - self * factor
    }
}

fn low_16(float: f32) -> u64 {
    u64::from(float.to_bits() & 0xffff)
}

impl F32x8 for Portable {
    #[inline(always)]
    fn load(numbers: &Lanes) -> Self {
        Self(numbers.0)
    }

    #[inline(always)]
    fn store(self, out: &mut Lanes) {
        out.0 = self.0;
    }

    #[inline(always)]
    fn inverse_sqrt(self) -> Self {
        self.zip(self, |a, _| 1.0 / a.sqrt())
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
    fn abs(self) -> Self {
        Self(self.0.map(f32::abs))
    }

    #[inline(always)]
    fn copysign(self, sign: Self) -> Self {
        self.zip(sign, f32::copysign)
    }

    #[inline(always)]
    fn select_non_negative(self, yes: Self, no: Self) -> Self {
        Self(from_fn(|lane| match self.0[lane] >= 0.0 {
            true => yes.0[lane],
            false => no.0[lane],
        }))
    }

    #[inline(always)]
    fn select_positive(self, yes: Self, no: Self) -> Self {
        Self(from_fn(|lane| match self.0[lane] > 0.0 {
            true => yes.0[lane],
            false => no.0[lane],
        }))
    }

    #[inline(always)]
    fn low_8_bits(floats: [Self; 4]) -> [u32; LANES] {
        from_fn(|lane| u32::from_le_bytes(floats.map(|f| f.0[lane].to_bits() as u8)))
    }

    #[inline(always)]
    fn low_16_bits([low, high]: [Self; 2]) -> [u32; LANES] {
        from_fn(|lane| (low_16(low.0[lane]) | low_16(high.0[lane]) << 16) as u32)
    }

    #[inline(always)]
    fn low_16_bits_of_four([a, b, c, d]: [Self; 4]) -> [u64; LANES] {
        let (low, high) = (Self::low_16_bits([a, b]), Self::low_16_bits([c, d]));
        from_fn(|lane| u64::from(low[lane]) | u64::from(high[lane]) << 32)
    }

    #[inline(always)]
    fn to_f16_bits(floats: [Self; 4]) -> [u64; LANES] {
        from_fn(|lane| {
            let bits = |channel: usize| f16::from_f32(floats[channel].0[lane]).to_bits();
            let all = [0, 1, 2, 3].map(|channel| u64::from(bits(channel)) << (16 * channel));
            all[0] | all[1] | all[2] | all[3]
        })
    }

    #[inline(always)]
    fn from_rows(rows: [&Lanes; LANES]) -> [Self; LANES] {
        from_fn(|number| Self(rows.map(|row| row.0[number])))
    }

    #[inline(always)]
    fn write_matrices(matrix: [[Self; 4]; 3], out: &mut [[[f32; 4]; 3]], stride: usize) {
        for lane in 0..LANES {
            out[lane * stride] = matrix.map(|row| row.map(|numbers| numbers.0[lane]));
        }
    }
}

impl Wide for Portable {
    const WIDTH: usize = 1;

    // Less than a tenth faster, for a far longer build.
    const UNROLLS: bool = false;

    #[inline(always)]
    fn splat_lanes(number: &Lanes) -> Self {
        Self(number.0)
    }

    #[inline(always)]
    fn load_pair(first: &Lanes, _: &Lanes) -> Self {
        Self(first.0)
    }

    #[inline(always)]
    fn store_pair(self, first: &mut Lanes, _: Option<&mut Lanes>) {
        first.0 = self.0;
    }

    #[inline(always)]
    fn stream_pair(self, first: &mut Lanes, second: Option<&mut Lanes>) {
        self.store_pair(first, second);
    }

    #[inline(always)]
    fn prefetch(_: *const Lanes) {}

    #[inline(always)]
    fn fast_inverse_sqrt(self) -> Self {
        self.inverse_sqrt()
    }

    #[inline(always)]
    fn any_below(self, limit: f32) -> bool {
        !self.0.iter().all(|&a| a >= limit)
    }

    #[inline(always)]
    fn select_below(self, limit: f32, below: Self, other: Self) -> Self {
        let mut out = other;
        for lane in 0..LANES {
            if !matches!(self.0[lane].partial_cmp(&limit), Some(order) if order.is_ge()) {
                out.0[lane] = below.0[lane];
            }
        }
        out
    }
}
