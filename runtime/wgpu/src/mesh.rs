//! Contents of vertex buffers: one that CPU skinning rewrites each frame, and one that is constant.

use std::ops::Range;

use bytemuck::{Pod, Zeroable};
use glam::{Vec2, Vec3, Vec4};
use throng_format::{Layout, Lod, LodTriangles, Pages, TextureSet};
use throng_rig::{Character, Mesh, Method, Part, RestVertices, Skinning};
use throng_shaders::{CULL_LEVELS, SkinMethod};
use wgpu::util::{BufferInitDescriptor, DeviceExt};

use crate::set_info::SetTables;
use crate::{Gpu, GpuError};

/// Vertex attributes that CPU skinning rewrites each frame.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Default, Pod, Zeroable)]
pub(crate) struct VertexBlock {
    /// Position, and in w the factor of the frame's deform factor.
    pub position: [f32; 4],
    pub normal: [f32; 3],
}

/// Constant vertex attributes.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub(crate) struct AttributeBlock {
    pub uv: [f32; 2],
    pub color: [u16; 4],
    /// Palette index in the low, bone offset in the high half. Where bones are in colours, the first word is four bytes,
    /// each the index of a bone.
    pub joints: [u32; 4],
    /// Where weights are in a texture, the first two numbers are the coordinates of the vertex in it.
    pub weights: [f32; 4],
    /// First influence past the fourth and their number; then the items of position and normal in vertex sets, else the
    /// first morph delta, and the number and first index of morph weights.
    pub indices: [u32; 4],
}

/// Source of vertex positions, and the data that animates them.
pub(crate) enum VertexSource<'a> {
    /// Bind pose, skinned by joints.
    Joints {
        /// Palette index of the first joint of each skin.
        first_palette_indices: &'a [u32],
        /// Offset of the bone of each palette index in a texture; zeros if bones are not read from one.
        bone_offsets: &'a [u32],
        /// Scale of each skin's meshes; see [`SetTables::mesh_scales`].
        mesh_scales: &'a [f32],
    },
    /// Bind pose, skinned by bones in colours.
    Colors {
        /// Bones of the vertices of each mesh.
        bone_colors: &'a [Vec<[u8; 4]>],
        /// Coordinates in the texture of weights of each mesh; empty where vertices have one bone.
        weight_uvs: &'a [Vec<Vec2>],
    },
    /// Rest pose, to which offsets per vertex are added, and the pages of positions and normals.
    Rest(&'a RestVertices, [Option<&'a Pages>; 2]),
}

/// Origin of the vertices of a part.
struct PartVertex<'a> {
    model: &'a Character,
    part: &'a Part,
    skinning: Skinning,
    source: &'a VertexSource<'a>,
    /// Items of the first position and normal of the part, in vertex sets.
    first_items: [u32; 2],
    /// Number of influences that vertices keep, the heaviest ones.
    max_influences: usize,
}

/// Calls a function with the source of a set's vertices.
fn with_source(set: &TextureSet, tables: &SetTables, use_source: impl FnOnce(&VertexSource<'_>)) {
    match set.manifest().layout {
        Layout::VertexCurves(_) => use_source(&VertexSource::Rest(set.rest(), [None; 2])),
        Layout::Vertices(ref layout) => {
            let pages = [&layout.positions, &layout.normals].map(|grid| grid.pages.as_ref());
            use_source(&VertexSource::Rest(set.rest(), pages));
        }
        Layout::Bones(ref layout) if layout.color_bones > 0 => use_source(&VertexSource::Colors {
            bone_colors: set.bone_colors(),
            weight_uvs: &set.second_uvs(),
        }),
        Layout::Bones(_) | Layout::JointCurves(_) => use_source(&VertexSource::Joints {
            first_palette_indices: &tables.first_palette_indices,
            bone_offsets: &tables.bone_offsets,
            mesh_scales: &tables.mesh_scales,
        }),
    }
}

/// A part of a mesh: ranges in its buffers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MeshPart {
    /// Range of vertices.
    pub vertices: Range<u32>,
    /// Range of `indices`.
    pub indices: Range<u32>,
    /// Index into the model's materials.
    pub material: Option<usize>,
}

