//! Gaits: idle, walk and run as one level per agent, blended so that feet on the ground stay where they are.
//!
//! The level is 0 for idle, 1 for walk and 2 for run; between them, two clips are blended. Slow agents blend idle and walk,
//! which shortens the steps. Walk and run have the same phase. Clips are blended in model space, so the ball of a foot moves
//! as the weighted mean of both, and the length of a stride is the weighted mean of the lengths.

use glam::Vec2;
use throng_rig::Character;

use super::stride::{Ball, Stride};

/// Playback rates of a clip alone, relative to its authored speed. Slower agents take shorter steps instead.
const MIN_RATE: f32 = 0.6;
const MAX_RATE: f32 = 1.7;
/// Speed below which agents stand, in metres per second.
const STANDING: f32 = 0.08;
/// Largest change of the level per second: a cross-fade of walk and run takes a quarter of a second, one of idle and walk
/// longer, because the foot that carries moves below the body.
const FADE_RATE: f32 = 4.0;
const START_RATE: f32 = 2.5;

/// Cadence below which a step takes so long that agents turn during all of it.
const SLOW_HZ: f32 = 0.3;

/// The strides of a character's clips.
#[derive(Debug, Clone)]
pub struct Gaits {
    /// The clip `idle`.
    pub idle: Stride,
    /// The clip `walk`.
    pub walk: Stride,
    /// The clip `run`.
    pub run: Stride,
}

/// Gait of an agent.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Gait {
    /// Blend of clips: 0 is idle, 1 walk, 2 run.
    pub level: f32,
    /// Phase of the stride, from 0 to 1; 0 is the middle of the left foot's contact.
    pub phase: f32,
    /// Strides per second.
    pub cadence_hz: f32,
    /// True from the speed at which agents begin to run until they walk again.
    pub is_running: bool,
}

impl Gaits {
    /// Measures the clips `idle`, `walk` and `run` of a character with the joints `left_toes` and `right_toes`, such as the
    /// built-in humanoid.
    pub fn measure(character: &Character) -> Result<Self, String> {
        let joint = |name: &str| {
            let mut joints = character.skeleton().joints().iter();
            let found = joints.position(|joint| joint.name == name);
            found.ok_or(format!("no joint '{name}'; expected the built-in humanoid"))
        };
        let balls = [joint("left_toes")?, joint("right_toes")?];
        let stride = |name: &str| {
            let found = character.clips().iter().position(|clip| clip.name == name);
            let clip = found.ok_or(format!("no clip '{name}'; expected idle, walk and run"))?;
            Ok::<_, String>(Stride::measure(character, clip, balls))
        };
        Ok(Self {
            idle: stride("idle")?,
            walk: stride("walk")?,
            run: stride("run")?,
        })
    }

    /// The two clips of a level, and the weight of the second.
    pub fn clips(&self, level: f32) -> ([&Stride; 2], f32) {
        match level < 1.0 {
            true => ([&self.idle, &self.walk], level.max(0.0)),
            false => ([&self.walk, &self.run], (level - 1.0).min(1.0)),
        }
    }

    /// Length of a stride in metres, of a character of size 1.
    pub fn length(&self, level: f32) -> f32 {
        match level < 1.0 {
            true => level.max(0.0) * self.walk.length(),
            false => {
                let ([walk, run], weight) = self.clips(level);
                walk.length() + weight * (run.length() - walk.length())
            }
        }
    }

    /// Returns the gait after a time step in which the body wants to move at a speed, in sizes of the character per second.
    /// The phase is that of the beginning: [`Self::advance`] moves it by the distance walked.
    pub fn adapt(&self, gait: &Gait, speed: f32, secs: f32) -> Gait {
        let (to_run, to_walk) = (MAX_RATE * self.walk.speed, MIN_RATE * self.run.speed);
        let is_running = match gait.is_running {
            true => speed > to_walk,
            false => speed > to_run,
        };
        let target = match is_running {
            true => 2.0,
            false if speed < STANDING => 0.0,
            false => (speed / (MIN_RATE * self.walk.speed)).min(1.0),
        };
        let rate = if gait.level > 1.0 || target > 1.0 {
            FADE_RATE
        } else {
            START_RATE
        };
        let change = rate * secs;
        Gait {
            level: gait.level + (target - gait.level).clamp(-change, change),
            is_running,
            ..*gait
        }
    }

