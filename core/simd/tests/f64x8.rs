//! Eight float64 lanes against plain float64, at every level that the machine has, for any bits.

use proptest::prelude::*;
use throng_simd::{F64Task, F64x8, LANES, Lanes64, Level};

/// Results of the operations on two vectors.
#[derive(Debug, Default, PartialEq)]
struct Results {
    /// Bits, so that the sign of a zero counts. All NaNs are equal.
    numbers: Vec<[u64; LANES]>,
    flags: Vec<bool>,
}

struct AllOperations<'a> {
    a: &'a Lanes64,
    b: &'a Lanes64,
    out: &'a mut Results,
}

impl F64Task for AllOperations<'_> {
    fn run<V: F64x8>(self) {
        let (a, b) = (V::load(self.a), V::load(self.b));
        let numbers = [
            a + b,
            a - b,
            a * b,
            a / b,
            a.sqrt(),
            a.min(b),
            a.max(b),
            V::splat(self.a.0[0]),
        ];
        for number in numbers {
            let mut lanes = Lanes64::ZERO;
            number.store(&mut lanes);
            self.out.numbers.push(lanes.0.map(bits));
        }
        let [low, high] = [self.b.0[0], self.b.0[1]];
        self.out.flags = vec![a.any_above(b), a.any_outside(low, high)];
    }
}

fn bits(number: f64) -> u64 {
    match number.is_nan() {
        true => f64::NAN.to_bits(),
        false => number.to_bits(),
    }
}

/// The same results by plain float64.
fn expected(a: &Lanes64, b: &Lanes64) -> Results {
    let each = |of: fn(f64, f64) -> f64| std::array::from_fn(|lane| bits(of(a.0[lane], b.0[lane])));
    let inside = |x: &f64| (b.0[0]..=b.0[1]).contains(x);
    Results {
        numbers: vec![
            each(|a, b| a + b),
            each(|a, b| a - b),
            each(|a, b| a * b),
            each(|a, b| a / b),
            each(|a, _| a.sqrt()),
            each(|a, b| if a < b { a } else { b }),
            each(|a, b| if a > b { a } else { b }),
            [bits(a.0[0]); LANES],
        ],
        flags: vec![
            a.0.iter().zip(&b.0).any(|(a, b)| a > b),
            !a.0.iter().all(inside),
        ],
    }
}

/// Any bits, with numbers that are often equal or not finite.
fn numbers() -> impl Strategy<Value = Lanes64> {
    let number = prop_oneof![
        3 => any::<u64>().prop_map(f64::from_bits),
        3 => -2.0..2.0f64,
        1 => prop_oneof![Just(0.0), Just(-0.0), Just(1.0), Just(f64::INFINITY), Just(f64::NAN)],
    ];
    prop::array::uniform8(number).prop_map(Lanes64)
}

/// Ordered numbers, so that flags are often false.
fn small() -> impl Strategy<Value = Lanes64> {
    prop::array::uniform8(0.0..1.0f64).prop_map(Lanes64)
}

fn check(a: &Lanes64, b: &Lanes64) {
    for level in Level::available() {
        let mut out = Results::default();
        let out_of_task = &mut out;
        level.run_f64(AllOperations {
            a,
            b,
            out: out_of_task,
        });
        assert_eq!(out, expected(a, b), "{level}");
    }
}

proptest! {
    #[test]
    fn operations_equal_plain_float64(a in numbers(), b in numbers()) {
        check(&a, &b);
    }

    #[test]
    fn flags_need_every_lane(a in small(), lane in 0..LANES) {
        let mut above = Lanes64([1.0; LANES]);
        above.0[0] = 0.0;
        check(&a, &above);
        check(&a, &Lanes64(a.0.map(|x| x + 0.1)));
        let mut lower = a;
        lower.0[lane] -= 0.1;
        check(&a, &lower);
    }
}
