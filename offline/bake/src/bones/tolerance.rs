//! Shear and scale that are too small to matter.

use throng_format::BoneCode;
use throng_rig::{Character, CharacterPose};
use throng_skin::rest_size;

use crate::DEFAULT_ERROR_OF_SIZE;

/// Displacement of a vertex by the shear or scale that an encoding leaves out, as a part of the size: a fifth of the
/// default maximum error. The measured error contains it.
const DISPLACEMENT_OF_SIZE: f64 = DEFAULT_ERROR_OF_SIZE / 5.0;

/// Largest tolerance, for joints whose vertices are close to them.
const MAX_TOLERANCE: f64 = 0.01;

/// Difference that counts as rounding: files hold float32, and chains of joints multiply it.
const ROUNDING: f64 = 5e-5;

/// Deviations of a joint that count as none.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Tolerance {
    /// Cosine of the angle between two axes.
    pub shear: f64,
    /// Relative difference of two scales.
    pub scale: f64,
}

impl Tolerance {
    /// Tolerance of rounding alone.
    pub const ROUNDING: Self = Self {
        shear: ROUNDING,
        scale: ROUNDING,
    };

    /// Returns the tolerance of each joint for a code: larger for what the code cannot store, by the distance of the
    /// joint's vertices.
    pub fn of_joints(code: BoneCode, character: &Character, joints: &[usize]) -> Vec<Self> {
        let allowed = DISPLACEMENT_OF_SIZE * rest_size(character);
        let tolerance = |lever: f64| {
            let unseen = (allowed / lever.max(f64::MIN_POSITIVE)).clamp(ROUNDING, MAX_TOLERANCE);
            match code {
                BoneCode::MatrixRows | BoneCode::MatrixColumns => Self::ROUNDING,
                BoneCode::RotationPosition => Self {
                    shear: unseen,
                    ..Self::ROUNDING
                },
                _ => Self {
                    shear: unseen,
                    scale: unseen,
                },
            }
        };
        levers(character, joints)
            .into_iter()
            .map(tolerance)
            .collect()
    }
}

/// Returns for each joint the largest distance of a vertex from it in the rest pose, times the weight, in metres.
fn levers(character: &Character, joints: &[usize]) -> Vec<f64> {
    let rest = CharacterPose::rest(character);
    let mut levers = vec![0.0f64; joints.len()];
    for part in character.parts() {
        let mesh = character.mesh_of(part);
        let skin = character.skin_of(part);
        // For each palette index: its bone, and the linear part from joint to model.
        let palette: Vec<_> = skin
            .joints()
            .iter()
            .map(|joint| {
                let bone = joints.binary_search(joint).ok()?;
                Some((bone, rest.model.model_from_joint[*joint].matrix3))
            })
            .collect();
        for (vertex, position) in mesh.positions().iter().enumerate() {
            for (index, weight) in mesh.influences().of(vertex) {
                let Some((bone, linear)) = palette[index] else {
                    continue;
                };
                let in_joint = skin.joint_from_bind()[index].transform_point3(position.as_dvec3());
                levers[bone] = levers[bone].max(weight * (linear * in_joint).length());
            }
        }
    }
    levers
}
