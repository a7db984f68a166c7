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

    /// Of a crowd: from the front and raised, so that rows are seen behind each other up to the horizon.
    pub const CROWD: Self = Self {
        yaw_rad: 0.0,
        pitch_rad: 0.24,
        fov_rad: 0.62,
        margin: 0.02,
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
    /// The nearest camera of a view that sees all points, with as much room left as right, and above as below.
    ///
    /// In the camera's own axes every edge of the picture is a plane whose slope is known, so each point says how
    /// far back the camera must stand for two opposite edges.
    pub fn framing(points: impl IntoIterator<Item = Vec3>, view: View, aspect: f32) -> Self {
        let (sin, cos) = view.pitch_rad.sin_cos();
        let from = Vec3::new(cos * view.yaw_rad.sin(), sin, cos * view.yaw_rad.cos());
        let forward = -from;
        let right = forward.cross(Vec3::Y).normalize_or(Vec3::X);
        let up = right.cross(forward);
        let own_axes = |p: Vec3| Vec3::new(p.dot(right), p.dot(up), p.dot(forward));
        let mut points: Vec<Vec3> = points.into_iter().map(own_axes).collect();
        if points.is_empty() {
            points.push(Vec3::ZERO);
        }
        let slope_y = (view.fov_rad * 0.5).tan() * (1.0 - view.margin).clamp(0.05, 1.0);
        let slope_x = slope_y * aspect;
        let x = Span::of(points.iter().map(|p| (p.x, p.z)), slope_x);
        let y = Span::of(points.iter().map(|p| (p.y, p.z)), slope_y);
        let nearest = points.iter().map(|p| p.z).fold(f32::INFINITY, f32::min);
        let farthest = points.iter().map(|p| p.z).fold(f32::NEG_INFINITY, f32::max);
        // A single point is looked at from somewhere too.
        let z = x.depth().min(y.depth()).min(nearest - 1e-3);
        let x = x.centred(|| points.iter().map(|p| (p.x, p.z)), z);
        let y = y.centred(|| points.iter().map(|p| (p.y, p.z)), z);
        let far = (farthest - z) * 1.5;
        Self {
            eye: right * x + up * y + forward * z,
            forward,
            fov_rad: view.fov_rad,
            aspect,
            near: ((nearest - z) * 0.5).max(far * 1e-4),
            far,
        }
    }

    /// Projection and view.
    pub fn clip_from_world(&self) -> Mat4 {
        let clip_from_eye = perspective(self.fov_rad, self.aspect, self.near, self.far);
        clip_from_eye * look_to_mat4(self.eye, self.forward, Vec3::Y)
    }
}

/// Two opposite edges of a picture, and how far each must be from a camera in the origin.
#[derive(Debug, Clone, Copy)]
struct Span {
    slope: f32,
    low: f32,
    high: f32,
}

impl Span {
    /// Over points: their place between the edges, and their depth.
    fn of(points: impl Iterator<Item = (f32, f32)>, slope: f32) -> Self {
        let mut span = Self {
            slope,
            low: f32::NEG_INFINITY,
            high: f32::NEG_INFINITY,
        };
        for (at, depth) in points {
            span.low = span.low.max(-at - slope * depth);
            span.high = span.high.max(at - slope * depth);
        }
        span
    }

    /// How near the camera may stand.
    fn depth(self) -> f32 {
        -(self.low + self.high) / (2.0 * self.slope)
    }

    /// Where the camera stands between the edges so that both are equally far from what is seen.
    fn centred<I: Iterator<Item = (f32, f32)>>(self, points: impl Fn() -> I, depth: f32) -> f32 {
        let (mut from, mut to) = (
            self.high + self.slope * depth,
            -self.low - self.slope * depth,
        );
        // Each step halves what is left; 24 are a float's own digits.
        for _ in 0..24 {
            let middle = 0.5 * (from + to);
            let seen = points().map(|(at, z)| (at - middle) / (z - depth));
            let (low, high) = seen.fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), at| {
                (low.min(at), high.max(at))
            });
            if low + high > 0.0 {
                from = middle;
            } else {
                to = middle;
            }
        }
        0.5 * (from + to)
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
            let corners = seen.corners().map(|corner| clip_from_world.project_point3(corner));
            let shown = Box3::of(corners);
            prop_assert!(shown.min.z >= 0.0 && shown.max.z <= 1.0, "{shown:?}");
            // Nothing is outside, and nothing smaller than it must be: 0.1 % of half a picture.
            let widest = shown.max.x.max(shown.max.y);
            prop_assert!((widest - (1.0 - margin)).abs() < 1e-3, "{shown:?}");
            prop_assert!((shown.min.x + shown.max.x).abs() < 2e-3, "{shown:?}");
            prop_assert!((shown.min.y + shown.max.y).abs() < 2e-3, "{shown:?}");
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
