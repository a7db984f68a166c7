//! Compressed curves of joints (`bone-local`) and of vertices.

use rayon::prelude::*;
use throng_format::{Layout, MorphLayout, TextureEntry, TextureSet};
use throng_rig::{Character, Clip};

use crate::accuracy::{BakeReport, Errors, verify_ordered};
use crate::bones::bake_morphs;
use crate::curves::ClipWords;
use crate::joint_curves::{CompressedClip, JointCompressor};
use crate::plan::BakePlan;
use crate::progress_span::ProgressSpan;
use crate::sampler::{Counter, VertexSampler};
use crate::vertex_curves::VertexCompressor;
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

/// Thousandths of the progress until curves are compressed.
const COMPRESSING: usize = 600;
/// Thousandths of the progress until they are measured; further attempts are seldom needed.
const MEASURING: usize = 950;
/// Most attempts at clips that exceed the error.
const ATTEMPTS: usize = 6;
/// Most keys per second of a joint curve, where no rate is fixed.
const MAX_RATE_HZ: f64 = 512.0;
/// Excess over the maximum error from which it is a motion between the sampled times.
const MISSED_MOTION: f64 = 1.03;
/// Densest sampling of a clip, as a multiple of the default.
const MAX_DENSITY: usize = 4;

/// Compresses joints so that every vertex of every clip is within the maximum error, if possible. `finish` makes a set of
/// the curves. Returns the set with its measurement.
pub(crate) fn bake_joint_curves(
    character: &Character,
    settings: &BakeSettings,
    plan: &BakePlan,
    lengths: Lengths,
    progress: &dyn Progress,
    finish: impl Fn(CompressedCurves) -> Result<TextureSet, BakeError>,
) -> Result<(TextureSet, BakeReport), BakeError> {
    let max_error = settings.max_error_of_size * lengths.size_m;
    let compressor = joint_compressor(character, settings, plan, max_error);
    let clips = plan.clips.len();
    let morphs = bake_morphs(character, settings, plan)?;
    let compress = |clip, target: &Target| compressor.compress(clip, target.error, target.density);
    let assemble = |compressed: &[CompressedClip]| {
        let (texture, layout) = compressor
            .assemble(compressed, settings.max_side, settings.sides)
            .ok_or(BakeError::TooManyCurveWords)?;
        let mut textures = vec![texture];
        let mut entries = vec![curve_texture_entry(&textures[0])];
        if let Some((_, atlas)) = &morphs {
            entries.push(atlas.entry());
            textures.push(atlas.texture.clone());
        }
        finish(CompressedCurves {
            layout: Layout::JointCurves(layout),
            morphs: morphs.as_ref().map(|(layout, _)| layout.clone()),
            textures,
            entries,
        })
    };
    let goal = Goal {
        character,
        max_error_of_size: settings.max_error_of_size,
        first_error: max_error - lengths.mesh_error_m,
    };
    compress_within(goal, clips, compress, assemble, progress)
}

fn joint_compressor<'c>(
    character: &'c Character,
    settings: &BakeSettings,
    plan: &BakePlan,
    max_error: f64,
) -> JointCompressor<'c> {
    let clips = plan.clips.iter();
    let clips: Vec<&Clip> = clips.map(|plan| &character.clips()[plan.clip]).collect();
    let max_rate_hz = match settings.rate {
        Rate::Hz(rate) => rate,
        Rate::Native | Rate::Auto => MAX_RATE_HZ,
    };
    JointCompressor::new(character, &clips, max_error, max_rate_hz, settings.effort)
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
    let compressor = joint_compressor(character, settings, plan, max_error);
    let clips = plan.clips.len();
    let done = Counter::new(clips, progress);
    let compress = |clip| {
        let compressed = compressor.compress(clip, max_error, 1);
        done.step();
        compressed
    };
    let compressed: Vec<CompressedClip> = (0..clips).into_par_iter().map(compress).collect();
    let (texture, _) = compressor
        .assemble(&compressed, settings.max_side, settings.sides)
        .ok_or(BakeError::TooManyCurveWords)?;
    let morphs = bake_morphs(character, settings, plan)?;
    let morph_bytes = morphs.map_or(0, |(_, atlas)| atlas.texture.gpu_bytes());
    let worst = compressed.iter().map(CompressedClip::worst);
    let error = worst.fold(0.0, f64::max) * settings.max_error_of_size;
    Ok((texture.gpu_bytes() + morph_bytes, error))
}

