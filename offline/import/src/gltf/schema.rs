//! The part of the glTF 2.0 JSON schema that describes characters.
//!
//! Unlisted fields are ignored. Indices and sizes are not checked here, but where they are used. Large and
//! rare fields are boxed, because a list may hold a million empty objects.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, SeqAccess, Visitor};

use crate::limits::MAX_NODES;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Root {
    pub asset: Asset,
    #[serde(default)]
    pub extensions_required: Vec<String>,
    pub scene: Option<usize>,
    #[serde(default)]
    pub scenes: Vec<Scene>,
    #[serde(default, deserialize_with = "capped::<_, _, MAX_NODES>")]
    pub nodes: Vec<Node>,
    #[serde(default)]
    pub meshes: Vec<Mesh>,
    #[serde(default)]
    pub skins: Vec<Skin>,
    #[serde(default)]
    pub animations: Vec<Animation>,
    #[serde(default)]
    pub materials: Vec<Material>,
    #[serde(default)]
    pub textures: Vec<Texture>,
    #[serde(default)]
    pub samplers: Vec<TextureSampler>,
    #[serde(default)]
    pub images: Vec<Image>,
    #[serde(default)]
    pub accessors: Vec<Accessor>,
    #[serde(default)]
    pub buffer_views: Vec<BufferView>,
    #[serde(default)]
    pub buffers: Vec<Buffer>,
}

