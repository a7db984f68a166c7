//! Vertices whose error between the measured times may exceed a known error.
//!
//! The lanes are eight pieces of a clip. Poses are those at the nodes of a polynomial (see [`super::super::polynomial`]).
//!
//! With palette matrices `R` of the reference and `T` of the tested playback, weights `u` and `w`, and positions `p` and
//! `q`, the error of a vertex is
//!
//! ```text
//! Σ u R p − Σ w T q  =  Σ u (R − T) p  +  Σ (u − w) T p  +  Σ w T (p − q)
//! ```
//!
//! The first term is bounded by the corners of the bounding box of each joint's vertices, because the length of
//! `(R − T) p` is a convex function of `p`. The others are zero where both have the same mesh, and small where the mesh of
//! a set is rounded: the second is bounded by the change of weights times the radius of the posed character, and the
//! third by the change of the position times the largest norm of a matrix.

use glam::DVec3;
use throng_rig::Bounds;
use throng_simd::{F64Task, F64x8, Lanes64};

use super::kernel::{blend, morphed, transform};
use super::lane_pose::LanePose;
use super::part::{Influence, LinearPart};
use crate::accuracy::polynomial::{BOUND_GROWTH, GROWTH, NODES, WEIGHTS};

/// Factor that covers rounding of float64.
const ROUNDING: f64 = 1.000_000_1;

/// Bounding boxes of the vertices of each joint of a part, and differences of the meshes of both playbacks.
pub struct PartReach {
    boxes: Vec<SlotBox>,
    points: Vec<ReachPoint>,
    /// Boxes and weights of all points.
    weights: Vec<(u32, f64)>,
    has_same_mesh: bool,
}

/// The bounding box of the reference's vertices that a palette matrix moves.
struct SlotBox {
    /// Palette matrix in each playback.
    slots: [u32; 2],
    bounds: Bounds,
}

struct ReachPoint {
    /// First of its weights.
    first: u32,
    /// Sum of the changes of weights.
    reweighted: f64,
    /// Distance between both positions, in metres of bind space.
    moved: f64,
}

impl PartReach {
    /// Returns the boxes of a part; `None` where morph targets move its vertices.
    pub fn new(part: &LinearPart) -> Option<Self> {
        if !part.offsets.is_empty() {
            return None;
        }
        let mut out = Self {
            boxes: Vec::new(),
            points: Vec::with_capacity(part.points.len()),
            weights: Vec::new(),
            has_same_mesh: true,
        };
        let box_of = out.find_boxes(part);
        for point in &part.points {
            let [reference, tested] = &point.sides;
            let ours = part.influences_of(reference);
            let theirs = part.influences_of(tested);
            let first = out.weights.len() as u32;
            // Changes of the weights of matrices of the tested playback.
            let mut changes: Vec<(u32, f64)> = Vec::with_capacity(theirs.len());
            changes.extend(theirs.iter().map(|theirs| (theirs.slot, -theirs.weight)));
            for Influence { slot, weight, .. } in ours {
                let index = box_of[*slot as usize];
                let slot_box = &mut out.boxes[index as usize];
                slot_box.bounds.add(reference.position);
                out.weights.push((index, *weight));
                let tested_slot = slot_box.slots[1];
                match changes.iter_mut().find(|(slot, _)| *slot == tested_slot) {
                    Some((_, change)) => *change += weight,
                    None => changes.push((tested_slot, *weight)),
                }
            }
            // The boxes of matrices that the reference does not use here do not contain the vertex.
            let is_in_boxes = theirs.iter().all(|theirs| {
                let mut same = ours.iter();
                same.any(|ours| ours.palette_index == theirs.palette_index)
            });
            let reweighted = match is_in_boxes {
                true => changes.iter().map(|(_, change)| change.abs()).sum(),
                false => f64::INFINITY,
            };
            let moved = reference.position.distance(tested.position);
            out.has_same_mesh &= reweighted == 0.0 && moved == 0.0;
            out.points.push(ReachPoint {
                first,
                reweighted,
                moved,
            });
        }
        Some(out)
    }