/// Vertices and triangles of a part in the buffers.
#[derive(Debug, Clone)]
pub(crate) struct PartRange {
    pub first_vertex: u32,
    pub vertices: u32,
    pub first_index: u32,
    pub indices: u32,
    /// Index into the character's materials.
    pub material: Option<usize>,
    pub method: SkinMethod,
}

impl PartRange {
    /// Range in the index buffer.
    pub fn index_range(&self) -> Range<u32> {
        self.first_index..self.first_index + self.indices
    }

    /// The public description.
    pub fn to_part(&self) -> MeshPart {
        MeshPart {
            vertices: self.first_vertex..self.first_vertex + self.vertices,
            indices: self.index_range(),
            material: self.material,
        }
    }
}

/// A level of detail below the full mesh: vertices and triangles of its own in the buffers.
#[derive(Debug, Clone)]
pub(crate) struct LevelRange {
    /// One per part.
    pub parts: Vec<PartRange>,
    /// Largest number of influences of a vertex.
    pub max_influences: usize,
    /// Largest distance of a vertex of the full mesh, as it should be, from the level, in metres.
    pub max_error_m: f32,
}

/// Buffers of a character, part after part, and level after level.
#[derive(Debug, Default)]
pub(crate) struct MeshData {
    pub vertices: Vec<VertexBlock>,
    pub attributes: Vec<AttributeBlock>,
    pub indices: Vec<u32>,
    /// Parts of the full mesh.
    pub parts: Vec<PartRange>,
    /// Levels below the full mesh, finest first.
    pub levels: Vec<LevelRange>,
    /// Influences past the fourth of a vertex: joint, and the bits of the weight. Those of a vertex that rotates about a
    /// centre are after two texels with the centre.
    pub further_influences: Vec<[u32; 2]>,
    /// Largest number of influences of a vertex.
    pub max_influences: usize,
    /// Morph deltas: position and normal, per target and vertex. The fourth words hold that of the tangent.
    pub morph_deltas: Vec<[u32; 4]>,
    /// Unit tangents and the sign of the bitangent, one per vertex; empty if no part has any.
    pub tangents: Vec<[i16; 4]>,
}

impl MeshData {
    /// Lays out the full mesh of a set.
    pub fn of_set(set: &TextureSet, skinning: Skinning, tables: &SetTables) -> Self {
        let mut data = Self::default();
        with_source(set, tables, |source| {
            data.push_parts(set.model(), skinning, source);
        });
        data
    }

    /// Adds the levels of detail of a set.
    pub fn push_levels(&mut self, set: &TextureSet, skinning: Skinning, tables: &SetTables) {
        with_source(set, tables, |source| {
            let levels = set.manifest().lods.iter().zip(&set.mesh().lods);
            for (lod, triangles) in levels.take(CULL_LEVELS - 1) {
                self.push_level(set, skinning, source, (lod, triangles));
            }
        });
    }

    /// Lays out all parts of a model.
    #[cfg(feature = "cpu")]
    pub fn new(model: &Character, skinning: Skinning, source: &VertexSource<'_>) -> Self {
        let mut data = Self::default();
        data.push_parts(model, skinning, source);
        data
    }

