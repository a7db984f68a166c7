//! Skin weights, distributed along the skeleton from the hips outwards.
//!
//! At each joint a gate passes a share of the parent's weight to the joint: none on the parent's side, all on
//! the far side, with a smooth transition. A point far from all joints has one influence, a point near a
//! joint two. Weights depend only on the position, so they are the same for every number of vertices.

use glam::DVec3;

use super::bones::{
    ARM, Bones, CLAVICLE, FINGERS, FOOT, FOREARM, HAND, HEAD, HIPS, JOINTS, NECK, SHIN, SPINE1,
    SPINE2, SPINE3, Side, THIGH, TOES, UPPER_ARM, finger,
};

/// Maximum number of influences per vertex.
pub(super) const MAX_INFLUENCES: usize = 4;
/// Minimum weight; smaller weights are dropped.
const MIN_WEIGHT: f64 = 0.004;

// Half the width of each gate, in metres.
const SPINE_WIDTH: f64 = 0.075;
const NECK_WIDTH: f64 = 0.035;
const HIP_WIDTH: f64 = 0.085;
const KNEE_WIDTH: f64 = 0.066;
const ANKLE_WIDTH: f64 = 0.026;
const TOE_WIDTH: f64 = 0.018;
const SHOULDER_WIDTH: f64 = 0.065;
const ELBOW_WIDTH: f64 = 0.045;
const WRIST_WIDTH: f64 = 0.026;
const KNUCKLE_WIDTH: f64 = 0.013;
const FINGER_WIDTH: f64 = 0.007;

/// Gates of the body in the rest pose.
pub(super) struct Gates<'a> {
    bones: &'a Bones,
}

