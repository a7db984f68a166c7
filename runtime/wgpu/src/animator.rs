//! Animation of a crowd's instances: bindings, palettes and the work of each frame.

use throng_format::ClipTiming;
use throng_rig::{CharacterPose, Skinning};
use throng_shaders::{
    CaptureTarget, PaletteSource, SetInfo, Shader, fill_palette_shader, with_set_info,
};

use crate::bindings::{Bindings, FrameUniform, Resource};
use crate::cpu::{CpuAnimator, PaletteLayout};
use crate::crowd::DeformedParts;
use crate::instance::{Instance, Ticks};
use crate::joint_pass::JointPass;
use crate::mesh::{MeshBuffers, VertexBlock};
use crate::pipeline::{PassTargets, Primitives, render_pipeline};
use crate::target::WordTarget;
use crate::{Fades, Gpu, GpuError, texture};

/// Provides poses of instances to vertex shaders.
#[derive(Debug)]
pub(crate) struct Animator {
    deforms: DeformedParts,
    clips: Vec<ClipTiming>,
    /// Resources of the character, independent of instances.
    resources: Vec<(u32, Resource)>,
    source: PoseSource,
    /// Features of the shaders.
    features: ShaderFeatures,
    /// Resources of bind group 1, including those of the instances.
    bound: Vec<(u32, Resource)>,
    bindings: Option<Bindings>,
}

/// Features that shaders are compiled with. Unused ones are left out, because some devices run both sides of every
/// branch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct ShaderFeatures {
    pub fades: Fades,
    pub max_influences: usize,
    pub info: SetInfo,
    pub tables: TableStorage,
}

/// Storage of the tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TableStorage {
    /// A uniform block, for small tables.
    Uniform,
    /// A texture.
    Texture,
}

impl ShaderFeatures {
    /// All features that a set may use. `resources` tell where the tables are.
    pub fn of(info: SetInfo, resources: &[(u32, Resource)]) -> Self {
        let is_block = |(binding, resource): &(u32, Resource)| {
            *binding == 1 && matches!(resource, Resource::Uniform(_))
        };
        let tables = match resources.iter().any(is_block) {
            true => TableStorage::Uniform,
            false => TableStorage::Texture,
        };
        Self {
            fades: Fades::Possible,
            max_influences: usize::MAX,
            info,
            tables,
        }
    }

    /// Resources that only captures read: the metadata of the set, and the size of the target.
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

    /// Reduces a shader to these features and compiles the set's metadata in: for passes of every frame.
    pub fn specialize(&self, shader: Shader) -> Result<Shader, GpuError> {
        Ok(with_set_info(&self.reduce(shader), &self.info)?)
    }

    /// Reduces a shader to these features, with the set's metadata bound, so that devices compile it once for all sets:
    /// for occasional passes.
    pub fn reduce(&self, shader: Shader) -> Shader {
        let mut shader = shader.with_max_influences(self.max_influences);
        if self.fades == Fades::None {
            shader = shader.without_fades();
        }
        if self.tables == TableStorage::Uniform {
            shader = shader.with_uniform_tables();
        }
        shader
    }
}

/// Source of poses.
#[derive(Debug)]
pub(crate) enum PoseSource {
    /// The vertex shader reads the textures of the set.
    Textures,
    /// A decode pass fills a palette.
    Pass {
        source: PaletteSource,
        pass: Option<DecodePass>,
    },
    /// The CPU fills a palette.
    CpuPalette {
        animator: Box<CpuAnimator>,
        layout: PaletteLayout,
        skinning: Skinning,
        instances: Vec<Instance>,
        palette: Option<WordTarget>,
        texels: Vec<[u32; 4]>,
    },
    /// The CPU skins vertices.
    CpuVertices {
        animator: Box<CpuAnimator>,
        skinning: Skinning,
        instances: Vec<Instance>,
        buffer: Option<wgpu::Buffer>,
        vertices: Vec<VertexBlock>,
    },
}

