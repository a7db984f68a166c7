//! Instances of a crowd: transform, clips, times.

use glam::{Affine3A, Mat3A, Vec3A};
use throng_format::ClipTiming;
use throng_rig::LoopPolicy;
use throng_shaders::{HELD_FADE, InstanceBlock, PlayBlock, Rows, TICKS_PER_SEC};

/// Time on the GPU: wrapped ticks of 1/65 536 s, because float seconds lose precision after hours.
///
/// Ticks wrap after 18 hours; clips that play then jump once. Cross-fades and clips that play once compare times up to 9
/// hours apart: set another start or drop the fade before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Ticks(pub u32);

impl Ticks {
    /// Rounds to the nearest tick; negative and late times wrap.
    pub fn from_secs(secs: f64) -> Self {
        Self((secs * TICKS_PER_SEC).round() as i64 as u32)
    }

    /// Seconds since tick 0.
    pub fn secs(self) -> f64 {
        f64::from(self.0) / TICKS_PER_SEC
    }
}

/// Smallest period of a clip, 1/32 s: shaders count periods in floats.
const MIN_PERIOD: u32 = 2048;

/// Largest period, four and a half hours: shaders count its ticks as signed integers.
const MAX_PERIOD: u32 = 1 << 30;

/// Playback of a clip.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Play {
    /// The clip advances with time.
    Running {
        /// Index into the clips.
        clip: u32,
        /// Time of the clip's first frame.
        start: Ticks,
        /// Speed factor. 1 is the authored speed, negative values play backwards from the end, 0 stays at the start.
        speed: f32,
    },
    /// The clip is held at one pose.
    Held {
        /// Index into the clips.
        clip: u32,
        /// Seconds from the clip's start, clamped to the clip.
        time_secs: f32,
    },
}

impl Play {
    /// Plays a clip at its authored speed, from its start at tick 0.
    pub fn new(clip: u32) -> Self {
        Self::starting(clip, Ticks(0))
    }

    /// Plays a clip at its authored speed. It is at its first frame at `start`.
    pub fn starting(clip: u32, start: Ticks) -> Self {
        Self::Running {
            clip,
            start,
            speed: 1.0,
        }
    }

    /// Holds a pose of the clip, `time_secs` seconds from its start.
    pub fn held(clip: u32, time_secs: f32) -> Self {
        Self::Held { clip, time_secs }
    }

    /// Index into the clips.
    pub fn clip(&self) -> u32 {
        match *self {
            Self::Running { clip, .. } | Self::Held { clip, .. } => clip,
        }
    }

    /// Seconds from the clip's start; CPU twin of the shader function `play_time`.
    pub fn time_secs(&self, duration_secs: f64, looping: LoopPolicy, now: Ticks) -> f64 {
        let (start, speed) = match *self {
            Self::Held { time_secs, .. } => return f64::from(time_secs),
            Self::Running { start, speed, .. } => (start, speed),
        };
        let period = period(duration_secs, speed);
        if period == 0 {
            return 0.0;
        }
        let elapsed = now.0.wrapping_sub(start.0);
        let phase = match looping {
            LoopPolicy::Wrap => f64::from(elapsed % period) / f64::from(period),
            LoopPolicy::Once => (f64::from(elapsed as i32) / f64::from(period)).clamp(0.0, 1.0),
        };
        let phase = if speed < 0.0 { 1.0 - phase } else { phase };
        phase * duration_secs
    }

    fn to_block(self, clips: &[ClipTiming]) -> PlayBlock {
        match self {
            Self::Held { clip, time_secs } => PlayBlock::held(clip, time_secs),
            Self::Running { clip, start, speed } => {
                let timing = clips.get(clip as usize);
                let duration_secs = timing.map_or(0.0, |timing| timing.duration_secs);
                match period(duration_secs, speed) {
                    0 => PlayBlock::held(clip, 0.0),
                    period => PlayBlock::running(clip, start.0, period, speed < 0.0),
                }
            }
        }
    }
}

/// Duration of one loop at a speed, in whole ticks, so that rounding errors do not add up. 0 if the clip does not advance.
fn period(duration_secs: f64, speed: f32) -> u32 {
    if speed == 0.0 || !speed.is_finite() || duration_secs == 0.0 {
        return 0;
    }
    let ticks = duration_secs * TICKS_PER_SEC / f64::from(speed.abs());
    (ticks.round() as u32).clamp(MIN_PERIOD, MAX_PERIOD)
}

