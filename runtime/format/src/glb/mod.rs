//! Binary glTF 2.0: a writer, and a strict reader of its output.
//!
//! Arrays are collected in a [`Buffer`], each in its own buffer view. A [`Document`] describes them. [`Glb`] writes both
//! as a container, and [`parse_glb`] reads a container. The caller fills the document with nodes and meshes.

mod buffer;
mod component;
mod container;
mod document;
mod extras;
mod materials;
mod number;

pub use buffer::Buffer;
pub use component::Component;
pub use container::{
    Glb, GlbError, MAX_JSON_BYTES, ParsedGlb, TooLarge, lacks_extension, parse_glb,
};
pub use document::{
    Accessor, AccessorKind, Asset, Attributes, BufferLength, BufferView, CompressedView, Document,
    FallbackBuffer, Image, Material, Mesh, MeshoptExtension, MeshoptMode, Node,
    PbrMetallicRoughness, Primitive, Sampler, Scene, Skin, Target, Texture, TextureInfo,
};
pub use extras::{
    Alpha, CharacterExtras, ImageExtras, LodInfo, MaterialExtras, MeshExtras, MeshInfo,
    MorphSetExtras, NodeRole, PartExtras, PositionGrid, SkinExtras, TextureExtras, ThrongExtras,
};
pub use materials::{MaterialTable, saturate};
pub use number::F32;

/// Name and version of this program, for `asset.generator`.
pub const GENERATOR: &str = concat!("throng ", env!("CARGO_PKG_VERSION"));

/// Extension of compressed buffer views.
pub const MESHOPT_EXTENSION: &str = "EXT_meshopt_compression";
/// Extension of positions and normals that are integers.
pub const QUANTIZATION_EXTENSION: &str = "KHR_mesh_quantization";

/// Alignment of buffer views and chunks, in bytes.
const ALIGNMENT: u64 = 4;
