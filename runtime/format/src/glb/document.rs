//! The JSON of a glTF file, as far as it is written and read here.
//!
//! Fields are those of the glTF 2.0 specification. A plain `usize` is an index into the list that the field is named for.
//! Fields that only viewers need are not read.

#![allow(
    missing_docs,
    reason = "fields are those of the glTF 2.0 specification"
)]

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

use super::extras::{CharacterExtras, MeshExtras, NodeRole, SkinExtras, ThrongExtras};
use super::{F32, GENERATOR};

/// Root of the JSON.
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
    #[serde(skip_serializing_if = "Vec::is_empty", skip_deserializing)]
    pub extensions_required: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extras: Option<ThrongExtras<CharacterExtras>>,
}

/// Version and generator.
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

/// Root nodes.
#[derive(Default, Serialize)]
pub struct Scene {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub nodes: Vec<usize>,
}

/// A joint, or an instance of a mesh.
#[derive(Default, Serialize, Deserialize)]
#[serde(try_from = "NodeFields")]
pub struct Node {
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub translation: Option<[F32; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rotation: Option<[F32; 4]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scale: Option<[F32; 3]>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub children: Vec<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mesh: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skin: Option<usize>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub weights: Vec<F32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extras: Option<ThrongExtras<NodeRole>>,
}

/// A [`Node`] as it is read.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NodeFields {
    #[serde(default)]
    name: String,
    translation: Option<[F32; 3]>,
    rotation: Option<[F32; 4]>,
    scale: Option<[F32; 3]>,
    #[serde(default)]
    children: Vec<usize>,
    mesh: Option<usize>,
    skin: Option<usize>,
    #[serde(default)]
    weights: Vec<F32>,
    extras: Option<ThrongExtras<NodeRole>>,
}

impl TryFrom<NodeFields> for Node {
    type Error = &'static str;

    /// Rejects empty nodes. A list of a million of them would be small as text and large in memory.
    fn try_from(fields: NodeFields) -> Result<Self, Self::Error> {
        if fields.name.is_empty() && fields.extras.is_none() {
            return Err("expected a name or a role in extras.throng");
        }
        Ok(Self {
            name: fields.name,
            translation: fields.translation,
            rotation: fields.rotation,
            scale: fields.scale,
            children: fields.children,
            mesh: fields.mesh,
            skin: fields.skin,
            weights: fields.weights,
            extras: fields.extras,
        })
    }
}

/// A mesh.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mesh {
    pub primitives: Vec<Primitive>,
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "required")]
    pub extras: Option<MeshExtras>,
}

/// Accessor indices by attribute name.
pub type Attributes = BTreeMap<String, usize>;

/// Triangles with one material.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Primitive {
    pub attributes: Attributes,
    pub indices: usize,
    pub material: usize,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub targets: Vec<Target>,
}

/// Deltas of a morph target.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE", deny_unknown_fields)]
pub struct Target {
    pub position: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub normal: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tangent: Option<usize>,
}

/// Joints and inverse bind matrices.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Skin {
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// Node indices.
    pub joints: Vec<usize>,
    /// Accessor index.
    pub inverse_bind_matrices: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extras: Option<ThrongExtras<SkinExtras>>,
}

/// A material.
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

/// Base colour, metalness and roughness.
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

/// An image and its sampler.
#[derive(PartialEq, Serialize)]
pub struct Texture {
    pub sampler: usize,
    /// Image index.
    pub source: usize,
}

/// Wrap modes.
#[derive(PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Sampler {
    pub wrap_s: u32,
    pub wrap_t: u32,
}

/// An encoded image in the buffer.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Image {
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    pub mime_type: &'static str,
    pub buffer_view: usize,
}

/// An array of scalars, vectors or matrices.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Accessor {
    pub buffer_view: usize,
    pub component_type: u32,
    /// True where integers stand for 0 to 1.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub normalized: bool,
    pub count: usize,
    #[serde(rename = "type")]
    pub kind: AccessorKind,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<[F32; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<[F32; 3]>,
}

/// Element type of an accessor.
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
    /// Element type with a number of components.
    ///
    /// # Panics
    /// If glTF has no such type. Call it in constants.
    pub const fn of(components: usize) -> Self {
        match components {
            1 => Self::Scalar,
            2 => Self::Vec2,
            3 => Self::Vec3,
            4 => Self::Vec4,
            16 => Self::Mat4,
            _ => panic!("expected 1, 2, 3, 4 or 16 components"),
        }
    }
}

/// A range of bytes of the buffer.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BufferView {
    pub buffer: usize,
    pub byte_offset: u64,
    pub byte_length: u64,
    /// Bytes from one element to the next, where elements are padded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub byte_stride: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extensions: Option<MeshoptExtension<CompressedView>>,
}

/// `extensions` with `EXT_meshopt_compression`.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MeshoptExtension<T> {
    #[serde(rename = "EXT_meshopt_compression")]
    pub meshopt: T,
}

/// The compressed bytes of a buffer view.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CompressedView {
    pub buffer: usize,
    pub byte_offset: u64,
    pub byte_length: u64,
    /// Bytes per element when decoded.
    pub byte_stride: usize,
    /// Number of elements.
    pub count: usize,
    pub mode: MeshoptMode,
}

/// Codec of a compressed buffer view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum MeshoptMode {
    Attributes,
    Triangles,
    Indices,
}

/// A buffer without bytes, which compressed views refer to.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FallbackBuffer {
    pub fallback: bool,
}

impl BufferView {
    /// Offset of the end.
    pub fn end(&self) -> u64 {
        self.byte_offset.saturating_add(self.byte_length)
    }
}

/// A buffer: the binary chunk, or the one that compressed views refer to.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BufferLength {
    pub byte_length: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extensions: Option<MeshoptExtension<FallbackBuffer>>,
}

/// Makes an optional field required on reading. Otherwise a list of a million empty objects would be small as text and
/// large in memory.
fn required<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}
