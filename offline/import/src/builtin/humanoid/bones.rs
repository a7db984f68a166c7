//! The skeleton: position and rotation of each joint in the rest pose.
//!
//! Every bone points along its local +Y to its main child. A rotation about its local +X bends it in the
//! anatomical direction: spine and elbows forwards, knees backwards, fingers to the palm, toes down. Left is
//! +X; the right side is its mirror image.

use glam::{DAffine3, DMat3, DQuat, DVec3};
use throng_rig::{Joint, JointKind, Skeleton, Skin, Transform};

/// Root joint, between the hip joints.
pub(super) const HIPS: usize = 0;
/// Lowest of three spine joints.
pub(super) const SPINE1: usize = 1;
/// Middle of three spine joints.
pub(super) const SPINE2: usize = 2;
/// Highest of three spine joints, in the chest.
pub(super) const SPINE3: usize = 3;
/// Joint at the base of the neck.
pub(super) const NECK: usize = 4;
/// Joint at the base of the skull.
pub(super) const HEAD: usize = 5;
/// Number of central joints, which precede the joints of both sides.
const CENTRAL: usize = 7;

/// First joint of a side; this and the following constants are indices for [`Side::joint`].
pub(super) const CLAVICLE: usize = 0;
/// Joint at the shoulder.
pub(super) const UPPER_ARM: usize = 1;
/// Joint at the elbow.
pub(super) const FOREARM: usize = 2;
/// Joint at the wrist.
pub(super) const HAND: usize = 3;
/// First joint of the thumb; see [`finger`].
const FINGERS_FIRST: usize = 4;
/// Number of joints per finger: three joints and a leaf.
pub(super) const FINGER_JOINTS: usize = 4;
/// Number of fingers: thumb, index, middle, ring, little.
pub(super) const FINGERS: usize = 5;
/// Joint at the hip.
pub(super) const THIGH: usize = FINGERS_FIRST + FINGERS * FINGER_JOINTS;
/// Joint at the knee.
pub(super) const SHIN: usize = THIGH + 1;
/// Joint at the ankle.
pub(super) const FOOT: usize = THIGH + 2;
/// Joint at the ball of the foot.
pub(super) const TOES: usize = THIGH + 3;
/// Number of joints of a side.
const PER_SIDE: usize = THIGH + 5;
/// Number of all joints.
pub(super) const JOINTS: usize = CENTRAL + 2 * PER_SIDE;

/// Returns the index of joint `k` of a finger among the joints of a side; 3 is the leaf.
pub(super) const fn finger(finger: usize, k: usize) -> usize {
    FINGERS_FIRST + finger * FINGER_JOINTS + k
}

/// Side of the body, as the character sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    /// Towards +X.
    Left,
    /// Towards −X.
    Right,
}

impl Side {
    /// Both sides, left first.
    pub const BOTH: [Self; 2] = [Self::Left, Self::Right];

    /// Returns the index in the skeleton of a joint of this side.
    pub const fn joint(self, of_side: usize) -> usize {
        match self {
            Self::Left => CENTRAL + of_side,
            Self::Right => CENTRAL + PER_SIDE + of_side,
        }
    }

    /// Returns 1 for the left, −1 for the right.
    pub fn sign(self) -> f64 {
        match self {
            Self::Left => 1.0,
            Self::Right => -1.0,
        }
    }

    /// Returns the other side.
    pub fn other(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Left => "left",
            Self::Right => "right",
        }
    }
}

/// Direction down the left arm in the rest pose, halfway between hanging and horizontal.
pub(super) const ARM: DVec3 = DVec3::new(
    std::f64::consts::FRAC_1_SQRT_2,
    -std::f64::consts::FRAC_1_SQRT_2,
    0.0,
);
/// Direction that the left palm faces in the rest pose.
pub(super) const PALM: DVec3 = DVec3::new(
    -std::f64::consts::FRAC_1_SQRT_2,
    -std::f64::consts::FRAC_1_SQRT_2,
    0.0,
);
const SHOULDER: DVec3 = DVec3::new(0.176, 1.442, -0.018);
const UPPER_ARM_LENGTH: f64 = 0.280;
const FOREARM_LENGTH: f64 = 0.248;

/// Proportions of a finger. Lengths in metres, angles in degrees.
struct Finger {
    name: &'static str,
    /// Offset of the first joint from the wrist: along the arm, to the palm, and towards the thumb.
    base: [f64; 3],
    lengths: [f64; 3],
    /// Angle towards the thumb.
    spread: f64,
    /// Angle to the palm, of the first joint and of each further one.
    curl: [f64; 2],
}

