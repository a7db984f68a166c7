//! Clips compressed until their error is within a maximum. Each clip is measured on its own.

use rayon::prelude::*;
use throng_format::TextureSet;
use throng_rig::Character;
use throng_skin::rest_size;

use crate::accuracy::{ClipToMeasure, MeasuredClip, measure_clips_of};
use crate::curves::ClipWords;
use crate::plan::BakePlan;
use crate::progress_span::ProgressSpan;
use crate::sampler::Counter;
use crate::{BakeError, Progress};

/// Thousandths of the progress until curves are compressed.
const COMPRESSING: usize = 600;
/// Thousandths of the progress until they are measured; further attempts are seldom needed.
const MEASURING: usize = 950;
/// Most attempts at clips that exceed the error.
const ATTEMPTS: usize = 6;
/// Excess over the maximum error from which it is a motion between the sampled times.
const MISSED_MOTION: f64 = 1.03;
/// Densest sampling of a clip, as a multiple of the default.
const MAX_DENSITY: usize = 4;

/// The error that clips are compressed for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Goal<'c> {
    /// The source, in drawing order.
    pub character: &'c Character,
    pub max_error_of_size: f64,
    /// Error that clips are compressed for at first, in metres.
    pub first_error: f64,
    /// True where the error of a clip depends on the other clips of its set.
    pub measure_together: bool,
}

/// The error that a clip is compressed for, and how densely it is sampled.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Target {
    /// In metres.
    pub error: f64,
    pub density: usize,
}

/// Compressed and measured clips of a plan.
pub(crate) struct CompressedWithin {
    pub words: Vec<ClipWords>,
    pub measured: Vec<MeasuredClip>,
    /// Largest error of each clip, as a part of the maximum error.
    pub of_goal: Vec<f64>,
    /// The set of all clips, where no clip was compressed again.
    pub set: Option<TextureSet>,
}

