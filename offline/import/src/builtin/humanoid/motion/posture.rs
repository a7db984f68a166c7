//! One moment of a motion, put together joint by joint.

use std::f64::consts::FRAC_PI_4;

use glam::{DQuat, DVec3};

use crate::builtin::humanoid::bones::{
    Bones, CLAVICLE, FINGERS, FOOT, FOREARM, HAND, HIPS, JOINTS, SHIN, Side, THIGH, TOES,
    UPPER_ARM, finger, frame,
};

/// The longest that a leg is stretched, of its own length: knees never lock.
const LONGEST_LEG: f64 = 0.9985;

/// Where every joint is turned to, and where the hips are.
#[derive(Debug, Clone)]
pub(super) struct Posture<'a> {
    bones: &'a Bones,
    /// In the model's space, metres.
    pub hips: DVec3,
    /// In the parents' spaces.
    pub parent_from_joint: [DQuat; JOINTS],
}

/// How an arm is held, in degrees. Hanging straight down is all zeros.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Arm {
    /// Forwards, about the shoulder.
    pub swing: f64,
    /// Away from the body.
    pub out: f64,
    /// About its own length; positive turns the palm to the back.
    pub twist: f64,
    /// At the elbow.
    pub elbow: f64,
    /// Of the forearm about its own length; positive turns the palm to the back.
    pub turn: f64,
    /// At the wrist, to the palm.
    pub wrist: f64,
    /// Of each finger joint, to the palm.
    pub curl: f64,
}

/// Where a foot is and how it is turned.
#[derive(Debug, Clone, Copy)]
pub(super) struct Foot {
    /// In the model's space, metres.
    pub ankle: DVec3,
    /// In degrees, toes up.
    pub pitch: f64,
    /// In degrees, toes outwards.
    pub yaw: f64,
    /// Of the toes against the foot, in degrees, up.
    pub toes: f64,
}

impl<'a> Posture<'a> {
    /// The rest pose.
    pub fn rest(bones: &'a Bones) -> Self {
        Self {
            bones,
            hips: bones.positions[HIPS],
            parent_from_joint: std::array::from_fn(|joint| bones.parent_from_joint(joint)),
        }
    }

    /// Turns a joint about the model's axes, as if all above it were at rest: by degrees about X (nods
    /// forwards), then Z (leans to the right), then Y (looks to the left).
    pub fn turn(&mut self, joint: usize, nod: f64, look: f64, lean: f64) {
        let [nod, look, lean] = [nod, look, -lean].map(f64::to_radians);
        let turn = DQuat::from_rotation_y(look)
            * DQuat::from_rotation_z(lean)
            * DQuat::from_rotation_x(nod);
        self.turn_by(joint, turn);
    }

    fn turn_by(&mut self, joint: usize, turn: DQuat) {
        let above = self.bones.parent(joint);
        let above = above.map_or(DQuat::IDENTITY, |parent| self.bones.rotations[parent]);
        let local = &mut self.parent_from_joint[joint];
        *local = above.inverse() * turn * above * *local;
    }

    /// Turns a joint about its own axes: by degrees about Z, then Y, then X, mirrored on the right.
    pub fn bend(&mut self, side: Side, of_side: usize, x: f64, y: f64, z: f64) {
        let mirror = side.sign();
        let [x, y, z] = [x, y * mirror, z * mirror].map(f64::to_radians);
        let bend =
            DQuat::from_rotation_x(x) * DQuat::from_rotation_y(y) * DQuat::from_rotation_z(z);
        let local = &mut self.parent_from_joint[side.joint(of_side)];
        *local *= bend;
    }

    /// Where a joint is and how it is turned, in the model's space.
    pub fn model(&self, joint: usize) -> (DVec3, DQuat) {
        match self.bones.parent(joint) {
            None => (self.hips, self.parent_from_joint[joint]),
            Some(parent) => {
                let (at, turned) = self.model(parent);
                let rest = self.bones.positions[joint] - self.bones.positions[parent];
                let offset = self.bones.rotations[parent].inverse() * rest;
                (at + turned * offset, turned * self.parent_from_joint[joint])
            }
        }
    }

    /// Holds an arm, hand and fingers.
    pub fn arm(&mut self, side: Side, arm: Arm) {
        let out = side.sign() * (arm.out.to_radians() - FRAC_PI_4);
        let swing = DQuat::from_rotation_x(-arm.swing.to_radians());
        self.turn_by(side.joint(UPPER_ARM), swing * DQuat::from_rotation_z(out));
        // Shoulders sink with arms that hang and rise with arms that are lifted.
        let lift = (arm.out - 45.0) * if arm.out < 45.0 { 0.12 } else { 0.18 };
        self.bend(side, CLAVICLE, 0.0, 0.0, lift);
        self.bend(side, UPPER_ARM, 0.0, arm.twist, 0.0);
        // Half of a turn of the forearm shows at the elbow, the rest at the wrist.
        self.bend(side, FOREARM, arm.elbow, 0.0, 0.0);
        self.bend(side, FOREARM, 0.0, arm.turn / 2.0, 0.0);
        self.bend(side, HAND, arm.wrist, arm.turn / 2.0, 0.0);
        for f in 0..FINGERS {
            // Fingers close a little more the farther they are from the thumb.
            let share = 0.75 + 0.12 * f as f64;
            for k in 0..3 {
                let of_thumb = if f == 0 && k == 0 { 0.3 } else { 1.0 };
                self.bend(side, finger(f, k), arm.curl * share * of_thumb, 0.0, 0.0);
            }
        }
    }

    /// Puts a foot in its place and lets the leg follow, with the knee in front. The hips and all above
    /// them must have been set. A foot that is out of reach hangs back.
    pub fn foot(&mut self, side: Side, foot: Foot) {
        let [hip, knee, ankle] = [THIGH, SHIN, FOOT].map(|j| self.bones.positions[side.joint(j)]);
        let (upper, lower) = (hip.distance(knee), knee.distance(ankle));
        let yaw = DQuat::from_rotation_y(side.sign() * foot.yaw.to_radians());
        let (hip, _) = self.model(side.joint(THIGH));
        let (_, hips_turned) = self.model(HIPS);
        let reach = foot.ankle - hip;
        let way = reach.normalize();
        let length = reach.length().min((upper + lower) * LONGEST_LEG);
        let ahead = (yaw * DVec3::Z).reject_from(way).normalize();
        let cos = (upper * upper + length * length - lower * lower) / (2.0 * upper * length);
        let sin = (1.0 - cos * cos).max(0.0).sqrt();
        let knee = hip + (way * cos + ahead * sin) * upper;
        let ankle = hip + way * length;

        let thigh = frame(knee - hip, -ahead);
        let shin = frame(ankle - knee, -ahead);
        let pitch = DQuat::from_rotation_x(-foot.pitch.to_radians());
        let sole = yaw * pitch * self.bones.rotations[side.joint(FOOT)];
        self.parent_from_joint[side.joint(THIGH)] = hips_turned.inverse() * thigh;
        self.parent_from_joint[side.joint(SHIN)] = thigh.inverse() * shin;
        self.parent_from_joint[side.joint(FOOT)] = shin.inverse() * sole;
        self.bend(side, TOES, -foot.toes, 0.0, 0.0);
    }
}
