//! All skinning methods in float32, 8 or 16 vertices at a time, on one core or on all. Tests compare them with
//! [`crate::reference`].
//!
//! ```text
//! Mesh ──once──► FastMesh ─────────────┐
//! Palette, Method ─per pose─► FastPalette ──► skin ──► FastSkinned (batch order)
//!                                                          └──► copy_in_mesh_order
//! ```
//!
//! A [`FastMesh`] groups vertices that share a set of joints into batches, so that each number of a palette is
//! loaded once for a whole batch and nothing is gathered. Tangents and morph targets are not skinned: morph first, with
//! [`FastMesh::update_rest`], and skin the tips of tangents as another mesh.
//!
//! [`skin_in_pieces`] passes batches on while they are in the cache. A [`throng_simd::Task`] processes them with
//! the same instructions.
//!
//! Positions are within 2e-6 of size of the reference in ordinary poses. Near singularities of a method (dual
//! quaternions that cancel in `dqs-plain` and `dqs-direct`, a flattened surface) float32 loses as many digits as
//! cancel.

mod batching;
mod kernel;
mod mesh;
mod options;
mod palette;
mod skin;
mod skinned;

pub use batching::BATCH;
pub use mesh::FastMesh;
pub use options::{Cores, FastOptions, StoreMode};
pub use palette::FastPalette;
pub use skin::{move_bytes, skin, skin_in_pieces};
pub use skinned::{FastSkinned, SkinnedBatch};
