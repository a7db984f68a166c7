//! Where a scene is seen from: a camera that frames its subject by itself.

use glam::camera::rh::proj::directx::perspective;
use glam::camera::rh::view::look_to_mat4;
use glam::{Mat4, Vec3};

/// From which side, and how closely.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct View {
    /// About the vertical: 0 looks at what faces +Z from the front, growing to its left.
    pub yaw_rad: f32,
    /// How far down it looks.
    pub pitch_rad: f32,
    /// Of the picture's height.
    pub fov_rad: f32,
    /// What stays free at each edge, in parts of half the picture.
    pub margin: f32,
}

impl View {
    /// Of one character: three quarters from the front, a little from above.
    pub const PORTRAIT: Self = Self {
        yaw_rad: 0.5,
        pitch_rad: 0.16,
        fov_rad: 0.45,
        margin: 0.1,
    };

    /// Of a crowd: from the front and raised, so that rows are seen behind each other.
    pub const CROWD: Self = Self {
        yaw_rad: 0.22,
        pitch_rad: 0.3,
        fov_rad: 0.6,
        margin: 0.03,
    };
}

/// A camera in the world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Camera {
    /// Where it stands.
    pub eye: Vec3,
    /// A unit vector.
    pub forward: Vec3,
    /// Of the picture's height.
    pub fov_rad: f32,
    /// Width over height.
    pub aspect: f32,
    /// What is nearer is not seen.
    pub near: f32,
    /// What is farther is not seen.
    pub far: f32,
}

impl Camera {
    /// The nearest camera of a view that sees all points; the middle is in the middle.
    ///
    /// In the camera's own axes every edge of the picture is a plane whose slope is known, so each point says how
    /// far back the camera must stand for two opposite edges.
    pub fn framing(points: impl IntoIterator<Item = Vec3>, view: View, aspect: f32) -> Self {
        let (sin, cos) = view.pitch_rad.sin_cos();
        let from = Vec3::new(cos * view.yaw_rad.sin(), sin, cos * view.yaw_rad.cos());
        let forward = -from;
        let right = forward.cross(Vec3::Y).normalize_or(Vec3::X);
        let up = right.cross(forward);
        let room = (1.0 - view.margin).clamp(0.05, 1.0);
        let slope_y = (view.fov_rad * 0.5).tan() * room;
        let slope_x = slope_y * aspect;
        // How far each edge would have to be from a camera in the origin.
        let mut edges = [f32::NEG_INFINITY; 4];
        let mut depths = [f32::INFINITY, f32::NEG_INFINITY];
        for point in points {
            let (x, y, z) = (point.dot(right), point.dot(up), point.dot(forward));
            let needs = [
                x - slope_x * z,
                -x - slope_x * z,
                y - slope_y * z,
                -y - slope_y * z,
            ];
            for (edge, need) in edges.iter_mut().zip(needs) {
                *edge = edge.max(need);
            }
            depths = [depths[0].min(z), depths[1].max(z)];
        }
        if depths[0] > depths[1] {
            (edges, depths) = ([0.0; 4], [0.0; 2]);
        }
        let back_x = -(edges[0] + edges[1]) / (2.0 * slope_x);
        let back_y = -(edges[2] + edges[3]) / (2.0 * slope_y);
        // A single point is looked at from somewhere too.
        let z = back_x.min(back_y).min(depths[0] - 1e-3);
        let x = (edges[0] - edges[1]) * 0.5;
        let y = (edges[2] - edges[3]) * 0.5;
        let far = (depths[1] - z) * 1.5;
        Self {
            eye: right * x + up * y + forward * z,
            forward,
            fov_rad: view.fov_rad,
            aspect,
            near: ((depths[0] - z) * 0.5).max(far * 1e-4),
            far,
        }
    }

    /// Projection and view.
    pub fn clip_from_world(&self) -> Mat4 {
        let clip_from_eye = perspective(self.fov_rad, self.aspect, self.near, self.far);
        clip_from_eye * look_to_mat4(self.eye, self.forward, Vec3::Y)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::scene::Box3;

    proptest! {
        #[test]
        fn every_corner_of_every_box_is_seen(
            middle in prop::array::uniform3(-50.0f32..50.0),
            half in prop::array::uniform3(0.1f32..40.0),
            yaw_rad in -3.1f32..3.1,
            pitch_rad in -1.2f32..1.2,
            aspect in 0.3f32..4.0,
            margin in 0.0f32..0.4,
        ) {
            let (middle, half) = (Vec3::from(middle), Vec3::from(half));
            let seen = Box3 { min: middle - half, max: middle + half };
            let view = View { yaw_rad, pitch_rad, margin, ..View::PORTRAIT };
            let camera = Camera::framing(seen.corners(), view, aspect);
            let clip_from_world = camera.clip_from_world();
            let mut widest = 0.0f32;
            for corner in seen.corners() {
                let at = clip_from_world.project_point3(corner);
                prop_assert!((0.0..=1.0).contains(&at.z), "{at}");
                widest = widest.max(at.x.abs()).max(at.y.abs());
            }
            // Nothing is outside, and nothing smaller than it must be: 0.1 % of half a picture.
            prop_assert!((widest - (1.0 - margin)).abs() < 1e-3, "{widest}");
        }
    }

    #[test]
    fn nothing_and_one_point_are_looked_at_too() {
        for points in [vec![], vec![Vec3::ONE]] {
            let camera = Camera::framing(points, View::CROWD, 1.5);
            assert!(camera.clip_from_world().is_finite());
            assert!(camera.near > 0.0 && camera.far > camera.near);
        }
    }
}
