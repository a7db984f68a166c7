//! A character on the device: textures, mesh, shaders. Crowds and materials are made from it.

use std::sync::{Arc, OnceLock};

use throng_format::{ClipTiming, DecodeParams, TextureSet};
use throng_rig::Skinning;
use throng_shaders::{
    ColumnReader, CurveTexture, Deform, PaletteSource, SkinMethod, fill_palette_shader,
};

use crate::bindings::{Kinds, Layout, Resource, ResourceKind, kinds_of};
use crate::cull::{CullModel, CullPipelines};
use crate::curve_texture::curve_texture;
use crate::features::ShaderFeatures;
use crate::frame_uniform::FRAME_BINDING;
use crate::joint_pass::JointPipeline;
use crate::mesh::{MeshBuffers, MeshData, MeshPart, PartRange, default_deform_factor};
use crate::metadata_column::column_reader;
use crate::motion_textures::upload_textures;
use crate::pipeline::{Primitives, capture_pipelines, word_pipeline};
use crate::pose_source::PoseSource;
use crate::set_deform::set_deform;
use crate::set_shaders::set_tables_of;
use crate::skin_pipelines::SkinPipelines;
use crate::texture::{upload_layered_table, upload_table};
use crate::{
    DecodeMode, Fades, Gpu, GpuError, Instancing, MetadataSource, Motion, MotionTextures, Switches,
};

/// Settings of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ModelSettings {
    /// Draw calls of a crowd.
    pub instancing: Instancing,
    /// Stage that decodes bone textures.
    pub decode: DecodeMode,
    /// Support for cross-fades.
    pub fades: Fades,
    /// Support for motion vectors.
    pub motion: Motion,
    /// Place from which shaders read timing and ranges.
    pub metadata: MetadataSource,
    /// Steps that are switched off, for benchmarks.
    pub switches: Switches,
}

/// A character on a device: the textures of its animation and its mesh. Cheap to clone.
///
/// Nothing here waits for the device, so it works in browsers.
#[derive(Debug, Clone)]
pub struct CrowdModel {
    pub(crate) data: Arc<ModelData>,
}

/// Margin of the boxes of clips where the error of the set was not measured, as a fraction of its size.
const UNMEASURED_OF_SIZE: f64 = 0.01;

/// A level of detail of a model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ModelLevel {
    /// Number of triangles per instance.
    pub triangles: usize,
    /// Number of vertices per instance.
    pub vertices: usize,
    /// Largest number of influences per vertex.
    pub max_influences: usize,
    /// Largest distance of a vertex of the full mesh, as it should be, from the level, in metres, error of the set included
    /// where it was measured; 0 for the full mesh.
    pub max_error_m: f32,
}

/// Contents of a [`CrowdModel`].
#[derive(Debug)]
pub(crate) struct ModelData {
    pub gpu: Gpu,
    pub mesh: MeshBuffers,
    /// Techniques that deform the parts, without duplicates, and the index of each part's.
    pub deforms: Vec<Deform>,
    pub deform_of_part: Vec<usize>,
    /// Textures and tables of the character.
    pub resources: Vec<(u32, Resource)>,
    pub source: PoseSource,
    pub features: ShaderFeatures,
    pub instancing: Instancing,
    pub motion: Motion,
    pub switches: Switches,
    pub clips: Vec<ClipTiming>,
    clip_names: Vec<String>,
    parts: Vec<MeshPart>,
    pub deform_factor: f32,
    /// Layout of the group of shaders that deform.
    pub pose_layout: Layout,
    /// Layout of the group of shaders that draw: the same, or that of copies of vertices.
    pub draw_layout: Layout,
    pub skin: Option<SkinPipelines>,
    /// Bounding boxes and errors of levels.
    pub cull_model: CullModel,
    cull: OnceLock<CullPipelines>,
    joints: OnceLock<JointPipeline>,
    palette: OnceLock<(Layout, wgpu::RenderPipeline)>,
    capture: OnceLock<Vec<wgpu::RenderPipeline>>,
    no_tangents: OnceLock<wgpu::Buffer>,
}

