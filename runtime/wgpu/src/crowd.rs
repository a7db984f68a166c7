//! Crowds: instances of one character, animated by one technique.

use std::sync::Arc;

use throng_format::{ClipTiming, DecodeParams, TextureSet};
use throng_rig::{Character, CharacterPose, LoopPolicy, Skinning};
use throng_shaders::{ConstantsError, Deform, Frame, Pass, SetInfo, Shader, SkinMethod};
use throng_skin::rest_vertices;
use wgpu::util::{BufferInitDescriptor, DeviceExt};

use crate::animator::{Animator, PoseSource};
use crate::bindings::{Bindings, FrameUniform, Resource};
use crate::capture::Capture;
use crate::cpu::{self, CpuAnimator, PaletteLayout};
use crate::instance::{Instance, Ticks};
use crate::mesh::{MeshBuffers, MeshData, PartRange, VertexSource, default_deform_factor};
use crate::pipeline::{PassTargets, Primitives, render_pipeline};
use crate::set_shaders::{set_tables_of, set_textures};
use crate::skin_once::SkinOnce;
use crate::texture::{upload, upload_layered_table, upload_table};
use crate::{DecodeMode, Fades, Gpu, GpuError, Instancing, Technique, set_info};

/// Settings of a crowd.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct CrowdSettings {
    /// Draw calls of the crowd.
    pub instancing: Instancing,
    /// Stage that decodes bone textures.
    pub decode: DecodeMode,
    /// Support for cross-fades.
    pub fades: Fades,
}

/// Deforms and the parts that use them.
pub(crate) type DeformedParts = Vec<(Deform, Vec<PartRange>)>;

/// Instances of one character, animated by one technique.
///
/// Once instances are set, a frame of a texture technique costs the CPU one write of a [`FrameUniform`], at most one
/// decode pass and one draw call per part, for any number of instances.
#[derive(Debug)]
pub struct Crowd {
    gpu: Gpu,
    mesh: Arc<MeshBuffers>,
    animator: Animator,
    skin_once: Option<SkinOnce>,
    instancing: Instancing,
    fades: Fades,
    instances: Instances,
    deform_factor: f32,
    /// Created by the first capture.
    capture: Option<Capture>,
}

/// The instance buffer and its length.
#[derive(Debug)]
struct Instances {
    buffer: wgpu::Buffer,
    count: u32,
}

impl Crowd {
    /// Makes a crowd that is animated by a texture set. It has one default instance.
    pub fn of_set(gpu: &Gpu, set: &TextureSet, settings: CrowdSettings) -> Result<Self, GpuError> {
        let skinning = set.manifest().method;
        let tables = set_tables_of(set, skinning)?;
        let data = MeshData::of_set(set, skinning, &tables);
        let mut info = tables.info;
        info.vertices = data.vertices.len() as u32;
        let mut source = None;
        let deforms = by_deform(&data.parts, |method| {
            let (deform, palette) = set_info::set_deform(set, method, settings.decode);
            source = palette;
            deform
        });
        let mut resources = mesh_resources(gpu, &data, &tables.tables)?;
        for texture in set_textures(set) {
            let view = upload(gpu, &texture.device_texels(set))?;
            resources.push((texture.binding, Resource::Texels(view, texture.texels)));
        }
        let mesh = Arc::new(MeshBuffers::new(gpu, data)?);
        let clips = DecodeParams::of(set).clips;
        let pose_source = source.map_or(PoseSource::Textures, PoseSource::pass);
        let animator = Animator::new(deforms, info, clips, resources, pose_source);
        Self::new(gpu, mesh, animator, skinning, settings)
    }

