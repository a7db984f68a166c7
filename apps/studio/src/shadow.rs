//! Projections of the shadow map (from the sun) and of the contact map (from the ground).

use glam::camera::rh::proj::directx::orthographic;
use glam::camera::rh::view::look_to_mat4;
use glam::{Mat4, Vec3, Vec4};
use throng_rig::Bounds;

/// Largest side of a map in texels; every device supports it.
const MAX_SIDE: f32 = 2048.0;
/// Smallest side of a map in texels.
const MIN_SIDE: f32 = 64.0;
/// Free texels around the casters, for blurs.
const RIM: f32 = 14.0;

/// Projection of a square map that covers all casters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct MapView {
    /// Transform from world space to the clip space of the map.
    pub clip_from_world: Mat4,
    /// Side in texels.
    pub side: u32,
    /// Side of a texel in world units.
    pub texel: f32,
    /// Distance from the near to the far plane in world units.
    pub depth: f32,
}

/// Returns the side in texels and the size of a texel for an extent; texels grow where the side would exceed
/// [`MAX_SIDE`].
fn side(extent: f32, texel: f32) -> (u32, f32) {
    let extent = extent.max(f32::MIN_POSITIVE);
    let texel = texel.max(extent / (MAX_SIDE - 2.0 * RIM));
    let side = (extent / texel + 2.0 * RIM)
        .ceil()
        .clamp(MIN_SIDE, MAX_SIDE);
    (side as u32, texel)
}

/// Returns the view from the sun. The blur of shadows is a few texels, so `texel` sets their softness.
pub(crate) fn sun_view(casters: &Bounds, to_sun: Vec3, texel: f32) -> MapView {
    let eye_from_world = look_to_mat4(casters.center().as_vec3(), -to_sun, Vec3::Y);
    let corners = casters.corners().map(glam::DVec3::as_vec3);
    let (min, max) = corners
        .map(|p| eye_from_world.transform_point3(p))
        .fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(min, max), p| {
            (min.min(p), max.max(p))
        });
    let extent = (max - min).max(Vec3::ZERO);
    let (side, texel) = side(extent.x.max(extent.y), texel);
    let (middle, half) = ((min + max) * 0.5, 0.5 * texel * side as f32);
    let slack = texel + 0.01 * extent.z;
    let (near, far) = (-max.z - slack, -min.z + slack);
    let clip_from_eye = orthographic(
        middle.x - half,
        middle.x + half,
        middle.y - half,
        middle.y + half,
        near,
        far,
    );
    MapView {
        clip_from_world: clip_from_eye * eye_from_world,
        side,
        texel,
        depth: far - near,
    }
}

/// Returns the view from the ground upwards: depth is height, and casters above `height` are clipped.
pub(crate) fn contact_view(casters: &Bounds, ground_y: f32, height: f32, texel: f32) -> MapView {
    let extent = casters.extent().as_vec3();
    let (side, texel) = side(extent.x.max(extent.z), texel);
    let center = casters.center().as_vec3();
    let half = 0.5 * texel * side as f32;
    // Feet may be slightly below the ground.
    let low = ground_y - 0.15 * height;
    let depth = ground_y + height - low;
    let clip_from_world = Mat4::from_cols(
        Vec4::new(1.0 / half, 0.0, 0.0, 0.0),
        Vec4::new(0.0, 0.0, 1.0 / depth, 0.0),
        Vec4::new(0.0, 1.0 / half, 0.0, 0.0),
        Vec4::new(-center.x / half, -center.z / half, -low / depth, 1.0),
    );
    MapView {
        clip_from_world,
        side,
        texel,
        depth,
    }
}

#[cfg(test)]
mod tests {
    use glam::DVec3;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn maps_cover_all_casters(
            middle in prop::array::uniform3(-50.0f32..50.0),
            half in prop::array::uniform3(0.01f32..100.0),
            texel in 0.001f32..0.1,
        ) {
            let (middle, half) = (Vec3::from(middle), Vec3::from(half));
            let (min, max) = ((middle - half).as_dvec3(), (middle + half).as_dvec3());
            let casters = Bounds { min, max };
            let to_sun = Vec3::new(-0.4, 0.8, 0.5).normalize();
            let sun = sun_view(&casters, to_sun, texel);
            let contact = contact_view(&casters, casters.min.y as f32, 0.3, texel);
            for corner in casters.corners().map(DVec3::as_vec3) {
                let at = sun.clip_from_world.project_point3(corner);
                prop_assert!(at.x.abs() <= 1.0 && at.y.abs() <= 1.0, "{at}");
                prop_assert!((0.0..=1.0).contains(&at.z), "{at}");
                let at = contact.clip_from_world.project_point3(corner);
                prop_assert!(at.x.abs() <= 1.0 && at.y.abs() <= 1.0, "{at}");
            }
            prop_assert!(sun.side <= 2048 && contact.side <= 2048);
        }
    }

    #[test]
    fn contact_map_stores_height_as_depth() {
        let casters = Bounds::of([DVec3::ZERO, DVec3::splat(2.0)]);
        let view = contact_view(&casters, 0.0, 0.3, 0.01);
        let depth = |y| {
            view.clip_from_world
                .project_point3(Vec3::new(1.0, y, 1.0))
                .z
        };
        assert!(depth(0.0) > 0.0 && depth(0.0) < 0.2);
        assert!((depth(0.3) - 1.0).abs() < 1e-6);
    }
}
