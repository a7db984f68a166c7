//! The reference: clips of the source, skinned in float64.

use throng_format::decode::BonePose;
use throng_rig::{Character, Clip, LocalPose, ModelPose, Skinning};

use super::cursor::ClipCursor;
use super::playback::{JointPlayer, Playback, Player, PosedPlayback};
use super::skinner::{Skinner, SkinningPlayer};

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

    pub(crate) fn character(&self) -> &'a Character {
        self.character
    }

    pub(super) fn skinning(&self) -> Skinning {
        self.skinning
    }

    fn joints(&self) -> Box<dyn JointPlayer + '_> {
        Box::new(SourceJoints {
            playback: self,
            cursor: ClipCursor::default(),
            local: LocalPose::rest(self.character),
            model: ModelPose::default(),
            pose: BonePose::rest(self.character),
        })
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
        Box::new(SkinningPlayer {
            joints: self.joints(),
            skinner: Skinner::new(self.character, self.skinning),
        })
    }

    fn posed(&self) -> Option<PosedPlayback<'_>> {
        Some(PosedPlayback {
            character: self.character,
            skinning: self.skinning,
            joints: self.joints(),
        })
    }
}

/// Samples joints of the source.
struct SourceJoints<'a> {
    playback: &'a SourcePlayback<'a>,
    cursor: ClipCursor,
    local: LocalPose,
    model: ModelPose,
    pose: BonePose,
}

impl JointPlayer for SourceJoints<'_> {
    fn pose(&mut self, clip: usize, time_secs: f64) -> &BonePose {
        let character = self.playback.character;
        let index = clip;
        let (clip, time_secs) = self.playback.locate(clip, time_secs);
        self.cursor
            .sample(character, (index, clip), time_secs, &mut self.local);
        self.model.resolve(character.skeleton(), &self.local);
        let joints = &mut self.pose.model_from_joint;
        std::mem::swap(joints, &mut self.model.model_from_joint);
        self.pose
            .morph_weights
            .clone_from(&self.local.morph_weights);
        &self.pose
    }
}
