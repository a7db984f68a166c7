//! Points of view on a crowd: visible instances and their levels of detail.

use std::sync::Arc;

use crate::cull::{CpuCulling, CullPass, CullPipelines, ViewCamera};
use crate::instance_buffer::instance_buffer;
use crate::model::ModelData;
use crate::{Crowd, CrowdMaterial, GpuError, Instancing};

/// A point of view on a crowd: the frustum of a camera or of a light, and the levels of detail that it needs.
///
/// Each frame, [`Crowd::cull`] finds the visible instances, in compute passes that write indirect draws, and
/// [`Crowd::draw_view`] draws them: one draw call per part and level. Nothing is read back, and the CPU's work does not
/// depend on the number of instances. On devices without compute passes (WebGL2) the same calls cull on the CPU, eight
/// instances at a time. A frame may have any number of views, such as a camera and its shadow maps.
///
/// Instances are culled by the bounding boxes of their clips. Those in the middle of a cross-fade are always drawn, because
/// a blend of two clips may leave the boxes of both; so are those of [`Instancing::SkinOnce`]. Visible instances keep their order
/// within a level. Boxes are those of the skinning method of the bake: draw without a view after
/// [`throng_format::TextureSet::with_skinning`] or [`Crowd::set_deform_factor`]. All planes of the frustum cull, near and far ones
/// too: where a pipeline does not clip depths, give the camera of a light a near plane behind all casters.
///
/// ```no_run
/// # use throng_wgpu::{Crowd, CrowdMaterial, CrowdView, GpuError, Ticks, ViewCamera, wgpu};
/// # fn frame(crowd: &mut Crowd, view: &mut CrowdView, material: &CrowdMaterial, encoder: &mut wgpu::CommandEncoder,
/// #     pass: &mut wgpu::RenderPass<'_>, clip_from_world: glam::Mat4) -> Result<(), GpuError> {
/// // Once: let mut view = crowd.view()?;
/// crowd.prepare(encoder, Ticks::from_secs(2.1))?;
/// let camera = ViewCamera::new(clip_from_world).with_detail([1920.0, 1080.0]);
/// crowd.cull(encoder, view, &camera)?;
/// crowd.draw_view(pass, material, view);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct CrowdView {
    model: Arc<ModelData>,
    mode: CullingMode,
    buffers: Option<ViewBuffers>,
}

/// Processor that culls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CullingMode {
    /// Compute passes where the device has them, else the CPU.
    #[default]
    Auto,
    /// The CPU.
    Cpu,
}

/// Buffers for the capacity of the crowd.
#[derive(Debug)]
struct ViewBuffers {
    /// Instance buffer of the crowd for which these were made.
    instances: wgpu::Buffer,
    culling: Culling,
}

#[derive(Debug)]
enum Culling {
    Gpu(CullPass),
    Cpu(Box<CpuView>),
}

/// Culling on the CPU, and the buffers of its results.
#[derive(Debug)]
struct CpuView {
    culling: CpuCulling,
    /// Changes of the crowd's instances that the culling knows.
    changes: Option<u64>,
    visible: wgpu::Buffer,
    indices: wgpu::Buffer,
    /// First visible instance and number of visible instances of each level.
    ranges: Vec<std::ops::Range<u32>>,
}

impl Crowd {
    /// Makes a point of view. Fails with [`Instancing::Loop`] and where the CPU skins every instance.
    pub fn view(&self) -> Result<CrowdView, GpuError> {
        self.view_with(CullingMode::Auto)
    }

    /// Makes a point of view that culls on the CPU, or as [`Self::view`] does.
    pub fn view_with(&self, mode: CullingMode) -> Result<CrowdView, GpuError> {
        let model = self.model().data.clone();
        if model.instancing == Instancing::Loop || self.has_cpu_vertices() {
            return Err(GpuError::WrongSource {
                technique: "of this crowd",
                needs: "a draw call per instance, which a view cannot make: draw without a view",
            });
        }
        let mode = match CullPipelines::are_supported(&model.gpu) {
            true => mode,
            false => CullingMode::Cpu,
        };
        Ok(CrowdView {
            model,
            mode,
            buffers: None,
        })
    }

    /// Finds the instances that a camera sees, as they were at the last [`Self::prepare`], and their levels of detail. Call it
    /// after `prepare`, once per view and submission, and outside of render passes.
    ///
    /// # Panics
    /// If the view was made by a crowd of another model.
    pub fn cull(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        view: &mut CrowdView,
        camera: &ViewCamera,
    ) -> Result<(), GpuError> {
        let data = &self.model().data;
        assert!(
            Arc::ptr_eq(&view.model, data),
            "the view was made by a crowd of another model"
        );
        let instances = self.instance_buffer();
        let is_fresh = |buffers: &ViewBuffers| buffers.instances == *instances;
        if !view.buffers.as_ref().is_some_and(is_fresh) {
            view.buffers = None;
        }
        let buffers = match &mut view.buffers {
            Some(buffers) => buffers,
            none => none.insert(ViewBuffers {
                instances: instances.clone(),
                culling: Culling::new(self, view.mode)?,
            }),
        };
        match &mut buffers.culling {
            Culling::Gpu(pass) => {
                let mut block = data.cull_model.view(camera);
                block.parts = data.mesh.parts.len() as u32;
                block.count = self.prepared_len() as u32;
                block.now = self.prepared_time().0;
                data.cull_pipelines()
                    .encode(&data.gpu, encoder, pass, &block);
            }
            Culling::Cpu(cpu) => cpu.cull(self, camera),
        }
        Ok(())
    }

