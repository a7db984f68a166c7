//! The timeline: one clock for all viewports.
//!
//! Time runs on one clock, in seconds. A clip begins at a time of that clock, so that a cross-fade and a crowd with offsets
//! are functions of the clock alone, and nothing is uploaded while the clock runs.

use throng_rig::LoopPolicy;
use throng_wgpu::{Fade, Instance, Play, Ticks};

/// A clip as the timeline sees it.
#[derive(Debug, Clone, PartialEq)]
pub struct TimelineClip {
    /// Name of the clip.
    pub name: String,
    /// Duration of the clip.
    pub duration_secs: f64,
    /// Behaviour at the end of the clip.
    pub looping: LoopPolicy,
    /// Baked frames per second, or those of the source.
    pub rate_hz: f64,
}

/// Repetition of a clip.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Repeat {
    /// The clip begins again at its end.
    Loop,
    /// The clip stops at its end.
    Once,
}

/// A cross-fade to another clip.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TimelineFade {
    /// Clip that is faded to.
    pub to: usize,
    /// Clock at which the fade began, and at which the clip began to play.
    pub start_secs: f64,
    /// Duration of the fade.
    pub duration_secs: f64,
}

/// Clock, clip and fade.
#[derive(Debug, Clone, PartialEq)]
pub struct Timeline {
    /// Clips of the document.
    pub clips: Vec<TimelineClip>,
    /// Clip that plays.
    clip: usize,
    /// Clock in seconds.
    clock_secs: f64,
    /// Clock at which the clip began.
    start_secs: f64,
    /// True while time runs.
    pub is_playing: bool,
    /// Seconds of the clock per second.
    pub speed: f64,
    /// Repetition of the clip.
    pub repeat: Repeat,
    /// Cross-fade that runs.
    fade: Option<TimelineFade>,
}

/// Range of [`Timeline::speed`].
pub const SPEEDS: std::ops::RangeInclusive<f64> = -4.0..=4.0;

impl Timeline {
    /// A timeline of a document, at the start of a clip.
    pub fn new(clips: Vec<TimelineClip>, clip: usize) -> Self {
        Self {
            clip: clip.min(clips.len().saturating_sub(1)),
            clips,
            clock_secs: 0.0,
            start_secs: 0.0,
            is_playing: true,
            speed: 1.0,
            repeat: Repeat::Loop,
            fade: None,
        }
    }

    /// Index of the clip that plays.
    pub fn clip(&self) -> usize {
        self.clip
    }

    /// Clip that plays; `None` if there are no clips.
    pub fn current(&self) -> Option<&TimelineClip> {
        self.clips.get(self.clip)
    }

    /// Duration of the clip that plays.
    pub fn duration_secs(&self) -> f64 {
        self.current().map_or(0.0, |clip| clip.duration_secs)
    }

    /// Seconds since the start of the clip, within its duration.
    pub fn time_secs(&self) -> f64 {
        self.time_in(self.duration_secs(), self.start_secs)
    }

    fn time_in(&self, duration_secs: f64, start_secs: f64) -> f64 {
        let since = self.clock_secs - start_secs;
        if duration_secs <= 0.0 {
            return 0.0;
        }
        match self.repeat {
            // The end of a clip can be reached by scrubbing.
            Repeat::Loop if since > 0.0 && since == duration_secs => duration_secs,
            Repeat::Loop => since.rem_euclid(duration_secs),
            Repeat::Once => since.clamp(0.0, duration_secs),
        }
    }

    /// Plays another clip from its start, without a fade.
    pub fn play(&mut self, clip: usize) {
        if clip < self.clips.len() {
            self.clip = clip;
            self.start_secs = self.clock_secs;
            self.fade = None;
        }
    }

    /// Fades to another clip.
    pub fn cross_fade(&mut self, to: usize, duration_secs: f64) {
        if to < self.clips.len() && to != self.clip {
            self.finish_fade();
            self.fade = Some(TimelineFade {
                to,
                start_secs: self.clock_secs,
                duration_secs: duration_secs.max(0.01),
            });
            self.is_playing = true;
        }
    }

    fn finish_fade(&mut self) {
        if let Some(fade) = self.fade.take() {
            self.clip = fade.to;
            self.start_secs = fade.start_secs;
        }
    }

    /// Moves to a time of the clip and ends a fade.
    pub fn seek(&mut self, time_secs: f64) {
        self.finish_fade();
        let time_secs = time_secs.clamp(0.0, self.duration_secs());
        self.clock_secs = self.start_secs + time_secs;
    }