impl Root {
    /// Returns all names that are copied into the character.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        let nodes = self.nodes.iter().map(|node| &node.name);
        let meshes = self.meshes.iter().map(|mesh| &mesh.name);
        let skins = self.skins.iter().map(|skin| &skin.name);
        let animations = self.animations.iter().map(|animation| &animation.name);
        let materials = self.materials.iter().map(|material| &material.name);
        let images = self.images.iter().map(|image| &image.name);
        let targets = self.meshes.iter().flat_map(Mesh::target_names);
        nodes
            .chain(meshes)
            .chain(skins)
            .chain(animations)
            .chain(materials)
            .chain(images)
            .map(String::as_str)
            .chain(targets.filter_map(serde_json::Value::as_str))
    }
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Asset {
    pub version: String,
    pub min_version: Option<String>,
    pub generator: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Scene {
    #[serde(default)]
    pub nodes: Vec<usize>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Node {
    #[serde(default)]
    pub name: String,
    #[serde(default)]
    pub children: Vec<usize>,
    pub matrix: Option<Box<[f64; 16]>>,
    pub translation: Option<[f64; 3]>,
    pub rotation: Option<[f64; 4]>,
    pub scale: Option<[f64; 3]>,
    pub mesh: Option<usize>,
    pub skin: Option<usize>,
    /// Present if the node holds a camera.
    pub camera: Option<IgnoredAny>,
    #[serde(default, deserialize_with = "narrow")]
    pub weights: Option<Vec<f32>>,
}

impl Node {
    /// Returns true if the node holds a mesh or a camera.
    pub(super) fn holds_object(&self) -> bool {
        self.mesh.is_some() || self.camera.is_some()
    }
}

#[derive(Debug, Deserialize)]
pub(super) struct Mesh {
    #[serde(default)]
    pub name: String,
    #[serde(default)]
    pub primitives: Vec<Primitive>,
    #[serde(default, deserialize_with = "narrow")]
    pub weights: Option<Vec<f32>>,
    pub extras: Option<serde_json::Value>,
}

impl Mesh {
    /// Returns `extras.targetNames`, the de facto standard for names of morph targets.
    fn target_names(&self) -> &[serde_json::Value] {
        let extras = self.extras.as_ref();
        let list = extras.and_then(|extras| extras.get("targetNames")?.as_array());
        list.map_or(&[], Vec::as_slice)
    }

    pub(super) fn target_name(&self, target: usize) -> String {
        let name = self.target_names().get(target);
        name.and_then(|name| name.as_str())
            .unwrap_or_default()
            .to_owned()
    }
}

#[derive(Debug, Deserialize)]
pub(super) struct Primitive {
    #[serde(default)]
    pub attributes: BTreeMap<String, usize>,
    pub indices: Option<usize>,
    pub material: Option<usize>,
    pub mode: Option<u32>,
    #[serde(default)]
    pub targets: Vec<BTreeMap<String, usize>>,
    #[serde(default)]
    pub extensions: PrimitiveExtensions,
}

#[derive(Debug, Default, Deserialize)]
pub(super) struct PrimitiveExtensions {
    #[serde(rename = "KHR_draco_mesh_compression")]
    pub draco: Option<Draco>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Draco {
    pub buffer_view: usize,
    #[serde(default)]
    pub attributes: BTreeMap<String, u32>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Skin {
    #[serde(default)]
    pub name: String,
    #[serde(default)]
    pub joints: Vec<usize>,
    pub inverse_bind_matrices: Option<usize>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Animation {
    #[serde(default)]
    pub name: String,
    #[serde(default)]
    pub channels: Vec<Channel>,
    #[serde(default)]
    pub samplers: Vec<AnimationSampler>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Channel {
    pub sampler: usize,
    pub target: Target,
}

#[derive(Debug, Deserialize)]
pub(super) struct Target {
    pub node: Option<usize>,
    pub path: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct AnimationSampler {
    pub input: usize,
    pub output: usize,
    pub interpolation: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Material {
    #[serde(default)]
    pub name: String,
    pub pbr_metallic_roughness: Option<Box<Pbr>>,
    pub alpha_mode: Option<String>,
    #[serde(default, deserialize_with = "narrow")]
    pub alpha_cutoff: Option<f32>,
    #[serde(default)]
    pub double_sided: bool,
    #[serde(default)]
    pub extensions: MaterialExtensions,
}

#[derive(Debug, Default, Deserialize)]
pub(super) struct MaterialExtensions {
    #[serde(rename = "KHR_materials_pbrSpecularGlossiness")]
    pub specular_glossiness: Option<Box<SpecularGlossiness>>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Pbr {
    #[serde(default, deserialize_with = "narrow")]
    pub base_color_factor: Option<[f32; 4]>,
    pub base_color_texture: Option<TextureInfo>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SpecularGlossiness {
    #[serde(default, deserialize_with = "narrow")]
    pub diffuse_factor: Option<[f32; 4]>,
    pub diffuse_texture: Option<TextureInfo>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TextureInfo {
    pub index: usize,
    #[serde(default)]
    pub tex_coord: usize,
    #[serde(default)]
    pub extensions: TextureInfoExtensions,
}

#[derive(Debug, Clone, Default, Deserialize)]
pub(super) struct TextureInfoExtensions {
    #[serde(rename = "KHR_texture_transform")]
    pub transform: Option<TextureTransform>,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TextureTransform {
    #[serde(default, deserialize_with = "narrow")]
    pub offset: Option<[f32; 2]>,
    #[serde(default, deserialize_with = "narrow")]
    pub rotation: Option<f32>,
    #[serde(default, deserialize_with = "narrow")]
    pub scale: Option<[f32; 2]>,
    pub tex_coord: Option<usize>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Texture {
    pub sampler: Option<usize>,
    pub source: Option<usize>,
    #[serde(default)]
    pub extensions: TextureExtensions,
}

/// Extensions whose images are not read. Only their presence matters.
#[derive(Debug, Default, Deserialize)]
pub(super) struct TextureExtensions {
    #[serde(rename = "EXT_texture_webp")]
    pub webp: Option<IgnoredAny>,
    #[serde(rename = "KHR_texture_basisu")]
    pub basisu: Option<IgnoredAny>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TextureSampler {
    pub wrap_s: Option<u32>,
    pub wrap_t: Option<u32>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Image {
    #[serde(default)]
    pub name: String,
    pub uri: Option<String>,
    pub buffer_view: Option<usize>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Accessor {
    pub buffer_view: Option<usize>,
    #[serde(default)]
    pub byte_offset: u64,
    pub component_type: u32,
    #[serde(default)]
    pub normalized: bool,
    pub count: u64,
    #[serde(rename = "type")]
    pub shape: String,
    pub sparse: Option<Sparse>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Sparse {
    pub count: u64,
    pub indices: SparseIndices,
    pub values: SparseValues,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SparseIndices {
    pub buffer_view: usize,
    #[serde(default)]
    pub byte_offset: u64,
    pub component_type: u32,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SparseValues {
    pub buffer_view: usize,
    #[serde(default)]
    pub byte_offset: u64,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct BufferView {
    pub buffer: usize,
    #[serde(default)]
    pub byte_offset: u64,
    pub byte_length: u64,
    pub byte_stride: Option<u64>,
    #[serde(default)]
    pub extensions: BufferViewExtensions,
}

#[derive(Debug, Default, Deserialize)]
pub(super) struct BufferViewExtensions {
    #[serde(rename = "EXT_meshopt_compression")]
    ext_meshopt: Option<Meshopt>,
    #[serde(rename = "KHR_meshopt_compression")]
    khr_meshopt: Option<Meshopt>,
}

impl BufferViewExtensions {
    /// Returns the compression of the buffer view. The two extensions differ only in name and filters.
    pub(super) fn meshopt(&self) -> Option<&Meshopt> {
        self.khr_meshopt.as_ref().or(self.ext_meshopt.as_ref())
    }
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Meshopt {
    pub buffer: usize,
    #[serde(default)]
    pub byte_offset: u64,
    pub byte_length: u64,
    pub byte_stride: u64,
    pub count: u64,
    pub mode: String,
    pub filter: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Buffer {
    pub uri: Option<String>,
    pub byte_length: u64,
}

/// The URIs of a file alone, for digests.
#[derive(Debug, Deserialize)]
pub(super) struct Uris {
    #[serde(default)]
    pub buffers: Vec<Resource>,
    #[serde(default)]
    pub images: Vec<Resource>,
}

/// A buffer or an image.
#[derive(Debug, Deserialize)]
pub(super) struct Resource {
    pub uri: Option<String>,
}

/// Reads a list, but keeps at most `N + 1` elements, enough for a later check of the limit to fail.
fn capped<'de, D, T, const N: usize>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    struct Capped<T, const N: usize>(PhantomData<T>);

    impl<'de, T: Deserialize<'de>, const N: usize> Visitor<'de> for Capped<T, N> {
        type Value = Vec<T>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a list")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Vec<T>, A::Error> {
            let mut kept = Vec::new();
            while kept.len() <= N {
                match list.next_element()? {
                    Some(element) => kept.push(element),
                    None => return Ok(kept),
                }
            }
            while list.next_element::<IgnoredAny>()?.is_some() {}
            Ok(kept)
        }
    }

    deserializer.deserialize_seq(Capped::<T, N>(PhantomData))
}

/// Reads float64 numbers as float32. A number out of range becomes infinite instead of a JSON error, and is
/// repaired or rejected later.
fn narrow<'de, D: Deserializer<'de>, T: Narrow>(deserializer: D) -> Result<Option<T>, D::Error> {
    let wide = Option::<T::Wide>::deserialize(deserializer)?;
    Ok(wide.map(T::narrow))
}

trait Narrow {
    type Wide: for<'de> Deserialize<'de>;

    fn narrow(wide: Self::Wide) -> Self;
}

impl Narrow for f32 {
    type Wide = f64;

    fn narrow(wide: f64) -> Self {
        wide as f32
    }
}

impl Narrow for [f32; 2] {
    type Wide = [f64; 2];

    fn narrow(wide: [f64; 2]) -> Self {
        wide.map(|x| x as f32)
    }
}

impl Narrow for [f32; 4] {
    type Wide = [f64; 4];

    fn narrow(wide: [f64; 4]) -> Self {
        wide.map(|x| x as f32)
    }
}

impl Narrow for Vec<f32> {
    type Wide = Vec<f64>;

    fn narrow(wide: Vec<f64>) -> Self {
        wide.into_iter().map(|x| x as f32).collect()
    }
}
