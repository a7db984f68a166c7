//! `bone-qt`: three values of rotation, three of position, and three of scale where the bone has them.

use glam::DVec3;
use throng_rig::{Transform, quat_from_mrp};

use super::frame::Frame;
use crate::{FrameInterpolation, Range};

/// Reads the transform of a bone. `scale` is `None` where the bone has no scale.
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
        rotation: quat_from_mrp(vector(first, None)),
        translation: vector(first + 3, range),
        scale: scale.map_or(DVec3::ONE, |range| vector(first + 6, range)),
    }
}

/// Interpolates two transforms. Rotations take the shorter way, by nlerp or slerp.
pub fn mix_transforms(
    from: &Transform,
    to: &Transform,
    fraction: f64,
    interpolation: FrameInterpolation,
) -> Transform {
    let rotation = if interpolation == FrameInterpolation::Slerp {
        from.rotation.slerp(to.rotation, fraction)
    } else {
        let aligned = if from.rotation.dot(to.rotation) < 0.0 {
            -to.rotation
        } else {
            to.rotation
        };
        (from.rotation * (1.0 - fraction) + aligned * fraction).normalize()
    };
    Transform {
        rotation,
        translation: from.translation.lerp(to.translation, fraction),
        scale: from.scale.lerp(to.scale, fraction),
    }
}