    /// Moves by a number of frames and stops.
    pub fn step(&mut self, frames: i32) {
        self.is_playing = false;
        let Some(clip) = self.current() else {
            return;
        };
        let (duration_secs, rate_hz) = (clip.duration_secs, clip.rate_hz.max(1.0));
        let count = (duration_secs * rate_hz).round().max(1.0);
        let frame = (self.time_secs() * rate_hz).round() + f64::from(frames);
        let frame = match self.repeat {
            Repeat::Loop => frame.rem_euclid(count + 1.0),
            Repeat::Once => frame.clamp(0.0, count),
        };
        self.seek(frame / rate_hz);
    }

    /// Advances the clock while it plays.
    pub fn advance(&mut self, secs: f64) {
        if !self.is_playing {
            return;
        }
        // A window that was hidden must not jump.
        self.clock_secs += secs.clamp(0.0, 0.25) * self.speed;
        if let Some(fade) = self.fade {
            let since = self.clock_secs - fade.start_secs;
            if since >= fade.duration_secs || since < 0.0 {
                self.finish_fade();
            }
        }
        self.restart();
        let since = self.clock_secs - self.start_secs;
        let is_over = since >= self.duration_secs() && self.speed > 0.0;
        let is_before = since <= 0.0 && self.speed < 0.0;
        if self.repeat == Repeat::Once && self.fade.is_none() && (is_over || is_before) {
            self.seek(since);
            self.is_playing = false;
        }
    }

    /// Begins a clip again that does not wrap on the device.
    fn restart(&mut self) {
        let clip = self
            .current()
            .filter(|clip| clip.looping == LoopPolicy::Once);
        let duration_secs = clip.map_or(0.0, |clip| clip.duration_secs);
        let since = self.clock_secs - self.start_secs;
        if self.repeat == Repeat::Loop && duration_secs > 0.0 {
            self.start_secs += (since / duration_secs).floor() * duration_secs;
        }
    }

    /// Time for the device. It is a function of the clock, which may be negative.
    pub fn ticks(&self) -> Ticks {
        self.at(self.clock_secs)
    }

    /// Ticks of a clock time. The clock is shifted, so that ticks of negative times are in order.
    fn at(&self, secs: f64) -> Ticks {
        Ticks::from_secs(secs + CLOCK_SHIFT_SECS)
    }

    /// An instance that plays what the timeline plays, with an offset and a speed of its own.
    pub fn instance(&self, offset_secs: f64, speed: f32) -> Instance {
        let mut instance = Instance::default();
        if self.clips.is_empty() {
            return instance;
        }
        let play = |clip: usize, start_secs: f64| match self.repeat {
            // A clip that stops is held, and so uploaded whenever time runs.
            Repeat::Once => {
                let duration_secs = self.clips[clip].duration_secs;
                let time_secs = self.time_in(duration_secs, start_secs - offset_secs);
                Play::held(clip as u32, time_secs as f32)
            }
            Repeat::Loop if self.is_at_end() => {
                Play::held(clip as u32, self.clips[clip].duration_secs as f32)
            }
            Repeat::Loop => Play::Running {
                clip: clip as u32,
                start: self.at(start_secs - offset_secs),
                speed,
            },
        };
        instance.play = play(self.clip, self.start_secs);
        instance.fade = self.fade.map(|fade| {
            let duration = Ticks::from_secs(fade.duration_secs);
            Fade::starting(
                play(fade.to, fade.start_secs),
                self.at(fade.start_secs),
                duration,
            )
        });
        instance
    }

    /// True where a looping clip shows its last frame, which is that of a clip which does not wrap.
    fn is_at_end(&self) -> bool {
        !self.is_playing && self.time_secs() == self.duration_secs() && self.duration_secs() > 0.0
    }

    /// Changes whenever [`Self::instance`] does. While a looping clip plays, it stays the same.
    pub fn instance_key(&self) -> (usize, u64, u64, bool, u64) {
        let held = match self.repeat {
            Repeat::Once => self.clock_secs.to_bits(),
            Repeat::Loop => u64::from(self.is_at_end()),
        };
        (
            self.clip,
            self.start_secs.to_bits(),
            self.fade.map_or(0, |fade| fade.start_secs.to_bits()),
            self.repeat == Repeat::Loop,
            held,
        )
    }

    /// Clips and times that are shown: the first, and that of a fade with its weight.
    pub fn shown(&self) -> Option<Shown> {
        self.current()?;
        let second = self.fade.map(|fade| {
            let since = self.clock_secs - fade.start_secs;
            let duration_secs = self.clips[fade.to].duration_secs;
            let time_secs = self.time_in(duration_secs, fade.start_secs);
            (
                fade.to,
                time_secs,
                (since / fade.duration_secs).clamp(0.0, 1.0),
            )
        });
        Some(Shown {
            clip: self.clip,
            time_secs: self.time_secs(),
            second,
        })
    }
}

