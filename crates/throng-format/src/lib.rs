//! Animation texture sets: textures, a manifest that says what they mean, and the mesh that they move.

pub mod atomic;
pub mod file;
mod texture;
pub use texture::{ChannelKind, TexelFormat, Texture, TextureError};
