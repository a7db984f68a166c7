//! `skin-once`: vertices are skinned once per group of instances, which then copy them. A compute pass skins; without
//! compute, a pass of points does, one texel per vertex.

use throng_shaders::{Deform, Pass, SkinnedPart, deform_shader};

use crate::animator::Animator;
use crate::bindings::{Bindings, FrameUniform, Resource};
use crate::crowd::{DeformedParts, instance_buffer};
use crate::instance::Instance;
use crate::mesh::{MeshBuffers, PartRange};
use crate::pipeline::{Primitives, compute_pipeline, render_pipeline};
use crate::target::WordTarget;
use crate::{Gpu, GpuError, capture};

/// Vertices per workgroup, one per thread.
const WORKGROUP_VERTICES: u32 = 64;

/// Textures of skinned vertices, one pose per group.
#[derive(Debug)]
pub(crate) struct SkinOnce {
    /// Deform of the draw calls, which copy vertices.
    pub deforms: DeformedParts,
    pub bindings: Bindings,
    positions: WordTarget,
    normals: WordTarget,
    group_count: u32,
    skinner: Skinner,
}

/// Pass that skins.
#[derive(Debug)]
enum Skinner {
    Compute {
        /// Bindings of each part, in the order of the animator's deforms.
        parts: Vec<Bindings>,
        pipelines: Vec<wgpu::ComputePipeline>,
    },
    Points {
        groups: wgpu::Buffer,
        pipelines: Vec<wgpu::RenderPipeline>,
    },
}

impl SkinOnce {
    /// Makes the textures and passes. Each group plays the clip of its first instance, in model space.
    pub fn new(
        gpu: &Gpu,
        mesh: &MeshBuffers,
        animator: &mut Animator,
        instances: &[Instance],
    ) -> Result<Self, GpuError> {
        let group_count = instances
            .iter()
            .map(|instance| instance.group + 1)
            .max()
            .unwrap_or(0);
        let groups: Vec<Instance> = (0..group_count)
            .map(|group| {
                let first = instances.iter().find(|instance| instance.group == group);
                Instance {
                    world_from_model: glam::Affine3A::IDENTITY,
                    fraction: 1.0,
                    ..first.copied().unwrap_or_default()
                }
            })
            .collect();
        animator.set_instances(gpu, mesh, &groups)?;
        let [positions, normals] = capture::targets(gpu, mesh.vertex_count, groups.len())?;
        let tables = animator.bound_resources().iter();
        let mut resources: Vec<_> = tables.filter(|(at, _)| *at == 1).cloned().collect();
        resources.extend(
            animator
                .features()
                .capture_resources(gpu, mesh, instances.len())?,
        );
        resources.push((2, Resource::Table(positions.view.clone())));
        resources.push((3, Resource::Table(normals.view.clone())));
        let skinner = if can_compute(gpu, mesh, group_count) {
            let part_bindings =
                |part| part_bindings(gpu, mesh, animator, &groups, [&positions, &normals], part);
            let parts = animator.deforms().iter().flat_map(|(_, parts)| parts);
            Skinner::Compute {
                parts: parts.map(part_bindings).collect::<Result<_, _>>()?,
                pipelines: Vec::new(),
            }
        } else {
            Skinner::Points {
                groups: instance_buffer(gpu, &groups, animator.clips())?,
                pipelines: Vec::new(),
            }
        };
        Ok(Self {
            deforms: vec![(Deform::Copied, mesh.parts.clone())],
            bindings: Bindings::new(gpu, "skin once", &resources)?,
            positions,
            normals,
            group_count,
            skinner,
        })
    }

