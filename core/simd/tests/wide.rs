//! Fused and wide operations against plain float32, at every level that the machine has.

use throng_simd::{F32x8, LANES, Lanes, Level, Task, Wide, WideTask};

fn lanes(of: impl Fn(f32) -> f32) -> Lanes {
    Lanes(std::array::from_fn(|lane| of(lane as f32)))
}

fn assert_close(found: &Lanes, expected: impl Fn(f32) -> f32, tolerance: f32, level: Level) {
    for (lane, &number) in found.0.iter().enumerate() {
        let expected = expected(lane as f32);
        let error = (number - expected).abs();
        assert!(
            error <= tolerance * expected.abs(),
            "{level}, lane {lane}: {number}, expected {expected}"
        );
    }
}

/// Reads two [`Lanes`], applies an operation, and writes two [`Lanes`].
struct Apply<'a, O> {
    operation: O,
    numbers: [&'a Lanes; 2],
    out: [&'a mut Lanes; 2],
    streams: bool,
}

trait Operation {
    fn apply<V: Wide>(self, numbers: V) -> V;
}

impl<O: Operation> WideTask for Apply<'_, O> {
    #[inline(always)]
    fn run<V: Wide>(self) {
        let [a, b] = self.numbers;
        let [first, second] = self.out;
        let result = self.operation.apply(V::load_pair(a, b));
        let second = (V::WIDTH == 2).then_some(second);
        match self.streams {
            true => result.stream_pair(first, second),
            false => result.store_pair(first, second),
        }
    }
}

struct MulAdd;
impl Operation for MulAdd {
    #[inline(always)]
    fn apply<V: Wide>(self, numbers: V) -> V {
        let (two, three) = (V::splat(2.0), V::splat_lanes(&Lanes([3.0; LANES])));
        let sum = numbers.mul_add(two, three);
        let difference = sum.mul_sub(two, three);
        difference.neg_mul_add(two, three)
    }
}

struct InverseSqrt;
impl Operation for InverseSqrt {
    #[inline(always)]
    fn apply<V: Wide>(self, numbers: V) -> V {
        numbers.fast_inverse_sqrt()
    }
}

struct SelectBelow;
impl Operation for SelectBelow {
    #[inline(always)]
    fn apply<V: Wide>(self, numbers: V) -> V {
        assert!(numbers.any_below(103.0));
        assert!(!numbers.any_below(100.0));
        assert!((numbers * V::splat(f32::NAN)).any_below(0.0));
        numbers.select_below(103.0, V::splat(-1.0), numbers)
    }
}

#[test]
fn wide_operations_match_plain_floats() {
    let (first, second) = (lanes(|lane| 100.0 + lane), lanes(|lane| 200.0 + lane));
    for level in Level::available() {
        for streams in [false, true] {
            let mut out = [Lanes::ZERO; 2];
            let [a, b] = &mut out;
            level.run_wide(Apply {
                operation: MulAdd,
                numbers: [&first, &second],
                out: [a, b],
                streams,
            });
            let expected = |x: f32| 3.0 - 2.0 * (2.0 * (2.0 * x + 3.0) - 3.0);
            assert_close(&out[0], |lane| expected(100.0 + lane), 0.0, level);
            if level == Level::Avx512 {
                assert_close(&out[1], |lane| expected(200.0 + lane), 0.0, level);
            } else {
                assert_eq!(out[1], Lanes::ZERO, "{level}");
            }
        }
    }
}

#[test]
fn fast_inverse_sqrt_is_within_its_error() {
    let (first, second) = (lanes(|lane| 0.1 + 7.0 * lane), lanes(|lane| 1e-6 + lane));
    for level in Level::available() {
        let mut out = [Lanes::ZERO; 2];
        let [a, b] = &mut out;
        level.run_wide(Apply {
            operation: InverseSqrt,
            numbers: [&first, &second],
            out: [a, b],
            streams: false,
        });
        assert_close(
            &out[0],
            |lane| (0.1 + 7.0 * lane).sqrt().recip(),
            3e-7,
            level,
        );
    }
}

#[test]
fn select_below_takes_small_numbers_and_nan() {
    let first = lanes(|lane| 100.0 + lane);
    for level in Level::available() {
        let mut out = [Lanes::ZERO; 2];
        let [a, b] = &mut out;
        level.run_wide(Apply {
            operation: SelectBelow,
            numbers: [&first, &first],
            out: [a, b],
            streams: false,
        });
        let expected = lanes(|lane| if lane < 3.0 { -1.0 } else { 100.0 + lane });
        assert_eq!(out[0], expected, "{level}");
    }
}

/// Writes the transposed rows, and the lanes as matrices.
struct Transpose<'a> {
    rows: [&'a Lanes; LANES],
    columns: &'a mut [Lanes; LANES],
    matrices: &'a mut [[[f32; 4]; 3]],
    stride: usize,
}

impl Task for Transpose<'_> {
    #[inline(always)]
    fn run<V: F32x8>(self) {
        let [a, b, c, d, e, f, g, h] = V::from_rows(self.rows);
        for (vector, out) in [a, b, c, d, e, f, g, h].into_iter().zip(self.columns) {
            vector.store(out);
        }
        let matrix = [[a, b, c, d], [e, f, g, h], [h, g, f, e]];
        V::write_matrices(matrix, self.matrices, self.stride);
    }
}

#[test]
fn rows_are_transposed_both_ways() {
    let rows: [Lanes; LANES] = std::array::from_fn(|row| lanes(|lane| 10.0 * row as f32 + lane));
    for level in Level::available() {
        for stride in [1, 3] {
            let mut columns = [Lanes::ZERO; LANES];
            let mut matrices = vec![[[-1.0; 4]; 3]; 7 * stride + 1];
            level.run(Transpose {
                rows: rows.each_ref(),
                columns: &mut columns,
                matrices: &mut matrices,
                stride,
            });
            for (number, column) in columns.iter().enumerate() {
                assert_eq!(column.0, rows.map(|row| row.0[number]), "{level}");
            }
            for (index, matrix) in matrices.iter().enumerate() {
                let expected = match index % stride {
                    0 => {
                        let [a, b, c, d, e, f, g, h] = rows[index / stride].0;
                        [[a, b, c, d], [e, f, g, h], [h, g, f, e]]
                    }
                    _ => [[-1.0; 4]; 3],
                };
                assert_eq!(*matrix, expected, "{level}, matrix {index}");
            }
        }
    }
}

#[test]
fn write_matrices_rejects_a_short_slice() {
    let rows = [Lanes::ZERO; LANES];
    for level in Level::available() {
        for (matrices, stride) in [(7, 1), (21, 3), (8, usize::MAX / 4)] {
            let written = std::panic::catch_unwind(|| {
                level.run(Transpose {
                    rows: rows.each_ref(),
                    columns: &mut [Lanes::ZERO; LANES],
                    matrices: &mut vec![[[0.0; 4]; 3]; matrices],
                    stride,
                });
            });
            assert!(written.is_err(), "{level}, {matrices} by {stride}");
        }
    }
}
