//! Compressed curves of joints (`bone-local`) and of vertices.

use rayon::prelude::*;
use throng_format::{Layout, MorphLayout, TextureEntry, TextureSet};
use throng_rig::{Character, Clip};

use crate::accuracy::{BakeReport, report_of};
use crate::bones::bake_morphs;
use crate::curves::ClipWords;
use crate::joint_curves::JointCompressor;
use crate::plan::BakePlan;
use crate::sampler::{Counter, VertexSampler};
use crate::vertex_curves::VertexCompressor;
use crate::within::{Goal, Target, compress_within};
use crate::{BakeError, BakeSettings, Progress, Rate};

/// Textures of compressed curves, and of morph weights beside them.
pub(crate) struct CompressedCurves {
    pub layout: Layout,
    pub morphs: Option<MorphLayout>,
    pub textures: Vec<throng_format::Texture>,
    pub entries: Vec<TextureEntry>,
}

/// Lengths of a character.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lengths {
    /// Size of the character, in metres.
    pub size_m: f64,
    /// Largest displacement of a vertex by rounding of the mesh, in metres.
    pub mesh_error_m: f64,
}

/// Most keys per second of a joint curve, where no rate is fixed.
const MAX_RATE_HZ: f64 = 512.0;

/// Compresses joints so that every vertex of every clip is within the maximum error, if possible. `finish` makes a set of
/// the curves of some clips. Returns the set with its measurement.
pub(crate) fn bake_joint_curves(
    character: &Character,
    settings: &BakeSettings,
    plan: &BakePlan,
    lengths: Lengths,
    progress: &dyn Progress,
    finish: impl Fn(&[usize], CompressedCurves) -> Result<TextureSet, BakeError>,
) -> Result<(TextureSet, BakeReport), BakeError> {
    let max_error = settings.max_error_of_size * lengths.size_m;
    let clips = plan_clips(character, plan);
    let max_rate_hz = max_rate_hz(settings);
    let compressor =
        JointCompressor::new(character, &clips, max_error, max_rate_hz, settings.effort);
    let morphs = bake_morphs(character, settings, plan)?;
    let compress = |clip, target: &Target| {
        let compressed = compressor.compress(clip, target.error, target.density);
        compressor.words(clip, &compressed)
    };
    let assemble = |clips: &[usize], words: &[&ClipWords]| {
        let durations = clips.iter().map(|&clip| plan.clips[clip].duration_secs);
        let words = words.iter().copied().zip(durations);
        let mut curves = joint_curves(&compressor, words, settings)?;
        if let Some((layout, atlas)) = &morphs {
            curves.morphs = Some(layout.clone());
            curves.entries.push(atlas.entry());
            curves.textures.push(atlas.texture.clone());
        }
        finish(clips, curves)
    };
    let goal = Goal {
        character,
        max_error_of_size: settings.max_error_of_size,
        first_error: max_error - lengths.mesh_error_m,
        // Morph weights of all clips share a range, on which their rounding depends.
        measure_together: morphs.is_some(),
    };
    bake_within(&goal, plan, compress, assemble, progress)
}

/// The clips of a plan.
pub(crate) fn plan_clips<'c>(character: &'c Character, plan: &BakePlan) -> Vec<&'c Clip> {
    let clips = plan.clips.iter();
    clips.map(|plan| &character.clips()[plan.clip]).collect()
}

/// Most keys per second of a joint curve.
pub(crate) fn max_rate_hz(settings: &BakeSettings) -> f64 {
    match settings.rate {
        Rate::Hz(rate) => rate,
        Rate::Native | Rate::Auto => MAX_RATE_HZ,
    }
}

/// Returns the texture of clips, given by their words and durations in seconds.
pub(crate) fn joint_curves<'w>(
    compressor: &JointCompressor<'_>,
    clips: impl ExactSizeIterator<Item = (&'w ClipWords, f64)>,
    settings: &BakeSettings,
) -> Result<CompressedCurves, BakeError> {
    let (texture, layout) = compressor
        .assemble_words(clips, settings.max_side, settings.sides)
        .ok_or(BakeError::TooManyCurveWords)?;
    Ok(CompressedCurves {
        layout: Layout::JointCurves(layout),
        morphs: None,
        entries: vec![curve_texture_entry(&texture)],
        textures: vec![texture],
    })
}