/// A palette and the pass that fills it.
#[derive(Debug)]
pub(crate) struct DecodePass {
    palette: WordTarget,
    work: DecodeWork,
}

/// Kind of a decode pass: compute for `bone-local` if the device supports it, else a fragment pass.
#[derive(Debug)]
enum DecodeWork {
    Compute(JointPass),
    Draw {
        bindings: Bindings,
        pipeline: Option<wgpu::RenderPipeline>,
    },
}

impl PoseSource {
    pub fn pass(source: PaletteSource) -> Self {
        Self::Pass { source, pass: None }
    }

    pub fn cpu_palette(animator: CpuAnimator, layout: PaletteLayout, skinning: Skinning) -> Self {
        Self::CpuPalette {
            animator: Box::new(animator),
            layout,
            skinning,
            instances: Vec::new(),
            palette: None,
            texels: Vec::new(),
        }
    }

    pub fn cpu_vertices(animator: CpuAnimator, skinning: Skinning) -> Self {
        Self::CpuVertices {
            animator: Box::new(animator),
            skinning,
            instances: Vec::new(),
            buffer: None,
            vertices: Vec::new(),
        }
    }
}

impl Animator {
    /// Makes an animator without instances; `resources` are the textures and tables.
    pub fn new(
        deforms: DeformedParts,
        info: SetInfo,
        clips: Vec<ClipTiming>,
        resources: Vec<(u32, Resource)>,
        source: PoseSource,
    ) -> Self {
        Self {
            deforms,
            clips,
            features: ShaderFeatures::of(info, &resources),
            resources,
            source,
            bound: Vec::new(),
            bindings: None,
        }
    }

    /// Leaves features out of the shaders.
    pub fn restrict(&mut self, fades: Fades, max_influences: usize) {
        self.features.fades = fades;
        self.features.max_influences = max_influences;
    }

    /// Features of the shaders.
    pub fn features(&self) -> &ShaderFeatures {
        &self.features
    }

    pub fn deforms(&self) -> &DeformedParts {
        &self.deforms
    }

    pub fn clips(&self) -> &[ClipTiming] {
        &self.clips
    }

    /// Bind group 1; available once instances are set.
    pub fn bindings(&self) -> &Bindings {
        self.bindings
            .as_ref()
            .expect("instances are set when a crowd is made")
    }

    /// Resources of bind group 1, for passes that bind further ones.
    pub fn bound_resources(&self) -> &[(u32, Resource)] {
        &self.bound
    }

    /// Vertices that the CPU skinned, instance after instance.
    pub fn cpu_vertices(&self) -> Option<&wgpu::Buffer> {
        match &self.source {
            PoseSource::CpuVertices { buffer, .. } => buffer.as_ref(),
            _ => None,
        }
    }

    /// Shows one pose for all instances; returns false if the CPU does not pose.
    pub fn hold(&mut self, pose: CharacterPose) -> bool {
        match &mut self.source {
            PoseSource::CpuPalette { animator, .. } | PoseSource::CpuVertices { animator, .. } => {
                animator.hold(pose);
            }
            PoseSource::Textures | PoseSource::Pass { .. } => return false,
        }
        true
    }

