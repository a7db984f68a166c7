//! What has to be there before vertices can be moved: bindings, and what is made anew each frame.

use throng_format::ClipTiming;
use throng_rig::{CharacterPose, Skinning};
use throng_shaders::{
    CaptureTarget, PaletteSource, SetInfo, Shader, fill_palette_shader, with_set_info,
};

use crate::bindings::{Bindings, FrameUniform, Resource};
use crate::cpu::{CpuPoser, PaletteLayout};
use crate::crowd::DeformedParts;
use crate::instance::{Instance, Ticks};
use crate::joint_pass::JointPass;
use crate::mesh::{MeshBuffers, VertexBlock};
use crate::pipeline::{PassTargets, Primitives, render_pipeline};
use crate::target::WordTarget;
use crate::{Fades, Gpu, GpuError, texture};

/// Poses of some instances, for vertex shaders.
#[derive(Debug)]
pub(crate) struct Poser {
    deforms: DeformedParts,
    clips: Vec<ClipTiming>,
    /// Of the character, whoever plays.
    resources: Vec<(u32, Resource)>,
    kind: Kind,
    /// What shaders need to be ready for.
    needs: Needs,
    /// With what belongs to instances.
    drawn: Vec<(u32, Resource)>,
    bindings: Option<Bindings>,
}

/// What shaders need to be ready for: some devices run both sides of every branch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Needs {
    pub fades: Fades,
    pub max_influences: usize,
    pub info: SetInfo,
    pub tables: TablePlace,
}

/// Where shaders find tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TablePlace {
    /// In a block, where they are few.
    Uniform,
    /// In a texture.
    Texture,
}

impl Needs {
    /// Everything that a set may ask for. Its tables are where they are bound.
    pub fn of(info: SetInfo, resources: &[(u32, Resource)]) -> Self {
        let is_block = |(binding, resource): &(u32, Resource)| {
            *binding == 1 && matches!(resource, Resource::Uniform(_))
        };
        let tables = match resources.iter().any(is_block) {
            true => TablePlace::Uniform,
            false => TablePlace::Texture,
        };
        Self {
            fades: Fades::Possible,
            max_influences: usize::MAX,
            info,
            tables,
        }
    }

    /// What reading vertices back takes, for as many instances: the set, and where they go.
    pub fn capture_resources(
        &self,
        gpu: &Gpu,
        mesh: &MeshBuffers,
        instances: usize,
    ) -> Result<[(u32, Resource); 2], GpuError> {
        let target = CaptureTarget {
            rows: WordTarget::rows(mesh.vertex_count, instances) as u32,
            ..CaptureTarget::default()
        };
        let info = Resource::uniform(gpu, "set info", bytemuck::bytes_of(&self.info))?;
        let target = Resource::uniform(gpu, "capture target", bytemuck::bytes_of(&target))?;
        Ok([(0, info), (10, target)])
    }

    /// A shader that is ready for what is needed and no more, and knows its set: for what is done in every frame.
    pub fn fitted(&self, shader: Shader) -> Result<Shader, GpuError> {
        Ok(with_set_info(&self.lean(shader), &self.info)?)
    }

    /// The same with its set bound, so that devices compile it once for all sets: for what is done now and then.
    pub fn lean(&self, shader: Shader) -> Shader {
        let mut shader = shader.with_max_influences(self.max_influences);
        if self.fades == Fades::None {
            shader = shader.without_fades();
        }
        if self.tables == TablePlace::Uniform {
            shader = shader.with_uniform_tables();
        }
        shader
    }
}

/// Where poses come from.
#[derive(Debug)]
pub(crate) enum Kind {
    /// Everything is in the textures.
    Texels,
    /// A pass fills a palette.
    Pass {
        source: PaletteSource,
        filled: Option<Filled>,
    },
    /// The CPU fills a palette.
    CpuPalette {
        poser: Box<CpuPoser>,
        layout: PaletteLayout,
        skinning: Skinning,
        instances: Vec<Instance>,
        palette: Option<WordTarget>,
        texels: Vec<[u32; 4]>,
    },
    /// The CPU skins.
    CpuVertices {
        poser: Box<CpuPoser>,
        skinning: Skinning,
        instances: Vec<Instance>,
        buffer: Option<wgpu::Buffer>,
        vertices: Vec<VertexBlock>,
    },
}

