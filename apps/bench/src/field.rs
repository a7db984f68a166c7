//! A crowd on a round field, seen from inside, from above its edge, and from far away.

use glam::camera::rh::proj::directx::{orthographic, perspective};
use glam::camera::rh::view::look_at_mat4;
use glam::{Mat4, Vec3};
use throng_wgpu::Instance;

use crate::stage::{PICTURE, varied};

/// Distance of the camera from the crowd.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldCamera {
    /// In the middle of the crowd, at eye height: most instances are behind it or beside it.
    Inside,
    /// Over the edge of the crowd: about half of the instances are visible, near ones and far ones.
    Edge,
    /// Hundreds of metres away: all instances are visible, and most have the coarsest level of detail.
    Far,
}

/// Vertical field of view in radians.
const FOV: f32 = 0.8;

impl FieldCamera {
    /// All distances, from near to far.
    pub const ALL: [Self; 3] = [Self::Inside, Self::Edge, Self::Far];

    /// Name in ids and titles.
    pub fn name(self) -> &'static str {
        match self {
            Self::Inside => "inside",
            Self::Edge => "edge",
            Self::Far => "far",
        }
    }

    /// Camera of a field with a radius, for characters of about the spacing's size.
    fn clip_from_world(self, radius_m: f32, spacing_m: f32) -> Mat4 {
        let eye = match self {
            Self::Inside => Vec3::new(0.0, 0.9 * spacing_m, 0.0),
            Self::Edge => Vec3::new(0.0, 4.0 * spacing_m, 0.8 * radius_m),
            Self::Far => {
                // Far enough for the coarsest level of an adult, and for the whole field to be in the picture.
                let away = (200.0 * spacing_m).max(4.0 * radius_m);
                Vec3::new(0.0, 0.4 * away, away)
            }
        };
        let at = match self {
            Self::Inside => Vec3::new(0.3, 0.5 * spacing_m, -10.0 * spacing_m),
            Self::Edge => Vec3::new(0.0, 0.0, 0.2 * radius_m),
            Self::Far => Vec3::ZERO,
        };
        let aspect = PICTURE[0] as f32 / PICTURE[1] as f32;
        let far = eye.length() + 2.0 * radius_m + 10.0 * spacing_m;
        perspective(FOV, aspect, 0.05 * spacing_m, far) * look_at_mat4(eye, at, Vec3::Y)
    }
}

/// Places instances evenly on a disc, about `spacing_m` metres apart, and returns the camera that sees them.
pub fn field(count: u32, clips: u32, spacing_m: f32, camera: FieldCamera) -> (Vec<Instance>, Mat4) {
    // A sunflower spiral: one instance per square of the spacing.
    let golden_angle = std::f32::consts::TAU * (1.0 - 2.0 / (1.0 + 5f32.sqrt()));
    let radius = |index: f32| spacing_m * (index / std::f32::consts::PI).sqrt();
    let instances = (0..count).map(|index| {
        let from_centre = radius(index as f32 + 0.5);
        let angle = golden_angle * (index % (1 << 20)) as f32;
        let place = Vec3::new(from_centre * angle.sin(), 0.0, from_centre * angle.cos());
        varied(index, clips, place)
    });
    let clip_from_world = camera.clip_from_world(radius(count as f32), spacing_m);
    (instances.collect(), clip_from_world)
}

/// Camera whose frustum contains every field.
pub fn everywhere() -> Mat4 {
    let side = 1e6;
    orthographic(-side, side, -side, side, -side, side)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Part of the instances whose feet are in the picture.
    fn visible(count: u32, camera: FieldCamera) -> f64 {
        let (instances, clip_from_world) = field(count, 2, 2.0, camera);
        let is_visible = |instance: &&Instance| {
            let p = clip_from_world * instance.world_from_model.translation.extend(1.0);
            p.w > 0.0 && p.x.abs() <= p.w && p.y.abs() <= p.w && (0.0..=p.w).contains(&p.z)
        };
        instances.iter().filter(is_visible).count() as f64 / f64::from(count)
    }

    #[test]
    fn cameras_see_a_part_half_and_all_of_the_crowd() {
        for count in [400, 10_000] {
            let [inside, edge, far] = FieldCamera::ALL.map(|camera| visible(count, camera));
            assert!((0.05..0.3).contains(&inside), "{count}: {inside}");
            assert!((0.3..0.8).contains(&edge), "{count}: {edge}");
            assert_eq!(far, 1.0, "{count}");
        }
    }

    #[test]
    fn every_instance_is_everywhere() {
        let (instances, _) = field(1000, 1, 2.0, FieldCamera::Far);
        for instance in instances {
            let at = everywhere().project_point3(instance.world_from_model.translation.into());
            assert!(at.abs().max_element() <= 1.0, "{at}");
        }
    }
}