/// [`bake_joint_curves`] for vertices.
pub(crate) fn bake_vertex_curves(
    sampler: &VertexSampler<'_>,
    settings: &BakeSettings,
    plan: &BakePlan,
    progress: &dyn Progress,
    finish: impl Fn(CompressedCurves) -> Result<TextureSet, BakeError>,
) -> Result<(TextureSet, BakeReport), BakeError> {
    let compressor = VertexCompressor::new(sampler, settings, plan);
    let compress = |clip, target: &Target| compressor.compress(clip, target.error, target.density);
    let assemble = |clips: &[ClipWords]| {
        let (texture, layout) = compressor
            .assemble(clips, settings)
            .ok_or(BakeError::TooManyCurveWords)?;
        finish(CompressedCurves {
            layout: Layout::VertexCurves(layout),
            morphs: None,
            entries: vec![curve_texture_entry(&texture)],
            textures: vec![texture],
        })
    };
    let goal = Goal {
        character: sampler.character(),
        max_error_of_size: settings.max_error_of_size,
        first_error: settings.max_error_of_size * sampler.size(),
    };
    compress_within(goal, plan.clips.len(), compress, assemble, progress)
}

/// The error that a set is compressed for.
#[derive(Debug, Clone, Copy)]
struct Goal<'c> {
    character: &'c Character,
    max_error_of_size: f64,
    /// Error that clips are compressed for at first, in metres.
    first_error: f64,
}

/// The error that a clip is compressed for, and how densely it is sampled.
#[derive(Debug, Clone, Copy)]
struct Target {
    /// In metres.
    error: f64,
    density: usize,
}

/// Compresses clips and measures the set. Clips that exceed the maximum error are compressed again, for a smaller one or
/// from more samples. Returns the most accurate set where none is within the error.
fn compress_within<C: Send>(
    goal: Goal<'_>,
    clips: usize,
    compress: impl Fn(usize, &Target) -> C + Sync,
    assemble: impl Fn(&[C]) -> Result<TextureSet, BakeError>,
    progress: &dyn Progress,
) -> Result<(TextureSet, BakeReport), BakeError> {
    let span = ProgressSpan::whole(progress);
    let compressing = span.between(0, COMPRESSING);
    progress.stage("compressing curves");
    let done = Counter::new(clips, &compressing);
    let first = Target {
        error: goal.first_error,
        density: 1,
    };
    let mut targets = vec![first; clips];
    let compress_first = |clip| {
        let compressed = compress(clip, &first);
        done.step();
        compressed
    };
    let mut compressed: Vec<C> = (0..clips).into_par_iter().map(compress_first).collect();
    let mut best: Option<(f64, TextureSet, BakeReport)> = None;
    for attempt in 0..ATTEMPTS {
        let set = assemble(&compressed)?;
        progress.stage("measuring the error");
        let measuring = match attempt {
            0 => span.between(COMPRESSING, MEASURING),
            _ => span.between(MEASURING, 1000).nth(attempt, ATTEMPTS),
        };
        let report = verify_ordered(&set, goal.character, &measuring)?;
        let of_goal = |errors: &Errors| errors.overall.max_error_of_size / goal.max_error_of_size;
        let over: Vec<f64> = report
            .error
            .clips
            .iter()
            .map(|clip| of_goal(&clip.errors))
            .collect();
        let worst = of_goal(&report.error.errors);
        if best.as_ref().is_none_or(|(least, ..)| worst < *least) {
            best = Some((worst, set, report));
        }
        if worst <= 1.0 {
            break;
        }
        let again: Vec<usize> = (0..clips).filter(|&clip| over[clip] > 1.0).collect();
        for &clip in &again {
            let target = &mut targets[clip];
            if over[clip] >= MISSED_MOTION && target.density < MAX_DENSITY {
                target.density *= 2;
            } else {
                target.error *= (0.97 / over[clip]).max(0.6);
            }
        }
        progress.stage("compressing clips above the error again");
        let again_compressed: Vec<(usize, C)> = again
            .into_par_iter()
            .map(|clip| (clip, compress(clip, &targets[clip])))
            .collect();
        for (clip, new) in again_compressed {
            compressed[clip] = new;
        }
    }
    let (_, set, report) = best.expect("there is at least one attempt");
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
