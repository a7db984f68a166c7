//! The JSON of a glTF file, as far as it is written and read here.
//!
//! Fields are those of the glTF 2.0 specification; a plain `usize` is an index into the list that the
//! field is named for. What only viewers look at is not read.

#![allow(
    missing_docs,
    reason = "fields are those of the glTF 2.0 specification"
)]

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

use super::extras::{CharacterExtras, MeshExtras, NodeRole, Throng};
use super::{F32, GENERATOR};

/// The whole file.
#[derive(Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Document {
    #[serde(skip_deserializing)]
    pub asset: Asset,
    #[serde(skip_deserializing)]
    pub scene: usize,
    #[serde(skip_deserializing)]
    pub scenes: [Scene; 1],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub nodes: Vec<Node>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub meshes: Vec<Mesh>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub skins: Vec<Skin>,
    #[serde(skip_serializing_if = "Vec::is_empty", skip_deserializing)]
    pub materials: Vec<Material>,
    #[serde(skip_serializing_if = "Vec::is_empty", skip_deserializing)]
    pub textures: Vec<Texture>,
    #[serde(skip_serializing_if = "Vec::is_empty", skip_deserializing)]
    pub samplers: Vec<Sampler>,
    #[serde(skip_serializing_if = "Vec::is_empty", skip_deserializing)]
    pub images: Vec<Image>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub accessors: Vec<Accessor>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub buffer_views: Vec<BufferView>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub buffers: Vec<BufferLength>,
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub extensions: Map<String, Value>,
    #[serde(skip_serializing_if = "Vec::is_empty", skip_deserializing)]
    pub extensions_used: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extras: Option<Throng<CharacterExtras>>,
}

/// What wrote it.
#[derive(Serialize)]
pub struct Asset {
    pub version: &'static str,
    pub generator: &'static str,
}

impl Default for Asset {
    fn default() -> Self {
        Self {
            version: "2.0",
            generator: GENERATOR,
        }
    }
}

/// What is shown.
#[derive(Default, Serialize)]
pub struct Scene {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub nodes: Vec<usize>,
}

/// A joint, or a mesh that is shown.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Node {
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub translation: Option<[F32; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rotation: Option<[F32; 4]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scale: Option<[F32; 3]>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub children: Vec<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mesh: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skin: Option<usize>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub weights: Vec<F32>,
    #[serde(
        skip_serializing_if = "Option::is_none",
        deserialize_with = "must_be_there"
    )]
    pub extras: Option<Throng<NodeRole>>,
}

/// What is drawn together.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mesh {
    pub primitives: Vec<Primitive>,
    #[serde(
        skip_serializing_if = "Option::is_none",
        deserialize_with = "must_be_there"
    )]
    pub extras: Option<MeshExtras>,
}

/// Indices of accessors, by the names of attributes.
pub type Attributes = BTreeMap<String, usize>;

/// Triangles.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Primitive {
    pub attributes: Attributes,
    pub indices: usize,
    pub material: usize,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub targets: Vec<Target>,
}

/// What a morph adds.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE", deny_unknown_fields)]
pub struct Target {
    pub position: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub normal: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tangent: Option<usize>,
}

/// Joints and where they were bound.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Skin {
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// Indices of nodes.
    pub joints: Vec<usize>,
    /// An accessor.
    pub inverse_bind_matrices: usize,
}

/// A surface.
#[derive(PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Material {
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    pub pbr_metallic_roughness: PbrMetallicRoughness,
    pub alpha_mode: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alpha_cutoff: Option<F32>,
    pub double_sided: bool,
}

/// Its colour and how it shines.
#[derive(PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PbrMetallicRoughness {
    pub base_color_factor: [F32; 4],
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base_color_texture: Option<TextureInfo>,
    pub metallic_factor: f64,
    pub roughness_factor: f64,
}

/// A reference to a texture.
#[derive(PartialEq, Serialize)]
pub struct TextureInfo {
    pub index: usize,
}

/// An image and how it repeats.
#[derive(PartialEq, Serialize)]
pub struct Texture {
    pub sampler: usize,
    /// An image.
    pub source: usize,
}

/// How a texture repeats.
#[derive(PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Sampler {
    pub wrap_s: u32,
    pub wrap_t: u32,
}

/// An encoded picture in the buffer.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Image {
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    pub mime_type: &'static str,
    pub buffer_view: usize,
}

/// An array of numbers, vectors or matrices.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Accessor {
    pub buffer_view: usize,
    pub component_type: u32,
    pub count: usize,
    #[serde(rename = "type")]
    pub kind: AccessorKind,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<[F32; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<[F32; 3]>,
}

/// What an element of an accessor is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum AccessorKind {
    Scalar,
    Vec2,
    Vec3,
    Vec4,
    Mat4,
}

impl AccessorKind {
    /// The kind of so many numbers.
    ///
    /// # Panics
    /// Where there is none; meant for constants.
    pub const fn of(numbers: usize) -> Self {
        match numbers {
            1 => Self::Scalar,
            2 => Self::Vec2,
            3 => Self::Vec3,
            4 => Self::Vec4,
            16 => Self::Mat4,
            _ => panic!("neither a number, nor a vector, nor a matrix of glTF"),
        }
    }
}

/// A run of bytes.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BufferView {
    pub buffer: usize,
    pub byte_offset: u64,
    pub byte_length: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<u32>,
}

impl BufferView {
    /// The byte after the last.
    pub fn end(&self) -> u64 {
        self.byte_offset.saturating_add(self.byte_length)
    }
}

/// The buffer, which is the binary chunk.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BufferLength {
    pub byte_length: u64,
}

/// Without it a list of a million empty objects would be small as text and large in memory.
fn must_be_there<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}
