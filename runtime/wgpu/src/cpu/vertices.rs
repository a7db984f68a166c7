//! Vertices that the CPU skins: in vertex buffers for every instance, or in textures for every group of instances.

use std::ops::Range;

use glam::{Vec2, Vec3};
use rayon::prelude::*;
use throng_skin::fast::Cores;

use crate::cpu::poses::CpuPoses;
use crate::cpu::skin::{CpuVertex, SkinFrame, SkinScratch, VertexSink};
use crate::cpu::source::CpuSource;
use crate::cpu::tasks::Tasks;
use crate::mesh::{VertexBlock, packed_tangent};
use crate::model::ModelData;
use crate::target::WordTarget;
use crate::{Gpu, GpuError};

/// Skinned vertices of all instances, instance after instance.
#[derive(Debug)]
pub(crate) struct CpuVertices {
    pub buffer: wgpu::Buffer,
    /// `None` if the mesh has no tangents.
    pub tangents: Option<wgpu::Buffer>,
    stride: usize,
    vertices: Vec<VertexBlock>,
    tangent_words: Vec<[i16; 4]>,
    scratch: Vec<SkinScratch>,
}

/// Skinned vertices of all groups, group after group, as instances copy them.
#[derive(Debug)]
pub(crate) struct CpuCopies {
    positions: WordTarget,
    normals: WordTarget,
    stride: usize,
    position_texels: Vec<[u32; 4]>,
    normal_texels: Vec<[u32; 4]>,
    scratch: Vec<SkinScratch>,
}

impl CpuVertices {
    pub fn new(gpu: &Gpu, model: &ModelData, capacity: usize) -> Result<Self, GpuError> {
        let records = capacity as u64 * u64::from(model.motion.copies());
        let buffer = |what, bytes: u64| {
            let bytes = bytes * records;
            gpu.check_buffer_size(what, bytes)?;
            Ok::<_, GpuError>(gpu.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(what),
                size: bytes,
                usage: wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            }))
        };
        let tangents = match model.mesh.tangents {
            Some(_) => Some(buffer("skinned tangents", model.mesh.tangent_bytes())?),
            None => None,
        };
        Ok(Self {
            buffer: buffer("skinned vertices", model.mesh.vertex_bytes())?,
            tangents,
            stride: model.mesh.vertex_count as usize,
            vertices: Vec::new(),
            tangent_words: Vec::new(),
            scratch: Vec::new(),
        })
    }

    /// Skins posed instances and uploads them as the records `list`.
    pub fn upload(
        &mut self,
        gpu: &Gpu,
        source: &CpuSource,
        poses: &CpuPoses,
        list: Range<usize>,
        deform_factor: f32,
    ) {
        let (stride, len) = (self.stride, list.len() * self.stride);
        if stride == 0 {
            return;
        }
        self.vertices.resize(len, VertexBlock::default());
        self.tangent_words.resize(len, [0; 4]);
        let tasks = Tasks::of(list.len());
        let per_task = tasks.records * stride;
        let chunks = self
            .vertices
            .par_chunks_mut(per_task)
            .zip(self.tangent_words.par_chunks_mut(per_task));
        let frame = skin_frame(list.len(), deform_factor);
        tasks.run(
            chunks,
            &mut self.scratch,
            |first, (vertices, tangents), scratch| {
                let vertices = vertices.chunks_exact_mut(stride);
                let instances = vertices.zip(tangents.chunks_exact_mut(stride));
                for (index, (vertices, tangents)) in instances.enumerate() {
                    let fraction = poses.fraction(first + index);
                    let mut out = VertexRows {
                        vertices,
                        tangents,
                        fraction,
                    };
                    scratch.skin(source, poses, first + index, frame, &mut out);
                }
            },
        );
        let write = |buffer: &wgpu::Buffer, bytes: &[u8]| {
            let at = list.start * bytes.len() / list.len();
            gpu.queue.write_buffer(buffer, at as u64, bytes);
        };
        write(&self.buffer, bytemuck::cast_slice(&self.vertices));
        if let Some(tangents) = &self.tangents {
            write(tangents, bytemuck::cast_slice(&self.tangent_words));
        }
    }
}

impl CpuCopies {
    pub fn new(gpu: &Gpu, model: &ModelData, capacity: usize) -> Result<Self, GpuError> {
        let texels = model.mesh.vertex_count * model.motion.copies();
        let target = || WordTarget::new(gpu, "vertices", texels, capacity);
        Ok(Self {
            positions: target()?,
            normals: target()?,
            stride: model.mesh.vertex_count as usize,
            position_texels: Vec::new(),
            normal_texels: Vec::new(),
            scratch: Vec::new(),
        })
    }

    /// Textures of positions and of normals.
    pub fn targets(&self) -> [&WordTarget; 2] {
        [&self.positions, &self.normals]
    }

