//! `bone-qt`: three numbers of rotation, three of position, and three of scale where the bone has them.

use glam::{DQuat, DVec3};
use throng_rig::Transform;

use super::frame::Frame;
use crate::{FrameInterpolation, Range};

/// A bone's transform.
pub fn rotation_position(
    frame: &Frame<'_>,
    first: u32,
    range: Option<&Range>,
    scale: Option<Option<&Range>>,
) -> Transform {
    let vector = |first: u32, range: Option<&Range>| {
        DVec3::from_array([0, 1, 2].map(|k| frame.ranged(first + k, range, k as usize)))
    };
    Transform {
        rotation: rotation_from_projection(vector(first, None)),
        translation: vector(first + 3, range),
        scale: scale.map_or(DVec3::ONE, |range| vector(first + 6, range)),
    }
}

/// The unit quaternion whose projection from (0, 0, 0, -1) onto the space of w = 0 is a point: of length
/// one or less where w is not negative.
pub fn rotation_from_projection(s: DVec3) -> DQuat {
    let square = s.length_squared();
    let xyz = 2.0 * s;
    DQuat::from_xyzw(xyz.x, xyz.y, xyz.z, 1.0 - square) * (1.0 / (1.0 + square))
}

/// The other way: the sign with w that is not negative, projected.
pub fn projection_from_rotation(rotation: DQuat) -> DVec3 {
    let q = if rotation.w < 0.0 {
        -rotation
    } else {
        rotation
    };
    DVec3::new(q.x, q.y, q.z) / (1.0 + q.w)
}

/// Between two transforms: rotations the short way, brought to unit length or along the arc.
pub fn mix_transforms(
    from: &Transform,
    to: &Transform,
    fraction: f64,
    interpolation: FrameInterpolation,
) -> Transform {
    let rotation = if interpolation == FrameInterpolation::Slerp {
        from.rotation.slerp(to.rotation, fraction)
    } else {
        let short_way = if from.rotation.dot(to.rotation) < 0.0 {
            -to.rotation
        } else {
            to.rotation
        };
        (from.rotation * (1.0 - fraction) + short_way * fraction).normalize()
    };
    Transform {
        rotation,
        translation: from.translation.lerp(to.translation, fraction),
        scale: from.scale.lerp(to.scale, fraction),
    }
}
