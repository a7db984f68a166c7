//! Types of Throng: skeletons, skins, meshes, clips, poses, palettes and dual quaternions.
//!
//! No files and no GPU. Values are checked when they are made ([`Skeleton::new`], [`Clip::new`],
//! [`Mesh::new`], …): joints are in range, keys are sorted and numbers are finite, and later code does not
//! check again.
//!
//! A pose is made in three steps, each into a buffer that the caller owns and reuses:
//!
//! ```text
//! Clip, seconds ──► LocalPose ──► ModelPose ──► Palette
//!                  (in parent)   (in model)    (model_from_bind, one per skin)
//! ```
//!
//! [`CrowdClip`] ──► [`CrowdPose`] ──► [`CrowdPalette`] are the same steps for many instances at once, in
//! float32.
//!
//! Lengths are metres, angles radians, times seconds. Y is up, axes are right-handed, vectors are columns.
//! A matrix is named for the spaces it connects: `model_from_joint * joint_from_bind`.

mod bounds;
mod character;
mod character_pose;
mod clip;
mod crowd;
mod dual_quat;
mod influences;
mod loop_policy;
mod material;
mod mesh;
mod method;
mod mrp;
mod normals;
mod palette;
mod pose;
mod rest_vertices;
mod select;
mod select_vertices;
mod skeleton;
mod skin;
mod skinning;
mod svd;
mod track;
mod transform;
mod unique;

pub use bounds::Bounds;
pub use character::{Character, CharacterError, CharacterParts, MorphSet, Part};
pub use character_pose::CharacterPose;
pub use clip::{Clip, ClipError, JointTracks, MorphTrack};
pub use crowd::{CrowdClip, CrowdPalette, CrowdPose, Mat3x4};
pub use dual_quat::DualQuat;
pub use influences::{Influences, InfluencesError};
pub use loop_policy::{LoopPolicy, ParseLoopPolicyError};
pub use material::{AlphaMode, Image, ImageFormat, Material, Texture, Wrap};
pub use mesh::{AuthoredMethod, ControlPoints, Mesh, MeshError, MorphTarget};
pub use method::{METHOD_NAMES, Method, ParseMethodError};
pub use mrp::{mrp_from_quat, mrp_from_signed_quat, quat_from_mrp, quat_from_mrp_f32};
pub use normals::vertex_normals;
pub use palette::Palette;
pub use pose::{LocalPose, ModelPose};
pub use rest_vertices::RestVertices;
pub use select::{Match, SelectError, UNNAMED, select_by_name};
pub use skeleton::{Joint, JointKind, Skeleton, SkeletonError};
pub use skin::{Skin, SkinError};
pub use skinning::Skinning;
pub use svd::{Polar, Svd, polar, polar_like, svd};
pub use track::{Interpolation, Key, Track, TrackError};
pub use transform::{Decomposition, Transform};
pub use unique::{UniqueError, UniqueVertices};

/// Tests the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