    /// Draws the visible instances of a view, in the levels that [`Self::cull`] chose. Otherwise as [`Self::draw`]. Draws
    /// nothing if the view was not culled since the crowd grew.
    ///
    /// # Panics
    /// If the material was made by another model.
    pub fn draw_view(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        material: &CrowdMaterial,
        view: &CrowdView,
    ) {
        self.draw_view_parts(pass, material, view, 0..self.model().parts().len());
    }

    /// Draws one part of the visible instances of a view: an index of [`crate::CrowdModel::parts`].
    ///
    /// # Panics
    /// If the material was made by another model, or there is no such part.
    pub fn draw_view_part(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        material: &CrowdMaterial,
        view: &CrowdView,
        part: usize,
    ) {
        self.draw_view_parts(pass, material, view, part..part + 1);
    }

    fn draw_view_parts(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        material: &CrowdMaterial,
        view: &CrowdView,
        parts: std::ops::Range<usize>,
    ) {
        let data = &self.model().data;
        let Some(buffers) = &view.buffers else {
            return;
        };
        if buffers.instances != *self.instance_buffer() {
            return;
        }
        self.bind_for(pass, material);
        let (_, deform_of_part) = data.drawn_deforms();
        let part_count = data.mesh.parts.len();
        let (visible, indices) = match &buffers.culling {
            Culling::Gpu(pass) => (&pass.visible, &pass.indices),
            Culling::Cpu(cpu) => (&cpu.visible, &cpu.indices),
        };
        let record = size_of::<throng_shaders::InstanceBlock>() as u64;
        for level in 0..data.mesh.level_count() {
            let first = match &buffers.culling {
                Culling::Gpu(cull) => cull.first_of_level(level),
                Culling::Cpu(_) => 0,
            };
            pass.set_vertex_buffer(2, visible.slice(first * record..));
            if let Some(slot) = material.buffers.indices {
                pass.set_vertex_buffer(slot, indices.slice(first * 4..));
            }
            for part in parts.clone() {
                pass.set_pipeline(material.pipeline(level, deform_of_part(part)));
                match &buffers.culling {
                    Culling::Gpu(cull) => {
                        let draw = (level * part_count + part) as u64;
                        pass.draw_indexed_indirect(&cull.draws, draw * 20);
                    }
                    Culling::Cpu(cpu) => {
                        let range = cpu.ranges.get(level).cloned().unwrap_or_default();
                        if !range.is_empty() {
                            let indices = data.mesh.level_parts(level)[part].index_range();
                            pass.draw_indexed(indices, 0, range);
                        }
                    }
                }
            }
        }
    }
}

impl Culling {
    fn new(crowd: &Crowd, mode: CullingMode) -> Result<Self, GpuError> {
        let data = &crowd.model().data;
        let (gpu, capacity) = (&data.gpu, crowd.prepared_capacity());
        if mode == CullingMode::Auto {
            let instances = crowd.instance_buffer();
            let pass = data.cull_pipelines().pass(
                gpu,
                &data.cull_model,
                &data.mesh,
                instances,
                capacity,
            )?;
            return Ok(Self::Gpu(pass));
        }
        Ok(Self::Cpu(Box::new(CpuView {
            culling: CpuCulling::new(data.cull_model.clone()),
            changes: None,
            visible: instance_buffer(gpu, capacity)?,
            indices: gpu.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("indices of visible instances"),
                size: 4 * capacity as u64,
                usage: wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            }),
            ranges: Vec::new(),
        })))
    }
}

impl CpuView {
    fn cull(&mut self, crowd: &Crowd, camera: &ViewCamera) {
        let data = &crowd.model().data;
        let changes = Some(crowd.prepared_changes());
        if self.changes != changes {
            self.culling
                .set_instances(crowd.prepared_instances(), &data.clips);
            self.changes = changes;
        }
        let visible = self.culling.cull(camera, crowd.prepared_time());
        let queue = &data.gpu.queue;
        queue.write_buffer(&self.visible, 0, bytemuck::cast_slice(&visible.records));
        queue.write_buffer(&self.indices, 0, bytemuck::cast_slice(&visible.indices));
        let mut first = 0;
        self.ranges.clear();
        self.ranges.extend(visible.counts.iter().map(|count| {
            let range = first..first + count;
            first = range.end;
            range
        }));
    }
}

impl CrowdView {
    /// Returns true if compute passes cull.
    pub fn is_on_gpu(&self) -> bool {
        self.mode == CullingMode::Auto
    }
}
