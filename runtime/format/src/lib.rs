//! Texture sets: animation textures, the manifest that describes them, and the mesh that they move.
//!
//! A bake produces a [`TextureSet`] and a renderer plays it. This crate reads, writes, checks and decodes sets;
//! it does not bake, skin or draw. `docs/format.md` describes the format for other decoders.

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
pub mod file;
pub mod glb;
mod grid;
mod manifest;
mod model;
mod names;
pub mod p0;
mod set;
mod texel_memory;
mod texture;

pub use channel::{Channels, write_channel};
pub use decode_params::{ClipTiming, DecodeParams};
pub use grid::{FrameOrder, Grid, GridLimits, GridPlan, plan_rows};
pub use manifest::{
    Axes, BoneCode, BoneEntry, BoneLayout, ClipEntry, Event, FORMAT, FileEntry, JointCurveLayout,
    JointEntry, Layout, Lod, Manifest, MorphLayout, NormalCode, PartEntry, Range, RootMotion,
    SkinEntry, Socket, Source, TextureEntry, VERSION, VertexCurveLayout, VertexLayout,
    WeightLayout,
};
pub use model::{
    Extension, Model, ModelError, ModelExtras, ReadExtension, read_model, write_model,
};
pub use names::{
    Encoding, FrameInterpolation, Metadata, Precision, SetLayout, Storage, UnknownName,
};
pub use set::{SetError, TextureSet};
pub use texture::{ChannelKind, TexelFormat, Texture, TextureError};

/// Tests the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