/// Inputs of [`ModelData::new`].
pub(crate) struct ModelParts {
    pub data: MeshData,
    pub info: throng_shaders::SetInfo,
    pub deforms: Vec<Deform>,
    pub deform_of_part: Vec<usize>,
    pub resources: Vec<(u32, Resource)>,
    pub source: PoseSource,
    pub clips: Vec<ClipTiming>,
    pub clip_names: Vec<String>,
    pub skinning: Skinning,
    /// Reader of metadata in the texels.
    pub column: Option<ColumnReader>,
    /// Texture of compressed curves.
    pub curves: Option<CurveTexture>,
    pub cull_model: CullModel,
}

impl CrowdModel {
    /// Uploads a texture set: its textures and its mesh.
    pub fn new(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        set: &TextureSet,
        settings: ModelSettings,
    ) -> Result<Self, GpuError> {
        let gpu = Gpu::new(device, queue);
        let textures = upload_textures(&gpu, set)?;
        Self::of_set(gpu, set, textures, settings)
    }

    /// Uploads the mesh of a set whose textures are on the device already: those of its motion set, which the characters of
    /// a party share. Errors if the textures are others.
    pub fn with_motion(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        set: &TextureSet,
        motion: &MotionTextures,
        settings: ModelSettings,
    ) -> Result<Self, GpuError> {
        let textures = motion.of_set(set)?.to_vec();
        Self::of_set(Gpu::new(device, queue), set, textures, settings)
    }

    /// Returns true if the model draws with these textures themselves, not with a copy.
    pub fn uses(&self, motion: &MotionTextures) -> bool {
        motion.are_among(&self.data.resources)
    }

    fn of_set(
        gpu: Gpu,
        set: &TextureSet,
        textures: Vec<(u32, Resource)>,
        settings: ModelSettings,
    ) -> Result<Self, GpuError> {
        if set.manifest().is_motion() {
            return Err(GpuError::NoMesh {
                set: set.manifest().name.clone(),
            });
        }
        let skinning = set.manifest().method;
        let mut tables = set_tables_of(set, skinning)?;
        let curves = curve_texture(set, &mut tables.tables);
        let mut data = MeshData::of_set(set, skinning, &tables);
        let mut info = tables.info;
        info.vertices = data.vertices.len() as u32;
        // Levels are for draws of all instances at once, with vertices of their own.
        if settings.instancing == Instancing::Instanced {
            data.push_levels(set, skinning, &tables);
        }
        let bounds: Vec<_> = set.manifest().clips.iter().map(|c| c.bounds).collect();
        let errors: Vec<_> = data.levels.iter().map(|l| l.max_error_m).collect();
        let undeformed = data.undeformed_box();
        let cull_model = match settings.instancing {
            // A group shows what its first instance plays.
            Instancing::SkinOnce => CullModel::anywhere(undeformed, bounds.len()),
            Instancing::Loop | Instancing::Instanced => {
                // The error of a set that was not measured is not in its boxes.
                let is_measured = set.manifest().max_error_of_size.is_some();
                let margin_m = if is_measured {
                    0.0
                } else {
                    UNMEASURED_OF_SIZE * set.manifest().size
                };
                CullModel::with_margin(undeformed, &bounds, &errors, margin_m)
            }
        };
        let mut source = PoseSource::Textures;
        let (deforms, deform_of_part) = by_deform(&data.parts, |method| {
            let (deform, palette) = set_deform(set, method, settings.decode);
            source = palette.map_or(PoseSource::Textures, PoseSource::Pass);
            deform
        });
        let mut resources = mesh_resources(&gpu, &data, &tables.tables)?;
        resources.extend(textures);
        let clips = set.manifest().clips.iter();
        let parts = ModelParts {
            data,
            info,
            deforms,
            deform_of_part,
            resources,
            source,
            clips: DecodeParams::of(set).clips,
            clip_names: clips.map(|clip| clip.name.clone()).collect(),
            skinning,
            column: match settings.metadata {
                MetadataSource::Tables => None,
                MetadataSource::Column => Some(column_reader(set)?),
            },
            curves,
            cull_model,
        };
        Self::of_parts(gpu, parts, settings)
    }

