//! Which bones hold a point of the body: gates along the skeleton, from the hips outwards.
//!
//! At each joint a gate says how much of what its parent holds passes on: nothing on the parent's side,
//! all of it on the far side, smoothly in between. A point far from all joints is held by one bone; one
//! near a joint by two. Weights depend on the place alone, so they are the same at every vertex count.

use glam::DVec3;

use super::bones::{
    ARM, Bones, CLAVICLE, FINGERS, FOOT, FOREARM, HAND, HEAD, HIPS, JOINTS, NECK, SHIN, SPINE1,
    SPINE2, SPINE3, Side, THIGH, TOES, UPPER_ARM, finger,
};

/// The most bones that hold a point.
pub(super) const MOST_INFLUENCES: usize = 4;
/// Weights below this are dropped.
const LEAST_WEIGHT: f64 = 0.004;

/// Half the width of each gate, in metres.
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

/// The gates of a body at rest.
pub(super) struct Gates<'a> {
    bones: &'a Bones,
}

/// From 0 to 1, level at both ends, a half where `x` is 0; `width` is half of the way.
fn gate(x: f64, width: f64) -> f64 {
    let t = (0.5 + 0.5 * x / width).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

impl<'a> Gates<'a> {
    /// Gates at the joints of these bones.
    pub fn new(bones: &'a Bones) -> Self {
        Self { bones }
    }

    /// Joints and weights at a point of the surface, heaviest first, summing to one.
    pub fn weights(&self, point: DVec3) -> Vec<(usize, f64)> {
        let mut held = [0.0; JOINTS];
        let own = if point.x < 0.0 {
            Side::Right
        } else {
            Side::Left
        };
        // As on the left.
        let point = DVec3::new(point.x.abs(), point.y, point.z);
        held[HIPS] = 1.0;
        self.legs(&mut held, own, point);
        self.spine(&mut held, point);
        self.arm(&mut held, own, point);

        let mut found: Vec<(usize, f64)> = held.into_iter().enumerate().collect();
        found.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        found.truncate(MOST_INFLUENCES);
        found.retain(|&(_, weight)| weight > LEAST_WEIGHT);
        let sum: f64 = found.iter().map(|(_, weight)| weight).sum();
        for (_, weight) in &mut found {
            *weight /= sum;
        }
        found
    }

    fn at(&self, of_left: usize) -> DVec3 {
        self.bones.positions[Side::Left.joint(of_left)]
    }

    fn legs(&self, held: &mut [f64; JOINTS], own: Side, point: DVec3) {
        let (hip, knee, ankle, ball) =
            (self.at(THIGH), self.at(SHIN), self.at(FOOT), self.at(TOES));
        // The gate at the hip slants: the flank stays with the hips, the groin goes with the leg.
        let below = |x: f64| hip.y - 0.012 - point.y + 0.30 * (x - hip.x);
        // Between the legs both have a share.
        let share = |x: f64| gate(x, 0.03);
        for (side, x) in [(own, point.x), (own.other(), -point.x)] {
            // Hands hang beside the thighs.
            let beside = gate(0.28 - point.x, 0.03);
            let passes = gate(below(x.abs()), HIP_WIDTH) * share(x) * beside;
            held[side.joint(THIGH)] = passes * held[HIPS];
        }
        let [left, right] = Side::BOTH.map(|side| held[side.joint(THIGH)]);
        held[HIPS] -= left + right;

        let shin = gate(knee.y - point.y, KNEE_WIDTH);
        pass(held, own.joint(THIGH), own.joint(SHIN), shin);
        let foot = gate(ankle.y + 0.018 - point.y, ANKLE_WIDTH);
        pass(held, own.joint(SHIN), own.joint(FOOT), foot);
        let toes = gate(point.z - (ball.z - 0.8 * TOE_WIDTH), TOE_WIDTH);
        pass(held, own.joint(FOOT), own.joint(TOES), toes);
    }

    fn spine(&self, held: &mut [f64; JOINTS], point: DVec3) {
        for joint in [SPINE1, SPINE2, SPINE3] {
            let above = point.y - self.bones.positions[joint].y;
            pass(held, joint - 1, joint, gate(above, SPINE_WIDTH));
        }
        let neck = self.bones.positions[NECK];
        let up = DVec3::new(0.0, 0.93, 0.36);
        let above = (point - neck).dot(up) - 0.25 * (point.x - 0.06).max(0.0);
        pass(held, SPINE3, NECK, gate(above, NECK_WIDTH));
        // The head begins under the jaw in front and at the nape behind.
        let head = self.bones.positions[HEAD];
        let jaw = (point.z - head.z).max(0.0) * 0.62;
        let above = point.y - head.y + jaw;
        pass(held, NECK, HEAD, gate(above, NECK_WIDTH));
    }

    fn arm(&self, held: &mut [f64; JOINTS], own: Side, point: DVec3) {
        let (shoulder, elbow, wrist) = (self.at(UPPER_ARM), self.at(FOREARM), self.at(HAND));
        let clavicle = gate(point.x - 0.085, 0.065) * gate(point.y - 1.375, 0.075);
        pass(held, SPINE3, own.joint(CLAVICLE), clavicle);

        // The arm begins across the shoulder, but not on the ribs, which are nearer the spine.
        let along = (point - shoulder).dot(ARM);
        let from_axis = (point - shoulder - ARM * along.max(0.0)).length() - 0.05;
        let from_ribs = {
            let offset = DVec3::new(point.x, (point.y - 1.22) * 0.2, point.z + 0.02);
            offset.length() - 0.145
        };
        let upper = gate(along - 0.005, SHOULDER_WIDTH) * gate(from_ribs - from_axis, 0.035);
        for parent in [own.joint(CLAVICLE), SPINE3, SPINE2, SPINE1, HIPS] {
            pass(held, parent, own.joint(UPPER_ARM), upper);
        }
        let forearm = gate((point - elbow).dot(ARM), ELBOW_WIDTH);
        pass(held, own.joint(UPPER_ARM), own.joint(FOREARM), forearm);
        let hand = gate((point - wrist).dot(ARM), WRIST_WIDTH);
        pass(held, own.joint(FOREARM), own.joint(HAND), hand);
        if held[own.joint(HAND)] > 0.0 {
            self.fingers(held, own, point);
        }
    }

    fn fingers(&self, held: &mut [f64; JOINTS], own: Side, point: DVec3) {
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
        let whole = held[own.joint(HAND)];
        for f in 0..FINGERS {
            let others = (0..FINGERS).filter(|&other| other != f);
            let nearest = others.map(|o| distances[o]).fold(f64::INFINITY, f64::min);
            let mine = gate(nearest - distances[f], 0.008);
            let along = |k: usize| {
                let (from, to) = (self.at(finger(f, k)), self.at(finger(f, k + 1)));
                (point - from).dot((to - from).normalize())
            };
            // The thumb takes its ball along.
            let (width, shift) = match f {
                0 => (0.020, 0.004),
                _ => (KNUCKLE_WIDTH, 0.004),
            };
            let first = whole * mine * gate(along(0) - shift, width);
            held[own.joint(HAND)] -= first;
            held[own.joint(finger(f, 0))] = first;
            for k in 1..3 {
                let passes = gate(along(k), FINGER_WIDTH);
                let parent = own.joint(finger(f, k - 1));
                pass(held, parent, own.joint(finger(f, k)), passes);
            }
        }
    }
}

/// Hands a share of what one joint holds on to another.
fn pass(held: &mut [f64; JOINTS], from: usize, to: usize, share: f64) {
    let passed = held[from] * share;
    held[from] -= passed;
    held[to] += passed;
}
