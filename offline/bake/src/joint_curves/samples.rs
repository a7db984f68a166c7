//! Times at which a clip is sampled.

use std::sync::Arc;

use rayon::prelude::*;
use throng_rig::{Character, Clip, LocalPose, Track, Transform};

use crate::accuracy::source_intervals;

/// A clip and its sample rate.
#[derive(Debug, Clone, Copy)]
pub struct ClipSpan<'c> {
    /// The clip.
    pub clip: &'c Clip,
    /// Number of intervals of equal duration at the clip's native rate; errors are measured at these.
    pub frames: u32,
}

impl<'c> ClipSpan<'c> {
    /// Uses the clip's native rate.
    pub fn new(clip: &'c Clip) -> Self {
        Self {
            clip,
            frames: u32::try_from(source_intervals(clip)).unwrap_or(u32::MAX),
        }
    }

    /// Returns `per_frame` times per interval, and the end.
    pub fn times(&self, per_frame: u32) -> impl Iterator<Item = f64> + 'c {
        let steps = self.frames * per_frame;
        let (start, duration) = (self.clip.start_secs(), self.clip.duration_secs());
        (0..=steps).map(move |step| start + duration * f64::from(step) / f64::from(steps.max(1)))
    }
}

/// Samples of several clips. They are kept as far as memory allows; those of the last clips of a large library are taken
/// each time they are needed.
#[derive(Debug)]
pub struct SampledClips<'c> {
    character: &'c Character,
    joints: Vec<usize>,
    /// The clips.
    pub spans: Vec<ClipSpan<'c>>,
    kept: Vec<Option<Arc<ClipSamples>>>,
}

/// Most bytes of samples that are kept.
const MAX_KEPT_BYTES: usize = 256 << 20;

impl<'c> SampledClips<'c> {
    /// Samples some joints of all clips.
    pub fn new(character: &'c Character, joints: Vec<usize>, clips: &[&'c Clip]) -> Self {
        Self::with_memory(character, joints, clips, MAX_KEPT_BYTES)
    }

    fn with_memory(
        character: &'c Character,
        joints: Vec<usize>,
        clips: &[&'c Clip],
        max_bytes: usize,
    ) -> Self {
        let spans: Vec<ClipSpan<'_>> = clips.iter().map(|clip| ClipSpan::new(clip)).collect();
        let mut bytes = 0usize;
        let is_kept: Vec<bool> = spans
            .iter()
            .map(|span| {
                let samples = (span.frames as usize).saturating_mul(2 * joints.len());
                bytes = bytes.saturating_add(samples.saturating_mul(size_of::<Transform>()));
                bytes <= max_bytes
            })
            .collect();
        let sample = |span| Arc::new(ClipSamples::new(character, &joints, span));
        let kept = spans
            .par_iter()
            .zip(is_kept)
            .map(|(span, is_kept)| is_kept.then(|| sample(span)))
            .collect();
        Self {
            character,
            joints,
            spans,
            kept,
        }
    }

    /// Returns the samples of a clip.
    pub fn of(&self, clip: usize) -> Arc<ClipSamples> {
        match &self.kept[clip] {
            Some(kept) => kept.clone(),
            None => {
                let span = &self.spans[clip];
                Arc::new(ClipSamples::new(self.character, &self.joints, span))
            }
        }
    }
}

/// Transforms of bones at equally spaced times of a clip.
#[derive(Debug)]
pub struct ClipSamples {
    start_secs: f64,
    /// Time between two samples.
    step_secs: f64,
    /// In the parent's space, by bone and sample.
    pub bones: Vec<Vec<Transform>>,
}

/// Largest distance of a time from a sample that stands for it, in steps.
const SAME_TIME: f64 = 1e-6;

impl ClipSamples {
    /// Samples some joints of a clip twice per frame.
    pub fn new(character: &Character, joints: &[usize], span: &ClipSpan<'_>) -> Self {
        const PER_FRAME: u32 = 2;
        let steps = span.frames * PER_FRAME;
        let mut pose = LocalPose::rest(character);
        let mut bones: Vec<Vec<Transform>> = (joints.iter())
            .map(|_| Vec::with_capacity(steps as usize + 1))
            .collect();
        for time in span.times(PER_FRAME) {
            pose.sample(character, span.clip, time);
            for (samples, &joint) in bones.iter_mut().zip(joints) {
                samples.push(pose.joints[joint]);
            }
        }
        Self {
            start_secs: span.clip.start_secs(),
            step_secs: span.clip.duration_secs() / f64::from(steps.max(1)),
            bones,
        }
    }

    /// Returns the index of the sample at a time, where samples are as far apart as `step_secs`; the last sample stands
    /// for all times after it.
    pub fn index_at(&self, secs: f64, step_secs: f64) -> Option<usize> {
        let position = (secs - self.start_secs) / self.step_secs;
        let nearest = position.round();
        // Also false where the clip has no duration.
        let is_same = (position - nearest).abs() < SAME_TIME
            && (step_secs / self.step_secs - 1.0).abs() < SAME_TIME / nearest.max(1.0);
        is_same.then_some(nearest as usize)
    }
}

/// Division of a clip into segments.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cut {
    /// Duration of a segment: a whole number of intervals between the clip's keys where possible.
    pub segment_secs: f64,
    /// Number of segments; the last may extend past the clip's end.
    pub segments: u32,
    /// Intervals between the clip's keys per segment, or 0.
    pub native_frames: u32,
    /// Number of samples of a segment: two per frame or interval, four where keys are between frames, and its end.
    pub samples: usize,
}

