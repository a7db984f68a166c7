//! The compute pass that decodes `bone-local` and fills palettes.

use throng_shaders::{Rows, pose_joints_shader};

use crate::Gpu;
use crate::bindings::{Kinds, Layout, Resource, ResourceKind};
use crate::features::ShaderFeatures;
use crate::pipeline::compute_pipeline;
use crate::target::WordTarget;

const ROWS_BYTES: u64 = size_of::<Rows>() as u64;

/// Pipeline of the pass.
#[derive(Debug)]
pub(crate) struct JointPipeline {
    layout: Layout,
    pipeline: wgpu::ComputePipeline,
}

/// Bindings and buffers of the pass for a number of instances.
#[derive(Debug)]
pub(crate) struct JointPass {
    group: wgpu::BindGroup,
    /// `model_from_joint` of every joint, instance after instance.
    #[cfg(feature = "headless")]
    pub joints: wgpu::Buffer,
}

/// Largest number of instances per dispatch; 0 if the device has no compute passes.
pub(crate) fn max_instances(gpu: &Gpu, joints: u32) -> u64 {
    let limits = gpu.device.limits();
    let has_compute = limits.max_compute_invocations_per_workgroup >= 32
        && limits.max_storage_buffers_per_shader_stage >= 1
        && limits.max_storage_textures_per_shader_stage >= 1;
    if !has_compute {
        return 0;
    }
    let max_bytes = limits
        .max_buffer_size
        .min(limits.max_storage_buffer_binding_size);
    let columns = u64::from(limits.max_compute_workgroups_per_dimension);
    (max_bytes / (ROWS_BYTES * u64::from(joints.max(1)))).min(columns * columns)
}

impl JointPipeline {
    /// Compiles the pass. `kinds` are the resources of the character.
    pub fn new(
        gpu: &Gpu,
        features: &ShaderFeatures,
        mut kinds: Kinds,
    ) -> Result<Self, crate::GpuError> {
        kinds.extend([
            (7, ResourceKind::Table),
            (8, ResourceKind::Storage),
            (9, ResourceKind::StorageTexture),
            (crate::frame_uniform::FRAME_BINDING, ResourceKind::Uniform),
        ]);
        let layout = Layout::new(gpu, "joints", kinds, wgpu::ShaderStages::COMPUTE);
        let joints = features.info.joint_curves.joints as usize;
        let shader = features.specialize(pose_joints_shader().with_joints(joints))?;
        Ok(Self {
            pipeline: compute_pipeline(gpu, shader, &layout),
            layout,
        })
    }

    /// Makes the buffers for `instances` instances of `joints` joints. `resources` are those of the character, the
    /// instances and the frame.
    pub fn pass(
        &self,
        gpu: &Gpu,
        mut resources: Vec<(u32, Resource)>,
        palette: &WordTarget,
        joints: u32,
        instances: usize,
    ) -> JointPass {
        let bytes = ROWS_BYTES * u64::from(joints.max(1)) * instances.max(1) as u64;
        let buffer = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("joints"),
            size: bytes,
            usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC,
            mapped_at_creation: false,
        });
        resources.push((8, Resource::Storage(buffer.clone())));
        resources.push((9, Resource::StorageTexture(palette.view.clone())));
        JointPass {
            group: self.layout.group(gpu, &resources),
            #[cfg(feature = "headless")]
            joints: buffer,
        }
    }

    /// Encodes the pass for the first `instances` instances.
    pub fn dispatch(
        &self,
        gpu: &Gpu,
        pass: &JointPass,
        encoder: &mut wgpu::CommandEncoder,
        instances: usize,
    ) {
        // Instances in rows of the dispatch limit; excess workgroups of the last row write nothing.
        let max = gpu.device.limits().max_compute_workgroups_per_dimension;
        let columns = (instances as u32).clamp(1, max);
        let mut compute = encoder.begin_compute_pass(&Default::default());
        compute.set_pipeline(&self.pipeline);
        compute.set_bind_group(0, &pass.group, &[]);
        compute.dispatch_workgroups(columns, (instances as u32).div_ceil(columns), 1);
    }
}