    fn push_parts(&mut self, model: &Character, skinning: Skinning, source: &VertexSource<'_>) {
        let mut first_items = [0; 2];
        for part in model.parts() {
            let mesh = model.mesh_of(part);
            let first_index = self.indices.len() as u32;
            let first_vertex = self.vertices.len() as u32;
            let vertex = PartVertex {
                model,
                part,
                skinning,
                source,
                first_items,
                max_influences: usize::MAX,
            };
            for index in 0..mesh.vertex_count() {
                self.push_vertex(&vertex, index);
            }
            let is_skinned = !matches!(source, VertexSource::Rest(..));
            if is_skinned {
                self.push_tangents(mesh, 0..mesh.vertex_count());
            }
            first_items[0] += mesh.unique().position_count() as u32;
            first_items[1] += mesh.unique().normal_count() as u32;
            let corners = mesh.triangles().as_flattened();
            self.indices
                .extend(corners.iter().map(|corner| first_vertex + corner));
            self.parts.push(PartRange {
                first_vertex,
                vertices: mesh.vertex_count() as u32,
                first_index,
                indices: self.indices.len() as u32 - first_index,
                material: mesh.material,
                method: mesh_method(mesh, skinning),
            });
        }
    }

    /// Adds the vertices that a level uses, in the order of their first use, and its triangles.
    fn push_level(
        &mut self,
        set: &TextureSet,
        skinning: Skinning,
        source: &VertexSource<'_>,
        (lod, triangles): (&Lod, &LodTriangles),
    ) {
        let model = set.model();
        let max_influences = match source {
            VertexSource::Joints { .. } => {
                (lod.max_influences as usize).clamp(1, self.max_influences.max(1))
            }
            VertexSource::Colors { .. } | VertexSource::Rest(..) => self.max_influences,
        };
        let mut parts = Vec::with_capacity(self.parts.len());
        let mut first_items = [0; 2];
        for (index, part) in model.parts().iter().enumerate() {
            let mesh = model.mesh_of(part);
            let first_index = self.indices.len() as u32;
            let first_vertex = self.vertices.len() as u32;
            let vertex = PartVertex {
                model,
                part,
                skinning,
                source,
                first_items,
                max_influences,
            };
            let mut index_of = vec![u32::MAX; mesh.vertex_count()];
            let mut used = Vec::new();
            for &corner in triangles.meshes[part.mesh].as_flattened() {
                let index = &mut index_of[corner as usize];
                if *index == u32::MAX {
                    *index = self.vertices.len() as u32;
                    used.push(corner as usize);
                    self.push_vertex(&vertex, corner as usize);
                }
                self.indices.push(*index);
            }
            if !matches!(source, VertexSource::Rest(..)) {
                self.push_tangents(mesh, used);
            }
            first_items[0] += mesh.unique().position_count() as u32;
            first_items[1] += mesh.unique().normal_count() as u32;
            parts.push(PartRange {
                first_vertex,
                vertices: self.vertices.len() as u32 - first_vertex,
                first_index,
                indices: self.indices.len() as u32 - first_index,
                ..self.parts[index].clone()
            });
        }
        let manifest = set.manifest();
        // The error of the set adds to that of the level.
        let of_size = lod.max_error_of_size + manifest.max_error_of_size.unwrap_or(0.0);
        self.levels.push(LevelRange {
            parts,
            max_influences,
            max_error_m: (of_size * manifest.size) as f32,
        });
    }

    fn push_vertex(&mut self, of: &PartVertex<'_>, vertex: usize) {
        let mesh = of.model.mesh_of(of.part);
        self.push_attributes(mesh, vertex);
        match of.source {
            VertexSource::Joints {
                first_palette_indices,
                bone_offsets,
                mesh_scales,
            } => {
                let scale = mesh_scales[of.part.skin];
                let first_palette_index = first_palette_indices[of.part.skin];
                let factor = deform_factor_scale(mesh, of.skinning, vertex);
                self.push_bind_pose(mesh, vertex, scale, factor);
                if mesh_method(mesh, of.skinning) == SkinMethod::Cor {
                    self.push_rotation_center(mesh, vertex, scale);
                }
                self.push_influences(of, vertex, first_palette_index, bone_offsets);
                self.push_morphs(of.model, of.part, vertex, scale);
            }
            VertexSource::Colors {
                bone_colors,
                weight_uvs,
            } => {
                let factor = deform_factor_scale(mesh, of.skinning, vertex);
                self.push_bind_pose(mesh, vertex, 1.0, factor);
                let uv = weight_uvs[of.part.mesh].get(vertex);
                self.push_bones(bone_colors[of.part.mesh][vertex], uv);
                self.push_morphs(of.model, of.part, vertex, 1.0);
            }
            VertexSource::Rest(rest, pages) => {
                let unique = mesh.unique();
                let [first_position, first_normal] = of.first_items;
                let position = first_position + unique.position_of()[vertex];
                let normal = first_normal + unique.normal_of()[vertex];
                self.vertices.push(VertexBlock {
                    position: rest.positions[position as usize].extend(1.0).to_array(),
                    normal: rest.normals[normal as usize].to_array(),
                });
                let row = |pages: Option<&Pages>, item| {
                    pages.map_or(item, |pages| pages.row_in_clip(item))
                };
                let [positions, normals] = *pages;
                self.last().indices = [0, 0, row(positions, position), row(normals, normal)];
            }
        }
    }

