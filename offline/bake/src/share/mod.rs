//! One motion set for several characters of one skeleton.
//!
//! [`group_by_skeleton`] finds the characters that can share a motion set, and [`group_clips`] the clips that they play.
//! [`bake_shared`] bakes the bones of a group once, for all meshes together, and proves the error on every mesh: it returns
//! a motion set without a mesh, and a set per character that uses the same textures. [`set_on_mesh`] puts a mesh on a
//! motion set, and [`with_shell`] gives a skeleton without a mesh points to measure the error on.

mod bake_shared;
mod clips;
mod error;
mod on_mesh;
mod shell;
mod skeletons;
mod union;

pub use bake_shared::{ShareGoal, SharedCharacter, SharedSet, SharedSets, bake_shared};
pub use clips::{GroupClips, group_clips};
pub use error::ShareError;
pub use on_mesh::set_on_mesh;
pub use shell::with_shell;
pub use skeletons::{SkeletonDifference, SkeletonGroup, difference, group_by_skeleton};

use throng_format::Encoding;

/// Encodings whose textures characters can share: those of bones.
pub const SHARED_ENCODINGS: [Encoding; 5] = [
    Encoding::BoneMatrix,
    Encoding::BoneDq,
    Encoding::BoneQt,
    Encoding::VirtualBones,
    Encoding::BoneLocal,
];