    /// Adds an empty box for each palette matrix of the reference, with the same matrix of the tested playback. Where that
    /// moves no vertex, any other will do. Returns the box of each matrix of the reference.
    fn find_boxes(&mut self, part: &LinearPart) -> Vec<u32> {
        let slots = part.influences.iter().map(|influence| influence.slot);
        let mut box_of = vec![u32::MAX; slots.max().map_or(0, |slot| slot as usize + 1)];
        let indices = part.influences.iter().map(|i| i.palette_index);
        let mut tested_slots = vec![None; indices.max().map_or(0, |index| index as usize + 1)];
        for point in &part.points {
            for theirs in part.influences_of(&point.sides[1]) {
                tested_slots[theirs.palette_index as usize] = Some(theirs.slot);
            }
        }
        for point in &part.points {
            for ours in part.influences_of(&point.sides[0]) {
                let index = &mut box_of[ours.slot as usize];
                if *index == u32::MAX {
                    *index = self.boxes.len() as u32;
                    let same = tested_slots[ours.palette_index as usize];
                    let any = || part.influences_of(&point.sides[1])[0].slot;
                    self.boxes.push(SlotBox {
                        slots: [ours.slot, same.unwrap_or_else(any)],
                        bounds: Bounds::EMPTY,
                    });
                }
            }
        }
        box_of
    }
}

/// Finds the points of a part whose error may exceed a known error in any lane.
pub struct FindReaching<'a> {
    pub reach: &'a PartReach,
    /// Poses of the reference and the tested playback at each node.
    pub poses: &'a [[LanePose; 2]; NODES],
    /// Known error, in metres.
    pub known: f64,
    /// Receives the reach of each box.
    pub reaches: &'a mut Vec<Lanes64>,
    /// Receives indices of points.
    pub found: &'a mut Vec<u32>,
}

impl F64Task for FindReaching<'_> {
    #[inline(always)]
    fn run<V: F64x8>(self) {
        let Self {
            reach,
            poses,
            known,
            reaches,
            found,
        } = self;
        reaches.clear();
        for slot_box in &reach.boxes {
            let mut lanes = Lanes64::ZERO;
            box_reach::<V>(slot_box, poses, known).store(&mut lanes);
            reaches.push(lanes);
        }
        let slack = match reach.has_same_mesh {
            true => [V::splat(0.0); 2],
            false => mesh_slack(&reach.boxes, poses),
        };
        let rounding = V::splat(ROUNDING);
        let all = reach.weights.len() as u32;
        for (index, point) in reach.points.iter().enumerate() {
            let end = reach.points.get(index + 1).map_or(all, |next| next.first);
            let mut sum = slack[0] * V::splat(point.reweighted);
            sum = sum + slack[1] * V::splat(point.moved);
            for &(index, weight) in &reach.weights[point.first as usize..end as usize] {
                sum = sum + V::load(&reaches[index as usize]) * V::splat(weight);
            }
            // True for NaN.
            if (sum * rounding).any_outside(0.0, known) {
                found.push(index as u32);
            }
        }
    }
}

/// Returns a bound of the error of vertices in a box that move with its palette matrix alone. Above `known` it is close.
#[inline(always)]
fn box_reach<V: F64x8>(slot_box: &SlotBox, poses: &[[LanePose; 2]; NODES], known: f64) -> V {
    let mut errors = [[V::splat(0.0); 12]; NODES];
    for node in 0..NODES {
        let [reference, tested] = &poses[node];
        let a = &reference.palette[slot_box.slots[0] as usize].0;
        let b = &tested.palette[slot_box.slots[1] as usize].0;
        for index in 0..12 {
            errors[node][index] = V::load(&a[index]) - V::load(&b[index]);
        }
    }
    let limit = V::splat(known);
    let mut most = V::splat(0.0);
    for corner in slot_box.bounds.corners() {
        let corner = [V::splat(corner.x), V::splat(corner.y), V::splat(corner.z)];
        let mut values = [[V::splat(0.0); 3]; NODES];
        for node in 0..NODES {
            values[node] = transform(&errors[node], corner);
        }
        let rough = rough_bound(&values);
        let bound = match rough.any_above(limit) {
            true => peak_bound(&values),
            false => rough,
        };
        most = bound.max(most);
    }
    most
}

/// Returns a rough [`peak_bound`]. NaN is infinite.
#[inline(always)]
fn rough_bound<V: F64x8>(values: &[[V; 3]; NODES]) -> V {
    let mut most = V::splat(0.0);
    for value in values {
        most = length_sq(value).max(most);
    }
    most.sqrt() * V::splat(BOUND_GROWTH)
}