    /// Bounding box of the undeformed full mesh, in metres.
    pub fn undeformed_box(&self) -> [Vec3; 2] {
        let end = self
            .parts
            .iter()
            .map(|part| part.first_vertex + part.vertices);
        let vertices = &self.vertices[..end.max().unwrap_or(0) as usize];
        let positions = vertices
            .iter()
            .map(|v| Vec4::from_array(v.position).truncate());
        let corners = positions.map(|position| [position; 2]);
        let union = |[low, high]: [Vec3; 2], [a, b]: [Vec3; 2]| [low.min(a), high.max(b)];
        corners.reduce(union).unwrap_or([Vec3::ZERO; 2])
    }

    fn last(&mut self) -> &mut AttributeBlock {
        self.attributes
            .last_mut()
            .expect("attributes are pushed first")
    }

    /// Appends the tangents of the vertices that were pushed last.
    fn push_tangents(
        &mut self,
        mesh: &Mesh,
        vertices: impl IntoIterator<Item = usize, IntoIter: ExactSizeIterator>,
    ) {
        let vertices = vertices.into_iter();
        if !mesh.tangents().is_empty() {
            let before = self.vertices.len() - vertices.len();
            self.tangents.resize(before, [0; 4]);
            let tangents = vertices.map(|vertex| packed_tangent(mesh.tangents()[vertex]));
            self.tangents.extend(tangents);
        }
        if !self.tangents.is_empty() {
            self.tangents.resize(self.vertices.len(), [0; 4]);
        }
    }

    fn push_attributes(&mut self, mesh: &Mesh, vertex: usize) {
        let color = mesh.colors().get(vertex).copied().unwrap_or([1.0; 4]);
        self.attributes.push(AttributeBlock {
            uv: mesh.uvs().get(vertex).map_or([0.0; 2], Vec2::to_array),
            color: color.map(|c| (c.clamp(0.0, 1.0) * 65535.0).round() as u16),
            joints: [0; 4],
            weights: [0.0; 4],
            indices: [0; 4],
        });
    }

    fn push_bind_pose(&mut self, mesh: &Mesh, vertex: usize, scale: f32, factor: f32) {
        self.vertices.push(VertexBlock {
            position: (mesh.positions()[vertex] * scale).extend(factor).to_array(),
            normal: mesh.normals()[vertex].to_array(),
        });
    }

    /// Adds the centre of rotation of a vertex, in the two texels before its further influences; see `rotation_center` in
    /// the shaders.
    fn push_rotation_center(&mut self, mesh: &Mesh, vertex: usize, scale: f32) {
        let center = mesh.rotation_centers().get(vertex);
        let is_stored = u32::from(center.is_some());
        let [x, y, z] = center.map_or([0; 3], |&center| {
            (center * scale).to_array().map(f32::to_bits)
        });
        self.further_influences.extend([[x, y], [z, is_stored]]);
    }