    /// Makes a crowd that is static or animated by the CPU. It has one default instance. `loops` are the loop policies of
    /// the clips; clips without one wrap.
    pub fn of_character(
        gpu: &Gpu,
        character: &Arc<Character>,
        loops: &[LoopPolicy],
        technique: Technique,
        skinning: impl Into<Skinning>,
        settings: CrowdSettings,
    ) -> Result<Self, GpuError> {
        let skinning = skinning.into();
        if technique == Technique::Cpu && settings.instancing == Instancing::SkinOnce {
            return Err(GpuError::CpuSkinOnce);
        }
        let clips = cpu::clip_timings(character, loops);
        let cpu_animator = || CpuAnimator::new(character.clone(), clips.clone());
        match technique {
            Technique::Control | Technique::Cpu => {
                let rest = rest_vertices(character, skinning);
                let data = MeshData::new(character, skinning, &VertexSource::Rest(&rest));
                let info = SetInfo {
                    vertices: data.vertices.len() as u32,
                    ..SetInfo::default()
                };
                let resources = mesh_resources(gpu, &data, &[[0; 4]])?;
                let deforms = by_deform(&data.parts, |_| Deform::Static);
                let mesh = Arc::new(MeshBuffers::new(gpu, data)?);
                let pose_source = match technique {
                    Technique::Cpu => PoseSource::cpu_vertices(cpu_animator(), skinning),
                    _ => PoseSource::Textures,
                };
                let animator = Animator::new(deforms, info, clips, resources, pose_source);
                Self::new(gpu, mesh, animator, skinning, settings)
            }
            Technique::PaletteMatrix | Technique::PaletteDq => {
                let layout = match technique {
                    Technique::PaletteMatrix => PaletteLayout::Matrix,
                    _ if cpu::is_always_rigid(character) => PaletteLayout::Dual,
                    _ => PaletteLayout::Stretch,
                };
                let first_palette_indices = set_info::first_palette_indices(character);
                let palette_len = first_palette_indices[character.skins().len()];
                let bone_offsets = vec![0; palette_len as usize];
                let mesh_scales = vec![1.0; character.skins().len()];
                let vertex_source = VertexSource::Joints {
                    first_palette_indices: &first_palette_indices,
                    bone_offsets: &bone_offsets,
                    mesh_scales: &mesh_scales,
                };
                let data = MeshData::new(character, skinning, &vertex_source);
                if layout == PaletteLayout::Matrix
                    && let Some(part) = data.parts.iter().find(|part| part.method.is_dual())
                {
                    return Err(GpuError::MatrixPalette(part.method.name()));
                }
                let weights: usize = character
                    .morph_sets()
                    .iter()
                    .map(|set| set.range().len())
                    .sum();
                let info = SetInfo {
                    vertices: data.vertices.len() as u32,
                    palette_len,
                    palette_stride: palette_len * layout.texels() + weights.div_ceil(4) as u32,
                    morph_table: palette_len * layout.texels(),
                    ..SetInfo::default()
                };
                let deforms = by_deform(&data.parts, |method| {
                    cpu::palette_deform(layout, method, weights > 0)
                });
                let resources = mesh_resources(gpu, &data, &[[0; 4]])?;
                let mesh = Arc::new(MeshBuffers::new(gpu, data)?);
                let pose_source = PoseSource::cpu_palette(cpu_animator(), layout, skinning);
                let animator = Animator::new(deforms, info, clips, resources, pose_source);
                Self::new(gpu, mesh, animator, skinning, settings)
            }
            Technique::Texture(_) => Err(GpuError::WrongSource {
                technique: technique.name(),
                needs: "a texture set: bake one",
            }),
        }
    }

    fn new(
        gpu: &Gpu,
        mesh: Arc<MeshBuffers>,
        mut animator: Animator,
        skinning: Skinning,
        settings: CrowdSettings,
    ) -> Result<Self, GpuError> {
        animator.restrict(settings.fades, mesh.max_influences);
        let mut crowd = Self {
            gpu: gpu.clone(),
            skin_once: None,
            instances: Instances {
                buffer: instance_buffer(gpu, &[], animator.clips())?,
                count: 0,
            },
            mesh,
            animator,
            instancing: settings.instancing,
            fades: settings.fades,
            deform_factor: default_deform_factor(skinning),
            capture: None,
        };
        crowd.set_instances(&[Instance::default()])?;
        Ok(crowd)
    }

