//! Largest error between the measured times.
//!
//! A clip is divided into pieces in which the error of every vertex is smooth: at every key of the source, every frame and
//! every knot of a curve (see [`groups`]). In each piece a polynomial through five times, the first and last right beside
//! the kinks, gives the largest error. Pieces whose polynomial has not converged are halved. Vertices that cannot exceed
//! the error that is known already are skipped: where palettes move them, the corners of the bounding box of each joint's
//! vertices tell.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use glam::{DAffine3, DVec3};
use rayon::prelude::*;
use throng_rig::{Bounds, Part};

use super::heat::HeatMap;
use super::pieces::{Group, Point, groups};
use super::plan::MeasurePlan;
use super::points::PointPlayer;
use super::polynomial::{GROWTH, NODES, POSITIONS, Peak};
use super::report::ErrorReport;
use super::set::SetPlayback;
use super::skinner::is_linear_blend;
use super::source::SourcePlayback;
use super::tally::{Spot, Worst, unit};
use crate::Progress;

/// Last term of a polynomial that has converged, as a part of the largest error.
const CONVERGED: f64 = 0.005;
/// Last term that is rounding of float32, as a part of the size.
const ROUNDING_OF_SIZE: f64 = 1e-6;
/// Most times that a piece is halved.
const MAX_DEPTH: usize = 6;
/// Largest error of a vertex as a multiple of the errors of its joints, for methods other than linear blend skinning.
const DUAL_QUATERNION_GAIN: f64 = 4.0;
/// Number of pieces that a thread takes at a time.
const CHUNK: usize = 16;

/// Raises the largest errors of a report, and those of a heat map, to the largest between the measured times.
pub(super) fn raise_to_bound(
    report: &mut ErrorReport,
    heat: Option<&mut HeatMap>,
    (reference, tested): (&SourcePlayback<'_>, &SetPlayback<'_>),
    plan: &MeasurePlan<'_>,
    progress: &dyn Progress,
) {
    let bounder = Bounder::new(reference, tested, plan, report);
    let found = bounder.run(heat.is_some(), progress);
    for worst in found.worst.iter().flatten() {
        let clip = worst.spot.clip;
        let worst = worst.named(plan);
        report.clips[clip].errors.raise(&worst, plan.size_m);
        report.errors.raise(&worst, plan.size_m);
    }
    if let Some(heat) = heat {
        for ((part, vertex), error) in found.heat {
            heat.raise(plan.character, part as usize, vertex as usize, error);
        }
    }
}

/// Errors above those known.
struct Found {
    /// Largest error of each clip.
    worst: Vec<Option<Worst>>,
    /// Largest error of each vertex, in metres; empty where no heat map is asked for.
    heat: HashMap<Point, f64>,
}

impl Found {
    fn none(clips: usize) -> Self {
        Self {
            worst: vec![None; clips],
            heat: HashMap::new(),
        }
    }

    /// Keeps the larger of two errors; of equal ones, the first. The order of calls does not matter.
    fn offer(&mut self, worst: Worst) {
        let best = &mut self.worst[worst.spot.clip];
        let order = |w: &Worst| (w.part, w.vertex);
        let is_larger = best.is_none_or(|best| {
            let by_size = best.squared.total_cmp(&worst.squared);
            let by_time = worst.spot.time_secs.total_cmp(&best.spot.time_secs);
            by_size
                .then(by_time)
                .then(order(&worst).cmp(&order(&best)))
                .is_lt()
        });
        if is_larger {
            *best = Some(worst);
        }
    }

    fn merge(mut self, other: Self) -> Self {
        for worst in other.worst.into_iter().flatten() {
            self.offer(worst);
        }
        for (point, error) in other.heat {
            let most = self.heat.entry(point).or_default();
            *most = most.max(error);
        }
        self
    }
}

/// A piece to examine.
struct Task {
    clip: usize,
    group: usize,
    piece: [f64; 2],
}

struct Bounder<'a> {
    reference: &'a SourcePlayback<'a>,
    tested: &'a SetPlayback<'a>,
    plan: &'a MeasurePlan<'a>,
    /// Largest error that is known of each clip, in metres. Only larger ones are looked for.
    known: Vec<f64>,
    groups: Vec<Group>,
    tasks: Vec<Task>,
    /// For each part whose vertices palettes alone move, the bounding box of each joint's vertices in bind space.
    boxes: Vec<Option<JointBoxes>>,
}

struct JointBoxes {
    boxes: Vec<Bounds>,
    gain: f64,
}