/// Smoothstep from 0 at `-width` to 1 at `width`.
fn gate(x: f64, width: f64) -> f64 {
    let t = (0.5 + 0.5 * x / width).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

impl<'a> Gates<'a> {
    /// Creates the gates of the joints.
    pub fn new(bones: &'a Bones) -> Self {
        Self { bones }
    }

    /// Returns joints and weights at a point of the surface, heaviest first. The sum is one.
    pub fn weights(&self, point: DVec3) -> Vec<(usize, f64)> {
        let mut weights = [0.0; JOINTS];
        let own = if point.x < 0.0 {
            Side::Right
        } else {
            Side::Left
        };
        // Both sides are computed as on the left.
        let point = DVec3::new(point.x.abs(), point.y, point.z);
        weights[HIPS] = 1.0;
        self.legs(&mut weights, own, point);
        self.spine(&mut weights, point);
        self.arm(&mut weights, own, point);

        let mut influences: Vec<(usize, f64)> = weights.into_iter().enumerate().collect();
        influences.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        influences.truncate(MAX_INFLUENCES);
        influences.retain(|&(_, weight)| weight > MIN_WEIGHT);
        let sum: f64 = influences.iter().map(|(_, weight)| weight).sum();
        for (_, weight) in &mut influences {
            *weight /= sum;
        }
        influences
    }

    fn at(&self, of_left: usize) -> DVec3 {
        self.bones.positions[Side::Left.joint(of_left)]
    }

    fn legs(&self, weights: &mut [f64; JOINTS], own: Side, point: DVec3) {
        let (hip, knee, ankle, ball) =
            (self.at(THIGH), self.at(SHIN), self.at(FOOT), self.at(TOES));
        // The gate at the hip is slanted: the flank follows the hips, the groin follows the leg.
        let below = |x: f64| hip.y - 0.012 - point.y + 0.30 * (x - hip.x);
        // Between the legs both thighs have a share.
        let share = |x: f64| gate(x, 0.03);
        for (side, x) in [(own, point.x), (own.other(), -point.x)] {
            // Hands beside the thighs are excluded.
            let beside = gate(0.28 - point.x, 0.03);
            let passes = gate(below(x.abs()), HIP_WIDTH) * share(x) * beside;
            weights[side.joint(THIGH)] = passes * weights[HIPS];
        }
        let [left, right] = Side::BOTH.map(|side| weights[side.joint(THIGH)]);
        weights[HIPS] -= left + right;

        let shin = gate(knee.y - point.y, KNEE_WIDTH);
        pass(weights, own.joint(THIGH), own.joint(SHIN), shin);
        let foot = gate(ankle.y + 0.018 - point.y, ANKLE_WIDTH);
        pass(weights, own.joint(SHIN), own.joint(FOOT), foot);
        let toes = gate(point.z - (ball.z - 0.8 * TOE_WIDTH), TOE_WIDTH);
        pass(weights, own.joint(FOOT), own.joint(TOES), toes);
    }

    fn spine(&self, weights: &mut [f64; JOINTS], point: DVec3) {
        for joint in [SPINE1, SPINE2, SPINE3] {
            let above = point.y - self.bones.positions[joint].y;
            pass(weights, joint - 1, joint, gate(above, SPINE_WIDTH));
        }
        let neck = self.bones.positions[NECK];
        let up = DVec3::new(0.0, 0.93, 0.36);
        let above = (point - neck).dot(up) - 0.25 * (point.x - 0.06).max(0.0);
        pass(weights, SPINE3, NECK, gate(above, NECK_WIDTH));
        // The head starts below the jaw in front and at the nape behind.
        let head = self.bones.positions[HEAD];
        let jaw = (point.z - head.z).max(0.0) * 0.62;
        let above = point.y - head.y + jaw;
        pass(weights, NECK, HEAD, gate(above, NECK_WIDTH));
    }

    fn arm(&self, weights: &mut [f64; JOINTS], own: Side, point: DVec3) {
        let (shoulder, elbow, wrist) = (self.at(UPPER_ARM), self.at(FOREARM), self.at(HAND));
        let clavicle = gate(point.x - 0.085, 0.065) * gate(point.y - 1.375, 0.075);
        pass(weights, SPINE3, own.joint(CLAVICLE), clavicle);

        // The arm starts across the shoulder, but excludes the ribs, which are nearer to the spine.
        let along = (point - shoulder).dot(ARM);
        let from_axis = (point - shoulder - ARM * along.max(0.0)).length() - 0.05;
        let from_ribs = {
            let offset = DVec3::new(point.x, (point.y - 1.22) * 0.2, point.z + 0.02);
            offset.length() - 0.145
        };
        let upper = gate(along - 0.005, SHOULDER_WIDTH) * gate(from_ribs - from_axis, 0.035);
        for parent in [own.joint(CLAVICLE), SPINE3, SPINE2, SPINE1, HIPS] {
            pass(weights, parent, own.joint(UPPER_ARM), upper);
        }
        let forearm = gate((point - elbow).dot(ARM), ELBOW_WIDTH);
        pass(weights, own.joint(UPPER_ARM), own.joint(FOREARM), forearm);
        let hand = gate((point - wrist).dot(ARM), WRIST_WIDTH);
        pass(weights, own.joint(FOREARM), own.joint(HAND), hand);
        if weights[own.joint(HAND)] > 0.0 {
            self.fingers(weights, own, point);
        }
    }

    fn fingers(&self, weights: &mut [f64; JOINTS], own: Side, point: DVec3) {
        let distance = |f: usize| {
            let segments = (0..3).map(|k| {
                let (from, to) = (self.at(finger(f, k)), self.at(finger(f, k + 1)));
                let along = to - from;
                let t = (point - from).dot(along) / along.length_squared();
                (from + along * t.clamp(0.0, 1.0)).distance(point)
            });
            segments.fold(f64::INFINITY, f64::min)
        };
        let distances: [f64; FINGERS] = std::array::from_fn(distance);
        let whole = weights[own.joint(HAND)];
        for f in 0..FINGERS {
            let others = (0..FINGERS).filter(|&other| other != f);
            let nearest = others.map(|o| distances[o]).fold(f64::INFINITY, f64::min);
            let mine = gate(nearest - distances[f], 0.008);
            let along = |k: usize| {
                let (from, to) = (self.at(finger(f, k)), self.at(finger(f, k + 1)));
                (point - from).dot((to - from).normalize())
            };
            // The ball of the thumb follows the thumb.
            let (width, shift) = match f {
                0 => (0.020, 0.004),
                _ => (KNUCKLE_WIDTH, 0.004),
            };
            let first = whole * mine * gate(along(0) - shift, width);
            weights[own.joint(HAND)] -= first;
            weights[own.joint(finger(f, 0))] = first;
            for k in 1..3 {
                let passes = gate(along(k), FINGER_WIDTH);
                let parent = own.joint(finger(f, k - 1));
                pass(weights, parent, own.joint(finger(f, k)), passes);
            }
        }
    }
}

/// Moves a share of the weight of one joint to another.
fn pass(weights: &mut [f64; JOINTS], from: usize, to: usize, share: f64) {
    let passed = weights[from] * share;
    weights[from] -= passed;
    weights[to] += passed;
}
