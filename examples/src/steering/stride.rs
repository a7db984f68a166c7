//! Strides: ground speed and foot contacts of a looping clip, measured from its poses.
//!
//! A clip in place is a walk on a treadmill: a planted foot moves back with the belt, so that its speed in model space is the
//! ground speed of the body. Characters face +Z.

use glam::{DVec3, Vec2};
use throng_rig::{Character, CharacterPose, Clip};

/// Number of phases at which a clip is measured.
const SAMPLES: usize = 256;
/// Height above its lowest point up to which the ball of a foot may be planted, in metres.
const CONTACT: f64 = 0.006;
/// Height up to which a ball may touch the ground in a blend with `idle`, in metres.
const TOUCH: f64 = 0.012;
/// Relative difference from the median speed up to which a low foot is planted.
const SPEED_TOLERANCE: f64 = 0.15;

/// The ball of a foot at one phase of a clip.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ball {
    /// Place on the ground in model space: x to the left, z ahead, in metres.
    pub place: Vec2,
    /// True while it carries the body.
    pub is_planted: bool,
    /// True while it is near the ground.
    pub is_low: bool,
}

/// Two steps of a looping clip.
///
/// Phases of strides begin in the middle of the contact of the left foot, so that those of walk and run match.
#[derive(Debug, Clone)]
pub struct Stride {
    /// Index of the clip.
    pub clip: u32,
    /// Duration of the clip.
    pub duration_secs: f64,
    /// Ground speed at the authored speed of the clip, in metres per second; 0 if it stands.
    pub speed: f32,
    /// Phase of the clip where the phase of the stride is 0.
    pub offset: f32,
    /// Left and right, at equal intervals from the phase 0 of the clip.
    balls: Vec<[Ball; 2]>,
}

impl Stride {
    /// Measures a clip of a character whose balls of the feet are the joints `balls`, left and right.
    pub fn measure(character: &Character, clip: usize, balls: [usize; 2]) -> Self {
        let source = &character.clips()[clip];
        let paths = balls.map(|joint| path(character, source, joint));
        let secs = source.duration_secs() / SAMPLES as f64;
        let lowest = paths.each_ref().map(|path| {
            let heights = path.iter().map(|at| at.y);
            heights.fold(f64::INFINITY, f64::min)
        });
        let back_speed = |foot: usize, sample: usize| {
            let at = |sample: usize| paths[foot][sample % SAMPLES].z;
            (at(sample + SAMPLES - 1) - at(sample + 1)) / (2.0 * secs)
        };
        let is_low = |foot: usize, sample: usize| paths[foot][sample].y < lowest[foot] + CONTACT;
        let mut low: Vec<f64> = [0, 1]
            .into_iter()
            .flat_map(|foot| (0..SAMPLES).map(move |sample| (foot, sample)))
            .filter(|&(foot, sample)| is_low(foot, sample))
            .map(|(foot, sample)| back_speed(foot, sample))
            .collect();
        low.sort_by(f64::total_cmp);
        let median = low[low.len() / 2];
        let is_usual =
            |speed: f64| (speed - median).abs() <= SPEED_TOLERANCE * median.abs().max(0.1);
        low.retain(|&speed| is_usual(speed));
        let speed = low.iter().sum::<f64>() / low.len() as f64;
        let ball = |foot: usize, sample: usize| Ball {
            place: Vec2::new(paths[foot][sample].x as f32, paths[foot][sample].z as f32),
            is_planted: is_low(foot, sample) && is_usual(back_speed(foot, sample)),
            is_low: paths[foot][sample].y < lowest[foot] + TOUCH,
        };
        let balls: Vec<[Ball; 2]> = (0..SAMPLES)
            .map(|sample| [0, 1].map(|foot| ball(foot, sample)))
            .collect();
        Self {
            clip: clip as u32,
            duration_secs: source.duration_secs(),
            speed: speed as f32,
            offset: middle(balls.iter().map(|feet| feet[0].is_planted)),
            balls,
        }
    }

    /// Length of two steps in metres.
    pub fn length(&self) -> f32 {
        self.speed * self.duration_secs as f32
    }

    /// Returns the ball of a foot (0 is the left one) at a phase of the stride.
    pub fn ball(&self, foot: usize, phase: f32) -> Ball {
        let at = (phase + self.offset).rem_euclid(1.0) * SAMPLES as f32;
        let sample = at as usize % SAMPLES;
        let [this, next] = [sample, (sample + 1) % SAMPLES].map(|sample| self.balls[sample][foot]);
        Ball {
            place: this.place.lerp(next.place, at - at.floor()),
            is_planted: this.is_planted && next.is_planted,
            is_low: this.is_low || next.is_low,
        }
    }
}

/// Positions of a joint in model space at equal intervals.
fn path(character: &Character, clip: &Clip, joint: usize) -> Vec<DVec3> {
    let mut pose = CharacterPose::rest(character);
    let at = |sample: usize| {
        let secs = clip.duration_secs() * sample as f64 / SAMPLES as f64;
        pose.sample(character, clip, clip.start_secs() + secs);
        pose.model.model_from_joint[joint].translation
    };
    (0..SAMPLES).map(at).collect()
}

/// Returns the circular mean of the phases that are true.
fn middle(is_planted: impl Iterator<Item = bool>) -> f32 {
    let planted = is_planted.enumerate().filter(|(_, is_planted)| *is_planted);
    let sum: Vec2 = planted
        .map(|(sample, _)| Vec2::from_angle(std::f32::consts::TAU * sample as f32 / SAMPLES as f32))
        .sum();
    (sum.to_angle() / std::f32::consts::TAU).rem_euclid(1.0)
}

#[cfg(test)]
mod tests {
    use throng_import::builtin::{HUMANOID_RUN_SPEED, HUMANOID_WALK_SPEED};

    use crate::steering::gaits::tests::gaits;

    #[test]
    fn ground_speeds_are_those_the_clips_were_made_for() {
        let gaits = gaits();
        for (stride, authored) in [
            (&gaits.walk, HUMANOID_WALK_SPEED),
            (&gaits.run, HUMANOID_RUN_SPEED),
        ] {
            let ratio = f64::from(stride.speed) / authored;
            println!("clip {}: {} m/s, {ratio}", stride.clip, stride.speed);
            assert!((0.95..1.05).contains(&ratio), "{ratio}");
        }
    }

    #[test]
    fn feet_carry_in_turns_half_a_stride_apart() {
        let gaits = gaits();
        for stride in [&gaits.walk, &gaits.run] {
            let [left, right] = [stride.ball(0, 0.0), stride.ball(1, 0.5)];
            assert!(left.is_planted && right.is_planted);
            assert!(
                (left.place.x + right.place.x).abs() < 0.002,
                "mirror images"
            );
            assert!(left.place.x > 0.0 && (left.place.y - right.place.y).abs() < 0.02);
            assert!(!stride.ball(0, 0.5).is_planted && !stride.ball(1, 0.0).is_planted);
        }
    }
}
