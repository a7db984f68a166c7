//! Reads, writes, checks and decodes texture sets: animation textures (vertex animation textures, bone textures and
//! compressed curves), the manifest that describes them, and the mesh that they move.
//!
//! A bake produces a [`TextureSet`] and a renderer plays it; this crate does not bake, skin or draw. A set is a
//! [`Manifest`], [`Texture`]s and a model, which are checked against each other when it is made.
//!
//! A *motion set* has no mesh: characters of one skeleton use its textures ([`TextureSet::without_mesh`],
//! [`TextureSet::with_mesh`], [`SharedTextures`]).
//!
//! - [`disk`] writes a set as a folder or as one GLB, and reads it back. [`file`](mod@file) holds its texture file
//!   formats: KTX2, PNG and EXR.
//! - [`decode`] computes joints ([`decode::bones`]) or vertices ([`decode::vertices`]) at a time, as a shader does.
//! - [`DecodeParams`] are clip times and ranges, from the manifest or from the texels.
//!
//! `docs/format.md` describes the format for other decoders.
//!
//! # Example
//!
//! A set goes to disk and back. The joints that it decodes to are those of the clip that was baked:
//!
//! ```
//! use throng_bake::{BakeSettings, bake};
//! use throng_format::Source;
//! use throng_format::decode::{BonePose, bones};
//! use throng_format::disk::{read, write_folder};
//! use throng_format::file::{FileFormat, Supercompression};
//! use throng_import::builtin::builtin;
//! use throng_rig::CharacterPose;
//!
//! let bar = builtin("bar:100")?;
//! // `source` names the file that the set was baked from.
//! # let source = Source::in_memory("builtin:bar:100");
//! let baked = bake(&bar, &BakeSettings::default(), &source, &())?;
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("bar.throng");
//! write_folder(&baked.set, &path, FileFormat::Ktx2, Supercompression::None, &[])?;
//!
//! let set = read(&path)?;
//! assert_eq!(set.manifest().clips[0].name, "bend");
//! let mut decoded = BonePose::rest(set.model());
//! bones(&set, 0, 0.5, &mut decoded);
//!
//! let clip = &bar.clips()[0];
//! let mut expected = CharacterPose::rest(&bar);
//! expected.sample(&bar, clip, clip.start_secs() + 0.5);
//! // Joints that move no vertex have no texels.
//! for &joint in bar.skins()[0].joints() {
//!     let expected = expected.model.model_from_joint[joint].translation;
//!     let decoded = decoded.model_from_joint[joint].translation;
//!     assert!(decoded.abs_diff_eq(expected, 1e-4)); // metres; bones are stored with 16 bits
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod atomic;
pub mod calibration;
mod channel;
mod check;
pub mod column;
pub mod curves;
pub mod decode;
mod decode_params;
mod digest;
pub mod disk;
mod entries;
pub mod file;
pub mod glb;
mod grid;
mod lod;
mod manifest;
pub mod meshopt;
mod model;
mod motion;
mod names;
pub mod p0;
mod pose_edits;
mod set;
mod shared_textures;
mod texel_memory;
mod texture;

pub use channel::{Channels, write_channel};
pub use decode_params::{ClipTiming, DecodeParams};
pub use grid::{FrameOrder, Grid, GridLimits, GridPlan, Pages, plan_rows};
pub use lod::PixelError;
pub use manifest::{
    Axes, BoneCode, BoneEntry, BoneLayout, CacheSource, ClipEntry, Event, FORMAT, FileEntry,
    JointCurveLayout, JointEntry, Layout, Lod, MAX_LODS, Manifest, MorphLayout, MotionSource,
    NormalCode, PartEntry, Range, RootMotion, SHARED_VERSION, SkinEntry, Socket, Source,
    TextureEntry, VERSION, VertexCurveLayout, VertexLayout, WeightLayout,
};
pub use model::{
    Extension, Model, ModelError, ModelExtras, ReadExtension, compact, read_model, write_model,
};
pub use motion::{MotionMesh, MotionReference};
pub use names::{
    Encoding, FrameInterpolation, MeshStorage, Metadata, Precision, SetLayout, Storage, UnknownName,
};
pub use pose_edits::{InterpolatedValues, JointRotation, Keyframe, PoseEdits};
pub use set::{LodTriangles, SetError, SetMesh, TextureSet};
pub use shared_textures::SharedTextures;
pub use texture::{ChannelKind, TexelFormat, Texture, TextureError};

/// Tests the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
