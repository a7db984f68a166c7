//! Bounding boxes of clips that hold between frames too.
//!
//! Vertices are sampled at the rate of the source. Between two samples, a vertex on an arc leaves the box of both by at most
//! its sagitta. That is about an eighth of the second difference of its positions, and less than a quarter on arcs of up to
//! 100°. Each vertex widens the box by a quarter of its own second difference.

use rayon::prelude::*;
use throng_rig::Bounds;
use throng_simd::{LANES, Lanes};

use crate::accuracy::source_intervals;
use crate::plan::{BakePlan, ClipPlan};
use crate::sampler::{Scratch, VertexSampler};

/// Part of a second difference that a vertex may be off between samples.
const OVERSHOOT: f32 = 0.25;
/// Rounding of float32, as a part of the size.
const ROUNDING_OF_SIZE: f64 = 2e-6;
/// Samples that one task adds.
const TASK_SAMPLES: u64 = 64;

/// Widens the boxes of a plan's clips to the motion between frames, and by an error in metres.
pub(crate) fn widen(
    bounds: &mut [Bounds],
    sampler: &VertexSampler<'_>,
    plan: &BakePlan,
    error_m: f64,
) {
    let tasks = plan.clips.iter().enumerate().flat_map(|(index, clip)| {
        let intervals = source_intervals(&sampler.character().clips()[clip.clip]).max(2);
        (0..=intervals)
            .step_by(TASK_SAMPLES as usize)
            .map(move |first| (index, intervals, first))
    });
    let tasks: Vec<(usize, u64, u64)> = tasks.collect();
    let boxes: Vec<Bounds> = tasks
        .par_iter()
        .map_init(
            || (sampler.scratch(), Trails::default()),
            |(scratch, trails), &(clip, intervals, first)| {
                let last = (first + TASK_SAMPLES).min(intervals);
                let samples = first.saturating_sub(2)..=last;
                trails.bounds(sampler, scratch, &plan.clips[clip], samples, intervals)
            },
        )
        .collect();
    for ((clip, ..), found) in tasks.iter().zip(&boxes) {
        bounds[*clip].union(found);
    }
    let margin = error_m + ROUNDING_OF_SIZE * sampler.size();
    for bounds in bounds.iter_mut().filter(|bounds| !bounds.is_empty()) {
        bounds.min -= margin;
        bounds.max += margin;
    }
}

/// Positions of all batches at the last two samples.
#[derive(Default)]
struct Trails {
    last: Vec<[Lanes; 3]>,
    before: Vec<[Lanes; 3]>,
}

impl Trails {
    /// Bounding box of some samples of a clip, and of the motion between them.
    fn bounds(
        &mut self,
        sampler: &VertexSampler<'_>,
        scratch: &mut Scratch,
        clip: &ClipPlan,
        samples: std::ops::RangeInclusive<u64>,
        intervals: u64,
    ) -> Bounds {
        let mut least = [Lanes([f32::INFINITY; LANES]); 3];
        let mut greatest = [Lanes([f32::NEG_INFINITY; LANES]); 3];
        for (count, sample) in samples.enumerate() {
            let secs = clip.start_secs + clip.duration_secs * (sample as f64 / intervals as f64);
            sampler.sample_pieces(clip.clip, secs, scratch, |piece| {
                for index in 0..piece.len() {
                    let number = piece.first_batch + index;
                    let positions = *piece.batch(index).positions;
                    if self.last.len() <= number {
                        self.last.resize(number + 1, [Lanes::ZERO; 3]);
                        self.before.resize(number + 1, [Lanes::ZERO; 3]);
                    }
                    let trail = [self.before[number], self.last[number], positions];
                    // Two samples have no second difference.
                    let known = &trail[2 - count.min(2)..];
                    let margin = match count {
                        0 | 1 => Lanes::ZERO,
                        _ => overshoot(&trail),
                    };
                    for positions in known {
                        for axis in 0..3 {
                            grow(
                                &mut least[axis],
                                &mut greatest[axis],
                                &positions[axis],
                                &margin,
                            );
                        }
                    }
                    self.before[number] = trail[1];
                    self.last[number] = positions;
                }
            });
        }
        let mut bounds = Bounds::EMPTY;
        for lane in 0..LANES {
            let corner = |of: &[Lanes; 3]| {
                glam::DVec3::from_array([0, 1, 2].map(|axis| of[axis].0[lane].into()))
            };
            bounds.min = bounds.min.min(corner(&least));
            bounds.max = bounds.max.max(corner(&greatest));
        }
        bounds
    }
}

/// Largest distance of eight vertices from the box of their samples.
fn overshoot([a, b, c]: &[[Lanes; 3]; 3]) -> Lanes {
    let mut out = Lanes::ZERO;
    for lane in 0..LANES {
        let second = |axis: usize| a[axis].0[lane] - 2.0 * b[axis].0[lane] + c[axis].0[lane];
        let [x, y, z] = [0, 1, 2].map(second);
        out.0[lane] = OVERSHOOT * (x * x + y * y + z * z).sqrt();
    }
    out
}

fn grow(least: &mut Lanes, greatest: &mut Lanes, numbers: &Lanes, margin: &Lanes) {
    for lane in 0..LANES {
        let (number, margin) = (numbers.0[lane], margin.0[lane]);
        least.0[lane] = least.0[lane].min(number - margin);
        greatest.0[lane] = greatest.0[lane].max(number + margin);
    }
}
