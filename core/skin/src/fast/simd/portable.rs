//! Plain arrays, which the compiler turns into what the target has.

use std::ops::{Add, Mul, Sub};

use super::Simd;
use crate::fast::lanes::{BATCH, Lanes};

#[derive(Clone, Copy)]
pub(in crate::fast) struct Portable([f32; BATCH]);

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

impl Simd for Portable {
    const BATCHES: usize = 1;

    // Arrays take the compiler far longer than they gain from it: less than a tenth.
    const BY_COUNT: bool = false;

    #[inline(always)]
    fn splat(number: f32) -> Self {
        Self([number; BATCH])
    }

    #[inline(always)]
    fn spread(number: &Lanes) -> Self {
        Self(number.0)
    }

    #[inline(always)]
    fn load(first: &Lanes, _: &Lanes) -> Self {
        Self(first.0)
    }

    #[inline(always)]
    fn store(self, first: &mut Lanes, _: Option<&mut Lanes>) {
        first.0 = self.0;
    }

    #[inline(always)]
    fn stream(self, first: &mut Lanes, second: Option<&mut Lanes>) {
        self.store(first, second);
    }

    #[inline(always)]
    fn prefetch(_: *const Lanes) {}

    #[inline(always)]
    fn fence() {}

    // Not `f32::mul_add`: without the instruction that is a slow call.
    #[inline(always)]
    fn mul_add(self, factor: Self, term: Self) -> Self {
        self * factor + term
    }

    #[inline(always)]
    fn mul_sub(self, factor: Self, term: Self) -> Self {
        self * factor - term
    }

    #[inline(always)]
    fn sub_from(self, factor: Self, term: Self) -> Self {
        term - self * factor
    }

    #[inline(always)]
    fn over(self, divisor: Self) -> Self {
        self.zip(divisor, |a, b| a / b)
    }

    #[inline(always)]
    fn inverse_sqrt(self) -> Self {
        self.zip(self, |a, _| 1.0 / a.sqrt())
    }

    #[inline(always)]
    fn any_below(self, limit: f32) -> bool {
        !self.0.iter().all(|&a| a >= limit)
    }

    #[inline(always)]
    fn choose_below(self, limit: f32, small: Self, other: Self) -> Self {
        let mut out = other;
        for lane in 0..BATCH {
            if !matches!(self.0[lane].partial_cmp(&limit), Some(order) if order.is_ge()) {
                out.0[lane] = small.0[lane];
            }
        }
        out
    }
}
