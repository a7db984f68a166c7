//! Channels (rotation, translation, scale) of joints that move in any clip of a set.

use glam::{DQuat, DVec3};
use throng_rig::{Character, LocalPose};

use super::LocalRig;
use super::samples::ClipSpan;

/// Constants of all bones, and scales of their curves.
#[derive(Debug, Clone)]
pub struct Channels {
    /// One per bone.
    pub bones: Vec<BoneChannels>,
    /// True where some bone has a scale other than one.
    pub has_scale: bool,
    /// True where scales are not uniform, so that rotations of parent and child do not simply multiply.
    pub is_skewed: bool,
}

/// Channels of a bone.
#[derive(Debug, Clone)]
pub struct BoneChannels {
    /// True for each of rotation, translation and scale that is a curve; the others are constant.
    pub curves: [bool; 3],
    /// Constant translation, or the centre of the curve; exact in float32.
    pub translation: DVec3,
    /// Translation curves are multiplied by 2 to this power.
    pub translation_exponent: i32,
    /// Constant rotation.
    pub rotation: DQuat,
    /// Constant scale, or the centre of the curve; exact in float32.
    pub scale: DVec3,
    /// Scale curves are multiplied by this power of two.
    pub scale_extent: f64,
}

impl BoneChannels {
    /// Factor of translation curves.
    pub fn translation_extent(&self) -> f64 {
        2f64.powi(self.translation_exponent)
    }
}

/// Largest error of a channel that is stored as a constant, as a part of the maximum error.
const CONSTANT_ERROR: f64 = 0.05;

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

    /// Returns the exponent of the power of two that encloses the extent around its centre.
    fn exponent(&self) -> i32 {
        let middle = self.middle();
        let most = (self.max - middle).max(middle - self.min).max_element();
        (most.max(1e-30).log2().ceil() as i32).clamp(-100, 100)
    }
}

impl Channels {
    /// Finds the channels that move. `max_error` is in metres.
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
        let mut max_angle = vec![0f64; count];
        let mut pose = LocalPose::rest(character);
        // The first pass sums rotations in the hemisphere of the first; the second measures angles to the mean.
        for pass in 0..2 {
            for clip in clips {
                for time in clip.times(2) {
                    pose.sample(character, clip.clip, time);
                    for (bone, &joint) in rig.bones.iter().enumerate() {
                        let local = &pose.joints[joint];
                        if pass == 1 {
                            let angle = local.rotation.angle_between(rotations[bone].1);
                            max_angle[bone] = max_angle[bone].max(angle);
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
        let constant_error = CONSTANT_ERROR * max_error;
        let bones: Vec<BoneChannels> = (0..count)
            .map(|bone| {
                let (reach, carry) = (rig.reach[bone], rig.carry[bone]);
                let moves = translations[bone].half() * carry * rig.parent_scale[bone];
                BoneChannels {
                    curves: [
                        max_angle[bone] * reach > constant_error,
                        moves > constant_error,
                        scales[bone].half() * reach.max(1e-9) > constant_error,
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
