//! Characters that the CPU poses.

use std::sync::Arc;

use glam::DVec3;
use throng_format::ClipTiming;
use throng_rig::{Character, CharacterPose, Clip, CrowdClips, LoopPolicy, Palette, Skinning};
use throng_shaders::{Deform, InfluenceSource, Joints, Morphs, SkinMethod};
use throng_skin::reference::{Skinned, skin_part};

use crate::cpu::mesh::CpuMesh;
use crate::cpu::palette_cache::PaletteCache;
use crate::mesh::packed_tangent;

/// A character that the CPU poses.
#[derive(Debug)]
pub(crate) struct CpuSource {
    pub character: Arc<Character>,
    pub timings: Vec<ClipTiming>,
    pub clips: CrowdClips,
    /// One per mesh of the character; empty if the CPU does not skin.
    pub meshes: Vec<CpuMesh>,
    pub skinning: Skinning,
    pub output: CpuOutput,
    /// Palettes of all clips, if they are computed once.
    pub cache: Option<PaletteCache>,
}

/// Data that the CPU uploads each frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CpuOutput {
    /// Skinned vertices of every instance, in vertex buffers.
    Vertices,
    /// Skinned vertices of every group of instances, in textures that the instances copy from.
    Copies,
    /// Palettes.
    Palette(PaletteLayout),
}

impl CpuSource {
    pub fn new(
        character: &Arc<Character>,
        timings: Vec<ClipTiming>,
        skinning: Skinning,
        output: CpuOutput,
    ) -> Self {
        let mesh = |mesh| CpuMesh::new(mesh, skinning);
        Self {
            character: character.clone(),
            timings,
            clips: CrowdClips::new(character),
            meshes: match output {
                CpuOutput::Palette(_) => Vec::new(),
                CpuOutput::Vertices | CpuOutput::Copies => {
                    character.meshes().iter().map(mesh).collect()
                }
            },
            skinning,
            output,
            cache: None,
        }
    }
}

impl CpuSource {
    /// Time of a clip's first keyframe; 0 if there is no such clip.
    pub fn start_secs(&self, clip: usize) -> f64 {
        let clip = self.character.clips().get(clip);
        clip.map_or(0.0, Clip::start_secs)
    }
}

/// Returns the timings of a character's clips; clips without a loop policy wrap.
pub(crate) fn clip_timings(character: &Character, loops: &[LoopPolicy]) -> Vec<ClipTiming> {
    let looping = |clip: usize| loops.get(clip).copied().unwrap_or(LoopPolicy::Wrap);
    let clips = character.clips().iter().enumerate();
    clips
        .map(|(index, clip)| ClipTiming {
            first_frame: 0,
            frames: 1,
            rate_hz: 0.0,
            duration_secs: clip.duration_secs(),
            looping: looping(index),
        })
        .collect()
}

/// Returns the tangents of all parts in the rest pose; empty if no part has any.
pub(crate) fn rest_tangents(character: &Character, skinning: Skinning) -> Vec<[i16; 4]> {
    let pose = CharacterPose::rest(character);
    let mut skinned = Skinned::default();
    let mut out = Vec::new();
    let mut vertices = 0;
    for part in character.parts() {
        vertices += character.mesh_of(part).vertex_count();
        if !character.mesh_of(part).tangents().is_empty() {
            skin_part(character, part, &pose, skinning, &mut skinned);
            out.resize(vertices - skinned.tangents.len(), [0; 4]);
            let tangents = skinned.tangents.iter();
            out.extend(tangents.map(|tangent| packed_tangent(tangent.as_vec4())));
        }
    }
    if !out.is_empty() {
        out.resize(vertices, [0; 4]);
    }
    out
}

/// Texels per joint of a palette.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PaletteLayout {
    /// The three rows of a matrix.
    Matrix,
    /// A dual quaternion.
    Dual,
    /// A dual quaternion, and the three rows of the stretch that is applied first.
    Stretch,
}

impl PaletteLayout {
    pub fn texels(self) -> u32 {
        match self {
            Self::Matrix => 3,
            Self::Dual => 2,
            Self::Stretch => 5,
        }
    }
}

/// Returns true if no pose of the character scales or shears a joint. Non-uniform scale counts, because it becomes shear
/// when a child joint rotates.
pub(crate) fn is_always_rigid(character: &Character) -> bool {
    let rest = CharacterPose::rest(character);
    let is_uniform = |scale: DVec3| scale.max_element() - scale.min_element() <= 1e-9;
    let mut scales = rest.local.joints.iter().map(|joint| joint.scale);
    let animates_scale = |clip: &Clip| clip.joints().iter().any(|tracks| tracks.scale.is_some());
    rest.palettes.iter().all(Palette::is_rigid)
        && scales.all(is_uniform)
        && !character.clips().iter().any(animates_scale)
}

/// Returns the deform that reads a palette of the CPU.
pub(crate) fn palette_deform(
    layout: PaletteLayout,
    method: SkinMethod,
    has_morphs: bool,
) -> Deform {
    Deform::Skinned {
        joints: match layout {
            PaletteLayout::Matrix => Joints::Palette,
            PaletteLayout::Dual => Joints::DualPalette,
            PaletteLayout::Stretch => Joints::StretchPalette,
        },
        influences: InfluenceSource::Attributes,
        method,
        morphs: if has_morphs {
            Morphs::Palette
        } else {
            Morphs::None
        },
    }
}
