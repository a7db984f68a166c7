//! Linear blend skinning: the weighted sum of the joints' matrices.

use glam::{DAffine3, DMat3, DVec3};
use throng_rig::Palette;

pub(super) fn blend_matrices(
    palette: &Palette,
    influences: impl Iterator<Item = (usize, f64)>,
) -> DAffine3 {
    weighted_sum(influences.map(|(joint, weight)| (palette.matrices()[joint], weight)))
}

pub(super) fn weighted_sum(terms: impl Iterator<Item = (DAffine3, f64)>) -> DAffine3 {
    let mut sum = DAffine3 {
        matrix3: DMat3::ZERO,
        translation: DVec3::ZERO,
    };
    for (matrix, weight) in terms {
        sum.matrix3 += matrix.matrix3 * weight;
        sum.translation += matrix.translation * weight;
    }
    sum
}
