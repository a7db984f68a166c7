//! Times at which a clip is measured: the samples of its source and three times between each two.

use throng_rig::{Clip, LoopPolicy};

use super::jumps::jump_times;

/// Lowest rate at which a source is measured.
const MIN_RATE_HZ: f64 = 30.0;
/// Highest rate at which a source is measured.
const MAX_RATE_HZ: f64 = 240.0;
/// Relative difference below which a rate is rounded to a whole number: key times are float32. It is half of the
/// difference between 29.97 and 30.
const WHOLE_RATE: f64 = 5e-4;
/// Part of an interval that may remain after the last whole one without counting as an interval.
const LEFT_OVER: f64 = 0.05;
/// Times per interval: its first sample and three between samples.
const STEPS: u64 = 4;
/// Distance from the end at which a wrapping clip is measured once more, in intervals.
const BEFORE_END: f64 = 1.0 / 64.0;
/// Distance from a jump within which a sample counts as at the jump, in intervals.
const AT_JUMP: f64 = 0.01;

/// Returns a source's native rate: that of its finest key spacing, clamped to 30..=240 Hz.
pub fn source_rate_hz(clip: &Clip) -> f64 {
    let rate = clip.finest_spacing_secs().map_or(MIN_RATE_HZ, |s| 1.0 / s);
    let whole = rate.round();
    let rate = if (rate - whole).abs() <= WHOLE_RATE * whole {
        whole
    } else {
        rate
    };
    rate.clamp(MIN_RATE_HZ, MAX_RATE_HZ)
}

/// Number of intervals of a clip at its native rate; zero where it has no duration.
pub fn source_intervals(clip: &Clip) -> u64 {
    let duration_secs = clip.duration_secs();
    if duration_secs <= 0.0 {
        return 0;
    }
    (duration_secs * source_rate_hz(clip) - LEFT_OVER)
        .ceil()
        .max(1.0) as u64
}

/// Kind of a measured time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeKind {
    /// A sample of the source.
    Sample,
    /// Between two samples.
    Between,
    /// The end of a wrapping clip, compared with the source's start.
    Seam,
    /// In an interval of the source with a jump.
    Jump,
}

/// A time to measure, in seconds from the clip's start.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlannedTime {
    /// Time of the reference.
    pub reference_secs: f64,
    /// Time of the tested playback.
    pub tested_secs: f64,
    /// Kind of the time.
    pub kind: TimeKind,
}

/// All times of a clip.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Timeline {
    pub duration_secs: f64,
    pub rate_hz: f64,
    looping: LoopPolicy,
    intervals: u64,
    jumps: Vec<f64>,
}

impl Timeline {
    pub fn new(clip: &Clip, looping: LoopPolicy, size_m: f64) -> Self {
        Self {
            duration_secs: clip.duration_secs(),
            rate_hz: source_rate_hz(clip),
            looping,
            intervals: source_intervals(clip),
            jumps: jump_times(clip, size_m),
        }
    }

    /// Number of times, at least one.
    pub fn len(&self) -> u64 {
        self.inside() + if self.wraps() { 2 } else { 0 }
    }

    fn inside(&self) -> u64 {
        STEPS * self.intervals + 1
    }

    fn wraps(&self) -> bool {
        self.looping == LoopPolicy::Wrap && self.intervals > 0
    }

    /// Returns a time: those inside the clip in order, then just before the end, then across the seam.
    pub fn at(&self, index: u64) -> PlannedTime {
        let end = self.duration_secs;
        let beyond = index.checked_sub(self.inside());
        let secs = match beyond {
            // The arithmetic reproduces both ends exactly.
            None => end * (index as f64 / (self.inside() - 1).max(1) as f64),
            Some(0) => end - BEFORE_END * self.interval_secs(),
            Some(_) => end,
        };
        let is_sample = beyond.is_none() && index.is_multiple_of(STEPS);
        let kind = match beyond {
            Some(1..) => TimeKind::Seam,
            _ if self.jumps_at(secs, is_sample) => TimeKind::Jump,
            _ if is_sample => TimeKind::Sample,
            _ => TimeKind::Between,
        };
        PlannedTime {
            reference_secs: if kind == TimeKind::Seam { 0.0 } else { secs },
            tested_secs: secs,
            kind,
        }
    }

    fn interval_secs(&self) -> f64 {
        self.duration_secs / self.intervals.max(1) as f64
    }

