//! Which of a joint's three channels move at all, over all clips of a set.

use glam::{DQuat, DVec3};
use throng_rig::{Character, LocalPose};

use super::LocalRig;
use super::samples::ClipSpan;

/// What is constant, and what the curves of the rest are scaled by.
#[derive(Debug, Clone)]
pub struct Channels {
    /// One a bone.
    pub bones: Vec<BoneChannels>,
    /// True where some bone has a scale other than one.
    pub has_scale: bool,
    /// True where scales are not uniform, so that rotations do not simply follow each other.
    pub is_skewed: bool,
}

/// A bone's channels.
#[derive(Debug, Clone)]
pub struct BoneChannels {
    /// Whether rotation, translation and scale are curves.
    pub curves: [bool; 3],
    /// Constant, or the middle of the curve, as float32 holds it.
    pub translation: DVec3,
    /// Translation curves are scaled by two to this.
    pub translation_exponent: i32,
    /// Constant rotation.
    pub rotation: DQuat,
    /// Constant, or the middle of the curve, as float32 holds it.
    pub scale: DVec3,
    /// Scale curves are scaled by this, a power of two.
    pub scale_extent: f64,
}

impl BoneChannels {
    /// What translation curves are scaled by.
    pub fn translation_extent(&self) -> f64 {
        2f64.powi(self.translation_exponent)
    }
}

/// What holding a channel still may cost, of the error that is asked for.
const STILL: f64 = 0.05;

struct Extent {
    min: DVec3,
    max: DVec3,
}

impl Extent {
    const EMPTY: Self = Self {
        min: DVec3::INFINITY,
        max: DVec3::NEG_INFINITY,
    };

    fn add(&mut self, v: DVec3) {
        self.min = self.min.min(v);
        self.max = self.max.max(v);
    }

    fn middle(&self) -> DVec3 {
        ((self.min + self.max) * 0.5).as_vec3().as_dvec3()
    }

    fn half(&self) -> f64 {
        ((self.max - self.min) * 0.5).length()
    }

    /// The power of two that holds the extent about its middle.
    fn exponent(&self) -> i32 {
        let middle = self.middle();
        let most = (self.max - middle).max(middle - self.min).max_element();
        (most.max(1e-30).log2().ceil() as i32).clamp(-100, 100)
    }
}

impl Channels {
    /// `max_error` is in metres.
    pub fn find(
        character: &Character,
        rig: &LocalRig,
        clips: &[ClipSpan<'_>],
        max_error: f64,
    ) -> Self {
        let count = rig.bones.len();
        let mut translations: Vec<Extent> = (0..count).map(|_| Extent::EMPTY).collect();
        let mut scales: Vec<Extent> = (0..count).map(|_| Extent::EMPTY).collect();
        let mut rotations: Vec<(DQuat, DQuat)> = Vec::new();
        let mut turned = vec![0f64; count];
        let mut pose = LocalPose::rest(character);
        // Rotations are summed in the hemisphere of the first, then looked at again.
        for pass in 0..2 {
            for clip in clips {
                for time in clip.times(2) {
                    pose.sample(character, clip.clip, time);
                    for (bone, &joint) in rig.bones.iter().enumerate() {
                        let local = &pose.joints[joint];
                        if pass == 1 {
                            let angle = local.rotation.angle_between(rotations[bone].1);
                            turned[bone] = turned[bone].max(angle);
                            continue;
                        }
                        translations[bone].add(local.translation);
                        scales[bone].add(local.scale);
                        match rotations.get_mut(bone) {
                            None => rotations.push((local.rotation, local.rotation)),
                            Some((first, sum)) => {
                                let sign = if first.dot(local.rotation) < 0.0 {
                                    -1.0
                                } else {
                                    1.0
                                };
                                *sum += local.rotation * sign;
                            }
                        }
                    }
                }
            }
            for (first, sum) in &mut rotations {
                *sum = if sum.length() > 1e-9 {
                    sum.normalize()
                } else {
                    *first
                };
            }
        }
        let still = STILL * max_error;
        let bones: Vec<BoneChannels> = (0..count)
            .map(|bone| {
                let (reach, carry) = (rig.reach[bone], rig.carry[bone]);
                let moves = translations[bone].half() * carry * rig.parent_scale[bone];
                BoneChannels {
                    curves: [
                        turned[bone] * reach > still,
                        moves > still,
                        scales[bone].half() * reach.max(1e-9) > still,
                    ],
                    translation: translations[bone].middle(),
                    translation_exponent: translations[bone].exponent(),
                    rotation: rotations[bone].1,
                    scale: scales[bone].middle(),
                    scale_extent: 2f64.powi(scales[bone].exponent()),
                }
            })
            .collect();
        let uniform =
            |s: DVec3| (s.max_element() - s.min_element()).abs() < 1e-6 * s.abs().max_element();
        let skewed = |(extent, bone): (&Extent, &BoneChannels)| {
            bone.scale.min_element() <= 0.0 || !uniform(extent.min) || !uniform(extent.max)
        };
        Self {
            has_scale: bones
                .iter()
                .any(|b| b.curves[2] || b.scale.distance(DVec3::ONE) > 1e-6),
            is_skewed: scales.iter().zip(&bones).any(skewed),
            bones,
        }
    }
}