const HAND_FINGERS: [Finger; FINGERS] = [
    Finger {
        name: "thumb",
        base: [0.024, 0.010, 0.022],
        lengths: [0.044, 0.036, 0.030],
        spread: 42.0,
        curl: [14.0, 4.0],
    },
    Finger {
        name: "index",
        base: [0.090, 0.002, 0.032],
        lengths: [0.045, 0.028, 0.024],
        spread: 7.5,
        curl: [4.0, 6.0],
    },
    Finger {
        name: "middle",
        base: [0.094, 0.000, 0.0105],
        lengths: [0.050, 0.031, 0.025],
        spread: 1.5,
        curl: [4.0, 6.0],
    },
    Finger {
        name: "ring",
        base: [0.090, 0.001, -0.0110],
        lengths: [0.046, 0.029, 0.025],
        spread: -4.5,
        curl: [5.0, 7.0],
    },
    Finger {
        name: "little",
        base: [0.082, 0.004, -0.0315],
        lengths: [0.036, 0.022, 0.021],
        spread: -11.5,
        curl: [6.0, 8.0],
    },
];

/// The rest pose in model space.
#[derive(Debug, Clone)]
pub(super) struct Bones {
    names: Vec<String>,
    parents: Vec<Option<usize>>,
    /// Position of each joint, in metres.
    pub positions: Vec<DVec3>,
    /// Rotation of each joint (model from joint).
    pub rotations: Vec<DQuat>,
}

impl Bones {
    /// Builds all joints in the rest pose.
    pub fn new() -> Self {
        let mut bones = Self {
            names: Vec::with_capacity(JOINTS),
            parents: Vec::with_capacity(JOINTS),
            positions: Vec::with_capacity(JOINTS),
            rotations: Vec::with_capacity(JOINTS),
        };
        let mut bends_to = Vec::with_capacity(JOINTS);
        for (index, (name, position)) in [
            ("hips", [0.0, 0.975, -0.010]),
            ("spine1", [0.0, 1.075, -0.014]),
            ("spine2", [0.0, 1.195, -0.016]),
            ("spine3", [0.0, 1.320, -0.024]),
            ("neck", [0.0, 1.500, -0.030]),
            ("head", [0.0, 1.600, -0.012]),
            ("head_end", [0.0, 1.800, -0.012]),
        ]
        .into_iter()
        .enumerate()
        {
            let parent = index.checked_sub(1);
            bones.push(name.to_owned(), parent, DVec3::from_array(position));
            bends_to.push(DVec3::Z);
        }
        for side in Side::BOTH {
            let mirror = DVec3::new(side.sign(), 1.0, 1.0);
            for joint in left_joints() {
                let parent = match joint.parent {
                    Parent::Central(parent) => parent,
                    Parent::OfSide(parent) => side.joint(parent),
                };
                let name = format!("{}_{}", side.name(), joint.name);
                bones.push(name, Some(parent), joint.position * mirror);
                bends_to.push(joint.bends_to * mirror);
            }
        }
        for (joint, bends_to) in bends_to.into_iter().enumerate() {
            let rotation = match bones.main_child(joint) {
                Some(child) => frame(bones.positions[child] - bones.positions[joint], bends_to),
                None => bones.parents[joint].map_or(DQuat::IDENTITY, |p| bones.rotations[p]),
            };
            bones.rotations.push(rotation);
        }
        bones
    }

    fn push(&mut self, name: String, parent: Option<usize>, position: DVec3) {
        self.names.push(name);
        self.parents.push(parent);
        self.positions.push(position);
    }

    /// Returns the joint that a bone points to; `None` for leaves.
    pub fn main_child(&self, joint: usize) -> Option<usize> {
        let is_hand = Side::BOTH.iter().any(|s| s.joint(HAND) == joint);
        let child = match joint {
            SPINE3 => NECK,
            _ if is_hand => joint - HAND + finger(2, 0),
            _ => joint + 1,
        };
        (self.parents.get(child) == Some(&Some(joint))).then_some(child)
    }

    /// Returns the parent of a joint.
    pub fn parent(&self, joint: usize) -> Option<usize> {
        self.parents[joint]
    }

    /// Returns the rest rotation of a joint in the space of its parent.
    pub fn parent_from_joint(&self, joint: usize) -> DQuat {
        match self.parents[joint] {
            Some(parent) => self.rotations[parent].inverse() * self.rotations[joint],
            None => self.rotations[joint],
        }
    }

    /// Builds the skeleton.
    pub fn skeleton(&self) -> Skeleton {
        let joint = |joint: usize| {
            let from_parent = self.parents[joint].map_or(self.positions[joint], |parent| {
                let offset = self.positions[joint] - self.positions[parent];
                self.rotations[parent].inverse() * offset
            });
            Joint {
                name: self.names[joint].clone(),
                parent: self.parents[joint],
                parent_from_joint: Transform {
                    rotation: self.parent_from_joint(joint),
                    ..Transform::from_translation(from_parent)
                },
                kind: match self.main_child(joint) {
                    Some(_) => JointKind::Bone,
                    None => JointKind::Leaf,
                },
            }
        };
        Skeleton::new((0..JOINTS).map(joint).collect()).expect("parents precede children")
    }

