//! The compute pass that poses `bone-local` and fills palettes.

use throng_shaders::{Rows, pose_joints_shader};

use crate::bindings::{Bindings, FrameUniform, Resource};
use crate::pipeline::compute_pipeline;
use crate::poser::Needs;
use crate::target::WordTarget;
use crate::{Gpu, GpuError};

const ROWS_BYTES: u64 = size_of::<Rows>() as u64;

/// Everything that one dispatch needs.
#[derive(Debug)]
pub(crate) struct JointPass {
    bindings: Bindings,
    pipeline: Option<wgpu::ComputePipeline>,
    workgroups: [u32; 2],
    /// `model_from_joint` of every joint, instance by instance.
    pub joints: wgpu::Buffer,
}

impl JointPass {
    /// How many instances a dispatch can take; 0 where the device has no compute passes.
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

    /// `resources` are those of the fragment pass. `last` is a pass of other instances, whose pipeline goes on.
    pub fn new(
        gpu: &Gpu,
        mut resources: Vec<(u32, Resource)>,
        palette: &WordTarget,
        joints: u32,
        instances: usize,
        last: Option<Self>,
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
        // Instances in rows that a dispatch can have; the last may be too many, and write into nothing.
        let columns =
            (instances as u32).clamp(1, gpu.device.limits().max_compute_workgroups_per_dimension);
        Ok(Self {
            bindings: Bindings::for_compute(gpu, "joints", &resources)?,
            pipeline: last.and_then(|last| last.pipeline),
            workgroups: [columns, (instances as u32).div_ceil(columns)],
            joints: buffer,
        })
    }

    /// Poses everyone.
    pub fn dispatch(
        &mut self,
        gpu: &Gpu,
        needs: &Needs,
        encoder: &mut wgpu::CommandEncoder,
        frame: &FrameUniform,
    ) -> Result<(), GpuError> {
        let pipeline = match &self.pipeline {
            Some(pipeline) => pipeline,
            None => {
                let layouts = [&frame.bindings.layout, &self.bindings.layout];
                let joints = needs.info.joint_curves.joints as usize;
                let shader = needs.fitted(pose_joints_shader().with_joints(joints))?;
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
