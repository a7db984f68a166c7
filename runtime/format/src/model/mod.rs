//! The mesh that a set carries, `mesh.glb`: a character without its clips, as a GLB.
//!
//! [`write_model`] writes a skinned glTF that any viewer shows in its rest pose. [`read_model`] reads the files that
//! [`write_model`] wrote, and no others. Float32 data round-trips exactly; the float64 values of joints and inverse bind
//! matrices are rounded to float32 on writing. Clips and control points are omitted.
//!
//! **Nodes.** Node *i* is joint *i* of the skeleton. They are followed by one node per part, with its mesh and skin.
//! Where glTF is more restrictive than a rig, nodes are added: for a skin that lists a joint twice, a child of the joint
//! that represents it; for a skin over several trees, a common root, the last node.
//!
//! **Meshes.** Each mesh has one primitive. In addition to the attributes of glTF it has
//!
//! | attribute | |
//! |---|---|
//! | `_UNIQUE_POSITION`, `_UNIQUE_NORMAL` | indices of the unique position and the unique normal, as floats |
//! | `_REST_POSITION`, `_REST_NORMAL` | position and normal in the rest pose, in vertex sets |
//! | `_BLEND_FACTOR` | blend factor between LBS (0) and DQS (1) |
//! | `_ROTATION_CENTER` | centre of rotation in bind space, in metres |
//! | `_SOURCE_NORMAL`, `_SOURCE_TANGENT`, `_SOURCE_COLOR_0` | values of the source that glTF does not allow; `NORMAL`, `TANGENT` and `COLOR_0` are then the nearest allowed values |
//!
//! `TEXCOORD_0` is that of the mesh. `TEXCOORD_1` is supplied by the caller, for example the coordinates in a weight
//! texture. Where it is present and the mesh has no texture coordinates, `TEXCOORD_0` is all zeros, since glTF numbers
//! sets from 0.
//!
//! `COLOR_0` is that of the mesh, or bone indices that are supplied by the caller: bytes, each the index of a bone. The
//! colours of the mesh are then `COLOR_1`, and `_SOURCE_COLOR_1` where glTF does not allow them.
//!
//! Influences are those of the mesh, in descending order of weight, in as many `JOINTS_n` as needed.
//!
//! **Compact storage.** Arrays are compressed with meshoptimizer, and values that fewer bits hold exactly are integers; see
//! [`compact`]. Where positions are integers, the inverse bind matrices of their skins scale them to metres, and those for
//! positions in metres are in another accessor. `_UNIQUE_POSITION` and `_UNIQUE_NORMAL` are left out where they follow from
//! the vertices.
//!
//! **Levels of detail.** Each is an accessor of indices per mesh, into the vertices of the full mesh, in `extras.throng` of
//! the mesh. Viewers show the full mesh.
//!
//! **Extras.** Other data that glTF has no fields for is in `extras.throng`; see [`crate::glb::NodeRole`],
//! [`crate::glb::MeshInfo`] and [`crate::glb::CharacterExtras`].
//!
//! **Extension.** A file can hold one vendor extension: JSON of the caller, and blobs that become plain buffer views.

pub mod compact;
mod error;
mod read;
mod write;

use std::ops::Range;

use glam::Vec2;
use serde_json::Value;
use throng_rig::{Character, RestVertices};

use crate::{LodTriangles, MeshStorage};

pub use error::ModelError;
pub use read::read_model;
pub use write::write_model;

/// Data written into a model in addition to the character.
#[derive(Debug, Clone, Default)]
pub struct ModelExtras<'a> {
    /// `TEXCOORD_1` of each mesh: one per vertex, or empty. Missing meshes have none.
    pub second_uvs: Vec<Vec<Vec2>>,
    /// Bone indices of each mesh, for `COLOR_0`: one colour per vertex, or empty. Missing meshes have none.
    pub bone_colors: Vec<Vec<[u8; 4]>>,
    /// Rest pose of a vertex set. Each part must then have its own mesh.
    pub rest: Option<&'a RestVertices>,
    /// A vendor extension: JSON and blobs.
    pub extension: Option<Extension<'a>>,
    /// Storage of the arrays. Reading returns the same values in any.
    pub storage: MeshStorage,
    /// Levels of detail below the full mesh. Missing meshes have no triangles.
    pub lods: &'a [LodTriangles],
}

impl<'a> From<Extension<'a>> for ModelExtras<'a> {
    fn from(extension: Extension<'a>) -> Self {
        Self {
            extension: Some(extension),
            ..Self::default()
        }
    }
}

/// A vendor extension to be written: JSON and blobs.
#[derive(Debug, Clone)]
pub struct Extension<'a> {
    /// Name, of the form `THRONG_animation_textures`.
    pub name: &'static str,
    /// A JSON object. The writer adds `bufferViews`, the buffer views of the blobs, and `bufferViewDigests`, the digests
    /// of all buffer views of the file.
    pub json: Value,
    /// Blobs, none of them empty. They are written without a copy, each at a multiple of four bytes.
    pub blobs: Vec<&'a [u8]>,
}

/// The content of a model file.
#[derive(Debug)]
pub struct Model {
    /// The character, without clips.
    pub character: Character,
    /// `TEXCOORD_1` of each mesh: one per vertex, or empty.
    pub second_uvs: Vec<Vec<Vec2>>,
    /// Bone indices of each mesh, from `COLOR_0`: one colour per vertex, or empty.
    pub bone_colors: Vec<Vec<[u8; 4]>>,
    /// Rest pose of a vertex set; `None` where the file has none.
    pub rest: Option<RestVertices>,
    /// The vendor extension.
    pub extension: Option<ReadExtension>,
    /// Storage of the arrays: compact where any is compressed.
    pub storage: MeshStorage,
    /// Levels of detail below the full mesh, each with the triangles of every mesh.
    pub lods: Vec<LodTriangles>,
}

/// A vendor extension that was read: JSON and blobs.
#[derive(Debug, PartialEq)]
pub struct ReadExtension {
    /// Name of the extension.
    pub name: String,
    /// JSON as passed to the writer, without the fields that it adds.
    pub json: Value,
    /// Byte ranges of the blobs in the file.
    pub blobs: Vec<Range<usize>>,
}

/// Field that the writer adds to the JSON of an extension: the buffer views of the blobs.
const BUFFER_VIEWS: &str = "bufferViews";

/// Field that the writer adds to the JSON of an extension: the digests of all buffer views. Readers need not find it.
const BUFFER_VIEW_DIGESTS: &str = "bufferViewDigests";

/// Largest integer up to which float32 represents all integers.
const MAX_EXACT_INTEGER: usize = 1 << 24;

/// Maximum deviation of directions from unit length. glTF's validator allows seven times as much.
const UNIT_TOLERANCE: f64 = 1e-3;

/// Maximum number of skins with several joints times joints of the skeleton: the cost of reading skins.
const MAX_SKIN_STEPS: u64 = 1 << 28;

/// The cost that [`MAX_SKIN_STEPS`] limits.
fn skin_steps(joints_of_skins: impl Iterator<Item = usize>, joints: usize) -> u64 {
    let skins = joints_of_skins.filter(|&joints| joints > 1).count();
    (skins as u64).saturating_mul(joints as u64)
}
