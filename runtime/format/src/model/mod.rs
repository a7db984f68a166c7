//! The mesh that a set carries, `mesh.glb`: a character without its clips, as a GLB.
//!
//! [`write_model`] writes a skinned glTF that any viewer shows in its rest pose; [`read_model`] reads
//! back what it wrote and nothing else. All that float32 can hold comes back to the bit; the float64s of
//! joints and inverse bind matrices are rounded to float32 when they are written. Clips and control
//! points are left out.
//!
//! **Nodes.** Node *i* is joint *i* of the skeleton. Then comes one node for each part, with its mesh and
//! skin. Where glTF is narrower than a rig, nodes are added: for a skin that names a joint twice, a child
//! of the joint that stands for it; for a skin over several trees, a root above them, last of all.
//!
//! **Meshes.** One for each mesh, of one primitive. Beside the attributes of glTF there are
//!
//! | attribute | |
//! |---|---|
//! | `_UNIQUE_POSITION`, `_UNIQUE_NORMAL` | which vertices are the same point: their numbers, as floats |
//! | `_BLEND_FACTOR` | how much of a vertex is skinned by dual quaternions |
//! | `_SOURCE_NORMAL`, `_SOURCE_TANGENT`, `_SOURCE_COLOR_0` | the mesh's own, where glTF would not allow them: `NORMAL`, `TANGENT` and `COLOR_0` are then the nearest that it does |
//!
//! `TEXCOORD_0` is the mesh's own. `TEXCOORD_1` is what the caller gives: places in a texture of weights,
//! say. Where it is there and the mesh has no coordinates of its own, `TEXCOORD_0` is all zeros, for glTF
//! counts from 0.
//!
//! Influences are as the mesh has them, heaviest first, in as many `JOINTS_n` as are needed.
//!
//! **Extras.** What else glTF has no place for is under `extras.throng`; see [`crate::glb::NodeRole`],
//! [`crate::glb::MeshOwn`] and [`crate::glb::CharacterExtras`].
//!
//! **An extension** may ride along too: JSON of the caller's, and blobs that become plain buffer views.

mod error;
mod read;
mod write;

use std::ops::Range;

use glam::Vec2;
use serde_json::Value;
use throng_rig::{Character, RestVertices};

pub use error::ModelError;
pub use read::read_model;
pub use write::write_model;

/// Data written into a model beside the character.
#[derive(Debug, Clone, Default)]
pub struct ModelExtras<'a> {
    /// For each mesh, one second texture coordinate per vertex, or none; none for meshes past the end.
    pub second_uvs: Vec<Vec<Vec2>>,
    /// Rest pose of a vertex set. Each part must then have a mesh of its own.
    pub rest: Option<&'a RestVertices>,
    /// A vendor extension: JSON and blobs.
    pub extension: Option<Extension<'a>>,
}

impl<'a> From<Extension<'a>> for ModelExtras<'a> {
    fn from(extension: Extension<'a>) -> Self {
        Self {
            extension: Some(extension),
            ..Self::default()
        }
    }
}

/// JSON and blobs that ride along in a model that is written.
#[derive(Debug, Clone)]
pub struct Extension<'a> {
    /// Its name, of the form `THRONG_animation_textures`.
    pub name: &'static str,
    /// An object. `bufferViews`, the indices of the blobs, is added to it.
    pub json: Value,
    /// None may be empty. They are written from where they are, each at a multiple of four bytes.
    pub blobs: Vec<&'a [u8]>,
}

/// A model that was read.
#[derive(Debug)]
pub struct Model {
    /// Without clips.
    pub character: Character,
    /// For each mesh, one second texture coordinate per vertex, or none.
    pub second_uvs: Vec<Vec<Vec2>>,
    /// Rest pose of a vertex set; `None` where the file has none.
    pub rest: Option<RestVertices>,
    /// The vendor extension.
    pub extension: Option<ReadExtension>,
}

/// JSON and blobs that ride along in a model that was read.
#[derive(Debug, PartialEq)]
pub struct ReadExtension {
    /// Its name.
    pub name: String,
    /// As it was given to the writer, without `bufferViews`.
    pub json: Value,
    /// Where the blobs are in the bytes of the model.
    pub blobs: Vec<Range<usize>>,
}

/// What is added to the JSON of an extension.
const BUFFER_VIEWS: &str = "bufferViews";

/// The largest whole number up to which float32 holds all.
const MAX_EXACT: usize = 1 << 24;

/// How far from unit length a direction may be. glTF's validator allows seven times that.
const UNIT_TOLERANCE: f64 = 1e-3;

/// The most skins of several joints times joints of the skeleton: what reading the skins costs.
const MAX_SKIN_STEPS: u64 = 1 << 28;

/// What [`MAX_SKIN_STEPS`] bounds.
fn skin_steps(joints_of_skins: impl Iterator<Item = usize>, joints: usize) -> u64 {
    let skins = joints_of_skins.filter(|&joints| joints > 1).count();
    (skins as u64).saturating_mul(joints as u64)
}
