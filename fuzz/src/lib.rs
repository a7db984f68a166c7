//! Fuzz targets: one function per kind of input that may come from a stranger.
//!
//! A target takes any bytes. It panics where the code under test panics, returns values that it must not return, or
//! allocates more than [`MAX_PEAK_BYTES`]. libFuzzer adds limits on time and on resident memory, which also cover C code.
//! `cargo xtask fuzz` builds and runs the targets; `README.md` explains how.

mod archive;
mod import;
mod memory;
mod mesh;
pub mod seeds;
mod sets;
mod texture;

pub use import::{abc, bvh, cache, fbx, glb, gltf, obj};
pub use memory::MAX_PEAK_BYTES;
pub use mesh::mesh;
pub use sets::{curves, manifest, set_file, set_folder};
pub use texture::{image, ktx2};

/// A fuzz target.
pub type Target = fn(&[u8]);

/// Name and function of every target. Each has a program of that name in `fuzz_targets`.
pub const TARGETS: &[(&str, Target)] = &[
    ("gltf", gltf),
    ("glb", glb),
    ("fbx", fbx),
    ("abc", abc),
    ("bvh", bvh),
    ("obj", obj),
    ("cache", cache),
    ("manifest", manifest),
    ("ktx2", ktx2),
    ("image", image),
    ("set_folder", set_folder),
    ("set_file", set_file),
    ("mesh", mesh),
    ("curves", curves),
];