    /// Encodes the passes that skin every group.
    pub fn prepare(
        &mut self,
        gpu: &Gpu,
        mesh: &MeshBuffers,
        animator: &Animator,
        encoder: &mut wgpu::CommandEncoder,
        frame: &FrameUniform,
    ) -> Result<(), GpuError> {
        match &mut self.skinner {
            Skinner::Compute { parts, pipelines } => {
                if pipelines.is_empty() && !parts.is_empty() {
                    let layouts = [&frame.bindings.layout, &parts[0].layout];
                    for (deform, _) in animator.deforms() {
                        let shader = animator
                            .features()
                            .specialize(deform_shader(*deform, Pass::SkinOnce))?;
                        pipelines.push(compute_pipeline(gpu, &shader, &layouts)?);
                    }
                }
                let mut pass = encoder.begin_compute_pass(&Default::default());
                pass.set_bind_group(0, &frame.bindings.group, &[]);
                let mut bindings = parts.iter();
                for (pipeline, (_, parts)) in pipelines.iter().zip(animator.deforms()) {
                    pass.set_pipeline(pipeline);
                    for (part, bindings) in parts.iter().zip(&mut bindings) {
                        pass.set_bind_group(1, &bindings.group, &[]);
                        let workgroups = part.vertices.div_ceil(WORKGROUP_VERTICES);
                        pass.dispatch_workgroups(workgroups, self.group_count, 1);
                    }
                }
            }
            Skinner::Points { groups, pipelines } => {
                if pipelines.is_empty() {
                    let layouts = [&frame.bindings.layout, &animator.bindings().layout];
                    let targets = capture::pass_targets();
                    for (deform, _) in animator.deforms() {
                        let shader = animator
                            .features()
                            .reduce(deform_shader(*deform, Pass::Capture));
                        let points = Primitives::Points;
                        pipelines.push(render_pipeline(gpu, &shader, &layouts, points, &targets)?);
                    }
                }
                let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                    label: Some("skin once"),
                    color_attachments: &[self.positions.attachment(), self.normals.attachment()],
                    ..Default::default()
                });
                pass.set_bind_group(0, &frame.bindings.group, &[]);
                pass.set_bind_group(1, &animator.bindings().group, &[]);
                pass.set_vertex_buffer(0, mesh.vertices.slice(..));
                pass.set_vertex_buffer(1, mesh.attributes.slice(..));
                pass.set_vertex_buffer(2, groups.slice(..));
                for (pipeline, (_, parts)) in pipelines.iter().zip(animator.deforms()) {
                    pass.set_pipeline(pipeline);
                    for part in parts {
                        let vertices = part.first_vertex..part.first_vertex + part.vertices;
                        pass.draw(vertices, 0..self.group_count);
                    }
                }
            }
        }
        Ok(())
    }
}

/// Returns true if the device can skin the mesh in a compute pass.
fn can_compute(gpu: &Gpu, mesh: &MeshBuffers, groups: u32) -> bool {
    let limits = gpu.device.limits();
    let workgroups = mesh.vertex_count.div_ceil(WORKGROUP_VERTICES).max(groups);
    limits.max_compute_invocations_per_workgroup >= WORKGROUP_VERTICES
        && limits.max_compute_workgroups_per_dimension >= workgroups
        && limits.max_storage_buffers_per_shader_stage >= 2
        && limits.max_storage_textures_per_shader_stage >= 2
        && limits.max_storage_buffer_binding_size >= mesh.attributes.size()
}

/// Makes the bindings of the compute pass for one part.
fn part_bindings(
    gpu: &Gpu,
    mesh: &MeshBuffers,
    animator: &Animator,
    groups: &[Instance],
    [positions, normals]: [&WordTarget; 2],
    part: &PartRange,
) -> Result<Bindings, GpuError> {
    let block = SkinnedPart {
        first_vertex: part.first_vertex,
        vertices: part.vertices,
        ..SkinnedPart::default()
    };
    let mut resources = animator.bound_resources().to_vec();
    resources.extend([
        (7, Resource::instances(gpu, groups, animator.clips())?),
        (8, Resource::StorageRead(mesh.vertices.clone())),
        (9, Resource::StorageRead(mesh.attributes.clone())),
        (11, Resource::StorageTexture(positions.view.clone())),
        (12, Resource::StorageTexture(normals.view.clone())),
        (
            13,
            Resource::uniform(gpu, "skinned part", bytemuck::bytes_of(&block))?,
        ),
    ]);
    Bindings::for_compute(gpu, "skin once", &resources)
}