    /// Replaces all instances.
    pub fn set_instances(&mut self, instances: &[Instance]) -> Result<(), GpuError> {
        let clips = self.animator.clips();
        for (index, instance) in instances.iter().enumerate() {
            if self.fades == Fades::None && instance.fade.is_some() {
                return Err(GpuError::NoFades { instance: index });
            }
            if let Some(clip) = instance
                .clips()
                .find(|&clip| clip as usize >= clips.len().max(1))
            {
                return Err(GpuError::NoSuchClip {
                    instance: index,
                    clip,
                    clips: clips.len() as u32,
                });
            }
        }
        if instances.len() != self.len() {
            self.capture = None;
        }
        self.instances = Instances {
            buffer: instance_buffer(&self.gpu, instances, clips)?,
            count: instances.len() as u32,
        };
        if self.instancing == Instancing::SkinOnce {
            let skin_once = SkinOnce::new(&self.gpu, &self.mesh, &mut self.animator, instances)?;
            self.skin_once = Some(skin_once);
            return Ok(());
        }
        self.animator
            .set_instances(&self.gpu, &self.mesh, instances)
    }

    /// Shows one pose of the character for all instances, whatever they play. Fails unless the CPU poses (`cpu`,
    /// `palette-matrix`, `palette-dq`).
    pub fn hold(&mut self, pose: CharacterPose) -> Result<(), GpuError> {
        match self.animator.hold(pose) {
            true => Ok(()),
            false => Err(GpuError::WrongSource {
                technique: "of this crowd",
                needs: "a clip and a time; cpu, palette-matrix and palette-dq take poses",
            }),
        }
    }

    /// Number of instances.
    pub fn len(&self) -> usize {
        self.instances.count as usize
    }

    /// Returns true if there are no instances.
    pub fn is_empty(&self) -> bool {
        self.instances.count == 0
    }

    /// Number of vertices per instance.
    pub fn vertex_count(&self) -> usize {
        self.mesh.vertex_count as usize
    }

    /// Number of triangles per instance.
    pub fn triangle_count(&self) -> usize {
        let indices: u32 = self.mesh.parts.iter().map(|part| part.indices).sum();
        indices as usize / 3
    }

    /// Deform factor that the skinning method names; frames may set another.
    pub fn deform_factor(&self) -> f32 {
        self.deform_factor
    }

    /// Encodes the work before drawing: uploads of CPU poses, the decode pass, skinning of groups. `frame` must have been
    /// written for the same time.
    pub fn prepare(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        frame: &FrameUniform,
        now: Ticks,
    ) -> Result<(), GpuError> {
        self.animator.prepare(&self.gpu, encoder, frame, now)?;
        if let Some(skin_once) = &mut self.skin_once {
            skin_once.prepare(&self.gpu, &self.mesh, &self.animator, encoder, frame)?;
        }
        Ok(())
    }

    fn deforms(&self) -> (&DeformedParts, &Bindings) {
        match &self.skin_once {
            Some(skin_once) => (&skin_once.deforms, &skin_once.bindings),
            None => (self.animator.deforms(), self.animator.bindings()),
        }
    }

    /// Makes the pipelines that draw the crowd into a target. Bind groups from 2 on are the caller's; `others` are
    /// their layouts.
    pub fn pipelines(
        &self,
        frame: &FrameUniform,
        others: &[&wgpu::BindGroupLayout],
        targets: &PassTargets,
    ) -> Result<CrowdPipelines, GpuError> {
        let shader = |deform| throng_shaders::deform_shader(deform, Pass::Draw);
        self.pipelines_with(frame, others, targets, shader)
    }

    /// Makes the pipelines that draw the depth of the crowd, as [`Self::pipelines`]; group 2 is the part's material.
    pub fn shadow_pipelines(
        &self,
        frame: &FrameUniform,
        others: &[&wgpu::BindGroupLayout],
        targets: &PassTargets,
    ) -> Result<CrowdPipelines, GpuError> {
        let shader = |deform| throng_shaders::deform_shader(deform, Pass::Shadow);
        self.pipelines_with(frame, others, targets, shader)
    }

