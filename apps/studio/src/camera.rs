//! A camera that frames its subject.

use glam::camera::rh::proj::directx::perspective;
use glam::camera::rh::view::look_to_mat4;
use glam::{Mat4, Vec3};

/// Direction of view and framing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct View {
    /// Rotation about the vertical axis. 0 shows the front of a character that faces +Z; larger values move the camera
    /// to the character's left.
    pub yaw_rad: f32,
    /// Angle below the horizontal.
    pub pitch_rad: f32,
    /// Vertical field of view.
    pub fov_rad: f32,
    /// Free space at each edge, as a fraction of half the picture.
    pub margin: f32,
}

impl View {
    /// One character: three-quarter view, slightly from above.
    pub const PORTRAIT: Self = Self {
        yaw_rad: 0.5,
        pitch_rad: 0.16,
        fov_rad: 0.45,
        margin: 0.1,
    };

    /// A crowd: from the front and raised, so that the rows behind are visible up to the horizon.
    pub const CROWD: Self = Self {
        yaw_rad: 0.0,
        pitch_rad: 0.24,
        fov_rad: 0.62,
        margin: 0.02,
    };
}

/// A perspective camera in world space.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Camera {
    /// Position.
    pub eye: Vec3,
    /// Direction of view, a unit vector.
    pub forward: Vec3,
    /// Vertical field of view.
    pub fov_rad: f32,
    /// Width over height.
    pub aspect: f32,
    /// Distance of the near plane.
    pub near: f32,
    /// Distance of the far plane.
    pub far: f32,
}

impl Camera {
    /// Returns the nearest camera of a view that shows all points, centred horizontally and vertically.
    ///
    /// In camera space every edge of the picture is a plane of known slope, so each point gives the distance that two
    /// opposite edges need.
    pub fn framing(points: impl IntoIterator<Item = Vec3>, view: View, aspect: f32) -> Self {
        let (sin, cos) = view.pitch_rad.sin_cos();
        let from = Vec3::new(cos * view.yaw_rad.sin(), sin, cos * view.yaw_rad.cos());
        let forward = -from;
        let right = forward.cross(Vec3::Y).normalize_or(Vec3::X);
        let up = right.cross(forward);
        let camera_axes = |p: Vec3| Vec3::new(p.dot(right), p.dot(up), p.dot(forward));
        let mut points: Vec<Vec3> = points.into_iter().map(camera_axes).collect();
        if points.is_empty() {
            points.push(Vec3::ZERO);
        }
        let slope_y = (view.fov_rad * 0.5).tan() * (1.0 - view.margin).clamp(0.05, 1.0);
        let slope_x = slope_y * aspect;
        let x = Span::of(points.iter().map(|p| (p.x, p.z)), slope_x);
        let y = Span::of(points.iter().map(|p| (p.y, p.z)), slope_y);
        let nearest = points.iter().map(|p| p.z).fold(f32::INFINITY, f32::min);
        let farthest = points.iter().map(|p| p.z).fold(f32::NEG_INFINITY, f32::max);
        // A single point needs a distance too.
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

    /// Returns a camera at a point, looking at another. It shows distances from a hundredth of the distance between both to
    /// `far`.
    pub fn looking(eye: Vec3, at: Vec3, fov_rad: f32, aspect: f32, far: f32) -> Self {
        let forward = (at - eye).normalize_or(Vec3::NEG_Z);
        Self {
            eye,
            forward,
            fov_rad,
            aspect,
            near: (0.01 * eye.distance(at)).clamp(far * 1e-4, far * 0.5),
            far,
        }
    }

    /// Product of projection and view matrix.
    pub fn clip_from_world(&self) -> Mat4 {
        let clip_from_eye = perspective(self.fov_rad, self.aspect, self.near, self.far);
        clip_from_eye * look_to_mat4(self.eye, self.forward, Vec3::Y)
    }
}

/// Two opposite edges of a picture, and the distance that each needs from a camera in the origin.
#[derive(Debug, Clone, Copy)]
struct Span {
    slope: f32,
    low: f32,
    high: f32,
}

impl Span {
    /// Each point is its coordinate across the edges and its depth.
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

    /// Depth of the nearest camera that shows all points.
    fn depth(self) -> f32 {
        -(self.low + self.high) / (2.0 * self.slope)
    }

    /// Coordinate of the camera at which both edges are equally far from the points.
    fn centred<I: Iterator<Item = (f32, f32)>>(self, points: impl Fn() -> I, depth: f32) -> f32 {
        let (mut from, mut to) = (
            self.high + self.slope * depth,
            -self.low - self.slope * depth,
        );
        // Bisection: 24 steps are the precision of an f32.
        for _ in 0..24 {
            let middle = 0.5 * (from + to);
            let projected = points().map(|(at, z)| (at - middle) / (z - depth));
            let (low, high) = projected
                .fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), at| {
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
    use throng_rig::Bounds;

    use super::*;

    proptest! {
        #[test]
        fn framing_shows_every_corner_and_fills_the_picture(
            middle in prop::array::uniform3(-50.0f32..50.0),
            half in prop::array::uniform3(0.1f32..40.0),
            yaw_rad in -3.1f32..3.1,
            pitch_rad in -1.2f32..1.2,
            aspect in 0.3f32..4.0,
            margin in 0.0f32..0.4,
        ) {
            let (middle, half) = (Vec3::from(middle), Vec3::from(half));
            let (min, max) = ((middle - half).as_dvec3(), (middle + half).as_dvec3());
            let corners: Vec<Vec3> = Bounds { min, max }.corners().map(glam::DVec3::as_vec3).collect();
            let view = View { yaw_rad, pitch_rad, margin, ..View::PORTRAIT };
            let camera = Camera::framing(corners.iter().copied(), view, aspect);
            let clip_from_world = camera.clip_from_world();
            let projected = corners.iter().map(|&corner| clip_from_world.project_point3(corner));
            let shown = Bounds::of(projected.map(Vec3::as_dvec3));
            prop_assert!(shown.min.z >= 0.0 && shown.max.z <= 1.0, "{shown:?}");
            // Tolerance: 0.1 % of half a picture.
            let widest = shown.max.x.max(shown.max.y);
            prop_assert!((widest - f64::from(1.0 - margin)).abs() < 1e-3, "{shown:?}");
            prop_assert!((shown.min.x + shown.max.x).abs() < 2e-3, "{shown:?}");
            prop_assert!((shown.min.y + shown.max.y).abs() < 2e-3, "{shown:?}");
        }
    }

    #[test]
    fn framing_accepts_no_points_and_one_point() {
        for points in [vec![], vec![Vec3::ONE]] {
            let camera = Camera::framing(points, View::CROWD, 1.5);
            assert!(camera.clip_from_world().is_finite());
            assert!(camera.near > 0.0 && camera.far > camera.near);
        }
    }
}