/// Number of frames that a short segment is sampled like.
const LEAST_FRAMES: usize = 24;
/// The same where some keys are between frames: enough samples for as many spans as a curve may have.
const DENSE_LEAST_FRAMES: usize = 36;
/// Number of samples per frame where all keys are at frames: the source is linear in between.
const SAMPLES: usize = 2;
/// Number of samples per frame where some keys are between frames.
const DENSE_SAMPLES: usize = 4;
/// Most intervals of a segment: a curve has as many spans.
const MAX_FRAMES: u32 = 64;

impl Cut {
    /// Divides into segments of about `target_secs`, sampled `density` times as often as by default.
    pub fn new(span: &ClipSpan<'_>, target_secs: f64, density: usize) -> Self {
        let duration = span.clip.duration_secs();
        if duration <= 0.0 {
            return Self {
                segment_secs: 1.0,
                segments: 1,
                native_frames: 0,
                samples: 1,
            };
        }
        let (spacing, is_grid) = key_grid(span.clip).unwrap_or((duration, true));
        let (per_frame, least_frames) = match is_grid {
            true => (SAMPLES, LEAST_FRAMES),
            false => (DENSE_SAMPLES, DENSE_LEAST_FRAMES),
        };
        let frames = ((duration / spacing - 1e-3).ceil() as u32).max(1);
        let target = (target_secs / spacing).clamp(1.0, f64::from(MAX_FRAMES));
        // Of the counts that extend least past the end, the nearest to the target.
        let (low, high) = ((target * 0.6).ceil() as u32, (target * 1.4).floor() as u32);
        let past = |count: u32| frames.div_ceil(count) * count - frames;
        let frames_per_segment = (low.max(1)..=high.clamp(1, MAX_FRAMES))
            .min_by_key(|&count| (past(count), (f64::from(count) - target).abs() as u32))
            .unwrap_or(1)
            .min(frames);
        let mut segment_secs = f64::from(frames_per_segment) * spacing;
        let mut native_frames = frames_per_segment;
        let parts = (segment_secs / target_secs / 1.4).ceil();
        if parts > 1.0 {
            // Keys are farther apart than a segment is long.
            segment_secs /= parts;
            native_frames = 1;
        }
        let segments = ((duration / segment_secs - 1e-3).ceil() as u32).max(1);
        let rate = f64::from(span.frames) / duration;
        let frames = (segment_secs * rate - 1e-3).ceil().max(1.0) as u32;
        Self {
            segment_secs,
            segments,
            native_frames,
            samples: (frames.max(native_frames) as usize * per_frame)
                .next_multiple_of(native_frames as usize)
                * (least_frames / frames as usize).max(1)
                * density
                + 1,
        }
    }
}

/// Returns the spacing of a grid that contains the clip's keys, and true: that of its finest keys, or a fraction of it where
/// some keys are between grid points. Where there is no such grid, returns the spacing of its finest keys, and false.
fn key_grid(clip: &Clip) -> Option<(f64, bool)> {
    let finest = clip.finest_spacing_secs()?;
    let times = || {
        clip.joints().iter().flat_map(|tracks| {
            let translation = tracks.translation.iter().flat_map(Track::times);
            let rotation = tracks.rotation.iter().flat_map(Track::times);
            let scale = tracks.scale.iter().flat_map(Track::times);
            translation.chain(rotation).chain(scale)
        })
    };
    let off = |spacing: f64| {
        times().any(|time| {
            let position = (time - clip.start_secs()) / spacing;
            (position - position.round()).abs() > 0.02
        })
    };
    let mut parts = (1..=6).map(|parts| finest / f64::from(parts));
    let grid = parts.find(|&spacing| spacing > 1.0 / 250.0 && !off(spacing));
    Some(grid.map_or((finest, false), |spacing| (spacing, true)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_that_are_not_kept_are_taken_again() {
        let character = throng_import::builtin::builtin("humanoid:500").unwrap();
        let clips: Vec<&Clip> = character.clips().iter().collect();
        let joints = vec![0, 5];
        let all = SampledClips::new(&character, joints.clone(), &clips);
        let first = ClipSpan::new(clips[0]).frames as usize * 4 * size_of::<Transform>();
        let some = SampledClips::with_memory(&character, joints, &clips, first);
        let kept = |clips: &SampledClips<'_>| clips.kept.iter().flatten().count();
        assert_eq!((kept(&all), kept(&some)), (clips.len(), 1));
        for clip in 0..clips.len() {
            assert_eq!(all.of(clip).bones, some.of(clip).bones);
        }
    }

    #[test]
    fn samples_of_a_clip_stand_for_times_on_their_grid_only() {
        let character = throng_import::builtin::builtin("humanoid:500").unwrap();
        let clip = &character.clips()[0];
        let span = ClipSpan::new(clip);
        let joints: Vec<usize> = (0..character.skeleton().len()).collect();
        let samples = ClipSamples::new(&character, &joints, &span);
        let step_secs = clip.duration_secs() / f64::from(2 * span.frames);
        let at = |step: f64| clip.start_secs() + step_secs * step;
        assert_eq!(samples.index_at(at(6.0), step_secs), Some(6));
        assert_eq!(samples.index_at(at(6.5), step_secs), None);
        assert_eq!(samples.index_at(at(6.0), 0.5 * step_secs), None);
        let mut pose = LocalPose::rest(&character);
        pose.sample(&character, clip, at(6.0));
        for (&joint, samples) in joints.iter().zip(&samples.bones) {
            let error = samples[6].rotation.dot(pose.joints[joint].rotation).abs() - 1.0;
            assert!(error.abs() < 1e-9, "joint {joint}: {error}");
        }
    }
}