    /// Makes pipelines from shaders that the caller chooses, one for each [`Deform`] of the crowd's parts.
    ///
    /// The metadata of the set is compiled into a shader that reads it; a shader that does not is compiled as it is.
    pub fn pipelines_with(
        &self,
        frame: &FrameUniform,
        others: &[&wgpu::BindGroupLayout],
        targets: &PassTargets,
        shader: impl Fn(Deform) -> Shader,
    ) -> Result<CrowdPipelines, GpuError> {
        let specialised = |deform| {
            let shader = shader(deform);
            match self.animator.features().specialize(shader.clone()) {
                Err(GpuError::Constants(ConstantsError::NoSet(_))) => Ok(shader),
                fitted => fitted,
            }
        };
        self.make_pipelines(frame, others, targets, Primitives::Triangles, specialised)
    }

    fn make_pipelines(
        &self,
        frame: &FrameUniform,
        others: &[&wgpu::BindGroupLayout],
        targets: &PassTargets,
        primitives: Primitives,
        shader: impl Fn(Deform) -> Result<Shader, GpuError>,
    ) -> Result<CrowdPipelines, GpuError> {
        let (deforms, bindings) = self.deforms();
        let mut layouts = vec![&frame.bindings.layout, &bindings.layout];
        layouts.extend(others);
        let pipelines = deforms.iter().map(|(deform, _)| {
            render_pipeline(&self.gpu, &shader(*deform)?, &layouts, primitives, targets)
        });
        Ok(CrowdPipelines(pipelines.collect::<Result<_, _>>()?))
    }

