//! Crowds: instances of one model.

use std::ops::Range;
use std::sync::Arc;

use glam::Affine3A;

use crate::frame_uniform::FrameTimes;
use crate::instance::{Instance, Play, Ticks};
use crate::instance_buffer::{instance_buffer, upload_instances};
use crate::instance_table::Uploads;
use crate::instances::{InstanceId, InstanceList};
use crate::material::{CrowdMaterial, MaterialBuffers};
use crate::model::{CrowdModel, ModelData};
use crate::poses::{NeedsTable, Poses};
use crate::skin_once::{SkinOnce, groups_of};
use crate::{Fades, GpuError, Instancing, Motion};

/// Instances of one model.
///
/// Each frame, [`Self::prepare`] uploads what changed and encodes the passes that pose, and [`Self::draw`] draws. While
/// nothing changes, a frame of a texture technique costs the CPU one write of 32 bytes, at most one decode pass and one
/// draw call per part, for any number of instances.
///
/// ```no_run
/// # use throng_wgpu::{Crowd, CrowdMaterial, CrowdModel, GpuError, Instance, Play, Ticks, wgpu};
/// # fn frame(model: &CrowdModel, material: &CrowdMaterial, encoder: &mut wgpu::CommandEncoder,
/// #     pass: &mut wgpu::RenderPass<'_>, camera: &wgpu::BindGroup) -> Result<(), GpuError> {
/// let mut crowd = model.crowd()?;
/// let walker = crowd.spawn(Instance::default().playing(Play::new(0)))?;
/// crowd.cross_fade(walker, Play::new(1), Ticks::from_secs(2.0), Ticks::from_secs(0.25))?;
///
/// crowd.prepare(encoder, Ticks::from_secs(2.1))?;
/// pass.set_bind_group(0, camera, &[]);
/// crowd.draw(pass, material);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Crowd {
    model: CrowdModel,
    list: InstanceList,
    /// Instances that fit into the buffers.
    capacity: usize,
    instances: wgpu::Buffer,
    posing: Posing,
    /// Group of the shaders that draw.
    group: wgpu::BindGroup,
    deform_factor: f32,
    /// Time of the last [`Self::prepare`].
    prepared: Option<Ticks>,
    /// A pose that the CPU shows for all instances.
    #[cfg(feature = "cpu")]
    held: Option<throng_rig::CharacterPose>,
}

/// Poses of the instances, or of groups that the instances copy.
#[derive(Debug)]
enum Posing {
    Instances(Box<Poses>),
    Groups(Box<SkinOnce>),
}

/// Largest number of instances that a crowd makes room for before there are any.
const FIRST_CAPACITY: usize = 16;

impl CrowdModel {
    /// Makes a crowd without instances.
    pub fn crowd(&self) -> Result<Crowd, GpuError> {
        Crowd::new(self.clone())
    }
}

impl Crowd {
    fn new(model: CrowdModel) -> Result<Self, GpuError> {
        let data = model.data.clone();
        let (posing, group, instances) = buffers(&data, 1, 1)?;
        Ok(Self {
            list: InstanceList::default(),
            capacity: 1,
            instances,
            posing,
            group,
            deform_factor: data.deform_factor,
            prepared: None,
            #[cfg(feature = "cpu")]
            held: None,
            model,
        })
    }

    /// The model.
    pub fn model(&self) -> &CrowdModel {
        &self.model
    }

    /// Number of instances.
    pub fn len(&self) -> usize {
        self.list.as_slice().len()
    }

    /// Returns true if there are no instances.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All instances, in drawing order.
    pub fn instances(&self) -> &[Instance] {
        self.list.as_slice()
    }