    /// A jump at a sample belongs to the interval that ends there, and to that sample: rounding decides whether the sample
    /// is before or after the jump.
    fn jumps_at(&self, secs: f64, is_sample: bool) -> bool {
        let interval = self.interval_secs();
        let slack = AT_JUMP * interval;
        let (after, until) = if is_sample {
            (secs - slack, secs + slack)
        } else {
            let start = (secs / interval).floor() * interval;
            (start + slack, start + interval + slack)
        };
        let next = self.jumps.partition_point(|&jump| jump <= after);
        // A jump at the start of the clip is never played.
        self.jumps[next..]
            .iter()
            .take_while(|&&jump| jump <= until)
            .any(|&jump| jump > slack)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;
    use throng_rig::{Interpolation, JointTracks, Track};

    fn clip(times: &[f64], values: Vec<Vec3>, interpolation: Interpolation) -> Clip {
        let tracks = JointTracks {
            translation: Some(Track::new(times.into(), values, interpolation).unwrap()),
            ..JointTracks::new(0)
        };
        Clip::new(String::new(), vec![tracks], vec![]).unwrap()
    }

    fn still(times: &[f64]) -> Clip {
        clip(times, vec![Vec3::ZERO; times.len()], Interpolation::Linear)
    }

    fn times(timeline: &Timeline) -> Vec<PlannedTime> {
        (0..timeline.len()).map(|i| timeline.at(i)).collect()
    }

    #[test]
    fn source_rate_is_between_30_and_240_hz() {
        let rate = |spacing: f64| source_rate_hz(&still(&[1.0, 1.0 + spacing]));
        assert_eq!(rate(0.5), 30.0);
        assert_eq!(rate(1e-3), 240.0);
        assert_eq!(rate(f64::from(1.0f32 / 60.0)), 60.0);
        assert!(
            (rate(1001.0 / 30000.0) - 30.0).abs() < 1e-9,
            "29.97 is rounded to 30"
        );
        assert!((rate(1001.0 / 60000.0) - 59.94).abs() < 1e-3);
        assert_eq!(source_rate_hz(&still(&[0.0])), 30.0);
    }

    #[test]
    fn each_interval_has_a_sample_and_three_times_between() {
        let timeline = Timeline::new(&still(&[2.0, 2.1]), LoopPolicy::Once, 1.0);
        let times = times(&timeline);
        assert_eq!(times.len(), 13);
        assert_eq!(
            (times[0].reference_secs, times[12].reference_secs),
            (0.0, timeline.duration_secs)
        );
        for (index, time) in times.iter().enumerate() {
            assert!((time.reference_secs - index as f64 / 120.0).abs() < 1e-12);
            assert_eq!(time.reference_secs, time.tested_secs);
            assert_eq!(time.kind == TimeKind::Sample, index % 4 == 0);
        }
    }

    #[test]
    fn wrapping_clip_is_measured_across_its_seam() {
        let timeline = Timeline::new(&still(&[0.0, 0.1]), LoopPolicy::Wrap, 1.0);
        let times = times(&timeline);
        assert_eq!(times.len(), 15);
        let before = times[13];
        assert_eq!(before.kind, TimeKind::Between);
        assert!(before.reference_secs < 0.1 && before.reference_secs > 0.099);
        let seam = times[14];
        assert_eq!(seam.kind, TimeKind::Seam);
        assert_eq!((seam.reference_secs, seam.tested_secs), (0.0, 0.1));
    }

    #[test]
    fn clip_without_duration_is_measured_once() {
        for looping in [LoopPolicy::Once, LoopPolicy::Wrap] {
            let timeline = Timeline::new(&still(&[3.0]), looping, 1.0);
            let expected = PlannedTime {
                reference_secs: 0.0,
                tested_secs: 0.0,
                kind: TimeKind::Sample,
            };
            assert_eq!(times(&timeline), [expected]);
        }
    }

    fn jumps(at: f64) -> Vec<usize> {
        let values = vec![Vec3::ZERO, Vec3::X, Vec3::X];
        let stepped = clip(&[0.0, at, 0.2], values, Interpolation::Step).with_source_timing(
            0.0,
            0.2,
            Some(1.0 / 30.0),
        );
        let timeline = Timeline::new(&stepped, LoopPolicy::Once, 1.0);
        let kinds = times(&timeline).into_iter().map(|time| time.kind);
        let found = kinds
            .enumerate()
            .filter(|(_, kind)| *kind == TimeKind::Jump);
        found.map(|(index, _)| index).collect()
    }

    #[test]
    fn jump_takes_its_interval_without_the_ends() {
        assert_eq!(jumps(0.08), [9, 10, 11], "inside the third interval");
    }

    #[test]
    fn jump_at_a_sample_takes_the_interval_before_and_the_sample() {
        let third = 3.0 / 30.0;
        for noise in [-1e-7, 0.0, 1e-7] {
            assert_eq!(jumps(third + noise), [9, 10, 11, 12]);
        }
    }
}
