//! Models without a texture set: static, or animated by the CPU.

use std::sync::Arc;

use throng_format::ClipTiming;
use throng_rig::{Character, LoopPolicy, Skinning};
use throng_shaders::{Deform, SetInfo};
use throng_skin::rest_vertices;

use crate::cpu::palette_cache::PaletteCache;
use crate::cpu::source::{self, CpuOutput, CpuSource, PaletteLayout};
use crate::cull::CullModel;
use crate::mesh::{MeshData, VertexSource};
use crate::model::{ModelParts, by_deform, mesh_resources};
use crate::pose_source::PoseSource;
use crate::{
    CrowdModel, Gpu, GpuError, Instancing, ModelSettings, SkeletonEvaluation, Technique, set_info,
};

impl CrowdModel {
    /// Uploads a character that is static or animated by the CPU. `loops` are the loop policies of the clips; clips
    /// without one wrap. Needs the feature `cpu`.
    pub fn of_character(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        character: &Arc<Character>,
        loops: &[LoopPolicy],
        technique: Technique,
        skinning: impl Into<Skinning>,
        settings: ModelSettings,
    ) -> Result<Self, GpuError> {
        let gpu = Gpu::new(device, queue);
        let skinning = skinning.into();
        let skins = matches!(
            technique,
            Technique::Cpu | Technique::PaletteMatrix | Technique::PaletteDq
        );
        if skins && character.has_vertex_caches() {
            return Err(GpuError::VertexCache {
                character: character.name.clone(),
                technique: technique.name(),
            });
        }
        let parts = match technique {
            Technique::Control => static_parts(&gpu, character, loops, None, skinning)?,
            Technique::Cpu => {
                let output = match settings.instancing {
                    Instancing::SkinOnce => CpuOutput::Copies,
                    Instancing::Loop | Instancing::Instanced => CpuOutput::Vertices,
                };
                static_parts(&gpu, character, loops, Some(output), skinning)?
            }
            Technique::PaletteMatrix | Technique::PaletteDq => {
                let mut parts = palette_parts(&gpu, character, loops, technique, skinning)?;
                parts
                    .source
                    .cache_palettes(&parts.info, settings.switches.skeleton);
                parts
            }
            Technique::Texture(_) => {
                return Err(GpuError::WrongSource {
                    technique: technique.name(),
                    needs: "a texture set: bake one",
                });
            }
        };
        Self::of_parts(gpu, parts, settings)
    }
}

/// Vertices that no shader deforms: in the rest pose, or skinned by the CPU to an output.
fn static_parts(
    gpu: &Gpu,
    character: &Arc<Character>,
    loops: &[LoopPolicy],
    output: Option<CpuOutput>,
    skinning: Skinning,
) -> Result<ModelParts, GpuError> {
    let clips = source::clip_timings(character, loops);
    let rest = rest_vertices(character, skinning);
    let mut data = MeshData::new(character, skinning, &VertexSource::Rest(&rest, [None; 2]));
    data.tangents = source::rest_tangents(character, skinning);
    let info = SetInfo {
        vertices: data.vertices.len() as u32,
        ..SetInfo::default()
    };
    let resources = mesh_resources(gpu, &data, &[[0; 4]])?;
    let undeformed = data.undeformed_box();
    let cull_model = match output {
        None => CullModel::still(undeformed, clips.len()),
        Some(_) => CullModel::anywhere(undeformed, clips.len()),
    };
    let (deforms, deform_of_part) = by_deform(&data.parts, |_| Deform::Static);
    let source = match output {
        Some(output) => cpu_source(character, &clips, skinning, output),
        None => PoseSource::Textures,
    };
    Ok(ModelParts {
        data,
        info,
        deforms,
        deform_of_part,
        resources,
        source,
        clips,
        clip_names: clip_names(character),
        skinning,
        column: None,
        curves: None,
        cull_model,
    })
}

/// Vertices that a palette of the CPU deforms.
fn palette_parts(
    gpu: &Gpu,
    character: &Arc<Character>,
    loops: &[LoopPolicy],
    technique: Technique,
    skinning: Skinning,
) -> Result<ModelParts, GpuError> {
    let layout = match technique {
        Technique::PaletteMatrix => PaletteLayout::Matrix,
        _ if source::is_always_rigid(character) => PaletteLayout::Dual,
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
    if let Some(part) = data.parts.iter().find(|part| !part.method.has_shader()) {
        return Err(GpuError::NoShader(part.method.name()));
    }
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
    let (deforms, deform_of_part) = by_deform(&data.parts, |method| {
        source::palette_deform(layout, method, weights > 0)
    });
    let resources = mesh_resources(gpu, &data, &[[0; 4]])?;
    let clips = source::clip_timings(character, loops);
    let cull_model = CullModel::anywhere(data.undeformed_box(), clips.len());
    let source = cpu_source(character, &clips, skinning, CpuOutput::Palette(layout));
    Ok(ModelParts {
        data,
        info,
        deforms,
        deform_of_part,
        resources,
        source,
        clips,
        clip_names: clip_names(character),
        skinning,
        column: None,
        curves: None,
        cull_model,
    })
}

impl PoseSource {
    /// Computes palettes of all clips, if they are cached.
    fn cache_palettes(&mut self, info: &SetInfo, skeleton: SkeletonEvaluation) {
        let SkeletonEvaluation::Cached { rate_hz } = skeleton else {
            return;
        };
        if let Self::Cpu(source) = self
            && let CpuOutput::Palette(layout) = source.output
            && let Some(source) = Arc::get_mut(source)
        {
            let stride = info.palette_stride as usize;
            source.cache = Some(PaletteCache::new(source, layout, stride, rate_hz));
        }
    }
}

fn cpu_source(
    character: &Arc<Character>,
    timings: &[ClipTiming],
    skinning: Skinning,
    output: CpuOutput,
) -> PoseSource {
    let source = CpuSource::new(character, timings.to_vec(), skinning, output);
    PoseSource::Cpu(Arc::new(source))
}

fn clip_names(character: &Character) -> Vec<String> {
    let clips = character.clips().iter();
    clips.map(|clip| clip.name.clone()).collect()
}
