//! Skinning of whole parts from joints, in float64.

use glam::DAffine3;
use throng_rig::{Character, CharacterPose, Method, ModelPose, Palette, Part, Skinning};
use throng_skin::reference::{Skinned, skin};

use super::playback::{JointPlayer, Played, Player};

/// Skins a character with poses of its joints.
pub(super) struct Skinner<'a> {
    pub model: &'a Character,
    skinning: Skinning,
    pose: ModelPose,
    palettes: Palettes,
}

impl<'a> Skinner<'a> {
    pub fn new(model: &'a Character, skinning: Skinning) -> Self {
        Self {
            model,
            skinning,
            pose: ModelPose::default(),
            palettes: Palettes::new(model, skinning),
        }
    }

    /// Skins all parts.
    pub fn skin(&mut self, joints: &[DAffine3], morph_weights: &[f64], out: &mut Played) {
        self.set_joints(joints);
        out.set_parts(self.model.parts().len());
        for (part, skinned) in out.parts.iter_mut().enumerate() {
            self.skin_part(part, morph_weights, skinned);
        }
    }

    /// Computes the palettes of a pose.
    pub fn set_joints(&mut self, joints: &[DAffine3]) {
        self.pose.model_from_joint.clear();
        self.pose.model_from_joint.extend_from_slice(joints);
        self.palettes.update(self.model, &self.pose);
    }

    /// Skins a part in the pose of [`Self::set_joints`].
    pub fn skin_part(&self, part: usize, morph_weights: &[f64], out: &mut Skinned) {
        let part = &self.model.parts()[part];
        let weights = &morph_weights[self.model.morph_range(part)];
        let (mesh, palette) = (self.model.mesh_of(part), &self.palettes.palettes[part.skin]);
        skin(self.skinning, mesh, weights, palette, out);
    }
}

/// Palettes of all skins of a character.
pub(super) struct Palettes {
    pub palettes: Vec<Palette>,
    /// True for skins that need no dual quaternions.
    is_linear: Vec<bool>,
}

impl Palettes {
    pub fn new(character: &Character, skinning: Skinning) -> Self {
        let mut is_linear = vec![true; character.skins().len()];
        for part in character.parts() {
            is_linear[part.skin] &= is_linear_blend(character, part, skinning);
        }
        Self {
            palettes: CharacterPose::rest(character).palettes,
            is_linear,
        }
    }

    /// Computes the palettes of a pose.
    pub fn update(&mut self, character: &Character, pose: &ModelPose) {
        let skins = self.palettes.iter_mut().zip(character.skins());
        for ((palette, skin), &is_linear) in skins.zip(&self.is_linear) {
            if is_linear {
                palette.update_matrices(skin, pose);
            } else {
                palette.update(skin, pose);
            }
        }
    }
}

/// True where all vertices of a part are blended linearly.
pub(super) fn is_linear_blend(character: &Character, part: &Part, skinning: Skinning) -> bool {
    skinning.method_of_mesh(character.mesh_of(part)) == Some(Method::Lbs)
}

/// Plays joints and skins all parts.
pub(super) struct SkinningPlayer<'a> {
    pub joints: Box<dyn JointPlayer + 'a>,
    pub skinner: Skinner<'a>,
}

impl Player for SkinningPlayer<'_> {
    fn play(&mut self, clip: usize, time_secs: f64, out: &mut Played) {
        let pose = self.joints.pose(clip, time_secs);
        let joints = &pose.model_from_joint;
        self.skinner.skin(joints, &pose.morph_weights, out);
        out.model_from_joint.clone_from(joints);
    }
}
