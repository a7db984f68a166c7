//! Compute passes that cull instances and write indirect draws.

use throng_shaders::{CULL_GROUP, CullView, InstanceBlock, cull_shader};
use wgpu::util::{BufferInitDescriptor, DeviceExt, DrawIndexedIndirectArgs};

use super::CullModel;
use super::twin::NO_LEVEL;
use crate::bindings::{Layout, Resource, ResourceKind};
use crate::mesh::MeshBuffers;
use crate::pipeline::compute_pipelines;
use crate::{Gpu, GpuError};

/// Storage buffers that the passes bind.
const STORAGE_BUFFERS: u32 = 7;

const RECORD_BYTES: u64 = size_of::<InstanceBlock>() as u64;

/// Pipelines of the passes, in order.
#[derive(Debug)]
pub(crate) struct CullPipelines {
    layout: Layout,
    pipelines: Vec<wgpu::ComputePipeline>,
}

/// Buffers of one point of view.
#[derive(Debug)]
pub(crate) struct CullPass {
    view: wgpu::Buffer,
    group: wgpu::BindGroup,
    /// Arguments of one draw per level and part.
    pub draws: wgpu::Buffer,
    pub visible: wgpu::Buffer,
    pub indices: wgpu::Buffer,
    /// Instances from one level's first to the next's; 0 if levels follow each other.
    region: u32,
}

impl CullPipelines {
    /// Returns true if the device can run the passes.
    pub fn are_supported(gpu: &Gpu) -> bool {
        let limits = gpu.device.limits();
        limits.max_storage_buffers_per_shader_stage >= STORAGE_BUFFERS
            && limits.max_compute_invocations_per_workgroup >= CULL_GROUP
    }

    pub fn new(gpu: &Gpu) -> Self {
        let mut kinds = vec![
            (0, ResourceKind::Uniform),
            (1, ResourceKind::StorageRead),
            (2, ResourceKind::StorageRead),
        ];
        kinds.extend((3..=7).map(|binding| (binding, ResourceKind::Storage)));
        let layout = Layout::new(gpu, "culling", kinds, wgpu::ShaderStages::COMPUTE);
        Self {
            pipelines: compute_pipelines(gpu, cull_shader(), &layout),
            layout,
        }
    }

    /// Makes the buffers of a point of view on `capacity` instances.
    pub fn pass(
        &self,
        gpu: &Gpu,
        model: &CullModel,
        mesh: &MeshBuffers,
        instances: &wgpu::Buffer,
        capacity: usize,
    ) -> Result<CullPass, GpuError> {
        let levels = mesh.level_count();
        // Without this feature, indirect draws begin at instance 0, and each level has its own part of the buffer.
        let can_offset = gpu
            .device
            .features()
            .contains(wgpu::Features::INDIRECT_FIRST_INSTANCE);
        let regions = if can_offset { 1 } else { levels };
        check_capacity(gpu, capacity, regions)?;
        let storage = wgpu::BufferUsages::STORAGE;
        let buffer = |label, bytes: u64, usage| {
            gpu.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(label),
                size: bytes.max(16),
                usage: usage | storage,
                mapped_at_creation: false,
            })
        };
        let filled = |label, contents: &[u8], usage| {
            gpu.device.create_buffer_init(&BufferInitDescriptor {
                label: Some(label),
                contents,
                usage: usage | storage,
            })
        };
        let none = wgpu::BufferUsages::empty();
        let boxes = model.boxes.as_flattened().iter();
        let boxes: Vec<[f32; 4]> = boxes.map(|corner| corner.extend(0.0).to_array()).collect();
        let states = vec![NO_LEVEL; capacity];
        let slots = (regions * capacity) as u64;
        let groups = capacity.div_ceil(CULL_GROUP as usize) as u64;
        let draws: Vec<u8> = (0..levels)
            .flat_map(|level| mesh.level_parts(level))
            .flat_map(|part| {
                let args = DrawIndexedIndirectArgs {
                    index_count: part.indices,
                    instance_count: 0,
                    first_index: part.first_index,
                    base_vertex: 0,
                    first_instance: 0,
                };
                args.as_bytes().to_vec()
            })
            .collect();
        let vertex = wgpu::BufferUsages::VERTEX;
        let visible = buffer("visible instances", slots * RECORD_BYTES, vertex);
        let indices = buffer("indices of visible instances", slots * 4, vertex);
        let draws = filled("indirect draws", &draws, wgpu::BufferUsages::INDIRECT);
        let view = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("point of view"),
            size: size_of::<CullView>() as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let boxes = filled("bounding boxes", bytemuck::cast_slice(&boxes), none);
        let states = filled("levels of instances", bytemuck::cast_slice(&states), none);
        let sums = buffer("numbers of instances", groups * levels as u64 * 4, none);
        let resources = [
            (0, Resource::Uniform(view.clone())),
            (1, Resource::StorageRead(instances.clone())),
            (2, Resource::StorageRead(boxes)),
            (3, Resource::Storage(states)),
            (4, Resource::Storage(sums)),
            (5, Resource::Storage(draws.clone())),
            (6, Resource::Storage(visible.clone())),
            (7, Resource::Storage(indices.clone())),
        ];
        Ok(CullPass {
            group: self.layout.group(gpu, &resources),
            view,
            draws,
            visible,
            indices,
            region: if can_offset { 0 } else { capacity as u32 },
        })
    }

    /// Encodes the passes.
    pub fn encode(
        &self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        pass: &CullPass,
        view: &CullView,
    ) {
        let view = CullView {
            region: pass.region,
            ..*view
        };
        gpu.queue
            .write_buffer(&pass.view, 0, bytemuck::bytes_of(&view));
        let groups = view.count.div_ceil(CULL_GROUP);
        let mut compute = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
            label: Some("culling"),
            timestamp_writes: None,
        });
        compute.set_bind_group(0, &pass.group, &[]);
        for (pipeline, groups) in self.pipelines.iter().zip([groups, 1, groups]) {
            compute.set_pipeline(pipeline);
            compute.dispatch_workgroups(groups, 1, 1);
        }
    }
}

impl CullPass {
    /// First instance of a level in the buffers of visible instances, where draws begin at instance 0.
    pub fn first_of_level(&self, level: usize) -> u64 {
        u64::from(self.region) * level as u64
    }
}

/// Fails if the buffers of a point of view exceed the limits of the device.
fn check_capacity(gpu: &Gpu, capacity: usize, regions: usize) -> Result<(), GpuError> {
    let limits = gpu.device.limits();
    let max_bytes = limits
        .max_buffer_size
        .min(limits.max_storage_buffer_binding_size);
    let by_bytes = max_bytes / (RECORD_BYTES * regions as u64);
    let by_groups = u64::from(limits.max_compute_workgroups_per_dimension) * u64::from(CULL_GROUP);
    let max_instances = by_bytes.min(by_groups);
    match capacity as u64 > max_instances {
        true => Err(GpuError::TooManyToCull {
            instances: capacity,
            max_instances,
        }),
        false => Ok(()),
    }
}
