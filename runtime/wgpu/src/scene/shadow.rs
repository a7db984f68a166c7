//! Maps of what casts shadows: as the sun sees it, and as the ground does.

use glam::camera::rh::proj::directx::orthographic;
use glam::camera::rh::view::look_to_mat4;
use glam::{Mat4, Vec3, Vec4};

use super::Box3;

/// The longest side of a map, which every device takes.
const MAX_SIDE: f32 = 2048.0;
/// The shortest.
const MIN_SIDE: f32 = 64.0;
/// Texels that stay free around everyone, for blurs.
const RIM: f32 = 14.0;

/// A square map over everyone.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct MapView {
    /// From the world to the map's clip space.
    pub clip_from_world: Mat4,
    /// Texels of a side.
    pub side: u32,
    /// A texel's side in the world.
    pub texel: f32,
    /// From the nearest to the farthest in the world.
    pub depth: f32,
}

/// A side that holds an extent with texels of a length, or larger ones where it would be too long.
fn side(extent: f32, texel: f32) -> (u32, f32) {
    let extent = extent.max(f32::MIN_POSITIVE);
    let texel = texel.max(extent / (MAX_SIDE - 2.0 * RIM));
    let side = (extent / texel + 2.0 * RIM)
        .ceil()
        .clamp(MIN_SIDE, MAX_SIDE);
    (side as u32, texel)
}

/// What the sun sees. Shadows are as soft as a few texels, so their length is the caller's choice.
pub(crate) fn sun_view(casters: &Box3, to_sun: Vec3, texel: f32) -> MapView {
    let eye_from_world = look_to_mat4(casters.middle(), -to_sun, Vec3::Y);
    let seen = Box3::of(
        casters
            .corners()
            .map(|p| eye_from_world.transform_point3(p)),
    );
    let extent = seen.extent();
    let (side, texel) = side(extent.x.max(extent.y), texel);
    let (middle, half) = (seen.middle(), 0.5 * texel * side as f32);
    let slack = texel + 0.01 * extent.z;
    let (near, far) = (-seen.max.z - slack, -seen.min.z + slack);
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

/// What the ground sees when it looks up: depth is height, and what is higher than `height` is not there.
pub(crate) fn contact_view(casters: &Box3, ground_y: f32, height: f32, texel: f32) -> MapView {
    let extent = casters.extent();
    let (side, texel) = side(extent.x.max(extent.z), texel);
    let middle = casters.middle();
    let half = 0.5 * texel * side as f32;
    // Feet may be a little under the ground.
    let low = ground_y - 0.15 * height;
    let depth = ground_y + height - low;
    let clip_from_world = Mat4::from_cols(
        Vec4::new(1.0 / half, 0.0, 0.0, 0.0),
        Vec4::new(0.0, 0.0, 1.0 / depth, 0.0),
        Vec4::new(0.0, 1.0 / half, 0.0, 0.0),
        Vec4::new(-middle.x / half, -middle.z / half, -low / depth, 1.0),
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
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn maps_hold_everyone_who_casts(
            middle in prop::array::uniform3(-50.0f32..50.0),
            half in prop::array::uniform3(0.01f32..100.0),
            texel in 0.001f32..0.1,
        ) {
            let (middle, half) = (Vec3::from(middle), Vec3::from(half));
            let casters = Box3 { min: middle - half, max: middle + half };
            let to_sun = Vec3::new(-0.4, 0.8, 0.5).normalize();
            let sun = sun_view(&casters, to_sun, texel);
            let contact = contact_view(&casters, casters.min.y, 0.3, texel);
            for corner in casters.corners() {
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
    fn the_ground_sees_height_as_depth() {
        let casters = Box3 {
            min: Vec3::ZERO,
            max: Vec3::splat(2.0),
        };
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