/// Cross-fade to another clip.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fade {
    /// Playback of the second clip.
    pub to: Play,
    /// Weight of the second clip over time.
    pub progress: FadeProgress,
}

/// Weight of the second clip of a [`Fade`] over time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum FadeProgress {
    /// Rises from 0 to 1, then stays.
    Running {
        /// Start of the cross-fade.
        start: Ticks,
        /// Duration of the cross-fade; at least one tick.
        duration: Ticks,
    },
    /// A constant weight from 0 to 1: a blend of two clips.
    Held(f32),
}

impl Fade {
    /// A cross-fade that begins at a time.
    pub fn starting(to: Play, start: Ticks, duration: Ticks) -> Self {
        Self {
            to,
            progress: FadeProgress::Running { start, duration },
        }
    }

    /// A blend with a constant weight of the second clip, clamped to 0 to 1.
    pub fn held(to: Play, weight: f32) -> Self {
        Self {
            to,
            progress: FadeProgress::Held(weight),
        }
    }

    /// Weight of the second clip, from 0 to 1; CPU twin of the shader function `fade_weight`.
    pub fn weight(&self, now: Ticks) -> f64 {
        let weight = match self.progress {
            FadeProgress::Held(weight) => f64::from(weight),
            FadeProgress::Running { start, duration } => {
                let since = now.0.wrapping_sub(start.0) as i32;
                f64::from(since) / f64::from(duration.0.max(1))
            }
        };
        weight.clamp(0.0, 1.0)
    }

    /// Returns the start and duration that shaders read.
    fn words(&self) -> [u32; 2] {
        match self.progress {
            FadeProgress::Running { start, duration } => {
                [start.0, duration.0.clamp(1, HELD_FADE - 1)]
            }
            FadeProgress::Held(weight) => [weight.clamp(0.0, 1.0).to_bits(), HELD_FADE],
        }
    }
}

/// One copy of the character.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Instance {
    /// Transform from model space to world space.
    pub world_from_model: Affine3A,
    /// RGBA factor of the material's colour.
    pub tint: [u8; 4],
    /// Clip and time.
    pub play: Play,
    /// Cross-fade to another clip.
    pub fade: Option<Fade>,
    /// Blend factor between the undeformed mesh (0) and the animated pose (1), by positions: vertices move along straight
    /// lines. The undeformed mesh is the bind pose; that of vertex sets is the rest pose.
    ///
    /// For a fraction by angles, hold a time of a clip that goes from the rest pose to the pose ([`Play::held`]), such as
    /// `throng bake --rotate` bakes.
    pub fraction: f32,
    /// User data, passed on by shaders.
    pub user: u32,
    /// Group whose skinned vertices the instance copies, with [`crate::Instancing::SkinOnce`] only. The first instance of a
    /// group in drawing order sets its pose; the playback of the others is ignored.
    pub group: u32,
}

impl Default for Instance {
    fn default() -> Self {
        Self {
            world_from_model: Affine3A::IDENTITY,
            tint: [255; 4],
            play: Play::new(0),
            fade: None,
            fraction: 1.0,
            user: 0,
            group: 0,
        }
    }
}

impl Instance {
    /// An instance with a transform, which plays the first clip.
    pub fn at(world_from_model: Affine3A) -> Self {
        Self {
            world_from_model,
            ..Self::default()
        }
    }

    /// The same with another playback.
    pub fn playing(self, play: Play) -> Self {
        Self { play, ..self }
    }

    /// The same with an RGBA tint.
    pub fn tinted(self, tint: [u8; 4]) -> Self {
        Self { tint, ..self }
    }

    /// Fades from the current playback to another. In the middle of an earlier fade, the heavier of its clips is the
    /// current one.
    pub fn cross_fade(&mut self, to: Play, start: Ticks, duration: Ticks) {
        if let Some(earlier) = self.fade
            && earlier.weight(start) >= 0.5
        {
            self.play = earlier.to;
        }
        self.fade = Some(Fade::starting(to, start, duration));
    }

    /// Converts to the record that shaders read. `clips` are the timings of the crowd's clips.
    pub fn to_block(&self, clips: &[ClipTiming]) -> InstanceBlock {
        let fade = self.fade;
        let [fade_start, fade_duration] = fade.map_or([0; 2], |fade| fade.words());
        InstanceBlock {
            world_from_model: rows(&self.world_from_model),
            tint: u32::from_le_bytes(self.tint),
            first: self.play.to_block(clips),
            second: fade.map_or(PlayBlock::default(), |fade| fade.to.to_block(clips)),
            fade_start,
            fade_duration,
            fraction: self.fraction,
            user: self.user,
            group: self.group,
        }
    }

