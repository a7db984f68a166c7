//! Vertices as shaders take them: two buffers, of which the CPU rewrites the first where it skins.

use bytemuck::{Pod, Zeroable};
use glam::Vec3;
use throng_format::{Layout, TextureSet};
use throng_rig::{Character, Mesh, Method, Part, RestVertices, Skinning};
use throng_shaders::SkinMethod;
use wgpu::util::{BufferInitDescriptor, DeviceExt};

use crate::set_info::SetTables;
use crate::{Gpu, GpuError, method_kind};

/// What the CPU may write anew each frame.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub(crate) struct VertexBlock {
    /// The fourth is how much of the frame's deform factor the vertex takes.
    pub position: [f32; 4],
    pub normal: [f32; 3],
}

/// What stays.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub(crate) struct AttributeBlock {
    uv: [f32; 2],
    color: [u16; 4],
    joints: [u32; 4],
    weights: [f32; 4],
    places: [u32; 4],
}

/// Vertex buffers of every shader that deforms: the two of [`crate::SetBuffers`], and instances
/// ([`throng_shaders::InstanceBlock`]).
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

/// How vertices are tied to what moves them.
pub(crate) enum Ties<'a> {
    /// To joints.
    Joints {
        /// For each skin, the number of its first palette entry.
        first_entries: &'a [u32],
        /// For each entry, the place of its bone in a texture; zeros where there is none.
        places: &'a [u32],
        /// For each skin, what lengths are multiplied by; see [`crate::set_info`].
        units: &'a [f32],
    },
    /// To texels of their own, added to the rest pose.
    Rest(&'a RestVertices),
}

/// Triangles of a part.
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

/// All parts of a character in a row.
#[derive(Debug, Default)]
pub(crate) struct MeshData {
    pub vertices: Vec<VertexBlock>,
    pub attributes: Vec<AttributeBlock>,
    pub indices: Vec<u32>,
    pub parts: Vec<PartRange>,
    /// Influences past the fourth of a vertex: joint, and the bits of the weight.
    pub more: Vec<[u32; 2]>,
    /// That a vertex has.
    pub max_influences: usize,
    /// Two texels a target of each vertex of a mesh with morphs: position and normal.
    pub deltas: Vec<[u32; 4]>,
}

impl MeshData {
    /// The mesh of a set, tied to its textures.
    pub fn of_set(set: &TextureSet, skinning: Skinning, tables: &SetTables) -> Self {
        let model = set.model();
        match set.manifest().layout {
            Layout::Vertices(_) | Layout::VertexCurves(_) => {
                Self::new(model, skinning, &Ties::Rest(set.rest()))
            }
            Layout::Bones(_) | Layout::JointCurves(_) => {
                let ties = Ties::Joints {
                    first_entries: &tables.first_entries,
                    places: &tables.places,
                    units: &tables.units,
                };
                Self::new(model, skinning, &ties)
            }
        }
    }

