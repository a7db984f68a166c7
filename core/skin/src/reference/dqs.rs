//! Dual-quaternion skinning: the weighted sum of the joints' rigid motions, normalised.

use glam::DAffine3;
use throng_rig::{DualQuat, Palette};

use super::lbs::weighted_sum;

/// Choice of the sign of each dual quaternion in the sum.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Signs {
    /// Hemisphere of the heaviest influence.
    Pivot,
    /// Sign of the rotation in the palette.
    AsStored,
    /// Hemisphere of the joint's parent, chosen once per pose.
    AlignedToParents,
}

/// Returns the blended motion, normalised. If opposite signs cancel, the motion of the heaviest influence.
pub(super) fn blend_dual_quats(
    palette: &Palette,
    signs: Signs,
    influences: impl Iterator<Item = (usize, f64)> + Clone,
) -> DualQuat {
    let list = match signs {
        Signs::AlignedToParents => palette.aligned(),
        Signs::Pivot | Signs::AsStored => palette.rigid(),
    };
    let heaviest = influences.clone().next();
    let pivot = heaviest.map_or(DualQuat::IDENTITY, |(joint, _)| list[joint]);
    let mut sum = DualQuat::ZERO;
    for (joint, weight) in influences {
        let rigid = match signs {
            Signs::Pivot => list[joint].aligned_to(pivot),
            Signs::AsStored | Signs::AlignedToParents => list[joint],
        };
        sum = sum + rigid * weight;
    }
    sum.normalized().unwrap_or(pivot)
}

/// Returns the stretches (scale, shear and reflection), blended linearly. They are applied before the rigid
/// part.
pub(super) fn blend_stretches(
    palette: &Palette,
    influences: impl Iterator<Item = (usize, f64)>,
) -> DAffine3 {
    if palette.is_rigid() {
        return DAffine3::IDENTITY;
    }
    weighted_sum(influences.map(|(joint, weight)| (palette.stretches()[joint], weight)))
}

/// Returns the weighted sum of the rigid motions as matrices: the same as a sum of transformed positions.
pub(super) fn sum_rigid(
    palette: &Palette,
    influences: impl Iterator<Item = (usize, f64)>,
) -> DAffine3 {
    weighted_sum(influences.map(|(joint, weight)| (palette.rigid()[joint].to_affine(), weight)))
}
