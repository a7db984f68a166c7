//! Skinning with optimised centres of rotation (Le and Hodgins, 2016).

use glam::{DAffine3, DMat3, DVec3};
use throng_rig::Palette;

use super::dqs::{Signs, blend_dual_quats, sum_rigid};

/// Returns the rotation of the blended quaternions, with the translation that moves `center` as in linear blend
/// skinning. `center` is in bind space, after the stretch.
pub(super) fn rotate_about(
    palette: &Palette,
    center: DVec3,
    influences: impl Iterator<Item = (usize, f64)> + Clone,
) -> DAffine3 {
    let blended = blend_dual_quats(palette, Signs::Pivot, influences.clone());
    let rotation = DMat3::from_quat(blended.real);
    let moved = sum_rigid(palette, influences).transform_point3(center);
    DAffine3 {
        matrix3: rotation,
        translation: moved - rotation * center,
    }
}