    pub(crate) fn of_parts(
        gpu: Gpu,
        parts: ModelParts,
        settings: ModelSettings,
    ) -> Result<Self, GpuError> {
        let data = Arc::new(ModelData::new(gpu, parts, settings)?);
        Ok(Self { data })
    }

    /// Names of the clips, in the order of their indices.
    pub fn clip_names(&self) -> &[String] {
        &self.data.clip_names
    }

    /// Index of the clip of a name.
    pub fn clip(&self, name: &str) -> Option<u32> {
        let mut names = self.data.clip_names.iter();
        names.position(|known| known == name).map(|at| at as u32)
    }

    /// Timings of the clips, in the order of their indices.
    pub fn clip_timings(&self) -> &[ClipTiming] {
        &self.data.clips
    }

    /// Parts of the mesh.
    pub fn parts(&self) -> &[MeshPart] {
        &self.data.parts
    }

    /// Number of vertices per instance.
    pub fn vertex_count(&self) -> usize {
        self.data.mesh.vertex_count as usize
    }

    /// Number of triangles per instance.
    pub fn triangle_count(&self) -> usize {
        let parts = self.data.parts.iter();
        parts.map(|part| part.indices.len() / 3).sum()
    }

    /// Levels of detail, the full mesh first.
    pub fn levels(&self) -> impl ExactSizeIterator<Item = ModelLevel> {
        let mesh = &self.data.mesh;
        let errors = self.data.cull_model.errors.iter();
        let influences = self.data.level_influences();
        errors.enumerate().map(move |(level, &max_error_m)| {
            let parts = mesh.level_parts(level).iter();
            ModelLevel {
                triangles: parts.clone().map(|part| part.indices as usize / 3).sum(),
                vertices: parts.map(|part| part.vertices as usize).sum(),
                max_influences: influences[level],
                max_error_m,
            }
        })
    }

    /// Bytes of device memory per instance of a crowd: its record, and what poses it where a pass or the CPU does. Vertices
    /// that the CPU or [`Instancing::SkinOnce`] skins come on top.
    pub fn bytes_per_instance(&self) -> u64 {
        let data = &self.data;
        let record = size_of::<throng_shaders::InstanceBlock>() as u64;
        let palette = 16 * u64::from(data.features.info.palette_stride);
        let posed = match data.source {
            PoseSource::Textures => 0,
            PoseSource::Pass(PaletteSource::Bones(_)) => record + palette,
            PoseSource::Pass(PaletteSource::Curves) => {
                let joints = u64::from(data.features.info.joint_curves.joints);
                record + palette + joints * size_of::<throng_shaders::Rows>() as u64
            }
            #[cfg(feature = "cpu")]
            PoseSource::Cpu(_) => palette,
        };
        record + 4 + posed * u64::from(data.motion.copies())
    }

    /// Bytes of device memory per instance and [`crate::CrowdView`]: a copy of the record, its index and its level. Devices
    /// without `INDIRECT_FIRST_INSTANCE` hold the copy once per level of detail.
    pub fn view_bytes_per_instance(&self) -> u64 {
        let features = self.data.gpu.device.features();
        let regions = match features.contains(wgpu::Features::INDIRECT_FIRST_INSTANCE) {
            true => 1,
            false => self.data.mesh.level_count() as u64,
        };
        regions * (size_of::<throng_shaders::InstanceBlock>() as u64 + 4) + 4
    }

