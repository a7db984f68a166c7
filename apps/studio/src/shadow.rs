//! Projections of the shadow map (from the sun) and of the contact map (from the ground).

use glam::camera::rh::proj::directx::orthographic;
use glam::camera::rh::view::look_to_mat4;
use glam::{Mat4, Vec3, Vec4};
use throng_rig::Bounds;

use crate::Camera;

/// Largest side of a map in texels that every device supports.
const MAX_SIDE: u32 = 2048;
/// Largest side of a shadow map where the device supports it.
const MAX_SUN_SIDE: u32 = 4096;
/// Smallest side of a map in texels.
const MIN_SIDE: f32 = 64.0;
/// Free texels around the casters, for blurs.
const RIM: f32 = 14.0;
/// Sides of a map that is fitted to the camera are multiples of this, so that a moving camera seldom needs another texture.
const FITTED_STEP: u32 = 256;
/// Clip coordinate at which a fitted map begins to fade.
const FADE_START: f32 = 0.9;
/// Rays per side of the picture that find the visible region.
const RAYS: u8 = 13;

/// Projection of a map that covers all casters, or those that the camera sees.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct MapView {
    /// Transform from world space to the clip space of the map.
    pub clip_from_world: Mat4,
    /// Width and height in texels.
    pub sides: [u32; 2],
    /// Side of a texel in world units.
    pub texel: f32,
    /// Distance from the near to the far plane in world units.
    pub depth: f32,
    /// Clip coordinate at which the map fades; 1 if it covers all casters.
    pub fade_start: f32,
}

/// Returns the side in texels and the size of a texel for an extent; texels grow where the side would exceed `max_side`.
fn side(extent: f32, texel: f32, max_side: u32) -> (u32, f32) {
    let extent = extent.max(f32::MIN_POSITIVE);
    let max_side = max_side as f32;
    let texel = texel.max(extent / (max_side - 2.0 * RIM));
    let side = (extent / texel + 2.0 * RIM)
        .ceil()
        .clamp(MIN_SIDE, max_side);
    (side as u32, texel)
}

/// Smallest box around points, in the axes that the points are in.
fn bounds_of(points: impl Iterator<Item = Vec3>) -> (Vec3, Vec3) {
    points.fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(min, max), p| {
        (min.min(p), max.max(p))
    })
}

/// Returns the view from the sun. The blur of shadows is a few texels, so `texel` sets their softness. Where a map of all
/// casters would be coarser, it is fitted to the casters and shadows that the camera sees.
pub(crate) fn sun_view(
    casters: &Bounds,
    camera: &Camera,
    to_sun: Vec3,
    texel: f32,
    max_side: u32,
) -> MapView {
    let max_side = max_side.min(MAX_SUN_SIDE);
    let eye_from_world = look_to_mat4(casters.center().as_vec3(), -to_sun, Vec3::Y);
    let corners = casters.corners().map(glam::DVec3::as_vec3);
    let (mut min, mut max) = bounds_of(corners.map(|p| eye_from_world.transform_point3(p)));
    let extent = (max - min).max(Vec3::ZERO);
    let (square, square_texel) = side(extent.x.max(extent.y), texel, max_side);
    let (sides, texel, fade_start) = match square_texel > texel {
        false => ([square; 2], texel, 1.0),
        true => {
            // Shadows fall beside the box by its height over the slope of the light.
            let flat = to_sun.x.hypot(to_sun.z) / to_sun.y.max(0.1);
            let reach = (casters.extent().y as f32 * flat).min(0.25 * extent.max_element());
            let seen = visible(casters, reach, camera).map(|p| eye_from_world.transform_point3(p));
            let (seen_min, seen_max) = bounds_of(seen);
            if seen_min.x < seen_max.x && seen_min.y < seen_max.y {
                // Between two rays the outline may be farther out.
                let pad = (seen_max - seen_min) / f32::from(RAYS - 1);
                (min.x, min.y) = (min.x.max(seen_min.x - pad.x), min.y.max(seen_min.y - pad.y));
                (max.x, max.y) = (max.x.min(seen_max.x + pad.x), max.y.min(seen_max.y + pad.y));
            }
            let extent = (max - min).max(Vec3::ZERO);
            let (_, texel) = side(extent.x.max(extent.y), texel, max_side);
            let fitted = |extent: f32| {
                let (side, _) = side(extent, texel, max_side);
                side.next_multiple_of(FITTED_STEP).min(max_side)
            };
            ([fitted(extent.x), fitted(extent.y)], texel, FADE_START)
        }
    };
    let middle = (min + max) * 0.5;
    let half = sides.map(|side| 0.5 * texel * side as f32);
    let slack = texel + 0.01 * extent.z;
    let (near, far) = (-max.z - slack, -min.z + slack);
    let clip_from_eye = orthographic(
        middle.x - half[0],
        middle.x + half[0],
        middle.y - half[1],
        middle.y + half[1],
        near,
        far,
    );
    MapView {
        clip_from_world: clip_from_eye * eye_from_world,
        sides,
        texel,
        depth: far - near,
        fade_start,
    }
}

