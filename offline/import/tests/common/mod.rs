//! Shared by the tests: builders of small glTF and Alembic files, and skinning by hand to compare with.

#![allow(
    dead_code,
    unused_imports,
    reason = "each test file uses a part of this"
)]

mod alembic;
mod bombs;
mod check;
mod fbx;
mod fields;
mod glb;

pub use alembic::{AbcFile, Array, Object, POLY_MESH, Pod, Property, XFORM, floats, points_array};
pub use bombs::{Bomb, bombs};
pub use check::{
    METHODS, assert_close, assert_finite, by_hand, extent, normals, posed, round_to_f32,
};
pub use fbx::fbx_text;
pub use fields::assert_fields_finite;
pub use glb::{ALL_COMPONENTS, Component, Glb, glb_bytes, triangle};

use throng_import::Warning;

/// Returns true if a warning fits.
pub fn has_warning(warnings: &[Warning], fits: impl Fn(&Warning) -> bool) -> bool {
    warnings.iter().any(fits)
}
