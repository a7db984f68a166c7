//! Animation texture sets: textures, a manifest that says what they mean, and the mesh that they move.

pub mod glb;
mod model;
mod texture;

pub use model::{Extension, Model, ModelError, ReadExtension, read_model, write_model};
pub use texture::{ChannelKind, TexelFormat, Texture, TextureError};