    /// Clip indices of the playback and of the cross-fade.
    pub fn clips(&self) -> impl Iterator<Item = u32> {
        [Some(self.play.clip()), self.fade.map(|fade| fade.to.clip())]
            .into_iter()
            .flatten()
    }
}

/// Returns the rows of a 3×4 affine transform.
pub(crate) fn rows(affine: &Affine3A) -> Rows {
    let Affine3A {
        matrix3,
        translation,
    } = affine;
    let Mat3A {
        x_axis,
        y_axis,
        z_axis,
    } = *matrix3;
    let row =
        |pick: fn(Vec3A) -> f32| [pick(x_axis), pick(y_axis), pick(z_axis), pick(*translation)];
    [row(|v| v.x), row(|v| v.y), row(|v| v.z)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn time(play: Play, looping: LoopPolicy, now: f64) -> f64 {
        play.time_secs(2.0, looping, Ticks::from_secs(now))
    }

    #[test]
    fn time_wraps_or_stops_at_the_end_by_loop_policy() {
        let start = Ticks::from_secs(1.0);
        let play = Play::starting(0, start);
        assert_eq!(time(play, LoopPolicy::Wrap, 1.5), 0.5);
        assert_eq!(time(play, LoopPolicy::Wrap, 3.25), 0.25);
        assert_eq!(time(play, LoopPolicy::Once, 3.25), 2.0);
        assert_eq!(time(play, LoopPolicy::Once, 0.5), 0.0);
        let backwards = Play::Running {
            clip: 0,
            start,
            speed: -2.0,
        };
        assert_eq!(time(backwards, LoopPolicy::Wrap, 1.25), 1.5);
        assert_eq!(time(Play::held(0, 0.75), LoopPolicy::Wrap, 9.0), 0.75);
    }

    #[test]
    fn loops_do_not_drift_over_60000_periods() {
        let play = Play::Running {
            clip: 0,
            start: Ticks(0),
            speed: 1.1,
        };
        let period = period(0.7, 1.1);
        let late = Ticks(period * 60_000 + 123);
        let early = Ticks(123);
        let at = |now| play.time_secs(0.7, LoopPolicy::Wrap, now);
        assert_eq!(at(late), at(early));
    }

    #[test]
    fn period_is_clamped_to_the_range_of_shaders() {
        let period = |speed| period(2.0, speed);
        assert_eq!([1.0, -2.0].map(period), [2 << 16, 1 << 16]);
        assert_eq!([1e9, 1e-9].map(period), [MIN_PERIOD, MAX_PERIOD]);
        assert_eq!(period(0.0), 0);
    }

    #[test]
    fn a_speed_of_0_stays_at_the_start() {
        let play = Play::Running {
            clip: 0,
            start: Ticks(77),
            speed: 0.0,
        };
        assert_eq!(time(play, LoopPolicy::Wrap, 9.0), 0.0);
    }

    #[test]
    fn cross_fade_begins_at_the_heavier_clip_of_an_earlier_one() {
        let secs = Ticks::from_secs;
        let mut instance = Instance::default().playing(Play::new(0));
        instance.cross_fade(Play::new(1), secs(1.0), secs(1.0));
        let mut late = instance;
        instance.cross_fade(Play::new(2), secs(1.25), secs(1.0));
        assert_eq!(instance.clips().collect::<Vec<_>>(), [0, 2]);
        late.cross_fade(Play::new(2), secs(9.0), secs(1.0));
        assert_eq!(late.clips().collect::<Vec<_>>(), [1, 2]);
    }

    #[test]
    fn fade_weight_rises_from_0_to_1() {
        let fade = Fade::starting(Play::new(1), Ticks::from_secs(2.0), Ticks::from_secs(0.5));
        let weights = [1.0, 2.0, 2.25, 2.5, 9.0].map(|now| fade.weight(Ticks::from_secs(now)));
        assert_eq!(weights, [0.0, 0.0, 0.5, 1.0, 1.0]);
        let held = Fade::held(Play::new(1), 0.25);
        assert_eq!(held.weight(Ticks::from_secs(9.0)), 0.25);
    }
}
