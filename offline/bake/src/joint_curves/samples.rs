//! When a clip is looked at.

use throng_rig::{Clip, Track};

use crate::accuracy::source_intervals;

/// A clip and the rate it is looked at.
#[derive(Debug, Clone, Copy)]
pub struct ClipSpan<'c> {
    /// The clip.
    pub clip: &'c Clip,
    /// Its own frames: intervals of equal length, those that errors are measured at.
    pub frames: u32,
}

impl<'c> ClipSpan<'c> {
    /// At the clip's own rate.
    pub fn new(clip: &'c Clip) -> Self {
        Self {
            clip,
            frames: u32::try_from(source_intervals(clip)).unwrap_or(u32::MAX),
        }
    }

    /// So many times a frame, and the end.
    pub fn times(&self, per_frame: u32) -> impl Iterator<Item = f64> + 'c {
        let steps = self.frames * per_frame;
        let (start, duration) = (self.clip.start_secs(), self.clip.duration_secs());
        (0..=steps).map(move |step| start + duration * f64::from(step) / f64::from(steps.max(1)))
    }
}

/// How a clip is cut into segments.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cut {
    /// How long a segment is: a whole number of intervals between the clip's own keys where that can be.
    pub segment_secs: f64,
    /// How many there are; the last may go on past the clip's end.
    pub segments: u32,
    /// Intervals between the clip's own keys in a segment, or 0.
    pub own_frames: u32,
    /// Times that a segment is looked at: four a frame or interval, and its end.
    pub samples: usize,
}

/// Times that a short segment is looked at.
const LEAST_SAMPLES: usize = 96;
/// Intervals that a segment may have: a curve has as many spans.
const MAX_FRAMES: u32 = 64;

impl Cut {
    /// Segments of about a length, looked at so many times as often as is usual.
    pub fn new(span: &ClipSpan<'_>, target_secs: f64, density: usize) -> Self {
        let duration = span.clip.duration_secs();
        if duration <= 0.0 {
            return Self {
                segment_secs: 1.0,
                segments: 1,
                own_frames: 0,
                samples: 1,
            };
        }
        let spacing = key_grid(span.clip).unwrap_or(duration);
        let frames = ((duration / spacing - 1e-3).ceil() as u32).max(1);
        let target = (target_secs / spacing).clamp(1.0, f64::from(MAX_FRAMES));
        // The nearest to the target of those that reach least past the end.
        let (low, high) = ((target * 0.6).ceil() as u32, (target * 1.4).floor() as u32);
        let past = |own: u32| frames.div_ceil(own) * own - frames;
        let own = (low.max(1)..=high.clamp(1, MAX_FRAMES))
            .min_by_key(|&own| (past(own), (f64::from(own) - target).abs() as u32))
            .unwrap_or(1)
            .min(frames);
        let mut segment_secs = f64::from(own) * spacing;
        let mut own_frames = own;
        let parts = (segment_secs / target_secs / 1.4).ceil();
        if parts > 1.0 {
            // Keys are farther apart than a segment is long.
            segment_secs /= parts;
            own_frames = 1;
        }
        let segments = ((duration / segment_secs - 1e-3).ceil() as u32).max(1);
        let rate = f64::from(span.frames) / duration;
        let frames = (segment_secs * rate - 1e-3).ceil().max(1.0) as u32;
        Self {
            segment_secs,
            segments,
            own_frames,
            samples: (frames.max(own_frames) as usize * 4).next_multiple_of(own_frames as usize)
                * (LEAST_SAMPLES / (frames as usize * 4)).max(1)
                * density
                + 1,
        }
    }
}

/// The spacing of a grid that the clip's keys stand on: that of its finest keys, or a small part of it
/// where some are off that by less than an interval.
fn key_grid(clip: &Clip) -> Option<f64> {
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
            let place = (time - clip.start_secs()) / spacing;
            (place - place.round()).abs() > 0.02
        })
    };
    let parts = (1..=6).map(|parts| finest / f64::from(parts));
    Some(
        parts
            .into_iter()
            .find(|&s| s > 1.0 / 250.0 && !off(s))
            .unwrap_or(finest),
    )
}
