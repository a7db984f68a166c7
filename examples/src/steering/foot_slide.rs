//! Foot slide: the distance that planted feet move over the ground, from the poses that are drawn.
//!
//! Joints are decoded from the texture set as shaders decode them, at the playback of each instance. A foot is planted in a
//! frame while the ball is as low as in the rest pose, within [`CONTACT`]; a step is a run of such frames.

use glam::{DVec3, Vec3};
use throng_format::decode::{self, BonePose};
use throng_format::{ClipTiming, DecodeParams, TextureSet};
use throng_wgpu::{Instance, Play, Ticks};

/// Height of a planted ball above its rest pose, at most, in metres.
pub const CONTACT: f64 = 0.004;

/// Kinds of steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The clip `walk` alone.
    Walk,
    /// The clip `run` alone.
    Run,
    /// Two clips blended: short steps of slow agents, and cross-fades.
    Blend,
}

/// A step that ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Step {
    /// Clips that played.
    pub kind: Kind,
    /// Distance that the foot slid, in millimetres.
    pub slide_mm: f64,
    /// Time on the ground, in seconds.
    pub secs: f64,
}

/// A foot on the ground.
#[derive(Debug, Clone, Copy)]
struct Contact {
    at: DVec3,
    since: Option<Step>,
}

/// Measures the feet of some instances over time.
#[derive(Debug)]
pub struct FootSlide<'s> {
    set: &'s TextureSet,
    clips: Vec<ClipTiming>,
    /// Joints of the balls, and their heights in the rest pose.
    balls: [(usize, f64); 2],
    pose: BonePose,
    contacts: Vec<[Option<Contact>; 2]>,
    last: Option<Ticks>,
    steps: Vec<Step>,
}

/// Mean, 99th percentile and maximum.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Spread {
    /// Number of values.
    pub count: usize,
    /// Mean.
    pub mean: f64,
    /// 99th percentile.
    pub p99: f64,
    /// Maximum.
    pub max: f64,
}

impl Spread {
    /// Sorts values and returns their spread.
    pub fn of(mut values: Vec<f64>) -> Self {
        values.sort_by(f64::total_cmp);
        let count = values.len();
        match values.last() {
            None => Self::default(),
            Some(&max) => Self {
                count,
                mean: values.iter().sum::<f64>() / count as f64,
                p99: values[(count * 99).div_ceil(100) - 1],
                max,
            },
        }
    }
}

impl<'s> FootSlide<'s> {
    /// Prepares to measure `count` instances of a set with the joints `left_toes` and `right_toes`.
    pub fn new(set: &'s TextureSet, count: usize) -> Result<Self, String> {
        let pose = BonePose::rest(set.model());
        let ball = |name: &str| {
            let mut joints = set.model().skeleton().joints().iter();
            let found = joints.position(|joint| joint.name == name);
            let joint =
                found.ok_or(format!("no joint '{name}'; expected the built-in humanoid"))?;
            Ok::<_, String>((joint, pose.model_from_joint[joint].translation.y))
        };
        Ok(Self {
            clips: DecodeParams::of(set).clips,
            balls: [ball("left_toes")?, ball("right_toes")?],
            contacts: vec![[None; 2]; count],
            last: None,
            steps: Vec::new(),
            pose,
            set,
        })
    }

    /// Steps that ended so far.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Compares the feet with those of the frame before. `idle`, `walk` and `run` are clips; standing agents are left out.
    pub fn observe(&mut self, instances: &[Instance], [idle, walk, run]: [u32; 3], now: Ticks) {
        let secs = self
            .last
            .replace(now)
            .map_or(0.0, |last| Ticks(now.0.wrapping_sub(last.0)).secs());
        for (index, instance) in instances.iter().take(self.contacts.len()).enumerate() {
            let kind = match (instance.play.clip(), instance.fade) {
                (clip, None) if clip == walk => Some(Kind::Walk),
                (clip, None) if clip == run => Some(Kind::Run),
                (clip, None) if clip == idle => None,
                (clip, Some(fade)) if clip == idle && fade.weight(now) < 0.5 => None,
                _ => Some(Kind::Blend),
            };
            let Some(kind) = kind else {
                self.contacts[index] = [None; 2];
                continue;
            };
            let feet = self.feet(instance, now);
            for (foot, at) in feet.into_iter().enumerate() {
                let before = self.contacts[index][foot].take();
                self.contacts[index][foot] = self.contact(before, at, kind, secs);
            }
        }
    }

    /// Returns the contact after a frame, and records the step that ended.
    fn contact(
        &mut self,
        before: Option<Contact>,
        at: Option<DVec3>,
        kind: Kind,
        secs: f64,
    ) -> Option<Contact> {
        let Some(at) = at else {
            self.steps.extend(before.and_then(|contact| contact.since));
            return None;
        };
        let Some(before) = before else {
            return Some(Contact { at, since: None });
        };
        let step = before.since.unwrap_or(Step {
            kind,
            slide_mm: 0.0,
            secs: 0.0,
        });
        Some(Contact {
            at,
            since: Some(Step {
                kind: if step.kind == kind { kind } else { Kind::Blend },
                slide_mm: step.slide_mm + 1e3 * (at - before.at).with_y(0.0).length(),
                secs: step.secs + secs,
            }),
        })
    }

    /// Positions of the balls in world space; `None` for those in the air.
    fn feet(&mut self, instance: &Instance, now: Ticks) -> [Option<DVec3>; 2] {
        let at = |play: &Play| {
            let clip = &self.clips[play.clip() as usize];
            let secs = play.time_secs(clip.duration_secs, clip.looping, now);
            (play.clip() as usize, secs)
        };
        match &instance.fade {
            None => {
                let (clip, secs) = at(&instance.play);
                decode::bones(self.set, clip, secs, &mut self.pose);
            }
            Some(fade) => {
                let times = [at(&instance.play), at(&fade.to)];
                decode::fade_bones(self.set, times, fade.weight(now), &mut self.pose);
            }
        }
        self.balls.map(|(joint, rest_height)| {
            let ball = self.pose.model_from_joint[joint].translation;
            let is_planted = ball.y < rest_height + CONTACT;
            is_planted.then(|| in_world(instance, ball))
        })
    }

    /// Returns the slide per step in millimetres, and while planted in millimetres per second, of one kind of steps.
    pub fn spread(&self, kind: Kind) -> [Spread; 2] {
        let steps = self.steps.iter().filter(|step| step.kind == kind);
        // Shorter contacts are the ends of steps that changed their kind.
        let steps = steps.filter(|step| step.secs > 0.05);
        let (slides, speeds) = steps
            .map(|step| (step.slide_mm, step.slide_mm / step.secs))
            .unzip();
        [Spread::of(slides), Spread::of(speeds)]
    }
}

/// Adds the translation in float64. Positions in float32 are exact to a hundredth of a millimetre at a hundred metres.
fn in_world(instance: &Instance, point: DVec3) -> DVec3 {
    let transform = &instance.world_from_model;
    let turned = transform.transform_vector3(point.as_vec3());
    let Vec3 { x, y, z } = transform.translation.into();
    turned.as_dvec3() + DVec3::new(x.into(), y.into(), z.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spread_of_a_hundred_numbers_is_that_of_the_definition() {
        let spread = Spread::of((1..=100).rev().map(f64::from).collect());
        assert_eq!((spread.count, spread.mean), (100, 50.5));
        assert_eq!((spread.p99, spread.max), (99.0, 100.0));
        assert_eq!(Spread::of(Vec::new()), Spread::default());
    }
}
