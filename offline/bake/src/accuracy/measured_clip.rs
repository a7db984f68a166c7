//! Errors of single clips, which add up to those of a set in any combination.

use throng_rig::{Character, LoopPolicy};

use super::plan::{PlannedClip, Subject, moving_joints, vertices};
use super::report::{ClipErrors, ErrorReport};
use super::tally::{Tally, Worst, unit};

/// Errors of a clip. They do not depend on the other clips of the set.
#[derive(Debug, Clone)]
pub(crate) struct MeasuredClip {
    duration_secs: f64,
    source_rate_hz: f64,
    looping: LoopPolicy,
    tally: Tally,
    /// Largest error between the measured times, where that is larger than all measured ones.
    pub(super) bound: Option<Worst>,
}

impl MeasuredClip {
    pub(super) fn new(clip: &PlannedClip<'_>, mut tally: Tally) -> Self {
        tally.histograms.trim();
        Self {
            duration_secs: clip.timeline.duration_secs,
            source_rate_hz: clip.timeline.rate_hz,
            looping: clip.looping,
            tally,
            bound: None,
        }
    }

    /// Largest error in metres.
    pub fn max_m(&self) -> f64 {
        let bound = self.bound.map_or(0.0, |worst| worst.squared.sqrt());
        bound.max(self.tally.max_m())
    }

    /// Largest error as a part of the size of the character, with the rounding of reports.
    pub fn max_of_size(&self, size_m: f64) -> f64 {
        let measured_m = self.tally.max_m();
        match self.bound.map(|worst| 1e3 * worst.squared.sqrt()) {
            Some(bound_mm) if bound_mm > 1e3 * measured_m => 1e-3 * bound_mm / unit(size_m),
            _ => measured_m / unit(size_m),
        }
    }

    /// False where a decoded number was infinite or not a number.
    pub(super) fn is_finite(&self) -> bool {
        self.tally.is_finite() && self.max_m().is_finite()
    }

    /// Returns the errors with the names of a clip, given by its index.
    fn errors(&self, index: usize, subject: &Subject<'_>) -> ClipErrors {
        let mut errors = self.tally.errors(subject);
        if let Some(worst) = &self.bound {
            errors.raise(&worst.named(subject), subject.size_m);
        }
        ClipErrors {
            name: subject.clip_names[index].to_owned(),
            duration_secs: self.duration_secs,
            source_rate_hz: self.source_rate_hz,
            looping: self.looping,
            errors,
        }
    }

    /// Sets the index of the clip in the set that is reported.
    pub fn set_index(&mut self, clip: usize) {
        self.tally.set_clip(clip);
        if let Some(worst) = &mut self.bound {
            worst.spot.clip = clip;
        }
    }
}

/// Adds up the errors of all clips of a set, in the order of the set.
pub(super) fn error_report(clips: &[MeasuredClip], subject: &Subject<'_>) -> ErrorReport {
    let mut all = Tally::new();
    for clip in clips {
        all.merge(&clip.tally);
    }
    let mut errors = all.errors(subject);
    for worst in clips.iter().filter_map(|clip| clip.bound) {
        errors.raise(&worst.named(subject), subject.size_m);
    }
    let [vertices, joints] = vertices_and_joints(subject.character);
    let clips = clips.iter().enumerate();
    ErrorReport {
        size_m: subject.size_m,
        vertices,
        joints,
        errors,
        clips: clips
            .map(|(index, clip)| clip.errors(index, subject))
            .collect(),
    }
}

/// Returns the errors of measured clips of a character, with names.
pub(crate) fn clip_errors(
    mut clips: Vec<MeasuredClip>,
    character: &Character,
    size_m: f64,
    clip_names: Vec<&str>,
) -> Vec<ClipErrors> {
    let subject = Subject {
        character,
        size_m,
        clip_names,
    };
    let clips = clips.iter_mut().enumerate();
    let errors = clips.map(|(index, clip)| {
        clip.set_index(index);
        clip.errors(index, &subject)
    });
    errors.collect()
}

/// Number of vertices of all parts, and of joints that move vertices.
pub(crate) fn vertices_and_joints(character: &Character) -> [usize; 2] {
    [vertices(character), moving_joints(character).len()]
}