impl<'a> Bounder<'a> {
    fn new(
        reference: &'a SourcePlayback<'a>,
        tested: &'a SetPlayback<'a>,
        plan: &'a MeasurePlan<'a>,
        report: &ErrorReport,
    ) -> Self {
        let points = unique_points(plan);
        let mut all_groups = Vec::new();
        let mut tasks = Vec::new();
        for (clip, planned) in plan.clips.iter().enumerate() {
            let (source, timeline) = (planned.source, &planned.timeline);
            for group in groups(tested.set(), clip, source, timeline, &points) {
                let index = all_groups.len();
                tasks.extend(group.pieces.iter().map(|&piece| Task {
                    clip,
                    group: index,
                    piece,
                }));
                all_groups.push(group);
            }
        }
        let clips = report.clips.iter();
        Self {
            reference,
            tested,
            plan,
            known: clips
                .map(|clip| 1e-3 * clip.errors.overall.max_error_mm)
                .collect(),
            groups: all_groups,
            tasks,
            boxes: joint_boxes(reference, tested),
        }
    }

    fn run(&self, with_heat: bool, progress: &dyn Progress) -> Found {
        let next = AtomicUsize::new(0);
        let examine_some = |_| {
            let mut examiner = Examiner::new(self, with_heat);
            loop {
                let first = next.fetch_add(CHUNK, Ordering::Relaxed);
                let end = (first + CHUNK).min(self.tasks.len());
                if first >= end {
                    return examiner.found;
                }
                self.tasks[first..end]
                    .iter()
                    .for_each(|task| examiner.examine(task));
                progress.step(end, self.tasks.len());
            }
        };
        (0..rayon::current_num_threads())
            .into_par_iter()
            .map(examine_some)
            .reduce(|| Found::none(self.known.len()), Found::merge)
    }
}