    /// Returns true if both feet may be on the ground at some time of a step. A body that turns then makes one of them slide.
    pub fn stands_on_both(&self, gait: &Gait, secs: f32) -> bool {
        let ([first, second], weight) = self.clips(gait.level);
        let stride = if weight < 0.5 && gait.level >= 1.0 {
            first
        } else {
            second
        };
        let both_low = |phase: f32| (0..2).all(|foot| stride.ball(foot, phase).is_low);
        let ahead = gait.cadence_hz * secs;
        gait.cadence_hz > SLOW_HZ
            && [0.0, 0.5, 1.0]
                .iter()
                .any(|part| both_low(gait.phase + part * ahead))
    }

    /// Advances the phase by a distance, in sizes of the character.
    pub fn advance(&self, gait: &mut Gait, distance: f32, secs: f32) {
        let ([first, second], _) = self.clips(gait.level);
        let fastest = [first, second]
            .map(|stride| MAX_RATE / stride.duration_secs as f32)
            .into_iter()
            .fold(0.0, f32::max);
        let strides = distance.max(0.0) / self.length(gait.level).max(1e-3);
        gait.cadence_hz = (strides / secs).min(fastest);
        gait.phase = (gait.phase + gait.cadence_hz * secs).rem_euclid(1.0);
        // Standing agents begin their next step with a foot below the body.
        if gait.level <= 0.0 {
            gait.phase = (2.0 * gait.phase).round() / 2.0 % 1.0;
        }
    }

    /// Returns the place of the ball of the foot that carries the body, in model space of a character of size 1; `None`
    /// while both are in the air.
    pub fn support(&self, gait: &Gait, level: f32) -> Option<Vec2> {
        let ([first, second], weight) = self.clips(level);
        let carries = if weight < 0.5 && level >= 1.0 {
            first
        } else {
            second
        };
        let foot = [0, 1]
            .into_iter()
            .find(|&foot| carries.ball(foot, gait.phase).is_planted)?;
        let standing = self.idle.ball(foot, 0.0);
        let ball = |stride: &Stride| -> Ball {
            match stride.clip == self.idle.clip {
                true => standing,
                false => stride.ball(foot, gait.phase),
            }
        };
        Some(ball(first).place.lerp(ball(second).place, weight))
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::sync::OnceLock;

    use super::*;

    /// The gaits of the built-in humanoid.
    pub fn gaits() -> &'static Gaits {
        static GAITS: OnceLock<Gaits> = OnceLock::new();
        GAITS.get_or_init(|| {
            let character = throng_import::builtin::builtin("humanoid:500").unwrap();
            Gaits::measure(&character).unwrap()
        })
    }

    fn settled(speed: f32) -> Gait {
        let mut gait = Gait::default();
        for _ in 0..100 {
            gait = gaits().adapt(&gait, speed, 1.0 / 32.0);
            gaits().advance(&mut gait, speed / 32.0, 1.0 / 32.0);
        }
        gait
    }

    #[test]
    fn speed_chooses_idle_walk_and_run_at_matched_rates() {
        assert_eq!(settled(0.0).level, 0.0);
        assert_eq!(settled(1.3).level, 1.0);
        assert_eq!(settled(3.0).level, 2.0);
        for speed in [0.2, 0.5, 0.8, 1.3, 1.9, 2.4, 3.4, 4.5] {
            let gait = settled(speed);
            let walked = gait.cadence_hz * gaits().length(gait.level);
            assert!((walked - speed).abs() < 1e-3 * speed, "{speed}: {walked}");
            let clip = gaits().clips(gait.level).0[usize::from(gait.level != 1.0)];
            let rate = gait.cadence_hz * clip.duration_secs as f32;
            assert!((0.59..1.71).contains(&rate), "{speed} m/s: rate {rate}");
        }
    }

    #[test]
    fn gaits_change_at_other_speeds_up_than_down() {
        let level_from = |start: f32, speed: f32| {
            let mut gait = settled(start);
            (0..64).for_each(|_| gait = gaits().adapt(&gait, speed, 1.0 / 32.0));
            gait.level
        };
        assert_eq!(level_from(1.3, 2.12), 1.0);
        assert_eq!(level_from(3.0, 2.12), 2.0);
    }

    #[test]
    fn a_planted_ball_moves_back_as_fast_as_the_body_moves_ahead() {
        for level in [0.5, 1.0, 1.5, 2.0] {
            let mut gait = Gait {
                level,
                ..Gait::default()
            };
            let before = gaits().support(&gait, level).unwrap();
            gaits().advance(&mut gait, 0.02, 0.02);
            let after = gaits().support(&gait, level).unwrap();
            let slid = after + Vec2::new(0.0, 0.02) - before;
            assert!(slid.length() < 1e-3, "level {level}: {slid} m in 20 mm");
        }
    }
}
