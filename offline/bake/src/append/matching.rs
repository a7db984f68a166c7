//! The clips of an existing set that stay, and the place of those that do not.

use std::collections::HashMap;

use throng_format::ClipEntry;
use throng_rig::Character;

use super::clip_digest;

/// A clip of the new set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    /// Index into the clips of the source.
    pub source: usize,
    /// Index into the clips of the existing set, where its words are kept.
    pub kept: Option<usize>,
}

/// The clips of a new set, in order.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Matching {
    pub places: Vec<Place>,
    /// Number of clips of other content than the clip of the same name in the existing set.
    pub changed: usize,
    /// Number of clips of the existing set that are gone.
    pub removed: usize,
}

impl Matching {
    /// Finds kept clips by name and content, and changed clips by name. These keep their order; new clips follow in the order
    /// of `chosen`, indices into the clips of the source.
    pub fn find(existing: &[ClipEntry], source: &Character, chosen: &[usize]) -> Self {
        let name = |clip: usize| source.clips()[clip].name.as_str();
        let mut same: HashMap<(&str, String), Vec<usize>> = HashMap::new();
        for &clip in chosen.iter().rev() {
            let digest = clip_digest(&source.clips()[clip]);
            same.entry((name(clip), digest)).or_default().push(clip);
        }
        let mut is_taken = vec![false; source.clips().len()];
        let mut places: Vec<Option<Place>> = Vec::with_capacity(chosen.len());
        for (index, entry) in existing.iter().enumerate() {
            let digest = entry.content_digest.clone().unwrap_or_default();
            let found = same.get_mut(&(entry.name.as_str(), digest));
            let found = found.and_then(Vec::pop);
            if let Some(source) = found {
                is_taken[source] = true;
            }
            places.push(found.map(|source| Place {
                source,
                kept: Some(index),
            }));
        }
        let mut namesakes: HashMap<&str, Vec<usize>> = HashMap::new();
        for &clip in chosen.iter().rev().filter(|&&clip| !is_taken[clip]) {
            namesakes.entry(name(clip)).or_default().push(clip);
        }
        let mut changed = 0;
        for (place, entry) in places.iter_mut().zip(existing) {
            let namesakes = namesakes.get_mut(entry.name.as_str());
            if place.is_none()
                && let Some(source) = namesakes.and_then(Vec::pop)
            {
                is_taken[source] = true;
                changed += 1;
                *place = Some(Place { source, kept: None });
            }
        }
        let removed = places.iter().filter(|place| place.is_none()).count();
        let mut places: Vec<Place> = places.into_iter().flatten().collect();
        let new = chosen.iter().filter(|&&clip| !is_taken[clip]);
        places.extend(new.map(|&source| Place { source, kept: None }));
        Self {
            places,
            changed,
            removed,
        }
    }

    /// Number of clips whose words are kept.
    pub fn kept(&self) -> usize {
        let kept = self.places.iter().filter(|place| place.kept.is_some());
        kept.count()
    }
}
