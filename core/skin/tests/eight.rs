//! Eight numbers at a time against one at a time, at every level that the machine has: any bits at all.

use half::f16;
use proptest::prelude::*;
use throng_skin::fast::{BATCH, Eight, Lanes, Level, Task};

/// What the operations make of two batches.
#[derive(Debug, Default, PartialEq)]
struct Results {
    /// Bits, so that the sign of a zero counts; any NaN is as good as another.
    numbers: Vec<[u32; BATCH]>,
    words: Vec<[u32; BATCH]>,
    texels: Vec<[u64; BATCH]>,
}

struct AllOf<'a> {
    a: &'a Lanes,
    b: &'a Lanes,
    out: &'a mut Results,
}

impl Task for AllOf<'_> {
    fn run<V: Eight>(self) {
        let (a, b, half) = (V::load(self.a), V::load(self.b), V::splat(0.5));
        let numbers = [
            a + b,
            a - b,
            a * b,
            a.over(b),
            a.less(b),
            a.greater(b),
            a.abs(),
            a.with_sign(b),
            a.choose_not_negative(b, half),
        ];
        for number in numbers {
            let mut lanes = Lanes::ZERO;
            number.store(&mut lanes);
            self.out.numbers.push(lanes.0.map(bits));
        }
        self.out.words.push(V::last_bytes([a, b, half, a]));
        self.out.words.push(V::last_pairs([a, b]));
        self.out.texels.push(V::last_quads([a, b, half, a]));
        self.out.texels.push(V::halves([a, b, half, a]));
    }
}

fn bits(number: f32) -> u32 {
    match number.is_nan() {
        true => f32::NAN.to_bits(),
        false => number.to_bits(),
    }
}

/// The same, by the language's own operations.
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
        ],
        words: vec![
            std::array::from_fn(|lane| u32::from_le_bytes(bytes(lane).map(|x| x as u8))),
            std::array::from_fn(|lane| {
                let [low, high, ..] = bytes(lane);
                low & 0xffff | high << 16
            }),
        ],
        texels: vec![
            std::array::from_fn(|lane| quad(bytes(lane).map(|x| x as u16))),
            std::array::from_fn(|lane| {
                let numbers = [a.0[lane], b.0[lane], 0.5, a.0[lane]];
                quad(numbers.map(|x| f16::from_f32_const(x).to_bits()))
            }),
        ],
    }
}

/// Any bits, and often numbers that halves hold, tie on, or do not reach.
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
    fn every_level_computes_what_plain_floats_do(a in lanes(), b in lanes()) {
        let expected = expected(&a, &b);
        for level in Level::ALL.into_iter().filter(|level| level.available()) {
            let mut out = Results::default();
            level.run(AllOf { a: &a, b: &b, out: &mut out });
            prop_assert_eq!(&out, &expected, "{}", level);
        }
    }
}