    /// Ids of all instances, in drawing order.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = InstanceId> {
        self.list.ids()
    }

    /// An instance, or `None` if it was removed.
    pub fn get(&self, id: InstanceId) -> Option<&Instance> {
        let index = self.list.index_of(id)?;
        Some(&self.list.as_slice()[index])
    }

    /// Replaces all instances; they are uploaded at once. Old ids become invalid.
    pub fn set_instances(&mut self, instances: &[Instance]) -> Result<(), GpuError> {
        for (index, instance) in instances.iter().enumerate() {
            self.check(index, instance)?;
        }
        // Buffers shrink only where most of them would be empty.
        let is_roomy = (instances.len()..=4 * instances.len()).contains(&self.capacity);
        let capacity = match is_roomy {
            true => self.capacity,
            false => instances.len(),
        };
        self.resize(capacity, groups_of(instances).len())?;
        self.list.set_all(instances);
        Ok(())
    }

    /// Makes room for a number of instances, so that adding them does not grow the buffers step by step.
    pub fn reserve(&mut self, count: usize) -> Result<(), GpuError> {
        match count > self.capacity {
            true => self.resize(count, self.group_capacity()),
            false => Ok(()),
        }
    }

    /// Adds an instance.
    pub fn spawn(&mut self, instance: Instance) -> Result<InstanceId, GpuError> {
        let index = self.len();
        self.check(index, &instance)?;
        self.make_room_for_group(&instance)?;
        if index == self.capacity {
            let groups = self.group_capacity();
            let doubled = (2 * self.capacity).max(FIRST_CAPACITY);
            // Near the limits of the device, there may be room for one more, but not for twice as many.
            self.resize(doubled, groups)
                .or_else(|_| self.resize(index + 1, groups))?;
        }
        Ok(self.list.push(instance))
    }

    /// Removes an instance. Returns it, or `None` if it was removed before.
    pub fn despawn(&mut self, id: InstanceId) -> Option<Instance> {
        self.list.remove(id)
    }

    /// Removes all instances.
    pub fn clear(&mut self) {
        self.list.set_all(&[]);
    }

    /// Changes an instance. Only its record is uploaded. If the change is refused, the instance stays as it is.
    pub fn update(
        &mut self,
        id: InstanceId,
        change: impl FnOnce(&mut Instance),
    ) -> Result<(), GpuError> {
        let index = self.list.index_of(id).ok_or(GpuError::NoSuchInstance)?;
        let mut instance = self.list.as_slice()[index];
        change(&mut instance);
        self.check(index, &instance)?;
        self.make_room_for_group(&instance)?;
        self.list.replace(index, instance);
        Ok(())
    }

    /// Moves an instance.
    pub fn set_transform(
        &mut self,
        id: InstanceId,
        world_from_model: Affine3A,
    ) -> Result<(), GpuError> {
        self.update(id, |instance| instance.world_from_model = world_from_model)
    }

    /// Plays another clip or time, without a fade.
    pub fn play(&mut self, id: InstanceId, play: Play) -> Result<(), GpuError> {
        self.update(id, |instance| {
            instance.play = play;
            instance.fade = None;
        })
    }

    /// Fades to another clip; see [`Instance::cross_fade`].
    pub fn cross_fade(
        &mut self,
        id: InstanceId,
        to: Play,
        start: Ticks,
        duration: Ticks,
    ) -> Result<(), GpuError> {
        self.update(id, |instance| instance.cross_fade(to, start, duration))
    }

    fn check(&self, index: usize, instance: &Instance) -> Result<(), GpuError> {
        let data = &self.model.data;
        if data.features.fades == Fades::None && instance.fade.is_some() {
            return Err(GpuError::NoFades { instance: index });
        }
        let clips = data.clips.len();
        match instance.clips().find(|&clip| clip as usize >= clips.max(1)) {
            None => Ok(()),
            Some(clip) => Err(GpuError::NoSuchClip {
                instance: index,
                clip,
                clips: clips as u32,
            }),
        }
    }

    /// Number of groups that there is room for; 1 if instances are not grouped.
    fn group_capacity(&self) -> usize {
        match &self.posing {
            Posing::Instances(_) => 1,
            Posing::Groups(skin_once) => skin_once.group_capacity(),
        }
    }

    fn make_room_for_group(&mut self, instance: &Instance) -> Result<(), GpuError> {
        let groups = instance.group as usize + 1;
        match &self.posing {
            Posing::Groups(_) if groups > self.group_capacity() => {
                self.resize(self.capacity, groups.next_power_of_two())
            }
            _ => Ok(()),
        }
    }

    /// Makes the buffers anew, for a number of instances and of groups.
    fn resize(&mut self, capacity: usize, groups: usize) -> Result<(), GpuError> {
        let capacity = capacity.max(1);
        let groups = match &self.posing {
            Posing::Instances(_) => 1,
            Posing::Groups(_) => groups.max(1),
        };
        if [capacity, groups] == [self.capacity, self.group_capacity()] {
            return Ok(());
        }
        (self.posing, self.group, self.instances) = buffers(&self.model.data, capacity, groups)?;
        self.capacity = capacity;
        self.list.mark_all();
        #[cfg(feature = "cpu")]
        if let Some(pose) = self.held.take() {
            self.hold(pose)?;
        }
        Ok(())
    }

    /// Shows one pose of the character for all instances, whatever they play. Fails unless the CPU poses (`cpu`,
    /// `palette-matrix`, `palette-dq`).
    #[cfg(feature = "cpu")]
    pub fn hold(&mut self, pose: throng_rig::CharacterPose) -> Result<(), GpuError> {
        let work = match &mut self.posing {
            Posing::Instances(poses) => poses.cpu_mut(),
            Posing::Groups(skin_once) => skin_once.cpu_mut(),
        };
        let Some(work) = work else {
            return Err(GpuError::WrongSource {
                technique: "of this crowd",
                needs: "a clip and a time; cpu, palette-matrix and palette-dq take poses",
            });
        };
        work.hold(pose.clone());
        self.held = Some(pose);
        Ok(())
    }

    /// Blend between LBS (0) and DQS (1) for blended methods; that of the method at first.
    pub fn deform_factor(&self) -> f32 {
        self.deform_factor
    }

    /// Sets [`Self::deform_factor`], from the next [`Self::prepare`] on.
    pub fn set_deform_factor(&mut self, factor: f32) {
        self.deform_factor = factor;
    }

    /// Prepares a frame: uploads what changed and encodes the passes that pose. All draws of the same submission show this
    /// time. For motion vectors, the frame before is that of the last call.
    pub fn prepare(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        now: Ticks,
    ) -> Result<(), GpuError> {
        let data = &self.model.data;
        let times = FrameTimes {
            now,
            previous: self.prepared.unwrap_or(now),
            deform_factor: self.deform_factor,
        };
        let uploads = Uploads {
            current: self.list.as_slice(),
            previous: match data.motion {
                Motion::None => &[],
                Motion::Previous => self.list.previous(),
            },
            changes: self.list.changes(),
            previous_changes: self.list.previous_changes(),
            clips: &data.clips,
        };
        upload_instances(&data.gpu, &self.instances, &uploads);
        match (&mut self.posing, &data.skin) {
            (Posing::Instances(poses), _) => poses.prepare(data, encoder, &uploads, &times)?,
            (Posing::Groups(skin_once), Some(pipelines)) => {
                skin_once.prepare(data, pipelines, encoder, &uploads, &times)?;
            }
            // Groups are skinned by the pipelines of their model.
            (Posing::Groups(_), None) => {}
        }
        self.list.settle();
        self.prepared = Some(now);
        Ok(())
    }

    /// Draws all parts of all instances. The caller has set the bind groups of the material; Throng's group, pipelines and
    /// vertex buffers are set here.
    ///
    /// # Panics
    /// If the material was made by another model.
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>, material: &CrowdMaterial) {
        self.draw_parts(pass, material, 0..self.model.data.mesh.parts.len());
    }

    /// Draws one part of all instances: an index of [`CrowdModel::parts`]. For parts with bind groups or materials of their
    /// own.
    ///
    /// # Panics
    /// If the material was made by another model, or there is no such part.
    pub fn draw_part(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        material: &CrowdMaterial,
        part: usize,
    ) {
        self.draw_parts(pass, material, part..part + 1);
    }

    fn draw_parts(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        material: &CrowdMaterial,
        parts: Range<usize>,
    ) {
        let data = &self.model.data;
        assert!(
            Arc::ptr_eq(&material.model, data),
            "the material was made by another model than the crowd"
        );
        self.bind(pass, material.group, material.buffers);
        pass.set_index_buffer(data.mesh.indices.slice(..), wgpu::IndexFormat::Uint32);
        let (_, deform_of_part) = data.drawn_deforms();
        let mut bound = None;
        for part in parts {
            let deform = deform_of_part(part);
            if bound.replace(deform) != Some(deform) {
                pass.set_pipeline(&material.pipelines[deform]);
            }
            let range = &data.mesh.parts[part];
            let indices = range.first_index..range.first_index + range.indices;
            self.draw_each(pass, material.buffers, |pass, instances| {
                pass.draw_indexed(indices.clone(), 0, instances);
            });
        }
    }

    pub(crate) fn bind(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        group: u32,
        buffers: MaterialBuffers,
    ) {
        let data = &self.model.data;
        pass.set_bind_group(group, &self.group, &[]);
        pass.set_vertex_buffer(0, data.mesh.vertices.slice(..));
        pass.set_vertex_buffer(1, data.mesh.attributes.slice(..));
        pass.set_vertex_buffer(2, self.instances.slice(..));
        if let Some(slot) = buffers.tangents {
            pass.set_vertex_buffer(slot, data.tangents().slice(..));
        }
        if let Some(slot) = buffers.previous {
            pass.set_vertex_buffer(slot, data.mesh.vertices.slice(..));
        }
    }

    /// Issues one draw call for all instances, or one per instance.
    pub(crate) fn draw_each(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        buffers: MaterialBuffers,
        draw: impl Fn(&mut wgpu::RenderPass<'_>, Range<u32>),
    ) {
        let count = self.len() as u32;
        if count == 0 {
            return;
        }
        #[cfg(feature = "cpu")]
        if self.bind_cpu_vertices(pass, buffers, &draw) {
            return;
        }
        #[cfg(not(feature = "cpu"))]
        let _ = buffers;
        match self.model.data.instancing {
            Instancing::Loop => (0..count).for_each(|instance| draw(pass, instance..instance + 1)),
            Instancing::Instanced | Instancing::SkinOnce => draw(pass, 0..count),
        }
    }

    /// Draws vertices that the CPU skinned, one draw call per instance; returns false if it does not skin.
    #[cfg(feature = "cpu")]
    fn bind_cpu_vertices(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        buffers: MaterialBuffers,
        draw: impl Fn(&mut wgpu::RenderPass<'_>, Range<u32>),
    ) -> bool {
        let Posing::Instances(poses) = &self.posing else {
            return false;
        };
        let Some(skinned) = poses.cpu().and_then(crate::cpu_work::CpuWork::vertices) else {
            return false;
        };
        let mesh = &self.model.data.mesh;
        let of = |instance: u64, bytes: u64| instance * bytes..(instance + 1) * bytes;
        for instance in 0..self.len() as u64 {
            let range = of(instance, mesh.vertex_bytes());
            pass.set_vertex_buffer(0, skinned.buffer.slice(range));
            if let (Some(slot), Some(tangents)) = (buffers.tangents, &skinned.tangents) {
                let range = of(instance, mesh.tangent_bytes());
                pass.set_vertex_buffer(slot, tangents.slice(range));
            }
            if let Some(slot) = buffers.previous {
                let range = of(instance + self.capacity as u64, mesh.vertex_bytes());
                pass.set_vertex_buffer(slot, skinned.buffer.slice(range));
            }
            let instance = instance as u32;
            draw(pass, instance..instance + 1);
        }
        true
    }

    /// Number of instances that fit into the buffers.
    pub(crate) fn capacity(&self) -> usize {
        self.capacity
    }
}

/// Makes the buffers for a number of instances and groups, and the bind group of the shaders that draw.
fn buffers(
    data: &ModelData,
    capacity: usize,
    groups: usize,
) -> Result<(Posing, wgpu::BindGroup, wgpu::Buffer), GpuError> {
    let instances = instance_buffer(&data.gpu, capacity)?;
    let posing = match &data.skin {
        Some(pipelines) => {
            Posing::Groups(Box::new(SkinOnce::new(data, pipelines, groups, capacity)?))
        }
        None => Posing::Instances(Box::new(Poses::new(data, capacity, NeedsTable::ForPoses)?)),
    };
    let resources = match &posing {
        Posing::Instances(poses) => &poses.resources,
        Posing::Groups(skin_once) => &skin_once.resources,
    };
    let group = data.draw_layout.group(&data.gpu, resources);
    Ok((posing, group, instances))
}