/// Clips and times at one instant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shown {
    /// Clip that plays.
    pub clip: usize,
    /// Seconds from its start.
    pub time_secs: f64,
    /// Clip that is faded to, seconds from its start, and its weight.
    pub second: Option<(usize, f64, f64)>,
}

/// Ticks wrap at zero; the clock of a session does not come near this from either side.
const CLOCK_SHIFT_SECS: f64 = 4096.0;

#[cfg(test)]
mod tests {
    use super::*;

    fn timeline() -> Timeline {
        let clip = |name: &str, duration_secs| TimelineClip {
            name: name.into(),
            duration_secs,
            looping: LoopPolicy::Wrap,
            rate_hz: 30.0,
        };
        Timeline::new(vec![clip("walk", 1.0), clip("run", 0.5)], 0)
    }

    #[test]
    fn time_wraps_and_scrubs_to_both_ends() {
        let mut timeline = timeline();
        for _ in 0..10 {
            timeline.advance(0.125);
        }
        assert_eq!(timeline.time_secs(), 0.25);
        timeline.seek(1.0);
        assert_eq!(timeline.time_secs(), 1.0);
        timeline.seek(-3.0);
        assert_eq!(timeline.time_secs(), 0.0);
    }

    #[test]
    fn instance_plays_at_the_time_that_the_timeline_shows() {
        let mut timeline = timeline();
        for speed in [1.0, -0.5] {
            timeline.speed = speed;
            for _ in 0..20 {
                timeline.advance(0.11);
                let instance = timeline.instance(0.0, 1.0);
                let time = instance
                    .play
                    .time_secs(1.0, LoopPolicy::Wrap, timeline.ticks());
                // Ticks are fractions of a millisecond.
                let apart = (time - timeline.time_secs()).abs();
                assert!(
                    apart.min(1.0 - apart) < 1e-3,
                    "{time} {}",
                    timeline.time_secs()
                );
            }
        }
    }

    #[test]
    fn playing_uploads_nothing_and_scrubbing_does_not_either() {
        let mut timeline = timeline();
        let key = timeline.instance_key();
        timeline.advance(0.1);
        timeline.seek(0.7);
        assert_eq!(timeline.instance_key(), key);
        timeline.play(1);
        assert_ne!(timeline.instance_key(), key);
    }

    #[test]
    fn clip_that_does_not_wrap_on_the_device_begins_again() {
        let mut timeline = timeline();
        timeline.clips[0].looping = LoopPolicy::Once;
        for speed in [1.0, -1.0] {
            timeline.speed = speed;
            for _ in 0..13 {
                timeline.advance(0.2);
                let play = timeline.instance(0.0, 1.0).play;
                let time = play.time_secs(1.0, LoopPolicy::Once, timeline.ticks());
                let apart = (time - timeline.time_secs()).abs();
                assert!(apart < 1e-3, "{time} {}", timeline.time_secs());
            }
        }
    }

    #[test]
    fn clip_that_plays_once_stops_at_its_end() {
        let mut timeline = timeline();
        timeline.repeat = Repeat::Once;
        for _ in 0..10 {
            timeline.advance(0.2);
        }
        assert_eq!(timeline.time_secs(), 1.0);
        assert!(!timeline.is_playing);
    }

    #[test]
    fn fade_ends_on_the_other_clip_without_a_jump() {
        let mut timeline = timeline();
        timeline.advance(0.25);
        timeline.cross_fade(1, 0.3);
        timeline.advance(0.15);
        let shown = timeline.shown().unwrap();
        let (clip, time_secs, weight) = shown.second.unwrap();
        assert_eq!(clip, 1);
        assert!((time_secs - 0.15).abs() < 1e-9);
        assert!((weight - 0.5).abs() < 1e-9);
        timeline.advance(0.16);
        let shown = timeline.shown().unwrap();
        assert_eq!((shown.clip, shown.second), (1, None));
        assert!((shown.time_secs - 0.31).abs() < 1e-9);
    }

    #[test]
    fn steps_go_from_frame_to_frame() {
        let mut timeline = timeline();
        timeline.step(1);
        assert!((timeline.time_secs() - 1.0 / 30.0).abs() < 1e-9);
        timeline.step(-1);
        timeline.step(-1);
        assert!((timeline.time_secs() - 1.0).abs() < 1e-9);
        assert!(!timeline.is_playing);
    }

    #[test]
    fn timeline_without_clips_stands_still() {
        let mut timeline = Timeline::new(Vec::new(), 0);
        timeline.advance(1.0);
        timeline.step(1);
        timeline.cross_fade(0, 0.2);
        assert_eq!(timeline.time_secs(), 0.0);
        assert_eq!(timeline.shown(), None);
    }
}
