//! Compressed curves of joints (`bone-local`) and of vertices.

use rayon::prelude::*;
use throng_format::{Layout, MorphLayout, TextureEntry, TextureSet};
use throng_rig::{Character, Clip};

use crate::accuracy::{BakeReport, verify_ordered};
use crate::bones::bake_morphs;
use crate::joint_curves::{CompressedClip, JointCompressor};
use crate::plan::BakePlan;
use crate::sampler::{Counter, VertexSampler};
use crate::vertex_curves::compress_vertices;
use crate::{BakeError, BakeSettings, Progress, Rate};

/// Textures of compressed curves, and of morph weights beside them.
pub(crate) struct CompressedCurves {
    pub layout: Layout,
    pub morphs: Option<MorphLayout>,
    pub textures: Vec<throng_format::Texture>,
    pub entries: Vec<TextureEntry>,
}

/// Most attempts at clips that exceed the error.
const ATTEMPTS: usize = 4;
/// Most keys per second of a curve, where no rate is fixed.
const MAX_RATE_HZ: f64 = 512.0;

/// Compresses joints so that every vertex of every clip is within the maximum error: clips that exceed it in a full
/// measurement are compressed again for a smaller one. `finish` makes a set of the curves. Returns the set with its
/// measurement.
pub(crate) fn bake_joint_curves(
    character: &Character,
    settings: &BakeSettings,
    plan: &BakePlan,
    size: f64,
    progress: &dyn Progress,
    finish: impl Fn(CompressedCurves) -> Result<TextureSet, BakeError>,
) -> Result<(TextureSet, BakeReport), BakeError> {
    let max_error = settings.max_error_of_size * size;
    let clips: Vec<&Clip> = plan
        .clips
        .iter()
        .map(|plan| &character.clips()[plan.clip])
        .collect();
    let max_rate_hz = match settings.rate {
        Rate::Hz(rate) => rate,
        Rate::Native | Rate::Auto => MAX_RATE_HZ,
    };
    let compressor = JointCompressor::new(character, &clips, max_error, max_rate_hz);
    let morphs = bake_morphs(character, settings, plan)?;
    let mut budgets = vec![max_error; clips.len()];
    let done = Counter::new(clips.len(), progress);
    let compress = |clip: usize, budget: f64| {
        let compressed = compressor.compress(clip, budget, 1);
        done.step();
        compressed
    };
    let mut compressed: Vec<CompressedClip> = budgets
        .par_iter()
        .enumerate()
        .map(|(clip, &budget)| compress(clip, budget))
        .collect();
    let mut best: Option<(f64, TextureSet, BakeReport)> = None;
    for attempt in 0..ATTEMPTS {
        // Errors that were missed are between the sampled times: sample more densely.
        let density = 1 << (attempt + 1).min(2);
        let (texture, mut layout) = compressor
            .assemble(&compressed, settings.max_side, settings.sides)
            .ok_or(BakeError::TooManyCurveWords)?;
        layout.texture = 0;
        let mut textures = vec![texture];
        let mut entries = vec![curve_texture_entry(&textures[0])];
        if let Some((_, atlas)) = &morphs {
            entries.push(atlas.entry());
            textures.push(atlas.texture.clone());
        }
        let set = finish(CompressedCurves {
            layout: Layout::JointCurves(layout),
            morphs: morphs.as_ref().map(|(layout, _)| layout.clone()),
            textures,
            entries,
        })?;
        let measured = verify_ordered(&set, character, &())?;
        let report = measured.error.clone();
        let worst = report.errors.overall.max_error_of_size;
        if best.as_ref().is_none_or(|(least, ..)| worst < *least) {
            best = Some((worst, set, measured));
        }
        if worst <= settings.max_error_of_size {
            break;
        }
        let again: Vec<usize> = (0..clips.len())
            .filter(|&clip| {
                report.clips[clip].errors.overall.max_error_of_size > settings.max_error_of_size
            })
            .collect();
        for &clip in &again {
            let over =
                report.clips[clip].errors.overall.max_error_of_size / settings.max_error_of_size;
            // A large excess is a motion between the sampled times, which the next attempt samples.
            if attempt > 0 || over < 1.3 {
                budgets[clip] *= (0.97 / over).max(0.6);
            }
        }
        let again_compressed: Vec<CompressedClip> = again
            .par_iter()
            .map(|&clip| compressor.compress(clip, budgets[clip], density))
            .collect();
        for (clip, new) in again.into_iter().zip(again_compressed) {
            compressed[clip] = new;
        }
    }
    let (_, set, measured) = best.expect("there is at least one attempt");
    Ok((set, measured))
}

/// Compresses vertices.
pub(crate) fn bake_vertex_curves(
    sampler: &VertexSampler<'_>,
    settings: &BakeSettings,
    plan: &BakePlan,
    progress: &dyn Progress,
) -> Result<CompressedCurves, BakeError> {
    let (texture, layout) = compress_vertices(sampler, settings, plan, progress)?;
    Ok(CompressedCurves {
        layout: Layout::VertexCurves(layout),
        morphs: None,
        entries: vec![curve_texture_entry(&texture)],
        textures: vec![texture],
    })
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
