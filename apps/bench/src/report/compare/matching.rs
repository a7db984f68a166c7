//! Sections of two runs that measured the same.

use std::mem::discriminant;

use crate::record::{Report, Section};
use crate::report::summary::contest_of;

/// Sections in both runs, and ids of sections in one of them.
pub struct Match<'a> {
    pub pairs: Vec<(&'a Section, &'a Section)>,
    pub only_before: Vec<String>,
    pub only_after: Vec<String>,
}

/// Matches sections by id, and the rest by what they measured.
pub fn matches<'a>(before: &'a Report, after: &'a Report) -> Match<'a> {
    let mut pairs = Vec::new();
    let mut left = Vec::new();
    let mut free: Vec<&Section> = after
        .sections
        .iter()
        .filter(|section| before.section(&section.id).is_none())
        .collect();
    for section in &before.sections {
        match after.section(&section.id) {
            Some(other) => pairs.push((section, other)),
            None => left.push(section),
        }
    }
    left.retain(|section| {
        let scores = free.iter().map(|other| likeness(section, other));
        let best = scores.enumerate().filter(|(_, score)| *score > 1);
        let Some((index, _)) = best.max_by_key(|(index, score)| (*score, usize::MAX - index))
        else {
            return true;
        };
        pairs.push((section, free.remove(index)));
        false
    });
    let ids = |sections: Vec<&Section>| sections.iter().map(|section| section.id.clone()).collect();
    Match {
        pairs,
        only_before: ids(left),
        only_after: ids(free),
    }
}

/// Number of contestants in both sections, if they have the same character and measured the same; else 0.
fn likeness(a: &Section, b: &Section) -> usize {
    let source = |section: &Section| {
        section
            .subject
            .as_ref()
            .map(|subject| subject.source.clone())
    };
    let fps = |section: &Section| contest_of(section).map(|contest| contest.fps);
    let is_like = source(a).is_some()
        && source(a) == source(b)
        && discriminant(&a.body) == discriminant(&b.body)
        && fps(a) == fps(b)
        && a.x == b.x;
    if !is_like {
        return 0;
    }
    let has = |name: &String| b.entrants.iter().any(|entrant| entrant.name == *name);
    a.entrants
        .iter()
        .filter(|entrant| has(&entrant.name))
        .count()
}
