//! All steps of posing one character.

use crate::{Character, Clip, LocalPose, ModelPose, Palette};

/// A pose of a character in all its forms, with the buffers. Made once, then reused.
#[derive(Debug, Clone)]
pub struct CharacterPose {
    /// Joints in parent space. Call [`Self::resolve`] after changing it.
    pub local: LocalPose,
    /// Joints in model space.
    pub model: ModelPose,
    /// One palette per skin of the character.
    pub palettes: Vec<Palette>,
}

impl CharacterPose {
    /// Makes the rest pose.
    pub fn rest(character: &Character) -> Self {
        let mut pose = Self {
            local: LocalPose::rest(character),
            model: ModelPose::default(),
            palettes: vec![Palette::default(); character.skins().len()],
        };
        pose.resolve(character);
        pose
    }

    /// Samples a clip at a time; see [`LocalPose::sample`].
    pub fn sample(&mut self, character: &Character, clip: &Clip, time_secs: f64) {
        self.local.sample(character, clip, time_secs);
        self.resolve(character);
    }

    /// Computes the model pose and the palettes from the local pose.
    pub fn resolve(&mut self, character: &Character) {
        self.model.resolve(character.skeleton(), &self.local);
        for (palette, skin) in self.palettes.iter_mut().zip(character.skins()) {
            palette.update(skin, &self.model);
        }
    }
}
