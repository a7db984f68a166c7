//! The report of a set of kept and new clips.

use throng_format::TextureSet;
use throng_rig::Character;

use crate::accuracy::ClipErrors;
use crate::accuracy::{BakeReport, ErrorReport, Errors, Spread, StepJumps, vertices_and_joints};

/// Returns the report of a set from those of its clips, in the order of the set. `source` is in drawing order.
///
/// Errors over all clips are those of a measurement of the whole set, up to rounding. Only the 99th percentiles are an upper
/// bound: the largest of any clip.
pub(super) fn combined_report(
    set: &TextureSet,
    source: &Character,
    size_m: f64,
    mut clips: Vec<ClipErrors>,
) -> BakeReport {
    for (index, (clip, entry)) in clips.iter_mut().zip(&set.manifest().clips).enumerate() {
        let jumps = clip.errors.step_jumps.as_mut();
        let jumps = jumps.and_then(|jumps| jumps.worst.as_mut());
        for worst in clip.errors.worst.iter_mut().chain(jumps) {
            worst.clip = index;
            worst.clip_name.clone_from(&entry.name);
        }
        if let Some(worst) = &mut clip.errors.worst_bone {
            worst.clip = index;
            worst.clip_name.clone_from(&entry.name);
        }
    }
    let [vertices, joints] = vertices_and_joints(source);
    let error = ErrorReport {
        size_m,
        vertices,
        joints,
        errors: combined(clips.iter().map(|clip| &clip.errors)),
        clips,
    };
    BakeReport::new(set, source, error)
}

/// Combines the errors of clips.
fn combined<'a>(clips: impl Iterator<Item = &'a Errors> + Clone) -> Errors {
    let largest = |of: fn(&Errors) -> Option<f64>| clips.clone().filter_map(of).reduce(f64::max);
    let normals = clips.clone().map(|clip| {
        let squared = clip.rms_normal_error_deg * clip.rms_normal_error_deg;
        (squared, clip.overall.comparisons)
    });
    Errors {
        overall: spread(&clips.clone().map(|clip| &clip.overall)),
        at_samples: spread(&clips.clone().map(|clip| &clip.at_samples)),
        between_samples: spread(&clips.clone().map(|clip| &clip.between_samples)),
        max_normal_error_deg: largest(|clip| Some(clip.max_normal_error_deg)).unwrap_or(0.0),
        rms_normal_error_deg: root_mean(normals),
        bone_error_mm: largest(|clip| clip.bone_error_mm),
        seam_error_mm: largest(|clip| clip.seam_error_mm),
        worst: first_largest(clips.clone().filter_map(|clip| clip.worst.as_ref()), |w| {
            w.error_mm
        })
        .cloned(),
        worst_bone: first_largest(
            clips.clone().filter_map(|clip| clip.worst_bone.as_ref()),
            |worst| worst.error_mm,
        )
        .cloned(),
        step_jumps: jumps(&clips.clone().filter_map(|clip| clip.step_jumps.as_ref())),
        times: clips.map(|clip| clip.times).sum(),
    }
}

fn spread<'a>(clips: &(impl Iterator<Item = &'a Spread> + Clone)) -> Spread {
    let largest = |of: fn(&Spread) -> f64| clips.clone().map(of).fold(0.0, f64::max);
    let rms = |of: fn(&Spread) -> f64| {
        let squares = clips.clone().map(move |clip| {
            let rms = of(clip);
            (rms * rms, clip.comparisons)
        });
        root_mean(squares)
    };
    Spread {
        max_error_mm: largest(|clip| clip.max_error_mm),
        p99_error_mm: largest(|clip| clip.p99_error_mm),
        rms_error_mm: rms(|clip| clip.rms_error_mm),
        max_error_of_size: largest(|clip| clip.max_error_of_size),
        p99_error_of_size: largest(|clip| clip.p99_error_of_size),
        rms_error_of_size: rms(|clip| clip.rms_error_of_size),
        comparisons: clips.clone().map(|clip| clip.comparisons).sum(),
    }
}

fn jumps<'a>(clips: &(impl Iterator<Item = &'a StepJumps> + Clone)) -> Option<StepJumps> {
    clips.clone().next()?;
    let largest = |of: fn(&StepJumps) -> f64| clips.clone().map(of).fold(0.0, f64::max);
    let worst = clips.clone().filter_map(|jumps| jumps.worst.as_ref());
    Some(StepJumps {
        times: clips.clone().map(|jumps| jumps.times).sum(),
        max_error_mm: largest(|jumps| jumps.max_error_mm),
        max_error_of_size: largest(|jumps| jumps.max_error_of_size),
        worst: first_largest(worst, |worst| worst.error_mm).cloned(),
    })
}

/// Returns the first of the largest.
fn first_largest<T>(items: impl Iterator<Item = T>, size: impl Fn(&T) -> f64) -> Option<T> {
    items.reduce(|best, item| match size(&item) > size(&best) {
        true => item,
        false => best,
    })
}

/// Returns the root of the mean of squares, each counted a number of times.
fn root_mean(squares: impl Iterator<Item = (f64, u64)>) -> f64 {
    let (sum, count) = squares.fold((0.0, 0), |(sum, count), (square, times)| {
        (sum + square * times as f64, count + times)
    });
    (sum / count.max(1) as f64).sqrt()
}