/// Compresses joints as [`bake_joint_curves`] does at first, without proof. Returns the GPU bytes, and a lower bound of the
/// error as a part of the size: the largest of any vertex at the sampled times.
pub(crate) fn estimate_joint_curves(
    character: &Character,
    settings: &BakeSettings,
    plan: &BakePlan,
    size_m: f64,
    progress: &dyn Progress,
) -> Result<(u64, f64), BakeError> {
    let max_error = settings.max_error_of_size * size_m;
    let clips = plan_clips(character, plan);
    let max_rate_hz = max_rate_hz(settings);
    let compressor =
        JointCompressor::new(character, &clips, max_error, max_rate_hz, settings.effort);
    let done = Counter::new(clips.len(), progress);
    let compress = |clip| {
        let compressed = compressor.compress(clip, max_error, 1);
        done.step();
        (compressor.words(clip, &compressed), compressed.worst())
    };
    let compressed: Vec<(ClipWords, f64)> =
        (0..clips.len()).into_par_iter().map(compress).collect();
    let words = compressed.iter().map(|(words, _)| words);
    let durations = clips.iter().map(|clip| clip.duration_secs());
    let curves = joint_curves(&compressor, words.zip(durations), settings)?;
    let morphs = bake_morphs(character, settings, plan)?;
    let morph_bytes = morphs.map_or(0, |(_, atlas)| atlas.texture.gpu_bytes());
    let worst = compressed.iter().map(|(_, worst)| *worst);
    let error = worst.fold(0.0, f64::max) * settings.max_error_of_size;
    Ok((curves.textures[0].gpu_bytes() + morph_bytes, error))
}

/// [`bake_joint_curves`] for vertices.
pub(crate) fn bake_vertex_curves(
    sampler: &VertexSampler<'_>,
    settings: &BakeSettings,
    plan: &BakePlan,
    progress: &dyn Progress,
    finish: impl Fn(&[usize], CompressedCurves) -> Result<TextureSet, BakeError>,
) -> Result<(TextureSet, BakeReport), BakeError> {
    let compressor = VertexCompressor::new(sampler, settings, plan);
    let compress = |clip, target: &Target| compressor.compress(clip, target.error, target.density);
    let assemble = |clips: &[usize], words: &[&ClipWords]| {
        let durations = clips.iter().map(|&clip| plan.clips[clip].duration_secs);
        let (texture, layout) = compressor
            .assemble(words.iter().copied().zip(durations), settings)
            .ok_or(BakeError::TooManyCurveWords)?;
        let curves = CompressedCurves {
            layout: Layout::VertexCurves(layout),
            morphs: None,
            entries: vec![curve_texture_entry(&texture)],
            textures: vec![texture],
        };
        finish(clips, curves)
    };
    let goal = Goal {
        character: sampler.character(),
        max_error_of_size: settings.max_error_of_size,
        first_error: settings.max_error_of_size * sampler.size(),
        measure_together: false,
    };
    bake_within(&goal, plan, compress, assemble, progress)
}

/// Compresses all clips of a plan, and returns their set with its measurement.
fn bake_within(
    goal: &Goal<'_>,
    plan: &BakePlan,
    compress: impl Fn(usize, &Target) -> ClipWords + Sync,
    assemble: impl Fn(&[usize], &[&ClipWords]) -> Result<TextureSet, BakeError>,
    progress: &dyn Progress,
) -> Result<(TextureSet, BakeReport), BakeError> {
    let compressed = compress_within(goal, plan, compress, &assemble, progress)?;
    let set = match compressed.set {
        Some(set) => set,
        None => {
            let all: Vec<usize> = (0..plan.clips.len()).collect();
            assemble(&all, &compressed.words.iter().collect::<Vec<_>>())?
        }
    };
    let report = report_of(&set, goal.character, compressed.measured);
    Ok((set, report))
}

fn curve_texture_entry(texture: &throng_format::Texture) -> TextureEntry {
    let [width, height, layers] = texture.size();
    TextureEntry {
        name: "curves".into(),
        texels: texture.format(),
        width,
        height,
        layers,
        calibration: true,
        files: Vec::new(),
    }
}
