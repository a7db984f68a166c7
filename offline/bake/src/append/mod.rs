//! Clips added to a set without baking the others again.
//!
//! A set remembers the digest of each clip's content, and of everything else that its words depend on
//! ([`record_digests`]). [`append`] keeps the words of clips whose content is unchanged, compresses the others against the
//! joint table of the set, and proves their error. Only compressed joint curves (`bone-local`) without morph weights can be
//! appended to: the words of a clip depend on nothing else there than the clip and the joint table.

mod digest;
mod matching;
mod report;

use thiserror::Error;
use throng_format::curves::{ClipRecord, Words};
use throng_format::{JointCurveLayout, Layout, Source, Storage, Texture, TextureSet};
use throng_rig::{Bounds, Character};

use crate::accuracy::{BakeReport, ClipErrors, clip_errors};
use crate::bake::{
    Stored, allowed_error_m, bounds_of_clips, check_prepared, check_vertices, finish_curves, stored,
};
use crate::compressed::{joint_curves, max_rate_hz, plan_clips};
use crate::curves::ClipWords;
use crate::joint_curves::{JointCompressor, JointTable, TableMisfit};
use crate::order::drawing_order;
use crate::plan::{BakePlan, ClipPlan, chosen_clips};
use crate::sampler::VertexSampler;
use crate::within::{Goal, Target, compress_within};
use crate::{BakeError, BakeSettings, Progress};
pub use digest::{base_digest, clip_digest};
use matching::{Matching, Place};
use report::combined_report;

/// Stores the digests by which [`append`] finds unchanged clips, where clips can be added to the set. `key` is a text that
/// stands for all settings but the choice of clips; `clips` are the character's clips of the set, in its order.
pub fn record_digests(set: &mut TextureSet, character: &Character, key: &str, clips: &[usize]) {
    let manifest = set.manifest();
    if !matches!(manifest.layout, Layout::JointCurves(_)) || manifest.morphs.is_some() {
        return;
    }
    let clips = clips
        .iter()
        .map(|&clip| clip_digest(&character.clips()[clip]));
    set.record_digests(base_digest(character, key), clips);
}

/// A set that clips are added to.
#[derive(Debug, Clone, Copy)]
pub struct Existing<'a> {
    /// The set.
    pub set: &'a TextureSet,
    /// Its report, as measured when it was baked. Without one, no report is returned.
    pub report: Option<&'a BakeReport>,
}

/// Result of [`append`].
#[derive(Debug)]
pub enum Append {
    /// A set with the words of unchanged clips, and new words for all others.
    Appended(Box<Appended>),
    /// The clips must be baked as a whole.
    Refused(AppendRefusal),
}

/// A set that clips were added to.
#[derive(Debug)]
pub struct Appended {
    /// The set, with digests.
    pub set: TextureSet,
    /// Errors of kept clips from the existing report, and of new ones as measured. Errors over all clips are those of
    /// [`crate::accuracy::verify`], except that the 99th percentiles are the largest of any clip. `None` without an existing
    /// report.
    pub report: Option<BakeReport>,
    /// Indices into the character's clips, in the order of the set.
    pub clips: Vec<usize>,
    /// Numbers of clips.
    pub counts: ClipCounts,
}

/// Numbers of clips by what became of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ClipCounts {
    /// Clips with the words of the existing set.
    pub kept: usize,
    /// Clips that the existing set did not have.
    pub added: usize,
    /// Clips whose content differs from that of the existing set.
    pub changed: usize,
    /// Clips of the existing set that are gone.
    pub removed: usize,
}

/// Reason for which clips cannot be added to a set.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum AppendRefusal {
    /// The set was baked from another character, or with other settings.
    #[error("the set was baked from another character, or with other settings")]
    OtherBase,
    /// The set does not hold joint curves alone.
    #[error("clips can be added to bone-local sets without morph weights only")]
    Encoding,
    /// No clip of the set is unchanged.
    #[error("no clip of the set is unchanged")]
    NothingKept,
    /// A clip does not fit the joint table.
    #[error(transparent)]
    Table(#[from] TableMisfit),
    /// A clip exceeds the maximum error with the joint table of the set.
    #[error("clip '{clip}' exceeds the error with the constants of the set")]
    Error {
        /// Name of the clip.
        clip: String,
    },
}

/// Makes a set of the chosen clips that keeps the words of unchanged clips. Kept and changed clips have the order of the
/// existing set, new ones follow.
///
/// `settings` are those of the existing set, `bone-local` and compressed, with the clips of the new set; `key` stands for them
/// in the digest, see [`record_digests`]. `source` is copied into the manifest.
pub fn append(
    existing: Existing<'_>,
    character: &Character,
    settings: &BakeSettings,
    key: &str,
    source: &Source,
    progress: &dyn Progress,
) -> Result<Append, BakeError> {
    match try_append(existing, character, settings, key, source, progress)? {
        Ok(appended) => Ok(Append::Appended(Box::new(appended))),
        Err(refusal) => Ok(Append::Refused(refusal)),
    }
}

