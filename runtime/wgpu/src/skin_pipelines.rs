//! Pipelines of `skin-once`: a compute pass, or a pass of points where there is no compute.

use throng_shaders::{Deform, Pass, deform_shader};

use crate::bindings::{Kinds, Layout, ResourceKind};
use crate::features::ShaderFeatures;
use crate::mesh::MeshBuffers;
use crate::pipeline::{capture_pipelines, compute_pipeline};
use crate::{Gpu, GpuError};

/// Vertices per workgroup, one per thread.
pub(crate) const WORKGROUP_VERTICES: u32 = 64;

/// Pipelines that skin, one per technique of the parts.
#[derive(Debug)]
pub(crate) enum SkinPipelines {
    Compute {
        layout: Layout,
        pipelines: Vec<wgpu::ComputePipeline>,
    },
    Points(Vec<wgpu::RenderPipeline>),
    /// The CPU skins, and no pass does.
    Cpu,
}

impl SkinPipelines {
    /// Compiles the passes. `pose_layout` has the resources `pose_kinds`.
    pub fn new(
        gpu: &Gpu,
        mesh: &MeshBuffers,
        features: &ShaderFeatures,
        deforms: &[Deform],
        pose_layout: &Layout,
        pose_kinds: Kinds,
    ) -> Result<Self, GpuError> {
        if !can_compute(gpu, mesh) {
            let points = capture_pipelines(gpu, mesh, features, deforms, pose_layout);
            return Ok(Self::Points(points));
        }
        let mut kinds = pose_kinds;
        kinds.retain(|(binding, _)| *binding != 7);
        kinds.extend([
            (7, ResourceKind::Table),
            (8, ResourceKind::StorageRead),
            (9, ResourceKind::StorageRead),
            (11, ResourceKind::StorageTexture),
            (12, ResourceKind::StorageTexture),
            (13, ResourceKind::Uniform),
        ]);
        if mesh.tangents.is_some() {
            kinds.push((15, ResourceKind::StorageRead));
        }
        let layout = Layout::new(gpu, "skin once", kinds, wgpu::ShaderStages::COMPUTE);
        let mut pipelines = Vec::new();
        for &deform in deforms {
            let mut shader = deform_shader(deform, Pass::SkinOnce);
            if mesh.tangents.is_some() {
                shader = shader.with_tangents();
            }
            pipelines.push(compute_pipeline(gpu, features.specialize(shader)?, &layout));
        }
        Ok(Self::Compute { layout, pipelines })
    }
}

/// Returns true if the device can skin the mesh in a compute pass.
fn can_compute(gpu: &Gpu, mesh: &MeshBuffers) -> bool {
    let limits = gpu.device.limits();
    limits.max_compute_invocations_per_workgroup >= WORKGROUP_VERTICES
        && limits.max_compute_workgroups_per_dimension
            >= mesh.vertex_count.div_ceil(WORKGROUP_VERTICES)
        && limits.max_storage_buffers_per_shader_stage >= 3
        && limits.max_storage_textures_per_shader_stage >= 2
        && limits.max_storage_buffer_binding_size >= mesh.attributes.size()
}
