//! Vertex buffers of shaders: one that CPU skinning rewrites each frame, and one that is constant.

use std::mem::offset_of;
use std::ops::Range;

use bytemuck::{Pod, Zeroable};
use glam::{Vec2, Vec3, Vec4};
use throng_format::{Layout, Pages, TextureSet};
use throng_rig::{Character, Mesh, Method, Part, RestVertices, Skinning};
use throng_shaders::{Deform, InfluenceSource, SkinMethod};
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
    uv: [f32; 2],
    color: [u16; 4],
    /// Palette index in the low, bone offset in the high half. Where bones are in colours, the first word is four bytes,
    /// each the index of a bone.
    joints: [u32; 4],
    /// Where weights are in a texture, the first two numbers are the coordinates of the vertex in it.
    weights: [f32; 4],
    /// First influence past the fourth and their number; then the items of position and normal in vertex sets, else the
    /// first morph delta, and the number and first index of morph weights.
    indices: [u32; 4],
}

/// Vertex buffers of shaders that deform: the two of [`crate::SetBuffers`], and instances
/// ([`throng_shaders::InstanceBlock`]). Attributes 4 and 5 differ where bones are in colours: see [`vertex_layouts`].
pub const VERTEX_LAYOUTS: [Option<wgpu::VertexBufferLayout<'static>>; 3] = [
    Some(wgpu::VertexBufferLayout {
        array_stride: size_of::<VertexBlock>() as u64,
        step_mode: wgpu::VertexStepMode::Vertex,
        attributes: &wgpu::vertex_attr_array![0 => Float32x4, 1 => Float32x3],
    }),
    Some(wgpu::VertexBufferLayout {
        array_stride: size_of::<AttributeBlock>() as u64,
        step_mode: wgpu::VertexStepMode::Vertex,
        attributes: &wgpu::vertex_attr_array![
            2 => Float32x2, 3 => Unorm16x4, 4 => Uint32x4, 5 => Float32x4, 6 => Uint32x4
        ],
    }),
    Some(wgpu::VertexBufferLayout {
        array_stride: size_of::<throng_shaders::InstanceBlock>() as u64,
        step_mode: wgpu::VertexStepMode::Instance,
        attributes: &wgpu::vertex_attr_array![
            7 => Uint32x4, 8 => Uint32x4, 9 => Uint32x4, 10 => Uint32x4, 11 => Uint32x4, 12 => Uint32x4
        ],
    }),
];

/// [`VERTEX_LAYOUTS`] of vertices with bones in colours ([`InfluenceSource::Colors`]).
const COLOR_VERTEX_LAYOUTS: [Option<wgpu::VertexBufferLayout<'static>>; 3] = {
    let [vertices, _, instances] = VERTEX_LAYOUTS;
    let attributes = wgpu::VertexBufferLayout {
        array_stride: size_of::<AttributeBlock>() as u64,
        step_mode: wgpu::VertexStepMode::Vertex,
        attributes: &[
            attribute(
                2,
                wgpu::VertexFormat::Float32x2,
                offset_of!(AttributeBlock, uv),
            ),
            attribute(
                3,
                wgpu::VertexFormat::Unorm16x4,
                offset_of!(AttributeBlock, color),
            ),
            attribute(
                4,
                wgpu::VertexFormat::Unorm8x4,
                offset_of!(AttributeBlock, joints),
            ),
            attribute(
                5,
                wgpu::VertexFormat::Float32x2,
                offset_of!(AttributeBlock, weights),
            ),
            attribute(
                6,
                wgpu::VertexFormat::Uint32x4,
                offset_of!(AttributeBlock, indices),
            ),
        ],
    };
    [vertices, Some(attributes), instances]
};

const fn attribute(
    shader_location: u32,
    format: wgpu::VertexFormat,
    offset: usize,
) -> wgpu::VertexAttribute {
    wgpu::VertexAttribute {
        format,
        offset: offset as u64,
        shader_location,
    }
}

