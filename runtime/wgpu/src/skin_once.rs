//! Vertices that are skinned once for each group of instances, which then copy them: in a compute pass, or at WebGL2's
//! limits as points that fall on texels of their own.

use throng_shaders::{Deform, Pass, SkinnedPart, deform_shader};

use crate::bindings::{Bindings, FrameUniform, Resource};
use crate::crowd::{DeformedParts, instance_buffer};
use crate::instance::Instance;
use crate::mesh::{MeshBuffers, PartRange};
use crate::pipeline::{Primitives, compute_pipeline, render_pipeline};
use crate::poser::Poser;
use crate::target::WordTarget;
use crate::{Gpu, GpuError, capture};

/// Threads of a workgroup, each of which takes a vertex.
const VERTICES_AT_ONCE: u32 = 64;

/// One pose a group, skinned into textures.
#[derive(Debug)]
pub(crate) struct SkinOnce {
    /// How instances draw: by copying.
    pub deforms: DeformedParts,
    pub bindings: Bindings,
    positions: WordTarget,
    normals: WordTarget,
    group_count: u32,
    skinner: Skinner,
}

/// What skins.
#[derive(Debug)]
enum Skinner {
    Compute {
        /// For each part, in the order of the ways that parts are deformed.
        parts: Vec<Bindings>,
        pipelines: Vec<wgpu::ComputePipeline>,
    },
    Points {
        groups: wgpu::Buffer,
        pipelines: Vec<wgpu::RenderPipeline>,
    },
}

impl SkinOnce {
    /// A group plays what the first of its instances plays, where the model stands.
    pub fn new(
        gpu: &Gpu,
        mesh: &MeshBuffers,
        poser: &mut Poser,
        everyone: &[Instance],
    ) -> Result<Self, GpuError> {
        let group_count = everyone
            .iter()
            .map(|instance| instance.group + 1)
            .max()
            .unwrap_or(0);
        let groups: Vec<Instance> = (0..group_count)
            .map(|group| {
                let first = everyone.iter().find(|instance| instance.group == group);
                Instance {
                    world_from_model: glam::Affine3A::IDENTITY,
                    fraction: 1.0,
                    ..first.copied().unwrap_or_default()
                }
            })
            .collect();
        poser.set_instances(gpu, mesh, &groups)?;
        let [positions, normals] = capture::targets(gpu, mesh.vertex_count, groups.len())?;
        let tables = poser.drawn().iter();
        let mut resources: Vec<_> = tables.filter(|(at, _)| *at == 1).cloned().collect();
        resources.extend(poser.needs().capture_resources(gpu, mesh, everyone.len())?);
        resources.push((2, Resource::Table(positions.view.clone())));
        resources.push((3, Resource::Table(normals.view.clone())));
        let skinner = if can_compute(gpu, mesh, group_count) {
            let part_bindings =
                |part| part_bindings(gpu, mesh, poser, &groups, [&positions, &normals], part);
            let parts = poser.deforms().iter().flat_map(|(_, parts)| parts);
            Skinner::Compute {
                parts: parts.map(part_bindings).collect::<Result<_, _>>()?,
                pipelines: Vec::new(),
            }
        } else {
            Skinner::Points {
                groups: instance_buffer(gpu, &groups, poser.clips())?,
                pipelines: Vec::new(),
            }
        };
        Ok(Self {
            deforms: vec![(Deform::Copied, mesh.parts.clone())],
            bindings: Bindings::new(gpu, "skinned once", &resources)?,
            positions,
            normals,
            group_count,
            skinner,
        })
    }

    /// Skins every group.
    pub fn prepare(
        &mut self,
        gpu: &Gpu,
        mesh: &MeshBuffers,
        poser: &Poser,
        encoder: &mut wgpu::CommandEncoder,
        frame: &FrameUniform,
    ) -> Result<(), GpuError> {
        match &mut self.skinner {
            Skinner::Compute { parts, pipelines } => {
                if pipelines.is_empty() && !parts.is_empty() {
                    let layouts = [&frame.bindings.layout, &parts[0].layout];
                    for (deform, _) in poser.deforms() {
                        let shader = poser
                            .needs()
                            .fitted(deform_shader(*deform, Pass::SkinOnce))?;
                        pipelines.push(compute_pipeline(gpu, &shader, &layouts)?);
                    }
                }
                let mut pass = encoder.begin_compute_pass(&Default::default());
                pass.set_bind_group(0, &frame.bindings.group, &[]);
                let mut bindings = parts.iter();
                for (pipeline, (_, parts)) in pipelines.iter().zip(poser.deforms()) {
                    pass.set_pipeline(pipeline);
                    for (part, bindings) in parts.iter().zip(&mut bindings) {
                        pass.set_bind_group(1, &bindings.group, &[]);
                        let workgroups = part.vertices.div_ceil(VERTICES_AT_ONCE);
                        pass.dispatch_workgroups(workgroups, self.group_count, 1);
                    }
                }
            }
            Skinner::Points { groups, pipelines } => {
                if pipelines.is_empty() {
                    let layouts = [&frame.bindings.layout, &poser.bindings().layout];
                    let targets = capture::pass_targets();
                    for (deform, _) in poser.deforms() {
                        let shader = poser.needs().lean(deform_shader(*deform, Pass::Capture));
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
                pass.set_bind_group(1, &poser.bindings().group, &[]);
                pass.set_vertex_buffer(0, mesh.vertices.slice(..));
                pass.set_vertex_buffer(1, mesh.attributes.slice(..));
                pass.set_vertex_buffer(2, groups.slice(..));
                for (pipeline, (_, parts)) in pipelines.iter().zip(poser.deforms()) {
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

/// Whether the device has compute passes, and can skin so much in them.
fn can_compute(gpu: &Gpu, mesh: &MeshBuffers, groups: u32) -> bool {
    let limits = gpu.device.limits();
    let workgroups = mesh.vertex_count.div_ceil(VERTICES_AT_ONCE).max(groups);
    limits.max_compute_invocations_per_workgroup >= VERTICES_AT_ONCE
        && limits.max_compute_workgroups_per_dimension >= workgroups
        && limits.max_storage_buffers_per_shader_stage >= 2
        && limits.max_storage_textures_per_shader_stage >= 2
        && limits.max_storage_buffer_binding_size >= mesh.attributes.size()
}

/// Everything that a part is skinned from and into.
fn part_bindings(
    gpu: &Gpu,
    mesh: &MeshBuffers,
    poser: &Poser,
    groups: &[Instance],
    [positions, normals]: [&WordTarget; 2],
    part: &PartRange,
) -> Result<Bindings, GpuError> {
    let block = SkinnedPart {
        first_vertex: part.first_vertex,
        vertices: part.vertices,
        ..SkinnedPart::default()
    };
    let mut resources = poser.drawn().to_vec();
    resources.extend([
        (7, Resource::instances(gpu, groups, poser.clips())?),
        (8, Resource::StorageRead(mesh.vertices.clone())),
        (9, Resource::StorageRead(mesh.attributes.clone())),
        (11, Resource::StorageTexture(positions.view.clone())),
        (12, Resource::StorageTexture(normals.view.clone())),
        (
            13,
            Resource::uniform(gpu, "skinned part", bytemuck::bytes_of(&block))?,
        ),
    ]);
    Bindings::for_compute(gpu, "skinned once", &resources)
}