    fn push_influences(
        &mut self,
        of: &PartVertex<'_>,
        vertex: usize,
        first_palette_index: u32,
        bone_offsets: &[u32],
    ) {
        let influences = of.model.mesh_of(of.part).influences();
        let kept = || influences.of(vertex).take(of.max_influences);
        let scale = match influences.run(vertex).0.len() > of.max_influences {
            true => 1.0 / kept().map(|(_, weight)| weight).sum::<f64>(),
            false => 1.0,
        };
        let first = self.further_influences.len() as u32;
        let mut count = 0;
        for (k, (joint, weight)) in kept().enumerate() {
            let weight = weight * scale;
            self.max_influences = self.max_influences.max(k + 1);
            let palette_index = first_palette_index + joint as u32;
            let joint = palette_index | bone_offsets[palette_index as usize] << 16;
            let last = self.last();
            if k < last.joints.len() {
                // Shaders may read joints of weight 0, so the rest repeats a joint of the vertex.
                last.joints[k..].fill(joint);
                last.weights[k] = weight as f32;
            } else {
                self.further_influences
                    .push([joint, (weight as f32).to_bits()]);
                count += 1;
            }
        }
        self.last().indices = [first, count, 0, 0];
    }

    fn push_bones(&mut self, bones: [u8; 4], weight_uv: Option<&Vec2>) {
        let influences = if weight_uv.is_some() { 4 } else { 1 };
        self.max_influences = self.max_influences.max(influences);
        let last = self.last();
        last.joints[0] = u32::from_le_bytes(bones);
        let uv = weight_uv.map_or([0.0; 2], Vec2::to_array);
        last.weights[..2].copy_from_slice(&uv);
    }

    fn push_morphs(&mut self, model: &Character, part: &Part, vertex: usize, scale: f32) {
        let weights = model.morph_range(part);
        if weights.is_empty() {
            return;
        }
        let first = self.morph_deltas.len() as u32;
        let texel = |v: Vec3, word| [v.x.to_bits(), v.y.to_bits(), v.z.to_bits(), word];
        for target in model.mesh_of(part).morph_targets() {
            let normal = target.normals.get(vertex).copied().unwrap_or(Vec3::ZERO);
            let tangent = target.tangents.get(vertex).copied().unwrap_or(Vec3::ZERO);
            // Differences of unit vectors are at most 2.
            let [x, y, z, _] =
                packed_tangent((0.5 * tangent).extend(0.0)).map(|n| u32::from(n as u16));
            let position = target.positions[vertex] * scale;
            self.morph_deltas.push(texel(position, x | y << 16));
            self.morph_deltas.push(texel(normal, z));
        }
        let indices = &mut self.last().indices;
        indices[2] = first;
        indices[3] = (weights.len() as u32) << 16 | weights.start as u32;
    }
}

/// Converts to 16-bit normalised numbers.
pub(crate) fn packed_tangent(tangent: Vec4) -> [i16; 4] {
    let number = |x: f32| (x.clamp(-1.0, 1.0) * 32767.0).round() as i16;
    tangent.to_array().map(number)
}

/// Factor of the frame's deform factor for a vertex.
fn deform_factor_scale(mesh: &Mesh, skinning: Skinning, vertex: usize) -> f32 {
    match (skinning, skinning.method_of(mesh, vertex)) {
        (Skinning::AsAuthored | Skinning::BlendAuto, Method::Blend(factor)) => factor as f32,
        _ => 1.0,
    }
}

/// Shader method of a mesh.
pub(crate) fn mesh_method(mesh: &Mesh, skinning: Skinning) -> SkinMethod {
    shader_method(skinning.method_of(mesh, 0))
}

/// Deform factor named by the method, for frames that set none.
pub(crate) fn default_deform_factor(skinning: Skinning) -> f32 {
    match skinning {
        Skinning::Method(Method::Blend(factor) | Method::BlendPositions(factor)) => factor as f32,
        _ => 1.0,
    }
}