    /// Lays out all parts of a model.
    pub fn new(model: &Character, skinning: Skinning, ties: &Ties<'_>) -> Self {
        let mut data = Self::default();
        let (mut first_position, mut first_normal) = (0, 0);
        for part in model.parts() {
            let mesh = model.mesh_of(part);
            let first_index = data.indices.len() as u32;
            let first_vertex = data.vertices.len() as u32;
            for vertex in 0..mesh.vertex_count() {
                data.push_looks(mesh, vertex);
                match ties {
                    Ties::Joints {
                        first_entries,
                        places,
                        units,
                    } => {
                        let unit = units[part.skin];
                        let first_entry = first_entries[part.skin];
                        let factor = factor(mesh, skinning, vertex);
                        data.push_bound(mesh, vertex, unit, factor);
                        data.push_influences(mesh, vertex, first_entry, places);
                        data.push_morphs(model, part, vertex, unit);
                    }
                    Ties::Rest(rest) => {
                        let unique = mesh.unique();
                        let position = first_position + unique.position_of()[vertex];
                        let normal = first_normal + unique.normal_of()[vertex];
                        data.vertices.push(VertexBlock {
                            position: rest.positions[position as usize].extend(1.0).to_array(),
                            normal: rest.normals[normal as usize].to_array(),
                        });
                        data.last().places = [0, 0, position, normal];
                    }
                }
            }
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
                method: skin_method(mesh, skinning),
            });
        }
        data
    }

    fn last(&mut self) -> &mut AttributeBlock {
        self.attributes.last_mut().expect("looks are pushed first")
    }

    fn push_looks(&mut self, mesh: &Mesh, vertex: usize) {
        let color = mesh.colors().get(vertex).copied().unwrap_or([1.0; 4]);
        self.attributes.push(AttributeBlock {
            uv: mesh
                .uvs()
                .get(vertex)
                .map_or([0.0; 2], glam::Vec2::to_array),
            color: color.map(|c| (c.clamp(0.0, 1.0) * 65535.0).round() as u16),
            joints: [0; 4],
            weights: [0.0; 4],
            places: [0; 4],
        });
    }

    fn push_bound(&mut self, mesh: &Mesh, vertex: usize, unit: f32, factor: f32) {
        self.vertices.push(VertexBlock {
            position: (mesh.positions()[vertex] * unit).extend(factor).to_array(),
            normal: mesh.normals()[vertex].to_array(),
        });
    }

    fn push_influences(&mut self, mesh: &Mesh, vertex: usize, first_entry: u32, places: &[u32]) {
        let more = self.more.len() as u32;
        let mut count = 0;
        for (k, (joint, weight)) in mesh.influences().of(vertex).enumerate() {
            self.max_influences = self.max_influences.max(k + 1);
            let entry = first_entry + joint as u32;
            let joint = entry | places[entry as usize] << 16;
            let last = self.last();
            if k < last.joints.len() {
                // What follows without a weight may be read: it is a joint of the vertex, too.
                last.joints[k..].fill(joint);
                last.weights[k] = weight as f32;
            } else {
                self.more.push([joint, (weight as f32).to_bits()]);
                count += 1;
            }
        }
        self.last().places = [more, count, 0, 0];
    }

    fn push_morphs(&mut self, model: &Character, part: &Part, vertex: usize, unit: f32) {
        let weights = model.morph_range(part);
        if weights.is_empty() {
            return;
        }
        let first = self.deltas.len() as u32;
        let texel = |v: Vec3| [v.x.to_bits(), v.y.to_bits(), v.z.to_bits(), 0];
        for target in model.mesh_of(part).morph_targets() {
            self.deltas.push(texel(target.positions[vertex] * unit));
            let normal = target.normals.get(vertex).copied();
            self.deltas.push(texel(normal.unwrap_or(Vec3::ZERO)));
        }
        let places = &mut self.last().places;
        places[2] = first;
        places[3] = (weights.len() as u32) << 16 | weights.start as u32;
    }
}

/// How much of the frame's deform factor a vertex takes.
fn factor(mesh: &Mesh, skinning: Skinning, vertex: usize) -> f32 {
    match (skinning, skinning.method_of(mesh, vertex)) {
        (Skinning::AsAuthored, Method::Blend(factor)) => factor as f32,
        _ => 1.0,
    }
}

/// Shader method of a mesh.
pub(crate) fn skin_method(mesh: &Mesh, skinning: Skinning) -> SkinMethod {
    method_kind(skinning.method_of(mesh, 0))
}

/// Deform factor named by the method, for frames that set none.
pub(crate) fn default_deform_factor(skinning: Skinning) -> f32 {
    match skinning {
        Skinning::Method(Method::Blend(factor) | Method::BlendPositions(factor)) => factor as f32,
        _ => 1.0,
    }
}

/// A character's mesh on the device.
#[derive(Debug)]
pub(crate) struct MeshBuffers {
    pub vertices: wgpu::Buffer,
    pub attributes: wgpu::Buffer,
    pub indices: wgpu::Buffer,
    pub parts: Vec<PartRange>,
    pub vertex_count: u32,
    /// That a vertex has.
    pub max_influences: usize,
}

impl MeshBuffers {
    pub fn new(gpu: &Gpu, data: MeshData) -> Result<Self, GpuError> {
        let buffer = |label, contents: &[u8], usage| {
            gpu.device.create_buffer_init(&BufferInitDescriptor {
                label: Some(label),
                contents,
                usage,
            })
        };
        // Where they are skinned once, compute passes read them.
        let storage = match gpu.device.limits().max_storage_buffers_per_shader_stage {
            0 => wgpu::BufferUsages::empty(),
            _ => wgpu::BufferUsages::STORAGE,
        };
        let vertex_count = data.vertices.len() as u32;
        let max_influences = data.max_influences;
        gpu.checked(|| Self {
            vertices: buffer(
                "vertices",
                bytemuck::cast_slice(&data.vertices),
                wgpu::BufferUsages::VERTEX | storage,
            ),
            attributes: buffer(
                "attributes",
                bytemuck::cast_slice(&data.attributes),
                wgpu::BufferUsages::VERTEX | storage,
            ),
            indices: buffer(
                "indices",
                bytemuck::cast_slice(&data.indices),
                wgpu::BufferUsages::INDEX,
            ),
            parts: data.parts,
            vertex_count,
            max_influences,
        })
    }
}
