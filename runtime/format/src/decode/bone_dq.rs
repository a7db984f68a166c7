//! `bone-dq`: a dual quaternion of eight values.

use glam::DQuat;
use throng_rig::DualQuat;

use super::frame::Frame;
use crate::Range;

/// Reads a dual quaternion: the real part, then the dual part.
pub fn dual_quaternion(frame: &Frame<'_>, first: u32, range: Option<&Range>) -> DualQuat {
    DualQuat {
        real: DQuat::from_array([0, 1, 2, 3].map(|k| frame.unit(first + k))),
        dual: DQuat::from_array(
            [0, 1, 2, 3].map(|k| frame.ranged(first + 4 + k, range, k as usize)),
        ),
    }
}

/// Interpolates two dual quaternions linearly and normalises the result. Signs are used as stored.
pub fn mix_dual_quaternions(from: DualQuat, to: DualQuat, fraction: f64) -> DualQuat {
    let mixed = from * (1.0 - fraction) + to * fraction;
    mixed.normalized().unwrap_or(DualQuat::IDENTITY)
}