fn try_append(
    existing: Existing<'_>,
    character: &Character,
    settings: &BakeSettings,
    key: &str,
    source: &Source,
    progress: &dyn Progress,
) -> Result<Result<Appended, AppendRefusal>, BakeError> {
    let settings = &settings.resolved()?;
    check_vertices(character)?;
    check_prepared(character, settings.skinning)?;
    let manifest = existing.set.manifest();
    let base = base_digest(character, key);
    // Influences that a search has dropped are not in the digest.
    let same_influences = manifest.source.max_influences == source.max_influences;
    if manifest.base_digest.as_ref() != Some(&base) || !same_influences {
        return Ok(Err(AppendRefusal::OtherBase));
    }
    let chosen = chosen_clips(character, settings)?;
    let has_morphs = |&clip: &usize| !character.clips()[clip].morphs().is_empty();
    let (Layout::JointCurves(layout), None, Storage::Compressed) =
        (&manifest.layout, &manifest.morphs, settings.storage)
    else {
        return Ok(Err(AppendRefusal::Encoding));
    };
    if settings.encoding != manifest.encoding || chosen.iter().any(has_morphs) {
        return Ok(Err(AppendRefusal::Encoding));
    }
    let texture = &existing.set.textures()[layout.texture];
    let matching = Matching::find(&manifest.clips, character, &chosen);
    let kept_words = kept_words(layout, texture, &matching.places);
    let (Some(kept_words), Some(table)) = (kept_words, JointTable::read(layout, texture)) else {
        return Ok(Err(AppendRefusal::OtherBase));
    };
    if matching.kept() == 0 {
        return Ok(Err(AppendRefusal::NothingKept));
    }

    let ordered = drawing_order(character);
    let sampler = VertexSampler::new(&ordered, settings.skinning);
    let mut parts = ordered.clone().into_parts();
    parts.clips.clear();
    let Stored {
        model,
        displacement_m,
    } = stored(parts, settings, sampler.size())?;
    if model != *existing.set.model() {
        return Ok(Err(AppendRefusal::OtherBase));
    }
    let new_clips = matching.places.iter().filter(|place| place.kept.is_none());
    let new_clips: Vec<usize> = new_clips.map(|place| place.source).collect();
    let new_plan = plan_of(&ordered, settings, &sampler, &new_clips)?;
    let plan = whole_plan(
        existing.set,
        &matching.places,
        &new_plan,
        settings.max_frames,
    )?;
    new_plan.check_memory(&sampler, settings)?;
    let max_error = settings.max_error_of_size * sampler.size();
    let compressor = match JointCompressor::with_table(
        &ordered,
        &plan_clips(&ordered, &new_plan),
        &table,
        max_error,
        max_rate_hz(settings),
        settings.effort,
    ) {
        Ok(compressor) => compressor,
        Err(misfit) => return Ok(Err(misfit.into())),
    };
    let new_bounds = bounds_of_clips(&sampler, &new_plan, allowed_error_m(&sampler, settings));
    let finish = |plan: &BakePlan, bounds: Vec<Bounds>, words: &[&ClipWords]| {
        let durations = plan.clips.iter().map(|clip| clip.duration_secs);
        let curves = joint_curves(&compressor, words.iter().copied().zip(durations), settings)?;
        finish_curves(&sampler, settings, (plan, bounds), &model, source, curves)
    };
    let goal = Goal {
        character: &ordered,
        max_error_of_size: settings.max_error_of_size,
        first_error: max_error - displacement_m,
        measure_together: false,
    };
    let (mut new_words, mut new_errors) = (Vec::new(), Vec::new());
    if !new_clips.is_empty() {
        let compress = |clip, target: &Target| {
            let compressed = compressor.compress(clip, target.error, target.density);
            compressor.words(clip, &compressed)
        };
        let assemble = |clips: &[usize], words: &[&ClipWords]| {
            let bounds = clips.iter().map(|&clip| new_bounds[clip]).collect();
            finish(&new_plan.subset(clips), bounds, words)
        };
        let compressed = compress_within(&goal, &new_plan, compress, assemble, progress)?;
        if let Some(clip) = compressed.of_goal.iter().position(|&of_goal| of_goal > 1.0) {
            return Ok(Err(AppendRefusal::Error {
                clip: ordered.clips()[new_clips[clip]].name.clone(),
            }));
        }
        let clips = new_clips.iter().map(|&clip| &ordered.clips()[clip]);
        let names = clips.map(|clip| clip.name.as_str()).collect();
        new_errors = clip_errors(compressed.measured, &ordered, sampler.size(), names);
        new_words = compressed.words;
    }

    let (mut bounds, mut words) = (Vec::new(), Vec::new());
    let mut new = new_bounds.iter().zip(&new_words);
    for (place, kept) in matching.places.iter().zip(&kept_words) {
        let clip = match (place.kept, kept) {
            (Some(index), Some(words)) => (existing.set.measured_bounds(index), words),
            _ => {
                let (bounds, words) = new.next().expect("every other clip is compressed");
                (*bounds, words)
            }
        };
        bounds.push(clip.0);
        words.push(clip.1);
    }
    let mut set = finish(&plan, bounds, &words)?;
    let places = matching.places.iter();
    let clips: Vec<usize> = places.clone().map(|place| place.source).collect();
    let digests = clips
        .iter()
        .map(|&clip| clip_digest(&character.clips()[clip]));
    set.record_digests(base, digests);
    let kept_errors = existing
        .report
        .and_then(|report| kept_errors(existing.set, report));
    let report = kept_errors.map(|kept_errors| {
        let mut new_errors = new_errors.into_iter();
        let errors = places.map(|place| match place.kept {
            Some(index) => kept_errors[index].clone(),
            None => new_errors.next().expect("every other clip is measured"),
        });
        combined_report(&set, &ordered, sampler.size(), errors.collect())
    });
    let kept = matching.kept();
    Ok(Ok(Appended {
        set,
        report,
        counts: ClipCounts {
            kept,
            added: clips.len() - kept - matching.changed,
            changed: matching.changed,
            removed: matching.removed,
        },
        clips,
    }))
}

