//! Anatomical roles of joints, found by the names that common rigs give them.

/// Side of the body, from the character's point of view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// Left.
    Left,
    /// Right.
    Right,
}

/// Finger of a hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Finger {
    /// Thumb.
    Thumb,
    /// Index finger.
    Index,
    /// Middle finger.
    Middle,
    /// Ring finger.
    Ring,
    /// Little finger.
    Little,
}

/// Anatomical role of a joint of a humanoid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Role {
    /// Pelvis, the root of the body.
    Hips,
    /// Joint of the spine between hips and neck. Chains are compared by [`crate::JointMap`], not by name.
    Spine,
    /// Joint of the neck.
    Neck,
    /// Head.
    Head,
    /// Clavicle.
    Clavicle(Side),
    /// Upper arm.
    UpperArm(Side),
    /// Forearm.
    Forearm(Side),
    /// Hand.
    Hand(Side),
    /// Joint of a finger, counted from the hand: 1 is the first after the metacarpal.
    Finger(Side, Finger, u8),
    /// Thigh.
    Thigh(Side),
    /// Shin.
    Shin(Side),
    /// Foot, at the ankle.
    Foot(Side),
    /// Toes, at the ball of the foot.
    Toes(Side),
}

/// Returns the roles of joints, given their names in the order of a skeleton. Leaves that end a bone have none.
///
/// Names of Mixamo, Biped, CMU, VRM, Unity, Unreal, Rigify and similar rigs are known. `shoulder` is the clavicle, but the
/// upper arm in rigs that have a collar; `hip` with a side is the thigh.
pub fn roles<'n>(names: impl Iterator<Item = &'n str>) -> Vec<Option<Role>> {
    let words: Vec<Words> = names.map(Words::of).collect();
    let has = |texts: &[&str]| {
        let mut sided = words.iter().filter(|words| words.side.is_some());
        sided.any(|words| texts.contains(&words.text.as_str()))
    };
    let rig = RigNames {
        has_collar: has(&["collar", "clavicle"]),
        has_arm: has(&["upperarm", "arm", "uparm", "humerus"]),
        has_forearm: has(&["forearm", "lowerarm", "lowarm", "elbow", "radius"]),
        has_upper_leg: has(&["upleg", "upperleg", "thigh", "femur", "hip"]),
        has_thumb_metacarpal: has(&["thumbmetacarpal"]),
    };
    words.iter().map(|words| words.role(&rig)).collect()
}

/// Returns a name without namespaces and without the prefixes of common rigs, in lower case.
pub fn plain_name(name: &str) -> String {
    without_prefixes(name).to_lowercase()
}

/// Prefixes that rigs put before the names of joints.
const PREFIXES: [&str; 9] = [
    "mixamorig",
    "ValveBiped",
    "Bip001",
    "Bip01",
    "J_Bip_C_",
    "J_Bip_",
    "DEF-",
    "ORG-",
    "CC_Base_",
];

fn without_prefixes(name: &str) -> &str {
    let mut rest = name.rsplit([':', '|']).next().unwrap_or(name).trim();
    for prefix in PREFIXES {
        let Some((head, tail)) = rest.split_at_checked(prefix.len()) else {
            continue;
        };
        // Mixamo numbers its prefix where a file has several characters.
        let tail = tail.trim_start_matches(|c: char| !c.is_alphabetic());
        if head.eq_ignore_ascii_case(prefix) && !tail.is_empty() {
            rest = tail;
        }
    }
    if rest.is_empty() { name } else { rest }
}

/// Facts about all names of a rig, which decide ambiguous ones.
#[derive(Debug, Clone, Copy)]
struct RigNames {
    has_collar: bool,
    has_arm: bool,
    has_forearm: bool,
    has_upper_leg: bool,
    has_thumb_metacarpal: bool,
}

/// Words that may follow the letter of a side without a separator, as in `lfemur`.
const SIDED: [&str; 19] = [
    "ankle", "arm", "clavicle", "collar", "elbow", "femur", "foot", "forearm", "hand", "hip",
    "humerus", "knee", "leg", "radius", "shoulder", "thumb", "tibia", "toes", "wrist",
];

/// Fingers in the order of Biped's numbers.
const FINGERS: [Finger; 5] = [
    Finger::Thumb,
    Finger::Index,
    Finger::Middle,
    Finger::Ring,
    Finger::Little,
];