/// A palette, and what fills it.
#[derive(Debug)]
pub(crate) struct Filled {
    palette: WordTarget,
    filler: Filler,
}

/// A pass: `bone-local` by compute where the device can, everything else by drawing.
#[derive(Debug)]
enum Filler {
    Compute(JointPass),
    Draw {
        bindings: Bindings,
        pipeline: Option<wgpu::RenderPipeline>,
    },
}

impl Kind {
    pub fn pass(source: PaletteSource) -> Self {
        Self::Pass {
            source,
            filled: None,
        }
    }

    pub fn cpu_palette(poser: CpuPoser, layout: PaletteLayout, skinning: Skinning) -> Self {
        Self::CpuPalette {
            poser: Box::new(poser),
            layout,
            skinning,
            instances: Vec::new(),
            palette: None,
            texels: Vec::new(),
        }
    }

    pub fn cpu_vertices(poser: CpuPoser, skinning: Skinning) -> Self {
        Self::CpuVertices {
            poser: Box::new(poser),
            skinning,
            instances: Vec::new(),
            buffer: None,
            vertices: Vec::new(),
        }
    }
}

impl Poser {
    /// `resources` are the textures and tables.
    pub fn new(
        deforms: DeformedParts,
        info: SetInfo,
        clips: Vec<ClipTiming>,
        resources: Vec<(u32, Resource)>,
        kind: Kind,
    ) -> Self {
        Self {
            deforms,
            clips,
            needs: Needs::of(info, &resources),
            resources,
            kind,
            drawn: Vec::new(),
            bindings: None,
        }
    }

    /// Says what shaders need not be ready for.
    pub fn restrict(&mut self, fades: Fades, max_influences: usize) {
        self.needs.fades = fades;
        self.needs.max_influences = max_influences;
    }

    /// What shaders need to be ready for.
    pub fn needs(&self) -> &Needs {
        &self.needs
    }

    pub fn deforms(&self) -> &DeformedParts {
        &self.deforms
    }

    pub fn clips(&self) -> &[ClipTiming] {
        &self.clips
    }

    /// Group 1, once instances are set.
    pub fn bindings(&self) -> &Bindings {
        self.bindings
            .as_ref()
            .expect("a crowd sets its instances first")
    }

    /// Group 1, once instances are set, for those who bind something else beside.
    pub fn drawn(&self) -> &[(u32, Resource)] {
        &self.drawn
    }

    /// Where the CPU puts vertices, instance after instance.
    pub fn cpu_vertices(&self) -> Option<&wgpu::Buffer> {
        match &self.kind {
            Kind::CpuVertices { buffer, .. } => buffer.as_ref(),
            _ => None,
        }
    }

    /// Puts everyone into a pose; false where the CPU does not pose.
    pub fn hold(&mut self, pose: CharacterPose) -> bool {
        match &mut self.kind {
            Kind::CpuPalette { poser, .. } | Kind::CpuVertices { poser, .. } => poser.hold(pose),
            Kind::Texels | Kind::Pass { .. } => return false,
        }
        true
    }