/// [`crate::accuracy::polynomial::Peak::bound`] of eight polynomials.
#[inline(always)]
fn peak_bound<V: F64x8>(values: &[[V; 3]; NODES]) -> V {
    let mut longest = V::splat(0.0);
    for weights in WEIGHTS.iter() {
        let mut value = [V::splat(0.0); 3];
        for node in 0..NODES {
            let weight = V::splat(weights[node]);
            for axis in 0..3 {
                value[axis] = value[axis] + values[node][axis] * weight;
            }
        }
        longest = length_sq(&value).max(longest);
    }
    let [a, b, c, d, e] = values;
    let (half, quarter) = (V::splat(0.5), V::splat(0.25));
    let mut last = [V::splat(0.0); 3];
    for axis in 0..3 {
        last[axis] = quarter * (half * (a[axis] + e[axis]) - b[axis] + c[axis] - d[axis]);
    }
    longest.sqrt() + length_sq(&last).sqrt()
}

/// Squared length; infinite where it is not a number.
#[inline(always)]
fn length_sq<V: F64x8>([x, y, z]: &[V; 3]) -> V {
    (*x * *x + *y * *y + *z * *z).min(V::splat(f64::INFINITY))
}

/// Returns bounds of the radius of the tested character about a point, and of the norms of its matrices.
#[inline(always)]
fn mesh_slack<V: F64x8>(boxes: &[SlotBox], poses: &[[LanePose; 2]; NODES]) -> [V; 2] {
    let (mut radius_sq, mut norm_sq) = (V::splat(0.0), V::splat(0.0));
    for [_, tested] in poses {
        let mut centre = [V::splat(0.0); 3];
        for slot_box in boxes {
            let matrix = load::<V>(tested, slot_box);
            let moved = transform(&matrix, splat(slot_box.bounds.center()));
            for axis in 0..3 {
                centre[axis] = centre[axis] + moved[axis];
            }
        }
        let share = V::splat(1.0 / boxes.len().max(1) as f64);
        for coordinate in &mut centre {
            *coordinate = *coordinate * share;
        }
        for slot_box in boxes {
            let matrix = load::<V>(tested, slot_box);
            for corner in slot_box.bounds.corners() {
                let moved = transform(&matrix, splat(corner));
                let from_centre = [
                    moved[0] - centre[0],
                    moved[1] - centre[1],
                    moved[2] - centre[2],
                ];
                radius_sq = length_sq(&from_centre).max(radius_sq);
            }
            let mut sum = V::splat(0.0);
            for number in &matrix[..9] {
                sum = sum + *number * *number;
            }
            norm_sq = sum.min(V::splat(f64::INFINITY)).max(norm_sq);
        }
    }
    let growth = V::splat(GROWTH);
    [radius_sq.sqrt() * growth, norm_sq.sqrt() * growth]
}

#[inline(always)]
fn load<V: F64x8>(pose: &LanePose, slot_box: &SlotBox) -> [V; 12] {
    let matrix = &pose.palette[slot_box.slots[1] as usize].0;
    let mut out = [V::splat(0.0); 12];
    for index in 0..12 {
        out[index] = V::load(&matrix[index]);
    }
    out
}

#[inline(always)]
fn splat<V: F64x8>(vector: DVec3) -> [V; 3] {
    [V::splat(vector.x), V::splat(vector.y), V::splat(vector.z)]
}

/// Errors of a point at the nodes of eight polynomials.
pub type NodeErrors = [[Lanes64; 3]; NODES];

/// Computes the errors of some points, and keeps those whose polynomial may exceed a known error.
pub struct FindExceeding<'a> {
    pub part: &'a LinearPart,
    /// Poses of the reference and the tested playback at each node.
    pub poses: &'a [[LanePose; 2]; NODES],
    /// Known error, in metres.
    pub known: f64,
    /// Indices of points.
    pub points: &'a [u32],
    pub found: &'a mut Vec<(u32, NodeErrors)>,
}

impl F64Task for FindExceeding<'_> {
    #[inline(always)]
    fn run<V: F64x8>(self) {
        let Self {
            part, poses, known, ..
        } = self;
        let known = V::splat(known);
        for &index in self.points {
            let [reference, tested] = &part.points[index as usize].sides;
            let mut errors = [[V::splat(0.0); 3]; NODES];
            for node in 0..NODES {
                let [a, b] = &poses[node];
                let from = transform::<V>(&blend(part, a, reference), morphed(part, a, reference));
                let to = transform::<V>(&blend(part, b, tested), morphed(part, b, tested));
                for axis in 0..3 {
                    errors[node][axis] = to[axis] - from[axis];
                }
            }
            if rough_bound(&errors).any_above(known) {
                let mut stored = [[Lanes64::ZERO; 3]; NODES];
                for node in 0..NODES {
                    for axis in 0..3 {
                        errors[node][axis].store(&mut stored[node][axis]);
                    }
                }
                self.found.push((index, stored));
            }
        }
    }
}
