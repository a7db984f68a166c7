//! Crowds: instances of one model.

use std::ops::Range;
use std::sync::Arc;

use glam::Affine3A;

use crate::capture_rows::CaptureRows;
use crate::frame_uniform::FrameTimes;
use crate::instance::{Instance, Play, Ticks};
use crate::instance_buffer::{index_buffer, instance_buffer, upload_instances};
use crate::instance_table::Uploads;
use crate::instances::{InstanceId, InstanceList};
use crate::material::{CrowdMaterial, MaterialBuffers};
use crate::model::{CrowdModel, ModelData};
use crate::poses::{NeedsTable, Poses};
use crate::skin_once::SkinOnce;
use crate::{DrawOrder, Fades, GpuError, Instancing, Motion};

/// Instances of one model.
///
/// Each frame, [`Self::prepare`] uploads what changed and encodes the passes that pose, and [`Self::draw`] draws. Changes
/// show from the next `prepare` on; there is one per submission. While nothing changes, an instanced frame of a texture
/// technique costs the CPU one write of 32 bytes, at most one decode pass and one draw call per part, for any number of
/// instances.
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
    buffers: Buffers,
    /// Larger or smaller buffers, from the next [`Self::prepare`] on.
    resized: Option<Buffers>,
    /// Number of instances at the last [`Self::prepare`].
    prepared_len: usize,
    deform_factor: f32,
    /// Time of the last [`Self::prepare`].
    prepared: Option<Ticks>,
    /// Number of calls of [`Self::prepare`] that uploaded changed instances.
    uploads: u64,
    /// A pose that the CPU shows for all instances.
    #[cfg(feature = "cpu")]
    held: Option<Arc<throng_rig::CharacterPose>>,
}

/// Buffers for a number of instances.
#[derive(Debug)]
struct Buffers {
    capacity: usize,
    instances: wgpu::Buffer,
    /// Index of each instance.
    indices: wgpu::Buffer,
    posing: Posing,
    /// Group of the shaders that draw.
    group: wgpu::BindGroup,
}

/// Poses of the instances, or of groups that the instances copy.
#[derive(Debug)]
enum Posing {
    Instances(Box<Poses>),
    Groups(Box<SkinOnce>),
}

/// Smallest number of instances that a growing crowd makes room for.
const FIRST_CAPACITY: usize = 16;

impl CrowdModel {
    /// Makes a crowd without instances.
    pub fn crowd(&self) -> Result<Crowd, GpuError> {
        Crowd::new(self.clone())
    }
}