    /// Bounding boxes and errors of levels, for [`crate::CpuCulling`].
    pub fn cull_model(&self) -> &CullModel {
        &self.data.cull_model
    }

    /// Layout of Throng's bind group, for callers who build their own pipelines.
    pub fn bind_group_layout(&self) -> &wgpu::BindGroupLayout {
        &self.data.draw_layout.layout
    }
}

impl ModelData {
    fn new(gpu: Gpu, parts: ModelParts, settings: ModelSettings) -> Result<Self, GpuError> {
        let ModelParts {
            data,
            info,
            deforms,
            deform_of_part,
            mut resources,
            source,
            clips,
            clip_names,
            skinning,
            column,
            curves,
            cull_model,
        } = parts;
        let switches = settings.switches;
        switches.check(&deforms, &source, settings.instancing)?;
        let mesh = MeshBuffers::new(&gpu, data)?;
        let mut features = ShaderFeatures::of(info, &resources);
        features.fades = settings.fades;
        features.column = column;
        features.curves = curves;
        features.max_influences = mesh.max_influences;
        features.switches = switches;
        let info = Resource::uniform(&gpu, "set info", bytemuck::bytes_of(&info));
        resources.push((0, info));
        let has_palette = matches!(source, PoseSource::Pass(_)) || source.is_cpu_palette();
        let mut pose_kinds = kinds_of(&resources);
        if has_palette {
            pose_kinds.retain(|(binding, _)| *binding != 2);
            pose_kinds.push((2, ResourceKind::Table));
        }
        let per_crowd = per_crowd_kinds(settings.motion);
        pose_kinds.extend(&per_crowd);
        let vertex = wgpu::ShaderStages::VERTEX;
        let pose_layout = Layout::new(&gpu, "set", pose_kinds.clone(), vertex);
        let mut draw_layout = pose_layout.clone();
        let mut skin = None;
        if settings.instancing == Instancing::SkinOnce {
            let mut kinds: Kinds = kinds_of(&resources);
            kinds.retain(|(binding, _)| [0, 1].contains(binding));
            kinds.extend([(2, ResourceKind::Table), (3, ResourceKind::Table)]);
            kinds.extend(&per_crowd);
            draw_layout = Layout::new(&gpu, "skinned vertices", kinds, vertex);
            skin = Some(match source.is_skinned_by_cpu() {
                true => SkinPipelines::Cpu,
                false => {
                    SkinPipelines::new(&gpu, &mesh, &features, &deforms, &pose_layout, pose_kinds)?
                }
            });
        }
        let parts = mesh.parts.iter().map(PartRange::to_part).collect();
        Ok(Self {
            parts,
            gpu,
            mesh,
            deforms,
            deform_of_part,
            resources,
            source,
            features,
            instancing: settings.instancing,
            motion: settings.motion,
            switches,
            clips,
            clip_names,
            deform_factor: default_deform_factor(skinning),
            pose_layout,
            draw_layout,
            skin,
            cull_model,
            cull: OnceLock::new(),
            joints: OnceLock::new(),
            palette: OnceLock::new(),
            capture: OnceLock::new(),
            no_tangents: OnceLock::new(),
        })
    }

    /// Techniques of the shaders that draw, and the index of each part's.
    pub fn drawn_deforms(&self) -> (&[Deform], impl Fn(usize) -> usize) {
        let is_copied = self.skin.is_some();
        let deforms: &[Deform] = match is_copied {
            true => &[Deform::Copied],
            false => &self.deforms,
        };
        let of_part = move |part: usize| match is_copied {
            true => 0,
            false => self.deform_of_part[part],
        };
        (deforms, of_part)
    }

    /// The compute passes that cull, compiled when they are first needed.
    pub fn cull_pipelines(&self) -> &CullPipelines {
        self.cull.get_or_init(|| CullPipelines::new(&self.gpu))
    }