/// Plans these clips; none, where there are none.
fn plan_of(
    character: &Character,
    settings: &BakeSettings,
    sampler: &VertexSampler<'_>,
    clips: &[usize],
) -> Result<BakePlan, BakeError> {
    if clips.is_empty() {
        return Ok(BakePlan::of_clips(Vec::new(), settings.max_frames));
    }
    let settings = BakeSettings {
        clips: clips.to_vec(),
        ..settings.clone()
    };
    let plan = BakePlan::new(character, &settings, sampler)?;
    plan.check_distances(sampler, settings.max_error_of_size * sampler.size())?;
    Ok(plan)
}

/// Returns the plan of kept and new clips.
fn whole_plan(
    existing: &TextureSet,
    places: &[Place],
    new_plan: &BakePlan,
    max_frames: u32,
) -> Result<BakePlan, BakeError> {
    let mut new = new_plan.clips.iter();
    let clip = |place: &Place| match place.kept {
        Some(index) => {
            let entry = &existing.manifest().clips[index];
            ClipPlan {
                clip: place.source,
                first_frame: 0,
                frames: entry.frames,
                start_secs: entry.start_secs,
                duration_secs: entry.duration_secs,
                looping: entry.looping,
            }
        }
        None => new.next().expect("every other clip is planned").clone(),
    };
    let clips: Vec<ClipPlan> = places.iter().map(clip).collect();
    let frames: f64 = clips.iter().map(|clip| f64::from(clip.frames)).sum();
    if frames > f64::from(max_frames) {
        return Err(BakeError::TooManyFrames {
            frames,
            limit: max_frames,
        });
    }
    Ok(BakePlan::of_clips(clips, max_frames))
}

/// Returns the words of the kept clips. `None` where they are not stored as they are written here, or overlap.
fn kept_words(
    layout: &JointCurveLayout,
    texture: &Texture,
    places: &[Place],
) -> Option<Vec<Option<ClipWords>>> {
    let words = Words::of(texture);
    let mut left = words.len() as usize;
    let mut read = |place: &Place| -> Option<Option<ClipWords>> {
        let Some(index) = place.kept else {
            return Some(None);
        };
        let record = ClipRecord::read(words, layout.clip_table, index as u32);
        let clip = ClipWords::read(words, &record, layout.curves)?;
        left = left.checked_sub(clip.len())?;
        Some(Some(clip))
    };
    places.iter().map(&mut read).collect()
}

/// Returns the errors of the clips of a report, where it is that of the set.
fn kept_errors<'r>(set: &TextureSet, report: &'r BakeReport) -> Option<&'r [ClipErrors]> {
    let clips = &report.error.clips;
    let names = clips.iter().map(|clip| &clip.name);
    let expected = set.manifest().clips.iter().map(|clip| &clip.name);
    names.eq(expected).then_some(clips)
}