    /// Draws all instances. `material` is called before the draw calls of each part with its material index, to bind the
    /// caller's groups.
    pub fn draw(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        frame: &FrameUniform,
        pipelines: &CrowdPipelines,
        mut material: impl FnMut(&mut wgpu::RenderPass<'_>, Option<usize>),
    ) {
        let (deforms, bindings) = self.deforms();
        self.bind(pass, frame, bindings);
        pass.set_index_buffer(self.mesh.indices.slice(..), wgpu::IndexFormat::Uint32);
        for (pipeline, (_, parts)) in pipelines.0.iter().zip(deforms) {
            pass.set_pipeline(pipeline);
            for part in parts {
                material(pass, part.material);
                let indices = part.first_index..part.first_index + part.indices;
                self.draw_each(pass, |pass, instances| {
                    pass.draw_indexed(indices.clone(), 0, instances);
                });
            }
        }
    }

    fn bind(&self, pass: &mut wgpu::RenderPass<'_>, frame: &FrameUniform, bindings: &Bindings) {
        pass.set_bind_group(0, &frame.bindings.group, &[]);
        pass.set_bind_group(1, &bindings.group, &[]);
        pass.set_vertex_buffer(0, self.mesh.vertices.slice(..));
        pass.set_vertex_buffer(1, self.mesh.attributes.slice(..));
        pass.set_vertex_buffer(2, self.instances.buffer.slice(..));
    }

    /// Issues one draw call for all instances, or one per instance.
    fn draw_each(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        draw: impl Fn(&mut wgpu::RenderPass<'_>, std::ops::Range<u32>),
    ) {
        let count = self.instances.count;
        if let Some(vertices) = self.animator.cpu_vertices() {
            let bytes =
                u64::from(self.mesh.vertex_count) * size_of::<crate::mesh::VertexBlock>() as u64;
            for instance in 0..count {
                let first = u64::from(instance) * bytes;
                pass.set_vertex_buffer(0, vertices.slice(first..first + bytes));
                draw(pass, instance..instance + 1);
            }
            return;
        }
        match self.instancing {
            Instancing::Loop => (0..count).for_each(|instance| draw(pass, instance..instance + 1)),
            Instancing::Instanced | Instancing::SkinOnce => draw(pass, 0..count),
        }
    }

    /// Draws all vertices at a time and reads them back, in world space. Blocks, so it cannot be used in browsers.
    pub fn capture(&mut self, now: Ticks, deform_factor: f32) -> Result<Vec<Captured>, GpuError> {
        let gpu = self.gpu.clone();
        gpu.checked(|| self.capture_on(&gpu, now, deform_factor))?
    }

    fn capture_on(
        &mut self,
        gpu: &Gpu,
        now: Ticks,
        deform_factor: f32,
    ) -> Result<Vec<Captured>, GpuError> {
        let capture = match self.capture.take() {
            Some(capture) => capture,
            None => Capture::new(gpu, self)?,
        };
        capture.frame.write(
            gpu,
            &Frame {
                now: now.0,
                deform_factor,
                ..Frame::default()
            },
        );
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        self.prepare(&mut encoder, &capture.frame, now)?;
        gpu.checked(|| {
            let mut pass = capture.begin(&mut encoder);
            let (deforms, bindings) = self.deforms();
            self.bind(&mut pass, &capture.frame, bindings);
            for (pipeline, (_, parts)) in capture.pipelines.0.iter().zip(deforms) {
                pass.set_pipeline(pipeline);
                for part in parts {
                    let range = part.first_vertex..part.first_vertex + part.vertices;
                    self.draw_each(&mut pass, |pass, instances| {
                        pass.draw(range.clone(), instances);
                    });
                }
            }
            drop(pass);
            gpu.queue.submit([encoder.finish()]);
        })?;
        let captured = capture.read(gpu, self.vertex_count(), self.len())?;
        self.capture = Some(capture);
        Ok(captured)
    }

    /// Makes the pipelines of the capture pass.
    pub(crate) fn capture_pipelines(
        &self,
        frame: &FrameUniform,
        targets: &PassTargets,
    ) -> Result<CrowdPipelines, GpuError> {
        let shader = |deform| {
            let shader = throng_shaders::deform_shader(deform, Pass::Capture);
            Ok(self.animator.features().reduce(shader))
        };
        self.make_pipelines(frame, &[], targets, Primitives::Points, shader)
    }
}

/// Pipelines of a crowd for one render pass, one per deform.
#[derive(Debug)]
pub struct CrowdPipelines(pub(crate) Vec<wgpu::RenderPipeline>);

/// Vertices of one instance, read back from the device. Parts are consecutive, in the order of the model.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Captured {
    /// Positions in world space.
    pub positions: Vec<glam::Vec3>,
    /// Normals in world space, of unit length.
    pub normals: Vec<glam::Vec3>,
}

/// Groups parts by their deform.
fn by_deform(parts: &[PartRange], mut deform: impl FnMut(SkinMethod) -> Deform) -> DeformedParts {
    let mut out: DeformedParts = Vec::new();
    for part in parts {
        let deform = deform(part.method);
        match out.iter_mut().find(|(known, _)| *known == deform) {
            Some((_, parts)) => parts.push(part.clone()),
            None => out.push((deform, vec![part.clone()])),
        }
    }
    out
}

/// Makes the resources that every technique binds: tables, further influences and morph targets.
fn mesh_resources(
    gpu: &Gpu,
    data: &MeshData,
    tables: &[[u32; 4]],
) -> Result<Vec<(u32, Resource)>, GpuError> {
    let mut resources = vec![
        (1, Resource::tables(gpu, tables)?),
        (
            4,
            Resource::Table(upload_table(gpu, "influences", &data.further_influences)?),
        ),
    ];
    if !data.morph_deltas.is_empty() {
        let view = upload_layered_table(gpu, &data.morph_deltas)?;
        resources.push((6, Resource::Texels(view, throng_shaders::TexelKind::Uint)));
    }
    Ok(resources)
}

/// Creates the instance buffer.
pub(crate) fn instance_buffer(
    gpu: &Gpu,
    instances: &[Instance],
    clips: &[ClipTiming],
) -> Result<wgpu::Buffer, GpuError> {
    let blocks: Vec<_> = instances
        .iter()
        .map(|instance| instance.to_block(clips))
        .collect();
    gpu.checked(|| {
        gpu.device.create_buffer_init(&BufferInitDescriptor {
            label: Some("instances"),
            contents: bytemuck::cast_slice(&blocks),
            usage: wgpu::BufferUsages::VERTEX,
        })
    })
}