impl Crowd {
    fn new(model: CrowdModel) -> Result<Self, GpuError> {
        Ok(Self {
            list: InstanceList::new(),
            buffers: Buffers::new(&model.data, 1, 1)?,
            resized: None,
            prepared_len: 0,
            deform_factor: model.data.deform_factor,
            prepared: None,
            uploads: 0,
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

    /// Replaces all instances; they are uploaded at once. Old ids become invalid, and for motion vectors the new instances
    /// were always where they are: [`Self::update_all`] moves instances.
    pub fn set_instances(&mut self, instances: &[Instance]) -> Result<(), GpuError> {
        for (index, instance) in instances.iter().enumerate() {
            self.check(index, instance)?;
        }
        // Buffers shrink only where most of them would be empty.
        let is_roomy = (instances.len()..=4 * instances.len()).contains(&self.capacity());
        let capacity = match is_roomy {
            true => self.capacity(),
            false => instances.len(),
        };
        let groups = instances.iter().map(|instance| instance.group as usize + 1);
        self.resize(capacity, groups.max().unwrap_or(1))?;
        self.list.set_all(instances);
        Ok(())
    }

    /// Changes all instances; they are uploaded at once, and ids stay valid. If a change is refused, all instances stay as
    /// they are.
    pub fn update_all(
        &mut self,
        mut change: impl FnMut(InstanceId, &mut Instance),
    ) -> Result<(), GpuError> {
        let mut instances = self.list.as_slice().to_vec();
        for (id, instance) in self.list.ids().zip(&mut instances) {
            change(id, instance);
        }
        for (index, instance) in instances.iter().enumerate() {
            self.check(index, instance)?;
        }
        let groups = instances.iter().map(|instance| instance.group as usize + 1);
        self.make_room_for_groups(groups.max().unwrap_or(1))?;
        self.list.replace_all(instances);
        Ok(())
    }

    /// Makes room for a number of instances, so that adding them does not grow the buffers step by step.
    pub fn reserve(&mut self, count: usize) -> Result<(), GpuError> {
        match count > self.capacity() {
            true => self.resize(count, self.group_capacity()),
            false => Ok(()),
        }
    }

    /// Adds an instance.
    pub fn spawn(&mut self, instance: Instance) -> Result<InstanceId, GpuError> {
        let index = self.len();
        self.check(index, &instance)?;
        self.make_room_for_groups(instance.group as usize + 1)?;
        if index == self.capacity() {
            let groups = self.group_capacity();
            let doubled = (2 * index).max(FIRST_CAPACITY);
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
        self.make_room_for_groups(instance.group as usize + 1)?;
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

    /// The buffers of the next frame.
    fn next_buffers(&self) -> &Buffers {
        self.resized.as_ref().unwrap_or(&self.buffers)
    }

    /// Number of instances that there is room for.
    fn capacity(&self) -> usize {
        self.next_buffers().capacity
    }

    /// Number of groups that there is room for; 1 if instances are not grouped.
    fn group_capacity(&self) -> usize {
        self.next_buffers().group_capacity()
    }

    fn make_room_for_groups(&mut self, groups: usize) -> Result<(), GpuError> {
        if groups <= self.group_capacity() || self.model.data.skin.is_none() {
            return Ok(());
        }
        let capacity = self.capacity();
        self.resize(capacity, groups.next_power_of_two())
            .or_else(|_| self.resize(capacity, groups))
    }

    /// Makes buffers for a number of instances and of groups, from the next frame on.
    fn resize(&mut self, capacity: usize, groups: usize) -> Result<(), GpuError> {
        let capacity = capacity.max(1);
        let groups = match &self.model.data.skin {
            None => 1,
            Some(_) => groups.max(1),
        };
        if [capacity, groups] != [self.capacity(), self.group_capacity()] {
            self.resized = Some(Buffers::new(&self.model.data, capacity, groups)?);
        }
        Ok(())
    }

    /// Shows one pose of the character for all instances, whatever they play. `None` goes back to what they play. Fails
    /// unless the CPU poses (`cpu`, `palette-matrix`, `palette-dq`).
    #[cfg(feature = "cpu")]
    pub fn hold(&mut self, pose: Option<throng_rig::CharacterPose>) -> Result<(), GpuError> {
        let is_posed_by_cpu = matches!(
            self.model.data.source,
            crate::pose_source::PoseSource::Cpu(_)
        );
        if !is_posed_by_cpu {
            return Err(GpuError::WrongSource {
                technique: "of this crowd",
                needs: "a clip and a time; cpu, palette-matrix and palette-dq take poses",
            });
        }
        self.held = pose.map(Arc::new);
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
        if let Some(mut resized) = self.resized.take() {
            resized.posing.inherit(&self.buffers.posing);
            self.buffers = resized;
            self.list.mark_all();
        }
        let data = &self.model.data;
        let buffers = &mut self.buffers;
        #[cfg(feature = "cpu")]
        if let Some(work) = buffers.posing.cpu_mut() {
            work.hold(self.held.clone());
        }
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
        upload_instances(&data.gpu, &buffers.instances, &uploads);
        let len = uploads.current.len();
        if self.prepared_len != len || !uploads.changes.ranges(len).is_empty() {
            self.uploads += 1;
        }
        match (&mut buffers.posing, &data.skin) {
            (Posing::Instances(poses), _) => poses.prepare(data, encoder, &uploads, &times)?,
            (Posing::Groups(skin_once), Some(pipelines)) => {
                skin_once.prepare(data, pipelines, encoder, &uploads, &times)?;
            }
            // Groups are skinned by the pipelines of their model.
            (Posing::Groups(_), None) => {}
        }
        self.list.settle();
        self.prepared_len = self.list.as_slice().len();
        self.prepared = Some(now);
        Ok(())
    }

    /// Draws all parts of all instances, as they were at the last [`Self::prepare`]. The caller has set the bind groups of
    /// the material. Throng's group, the pipeline, the index buffer and vertex buffers from 0 on are set here and stay set.
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
        let (_, deform_of_part) = data.drawn_deforms();
        self.bind_for(pass, material);
        if data.switches.draw_order == DrawOrder::InstancesFirst {
            for instance in 0..self.prepared_len as u32 {
                for part in parts.clone() {
                    pass.set_pipeline(material.pipeline(0, deform_of_part(part)));
                    self.bind_mesh(pass, material.buffers);
                    self.bind_cpu_vertices(pass, material.buffers, instance);
                    pass.draw_indexed(
                        data.mesh.parts[part].index_range(),
                        0,
                        instance..instance + 1,
                    );
                }
            }
            return;
        }
        let mut bound = None;
        for part in parts {
            let deform = deform_of_part(part);
            if bound.replace(deform) != Some(deform) {
                pass.set_pipeline(material.pipeline(0, deform));
            }
            let indices = data.mesh.parts[part].index_range();
            self.draw_each(pass, material.buffers, |pass, instances| {
                pass.draw_indexed(indices.clone(), 0, instances);
            });
        }
    }

    /// Binds Throng's group, the index buffer and vertex buffers.
    pub(crate) fn bind_for(&self, pass: &mut wgpu::RenderPass<'_>, material: &CrowdMaterial) {
        assert!(
            Arc::ptr_eq(&material.model, &self.model.data),
            "the material was made by another model than the crowd"
        );
        pass.set_bind_group(material.group, &self.buffers.group, &[]);
        self.bind_mesh(pass, material.buffers);
    }

    /// Binds the index buffer and vertex buffers.
    fn bind_mesh(&self, pass: &mut wgpu::RenderPass<'_>, buffers: MaterialBuffers) {
        let indices = self.model.data.mesh.indices.slice(..);
        pass.set_index_buffer(indices, wgpu::IndexFormat::Uint32);
        self.bind_vertices(pass, buffers);
    }

    /// The instance buffer of the last [`Self::prepare`].
    pub(crate) fn instance_buffer(&self) -> &wgpu::Buffer {
        &self.buffers.instances
    }

    /// Number of instances that the buffers of the last [`Self::prepare`] have room for.
    pub(crate) fn prepared_capacity(&self) -> usize {
        self.buffers.capacity
    }

    /// Number of instances at the last [`Self::prepare`].
    pub(crate) fn prepared_len(&self) -> usize {
        self.prepared_len
    }

    /// Time of the last [`Self::prepare`].
    pub(crate) fn prepared_time(&self) -> Ticks {
        self.prepared.unwrap_or_default()
    }

    /// Instances as they were at the last [`Self::prepare`].
    pub(crate) fn prepared_instances(&self) -> &[Instance] {
        &self.list.previous()[..self.prepared_len.min(self.list.previous().len())]
    }

    /// Number of calls of [`Self::prepare`] that uploaded changed instances.
    pub(crate) fn prepared_changes(&self) -> u64 {
        self.uploads
    }

    pub(crate) fn bind(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        group: u32,
        buffers: MaterialBuffers,
    ) {
        pass.set_bind_group(group, &self.buffers.group, &[]);
        self.bind_vertices(pass, buffers);
    }

    /// Binds the vertex buffers.
    fn bind_vertices(&self, pass: &mut wgpu::RenderPass<'_>, buffers: MaterialBuffers) {
        let data = &self.model.data;
        pass.set_vertex_buffer(0, data.mesh.vertices.slice(..));
        pass.set_vertex_buffer(1, data.mesh.attributes.slice(..));
        pass.set_vertex_buffer(2, self.buffers.instances.slice(..));
        if let Some(slot) = buffers.tangents {
            pass.set_vertex_buffer(slot, data.tangents().slice(..));
        }
        if let Some(slot) = buffers.previous {
            pass.set_vertex_buffer(slot, data.mesh.vertices.slice(..));
        }
        if let Some(slot) = buffers.indices {
            pass.set_vertex_buffer(slot, self.buffers.indices.slice(..));
        }
    }

    /// Issues one draw call for all instances, or one per instance.
    pub(crate) fn draw_each(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        buffers: MaterialBuffers,
        draw: impl Fn(&mut wgpu::RenderPass<'_>, Range<u32>),
    ) {
        let count = self.prepared_len as u32;
        if count == 0 {
            return;
        }
        let draws_each = self.model.data.instancing == Instancing::Loop || self.has_cpu_vertices();
        if !draws_each {
            draw(pass, 0..count);
            return;
        }
        for instance in 0..count {
            self.bind_cpu_vertices(pass, buffers, instance);
            draw(pass, instance..instance + 1);
        }
    }

    /// Returns true if the CPU skins every instance, into vertices of its own.
    pub(crate) fn has_cpu_vertices(&self) -> bool {
        #[cfg(feature = "cpu")]
        return self.cpu_vertices().is_some();
        #[cfg(not(feature = "cpu"))]
        return false;
    }

    #[cfg(feature = "cpu")]
    fn cpu_vertices(&self) -> Option<&crate::cpu::vertices::CpuVertices> {
        match &self.buffers.posing {
            Posing::Instances(poses) => poses.cpu()?.vertices(),
            Posing::Groups(_) => None,
        }
    }

    /// Binds the vertices of an instance, if the CPU skinned them.
    #[cfg(feature = "cpu")]
    fn bind_cpu_vertices(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        buffers: MaterialBuffers,
        instance: u32,
    ) {
        let Some(skinned) = self.cpu_vertices() else {
            return;
        };
        let mesh = &self.model.data.mesh;
        let of = |instance: u64, bytes: u64| instance * bytes..(instance + 1) * bytes;
        let instance = u64::from(instance);
        let range = of(instance, mesh.vertex_bytes());
        pass.set_vertex_buffer(0, skinned.buffer.slice(range));
        if let (Some(slot), Some(tangents)) = (buffers.tangents, &skinned.tangents) {
            let range = of(instance, mesh.tangent_bytes());
            pass.set_vertex_buffer(slot, tangents.slice(range));
        }
        if let Some(slot) = buffers.previous {
            let range = of(instance + self.buffers.capacity as u64, mesh.vertex_bytes());
            pass.set_vertex_buffer(slot, skinned.buffer.slice(range));
        }
    }

    /// Without the feature `cpu`, the CPU skins nothing.
    #[cfg(not(feature = "cpu"))]
    fn bind_cpu_vertices(&self, _: &mut wgpu::RenderPass<'_>, _: MaterialBuffers, _: u32) {}

    /// Size of the texture that [`Self::capture`] draws into.
    pub(crate) fn capture_rows(&self) -> &CaptureRows {
        match &self.buffers.posing {
            Posing::Instances(poses) => &poses.capture_rows,
            Posing::Groups(skin_once) => &skin_once.capture_rows,
        }
    }
}

impl Posing {
    /// Takes over what the frame before needs.
    fn inherit(&mut self, before: &Self) {
        if let (Self::Groups(new), Self::Groups(old)) = (self, before) {
            new.inherit(old);
        }
    }

    /// The work of the CPU, if it poses.
    #[cfg(feature = "cpu")]
    fn cpu_mut(&mut self) -> Option<&mut crate::cpu::work::CpuWork> {
        match self {
            Self::Instances(poses) => poses.cpu_mut(),
            Self::Groups(skin_once) => skin_once.cpu_mut(),
        }
    }
}

impl Buffers {
    fn new(data: &ModelData, capacity: usize, groups: usize) -> Result<Self, GpuError> {
        let instances = instance_buffer(&data.gpu, capacity)?;
        let posing = match &data.skin {
            Some(pipelines) => {
                let skin_once = SkinOnce::new(data, pipelines, groups, capacity)?;
                Posing::Groups(Box::new(skin_once))
            }
            None => {
                let poses = Poses::new(data, capacity, NeedsTable::ForPoses)?;
                Posing::Instances(Box::new(poses))
            }
        };
        let resources = match &posing {
            Posing::Instances(poses) => &poses.resources,
            Posing::Groups(skin_once) => &skin_once.resources,
        };
        Ok(Self {
            group: data.draw_layout.group(&data.gpu, resources),
            indices: index_buffer(&data.gpu, capacity),
            capacity,
            instances,
            posing,
        })
    }

    fn group_capacity(&self) -> usize {
        match &self.posing {
            Posing::Instances(_) => 1,
            Posing::Groups(skin_once) => skin_once.group_capacity(),
        }
    }
}
