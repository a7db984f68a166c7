//! `virtual-bones`: two axes and a position, and P3's own skinning.

use glam::{DAffine3, DMat3, DVec3};

use super::frame::{Frame, in_range};
use crate::{Blend, Range};

/// Two axes of a rotation and a position.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Axes2 {
    /// P3's θ: where the X axis goes.
    pub theta: DVec3,
    /// P3's φ: where the Y axis goes.
    pub phi: DVec3,
    /// Where the origin goes.
    pub translation: DVec3,
}

impl Axes2 {
    /// With the third axis as the cross product of the two: equation 6.
    pub fn to_affine(self) -> DAffine3 {
        let Self { theta, phi, .. } = self;
        DAffine3 {
            matrix3: DMat3::from_cols(theta, phi, theta.cross(phi)),
            translation: self.translation,
        }
    }
}

/// Bone `bone` of `count`: items `bone`, `count + bone` and `2 count + bone`.
pub fn axes(frame: &Frame<'_>, bone: u32, count: u32, range: Option<&Range>) -> Axes2 {
    let vector =
        |block: u32| DVec3::from_array([0, 1, 2].map(|k| frame.signed(block * count + bone, k)));
    let unit = vector(2);
    let axis = |axis: usize| in_range(unit[axis], range, axis);
    Axes2 {
        theta: vector(0),
        phi: vector(1),
        translation: DVec3::new(axis(0), axis(1), axis(2)),
    }
}

/// Between two: every number by itself, as a filtered fetch does; with [`Blend::Nlerp`] the axes are
/// then made orthogonal and of unit length.
pub fn mix_axes(from: &Axes2, to: &Axes2, fraction: f64, blend: Blend) -> DAffine3 {
    let mut mixed = Axes2 {
        theta: from.theta.lerp(to.theta, fraction),
        phi: from.phi.lerp(to.phi, fraction),
        translation: from.translation.lerp(to.translation, fraction),
    };
    if blend == Blend::Nlerp {
        mixed.theta = mixed.theta.normalize_or(DVec3::X);
        let across = mixed.phi - mixed.theta * mixed.theta.dot(mixed.phi);
        mixed.phi = across.normalize_or(mixed.theta.any_orthonormal_vector());
    }
    mixed.to_affine()
}
