//! `skin-once`: vertices are skinned once per group of instances, which then copy them. A compute pass skins; without
//! compute, a pass of points does, one texel per vertex. With the technique `cpu`, the CPU does, and uploads the texels.

use throng_shaders::SkinnedPart;

use crate::bindings::Resource;
use crate::capture_rows::CaptureRows;
use crate::frame_uniform::{FrameTimes, FrameUniform};
use crate::instance::Instance;
use crate::instance_buffer::instance_buffer;
use crate::instance_table::{InstanceTable, Uploads};
use crate::instances::Changes;
use crate::model::ModelData;
use crate::poses::{NeedsTable, Poses, previous_first};
use crate::skin_pipelines::{SkinPipelines, WORKGROUP_VERTICES};
use crate::target::WordTarget;
use crate::{GpuError, Motion};

/// Skinned poses of the groups of a crowd.
#[derive(Debug)]
pub(crate) struct SkinOnce {
    poses: Poses,
    groups: Vec<Instance>,
    /// The groups as they were in the frame before.
    previous: Vec<Instance>,
    positions: WordTarget,
    normals: WordTarget,
    skinner: Skinner,
    frame: FrameUniform,
    /// Table of the crowd's instances, for motion vectors.
    table: Option<InstanceTable>,
    pub capture_rows: CaptureRows,
    /// Resources of the shaders that copy the vertices.
    pub resources: Vec<(u32, Resource)>,
}

/// Bindings of the pass that skins.
#[derive(Debug)]
enum Skinner {
    /// One group of bindings per part.
    Compute(Vec<wgpu::BindGroup>),
    Points {
        instances: wgpu::Buffer,
        group: wgpu::BindGroup,
    },
    /// The CPU has skinned.
    None,
}

/// Returns the instance of each group: the clip of its first instance, in model space.
fn groups_of(instances: &[Instance]) -> Vec<Instance> {
    let mut groups: Vec<Option<Instance>> = Vec::new();
    for instance in instances {
        let group = instance.group as usize;
        groups.resize(groups.len().max(group + 1), None);
        groups[group].get_or_insert(Instance {
            world_from_model: glam::Affine3A::IDENTITY,
            fraction: 1.0,
            ..*instance
        });
    }
    groups.into_iter().map(Option::unwrap_or_default).collect()
}

impl SkinOnce {
    /// Makes textures for `group_capacity` poses, and tables for `capacity` instances.
    pub fn new(
        model: &ModelData,
        pipelines: &SkinPipelines,
        group_capacity: usize,
        capacity: usize,
    ) -> Result<Self, GpuError> {
        let gpu = &model.gpu;
        let poses = Poses::new(model, group_capacity, NeedsTable::Always)?;
        let has_previous = model.motion == Motion::Previous;
        let copies = model.motion.copies();
        let records = group_capacity * copies as usize;
        let texels = copies * model.mesh.vertex_count;
        let target = || WordTarget::new(gpu, "vertices", texels, group_capacity);
        let (positions, normals) = match poses.copies() {
            Some([positions, normals]) => (positions.clone(), normals.clone()),
            None => (target()?, target()?),
        };
        let skinner = match pipelines {
            SkinPipelines::Compute { layout, .. } => {
                let max_rows = gpu.device.limits().max_compute_workgroups_per_dimension;
                if records as u64 > u64::from(max_rows) {
                    return Err(GpuError::TooManyInstances {
                        what: "groups",
                        instances: group_capacity,
                        rows: records as u64,
                        max_rows,
                        max_instances: u64::from(max_rows / copies),
                    });
                }
                let parts = model.mesh.parts.iter().map(|part| {
                    let block = SkinnedPart {
                        first_vertex: part.first_vertex,
                        vertices: part.vertices,
                        ..SkinnedPart::default()
                    };
                    let block = Resource::uniform(gpu, "skinned part", bytemuck::bytes_of(&block));
                    let mut resources = poses.resources.clone();
                    resources.extend([
                        (8, Resource::StorageRead(model.mesh.vertices.clone())),
                        (9, Resource::StorageRead(model.mesh.attributes.clone())),
                        (11, Resource::StorageTexture(positions.view.clone())),
                        (12, Resource::StorageTexture(normals.view.clone())),
                        (13, block),
                    ]);
                    let tangents = model.mesh.tangents.iter();
                    resources
                        .extend(tangents.map(|buffer| (15, Resource::StorageRead(buffer.clone()))));
                    layout.group(gpu, &resources)
                });
                Skinner::Compute(parts.collect())
            }
            SkinPipelines::Points(_) => {
                let rows = CaptureRows::new(gpu);
                rows.write(gpu, &positions);
                let mut resources = poses.resources.clone();
                resources.retain(|(binding, _)| *binding != 10);
                resources.push(rows.resource());
                Skinner::Points {
                    instances: instance_buffer(gpu, records)?,
                    group: model.pose_layout.group(gpu, &resources),
                }
            }
            SkinPipelines::Cpu => Skinner::None,
        };
        let table = match has_previous {
            true => Some(InstanceTable::new(gpu, capacity, true)?),
            false => None,
        };
        let frame = FrameUniform::new(
            gpu,
            previous_first(model.motion, capacity),
            group_capacity as u32,
        );
        let capture_rows = CaptureRows::new(gpu);
        let mut resources = model.resources.clone();
        resources.retain(|(binding, _)| [0, 1].contains(binding));
        resources.extend([
            (2, Resource::Table(positions.view.clone())),
            (3, Resource::Table(normals.view.clone())),
            capture_rows.resource(),
            frame.resource(),
        ]);
        resources.extend(table.iter().map(InstanceTable::resource));
        Ok(Self {
            poses,
            groups: Vec::new(),
            previous: Vec::new(),
            positions,
            normals,
            skinner,
            frame,
            table,
            capture_rows,
            resources,
        })
    }

