//! Poses: joints in parent space and in model space.

use glam::DAffine3;

use crate::{Character, Clip, MorphSet, Skeleton, Transform};

/// Joints in parent space, and morph weights. Made once per character, then reused.
#[derive(Debug, Clone, PartialEq)]
pub struct LocalPose {
    /// `parent_from_joint`, one per joint.
    pub joints: Vec<Transform>,
    /// Weights of all morph sets; see [`crate::MorphSet::range`].
    pub morph_weights: Vec<f64>,
}

impl LocalPose {
    /// Makes the rest pose.
    pub fn rest(character: &Character) -> Self {
        let mut pose = Self {
            joints: Vec::with_capacity(character.skeleton().len()),
            morph_weights: Vec::new(),
        };
        pose.set_rest(character);
        pose
    }

    /// Sets the rest pose.
    pub fn set_rest(&mut self, character: &Character) {
        self.joints.clear();
        let joints = character.skeleton().joints().iter();
        self.joints.extend(joints.map(|j| j.parent_from_joint));
        self.morph_weights.clear();
        let weights = character
            .morph_sets()
            .iter()
            .flat_map(MorphSet::rest_weights);
        self.morph_weights.extend(weights.map(|&w| f64::from(w)));
    }

    /// Samples a clip of the character at a time, which is clamped to the clip. Joints and morph weights without
    /// a track are set to the rest pose.
    pub fn sample(&mut self, character: &Character, clip: &Clip, time_secs: f64) {
        self.set_rest(character);
        for tracks in clip.joints() {
            let joint = &mut self.joints[tracks.joint];
            if let Some(track) = &tracks.translation {
                joint.translation = track.sample(time_secs);
            }
            if let Some(track) = &tracks.rotation {
                joint.rotation = track.sample(time_secs);
            }
            if let Some(track) = &tracks.scale {
                joint.scale = track.sample(time_secs);
            }
        }
        for track in clip.morphs() {
            let range = character.morph_sets()[track.set].range();
            track.sample(time_secs, &mut self.morph_weights[range]);
        }
    }

    /// Blends towards another pose of the same character, in parent space: weight 0 keeps this pose, 1 gives the
    /// other. Rotations take the shorter arc and are normalised.
    pub fn blend(&mut self, other: &Self, weight: f64) {
        for (joint, other) in self.joints.iter_mut().zip(&other.joints) {
            joint.translation = joint.translation.lerp(other.translation, weight);
            let sign = if joint.rotation.dot(other.rotation) < 0.0 {
                -1.0
            } else {
                1.0
            };
            let blended = joint.rotation * (1.0 - weight) + other.rotation * (sign * weight);
            joint.rotation = blended.normalize();
            joint.scale = joint.scale.lerp(other.scale, weight);
        }
        for (ours, other) in self.morph_weights.iter_mut().zip(&other.morph_weights) {
            *ours += (other - *ours) * weight;
        }
    }
}

/// Joints in model space. Made once per skeleton, then reused.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ModelPose {
    /// One per joint.
    pub model_from_joint: Vec<DAffine3>,
}

impl ModelPose {
    /// Computes `model_from_joint` of every joint, in one pass over the skeleton.
    pub fn resolve(&mut self, skeleton: &Skeleton, local: &LocalPose) {
        self.model_from_joint.clear();
        for (joint, parent_from_joint) in skeleton.joints().iter().zip(&local.joints) {
            let parent_from_joint = parent_from_joint.to_affine();
            let model_from_joint = match joint.parent {
                Some(parent) => self.model_from_joint[parent] * parent_from_joint,
                None => parent_from_joint,
            };
            self.model_from_joint.push(model_from_joint);
        }
    }
}
