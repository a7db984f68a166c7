//! Who is in a crowd, and what each plays.

use glam::{Affine3A, Mat3A, Vec3A};
use throng_format::ClipTiming;
use throng_rig::LoopPolicy;
use throng_shaders::{BACKWARDS, InstanceBlock, PlayBlock, Rows, TICKS_PER_SEC};

/// A moment, in wrapped whole numbers: float seconds jitter after hours.
///
/// A tick is 1/65 536 of a second. After 18 hours the count starts again, and what plays then jumps once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Ticks(pub u32);

impl Ticks {
    /// The nearest tick; negative and late times wrap.
    pub fn from_secs(secs: f64) -> Self {
        Self((secs * TICKS_PER_SEC).round() as i64 as u32)
    }

    /// Seconds since tick 0.
    pub fn secs(self) -> f64 {
        f64::from(self.0) / TICKS_PER_SEC
    }
}

/// A round of a clip takes at least 1/32 s: shaders count rounds in floats.
const MIN_PERIOD: u32 = 2048;

/// And at most four and a half hours: they count its ticks with a sign.
const MAX_PERIOD: u32 = 1 << 30;

/// A clip and how it runs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Play {
    /// Index into the clips.
    pub clip: u32,
    /// When the clip was at its first frame. Where the speed is 0, the bits of the time that is held; see
    /// [`Self::held`].
    pub start: Ticks,
    /// 1 as it was made; negative backwards, from its end; 0 held.
    pub speed: f32,
}

impl Play {
    /// From its start at tick 0, as it was made.
    pub fn new(clip: u32) -> Self {
        Self {
            clip,
            start: Ticks(0),
            speed: 1.0,
        }
    }

    /// Held at a time of the clip, in seconds from its start.
    pub fn held(clip: u32, time_secs: f32) -> Self {
        Self {
            clip,
            start: Ticks(time_secs.to_bits()),
            speed: 0.0,
        }
    }

    /// Ticks that the clip takes at this speed: whole, so that no rounding adds up over its rounds. 0 where
    /// it is held.
    fn period(&self, duration_secs: f64) -> u32 {
        if self.speed == 0.0 || !self.speed.is_finite() || duration_secs == 0.0 {
            return 0;
        }
        let ticks = duration_secs * TICKS_PER_SEC / f64::from(self.speed.abs());
        (ticks.round() as u32).clamp(MIN_PERIOD, MAX_PERIOD)
    }

    /// Seconds from the clip's start: the twin of the shader's `play_time`.
    pub fn time_secs(&self, duration_secs: f64, looping: LoopPolicy, now: Ticks) -> f64 {
        let period = self.period(duration_secs);
        if period == 0 {
            return match self.speed == 0.0 {
                true => f64::from(f32::from_bits(self.start.0)),
                false => 0.0,
            };
        }
        let elapsed = now.0.wrapping_sub(self.start.0);
        let phase = match looping {
            LoopPolicy::Wrap => f64::from(elapsed % period) / f64::from(period),
            LoopPolicy::Once => (f64::from(elapsed as i32) / f64::from(period)).clamp(0.0, 1.0),
        };
        let phase = if self.speed < 0.0 { 1.0 - phase } else { phase };
        phase * duration_secs
    }

    fn to_block(self, clips: &[ClipTiming]) -> PlayBlock {
        let duration_secs = clips
            .get(self.clip as usize)
            .map_or(0.0, |c| c.duration_secs);
        let period = self.period(duration_secs);
        let is_held = period == 0 && self.speed != 0.0;
        PlayBlock {
            clip: self.clip | if self.speed < 0.0 { BACKWARDS } else { 0 },
            start: if is_held { 0 } else { self.start.0 },
            period,
        }
    }
}

/// From one clip to another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fade {
    /// What is seen at the end.
    pub to: Play,
    /// When it begins.
    pub start: Ticks,
    /// How long it takes; at least one tick.
    pub duration: Ticks,
}

