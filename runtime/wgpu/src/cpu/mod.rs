//! Crowds without a texture set: the CPU poses instances each frame, in float32 and on all cores, and uploads palettes or
//! skinned vertices.

mod mesh;
mod model;
mod morph;
mod palette;
mod palette_cache;
mod poses;
mod skin;
pub(crate) mod source;
mod tasks;
pub(crate) mod vertices;
pub(crate) mod work;
