//! Times at which a clip is measured: the samples of its source and at least three times between each two.

use throng_rig::{Clip, LoopPolicy};

use super::jumps::jump_times;
use crate::plan::MIN_RATE_HZ;

/// Highest rate at which a source is measured.
const MAX_RATE_HZ: f64 = 240.0;
/// Rate below which more than three times are measured between two samples.
const FILL_RATE_HZ: f64 = 30.0;
/// Part of an interval at [`FILL_RATE_HZ`] that does not add times: 24 Hz needs no more than three.
const FILL_SLACK: f64 = 0.3;
/// Relative difference below which a rate is rounded to a whole number: key times are float32. It is half of the
/// difference between 29.97 and 30.
const WHOLE_RATE: f64 = 5e-4;
/// Part of an interval that may remain after the last whole one without counting as an interval.
const LEFT_OVER: f64 = 0.05;
/// Times per part of an interval.
const STEPS: u64 = 4;
/// Distance from the end at which a wrapping clip is measured once more, in intervals.
const BEFORE_END: f64 = 1.0 / 64.0;
/// Distance from a jump within which a sample counts as at the jump, in intervals.
const AT_JUMP: f64 = 0.01;

/// Returns a source's native rate, that of its finest key spacing, at most 240 Hz; 0 where no track has two keys.
pub fn source_rate_hz(clip: &Clip) -> f64 {
    let rate = clip.finest_spacing_secs().map_or(0.0, |s| 1.0 / s);
    let whole = rate.round();
    let is_whole = (rate - whole).abs() <= WHOLE_RATE * whole;
    if is_whole { whole } else { rate }.min(MAX_RATE_HZ)
}

/// Division of a clip into intervals between the samples of its source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Division {
    /// Number of intervals of equal duration; zero where the clip has no duration.
    intervals: u64,
    /// Number of parts of an interval, none much longer than 1/30 s.
    parts: u64,
}

impl Division {
    /// The native rate, or a multiple of it that a bake supports.
    fn new(clip: &Clip) -> Self {
        let native = source_rate_hz(clip);
        let rate = if native > 0.0 {
            native * (MIN_RATE_HZ / native).ceil().max(1.0)
        } else {
            MIN_RATE_HZ
        };
        let duration_secs = clip.duration_secs();
        let intervals = if duration_secs > 0.0 {
            (duration_secs * rate - LEFT_OVER).ceil().max(1.0)
        } else {
            0.0
        };
        Self {
            intervals: intervals as u64,
            parts: (FILL_RATE_HZ / rate - FILL_SLACK).ceil().max(1.0) as u64,
        }
    }
}

/// Number of equal intervals of a clip, none much longer than 1/30 s, with the samples of its source among their ends; zero
/// where the clip has no duration.
pub fn source_intervals(clip: &Clip) -> u64 {
    let division = Division::new(clip);
    division.intervals * division.parts
}

/// Kind of a measured time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeKind {
    /// A sample of the source.
    Sample,
    /// Between two samples.
    Between,
    /// The end of a wrapping clip, compared with its start.
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
    division: Division,
    jumps: Vec<f64>,
}

impl Timeline {
    pub fn new(clip: &Clip, looping: LoopPolicy, size_m: f64) -> Self {
        Self {
            duration_secs: clip.duration_secs(),
            rate_hz: source_rate_hz(clip),
            looping,
            division: Division::new(clip),
            jumps: jump_times(clip, size_m),
        }
    }

    /// Number of times, at least one.
    pub fn len(&self) -> u64 {
        self.inside() + if self.wraps() { 2 } else { 0 }
    }

    /// Number of intervals between samples of the source.
    pub fn intervals(&self) -> u64 {
        self.division.intervals
    }

    fn inside(&self) -> u64 {
        self.steps() * self.division.intervals + 1
    }

    /// Times per interval: its first sample and those between samples.
    fn steps(&self) -> u64 {
        STEPS * self.division.parts
    }

    fn wraps(&self) -> bool {
        self.looping == LoopPolicy::Wrap && self.division.intervals > 0
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
        let is_sample = beyond.is_none() && index.is_multiple_of(self.steps());
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
        self.duration_secs / self.division.intervals.max(1) as f64
    }

    /// Returns the ends of all intervals with a jump.
    pub fn jump_intervals(&self) -> impl Iterator<Item = [f64; 2]> + '_ {
        let interval = self.interval_secs();
        let with_jump = (0..self.division.intervals)
            .map(move |index| [index as f64, index as f64 + 1.0].map(|end| end * interval));
        with_jump.filter(|[start, end]| self.jumps_at(0.5 * (start + end), false))
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
    fn source_rate_is_that_of_its_finest_keys() {
        let rate = |spacing: f64| source_rate_hz(&still(&[1.0, 1.0 + spacing]));
        assert_eq!(rate(0.5), 2.0);
        assert_eq!(rate(f64::from(1.0f32 / 24.0)), 24.0);
        assert_eq!(rate(1e-3), 240.0);
        assert_eq!(rate(f64::from(1.0f32 / 60.0)), 60.0);
        assert!((rate(1001.0 / 30000.0) - 30.0).abs() < 0.04);
        assert!((rate(1001.0 / 60000.0) - 59.94).abs() < 1e-3);
        assert_eq!(source_rate_hz(&still(&[0.0])), 0.0);
    }

    /// Keys at 24 Hz are measured at 24 Hz, and sparse keys at no less than 30 Hz.
    #[test]
    fn every_key_of_a_regular_source_is_measured() {
        for (rate, parts) in [(24.0, 1), (30.0, 1), (60.0, 1), (12.0, 3), (2.0, 5)] {
            let keys: Vec<f64> = (0..=4).map(|key| f64::from(key) / rate).collect();
            let timeline = Timeline::new(&still(&keys), LoopPolicy::Once, 1.0);
            let times = times(&timeline);
            for key in keys {
                let same = |time: &&PlannedTime| (time.tested_secs - key).abs() < 1e-9;
                let time = times.iter().find(same).expect("every key is measured");
                assert_eq!(time.kind, TimeKind::Sample, "{rate} Hz");
            }
            let longest = times
                .windows(2)
                .map(|w| w[1].tested_secs - w[0].tested_secs);
            assert!(longest.fold(0.0, f64::max) < 0.26 / 24.0, "{rate} Hz");
            assert_eq!(timeline.division.parts, parts, "{rate} Hz");
        }
    }

    #[test]
    fn each_interval_has_a_sample_and_three_times_between() {
        let keys = [2.0, 2.0 + 1.0 / 30.0, 2.1];
        let timeline = Timeline::new(&still(&keys), LoopPolicy::Once, 1.0);
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
        let keys = [0.0, 1.0 / 30.0, 0.1];
        let timeline = Timeline::new(&still(&keys), LoopPolicy::Wrap, 1.0);
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
