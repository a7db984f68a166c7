//! The reference: clips of the source, skinned in float64.

use throng_rig::{Character, CharacterPose, Clip, Part, Skinning};
use throng_skin::reference::{Skinned, skin};

use super::playback::{Playback, Played, Player};

/// Plays clips of a character with all of its influences and morphs.
#[derive(Debug, Clone)]
pub struct SourcePlayback<'a> {
    character: &'a Character,
    clips: Vec<usize>,
    skinning: Skinning,
}

impl<'a> SourcePlayback<'a> {
    /// Returns a playback of the given clips of the character.
    ///
    /// # Panics
    /// If the character has no such clip.
    pub fn new(character: &'a Character, clips: Vec<usize>, skinning: impl Into<Skinning>) -> Self {
        for &clip in &clips {
            assert!(clip < character.clips().len(), "clip index out of range");
        }
        Self {
            character,
            clips,
            skinning: skinning.into(),
        }
    }

    pub(super) fn character(&self) -> &'a Character {
        self.character
    }

    pub(super) fn skinning(&self) -> Skinning {
        self.skinning
    }

    /// Returns a clip of the source, and a time from the clip's start in the clip's time, clamped to the clip.
    pub(super) fn locate(&self, clip: usize, time_secs: f64) -> (&'a Clip, f64) {
        let clip = &self.character.clips()[self.clips[clip]];
        let (start_secs, end_secs) = (clip.start_secs(), clip.end_secs());
        (clip, (start_secs + time_secs).clamp(start_secs, end_secs))
    }
}

impl Playback for SourcePlayback<'_> {
    fn player(&self) -> Box<dyn Player + '_> {
        Box::new(SourcePlayer {
            playback: self,
            pose: CharacterPose::rest(self.character),
        })
    }
}

struct SourcePlayer<'a> {
    playback: &'a SourcePlayback<'a>,
    pose: CharacterPose,
}

impl Player for SourcePlayer<'_> {
    fn play(&mut self, clip: usize, time_secs: f64, out: &mut Played) {
        let SourcePlayback {
            character,
            skinning,
            ..
        } = *self.playback;
        let (clip, time_secs) = self.playback.locate(clip, time_secs);
        self.pose.sample(character, clip, time_secs);
        let posed = Posed {
            character,
            morph_weights: &self.pose.local.morph_weights,
            palettes: &self.pose.palettes,
            skinning,
        };
        out.set_parts(character.parts().len());
        for (part, skinned) in character.parts().iter().zip(&mut out.parts) {
            posed.skin(part, skinned);
        }
        out.model_from_joint.clear();
        out.model_from_joint
            .extend_from_slice(&self.pose.model.model_from_joint);
    }
}

/// A pose, ready to skin.
pub(super) struct Posed<'a> {
    pub character: &'a Character,
    pub morph_weights: &'a [f64],
    pub palettes: &'a [throng_rig::Palette],
    pub skinning: Skinning,
}

impl Posed<'_> {
    pub fn skin(&self, part: &Part, out: &mut Skinned) {
        let weights = &self.morph_weights[self.character.morph_range(part)];
        let (mesh, palette) = (self.character.mesh_of(part), &self.palettes[part.skin]);
        skin(self.skinning, mesh, weights, palette, out);
    }
}