/// Names of fingers, longer ones before their beginnings.
const FINGER_NAMES: [(&str, Finger); 8] = [
    ("thumb", Finger::Thumb),
    ("index", Finger::Index),
    ("middle", Finger::Middle),
    ("mid", Finger::Middle),
    ("ring", Finger::Ring),
    ("pinky", Finger::Little),
    ("pinkie", Finger::Little),
    ("little", Finger::Little),
];

/// A name, taken apart.
#[derive(Debug)]
struct Words {
    side: Option<Side>,
    /// Words without side and numbers, in lower case, joined.
    text: String,
    /// The last number, as it is written.
    number: Option<String>,
}

impl Words {
    fn of(name: &str) -> Self {
        let mut words = Self {
            side: None,
            text: String::new(),
            number: None,
        };
        for word in split(without_prefixes(name)) {
            match word.as_str() {
                "l" | "left" if words.side.is_none() => words.side = Some(Side::Left),
                "r" | "right" if words.side.is_none() => words.side = Some(Side::Right),
                digits if digits.bytes().all(|b| b.is_ascii_digit()) => words.number = Some(word),
                _ => words.text.push_str(&word),
            }
        }
        for (letter, side) in [('l', Side::Left), ('r', Side::Right)] {
            let rest = words.text.strip_prefix(letter);
            if let Some(rest) = rest.filter(|rest| words.side.is_none() && SIDED.contains(rest)) {
                words.text = rest.to_owned();
                words.side = Some(side);
            }
        }
        words
    }

    fn role(&self, rig: &RigNames) -> Option<Role> {
        let text = self.text.as_str();
        let Some(side) = self.side else {
            return match text {
                "hips" | "hip" | "pelvis" => Some(Role::Hips),
                "spine" | "chest" | "upperchest" | "lowerback" | "upperback" | "thorax"
                | "abdomen" | "torso" | "waist" => Some(Role::Spine),
                "neck" | "lowerneck" | "upperneck" => Some(Role::Neck),
                "head" => Some(Role::Head),
                _ => None,
            };
        };
        if let Some((finger, joint)) = self.finger(rig) {
            return Some(Role::Finger(side, finger, joint));
        }
        match text {
            "clavicle" | "collar" | "collarbone" => Some(Role::Clavicle(side)),
            "shoulder" if rig.has_arm && !rig.has_collar => Some(Role::Clavicle(side)),
            "shoulder" if !rig.has_arm => Some(Role::UpperArm(side)),
            "upperarm" | "uparm" | "humerus" => Some(Role::UpperArm(side)),
            "arm" if rig.has_forearm => Some(Role::UpperArm(side)),
            "forearm" | "lowerarm" | "lowarm" | "elbow" | "radius" => Some(Role::Forearm(side)),
            "hand" | "wrist" => Some(Role::Hand(side)),
            "upleg" | "upperleg" | "thigh" | "femur" | "hip" => Some(Role::Thigh(side)),
            "leg" if rig.has_upper_leg => Some(Role::Shin(side)),
            "lowerleg" | "lowleg" | "calf" | "shin" | "knee" | "tibia" => Some(Role::Shin(side)),
            "foot" | "ankle" => Some(Role::Foot(side)),
            "toe" | "toes" | "toebase" | "ball" => Some(Role::Toes(side)),
            _ => None,
        }
    }

    /// Finger and joint of a sided name.
    fn finger(&self, rig: &RigNames) -> Option<(Finger, u8)> {
        let text = self.text.strip_prefix("hand").unwrap_or(&self.text);
        if text == "finger" {
            // Biped: Finger0 is the thumb, Finger01 its second joint.
            let mut digits = self.number.as_ref()?.bytes().map(|digit| digit - b'0');
            let finger = *FINGERS.get(usize::from(digits.next()?))?;
            let joint = digits.next().unwrap_or(0) + 1;
            return Some((finger, joint));
        }
        // Rigify writes f_index.
        let text = text.strip_prefix('f').unwrap_or(text);
        let named = |&(name, finger)| Some((finger, text.strip_prefix(name)?));
        let (finger, rest) = FINGER_NAMES.iter().find_map(named)?;
        let later = u8::from(finger == Finger::Thumb && rig.has_thumb_metacarpal);
        let joint = match rest.strip_prefix("finger").unwrap_or(rest) {
            "" => self.number.as_ref().map_or(Some(1), |n| n.parse().ok())?,
            "metacarpal" if finger == Finger::Thumb => 1,
            "proximal" => 1 + later,
            "intermediate" => 2,
            "distal" => 3,
            _ => return None,
        };
        Some((finger, joint))
    }
}