/// Compresses the clips of a plan and measures them. Clips that exceed the maximum error are compressed again, for a smaller
/// one or from more samples, and only these are measured again. Of a clip that is never within the error, the most accurate
/// attempt is kept. `assemble` makes a set of some clips, given by their indices in the plan.
pub(crate) fn compress_within(
    goal: &Goal<'_>,
    plan: &BakePlan,
    compress: impl Fn(usize, &Target) -> ClipWords + Sync,
    assemble: impl Fn(&[usize], &[&ClipWords]) -> Result<TextureSet, BakeError>,
    progress: &dyn Progress,
) -> Result<CompressedWithin, BakeError> {
    let count = plan.clips.len();
    let size_m = rest_size(goal.character);
    let of_goal = |clip: &MeasuredClip| clip.max_of_size(size_m) / goal.max_error_of_size;
    let measure = |set: &TextureSet, clips: &[usize], progress: &ProgressSpan<'_>| {
        let clips = clips.iter().map(|&clip| ClipToMeasure {
            source_clip: plan.clips[clip].clip,
            looping: plan.clips[clip].looping,
        });
        measure_clips_of(set, goal.character, clips.collect(), progress)
    };
    let span = ProgressSpan::whole(progress);
    let compressing = span.between(0, COMPRESSING);
    progress.stage("compressing curves");
    let done = Counter::new(count, &compressing);
    let first = Target {
        error: goal.first_error,
        density: 1,
    };
    let compress_first = |clip| {
        let words = compress(clip, &first);
        done.step();
        words
    };
    let words: Vec<ClipWords> = (0..count).into_par_iter().map(compress_first).collect();
    let all: Vec<usize> = (0..count).collect();
    let set = assemble(&all, &words.iter().collect::<Vec<_>>())?;
    progress.stage("measuring the error");
    let measured = measure(&set, &all, &span.between(COMPRESSING, MEASURING))?;
    let mut best = CompressedWithin {
        words,
        of_goal: measured.iter().map(of_goal).collect(),
        measured,
        set: Some(set),
    };
    // Results of the latest attempt, from which the next targets follow.
    let mut latest = best.of_goal.clone();
    let mut targets = vec![first; count];
    for attempt in 1..ATTEMPTS {
        let again: Vec<usize> = (0..count)
            .filter(|&clip| best.of_goal[clip] > 1.0)
            .collect();
        if again.is_empty() {
            break;
        }
        for &clip in &again {
            let target = &mut targets[clip];
            if latest[clip] >= MISSED_MOTION && target.density < MAX_DENSITY {
                target.density *= 2;
            } else {
                target.error *= (0.97 / latest[clip]).max(0.6);
            }
        }
        best.set = None;
        progress.stage("compressing clips above the error again");
        let compressed: Vec<ClipWords> = again
            .par_iter()
            .map(|&clip| compress(clip, &targets[clip]))
            .collect();
        // Alone, or beside the other clips as they are.
        let (clips, mut words) = match goal.measure_together {
            false => (again.clone(), compressed.iter().collect::<Vec<_>>()),
            true => (all.clone(), best.words.iter().collect()),
        };
        if goal.measure_together {
            for (&clip, compressed) in again.iter().zip(&compressed) {
                words[clip] = compressed;
            }
        }
        let set = assemble(&clips, &words)?;
        progress.stage("measuring the error");
        let measuring = span.between(MEASURING, 1000).nth(attempt, ATTEMPTS);
        let mut measured = measure(&set, &clips, &measuring)?;
        drop(set);
        if goal.measure_together {
            let mut index = 0..count;
            measured.retain(|_| {
                index
                    .next()
                    .is_some_and(|i| again.binary_search(&i).is_ok())
            });
        }
        for ((clip, words), measured) in again.into_iter().zip(compressed).zip(measured) {
            latest[clip] = of_goal(&measured);
            if latest[clip] < best.of_goal[clip] {
                best.of_goal[clip] = latest[clip];
                best.words[clip] = words;
                best.measured[clip] = measured;
            }
        }
    }
    Ok(best)
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use throng_format::{Encoding, Source, Storage};
    use throng_import::builtin::builtin;

    use super::*;
    use crate::accuracy::{report_of, verify};
    use crate::bake::{bounds_of_clips, finish_curves, stored};
    use crate::compressed::{joint_curves, max_rate_hz, plan_clips};
    use crate::joint_curves::JointCompressor;
    use crate::order::drawing_order;
    use crate::sampler::VertexSampler;
    use crate::{BakeSettings, Effort};

    #[test]
    fn only_clips_above_the_error_are_compressed_and_measured_again() {
        let character = drawing_order(&builtin("humanoid:500").unwrap());
        let settings = BakeSettings {
            encoding: Encoding::BoneLocal,
            storage: Storage::Compressed,
            effort: Effort::Fast,
            clips: vec![0, 1, 2],
            ..BakeSettings::default()
        };
        let settings = settings.resolved().unwrap();
        let sampler = VertexSampler::new(&character, settings.skinning);
        let plan = BakePlan::new(&character, &settings, &sampler).unwrap();
        let bounds = bounds_of_clips(&sampler, &plan, 0.0);
        let mut parts = character.clone().into_parts();
        parts.clips.clear();
        let model = stored(parts, &settings, sampler.size()).unwrap().model;
        let max_error = settings.max_error_of_size * sampler.size();
        let clips = plan_clips(&character, &plan);
        let rate = max_rate_hz(&settings);
        let compressor = JointCompressor::new(&character, &clips, max_error, rate, settings.effort);
        let calls = [const { AtomicUsize::new(0) }; 3];
        // Clip 1 is poor at first, and clip 2 forever.
        let compress = |clip: usize, target: &Target| {
            let call = calls[clip].fetch_add(1, Ordering::Relaxed);
            let error = match (clip, call) {
                (1, 0) => 3.0 * max_error,
                (2, call) => (4.0 + call as f64) * max_error,
                _ => 0.8 * target.error,
            };
            compressor.words(clip, &compressor.compress(clip, error, 1))
        };
        let sets = RefCell::new(Vec::new());
        let assemble = |clips: &[usize], words: &[&ClipWords]| {
            sets.borrow_mut().push(clips.to_vec());
            let plan = plan.subset(clips);
            let durations = plan.clips.iter().map(|clip| clip.duration_secs);
            let words = words.iter().copied().zip(durations);
            let curves = joint_curves(&compressor, words, &settings)?;
            let bounds = clips.iter().map(|&clip| bounds[clip]).collect();
            let source = Source::in_memory("test");
            finish_curves(
                &sampler,
                &settings,
                (&plan, bounds),
                &model,
                &source,
                curves,
            )
        };
        let goal = Goal {
            character: &character,
            max_error_of_size: settings.max_error_of_size,
            first_error: max_error,
            measure_together: false,
        };
        let within = compress_within(&goal, &plan, compress, assemble, &()).unwrap();
        let calls = calls.map(AtomicUsize::into_inner);
        assert_eq!(calls, [1, 2, ATTEMPTS]);
        let mut expected = vec![vec![0, 1, 2], vec![1, 2]];
        expected.resize(ATTEMPTS, vec![2]);
        assert_eq!(*sets.borrow(), expected);
        assert!(within.set.is_none());
        let is_within: Vec<bool> = within.of_goal.iter().map(|&part| part <= 1.0).collect();
        assert_eq!(is_within, [true, true, false]);
        // The measurements of single clips add up to a verification of the whole set, to the bit.
        let words: Vec<&ClipWords> = within.words.iter().collect();
        let set = assemble(&[0, 1, 2], &words).unwrap();
        let report = report_of(&set, &character, within.measured);
        assert_eq!(report, verify(&set, &character, &()).unwrap());
        // Of the poor clip, the first attempt was the most accurate.
        let worst = report.error.clips[2].errors.overall.max_error_of_size;
        assert!(worst < 4.5 * settings.max_error_of_size, "{worst}");
    }
}
