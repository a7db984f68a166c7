//! Animation texture sets: textures, a manifest that says what they mean, and the mesh that they move.
//!
//! A [`TextureSet`] is what a bake makes and what a renderer takes. This room reads, writes and decodes
//! sets; it never bakes. `docs/format.md` describes the format for those who write their own shader.

pub mod atomic;
pub mod calibration;
mod channel;
mod check;
pub mod column;
pub mod curves;
pub mod decode;
pub mod disk;
pub mod file;
pub mod glb;
mod grid;
mod manifest;
mod model;
mod names;
mod numbers;
pub mod p0;
mod set;
mod texel_memory;
mod texture;

pub use channel::{Channels, write_channel};
pub use grid::{FrameOrder, Grid, GridLimits, GridPlan, plan_rows};
pub use manifest::{
    Axes, BoneCode, BoneEntry, BoneLayout, ClipEntry, Event, FORMAT, JointCurveLayout, JointEntry,
    Layout, Lod, Manifest, MorphLayout, NormalCode, PartEntry, Range, RootMotion, SkinEntry,
    Socket, Source, TextureEntry, VERSION, VertexCurveLayout, VertexLayout, WeightLayout,
};
pub use model::{
    Extension, Model, ModelError, ModelExtras, ReadExtension, read_model, write_model,
};
pub use names::{
    Encoding, FrameInterpolation, Metadata, Precision, SetLayout, Storage, UnknownName,
};
pub use numbers::{ClipTiming, Numbers};
pub use set::{SetError, TextureSet};
pub use texture::{ChannelKind, TexelFormat, Texture, TextureError};

/// Tests the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