impl Fade {
    /// How much of the second clip is seen, from 0 to 1: the twin of the shader's `fade_weight`.
    pub fn weight(&self, now: Ticks) -> f64 {
        let since = now.0.wrapping_sub(self.start.0) as i32;
        (f64::from(since) / f64::from(self.duration.0.max(1))).clamp(0.0, 1.0)
    }
}

/// One of the crowd.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Instance {
    /// Place, turn and scale.
    pub world_from_model: Affine3A,
    /// Multiplied with the surface's colour, RGBA.
    pub tint: [u8; 4],
    /// What it plays.
    pub play: Play,
    /// What it goes over to.
    pub fade: Option<Fade>,
    /// How far it is from the mesh as it was bound, 0, to its pose, 1.
    pub fraction: f32,
    /// The caller's own; shaders pass it on.
    pub user: u32,
    /// Where poses are skinned once: which of them it copies. See [`crate::Instancing::SkinOnce`].
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
    /// As shaders read it. `clips` say how long a round is.
    pub fn to_block(&self, clips: &[ClipTiming]) -> InstanceBlock {
        let fade = self.fade;
        InstanceBlock {
            world_from_model: rows(&self.world_from_model),
            tint: u32::from_le_bytes(self.tint),
            first: self.play.to_block(clips),
            second: fade.map_or(PlayBlock::default(), |fade| fade.to.to_block(clips)),
            fade_start: fade.map_or(0, |fade| fade.start.0),
            fade_duration: fade.map_or(0, |fade| fade.duration.0.max(1)),
            fraction: self.fraction,
            user: self.user,
            group: self.group,
        }
    }

    /// Every clip that it plays.
    pub fn clips(&self) -> impl Iterator<Item = u32> {
        [Some(self.play.clip), self.fade.map(|fade| fade.to.clip)]
            .into_iter()
            .flatten()
    }
}

/// An affine transform as three rows.
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
    fn clips_wrap_or_end() {
        let play = Play {
            clip: 0,
            start: Ticks::from_secs(1.0),
            speed: 1.0,
        };
        assert_eq!(time(play, LoopPolicy::Wrap, 1.5), 0.5);
        assert_eq!(time(play, LoopPolicy::Wrap, 3.25), 0.25);
        assert_eq!(time(play, LoopPolicy::Once, 3.25), 2.0);
        assert_eq!(time(play, LoopPolicy::Once, 0.5), 0.0);
        let backwards = Play {
            speed: -2.0,
            ..play
        };
        assert_eq!(time(backwards, LoopPolicy::Wrap, 1.25), 1.5);
        assert_eq!(time(Play::held(0, 0.75), LoopPolicy::Wrap, 9.0), 0.75);
    }

    #[test]
    fn rounds_do_not_drift() {
        let play = Play {
            speed: 1.1,
            ..Play::new(0)
        };
        let period = play.period(0.7);
        let late = Ticks(period * 60_000 + 123);
        let early = Ticks(123);
        let at = |now| play.time_secs(0.7, LoopPolicy::Wrap, now);
        assert_eq!(at(late), at(early));
    }

    #[test]
    fn rounds_are_as_long_as_shaders_can_count() {
        let period = |speed| {
            Play {
                speed,
                ..Play::new(0)
            }
            .period(2.0)
        };
        assert_eq!([1.0, -2.0].map(period), [2 << 16, 1 << 16]);
        assert_eq!([1e9, 1e-9].map(period), [MIN_PERIOD, MAX_PERIOD]);
        assert_eq!(period(0.0), 0);
    }

    #[test]
    fn fades_go_from_one_to_the_other() {
        let fade = Fade {
            to: Play::new(1),
            start: Ticks::from_secs(2.0),
            duration: Ticks::from_secs(0.5),
        };
        let weights = [1.0, 2.0, 2.25, 2.5, 9.0].map(|now| fade.weight(Ticks::from_secs(now)));
        assert_eq!(weights, [0.0, 0.0, 0.5, 1.0, 1.0]);
    }
}