    /// Builds the skin: every joint except leaves, bound in the rest pose. Palette index `i` is joint
    /// [`Self::skin_joints`]`[i]`.
    pub fn skin(&self, name: &str, skeleton: &Skeleton) -> Skin {
        let joint_from_bind = |&joint: &usize| {
            let (rotation, translation) = (self.rotations[joint], self.positions[joint]);
            DAffine3::from_rotation_translation(rotation, translation).inverse()
        };
        let joints = self.skin_joints();
        let matrices = joints.iter().map(joint_from_bind).collect();
        Skin::new(name.to_owned(), skeleton, joints, matrices)
            .expect("one inverse bind matrix per bone")
    }

    /// Returns the joints that move vertices: all except leaves.
    pub fn skin_joints(&self) -> Vec<usize> {
        let moves = |&joint: &usize| self.main_child(joint).is_some();
        (0..JOINTS).filter(moves).collect()
    }
}

/// Parent of a joint of a side.
enum Parent {
    Central(usize),
    OfSide(usize),
}

struct SideJoint {
    name: String,
    parent: Parent,
    position: DVec3,
    /// Direction in which a rotation about local +X moves the end of the bone.
    bends_to: DVec3,
}

/// Returns the joints of the left side, in index order.
fn left_joints() -> Vec<SideJoint> {
    let mut joints: Vec<SideJoint> = Vec::with_capacity(PER_SIDE);
    let mut push = |name: String, parent: Parent, position: DVec3, bends_to: DVec3| {
        joints.push(SideJoint {
            name,
            parent,
            position,
            bends_to,
        });
    };
    let elbow = SHOULDER + ARM * UPPER_ARM_LENGTH;
    let wrist = elbow + ARM * FOREARM_LENGTH;
    let collar = DVec3::new(0.022, 1.440, 0.012);
    let arm = [
        ("clavicle", Parent::Central(SPINE3), collar),
        ("upper_arm", Parent::OfSide(CLAVICLE), SHOULDER),
        // Set back, so that the direction of bending is defined.
        (
            "forearm",
            Parent::OfSide(UPPER_ARM),
            elbow - DVec3::Z * 0.006,
        ),
        ("hand", Parent::OfSide(FOREARM), wrist),
    ];
    for (name, parent, position) in arm {
        let bends_to = if name == "hand" { PALM } else { DVec3::Z };
        push(name.to_owned(), parent, position, bends_to);
    }
    for (index, bone) in HAND_FINGERS.iter().enumerate() {
        let [along, to_palm, to_thumb] = bone.base;
        let mut position = wrist + ARM * along + PALM * to_palm + DVec3::Z * to_thumb;
        let mut direction = toward(ARM, DVec3::Z, bone.spread);
        let mut bends_to = match index {
            // The thumb folds across the palm.
            0 => (PALM * 0.8 - DVec3::Z * 0.45 + ARM * 0.3).normalize(),
            _ => PALM,
        };
        for k in 0..FINGER_JOINTS {
            let (name, parent) = match k {
                0 => (format!("{}1", bone.name), HAND),
                3 => (format!("{}_end", bone.name), finger(index, 2)),
                _ => (format!("{}{}", bone.name, k + 1), finger(index, k - 1)),
            };
            push(name, Parent::OfSide(parent), position, bends_to);
            if k < 3 {
                bends_to = bends_to.reject_from(direction).normalize();
                let curled = toward(direction, bends_to, bone.curl[k.min(1)]);
                bends_to = (bends_to - curled * curled.dot(bends_to)).normalize();
                direction = curled;
                position += direction * bone.lengths[k];
            }
        }
    }
    let back = DVec3::NEG_Z;
    for (name, parent, position, bends_to) in [
        ("thigh", Parent::Central(HIPS), [0.092, 0.930, -0.004], back),
        ("shin", Parent::OfSide(THIGH), [0.090, 0.505, 0.008], back),
        (
            "foot",
            Parent::OfSide(SHIN),
            [0.090, 0.090, -0.024],
            DVec3::NEG_Y,
        ),
        (
            "toes",
            Parent::OfSide(FOOT),
            [0.096, 0.011, 0.116],
            DVec3::NEG_Y,
        ),
        (
            "toes_end",
            Parent::OfSide(TOES),
            [0.099, 0.012, 0.196],
            DVec3::NEG_Y,
        ),
    ] {
        push(
            name.to_owned(),
            parent,
            DVec3::from_array(position),
            bends_to,
        );
    }
    joints
}

/// Rotates a direction by an angle in degrees towards a perpendicular direction.
fn toward(direction: DVec3, other: DVec3, degrees: f64) -> DVec3 {
    let (sin, cos) = degrees.to_radians().sin_cos();
    direction * cos + other * sin
}

/// Returns the rotation whose +Y points along a bone and whose +Z is as close as possible to `bends_to`.
pub(super) fn frame(along: DVec3, bends_to: DVec3) -> DQuat {
    let y = along.normalize();
    let x = y.cross(bends_to).normalize();
    DQuat::from_mat3(&DMat3::from_cols(x, y, x.cross(y)))
}
