//! Poses and skinning on the CPU, per instance and frame.

use std::sync::Arc;

use glam::DVec3;
use throng_format::ClipTiming;
use throng_rig::{
    Character, CharacterPose, Clip, LocalPose, LoopPolicy, Method, Palette, Skinning,
};
use throng_shaders::{Deform, Joints, Morphs, SkinMethod};
use throng_skin::reference::{Skinned, skin_part};

use crate::instance::{Instance, Play, Ticks, rows};
use crate::mesh::{VertexBlock, packed_tangent};

/// A character that the CPU poses.
#[derive(Debug)]
pub(crate) struct CpuSource {
    pub character: Arc<Character>,
    pub clips: Vec<ClipTiming>,
    pub skinning: Skinning,
    pub output: CpuOutput,
}

/// Data that the CPU uploads each frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CpuOutput {
    /// Skinned vertices.
    Vertices,
    /// Palettes.
    Palette(PaletteLayout),
}

/// Poses a character in buffers that are reused.
#[derive(Debug)]
pub(crate) struct CpuAnimator {
    character: Arc<Character>,
    clips: Vec<ClipTiming>,
    pose: CharacterPose,
    second: LocalPose,
    skinned: Skinned,
    /// True if all instances show `pose`, whatever they play.
    is_held: bool,
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

impl CpuAnimator {
    pub fn new(character: Arc<Character>, clips: Vec<ClipTiming>) -> Self {
        Self {
            pose: CharacterPose::rest(&character),
            second: LocalPose::rest(&character),
            skinned: Skinned::default(),
            is_held: false,
            character,
            clips,
        }
    }

    /// Shows one pose for all instances, whatever they play; `None` goes back to what they play.
    pub fn hold(&mut self, pose: Option<&CharacterPose>) {
        self.is_held = pose.is_some();
        if let Some(pose) = pose {
            self.pose.clone_from(pose);
        }
    }

    /// Poses the character for an instance.
    pub fn pose(&mut self, instance: &Instance, now: Ticks) -> &CharacterPose {
        let character = &*self.character;
        let timing = |clip: u32| &self.clips[clip as usize];
        let at = |play: &Play| {
            let clip = &character.clips()[play.clip() as usize];
            let timing = timing(play.clip());
            let time_secs = play.time_secs(timing.duration_secs, timing.looping, now);
            (clip, clip.start_secs() + time_secs)
        };
        if self.is_held || character.clips().is_empty() {
            return &self.pose;
        }
        let (clip, time_secs) = at(&instance.play);
        self.pose.local.sample(character, clip, time_secs);
        if let Some(fade) = instance.fade {
            let weight = fade.weight(now);
            if weight > 0.0 {
                let (clip, time_secs) = at(&fade.to);
                self.second.sample(character, clip, time_secs);
                self.pose.local.blend(&self.second, weight);
            }
        }
        self.pose.resolve(character);
        &self.pose
    }

    /// Appends the palette of an instance and its morph weights as texels.
    pub fn write_palette(
        &mut self,
        instance: &Instance,
        now: Ticks,
        layout: PaletteLayout,
        skinning: Skinning,
        out: &mut Vec<[u32; 4]>,
    ) {
        let pose = self.pose(instance, now);
        for palette in &pose.palettes {
            for joint in 0..palette.len() {
                write_joint(palette, joint, layout, skinning, out);
            }
        }
        out.extend(pose.local.morph_weights.chunks(4).map(|weights| {
            let mut texel = [0; 4];
            for (word, weight) in texel.iter_mut().zip(weights) {
                *word = (*weight as f32).to_bits();
            }
            texel
        }));
    }

    /// Appends the skinned vertices of an instance.
    pub fn write_vertices(
        &mut self,
        instance: &Instance,
        now: Ticks,
        skinning: Skinning,
        vertices: &mut Vec<VertexBlock>,
        tangents: &mut Vec<[i16; 4]>,
    ) {
        self.pose(instance, now);
        for part in self.character.parts() {
            let skinned = &mut self.skinned;
            skin_part(&self.character, part, &self.pose, skinning, skinned);
            let skinned = self.skinned.positions.iter().zip(&self.skinned.normals);
            vertices.extend(skinned.map(|(position, normal)| VertexBlock {
                position: position.as_vec3().extend(1.0).to_array(),
                normal: normal.as_vec3().to_array(),
            }));
            let skinned = self.skinned.tangents.iter();
            tangents.extend(skinned.map(|tangent| packed_tangent(tangent.as_vec4())));
            // Parts without tangents.
            tangents.resize(vertices.len(), [0; 4]);
        }
    }
}

fn write_joint(
    palette: &Palette,
    joint: usize,
    layout: PaletteLayout,
    skinning: Skinning,
    out: &mut Vec<[u32; 4]>,
) {
    let bits = |values: [f32; 4]| values.map(f32::to_bits);
    if layout == PaletteLayout::Matrix {
        let matrix = palette.matrices()[joint].as_affine3a();
        out.extend(rows(&matrix).map(bits));
        return;
    }
    let rigid = match skinning {
        Skinning::Method(Method::DqsDirect) => palette.aligned()[joint],
        _ => palette.rigid()[joint],
    };
    out.push(bits(rigid.real.as_quat().to_array()));
    out.push(bits(rigid.dual.as_quat().to_array()));
    if layout == PaletteLayout::Stretch {
        let stretch = palette.stretches()[joint].as_affine3a();
        out.extend(rows(&stretch).map(bits));
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
        method,
        morphs: if has_morphs {
            Morphs::Palette
        } else {
            Morphs::None
        },
    }
}
