//! Largest error between the measured times.
//!
//! A clip is divided into pieces in which the error of every vertex is smooth: at every key of the source, every frame and
//! every knot of a curve (see [`groups`]). In each piece a polynomial through five times, the first and last right beside
//! the kinks, gives the largest error. Pieces whose polynomial has not converged are halved. Vertices that cannot exceed
//! the error that is known already are skipped: where palettes move them, the corners of the bounding box of each joint's
//! vertices tell.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use glam::{DAffine3, DVec3};
use rayon::prelude::*;
use throng_rig::{Bounds, Method, Part, Skinning};
use throng_simd::{LANES, Lanes64, Level};

use super::heat::HeatMap;
use super::linear::{FindExceeding, FindReaching, LanePose, NodeErrors, PartReach};
use super::measured_clip::MeasuredClip;
use super::pieces::{Group, Point, groups};
use super::plan::MeasurePlan;
use super::playback::JointPlayer;
use super::points::PointPlayer;
use super::polynomial::{BOUND_GROWTH, NODES, POSITIONS, Peak, Verdict, judge};
use super::set::SetPlayback;
use super::skinner::is_linear_blend;
use super::source::SourcePlayback;
use super::tally::{Spot, Worst, unit};
use super::workers::Pairing;
use crate::Progress;

