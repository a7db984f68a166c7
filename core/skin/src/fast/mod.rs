//! Every method of skinning in float32, eight or sixteen vertices at a time, on one core or all. Held to
//! [`crate::reference`] by tests.
//!
//! ```text
//! Mesh ──once──► FastMesh ─────────────┐
//! Palette, Method ──a pose──► FastPalette ──► skin ──► FastSkinned (batch order)
//!                                                          └──► copy_in_mesh_order
//! ```
//!
//! A [`FastMesh`] puts vertices that share a set of joints side by side, so that a palette's numbers are
//! spread over a whole batch and nothing is gathered. Tangents and morph targets are not skinned here.
//!
//! [`skin_in_pieces`] hands batches over while they are in the cache, for other work on them: a [`Task`] is
//! compiled for the same levels.
//!
//! Positions are within 2e-6 of size of the reference's in ordinary poses. Where a method itself is near
//! a point where it breaks (weights that cancel out in `dqs-plain` and `dqs-direct`, a surface that is
//! flattened), float32 loses as many digits as cancel.

mod batching;
mod kernel;
mod mesh;
mod palette;
mod setup;
mod skin;
mod skinned;

pub use batching::BATCH;
pub use mesh::FastMesh;
pub use palette::FastPalette;
pub use setup::{Cores, Setup, Stores};
pub use skin::{move_bytes, skin, skin_in_pieces};
pub use skinned::{FastSkinned, SkinnedBatch};
