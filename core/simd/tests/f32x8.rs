//! Eight lanes against plain float32, at every level that the machine has, for any bits.

use half::f16;
use proptest::prelude::*;
use throng_simd::{F32x8, LANES, Lanes, Level, Task};

/// Results of the operations on two vectors.
#[derive(Debug, Default, PartialEq)]
struct Results {
    /// Bits, so that the sign of a zero counts. All NaNs are equal.
    numbers: Vec<[u32; LANES]>,
    words: Vec<[u32; LANES]>,
    quads: Vec<[u64; LANES]>,
}

struct AllOperations<'a> {
    a: &'a Lanes,
    b: &'a Lanes,
    out: &'a mut Results,
}

impl Task for AllOperations<'_> {
    fn run<V: F32x8>(self) {
        let (a, b, half) = (V::load(self.a), V::load(self.b), V::splat(0.5));
        let numbers = [
            a + b,
            a - b,
            a * b,
            a / b,
            a.min(b),
            a.max(b),
            a.abs(),
            a.copysign(b),
            a.select_non_negative(b, half),
            a.select_positive(b, half),
            a.inverse_sqrt(),
        ];
        for number in numbers {
            let mut lanes = Lanes::ZERO;
            number.store(&mut lanes);
            self.out.numbers.push(lanes.0.map(bits));
        }
        self.out.words.push(V::low_8_bits([a, b, half, a]));
        self.out.words.push(V::low_16_bits([a, b]));
        self.out.quads.push(V::low_16_bits_of_four([a, b, half, a]));
        self.out.quads.push(V::to_f16_bits([a, b, half, a]));
    }
}

fn bits(number: f32) -> u32 {
    match number.is_nan() {
        true => f32::NAN.to_bits(),
        false => number.to_bits(),
    }
}

/// The same results by plain float32.
fn expected(a: &Lanes, b: &Lanes) -> Results {
    let each = |of: fn(f32, f32) -> f32| std::array::from_fn(|lane| bits(of(a.0[lane], b.0[lane])));
    let bytes = |lane: usize| [a.0[lane], b.0[lane], 0.5, a.0[lane]].map(f32::to_bits);
    let quad = |quad: [u16; 4]| {
        quad.iter()
            .rev()
            .fold(0, |all, &x| all << 16 | u64::from(x))
    };
    Results {
        numbers: vec![
            each(|a, b| a + b),
            each(|a, b| a - b),
            each(|a, b| a * b),
            each(|a, b| a / b),
            each(|a, b| if a < b { a } else { b }),
            each(|a, b| if a > b { a } else { b }),
            each(|a, _| a.abs()),
            each(f32::copysign),
            each(|a, b| if a >= 0.0 { b } else { 0.5 }),
            each(|a, b| if a > 0.0 { b } else { 0.5 }),
            each(|a, _| 1.0 / a.sqrt()),
        ],
        words: vec![
            std::array::from_fn(|lane| u32::from_le_bytes(bytes(lane).map(|x| x as u8))),
            std::array::from_fn(|lane| {
                let [low, high, ..] = bytes(lane);
                low & 0xffff | high << 16
            }),
        ],
        quads: vec![
            std::array::from_fn(|lane| quad(bytes(lane).map(|x| x as u16))),
            std::array::from_fn(|lane| {
                let numbers = [a.0[lane], b.0[lane], 0.5, a.0[lane]];
                quad(numbers.map(|x| f16::from_f32_const(x).to_bits()))
            }),
        ],
    }
}

/// Any bits, and often numbers that float16 holds, ties on, or cannot reach.
fn lanes() -> impl Strategy<Value = Lanes> {
    let tie = (0u32..0x8000).prop_map(|x| f16::from_bits(x as u16).to_f32().to_bits() | 0x1000);
    let number = prop_oneof![
        any::<u32>().prop_map(f32::from_bits),
        tie.prop_map(f32::from_bits),
        -70_000.0..70_000.0f32,
        -1e-4..1e-4f32,
        prop::sample::select(vec![
            0.0,
            -0.0,
            1.0,
            65_504.0,
            65_519.0,
            65_520.0,
            f32::INFINITY
        ]),
    ];
    prop::array::uniform8(number).prop_map(Lanes)
}

proptest! {
    #[test]
    fn every_level_matches_plain_floats(a in lanes(), b in lanes()) {
        let expected = expected(&a, &b);
        for level in Level::available() {
            let mut out = Results::default();
            level.run(AllOperations { a: &a, b: &b, out: &mut out });
            prop_assert_eq!(&out, &expected, "{}", level);
        }
    }
}