/// Returns points on the outline of the visible part of the casters' box, widened by `reach` to all sides: visible corners,
/// and where rays of the picture enter and leave the box.
fn visible(casters: &Bounds, reach: f32, camera: &Camera) -> impl Iterator<Item = Vec3> {
    let sideways = Vec3::new(reach, 0.0, reach);
    let min = casters.min.as_vec3() - sideways;
    let max = casters.max.as_vec3() + sideways;
    let clip_from_world = camera.clip_from_world();
    let world_from_clip = clip_from_world.inverse();
    let eye = camera.eye;
    let at = |step: u8| 2.0 * f32::from(step) / f32::from(RAYS - 1) - 1.0;
    let rays = (0..RAYS).flat_map(move |y| (0..RAYS).map(move |x| (at(x), at(y))));
    rays.filter_map(move |(x, y)| {
        let direction = (world_from_clip.project_point3(Vec3::new(x, y, 1.0)) - eye).normalize();
        let (a, b) = ((min - eye) / direction, (max - eye) / direction);
        let enter = a.min(b).max_element().max(0.0);
        let leave = a.max(b).min_element();
        (enter < leave).then(|| [eye + direction * enter, eye + direction * leave])
    })
    .flatten()
    .chain(
        casters
            .corners()
            .map(glam::DVec3::as_vec3)
            .filter(move |&corner| {
                let clip = clip_from_world * corner.extend(1.0);
                clip.w > 0.0 && clip.x.abs() <= clip.w && clip.y.abs() <= clip.w
            }),
    )
}

/// Returns the view from the ground upwards: depth is height, and casters above `height` are clipped.
pub(crate) fn contact_view(casters: &Bounds, ground_y: f32, height: f32, texel: f32) -> MapView {
    let extent = casters.extent().as_vec3();
    let (side, texel) = side(extent.x.max(extent.z), texel, MAX_SIDE);
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
        sides: [side; 2],
        texel,
        depth,
        fade_start: 1.0,
    }
}

#[cfg(test)]
mod tests {
    use glam::DVec3;
    use proptest::prelude::*;

    use super::*;
    use crate::View;

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
            let camera = Camera::framing(casters.corners().map(DVec3::as_vec3), View::CROWD, 1.6);
            let sun = sun_view(&casters, &camera, to_sun, texel, 2048);
            let contact = contact_view(&casters, casters.min.y as f32, 0.3, texel);
            for corner in casters.corners().map(DVec3::as_vec3) {
                let at = sun.clip_from_world.project_point3(corner);
                prop_assert!(at.x.abs() <= 1.0 && at.y.abs() <= 1.0, "{at}");
                prop_assert!((0.0..=1.0).contains(&at.z), "{at}");
                let at = contact.clip_from_world.project_point3(corner);
                prop_assert!(at.x.abs() <= 1.0 && at.y.abs() <= 1.0, "{at}");
            }
            let sides = [sun.sides, contact.sides];
            prop_assert!(sides.as_flattened().iter().all(|&side| side <= 2048));
        }
    }

    #[test]
    fn a_map_of_a_large_crowd_is_fitted_to_the_camera() {
        let casters = Bounds::of([DVec3::new(-100.0, 0.0, -200.0), DVec3::new(100.0, 1.8, 0.0)]);
        let to_sun = Vec3::new(-0.4, 0.8, 0.5).normalize();
        let near = [Vec3::new(-4.0, 0.0, -3.0), Vec3::new(4.0, 1.8, 0.0)];
        let close_up = View {
            pitch_rad: 0.9,
            ..View::CROWD
        };
        let camera = Camera::framing(near, close_up, 1.6);
        let view = sun_view(&casters, &camera, to_sun, 0.007, 4096);
        // The whole crowd would need texels of 5 cm.
        assert!(view.texel < 0.012 && view.fade_start < 1.0, "{view:?}");
        for corner in near {
            let at = view.clip_from_world.project_point3(corner);
            assert!(at.x.abs() <= 1.0 && at.y.abs() <= 1.0, "{at}");
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