/// Splits a name at separators, at capitals and around numbers, in lower case.
fn split(name: &str) -> Vec<String> {
    let chars: Vec<char> = name.chars().collect();
    let mut words: Vec<String> = Vec::new();
    let mut is_inside = false;
    for (at, &c) in chars.iter().enumerate() {
        if !c.is_alphanumeric() {
            is_inside = false;
            continue;
        }
        let before = at.checked_sub(1).map(|before| chars[before]);
        let next_is_lower = chars.get(at + 1).is_some_and(|next| next.is_lowercase());
        let begins = before.is_none_or(|before| {
            before.is_ascii_digit() != c.is_ascii_digit()
                || c.is_uppercase() && (before.is_lowercase() || next_is_lower)
        });
        if begins || !is_inside {
            words.push(String::new());
        }
        is_inside = true;
        let word = words.last_mut().expect("a word has begun");
        word.extend(c.to_lowercase());
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use Side::{Left, Right};

    fn role(name: &str) -> Option<Role> {
        roles([name, "LeftArm", "LeftForeArm", "LeftUpLeg"].into_iter())[0]
    }

    #[test]
    fn knows_the_names_of_common_rigs() {
        for (name, expected) in [
            ("mixamorig:Hips", Role::Hips),
            ("mixamorig5:LeftUpLeg", Role::Thigh(Left)),
            ("mixamorigRightLeg", Role::Shin(Right)),
            ("RightToeBase", Role::Toes(Right)),
            ("LeftShoulder", Role::Clavicle(Left)),
            ("Bip01 Pelvis", Role::Hips),
            ("Bip001_L_Calf", Role::Shin(Left)),
            ("ValveBiped.Bip01_R_UpperArm", Role::UpperArm(Right)),
            ("Bip01 L Finger0", Role::Finger(Left, Finger::Thumb, 1)),
            ("Bip01 R Finger12", Role::Finger(Right, Finger::Index, 3)),
            ("Bip01 L Toe0", Role::Toes(Left)),
            ("lfemur", Role::Thigh(Left)),
            ("rradius", Role::Forearm(Right)),
            ("lowerback", Role::Spine),
            ("J_Bip_L_UpperLeg", Role::Thigh(Left)),
            ("J_Bip_C_UpperChest", Role::Spine),
            ("leftLowerArm", Role::Forearm(Left)),
            ("LeftRingIntermediate", Role::Finger(Left, Finger::Ring, 2)),
            ("thigh_l", Role::Thigh(Left)),
            ("upperarm.r", Role::UpperArm(Right)),
            ("ball.l", Role::Toes(Left)),
            ("DEF-f_index.02.R", Role::Finger(Right, Finger::Index, 2)),
            ("left_upper_arm", Role::UpperArm(Left)),
            ("left_little3", Role::Finger(Left, Finger::Little, 3)),
            ("Neck1", Role::Neck),
            ("spine_02", Role::Spine),
        ] {
            assert_eq!(role(name), Some(expected), "{name}");
        }
        for name in [
            "LHipJoint",
            "head_end",
            "LeftToeBase_end",
            "HeadTop_End",
            "kneeIK.l",
            "thigh_twist_01_l",
            "LeftForeArmRoll",
            "index_metacarpal_l",
            "Armature",
            "ring",
            "",
            "left",
        ] {
            assert_eq!(role(name), None, "{name}");
        }
    }

    #[test]
    fn shoulder_is_the_upper_arm_beside_a_collar() {
        let names = ["LeftCollar", "LeftShoulder", "LeftElbow", "LeftWrist"];
        let expected = [
            Role::Clavicle(Left),
            Role::UpperArm(Left),
            Role::Forearm(Left),
            Role::Hand(Left),
        ];
        assert_eq!(roles(names.into_iter()), expected.map(Some));
    }

    #[test]
    fn thumbs_of_vrm_begin_with_the_metacarpal() {
        let names = [
            "leftThumbMetacarpal",
            "leftThumbProximal",
            "leftThumbDistal",
        ];
        let joints = [1, 2, 3].map(|joint| Some(Role::Finger(Left, Finger::Thumb, joint)));
        assert_eq!(roles(names.into_iter()), joints);
    }

    #[test]
    fn plain_names_have_no_prefix() {
        for (name, plain) in [
            ("mixamorig:LeftHand", "lefthand"),
            ("mixamorig12:LeftHand", "lefthand"),
            ("rig|hero:Tail", "tail"),
            ("Bip01", "bip01"),
            ("Bip01 Tail", "tail"),
            ("12", "12"),
        ] {
            assert_eq!(plain_name(name), plain);
        }
    }
}