    /// Takes the past of the groups from what this replaces.
    pub fn inherit(&mut self, before: &Self) {
        self.groups = before.groups.clone();
        self.groups.truncate(self.group_capacity());
    }

    /// Number of groups that fit.
    pub fn group_capacity(&self) -> usize {
        self.poses.capacity
    }

    /// The work of the CPU, if it poses.
    #[cfg(feature = "cpu")]
    pub fn cpu_mut(&mut self) -> Option<&mut crate::cpu::work::CpuWork> {
        self.poses.cpu_mut()
    }

    /// Uploads the instances and encodes the passes that skin every group.
    pub fn prepare(
        &mut self,
        model: &ModelData,
        pipelines: &SkinPipelines,
        encoder: &mut wgpu::CommandEncoder,
        uploads: &Uploads<'_>,
        times: &FrameTimes,
    ) -> Result<(), GpuError> {
        let gpu = &model.gpu;
        self.frame.write(gpu, times, uploads.current.len());
        if let Some(table) = &self.table {
            table.write(gpu, uploads);
        }
        let has_previous = model.motion == Motion::Previous;
        let groups = groups_of(uploads.current);
        self.previous = match has_previous {
            // A group that is new was as it is.
            true => {
                let mut previous = std::mem::take(&mut self.groups);
                let new = groups.iter().skip(previous.len());
                previous.extend(new);
                previous
            }
            false => Vec::new(),
        };
        self.groups = groups;
        let mut changes = Changes::default();
        changes.add_all();
        let uploads = Uploads {
            current: &self.groups,
            previous: &self.previous,
            changes: &changes,
            previous_changes: &changes,
            clips: uploads.clips,
        };
        self.poses.prepare(model, encoder, &uploads, times)?;
        let records = uploads.records(self.poses.capacity) as u32;
        if records > 0 {
            self.encode(model, pipelines, encoder, records);
        }
        Ok(())
    }

    fn encode(
        &self,
        model: &ModelData,
        pipelines: &SkinPipelines,
        encoder: &mut wgpu::CommandEncoder,
        records: u32,
    ) {
        let parts = || model.mesh.parts.iter().zip(&model.deform_of_part);
        match (&self.skinner, pipelines) {
            (Skinner::Compute(groups), SkinPipelines::Compute { pipelines, .. }) => {
                let mut pass = encoder.begin_compute_pass(&Default::default());
                for ((part, &deform), group) in parts().zip(groups) {
                    pass.set_pipeline(&pipelines[deform]);
                    pass.set_bind_group(0, group, &[]);
                    let workgroups = part.vertices.div_ceil(WORKGROUP_VERTICES);
                    pass.dispatch_workgroups(workgroups, records, 1);
                }
            }
            (Skinner::Points { instances, group }, SkinPipelines::Points(pipelines)) => {
                let blocks = |list: &[Instance]| -> Vec<_> {
                    list.iter().map(|one| one.to_block(&model.clips)).collect()
                };
                let write = |first: usize, list: &[Instance]| {
                    let blocks = blocks(list);
                    let at = first * size_of::<throng_shaders::InstanceBlock>();
                    model.gpu.queue.write_buffer(
                        instances,
                        at as u64,
                        bytemuck::cast_slice(&blocks),
                    );
                };
                write(0, &self.groups);
                write(self.poses.capacity, &self.previous);
                let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                    label: Some("skin once"),
                    color_attachments: &[self.positions.attachment(), self.normals.attachment()],
                    ..Default::default()
                });
                pass.set_bind_group(0, group, &[]);
                pass.set_vertex_buffer(0, model.mesh.vertices.slice(..));
                pass.set_vertex_buffer(1, model.mesh.attributes.slice(..));
                pass.set_vertex_buffer(2, instances.slice(..));
                if let Some(tangents) = &model.mesh.tangents {
                    pass.set_vertex_buffer(3, tangents.slice(..));
                }
                for (part, &deform) in parts() {
                    pass.set_pipeline(&pipelines[deform]);
                    let vertices = part.first_vertex..part.first_vertex + part.vertices;
                    pass.draw(vertices.clone(), 0..self.groups.len() as u32);
                    if !self.previous.is_empty() {
                        pass.draw(vertices, self.poses.capacity as u32..records);
                    }
                }
            }
            // Both were made for the same device.
            _ => {}
        }
    }
}