/// Returns the shader method of a skinning method. Its deform factor is part of the frame, not of the shader.
pub fn shader_method(method: Method) -> SkinMethod {
    match method {
        Method::Lbs => SkinMethod::Lbs,
        Method::Dqs => SkinMethod::Dqs,
        Method::DqsBulgeFree => SkinMethod::DqsBulgeFree,
        Method::Cor => SkinMethod::Cor,
        Method::Sclerp => SkinMethod::Sclerp,
        Method::DqsPlain => SkinMethod::DqsPlain,
        Method::DqsDirect => SkinMethod::DqsDirect,
        Method::DqsSum => SkinMethod::DqsSum,
        Method::Blend(_) => SkinMethod::Blend,
        Method::BlendPositions(_) => SkinMethod::BlendPositions,
    }
}

/// A character's mesh on the device.
#[derive(Debug)]
pub(crate) struct MeshBuffers {
    pub vertices: wgpu::Buffer,
    pub attributes: wgpu::Buffer,
    pub indices: wgpu::Buffer,
    /// Tangents; `None` if no part has any.
    pub tangents: Option<wgpu::Buffer>,
    pub parts: Vec<PartRange>,
    /// Levels below the full mesh, finest first.
    pub levels: Vec<LevelRange>,
    /// Number of vertices of the full mesh.
    pub vertex_count: u32,
    /// Number of vertices of all levels.
    all_vertices: u32,
    /// Largest number of influences of a vertex.
    pub max_influences: usize,
}

impl MeshBuffers {
    pub fn new(gpu: &Gpu, data: MeshData) -> Result<Self, GpuError> {
        // Compute passes of `skin-once` read them.
        let storage = match gpu.device.limits().max_storage_buffers_per_shader_stage {
            0 => wgpu::BufferUsages::empty(),
            _ => wgpu::BufferUsages::STORAGE,
        };
        let buffer = |label: &'static str, contents: &[u8], usage| {
            gpu.check_buffer_size(label, contents.len() as u64)?;
            Ok::<_, GpuError>(gpu.device.create_buffer_init(&BufferInitDescriptor {
                label: Some(label),
                contents,
                usage,
            }))
        };
        let vertex = wgpu::BufferUsages::VERTEX | storage;
        let tangents = match data.tangents.is_empty() {
            true => None,
            false => {
                let bytes = bytemuck::cast_slice(&data.tangents);
                Some(buffer("tangents", bytes, vertex)?)
            }
        };
        let (vertices, attributes) = (&data.vertices, &data.attributes);
        let index = wgpu::BufferUsages::INDEX;
        Ok(Self {
            vertices: buffer("vertices", bytemuck::cast_slice(vertices), vertex)?,
            attributes: buffer("attributes", bytemuck::cast_slice(attributes), vertex)?,
            indices: buffer("indices", bytemuck::cast_slice(&data.indices), index)?,
            tangents,
            vertex_count: data.parts.iter().map(|part| part.vertices).sum(),
            all_vertices: data.vertices.len() as u32,
            max_influences: data.max_influences,
            parts: data.parts,
            levels: data.levels,
        })
    }

    /// Bytes of the vertices that CPU skinning rewrites, per instance.
    #[cfg(feature = "cpu")]
    pub fn vertex_bytes(&self) -> u64 {
        u64::from(self.vertex_count) * size_of::<VertexBlock>() as u64
    }

    /// Bytes of the tangents of all levels; per instance, if the CPU skins.
    pub fn tangent_bytes(&self) -> u64 {
        u64::from(self.all_vertices) * size_of::<[i16; 4]>() as u64
    }

    /// Number of levels, the full mesh included.
    pub fn level_count(&self) -> usize {
        1 + self.levels.len()
    }

    /// Parts of a level; level 0 is the full mesh.
    pub fn level_parts(&self, level: usize) -> &[PartRange] {
        match level {
            0 => &self.parts,
            _ => &self.levels[level - 1].parts,
        }
    }
}
