//! The JSON of a glTF file, as far as it is written here. Fields are those of the glTF 2.0 specification;
//! a plain `usize` is an index into the list that the field is named for.

use serde::Serialize;

/// Component types of accessors.
pub const UNSIGNED_SHORT: u32 = 5123;
/// See [`UNSIGNED_SHORT`].
pub const UNSIGNED_INT: u32 = 5125;
/// See [`UNSIGNED_SHORT`].
pub const FLOAT: u32 = 5126;

/// Targets of buffer views.
pub const ARRAY_BUFFER: u32 = 34962;
/// See [`ARRAY_BUFFER`].
pub const ELEMENT_ARRAY_BUFFER: u32 = 34963;

/// The whole file.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Document {
    pub asset: Asset,
    pub scene: usize,
    pub scenes: [Scene; 1],
    pub nodes: Vec<Node>,
    pub meshes: Vec<Mesh>,
    pub materials: Vec<Material>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub textures: Vec<Texture>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub samplers: Vec<Sampler>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub images: Vec<Image>,
    pub accessors: Vec<Accessor>,
    pub buffer_views: Vec<BufferView>,
    pub buffers: [BufferLength; 1],
}

/// What wrote it.
#[derive(Serialize)]
pub struct Asset {
    pub version: &'static str,
    pub generator: &'static str,
}

/// What is shown.
#[derive(Serialize)]
pub struct Scene {
    pub nodes: Vec<usize>,
}

/// A mesh that nothing moves.
#[derive(Serialize)]
pub struct Node {
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    pub mesh: usize,
}

/// The parts of one node.
#[derive(Serialize)]
pub struct Mesh {
    pub primitives: Vec<Primitive>,
}

/// One part.
#[derive(Serialize)]
pub struct Primitive {
    pub attributes: Attributes,
    pub indices: usize,
    pub material: usize,
}

/// Indices of accessors.
#[derive(Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub struct Attributes {
    pub position: usize,
    pub normal: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tangent: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub texcoord_0: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub color_0: Option<usize>,
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
    pub alpha_cutoff: Option<f32>,
    pub double_sided: bool,
}

/// Its colour and how it shines.
#[derive(PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PbrMetallicRoughness {
    pub base_color_factor: [f32; 4],
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base_color_texture: Option<TextureInfo>,
    pub metallic_factor: f32,
    pub roughness_factor: f32,
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

/// An array of vectors or indices.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Accessor {
    pub buffer_view: usize,
    pub component_type: u32,
    pub count: usize,
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// In float64, so that a float32 is read back whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<[f64; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<[f64; 3]>,
}

/// A run of bytes.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BufferView {
    pub buffer: usize,
    pub byte_offset: usize,
    pub byte_length: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<u32>,
}

/// The buffer, which is the binary chunk.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BufferLength {
    pub byte_length: usize,
}
