//! The compute pass that decodes `bone-local` and fills palettes.

use throng_shaders::{Rows, pose_joints_shader};

use crate::animator::ShaderFeatures;
use crate::bindings::{Bindings, FrameUniform, Resource};
use crate::pipeline::compute_pipeline;
use crate::target::WordTarget;
use crate::{Gpu, GpuError};

const ROWS_BYTES: u64 = size_of::<Rows>() as u64;

/// Bindings, pipeline and buffers of one dispatch.
#[derive(Debug)]
pub(crate) struct JointPass {
    bindings: Bindings,
    pipeline: Option<wgpu::ComputePipeline>,
    workgroups: [u32; 2],
    /// `model_from_joint` of every joint, instance after instance.
    pub joints: wgpu::Buffer,
}

impl JointPass {
    /// Largest number of instances per dispatch; 0 if the device has no compute passes.
    pub fn max_instances(gpu: &Gpu, joints: u32) -> u64 {
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
        max_bytes / (u64::from(joints.max(1)) * ROWS_BYTES)
    }

    /// Makes the pass. `resources` are those of the fragment pass; `previous` is a pass of the same set, whose pipeline is
    /// reused.
    pub fn new(
        gpu: &Gpu,
        mut resources: Vec<(u32, Resource)>,
        palette: &WordTarget,
        joints: u32,
        instances: usize,
        previous: Option<Self>,
    ) -> Result<Self, GpuError> {
        let size = instances as u64 * u64::from(joints) * ROWS_BYTES;
        let buffer = gpu.checked(|| {
            gpu.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("joints"),
                size: size.max(ROWS_BYTES),
                usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC,
                mapped_at_creation: false,
            })
        })?;
        resources.push((8, Resource::Storage(buffer.clone())));
        resources.push((9, Resource::StorageTexture(palette.view.clone())));
        // Instances in rows of the dispatch limit; excess workgroups of the last row write nothing.
        let columns =
            (instances as u32).clamp(1, gpu.device.limits().max_compute_workgroups_per_dimension);
        Ok(Self {
            bindings: Bindings::for_compute(gpu, "joints", &resources)?,
            pipeline: previous.and_then(|previous| previous.pipeline),
            workgroups: [columns, (instances as u32).div_ceil(columns)],
            joints: buffer,
        })
    }

    /// Encodes the pass for all instances.
    pub fn dispatch(
        &mut self,
        gpu: &Gpu,
        features: &ShaderFeatures,
        encoder: &mut wgpu::CommandEncoder,
        frame: &FrameUniform,
    ) -> Result<(), GpuError> {
        let pipeline = match &self.pipeline {
            Some(pipeline) => pipeline,
            None => {
                let layouts = [&frame.bindings.layout, &self.bindings.layout];
                let joints = features.info.joint_curves.joints as usize;
                let shader = features.specialize(pose_joints_shader().with_joints(joints))?;
                self.pipeline
                    .insert(compute_pipeline(gpu, &shader, &layouts)?)
            }
        };
        let mut pass = encoder.begin_compute_pass(&Default::default());
        pass.set_pipeline(pipeline);
        pass.set_bind_group(0, &frame.bindings.group, &[]);
        pass.set_bind_group(1, &self.bindings.group, &[]);
        let [columns, rows] = self.workgroups;
        pass.dispatch_workgroups(columns, rows, 1);
        Ok(())
    }
}
