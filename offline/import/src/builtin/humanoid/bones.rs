//! The bones: where each joint is at rest and which way it is turned.
//!
//! Every bone runs along its own +Y to its main child, and a turn about its own +X bends it the way that
//! a body bends: spine and elbows forwards, knees backwards, fingers to the palm, toes down. The left is
//! +X; the right side is its mirror image.

use glam::{DAffine3, DMat3, DQuat, DVec3};
use throng_rig::{Joint, JointKind, Skeleton, Skin, Transform};

/// The root, between the hip joints.
pub(super) const HIPS: usize = 0;
/// The lowest of three.
pub(super) const SPINE1: usize = 1;
/// The middle of three.
pub(super) const SPINE2: usize = 2;
/// The upper of three, in the chest.
pub(super) const SPINE3: usize = 3;
/// Where the neck leaves the chest.
pub(super) const NECK: usize = 4;
/// Where the skull sits on the neck.
pub(super) const HEAD: usize = 5;
/// Joints before those that come in pairs.
const CENTRAL: usize = 7;

/// Joints of one side, in their order; see [`Side::joint`].
pub(super) const CLAVICLE: usize = 0;
/// At the shoulder.
pub(super) const UPPER_ARM: usize = 1;
/// At the elbow.
pub(super) const FOREARM: usize = 2;
/// At the wrist.
pub(super) const HAND: usize = 3;
/// The first of the thumb; see [`finger`].
const FINGERS_FIRST: usize = 4;
/// Three joints and an end.
pub(super) const FINGER_JOINTS: usize = 4;
/// Thumb, index, middle, ring, little.
pub(super) const FINGERS: usize = 5;
/// At the hip joint.
pub(super) const THIGH: usize = FINGERS_FIRST + FINGERS * FINGER_JOINTS;
/// At the knee.
pub(super) const SHIN: usize = THIGH + 1;
/// At the ankle.
pub(super) const FOOT: usize = THIGH + 2;
/// At the ball of the foot.
pub(super) const TOES: usize = THIGH + 3;
/// Joints of a side.
const PER_SIDE: usize = THIGH + 5;
/// All joints.
pub(super) const JOINTS: usize = CENTRAL + 2 * PER_SIDE;

/// Joint `k` of a finger, among those of a side; 3 is its end.
pub(super) const fn finger(finger: usize, k: usize) -> usize {
    FINGERS_FIRST + finger * FINGER_JOINTS + k
}

/// The body's own left or right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    /// Towards +X.
    Left,
    /// Towards −X.
    Right,
}

impl Side {
    /// Both, left first.
    pub const BOTH: [Self; 2] = [Self::Left, Self::Right];

    /// The joint in the skeleton of one that sides have.
    pub const fn joint(self, of_side: usize) -> usize {
        match self {
            Self::Left => CENTRAL + of_side,
            Self::Right => CENTRAL + PER_SIDE + of_side,
        }
    }

    /// 1 on the left, −1 on the right.
    pub fn sign(self) -> f64 {
        match self {
            Self::Left => 1.0,
            Self::Right => -1.0,
        }
    }

    /// The other one.
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

/// Down the left arm at rest, halfway between hanging and level.
pub(super) const ARM: DVec3 = DVec3::new(
    std::f64::consts::FRAC_1_SQRT_2,
    -std::f64::consts::FRAC_1_SQRT_2,
    0.0,
);
/// Where the left palm looks at rest.
pub(super) const PALM: DVec3 = DVec3::new(
    -std::f64::consts::FRAC_1_SQRT_2,
    -std::f64::consts::FRAC_1_SQRT_2,
    0.0,
);
const SHOULDER: DVec3 = DVec3::new(0.176, 1.442, -0.018);
const UPPER_ARM_LENGTH: f64 = 0.280;
const FOREARM_LENGTH: f64 = 0.248;

/// How a finger leaves the hand. Lengths in metres, angles in degrees.
struct Finger {
    name: &'static str,
    /// From the wrist along the arm, to the palm, and towards the thumb.
    base: [f64; 3],
    lengths: [f64; 3],
    /// Towards the thumb.
    spread: f64,
    /// To the palm, of the first joint and of each further one.
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
    /// One a joint, in metres.
    pub positions: Vec<DVec3>,
    /// One a joint: model from joint.
    pub rotations: Vec<DQuat>,
}

impl Bones {
    /// All joints, at rest.
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

    /// The joint that a bone points to; ends have none.
    pub fn main_child(&self, joint: usize) -> Option<usize> {
        let is_hand = Side::BOTH.iter().any(|s| s.joint(HAND) == joint);
        let child = match joint {
            SPINE3 => NECK,
            _ if is_hand => joint - HAND + finger(2, 0),
            _ => joint + 1,
        };
        (self.parents.get(child) == Some(&Some(joint))).then_some(child)
    }

    /// Above a joint.
    pub fn parent(&self, joint: usize) -> Option<usize> {
        self.parents[joint]
    }

    /// The rest rotation in the parent's space.
    pub fn parent_from_joint(&self, joint: usize) -> DQuat {
        match self.parents[joint] {
            Some(parent) => self.rotations[parent].inverse() * self.rotations[joint],
            None => self.rotations[joint],
        }
    }

    /// The rest pose as a skeleton.
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
        Skeleton::new((0..JOINTS).map(joint).collect()).expect("parents before children")
    }

    /// The skin: every joint but the ends, bound at rest. Entry `i` is joint [`Self::bound`]`[i]`.
    pub fn skin(&self, name: &str, skeleton: &Skeleton) -> Skin {
        let joint_from_bind = |&joint: &usize| {
            let (turned, at) = (self.rotations[joint], self.positions[joint]);
            DAffine3::from_rotation_translation(turned, at).inverse()
        };
        let bound = self.bound();
        let matrices = bound.iter().map(joint_from_bind).collect();
        Skin::new(name.to_owned(), skeleton, bound, matrices).expect("one matrix a bone")
    }

    /// The joints that move vertices.
    pub fn bound(&self) -> Vec<usize> {
        let moves = |&joint: &usize| self.main_child(joint).is_some();
        (0..JOINTS).filter(moves).collect()
    }
}

/// What a joint of a side hangs on.
enum Parent {
    Central(usize),
    OfSide(usize),
}

struct SideJoint {
    name: String,
    parent: Parent,
    position: DVec3,
    /// Where a turn about its own +X takes the bone's end.
    bends_to: DVec3,
}

/// The joints of the left side, in their order.
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
        // Set back, so that there is one way to bend.
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
                let turned = toward(direction, bends_to, bone.curl[k.min(1)]);
                bends_to = (bends_to - turned * turned.dot(bends_to)).normalize();
                direction = turned;
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

/// A direction turned by so many degrees towards another that is square to it.
fn toward(direction: DVec3, other: DVec3, degrees: f64) -> DVec3 {
    let (sin, cos) = degrees.to_radians().sin_cos();
    direction * cos + other * sin
}

/// The rotation whose +Y runs along a bone and whose +Z is as near to `bends_to` as can be.
pub(super) fn frame(along: DVec3, bends_to: DVec3) -> DQuat {
    let y = along.normalize();
    let x = y.cross(bends_to).normalize();
    DQuat::from_mat3(&DMat3::from_cols(x, y, x.cross(y)))
}