/// Vertex buffers of a technique: [`VERTEX_LAYOUTS`], or the same buffers where bones are in colours.
pub fn vertex_layouts(deform: Deform) -> [Option<wgpu::VertexBufferLayout<'static>>; 3] {
    match deform.influences() {
        InfluenceSource::Attributes => VERTEX_LAYOUTS,
        InfluenceSource::Colors | InfluenceSource::SingleColor => COLOR_VERTEX_LAYOUTS,
    }
}

/// Vertex buffer of tangents, for materials that read them.
pub(crate) const TANGENT_LAYOUT: wgpu::VertexBufferLayout<'static> = wgpu::VertexBufferLayout {
    array_stride: size_of::<[i16; 4]>() as u64,
    step_mode: wgpu::VertexStepMode::Vertex,
    attributes: &wgpu::vertex_attr_array![13 => Snorm16x4],
};

/// Vertex buffer of the positions of the frame before, for motion vectors of vertices that no shader deforms.
pub(crate) const PREVIOUS_LAYOUT: wgpu::VertexBufferLayout<'static> = wgpu::VertexBufferLayout {
    array_stride: size_of::<VertexBlock>() as u64,
    step_mode: wgpu::VertexStepMode::Vertex,
    attributes: &wgpu::vertex_attr_array![14 => Float32x4],
};

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

/// Buffers of a character, part after part.
#[derive(Debug, Default)]
pub(crate) struct MeshData {
    pub vertices: Vec<VertexBlock>,
    pub attributes: Vec<AttributeBlock>,
    pub indices: Vec<u32>,
    pub parts: Vec<PartRange>,
    /// Influences past the fourth of a vertex: joint, and the bits of the weight.
    pub further_influences: Vec<[u32; 2]>,
    /// Largest number of influences of a vertex.
    pub max_influences: usize,
    /// Morph deltas: position and normal, per target and vertex. The fourth words hold that of the tangent.
    pub morph_deltas: Vec<[u32; 4]>,
    /// Unit tangents and the sign of the bitangent, one per vertex; empty if no part has any.
    pub tangents: Vec<[i16; 4]>,
}

impl MeshData {
    /// Lays out the mesh of a set.
    pub fn of_set(set: &TextureSet, skinning: Skinning, tables: &SetTables) -> Self {
        let model = set.model();
        match set.manifest().layout {
            Layout::VertexCurves(_) => {
                Self::new(model, skinning, &VertexSource::Rest(set.rest(), [None; 2]))
            }
            Layout::Vertices(ref layout) => {
                let pages = [&layout.positions, &layout.normals].map(|grid| grid.pages.as_ref());
                Self::new(model, skinning, &VertexSource::Rest(set.rest(), pages))
            }
            Layout::Bones(ref layout) if layout.color_bones > 0 => {
                let source = VertexSource::Colors {
                    bone_colors: set.bone_colors(),
                    weight_uvs: &set.second_uvs(),
                };
                Self::new(model, skinning, &source)
            }
            Layout::Bones(_) | Layout::JointCurves(_) => {
                let source = VertexSource::Joints {
                    first_palette_indices: &tables.first_palette_indices,
                    bone_offsets: &tables.bone_offsets,
                    mesh_scales: &tables.mesh_scales,
                };
                Self::new(model, skinning, &source)
            }
        }
    }