/// Players and buffers of one thread.
struct Examiner<'a> {
    bounder: &'a Bounder<'a>,
    reference: [Box<dyn PointPlayer + 'a>; NODES],
    tested: [Box<dyn PointPlayer + 'a>; NODES],
    /// For each part, the largest error of the points around each joint.
    reaches: Vec<Option<Vec<f64>>>,
    with_heat: bool,
    found: Found,
}

impl<'a> Examiner<'a> {
    fn new(bounder: &'a Bounder<'a>, with_heat: bool) -> Self {
        Self {
            bounder,
            reference: std::array::from_fn(|_| bounder.reference.points()),
            tested: std::array::from_fn(|_| bounder.tested.points()),
            reaches: Vec::new(),
            with_heat,
            found: Found::none(bounder.known.len()),
        }
    }

    fn examine(&mut self, task: &Task) {
        let Task { clip, group, piece } = *task;
        self.seek(clip, piece);
        self.find_reaches(self.bounder.known[clip]);
        let known = self.bounder.known[clip];
        let points = self.bounder.groups[group].points.iter().copied();
        let points: Vec<Point> = points
            .filter(|&point| self.may_exceed(point, known))
            .collect();
        self.examine_points(clip, piece, &points, 0);
    }

    fn seek(&mut self, clip: usize, [start, end]: [f64; 2]) {
        let players = self.reference.iter_mut().zip(&mut self.tested);
        for ((reference, tested), position) in players.zip(POSITIONS) {
            let time_secs = start + (end - start) * position;
            reference.seek(clip, time_secs);
            tested.seek(clip, time_secs);
        }
    }

    /// Computes, for each part, the largest error of the points around each joint; `None` where palettes do not tell.
    fn find_reaches(&mut self, known: f64) {
        self.reaches.clear();
        let parts = self.bounder.plan.character.parts();
        let is_skinned = !self.tested[0].palettes().is_empty();
        for (part, boxes) in parts.iter().zip(&self.bounder.boxes) {
            let Some(boxes) = boxes.as_ref().filter(|_| is_skinned) else {
                self.reaches.push(None);
                continue;
            };
            let of_joint = |(index, bounds): (usize, &Bounds)| {
                if bounds.is_empty() {
                    return 0.0;
                }
                let errors: [DAffine3; NODES] = std::array::from_fn(|node| {
                    let reference = &self.reference[node].palettes()[part.skin].matrices()[index];
                    let tested = &self.tested[node].palettes()[part.skin].matrices()[index];
                    DAffine3 {
                        matrix3: reference.matrix3 - tested.matrix3,
                        translation: reference.translation - tested.translation,
                    }
                });
                boxes.gain * reach(&errors, bounds, known / boxes.gain)
            };
            let reaches = boxes.boxes.iter().enumerate().map(of_joint).collect();
            self.reaches.push(Some(reaches));
        }
    }

    /// False where the errors of a vertex's joints rule out that its own is larger than the known one.
    fn may_exceed(&self, (part, vertex): Point, known: f64) -> bool {
        let Some(reaches) = &self.reaches[part as usize] else {
            return true;
        };
        let character = self.bounder.plan.character;
        let mesh = character.mesh_of(&character.parts()[part as usize]);
        let (joints, weights) = mesh.influences().run(vertex as usize);
        let joints = joints.iter().zip(weights);
        let reach: f64 = joints
            .map(|(&joint, &weight)| f64::from(weight) * reaches[joint as usize])
            .sum();
        // Rounding of weights.
        1.000_001 * reach >= known
    }

    /// Examines vertices in a piece that was sought. Vertices whose polynomials have not converged are examined again in
    /// both halves.
    fn examine_points(&mut self, clip: usize, piece: [f64; 2], points: &[Point], depth: usize) {
        let [start, end] = piece;
        let known = self.bounder.known[clip];
        let size_m = unit(self.bounder.plan.size_m);
        let converged = (CONVERGED * known).max(ROUNDING_OF_SIZE * size_m);
        let mut again = Vec::new();
        for &(part, vertex) in points {
            let (part, vertex) = (part as usize, vertex as usize);
            let errors: [DVec3; NODES] = std::array::from_fn(|node| {
                self.tested[node].position(part, vertex)
                    - self.reference[node].position(part, vertex)
            });
            let peak = Peak::of(&errors);
            if peak.bound() <= known {
                continue;
            }
            if peak.last_term > converged && depth < MAX_DEPTH {
                again.push((part as u32, vertex as u32));
                continue;
            }
            if self.with_heat {
                let most = self.found.heat.entry((part as u32, vertex as u32));
                let most = most.or_default();
                *most = most.max(peak.bound());
            }
            self.found.offer(Worst {
                squared: peak.bound() * peak.bound(),
                spot: Spot {
                    clip,
                    time_secs: start + (end - start) * peak.position,
                },
                part,
                vertex,
            });
        }
        if again.is_empty() {
            return;
        }
        let middle = 0.5 * (start + end);
        for half in [[start, middle], [middle, end]] {
            self.seek(clip, half);
            self.examine_points(clip, half, &again, depth + 1);
        }
    }
}

/// Returns a bound of the error of points in a bounding box. Above `known` it is close.
fn reach(errors: &[DAffine3; NODES], bounds: &Bounds, known: f64) -> f64 {
    let of_corner = |corner: DVec3| {
        let values = errors.map(|error| error.transform_point3(corner));
        let longest = values.iter().map(|value| value.length_squared());
        let rough = GROWTH * longest.fold(0.0, f64::max).sqrt();
        if rough < known {
            rough
        } else {
            Peak::of(&values).bound()
        }
    };
    // The error is a convex function of the point: no point in the box exceeds all corners.
    bounds.corners().map(of_corner).fold(0.0, f64::max)
}

/// Returns one vertex per unique position, parts in order.
pub(super) fn unique_points(plan: &MeasurePlan<'_>) -> Vec<Point> {
    let character = plan.character;
    let parts = character.parts().iter().enumerate();
    let of_part = |(index, part)| {
        let first = character.mesh_of(part).unique().first_of_position();
        first.iter().map(move |&vertex| (index as u32, vertex))
    };
    parts.flat_map(of_part).collect()
}

fn joint_boxes(
    reference: &SourcePlayback<'_>,
    tested: &SetPlayback<'_>,
) -> Vec<Option<JointBoxes>> {
    let (character, model) = (reference.character(), tested.set().model());
    let of_part = |(part, in_set): (&Part, &Part)| {
        let (mesh, in_set) = (character.mesh_of(part), model.mesh_of(in_set));
        let same_vertices =
            mesh.positions() == in_set.positions() && mesh.influences() == in_set.influences();
        if !mesh.morph_targets().is_empty() || !same_vertices {
            return None;
        }
        let mut boxes = vec![Bounds::EMPTY; character.skin_of(part).len()];
        for &vertex in mesh.unique().first_of_position() {
            let position = mesh.positions()[vertex as usize].as_dvec3();
            for &joint in mesh.influences().run(vertex as usize).0 {
                boxes[joint as usize].add(position);
            }
        }
        let is_linear = is_linear_blend(character, part, reference.skinning());
        Some(JointBoxes {
            boxes,
            gain: if is_linear { 1.0 } else { DUAL_QUATERNION_GAIN },
        })
    };
    character
        .parts()
        .iter()
        .zip(model.parts())
        .map(of_part)
        .collect()
}
