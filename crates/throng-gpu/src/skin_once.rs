//! Vertices that are skinned once for each group of instances, which then copy them.

use throng_shaders::{Deform, Stage, deforming};

use crate::bindings::{Bindings, FrameUniform, Resource};
use crate::crowd::{DeformedParts, instance_buffer};
use crate::instance::Instance;
use crate::mesh::MeshBuffers;
use crate::pipeline::{Primitives, render_pipeline};
use crate::poser::{Poser, capture_target};
use crate::target::WordTarget;
use crate::{Gpu, GpuError, capture};

/// One pose a group, skinned into textures.
#[derive(Debug)]
pub(crate) struct SkinOnce {
    /// How instances draw: by copying.
    pub deforms: DeformedParts,
    pub bindings: Bindings,
    positions: WordTarget,
    normals: WordTarget,
    groups: wgpu::Buffer,
    group_count: u32,
    pipelines: Vec<wgpu::RenderPipeline>,
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
        let mut resources: Vec<_> = poser
            .resources()
            .iter()
            .filter(|(binding, _)| *binding == 1)
            .cloned()
            .collect();
        resources.push(capture_target(gpu, mesh, everyone.len())?);
        resources.push((2, Resource::Table(positions.view.clone())));
        resources.push((3, Resource::Table(normals.view.clone())));
        Ok(Self {
            deforms: vec![(Deform::Copied, mesh.parts.clone())],
            bindings: Bindings::new(gpu, "skinned once", &resources)?,
            positions,
            normals,
            groups: instance_buffer(gpu, &groups, poser.clips())?,
            group_count,
            pipelines: Vec::new(),
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
        if self.pipelines.is_empty() {
            let layouts = [&frame.bindings.layout, &poser.bindings().layout];
            let targets = capture::pass_targets();
            for (deform, _) in poser.deforms() {
                let shader = poser.lean(&deforming(*deform, Stage::Capture))?;
                let pipeline =
                    render_pipeline(gpu, &shader, &layouts, Primitives::Points, &targets)?;
                self.pipelines.push(pipeline);
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
        pass.set_vertex_buffer(2, self.groups.slice(..));
        for (pipeline, (_, parts)) in self.pipelines.iter().zip(poser.deforms()) {
            pass.set_pipeline(pipeline);
            for part in parts {
                let vertices = part.first_vertex..part.first_vertex + part.vertices;
                pass.draw(vertices, 0..self.group_count);
            }
        }
        Ok(())
    }
}
