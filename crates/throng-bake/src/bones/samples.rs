//! Where every bone is at every frame.

use std::collections::BTreeSet;

use glam::DAffine3;
use rayon::prelude::*;
use throng_rig::{Character, CharacterPose};

use crate::plan::FrameTime;

/// Joints that move vertices, and where they are.
pub(crate) struct BoneFrames {
    /// Indices into the skeleton, in its order.
    pub joints: Vec<usize>,
    /// In model space, metres: frame by frame, bone by bone.
    pub transforms: Vec<DAffine3>,
    /// Weights of all morph sets: frame by frame.
    pub morph_weights: Vec<f64>,
    /// Weights of a frame.
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

    /// How many bones there are.
    pub fn bones(&self) -> usize {
        self.joints.len()
    }

    /// One bone at every frame.
    pub fn of_bone(&self, bone: usize) -> impl Iterator<Item = &DAffine3> + Clone {
        self.transforms.iter().skip(bone).step_by(self.bones())
    }
}

/// Joints that any vertex of any part follows, in the skeleton's order.
pub(crate) fn moving_joints(character: &Character) -> Vec<usize> {
    let mut joints = BTreeSet::new();
    for part in character.parts() {
        let (mesh, skin) = (character.mesh_of(part), character.skin_of(part));
        let mut used = vec![false; skin.len()];
        for vertex in 0..mesh.vertex_count() {
            for &entry in mesh.influences().run(vertex).0 {
                used[entry as usize] = true;
            }
        }
        let used = used.iter().zip(skin.joints()).filter(|(used, _)| **used);
        joints.extend(used.map(|(_, joint)| *joint));
    }
    joints.into_iter().collect()
}