    pub fn set_instances(
        &mut self,
        gpu: &Gpu,
        mesh: &MeshBuffers,
        everyone: &[Instance],
    ) -> Result<(), GpuError> {
        let mut drawn = self.resources.clone();
        drawn.extend(self.needs.capture_resources(gpu, mesh, everyone.len())?);
        let info = &self.needs.info;
        let stride = info.palette_stride;
        match &mut self.kind {
            Kind::Texels => {}
            Kind::Pass { source, filled } => {
                let palette = WordTarget::new(gpu, "palettes", stride, everyone.len())?;
                let mut filling = self.resources.clone();
                filling.push((7, Resource::instances(gpu, everyone, &self.clips)?));
                drawn.retain(|(binding, _)| *binding != 2);
                drawn.push((2, Resource::Table(palette.view.clone())));
                let last = filled.take().map(|filled| filled.filler);
                let joints = info.joint_curves.joints;
                let can_compute = *source == PaletteSource::Curves
                    && JointPass::max_instances(gpu, joints) >= everyone.len() as u64;
                let filler = if can_compute {
                    let last = match last {
                        Some(Filler::Compute(pass)) => Some(pass),
                        _ => None,
                    };
                    let pass =
                        JointPass::new(gpu, filling, &palette, joints, everyone.len(), last)?;
                    Filler::Compute(pass)
                } else {
                    let pipeline = match last {
                        Some(Filler::Draw { pipeline, .. }) => pipeline,
                        _ => None,
                    };
                    Filler::Draw {
                        bindings: Bindings::new(gpu, "palettes", &filling)?,
                        pipeline,
                    }
                };
                *filled = Some(Filled { palette, filler });
            }
            Kind::CpuPalette {
                instances, palette, ..
            } => {
                *instances = everyone.to_vec();
                let target = WordTarget::new(gpu, "palettes", stride, everyone.len())?;
                drawn.push((2, Resource::Table(target.view.clone())));
                *palette = Some(target);
            }
            Kind::CpuVertices {
                instances, buffer, ..
            } => {
                *instances = everyone.to_vec();
                let bytes = u64::from(mesh.vertex_count) * size_of::<VertexBlock>() as u64;
                let made = gpu.checked(|| {
                    gpu.device.create_buffer(&wgpu::BufferDescriptor {
                        label: Some("skinned vertices"),
                        size: bytes * everyone.len() as u64,
                        usage: wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::COPY_DST,
                        mapped_at_creation: false,
                    })
                })?;
                *buffer = Some(made);
            }
        }
        self.bindings = Some(Bindings::new(gpu, "set", &drawn)?);
        self.drawn = drawn;
        Ok(())
    }

    /// Makes the poses of a moment.
    pub fn prepare(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        frame: &FrameUniform,
        now: Ticks,
    ) -> Result<(), GpuError> {
        match &mut self.kind {
            Kind::Texels => {}
            Kind::Pass { source, filled } => {
                let Some(filled) = filled else { return Ok(()) };
                filled.fill(gpu, *source, &self.needs, encoder, frame)?;
            }
            Kind::CpuPalette {
                poser,
                layout,
                skinning,
                instances,
                palette,
                texels,
            } => {
                let Some(palette) = palette else {
                    return Ok(());
                };
                texels.clear();
                for instance in &*instances {
                    poser.write_palette(instance, now, *layout, *skinning, texels);
                }
                let columns = throng_shaders::TABLE_COLUMNS;
                texels.resize((columns * palette.height) as usize, [0; 4]);
                let size = [columns, palette.height, 1];
                texture::write(gpu, &palette.texture, size, bytemuck::cast_slice(texels));
            }
            Kind::CpuVertices {
                poser,
                skinning,
                instances,
                buffer,
                vertices,
            } => {
                let Some(buffer) = buffer else { return Ok(()) };
                vertices.clear();
                for instance in &*instances {
                    poser.write_vertices(instance, now, *skinning, vertices);
                }
                gpu.queue
                    .write_buffer(buffer, 0, bytemuck::cast_slice(vertices));
            }
        }
        Ok(())
    }
}

impl Filled {
    fn fill(
        &mut self,
        gpu: &Gpu,
        source: PaletteSource,
        needs: &Needs,
        encoder: &mut wgpu::CommandEncoder,
        frame: &FrameUniform,
    ) -> Result<(), GpuError> {
        let (bindings, pipeline) = match &mut self.filler {
            Filler::Compute(pass) => return pass.dispatch(gpu, needs, encoder, frame),
            Filler::Draw { bindings, pipeline } => (bindings, pipeline),
        };
        let pipeline = match pipeline {
            Some(pipeline) => pipeline,
            None => {
                let layouts = [&frame.bindings.layout, &bindings.layout];
                let targets = PassTargets {
                    colors: vec![wgpu::TextureFormat::Rgba32Uint],
                    depth: None,
                    samples: 1,
                };
                let shader = needs.fitted(fill_palette_shader(source))?;
                let made = render_pipeline(gpu, &shader, &layouts, Primitives::Cover, &targets)?;
                pipeline.insert(made)
            }
        };
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("palettes"),
            color_attachments: &[self.palette.attachment()],
            ..Default::default()
        });
        pass.set_pipeline(pipeline);
        pass.set_bind_group(0, &frame.bindings.group, &[]);
        pass.set_bind_group(1, &bindings.group, &[]);
        pass.draw(0..3, 0..1);
        Ok(())
    }
}
