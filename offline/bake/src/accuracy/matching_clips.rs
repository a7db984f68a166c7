//! The clips of a source that those of a set were baked from.

use std::collections::HashMap;

use throng_format::{ClipEntry, Manifest};
use throng_rig::Character;

use super::plan::ClipToMeasure;
use super::verify::VerifyError;
use crate::append::clip_digest;

/// Largest difference of starts and durations of a clip: numbers are written as text.
const SPAN_SLACK_SECS: f64 = 1e-6;
/// Most names that an error lists.
const LISTED: usize = 8;

/// Finds clips by name, then by span. Of several that match, takes the first of equal content that no other clip has
/// taken, or else the first that no other clip has taken.
pub(super) fn find_clips(
    manifest: &Manifest,
    source: &Character,
) -> Result<Vec<ClipToMeasure>, VerifyError> {
    let mut by_name: HashMap<&str, Vec<usize>> = HashMap::new();
    for (index, clip) in source.clips().iter().enumerate() {
        by_name.entry(&clip.name).or_default().push(index);
    }
    let mut taken = vec![false; source.clips().len()];
    let find = |entry: &ClipEntry| {
        let namesakes = by_name.get(entry.name.as_str());
        let namesakes = namesakes.map_or(&[][..], Vec::as_slice);
        let same_span = |clip: &usize| {
            let clip = &source.clips()[*clip];
            (clip.start_secs() - entry.start_secs).abs() <= SPAN_SLACK_SECS
                && (clip.duration_secs() - entry.duration_secs).abs() <= SPAN_SLACK_SECS
        };
        let matching: Vec<usize> = namesakes.iter().copied().filter(same_span).collect();
        let is_free = |clip: &usize| !taken[*clip];
        let is_same = |clip: &usize| {
            let digest = entry.content_digest.as_ref();
            digest.is_some_and(|digest| clip_digest(&source.clips()[*clip]) == *digest)
        };
        let mut free = matching.iter().copied().filter(is_free);
        let found = match matching.len() {
            0 | 1 => free.next(),
            _ => free.clone().find(is_same).or_else(|| free.next()),
        };
        let Some(source_clip) = found.or_else(|| matching.first().copied()) else {
            return Err(match namesakes.first() {
                Some(&clip) => wrong_span(source, clip, entry),
                None => missing(source, entry),
            });
        };
        taken[source_clip] = true;
        Ok(ClipToMeasure {
            source_clip,
            looping: entry.looping,
        })
    };
    manifest.clips.iter().map(find).collect()
}

fn wrong_span(source: &Character, clip: usize, entry: &ClipEntry) -> VerifyError {
    let clip = &source.clips()[clip];
    VerifyError::ClipSpan {
        source_name: source.name.clone(),
        clip: entry.name.clone(),
        source_start_secs: clip.start_secs(),
        source_secs: clip.duration_secs(),
        set_start_secs: entry.start_secs,
        set_secs: entry.duration_secs,
    }
}

fn missing(source: &Character, entry: &ClipEntry) -> VerifyError {
    let names = source.clips().iter().map(|clip| format!("'{}'", clip.name));
    let mut among: Vec<String> = names.clone().take(LISTED).collect();
    if names.len() > LISTED {
        among.push(format!("{} more", names.len() - LISTED));
    }
    VerifyError::ClipMissing {
        source_name: source.name.clone(),
        clip: entry.name.clone(),
        among: if among.is_empty() {
            "none".into()
        } else {
            among.join(", ")
        },
    }
}
