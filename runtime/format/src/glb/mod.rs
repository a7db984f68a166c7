//! Binary glTF 2.0: the one writer of it, and the strict reader of what it wrote.
//!
//! Arrays go into a [`Buffer`], each into a view of its own; a [`Document`] says what they are;
//! [`Glb`] puts the two into a container. [`open`] takes a container apart again. Which nodes and
//! meshes there are is the business of whoever fills the document.

mod buffer;
mod component;
mod container;
mod document;
mod extras;
mod looks;
mod number;

pub use buffer::Buffer;
pub use component::Component;
pub use container::{Glb, MAX_JSON_BYTES, OpenError, Opened, TooLarge, is_without_extension, open};
pub use document::{
    Accessor, AccessorKind, Asset, Attributes, BufferLength, BufferView, Document, Image, Material,
    Mesh, Node, PbrMetallicRoughness, Primitive, Sampler, Scene, Skin, Target, Texture,
    TextureInfo,
};
pub use extras::{
    Alpha, CharacterExtras, ImageExtras, MaterialExtras, MeshExtras, MeshOwn, MorphSetExtras,
    NodeRole, PartExtras, TextureExtras, Throng,
};
pub use looks::{Looks, unit};
pub use number::F32;

/// What wrote a file, as it says itself.
pub const GENERATOR: &str = concat!("throng ", env!("CARGO_PKG_VERSION"));

/// Views and chunks start and end at multiples of this.
const ALIGNMENT: u64 = 4;