    /// Lays out all parts of a model.
    pub fn new(model: &Character, skinning: Skinning, source: &VertexSource<'_>) -> Self {
        let mut data = Self::default();
        let (mut first_position, mut first_normal) = (0, 0);
        for part in model.parts() {
            let mesh = model.mesh_of(part);
            let first_index = data.indices.len() as u32;
            let first_vertex = data.vertices.len() as u32;
            for vertex in 0..mesh.vertex_count() {
                data.push_attributes(mesh, vertex);
                match source {
                    VertexSource::Joints {
                        first_palette_indices,
                        bone_offsets,
                        mesh_scales,
                    } => {
                        let scale = mesh_scales[part.skin];
                        let first_palette_index = first_palette_indices[part.skin];
                        let factor = deform_factor_scale(mesh, skinning, vertex);
                        data.push_bind_pose(mesh, vertex, scale, factor);
                        data.push_influences(mesh, vertex, first_palette_index, bone_offsets);
                        data.push_morphs(model, part, vertex, scale);
                    }
                    VertexSource::Colors {
                        bone_colors,
                        weight_uvs,
                    } => {
                        let factor = deform_factor_scale(mesh, skinning, vertex);
                        data.push_bind_pose(mesh, vertex, 1.0, factor);
                        let uv = weight_uvs[part.mesh].get(vertex);
                        data.push_bones(bone_colors[part.mesh][vertex], uv);
                        data.push_morphs(model, part, vertex, 1.0);
                    }
                    VertexSource::Rest(rest, pages) => {
                        let unique = mesh.unique();
                        let position = first_position + unique.position_of()[vertex];
                        let normal = first_normal + unique.normal_of()[vertex];
                        data.vertices.push(VertexBlock {
                            position: rest.positions[position as usize].extend(1.0).to_array(),
                            normal: rest.normals[normal as usize].to_array(),
                        });
                        let row = |pages: Option<&Pages>, item| {
                            pages.map_or(item, |pages| pages.row_in_clip(item))
                        };
                        let [positions, normals] = *pages;
                        data.last().indices =
                            [0, 0, row(positions, position), row(normals, normal)];
                    }
                }
            }
            data.push_tangents(mesh, source);
            first_position += mesh.unique().position_count() as u32;
            first_normal += mesh.unique().normal_count() as u32;
            let corners = mesh.triangles().as_flattened();
            data.indices
                .extend(corners.iter().map(|corner| first_vertex + corner));
            data.parts.push(PartRange {
                first_vertex,
                vertices: mesh.vertex_count() as u32,
                first_index,
                indices: data.indices.len() as u32 - first_index,
                material: mesh.material,
                method: mesh_method(mesh, skinning),
            });
        }
        data
    }

    fn last(&mut self) -> &mut AttributeBlock {
        self.attributes
            .last_mut()
            .expect("attributes are pushed first")
    }

    /// Appends the tangents of a part. Textures of vertices hold none.
    fn push_tangents(&mut self, mesh: &Mesh, source: &VertexSource<'_>) {
        let is_skinned = !matches!(source, VertexSource::Rest(..));
        if is_skinned && !mesh.tangents().is_empty() {
            let before = self.vertices.len() - mesh.vertex_count();
            self.tangents.resize(before, [0; 4]);
            let tangents = mesh.tangents().iter();
            self.tangents
                .extend(tangents.map(|&tangent| packed_tangent(tangent)));
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

    fn push_influences(
        &mut self,
        mesh: &Mesh,
        vertex: usize,
        first_palette_index: u32,
        bone_offsets: &[u32],
    ) {
        let first = self.further_influences.len() as u32;
        let mut count = 0;
        for (k, (joint, weight)) in mesh.influences().of(vertex).enumerate() {
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
        (Skinning::AsAuthored, Method::Blend(factor)) => factor as f32,
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
    pub vertex_count: u32,
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
            vertex_count: data.vertices.len() as u32,
            max_influences: data.max_influences,
            parts: data.parts,
        })
    }

    /// Bytes of the vertices that CPU skinning rewrites, per instance.
    #[cfg(feature = "cpu")]
    pub fn vertex_bytes(&self) -> u64 {
        u64::from(self.vertex_count) * size_of::<VertexBlock>() as u64
    }

    /// Bytes of the tangents, per instance.
    pub fn tangent_bytes(&self) -> u64 {
        u64::from(self.vertex_count) * size_of::<[i16; 4]>() as u64
    }
}