    /// Skins posed groups, whose records are `list` of `records`.
    pub fn write(
        &mut self,
        source: &CpuSource,
        poses: &CpuPoses,
        list: Range<usize>,
        records: usize,
        deform_factor: f32,
    ) {
        let stride = self.stride;
        if stride == 0 {
            return;
        }
        WordTarget::resize_to_rows(&mut self.position_texels, records * stride);
        WordTarget::resize_to_rows(&mut self.normal_texels, records * stride);
        let texels = list.start * stride..list.end * stride;
        let tasks = Tasks::of(list.len());
        let per_task = tasks.records * stride;
        let positions = self.position_texels[texels.clone()].par_chunks_mut(per_task);
        let chunks = positions.zip(self.normal_texels[texels].par_chunks_mut(per_task));
        let frame = skin_frame(list.len(), deform_factor);
        tasks.run(
            chunks,
            &mut self.scratch,
            |first, (positions, normals), scratch| {
                let positions = positions.chunks_exact_mut(stride);
                let groups = positions.zip(normals.chunks_exact_mut(stride));
                for (index, (positions, normals)) in groups.enumerate() {
                    let mut out = TexelRows { positions, normals };
                    scratch.skin(source, poses, first + index, frame, &mut out);
                }
            },
        );
    }

    /// Uploads all groups.
    pub fn upload(&self, gpu: &Gpu) {
        self.positions.upload(gpu, &self.position_texels);
        self.normals.upload(gpu, &self.normal_texels);
    }
}

/// Instances are skinned on one core each, unless there are too few.
fn skin_frame(instances: usize, deform_factor: f32) -> SkinFrame {
    SkinFrame {
        deform_factor,
        cores: match instances >= rayon::current_num_threads() {
            true => Cores::One,
            false => Cores::All,
        },
    }
}

/// Vertices of an instance, blended with the bind pose: shaders have only one of the two.
struct VertexRows<'a> {
    vertices: &'a mut [VertexBlock],
    tangents: &'a mut [[i16; 4]],
    fraction: f32,
}

impl VertexSink for VertexRows<'_> {
    fn put(&mut self, vertex: usize, bind: CpuVertex, skinned: CpuVertex) {
        let CpuVertex {
            position,
            normal,
            tangent,
        } = instance_blend(bind, skinned, self.fraction);
        self.vertices[vertex] = VertexBlock {
            position: position.extend(1.0).to_array(),
            normal: normal.to_array(),
        };
        if let Some(tangent) = tangent {
            self.tangents[vertex] = packed_tangent(tangent);
        }
    }
}

/// Blend between the bind pose and the pose; CPU twin of the shader function. The shader normalises.
fn instance_blend(bind: CpuVertex, skinned: CpuVertex, fraction: f32) -> CpuVertex {
    if fraction == 1.0 {
        return skinned;
    }
    let tangents = bind.tangent.zip(skinned.tangent);
    CpuVertex {
        position: bind.position.lerp(skinned.position, fraction),
        normal: bind.normal.lerp(skinned.normal, fraction),
        tangent: tangents.map(|(bind, skinned)| {
            let along = bind.truncate().lerp(skinned.truncate(), fraction);
            along.extend(skinned.w)
        }),
    }
}

/// The texels of a compute pass that skins once. The shader blends them with the bind pose.
struct TexelRows<'a> {
    positions: &'a mut [[u32; 4]],
    normals: &'a mut [[u32; 4]],
}

impl VertexSink for TexelRows<'_> {
    fn put(&mut self, vertex: usize, _bind: CpuVertex, skinned: CpuVertex) {
        let CpuVertex {
            position,
            normal,
            tangent,
        } = skinned;
        let word = tangent.map_or(NO_TANGENT, |tangent| tangent_pack(tangent.truncate()));
        let texel = |v: Vec3, word| [v.x.to_bits(), v.y.to_bits(), v.z.to_bits(), word];
        self.positions[vertex] = texel(position, word);
        self.normals[vertex] = texel(normal, 1);
    }
}

/// Word of a vertex without a tangent.
const NO_TANGENT: u32 = 0x8000_8000;

/// CPU twin of the shader function.
fn tangent_pack(tangent: Vec3) -> u32 {
    let length = tangent.abs().element_sum();
    let mut p = Vec2::new(tangent.x, tangent.y) / length.max(1e-30);
    if tangent.z < 0.0 {
        let sign = |x: f32| if x < 0.0 { -1.0 } else { 1.0 };
        p = Vec2::new((1.0 - p.y.abs()) * sign(p.x), (1.0 - p.x.abs()) * sign(p.y));
    }
    let number = |x: f32| u32::from((x.clamp(-1.0, 1.0) * 32767.0).round() as i16 as u16);
    number(p.x) | number(p.y) << 16
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::capture::tangent_unpack;

    #[test]
    fn tangents_round_trip_in_all_octants() {
        for sign in 0..8 {
            let sign = |bit: i32| if sign >> bit & 1 == 0 { 1.0 } else { -1.0 };
            for direction in [Vec3::new(0.3, 0.5, 0.8), Vec3::X, Vec3::Y, Vec3::Z] {
                let tangent = (direction * Vec3::new(sign(0), sign(1), sign(2))).normalize();
                let unpacked = tangent_unpack(tangent_pack(tangent));
                assert!(unpacked.distance(tangent) < 1e-4, "{tangent}: {unpacked}");
            }
        }
        assert_eq!(tangent_unpack(NO_TANGENT), Vec3::ZERO);
    }
}
