//! Where every joint is: first in its parent's space, then in the model's.

use glam::DAffine3;

use crate::{Character, Clip, MorphSet, Palette, Skeleton, Transform};

/// Joints in their parents' spaces, and morph weights. Made once for a character, then reused.
#[derive(Debug, Clone, PartialEq)]
pub struct LocalPose {
    /// One a joint.
    pub joints: Vec<Transform>,
    /// Weights of all morph sets in a row; see [`crate::MorphSet::range`].
    pub morph_weights: Vec<f64>,
}

impl LocalPose {
    /// The pose that the file itself holds.
    pub fn rest(character: &Character) -> Self {
        let mut pose = Self {
            joints: Vec::with_capacity(character.skeleton().len()),
            morph_weights: Vec::new(),
        };
        pose.set_rest(character);
        pose
    }

    /// Goes back to the rest pose.
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

    /// Poses the character as the clip has it at a time, clamped to the clip; what the clip does not
    /// move is at rest, whatever the pose held before. `clip` must be one of the character's.
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

    /// Goes towards another pose of the same character, joint by joint in its parent's space: 0 stays, 1
    /// arrives. Rotations go the short way and are brought back to unit length.
    pub fn blend(&mut self, other: &Self, weight: f64) {
        for (joint, other) in self.joints.iter_mut().zip(&other.joints) {
            joint.translation = joint.translation.lerp(other.translation, weight);
            let sign = if joint.rotation.dot(other.rotation) < 0.0 {
                -1.0
            } else {
                1.0
            };
            let mixed = joint.rotation * (1.0 - weight) + other.rotation * (sign * weight);
            joint.rotation = mixed.normalize();
            joint.scale = joint.scale.lerp(other.scale, weight);
        }
        for (own, other) in self.morph_weights.iter_mut().zip(&other.morph_weights) {
            *own += (other - *own) * weight;
        }
    }
}

/// Joints in the model's space. Made once for a skeleton, then reused.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ModelPose {
    /// One a joint.
    pub model_from_joint: Vec<DAffine3>,
}

impl ModelPose {
    /// Follows each joint up to its root, in one walk over the skeleton.
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

/// All steps of posing a character in one place, with the buffers they need. Made once, then reused.
#[derive(Debug, Clone)]
pub struct CharacterPose {
    /// In the parents' spaces. After changing it by hand, call [`Self::resolve`].
    pub local: LocalPose,
    /// In the model's space.
    pub model: ModelPose,
    /// One a skin of the character.
    pub palettes: Vec<Palette>,
}

impl CharacterPose {
    /// The pose that the file itself holds.
    pub fn rest(character: &Character) -> Self {
        let mut pose = Self {
            local: LocalPose::rest(character),
            model: ModelPose::default(),
            palettes: vec![Palette::default(); character.skins().len()],
        };
        pose.resolve(character);
        pose
    }

    /// Poses the character as the clip has it at a time; see [`LocalPose::sample`].
    pub fn sample(&mut self, character: &Character, clip: &Clip, time_secs: f64) {
        self.local.sample(character, clip, time_secs);
        self.resolve(character);
    }

    /// Brings the model pose and the palettes up to the local pose.
    pub fn resolve(&mut self, character: &Character) {
        self.model.resolve(character.skeleton(), &self.local);
        for (palette, skin) in self.palettes.iter_mut().zip(character.skins()) {
            palette.update(skin, &self.model);
        }
    }
}