    /// Replaces all instances.
    pub fn set_instances(
        &mut self,
        gpu: &Gpu,
        mesh: &MeshBuffers,
        instances: &[Instance],
    ) -> Result<(), GpuError> {
        let mut bound = self.resources.clone();
        bound.extend(
            self.features
                .capture_resources(gpu, mesh, instances.len())?,
        );
        let info = &self.features.info;
        let stride = info.palette_stride;
        match &mut self.source {
            PoseSource::Textures => {}
            PoseSource::Pass { source, pass } => {
                let palette = WordTarget::new(gpu, "palettes", stride, instances.len())?;
                let mut decoded = self.resources.clone();
                decoded.push((7, Resource::instances(gpu, instances, &self.clips)?));
                bound.retain(|(binding, _)| *binding != 2);
                bound.push((2, Resource::Table(palette.view.clone())));
                let previous = pass.take().map(|pass| pass.work);
                let joints = info.joint_curves.joints;
                let can_compute = *source == PaletteSource::Curves
                    && JointPass::max_instances(gpu, joints) >= instances.len() as u64;
                let work = if can_compute {
                    let previous = match previous {
                        Some(DecodeWork::Compute(pass)) => Some(pass),
                        _ => None,
                    };
                    let pass =
                        JointPass::new(gpu, decoded, &palette, joints, instances.len(), previous)?;
                    DecodeWork::Compute(pass)
                } else {
                    let pipeline = match previous {
                        Some(DecodeWork::Draw { pipeline, .. }) => pipeline,
                        _ => None,
                    };
                    DecodeWork::Draw {
                        bindings: Bindings::new(gpu, "palettes", &decoded)?,
                        pipeline,
                    }
                };
                *pass = Some(DecodePass { palette, work });
            }
            PoseSource::CpuPalette {
                instances: kept,
                palette,
                ..
            } => {
                *kept = instances.to_vec();
                let target = WordTarget::new(gpu, "palettes", stride, instances.len())?;
                bound.push((2, Resource::Table(target.view.clone())));
                *palette = Some(target);
            }
            PoseSource::CpuVertices {
                instances: kept,
                buffer,
                ..
            } => {
                *kept = instances.to_vec();
                let bytes = u64::from(mesh.vertex_count) * size_of::<VertexBlock>() as u64;
                let made = gpu.checked(|| {
                    gpu.device.create_buffer(&wgpu::BufferDescriptor {
                        label: Some("skinned vertices"),
                        size: bytes * instances.len() as u64,
                        usage: wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::COPY_DST,
                        mapped_at_creation: false,
                    })
                })?;
                *buffer = Some(made);
            }
        }
        self.bindings = Some(Bindings::new(gpu, "set", &bound)?);
        self.bound = bound;
        Ok(())
    }

    /// Encodes or uploads the poses of a time.
    pub fn prepare(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        frame: &FrameUniform,
        now: Ticks,
    ) -> Result<(), GpuError> {
        match &mut self.source {
            PoseSource::Textures => {}
            PoseSource::Pass { source, pass } => {
                let Some(pass) = pass else { return Ok(()) };
                pass.encode(gpu, *source, &self.features, encoder, frame)?;
            }
            PoseSource::CpuPalette {
                animator,
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
                    animator.write_palette(instance, now, *layout, *skinning, texels);
                }
                let columns = throng_shaders::TABLE_COLUMNS;
                texels.resize((columns * palette.height) as usize, [0; 4]);
                let size = [columns, palette.height, 1];
                texture::write(gpu, &palette.texture, size, bytemuck::cast_slice(texels));
            }
            PoseSource::CpuVertices {
                animator,
                skinning,
                instances,
                buffer,
                vertices,
            } => {
                let Some(buffer) = buffer else { return Ok(()) };
                vertices.clear();
                for instance in &*instances {
                    animator.write_vertices(instance, now, *skinning, vertices);
                }
                gpu.queue
                    .write_buffer(buffer, 0, bytemuck::cast_slice(vertices));
            }
        }
        Ok(())
    }
}

impl DecodePass {
    /// Encodes the pass.
    fn encode(
        &mut self,
        gpu: &Gpu,
        source: PaletteSource,
        features: &ShaderFeatures,
        encoder: &mut wgpu::CommandEncoder,
        frame: &FrameUniform,
    ) -> Result<(), GpuError> {
        let (bindings, pipeline) = match &mut self.work {
            DecodeWork::Compute(pass) => return pass.dispatch(gpu, features, encoder, frame),
            DecodeWork::Draw { bindings, pipeline } => (bindings, pipeline),
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
                let shader = features.specialize(fill_palette_shader(source))?;
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
