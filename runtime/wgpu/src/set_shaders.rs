//! Shaders, bindings and buffers of a set, for callers with their own renderer.

use throng_format::{Layout, TextureSet};
use throng_rig::Skinning;
use throng_shaders::{ColumnReader, Deform, PaletteSource, SetInfo, TexelKind};

use crate::mesh::{MeshData, MeshPart, PartRange, mesh_method};
use crate::metadata_column::column_reader;
use crate::set_deform::{bone_texels, is_always_rigid, set_deform};
use crate::set_info::SetTables;
use crate::texture::{DeviceTexels, texel_kind};
use crate::{DecodeMode, GpuError, set_info};

/// Shaders that draw a set, and the resources that they bind. Needs no device.
#[derive(Debug, Clone, PartialEq)]
pub struct SetShaders {
    /// Deforms of the parts, without duplicates.
    pub deforms: Vec<Deform>,
    /// Index into `deforms` for each part.
    pub deform_of_part: Vec<usize>,
    /// Source of the decode pass, if the shaders read a palette.
    pub palette: Option<PaletteSource>,
    /// Contents of group 1, binding 0.
    pub info: SetInfo,
    /// Contents of group 1, binding 1.
    pub tables: Vec<[u32; 4]>,
    /// Further bindings of group 1. If a decode pass fills a palette, that pass reads the texture at binding 2, and the
    /// shaders that draw read the palette there.
    pub textures: Vec<SetTexture>,
    /// Reader of metadata in the first column ([`throng_shaders::Shader::with_column`]); `None` if the set has none there.
    pub column: Option<ColumnReader>,
}

/// A texture of a set that shaders read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetTexture {
    /// Binding in group 1.
    pub binding: u32,
    /// Index into the set's textures.
    pub texture: usize,
    /// Texels as the shader reads them.
    pub texels: TexelKind,
}

impl SetTexture {
    /// Returns the texels in the format of the device.
    pub fn device_texels<'a>(&self, set: &'a TextureSet) -> DeviceTexels<'a> {
        DeviceTexels::of(&set.textures()[self.texture], self.texels)
    }
}

impl SetShaders {
    /// Returns the shaders that [`crate::CrowdModel::new`] draws with.
    pub fn of(set: &TextureSet, decode: DecodeMode) -> Result<Self, GpuError> {
        let skinning = set.manifest().method;
        let model = set.model();
        let tables = set_tables_of(set, skinning)?;
        let mut out = Self {
            deforms: Vec::new(),
            deform_of_part: Vec::new(),
            palette: None,
            info: tables.info,
            textures: set_textures(set),
            tables: tables.tables,
            column: column_reader(set).ok(),
        };
        for part in model.parts() {
            let mesh = model.mesh_of(part);
            out.info.vertices += mesh.vertex_count() as u32;
            let (deform, palette) = set_deform(set, mesh_method(mesh, skinning), decode);
            out.palette = palette;
            let known = out.deforms.iter().position(|known| *known == deform);
            out.deform_of_part.push(known.unwrap_or(out.deforms.len()));
            if known.is_none() {
                out.deforms.push(deform);
            }
        }
        Ok(out)
    }
}

/// Mesh of a set in the layout of [`crate::vertex_layouts`], and two more bindings of group 1. Parts are consecutive, in
/// the order of the model. Needs no device.
#[derive(Debug, Clone, PartialEq)]
pub struct SetBuffers {
    /// First vertex buffer: positions and normals.
    pub vertices: Vec<u8>,
    /// Second vertex buffer: all other attributes.
    pub attributes: Vec<u8>,
    /// Triangles of all parts; indices count through all vertices.
    pub indices: Vec<u32>,
    /// Ranges of each part.
    pub parts: Vec<MeshPart>,
    /// Binding 4: influences past the fourth of a vertex, and centres of rotation for `cor`, in rows of [`throng_shaders::TABLE_COLUMNS`].
    pub influences: Vec<[u32; 2]>,
    /// Binding 6, if there are morphs: rows of [`throng_shaders::TABLE_COLUMNS`] texels, and layers of as many rows.
    pub morph_targets: Vec<[u32; 4]>,
}

impl SetBuffers {
    /// Returns the buffers that [`crate::CrowdModel::new`] uploads.
    pub fn of(set: &TextureSet) -> Result<Self, GpuError> {
        let skinning = set.manifest().method;
        let tables = set_tables_of(set, skinning)?;
        let data = MeshData::of_set(set, skinning, &tables);
        let parts = data.parts.iter().map(PartRange::to_part);
        Ok(Self {
            vertices: bytemuck::cast_slice(&data.vertices).to_vec(),
            attributes: bytemuck::cast_slice(&data.attributes).to_vec(),
            parts: parts.collect(),
            indices: data.indices,
            influences: data.further_influences,
            morph_targets: data.morph_deltas,
        })
    }
}

/// Textures of a set and their bindings in group 1.
pub(crate) fn set_textures(set: &TextureSet) -> Vec<SetTexture> {
    let manifest = set.manifest();
    let single = |binding, texture: usize| SetTexture {
        binding,
        texture,
        texels: texel_kind(set.textures()[texture].format()),
    };
    let mut textures = match &manifest.layout {
        Layout::Bones(layout) => {
            let bones = SetTexture {
                texels: bone_texels(set, layout),
                ..single(2, layout.grid.texture)
            };
            let positions = layout.positions.iter().map(|grid| single(3, grid.texture));
            let weights = layout.weights.iter();
            let weights = weights.map(|weights| single(16, weights.texture));
            [bones]
                .into_iter()
                .chain(positions)
                .chain(weights)
                .collect()
        }
        Layout::JointCurves(layout) => vec![single(2, layout.texture)],
        Layout::Vertices(layout) => vec![
            single(2, layout.positions.texture),
            single(3, layout.normals.texture),
        ],
        Layout::VertexCurves(layout) => vec![single(2, layout.texture)],
    };
    let morphs = manifest.morphs.iter();
    textures.extend(morphs.map(|morphs| single(5, morphs.grid.texture)));
    textures
}

/// Makes the tables of a set; fails if the set does not support the skinning method.
pub(crate) fn set_tables_of(set: &TextureSet, skinning: Skinning) -> Result<SetTables, GpuError> {
    let is_vertices = matches!(
        set.manifest().layout,
        Layout::Vertices(_) | Layout::VertexCurves(_)
    );
    let is_dual = !is_vertices && check_methods(set, skinning)?;
    set_info::set_tables(set, is_dual)
}

/// Returns true if any part is skinned by dual quaternions; fails if the joints of the set do not allow it.
fn check_methods(set: &TextureSet, skinning: Skinning) -> Result<bool, GpuError> {
    let model = set.model();
    let methods = model
        .parts()
        .iter()
        .map(|part| mesh_method(model.mesh_of(part), skinning));
    let mut is_dual = false;
    for method in methods {
        if !method.has_shader() {
            return Err(GpuError::NoShader(method.name()));
        }
        if method.needs_palette() {
            return Err(GpuError::NeedsPalette(method.name()));
        }
        is_dual |= method.is_dual();
    }
    if is_dual && !is_always_rigid(set) {
        return Err(GpuError::NotRigid);
    }
    Ok(is_dual)
}