/// Largest error of a vertex as a multiple of the errors of its joints, for methods other than linear blend skinning.
const DUAL_QUATERNION_GAIN: f64 = 4.0;
/// Raises the largest errors of clips, and those of a heat map, to the largest between the measured times.
pub(super) fn raise_to_bound(
    clips: &mut [MeasuredClip],
    heat: Option<&mut HeatMap>,
    (reference, tested): (&SourcePlayback<'_>, &SetPlayback<'_>),
    plan: &MeasurePlan<'_>,
    progress: &dyn Progress,
) {
    let pairing = Pairing::new(reference, tested);
    let known = clips.iter().map(MeasuredClip::max_m).collect();
    let bounder = Bounder::new((reference, tested), pairing, plan, known);
    let found = bounder.run(heat.is_some(), progress);
    for (clip, worst) in clips.iter_mut().zip(found.worst) {
        clip.bound = worst;
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

/// Pieces to examine, at most as many as there are lanes.
struct Task {
    clip: usize,
    group: usize,
    pieces: Range<usize>,
}

struct Bounder<'a> {
    reference: &'a SourcePlayback<'a>,
    tested: &'a SetPlayback<'a>,
    plan: &'a MeasurePlan<'a>,
    /// Largest error that is known of each clip, in metres. Only larger ones are looked for.
    known: Vec<f64>,
    groups: Vec<Group>,
    tasks: Vec<Task>,
    /// Parts that linear blend skinning moves in both playbacks. They are in no group.
    pairing: Option<Pairing<'a>>,
    /// Of each linear part; `None` where all of its vertices are examined.
    reaches: Vec<Option<PartReach>>,
    /// For each part whose vertices palettes alone move, the bounding box of each joint's vertices in bind space.
    boxes: Vec<Option<JointBoxes>>,
}

struct JointBoxes {
    boxes: Vec<Bounds>,
    gain: f64,
}

impl<'a> Bounder<'a> {
    /// Without a pairing, vertices are examined one by one.
    fn new(
        (reference, tested): (&'a SourcePlayback<'a>, &'a SetPlayback<'a>),
        pairing: Option<Pairing<'a>>,
        plan: &'a MeasurePlan<'a>,
        known: Vec<f64>,
    ) -> Self {
        let linear = pairing.iter().flat_map(|pairing| &pairing.linear);
        let reaches: Vec<Option<PartReach>> = linear.clone().map(PartReach::new).collect();
        let linear: Vec<usize> = linear.map(|part| part.part).collect();
        let mut points = unique_points(plan);
        points.retain(|(part, _)| !linear.contains(&(*part as usize)));
        let mut all_groups = Vec::new();
        let mut tasks = Vec::new();
        for (clip, planned) in plan.clips.iter().enumerate() {
            let (source, timeline) = (planned.source, &planned.timeline);
            for group in groups(tested.set(), clip, source, timeline, &points) {
                let index = all_groups.len();
                let pieces = group.pieces.len();
                tasks.extend((0..pieces).step_by(LANES).map(|first| Task {
                    clip,
                    group: index,
                    pieces: first..(first + LANES).min(pieces),
                }));
                all_groups.push(group);
            }
        }
        Self {
            reference,
            tested,
            plan,
            known,
            groups: all_groups,
            tasks,
            pairing,
            reaches,
            boxes: joint_boxes(reference, tested),
        }
    }

    fn run(&self, with_heat: bool, progress: &dyn Progress) -> Found {
        let next = AtomicUsize::new(0);
        let examine_some = |_| {
            let mut examiner = Examiner::new(self, with_heat);
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(task) = self.tasks.get(index) else {
                    return examiner.points.found;
                };
                examiner.examine(task);
                progress.step(index + 1, self.tasks.len());
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
    lanes: Option<LaneExaminer<'a>>,
    points: PointExaminer<'a>,
}

impl<'a> Examiner<'a> {
    fn new(bounder: &'a Bounder<'a>, with_heat: bool) -> Self {
        let pairing = bounder.pairing.as_ref();
        Self {
            bounder,
            lanes: pairing.map(|pairing| LaneExaminer::new(bounder, pairing)),
            points: PointExaminer::new(bounder, with_heat),
        }
    }

    fn examine(&mut self, task: &Task) {
        let group = &self.bounder.groups[task.group];
        let pieces = &group.pieces[task.pieces.clone()];
        if let Some(lanes) = &mut self.lanes {
            lanes.examine(task.clip, pieces, &mut self.points);
        }
        if !group.points.is_empty() {
            for &piece in pieces {
                self.points.examine(task.clip, piece, &group.points);
            }
        }
    }
}

/// Examines the vertices of linear parts in up to eight pieces at once.
struct LaneExaminer<'a> {
    bounder: &'a Bounder<'a>,
    pairing: &'a Pairing<'a>,
    level: Level,
    joints: [Box<dyn JointPlayer + 'a>; 2],
    poses: [[LanePose; 2]; NODES],
    reaches: Vec<Lanes64>,
    points: Vec<u32>,
    exceeding: Vec<(u32, NodeErrors)>,
}

impl<'a> LaneExaminer<'a> {
    fn new(bounder: &'a Bounder<'a>, pairing: &'a Pairing<'a>) -> Self {
        let poses = || pairing.slots.each_ref().map(LanePose::new);
        Self {
            bounder,
            pairing,
            level: Level::detect(),
            joints: pairing.joints(),
            poses: std::array::from_fn(|_| poses()),
            reaches: Vec::new(),
            points: Vec::new(),
            exceeding: Vec::new(),
        }
    }

    fn examine(&mut self, clip: usize, pieces: &[[f64; 2]], out: &mut PointExaminer<'a>) {
        if self.pairing.linear.is_empty() {
            return;
        }
        self.seek(clip, pieces);
        let known = self.bounder.known[clip];
        let mut again = vec![Vec::new(); pieces.len()];
        let reaches = self.bounder.reaches.iter();
        for (part, reach) in self.pairing.linear.iter().zip(reaches) {
            self.points.clear();
            match reach {
                None => self.points.extend(0..part.points.len() as u32),
                Some(reach) => self.level.run_f64(FindReaching {
                    reach,
                    poses: &self.poses,
                    known,
                    reaches: &mut self.reaches,
                    found: &mut self.points,
                }),
            }
            self.exceeding.clear();
            self.level.run_f64(FindExceeding {
                part,
                poses: &self.poses,
                known,
                points: &self.points,
                found: &mut self.exceeding,
            });
            for (index, errors) in &self.exceeding {
                let point = (part.part as u32, part.points[*index as usize].vertex);
                for (lane, (&piece, again)) in pieces.iter().zip(&mut again).enumerate() {
                    let of_lane = |node: usize| errors[node].map(|axis| axis.0[lane]);
                    let errors = std::array::from_fn(|node| DVec3::from_array(of_lane(node)));
                    if !out.judge(clip, piece, point, &errors, 0) {
                        again.push(point);
                    }
                }
            }
        }
        for (&piece, again) in pieces.iter().zip(&again) {
            out.examine_halves(clip, piece, again, 0);
        }
    }

    /// Poses all nodes of all pieces.
    fn seek(&mut self, clip: usize, pieces: &[[f64; 2]]) {
        for (lane, [start, end]) in pieces.iter().enumerate() {
            for (poses, position) in self.poses.iter_mut().zip(POSITIONS) {
                let time_secs = start + (end - start) * position;
                let sides = poses.iter_mut().zip(&mut self.joints);
                for ((pose, joints), slots) in sides.zip(&self.pairing.slots) {
                    pose.set(lane, slots, joints.pose(clip, time_secs));
                }
            }
        }
        for pose in self.poses.iter_mut().flatten() {
            pose.repeat_from(pieces.len() - 1);
        }
    }
}

/// Examines vertices one by one.
struct PointExaminer<'a> {
    bounder: &'a Bounder<'a>,
    players: Option<PointPlayers<'a>>,
    /// For each part, the largest error of the points around each joint.
    reaches: Vec<Option<Vec<f64>>>,
    with_heat: bool,
    found: Found,
}

/// Players at the nodes of a polynomial.
struct PointPlayers<'a> {
    reference: [Box<dyn PointPlayer + 'a>; NODES],
    tested: [Box<dyn PointPlayer + 'a>; NODES],
}

impl<'a> PointPlayers<'a> {
    fn new(bounder: &'a Bounder<'a>) -> Self {
        Self {
            reference: std::array::from_fn(|_| bounder.reference.points()),
            tested: std::array::from_fn(|_| bounder.tested.points()),
        }
    }

    fn seek(&mut self, clip: usize, [start, end]: [f64; 2]) {
        let players = self.reference.iter_mut().zip(&mut self.tested);
        for ((reference, tested), position) in players.zip(POSITIONS) {
            let time_secs = start + (end - start) * position;
            reference.seek(clip, time_secs);
            tested.seek(clip, time_secs);
        }
    }
}

impl<'a> PointExaminer<'a> {
    fn new(bounder: &'a Bounder<'a>, with_heat: bool) -> Self {
        Self {
            bounder,
            players: None,
            reaches: Vec::new(),
            with_heat,
            found: Found::none(bounder.known.len()),
        }
    }

    fn examine(&mut self, clip: usize, piece: [f64; 2], points: &[Point]) {
        self.seek(clip, piece);
        self.find_reaches(self.bounder.known[clip]);
        let known = self.bounder.known[clip];
        let points = points.iter().copied();
        let points: Vec<Point> = points
            .filter(|&point| self.may_exceed(point, known))
            .collect();
        self.examine_points(clip, piece, &points, 0);
    }

    /// Players are made when they are first needed.
    fn players(&mut self) -> &mut PointPlayers<'a> {
        let bounder = self.bounder;
        self.players
            .get_or_insert_with(|| PointPlayers::new(bounder))
    }

    fn seek(&mut self, clip: usize, piece: [f64; 2]) {
        self.players().seek(clip, piece);
    }

    /// Computes, for each part, the largest error of the points around each joint; `None` where palettes do not tell.
    fn find_reaches(&mut self, known: f64) {
        let mut reaches = std::mem::take(&mut self.reaches);
        reaches.clear();
        let bounder = self.bounder;
        let PointPlayers { reference, tested } = &*self.players();
        let is_skinned = !tested[0].palettes().is_empty();
        let parts = bounder.plan.character.parts().iter();
        for (part, boxes) in parts.zip(&bounder.boxes) {
            let Some(boxes) = boxes.as_ref().filter(|_| is_skinned) else {
                reaches.push(None);
                continue;
            };
            let of_joint = |(index, bounds): (usize, &Bounds)| {
                if bounds.is_empty() {
                    return 0.0;
                }
                let errors: [DAffine3; NODES] = std::array::from_fn(|node| {
                    let reference = &reference[node].palettes()[part.skin].matrices()[index];
                    let tested = &tested[node].palettes()[part.skin].matrices()[index];
                    DAffine3 {
                        matrix3: reference.matrix3 - tested.matrix3,
                        translation: reference.translation - tested.translation,
                    }
                });
                boxes.gain * reach(&errors, bounds, known / boxes.gain)
            };
            reaches.push(Some(boxes.boxes.iter().enumerate().map(of_joint).collect()));
        }
        self.reaches = reaches;
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
        let mut again = Vec::new();
        for &point in points {
            let (part, vertex) = (point.0 as usize, point.1 as usize);
            let PointPlayers { reference, tested } = &*self.players();
            let errors: [DVec3; NODES] = std::array::from_fn(|node| {
                tested[node].position(part, vertex) - reference[node].position(part, vertex)
            });
            if !self.judge(clip, piece, point, &errors, depth) {
                again.push(point);
            }
        }
        self.examine_halves(clip, piece, &again, depth);
    }

    /// Examines vertices again in both halves of a piece.
    fn examine_halves(&mut self, clip: usize, piece: [f64; 2], points: &[Point], depth: usize) {
        if points.is_empty() {
            return;
        }
        let [start, end] = piece;
        let middle = 0.5 * (start + end);
        for half in [[start, middle], [middle, end]] {
            self.seek(clip, half);
            self.examine_points(clip, half, points, depth + 1);
        }
    }

    /// Keeps the error of a vertex in a piece if it is above the known one. Returns false where the polynomial through
    /// its errors has not converged.
    fn judge(
        &mut self,
        clip: usize,
        [start, end]: [f64; 2],
        point: Point,
        errors: &[DVec3; NODES],
        depth: usize,
    ) -> bool {
        let known = self.bounder.known[clip];
        let size_m = unit(self.bounder.plan.size_m);
        let peak = match judge(errors, known, size_m, depth) {
            Verdict::Below => return true,
            Verdict::NotConverged => return false,
            Verdict::Peak(peak) => peak,
        };
        if self.with_heat {
            let most = self.found.heat.entry(point).or_default();
            *most = most.max(peak.bound());
        }
        self.found.offer(Worst {
            squared: peak.bound() * peak.bound(),
            spot: Spot {
                clip,
                time_secs: start + (end - start) * peak.position,
            },
            part: point.0 as usize,
            vertex: point.1 as usize,
        });
        true
    }
}

/// Returns a bound of the error of points in a bounding box. Above `known` it is close.
fn reach(errors: &[DAffine3; NODES], bounds: &Bounds, known: f64) -> f64 {
    let of_corner = |corner: DVec3| {
        let values = errors.map(|error| error.transform_point3(corner));
        let longest = values.iter().map(|value| value.length_squared());
        let rough = BOUND_GROWTH * longest.fold(0.0, f64::max).sqrt();
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
        let same_vertices = mesh.positions() == in_set.positions()
            && mesh.influences() == in_set.influences()
            && mesh.blend_factors() == in_set.blend_factors();
        // These move vertices by points that may be outside the boxes: centres of rotation, and ends of bones.
        let is_far_moved = matches!(
            reference.skinning(),
            Skinning::Method(Method::Cor | Method::DqsBulgeFree)
        );
        if mesh.weight_count() > 0 || !same_vertices || is_far_moved {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accuracy::{Comparison, measure};
    use crate::{BakeSettings, Rate, bake, drawing_order};
    use throng_format::{Encoding, Precision, Source, Storage};
    use throng_import::builtin::builtin;
    use throng_rig::{Character, Mesh};

    /// Puts positions on a grid and keeps the heaviest influences of each vertex.
    fn rounded(character: &Character, (grid_m, influences): (f32, usize)) -> Character {
        let mut parts = character.clone().into_parts();
        for mesh in &mut parts.meshes {
            let positions = mesh.positions().iter();
            let positions = positions.map(|p| (*p / grid_m).round() * grid_m).collect();
            let influences = mesh.influences().heaviest(influences);
            *mesh = Mesh::new(positions, mesh.triangles().to_vec(), influences).unwrap();
        }
        Character::new(parts).unwrap()
    }

    /// The lanes find what single vertices do, far below the largest error too.
    #[test]
    fn lanes_find_the_same_errors_as_single_vertices() {
        for (name, method, change) in [
            ("humanoid:1000", Method::Lbs, None),
            ("humanoid:1000", Method::Dqs, None),
            ("box", Method::Lbs, None),
            ("humanoid:1000", Method::Lbs, Some((1e-3, 4))),
            // Positions and weights are worse than the motion.
            ("humanoid:1000", Method::Lbs, Some((5e-2, 4))),
            ("humanoid:1000", Method::Lbs, Some((1e-3, 1))),
        ] {
            let character = drawing_order(&builtin(name).unwrap());
            let stored = change.map(|change| rounded(&character, change));
            let stored = stored.as_ref().unwrap_or(&character);
            let settings = BakeSettings {
                encoding: Encoding::BoneMatrix,
                storage: Storage::Frames(Precision::F32),
                rate: Rate::Hz(13.0),
                skinning: method.into(),
                clips: vec![0],
                ..BakeSettings::default()
            };
            let baked = bake(stored, &settings, &Source::in_memory(name), &());
            let set = baked.unwrap().set;
            let Comparison {
                reference, plan, ..
            } = Comparison::new(set.manifest(), set.model(), &character).unwrap();
            let tested = SetPlayback::new(&set);
            let report = measure(&reference, &tested, &plan, &());
            let clips = report.clips.iter();
            let known: Vec<f64> = clips
                .map(|clip| 0.4e-3 * clip.errors.overall.max_error_mm)
                .collect();
            let playbacks = (&reference, &tested);
            let pairing = Pairing::new(&reference, &tested);
            assert_eq!(
                pairing.as_ref().unwrap().linear.is_empty(),
                method == Method::Dqs
            );
            let find =
                |pairing| Bounder::new(playbacks, pairing, &plan, known.clone()).run(true, &());
            let (fast, slow) = (find(pairing), find(None));
            for (fast, slow) in fast.worst.iter().zip(&slow.worst) {
                let (fast, slow) = (fast.unwrap(), slow.unwrap());
                assert!((fast.squared / slow.squared - 1.0).abs() < 1e-9, "{name}");
                assert_eq!((fast.part, fast.vertex), (slow.part, slow.vertex));
                assert_eq!(fast.spot.time_secs, slow.spot.time_secs);
            }
            assert!(slow.heat.len() > 3, "{name}: {}", slow.heat.len());
            // Vertices of one position may have several positions in the set.
            assert!(fast.heat.len() >= slow.heat.len(), "{name}");
            assert!(
                change.is_some() || fast.heat.len() == slow.heat.len(),
                "{name}"
            );
            for (point, error) in &slow.heat {
                assert!((fast.heat[point] / error - 1.0).abs() < 1e-9, "{name}");
            }
        }
    }
}
