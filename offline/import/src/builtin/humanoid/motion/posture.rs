//! Pose of the humanoid at one time, built joint by joint.

use std::f64::consts::FRAC_PI_4;

use glam::{DQuat, DVec3};

use crate::builtin::humanoid::bones::{
    Bones, CLAVICLE, FINGERS, FOOT, FOREARM, HAND, HIPS, JOINTS, SHIN, Side, THIGH, TOES,
    UPPER_ARM, finger, frame,
};

/// Maximum length of a leg, relative to its full length, so that knees never lock.
const MAX_LEG_LENGTH: f64 = 0.9985;

/// Rotation of every joint, and position of the hips.
#[derive(Debug, Clone)]
pub(super) struct Posture<'a> {
    bones: &'a Bones,
    /// Position of the hips in model space, in metres.
    pub hips: DVec3,
    /// Rotation of each joint in the space of its parent.
    pub parent_from_joint: [DQuat; JOINTS],
}

/// Angles of an arm, in degrees. All zeros hang straight down.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Arm {
    /// Rotation about the shoulder, forwards.
    pub swing: f64,
    /// Rotation about the shoulder, away from the body.
    pub out: f64,
    /// Twist of the upper arm; positive rotates the palm to the back.
    pub twist: f64,
    /// Bend of the elbow.
    pub elbow: f64,
    /// Twist of the forearm; positive rotates the palm to the back.
    pub forearm_twist: f64,
    /// Bend of the wrist, to the palm.
    pub wrist: f64,
    /// Bend of each finger joint, to the palm.
    pub curl: f64,
}

/// Position and rotation of a foot.
#[derive(Debug, Clone, Copy)]
pub(super) struct Foot {
    /// Position of the ankle in model space, in metres.
    pub ankle: DVec3,
    /// Pitch in degrees, toes up.
    pub pitch: f64,
    /// Yaw in degrees, toes outwards.
    pub yaw: f64,
    /// Pitch of the toes relative to the foot in degrees, up.
    pub toes: f64,
}

impl<'a> Posture<'a> {
    /// Returns the rest pose.
    pub fn rest(bones: &'a Bones) -> Self {
        Self {
            bones,
            hips: bones.positions[HIPS],
            parent_from_joint: std::array::from_fn(|joint| bones.parent_from_joint(joint)),
        }
    }

    /// Rotates a joint about the model's axes, as if its ancestors were in the rest pose. Angles are in
    /// degrees: `pitch` about X (forwards), then `roll` about Z (to the right), then `yaw` about Y (to the
    /// left).
    pub fn rotate(&mut self, joint: usize, pitch: f64, yaw: f64, roll: f64) {
        let [pitch, yaw, roll] = [pitch, yaw, -roll].map(f64::to_radians);
        let rotation = DQuat::from_rotation_y(yaw)
            * DQuat::from_rotation_z(roll)
            * DQuat::from_rotation_x(pitch);
        self.rotate_by(joint, rotation);
    }

    fn rotate_by(&mut self, joint: usize, rotation: DQuat) {
        let parent = self.bones.parent(joint);
        let parent = parent.map_or(DQuat::IDENTITY, |parent| self.bones.rotations[parent]);
        let local = &mut self.parent_from_joint[joint];
        *local = parent.inverse() * rotation * parent * *local;
    }

    /// Rotates a joint about its local axes, by angles in degrees about Z, then Y, then X, mirrored on the
    /// right side.
    pub fn bend(&mut self, side: Side, of_side: usize, x: f64, y: f64, z: f64) {
        let mirror = side.sign();
        let [x, y, z] = [x, y * mirror, z * mirror].map(f64::to_radians);
        let bend =
            DQuat::from_rotation_x(x) * DQuat::from_rotation_y(y) * DQuat::from_rotation_z(z);
        let local = &mut self.parent_from_joint[side.joint(of_side)];
        *local *= bend;
    }

    /// Returns the position and rotation of a joint in model space.
    pub fn model(&self, joint: usize) -> (DVec3, DQuat) {
        match self.bones.parent(joint) {
            None => (self.hips, self.parent_from_joint[joint]),
            Some(parent) => {
                let (position, rotation) = self.model(parent);
                let rest = self.bones.positions[joint] - self.bones.positions[parent];
                let offset = self.bones.rotations[parent].inverse() * rest;
                (
                    position + rotation * offset,
                    rotation * self.parent_from_joint[joint],
                )
            }
        }
    }

    /// Poses an arm, its hand and fingers.
    pub fn arm(&mut self, side: Side, arm: Arm) {
        let out = side.sign() * (arm.out.to_radians() - FRAC_PI_4);
        let swing = DQuat::from_rotation_x(-arm.swing.to_radians());
        self.rotate_by(side.joint(UPPER_ARM), swing * DQuat::from_rotation_z(out));
        // Shoulders drop with hanging arms and rise with lifted arms.
        let lift = (arm.out - 45.0) * if arm.out < 45.0 { 0.12 } else { 0.18 };
        self.bend(side, CLAVICLE, 0.0, 0.0, lift);
        self.bend(side, UPPER_ARM, 0.0, arm.twist, 0.0);
        // Half of the twist of the forearm is at the elbow, half at the wrist.
        self.bend(side, FOREARM, arm.elbow, 0.0, 0.0);
        self.bend(side, FOREARM, 0.0, arm.forearm_twist / 2.0, 0.0);
        self.bend(side, HAND, arm.wrist, arm.forearm_twist / 2.0, 0.0);
        for f in 0..FINGERS {
            // Fingers farther from the thumb close more.
            let share = 0.75 + 0.12 * f as f64;
            for k in 0..3 {
                let of_thumb = if f == 0 && k == 0 { 0.3 } else { 1.0 };
                self.bend(side, finger(f, k), arm.curl * share * of_thumb, 0.0, 0.0);
            }
        }
    }

    /// Poses a leg by inverse kinematics, with the knee in front. The position and rotation of the hips must
    /// be set before. If the ankle is out of reach, the leg points towards it.
    pub fn foot(&mut self, side: Side, foot: Foot) {
        let [hip, knee, ankle] = [THIGH, SHIN, FOOT].map(|j| self.bones.positions[side.joint(j)]);
        let (upper, lower) = (hip.distance(knee), knee.distance(ankle));
        let yaw = DQuat::from_rotation_y(side.sign() * foot.yaw.to_radians());
        let (hip, _) = self.model(side.joint(THIGH));
        let (_, hips_rotation) = self.model(HIPS);
        let reach = foot.ankle - hip;
        let direction = reach.normalize();
        let length = reach.length().min((upper + lower) * MAX_LEG_LENGTH);
        let ahead = (yaw * DVec3::Z).reject_from(direction).normalize();
        let cos = (upper * upper + length * length - lower * lower) / (2.0 * upper * length);
        let sin = (1.0 - cos * cos).max(0.0).sqrt();
        let knee = hip + (direction * cos + ahead * sin) * upper;
        let ankle = hip + direction * length;

        let thigh = frame(knee - hip, -ahead);
        let shin = frame(ankle - knee, -ahead);
        let pitch = DQuat::from_rotation_x(-foot.pitch.to_radians());
        let sole = yaw * pitch * self.bones.rotations[side.joint(FOOT)];
        self.parent_from_joint[side.joint(THIGH)] = hips_rotation.inverse() * thigh;
        self.parent_from_joint[side.joint(SHIN)] = thigh.inverse() * shin;
        self.parent_from_joint[side.joint(FOOT)] = shin.inverse() * sole;
        self.bend(side, TOES, -foot.toes, 0.0, 0.0);
    }
}
