//! Virtual bones of a character: one per joint and bind pose.

use glam::{DAffine3, DVec3};
use throng_rig::Character;

use super::super::joint_scale::JointScale;
use super::super::tolerance::Tolerance;
use super::MAX_BONES;
use crate::BakeError;

/// Relative difference of two skins' inverse bind matrices of a joint that counts as rounding.
const BIND_TOLERANCE: f64 = 1e-5;

/// Difference of a bind pose's scale from one that counts as rounding.
const SCALE_TOLERANCE: f64 = 1e-4;

/// Advice where a bind pose cannot be represented.
const REMEDY: &str = "use --encoding bone-matrix";

/// A bone of the texture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct VirtualBone {
    /// Index into the skeleton.
    pub joint: usize,
    /// Constant scale of the joint.
    pub scale: f64,
    /// Bind pose, rigid within the tolerance of the joint: the inverse of the scaled inverse bind matrix.
    pub rest: DAffine3,
}

/// The bones of a character, in the order of their joints.
pub(super) struct VirtualRig {
    pub bones: Vec<VirtualBone>,
    /// Bone of each palette index of each skin; `None` where it moves no vertex.
    pub bone_of: Vec<Vec<Option<u8>>>,
}

impl VirtualRig {
    /// Finds the bones. `scale_of` is the constant scale of a joint, and the deviations of the joint that count as none.
    pub fn new(
        character: &Character,
        scale_of: impl Fn(usize) -> Result<(f64, Tolerance), BakeError>,
    ) -> Result<Self, BakeError> {
        let mut bone_of: Vec<Vec<Option<u8>>> = Vec::new();
        let mut bound = Vec::new();
        for (skin, used) in character.used_palette_indices().into_iter().enumerate() {
            let joints = character.skins()[skin].joints();
            bone_of.push(vec![None; joints.len()]);
            let used = used.into_iter().enumerate().filter(|(_, used)| *used);
            bound.extend(
                used.map(|(palette_index, _)| (joints[palette_index], skin, palette_index)),
            );
        }
        bound.sort_unstable();
        let mut bones: Vec<VirtualBone> = Vec::new();
        for (joint, skin, palette_index) in bound {
            let (scale, tolerance) = scale_of(joint)?;
            let joint_from_bind = character.skins()[skin].joint_from_bind()[palette_index];
            let rest = rest(character, joint, scale, tolerance, joint_from_bind)?;
            let same = |bone: &VirtualBone| bone.joint == joint && is_near(&bone.rest, &rest);
            let bone = bones.iter().position(same).unwrap_or_else(|| {
                bones.push(VirtualBone { joint, scale, rest });
                bones.len() - 1
            });
            // More than a byte counts is refused below.
            bone_of[skin][palette_index] = Some(bone as u8);
        }
        if bones.len() > MAX_BONES {
            return Err(BakeError::VirtualBones {
                fault: format!(
                    "numbers bones with 8 bits, but {} joints with their bind poses move vertices, and at most {MAX_BONES} fit",
                    bones.len()
                ),
                remedy: "use --encoding virtual-bones",
            });
        }
        Ok(Self { bones, bone_of })
    }
}

/// Returns the bind pose of a joint, or an error where it is not rigid apart from the joint's scale.
fn rest(
    character: &Character,
    joint: usize,
    scale: f64,
    tolerance: Tolerance,
    joint_from_bind: DAffine3,
) -> Result<DAffine3, BakeError> {
    let rest = (DAffine3::from_scale(DVec3::splat(scale)) * joint_from_bind).inverse();
    let scale_tolerance = tolerance.scale.max(SCALE_TOLERANCE);
    let fault = match JointScale::within(tolerance, [rest].iter()) {
        _ if !rest.is_finite() => "has no inverse".to_owned(),
        JointScale::Constant(size) if (size - 1.0).abs() < scale_tolerance => return Ok(rest),
        JointScale::Constant(size) => format!("scales vertices by {:.4}", 1.0 / size),
        JointScale::Varying(_) => "scales vertices unevenly".to_owned(),
        JointScale::Sheared(_) => "shears vertices".to_owned(),
    };
    let name = &character.skeleton().joints()[joint].name;
    Err(BakeError::VirtualBones {
        fault: format!(
            "stores rotations and translations, but the inverse bind matrix of joint '{name}', with the joint's scale, {fault}"
        ),
        remedy: REMEDY,
    })
}

fn is_near(a: &DAffine3, b: &DAffine3) -> bool {
    let size = 1.0 + a.translation.abs().max_element();
    a.abs_diff_eq(*b, BIND_TOLERANCE * size)
}
