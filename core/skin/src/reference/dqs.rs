//! Dual-quaternion skinning: the weighted sum of the joints' rigid motions, made unit again.

use glam::DAffine3;
use throng_rig::{DualQuat, Palette};

use super::lbs::weighted_sum;

/// Which of the two signs of each dual quaternion goes into the sum.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Signs {
    /// The one in the hemisphere of the heaviest influence.
    Pivot,
    /// The one that the rotation came with.
    AsTheyCome,
    /// The one in the hemisphere of the joint's parent, settled once a pose.
    AlignedToParents,
}

/// The blended motion, normalised. Opposite signs can cancel each other out; the heaviest influence
/// stands in then.
pub(super) fn blend_dual_quats(
    palette: &Palette,
    signs: Signs,
    influences: impl Iterator<Item = (usize, f64)> + Clone,
) -> DualQuat {
    let list = match signs {
        Signs::AlignedToParents => palette.aligned(),
        Signs::Pivot | Signs::AsTheyCome => palette.rigid(),
    };
    let heaviest = influences.clone().next();
    let pivot = heaviest.map_or(DualQuat::IDENTITY, |(joint, _)| list[joint]);
    let mut sum = DualQuat::ZERO;
    for (joint, weight) in influences {
        let rigid = match signs {
            Signs::Pivot => list[joint].aligned_to(pivot),
            Signs::AsTheyCome | Signs::AlignedToParents => list[joint],
        };
        sum = sum + rigid * weight;
    }
    sum.normalized().unwrap_or(pivot)
}

/// What comes before the rigid part: scale, shear and reflection, blended linearly.
pub(super) fn blend_stretches(
    palette: &Palette,
    influences: impl Iterator<Item = (usize, f64)>,
) -> DAffine3 {
    if palette.is_rigid() {
        return DAffine3::IDENTITY;
    }
    weighted_sum(influences.map(|(joint, weight)| (palette.stretches()[joint], weight)))
}

/// Each rigid motion by itself, summed as matrices: the same as summing the positions it gives.
pub(super) fn sum_rigid(
    palette: &Palette,
    influences: impl Iterator<Item = (usize, f64)>,
) -> DAffine3 {
    weighted_sum(influences.map(|(joint, weight)| (palette.rigid()[joint].to_affine(), weight)))
}
