//! Transforms of every bone at every frame.

use glam::DAffine3;
use rayon::prelude::*;
use throng_rig::{Character, CharacterPose};

use crate::accuracy::moving_joints;
use crate::plan::FrameTime;

/// Joints that move vertices, and their transforms.
pub(crate) struct BoneFrames {
    /// Indices into the skeleton, in its order.
    pub joints: Vec<usize>,
    /// `model_from_joint` in metres: frame by frame, bone by bone.
    pub transforms: Vec<DAffine3>,
    /// Weights of all morph sets, frame by frame.
    pub morph_weights: Vec<f64>,
    /// Number of weights per frame.
    pub morphs: usize,
}

impl BoneFrames {
    /// Poses the character at every frame.
    pub fn new(character: &Character, frames: &[FrameTime]) -> Self {
        let joints = moving_joints(character);
        let morphs = CharacterPose::rest(character).local.morph_weights.len();
        let pose = |pose: &mut CharacterPose, frame: &FrameTime| {
            let clip = &character.clips()[frame.clip];
            pose.local.sample(character, clip, frame.time_secs);
            pose.model.resolve(character.skeleton(), &pose.local);
            let bones = joints
                .iter()
                .map(|&joint| pose.model.model_from_joint[joint]);
            (bones.collect::<Vec<_>>(), pose.local.morph_weights.clone())
        };
        let posed: Vec<_> = frames
            .par_iter()
            .map_init(|| CharacterPose::rest(character), pose)
            .collect();
        Self {
            transforms: posed.iter().flat_map(|(bones, _)| bones).copied().collect(),
            morph_weights: posed.iter().flat_map(|(_, m)| m).copied().collect(),
            joints,
            morphs,
        }
    }

    /// Number of bones.
    pub fn bones(&self) -> usize {
        self.joints.len()
    }

    /// Returns one bone at every frame.
    pub fn of_bone(&self, bone: usize) -> impl Iterator<Item = &DAffine3> + Clone {
        self.transforms.iter().skip(bone).step_by(self.bones())
    }
}
