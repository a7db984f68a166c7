//! What a set is to shaders, for those who bring their own device and engine.

use std::ops::Range;

use throng_format::{Layout, TextureSet};
use throng_rig::{Method, Skinning};
use throng_shaders::{Deform, PaletteSource, SetInfo, SkinMethod, TexelKind};

use crate::mesh::{MeshData, skin_method};
use crate::set_info::SetTables;
use crate::texture::{DeviceTexels, texel_kind};
use crate::{DecodePlace, GpuError, set_info};

/// Which shaders draw a set, and what they must know of it beside its texels. Takes no device.
#[derive(Debug, Clone, PartialEq)]
pub struct SetShaders {
    /// One for each way that its parts are moved.
    pub deforms: Vec<Deform>,
    /// For each part, which of them moves it.
    pub deform_of_part: Vec<usize>,
    /// What fills the palette before, where they read one.
    pub palette: Option<PaletteSource>,
    /// Group 1, binding 0.
    pub info: SetInfo,
    /// Group 1, binding 1.
    pub tables: Vec<[u32; 4]>,
    /// Further bindings of group 1. Where a pass fills a palette, the pass reads the texture at binding 2, and the
    /// shaders that draw read the palette there.
    pub textures: Vec<SetTexture>,
}

/// A texture of a set that shaders read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetTexture {
    /// In group 1.
    pub binding: u32,
    /// Index into the set's textures.
    pub texture: usize,
    /// How it is read.
    pub texels: TexelKind,
}

impl SetTexture {
    /// Texels as they go to the device.
    pub fn device_texels<'a>(&self, set: &'a TextureSet) -> DeviceTexels<'a> {
        DeviceTexels::of(&set.textures()[self.texture], self.texels)
    }
}

impl SetShaders {
    /// As [`crate::Crowd::of_set`] draws it.
    pub fn of(set: &TextureSet, decode: DecodePlace) -> Result<Self, GpuError> {
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
        };
        for part in model.parts() {
            let mesh = model.mesh_of(part);
            out.info.vertices += mesh.vertex_count() as u32;
            let (deform, palette) = set_info::set_deform(set, skin_method(mesh, skinning), decode);
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

/// The mesh of a set as shaders take it: what [`crate::VERTEX_LAYOUTS`] describes, and two more bindings of group 1.
/// Parts are in a row, in the model's order. Takes no device.
#[derive(Debug, Clone, PartialEq)]
pub struct SetBuffers {
    /// The first vertex buffer: positions and normals.
    pub vertices: Vec<u8>,
    /// The second: what else a vertex has.
    pub attributes: Vec<u8>,
    /// Triangles of all parts, counted through all vertices.
    pub indices: Vec<u32>,
    /// Where each part is.
    pub parts: Vec<SetPart>,
    /// Binding 4: influences past the fourth of a vertex, in rows of [`throng_shaders::TABLE_COLUMNS`].
    pub influences: Vec<[u32; 2]>,
    /// Binding 6, where there are morphs: rows of as many texels, and layers of as many rows.
    pub morph_targets: Vec<[u32; 4]>,
}

/// Where a part is in [`SetBuffers`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetPart {
    /// Its vertices.
    pub vertices: Range<u32>,
    /// Its triangles' corners.
    pub indices: Range<u32>,
    /// Index into the model's materials.
    pub material: Option<usize>,
}

impl SetBuffers {
    /// As [`crate::Crowd::of_set`] uploads them.
    pub fn of(set: &TextureSet) -> Result<Self, GpuError> {
        let skinning = set.manifest().method;
        let tables = set_tables_of(set, skinning)?;
        let data = MeshData::of_set(set, skinning, &tables);
        let parts = data.parts.iter().map(|part| SetPart {
            vertices: part.first_vertex..part.first_vertex + part.vertices,
            indices: part.first_index..part.first_index + part.indices,
            material: part.material,
        });
        Ok(Self {
            vertices: bytemuck::cast_slice(&data.vertices).to_vec(),
            attributes: bytemuck::cast_slice(&data.attributes).to_vec(),
            parts: parts.collect(),
            indices: data.indices,
            influences: data.more,
            morph_targets: data.deltas,
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
        Layout::Bones(layout) => vec![SetTexture {
            texels: set_info::bone_texels(set, layout),
            ..single(2, layout.grid.texture)
        }],
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

/// Tables of a set that is skinned by a method; an error where it cannot be.
pub(crate) fn set_tables_of(set: &TextureSet, skinning: Skinning) -> Result<SetTables, GpuError> {
    let is_vertices = matches!(
        set.manifest().layout,
        Layout::Vertices(_) | Layout::VertexCurves(_)
    );
    let is_dual = !is_vertices && check_methods(set, skinning)?;
    set_info::set_tables(set, is_dual)
}

/// Whether any part is skinned by dual quaternions; an error where the set's joints do not allow it.
fn check_methods(set: &TextureSet, skinning: Skinning) -> Result<bool, GpuError> {
    let model = set.model();
    let methods = model
        .parts()
        .iter()
        .map(|part| skin_method(model.mesh_of(part), skinning));
    let mut is_dual = false;
    for method in methods {
        if method.needs_palette() {
            return Err(GpuError::NeedsPalette(method.name()));
        }
        is_dual |= method.is_dual();
    }
    if is_dual && !set_info::is_always_rigid(set) {
        return Err(GpuError::NotRigid);
    }
    Ok(is_dual)
}

/// The shaders of a method: without its factor, which is the frame's.
pub fn method_kind(method: Method) -> SkinMethod {
    match method {
        Method::Lbs => SkinMethod::Lbs,
        Method::Dqs => SkinMethod::Dqs,
        Method::DqsPlain => SkinMethod::DqsPlain,
        Method::DqsDirect => SkinMethod::DqsDirect,
        Method::DqsSum => SkinMethod::DqsSum,
        Method::Blend(_) => SkinMethod::Blend,
        Method::BlendPositions(_) => SkinMethod::BlendPositions,
    }
}
