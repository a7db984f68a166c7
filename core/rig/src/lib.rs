//! Types for skeletal animation: skeletons, skins, meshes, morph targets, clips, poses, matrix palettes and dual
//! quaternions, for one character or for a crowd.
//!
//! No files and no GPU. A [`Character`] holds a [`Skeleton`], [`Skin`]s, [`Mesh`]es and [`Clip`]s; a [`Part`] is one
//! mesh under one skin. Values are checked when they are made ([`Skeleton::new`], [`Clip::new`], [`Mesh::new`], …):
//! joints are in range, keys are sorted and numbers are finite, and later code does not check again.
//!
//! A pose is made in three steps, each into a buffer that the caller owns and reuses:
//!
//! ```text
//! Clip, seconds ──► LocalPose ──► ModelPose ──► Palette
//!                  (in parent)   (in model)    (model_from_bind, one per skin)
//! ```
//!
//! [`CharacterPose`] does all three for one character. [`CrowdClip`] ──► [`CrowdPose`] ──► [`CrowdPalette`] are the
//! same steps for many instances at once, in float32. [`CrowdClips`] adds cross-fades and morph weights.
//!
//! Lengths are metres, angles radians, times seconds. Y is up, axes are right-handed, vectors are columns.
//! A matrix is named for the spaces it connects: `model_from_joint * joint_from_bind`.
//!
//! # Example
//!
//! An arm of two joints whose elbow bends by 90° in one second:
//!
//! ```
//! use std::f32::consts::FRAC_PI_2;
//! use std::sync::Arc;
//!
//! use glam::{DAffine3, DVec3, Quat};
//! use throng_rig::{
//!     Character, CharacterParts, Clip, Interpolation, Joint, JointKind, JointTracks, LocalPose, ModelPose, Palette,
//!     Skeleton, Skin, Track, Transform,
//! };
//!
//! let joint = |name: &str, parent, x| Joint {
//!     name: name.into(),
//!     parent,
//!     parent_from_joint: Transform::from_translation(DVec3::new(x, 0.0, 0.0)),
//!     kind: JointKind::Bone,
//! };
//! let skeleton = Skeleton::new(vec![joint("shoulder", None, 0.0), joint("elbow", Some(0), 0.3)])?;
//! let joint_from_bind = [0.0, -0.3].map(|x| DAffine3::from_translation(DVec3::new(x, 0.0, 0.0)));
//! let skin = Skin::new("arm".into(), &skeleton, vec![0, 1], joint_from_bind.to_vec())?;
//!
//! let rotations = vec![Quat::IDENTITY, Quat::from_rotation_z(FRAC_PI_2)];
//! let rotation = Track::new(Arc::from([0.0, 1.0]), rotations, Interpolation::Linear)?;
//! let elbow = JointTracks { rotation: Some(rotation), ..JointTracks::new(1) };
//! let bend = Clip::new("bend".into(), vec![elbow], Vec::new())?;
//!
//! let arm = Character::new(CharacterParts {
//!     name: "arm".into(),
//!     skeleton,
//!     skins: vec![skin],
//!     clips: vec![bend],
//!     meshes: Vec::new(),
//!     parts: Vec::new(),
//!     morph_sets: Vec::new(),
//!     materials: Vec::new(),
//!     images: Vec::new(),
//! })?;
//!
//! // Buffers, made once and reused for every time.
//! let mut local = LocalPose::rest(&arm);
//! let mut model = ModelPose::default();
//! let mut palette = Palette::default();
//!
//! local.sample(&arm, &arm.clips()[0], 1.0);
//! model.resolve(arm.skeleton(), &local);
//! palette.update(&arm.skins()[0], &model);
//!
//! // The hand is 0.2 m from the elbow: along X when it was bound, upwards now.
//! let hand = palette.matrices()[1].transform_point3(DVec3::new(0.5, 0.0, 0.0));
//! assert!(hand.abs_diff_eq(DVec3::new(0.3, 0.2, 0.0), 1e-7)); // metres; keys are float32
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

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
mod polar_f32;
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
mod twist;
mod unique;
mod vertex_cache;
mod vertex_frames;

pub use bounds::Bounds;
pub use character::{Character, CharacterError, CharacterParts, MorphSet, Part};
pub use character_pose::CharacterPose;
pub use clip::{Clip, ClipError, JointTracks, MorphTrack};
pub use crowd::{CrowdClip, CrowdClips, CrowdFade, CrowdPalette, CrowdPlay, CrowdPose, Mat3x4};
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
pub use skin::{BoneSegment, Skin, SkinError};
pub use skinning::Skinning;
pub use svd::{Polar, Svd, polar, polar_like, svd};
pub use track::{Interpolation, Key, Track, TrackError};
pub use transform::{Decomposition, Transform};
pub use twist::Twist;
pub use unique::{UniqueError, UniqueVertices};
pub use vertex_cache::{CacheCursor, CacheCursors, VertexCache};
pub use vertex_frames::{MemoryFrames, VertexFrames, VertexFramesError};

/// Tests the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