    /// Number of influences that the shaders of each level read, finest first.
    pub fn level_influences(&self) -> Vec<usize> {
        let levels = self.mesh.levels.iter().map(|level| level.max_influences);
        std::iter::once(self.mesh.max_influences)
            .chain(levels)
            .collect()
    }

    /// The compute pass of `bone-local`, compiled when it is first needed.
    pub fn joint_pipeline(&self) -> Result<&JointPipeline, GpuError> {
        if let Some(pipeline) = self.joints.get() {
            return Ok(pipeline);
        }
        let kinds = kinds_of(&self.resources);
        let kinds = kinds.into_iter().filter(|(at, _)| [1, 2].contains(at));
        let made = JointPipeline::new(&self.gpu, &self.features, kinds.collect())?;
        Ok(self.joints.get_or_init(|| made))
    }

    /// The fragment pass that fills palettes, compiled when it is first needed.
    pub fn palette_pipeline(
        &self,
        source: PaletteSource,
    ) -> Result<&(Layout, wgpu::RenderPipeline), GpuError> {
        if let Some(pipeline) = self.palette.get() {
            return Ok(pipeline);
        }
        let mut kinds = kinds_of(&self.resources);
        // Bones are in one or two textures.
        kinds.retain(|(at, _)| [1, 2, 3].contains(at));
        kinds.extend([
            (7, ResourceKind::Table),
            (FRAME_BINDING, ResourceKind::Uniform),
        ]);
        let stages = wgpu::ShaderStages::VERTEX_FRAGMENT;
        let layout = Layout::new(&self.gpu, "palettes", kinds, stages);
        let shader = self.features.specialize(fill_palette_shader(source))?;
        let made = word_pipeline(&self.gpu, shader, &layout, Primitives::Cover, 1);
        Ok(self.palette.get_or_init(|| (layout, made)))
    }

    /// The capture pass, compiled when it is first needed: one pipeline per technique that draws.
    pub fn capture_pipelines(&self) -> &[wgpu::RenderPipeline] {
        self.capture.get_or_init(|| {
            let (deforms, _) = self.drawn_deforms();
            capture_pipelines(
                &self.gpu,
                &self.mesh,
                &self.features,
                deforms,
                &self.draw_layout,
            )
        })
    }

    /// The buffer of tangents; zeros if the mesh has none.
    pub fn tangents(&self) -> &wgpu::Buffer {
        match &self.mesh.tangents {
            Some(tangents) => tangents,
            None => self.no_tangents.get_or_init(|| {
                self.gpu.device.create_buffer(&wgpu::BufferDescriptor {
                    label: Some("no tangents"),
                    size: self.mesh.tangent_bytes(),
                    usage: wgpu::BufferUsages::VERTEX,
                    mapped_at_creation: false,
                })
            }),
        }
    }
}

/// Resources that depend on the instances: the size of capture targets, the frame and, for motion, the instances.
fn per_crowd_kinds(motion: Motion) -> Kinds {
    let mut kinds = vec![
        (10, ResourceKind::Uniform),
        (FRAME_BINDING, ResourceKind::Uniform),
    ];
    if motion == Motion::Previous {
        kinds.push((7, ResourceKind::Table));
    }
    kinds
}

/// Returns the techniques of the parts without duplicates, and the index of each part's.
pub(crate) fn by_deform(
    parts: &[PartRange],
    mut deform: impl FnMut(SkinMethod) -> Deform,
) -> (Vec<Deform>, Vec<usize>) {
    let mut deforms = Vec::new();
    let mut of_part = Vec::new();
    for part in parts {
        let deform = deform(part.method);
        let known = deforms.iter().position(|known| *known == deform);
        of_part.push(known.unwrap_or(deforms.len()));
        if known.is_none() {
            deforms.push(deform);
        }
    }
    (deforms, of_part)
}

/// Makes the resources that every technique binds: tables, further influences and morph targets.
pub(crate) fn mesh_resources(
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
