//! A camera that orbits about a point, shared by all viewports.

use glam::Vec3;
use serde::{Deserialize, Serialize};
use throng_rig::Bounds;
use throng_studio::{Camera, View};

/// Camera that looks at a point from a distance.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Orbit {
    /// Point in the middle of the picture.
    pub target: Vec3,
    /// Distance of the camera from the target.
    pub distance: f32,
    /// Rotation about the vertical axis; 0 shows the front.
    pub yaw_rad: f32,
    /// Angle below the horizontal.
    pub pitch_rad: f32,
    /// Vertical field of view.
    pub fov_rad: f32,
    /// Size of the subject: speeds and clipping planes scale with it.
    pub size: f32,
}

/// Largest angle below or above the horizontal.
const MAX_PITCH: f32 = 1.54;

/// Radians per point that the mouse is dragged.
const TURN_PER_POINT: f32 = 0.008;

impl Orbit {
    /// A camera that shows points from a view, in a picture of an aspect ratio.
    pub fn framing(points: &[Vec3], view: View, aspect: f32) -> Self {
        let bounds = Bounds::of(points.iter().map(|point| point.as_dvec3()));
        let camera = Camera::framing(points.iter().copied(), view, aspect);
        let size = bounds.extent().max_element().max(1e-6) as f32;
        let center = bounds.center().as_vec3();
        let distance = (center - camera.eye).dot(camera.forward).max(0.1 * size);
        Self {
            target: camera.eye + camera.forward * distance,
            distance,
            yaw_rad: view.yaw_rad,
            pitch_rad: view.pitch_rad,
            fov_rad: view.fov_rad,
            size,
        }
    }

    /// Direction of view.
    pub fn forward(&self) -> Vec3 {
        let (sin, cos) = self.pitch_rad.sin_cos();
        -Vec3::new(cos * self.yaw_rad.sin(), sin, cos * self.yaw_rad.cos())
    }

    fn right(&self) -> Vec3 {
        self.forward().cross(Vec3::Y).normalize_or(Vec3::X)
    }

    /// Position of the camera.
    pub fn eye(&self) -> Vec3 {
        self.target - self.forward() * self.distance
    }

    /// The camera of a picture.
    pub fn camera(&self, aspect: f32) -> Camera {
        let reach = self.distance + 40.0 * self.size;
        Camera {
            eye: self.eye(),
            forward: self.forward(),
            fov_rad: self.fov_rad,
            aspect,
            near: (0.02 * self.distance).max(reach * 1e-4),
            far: reach,
        }
    }

    /// Turns about the target by a drag in points.
    pub fn turn(&mut self, drag: [f32; 2]) {
        self.yaw_rad -= TURN_PER_POINT * drag[0];
        self.pitch_rad = (self.pitch_rad + TURN_PER_POINT * drag[1]).clamp(-MAX_PITCH, MAX_PITCH);
    }

    /// Moves the target in the plane of the picture, such that it follows a drag in points.
    pub fn pan(&mut self, drag: [f32; 2], picture_height: f32) {
        let per_point = 2.0 * self.distance * (0.5 * self.fov_rad).tan() / picture_height.max(1.0);
        let up = self.right().cross(self.forward());
        self.target += (self.right() * -drag[0] + up * drag[1]) * per_point;
    }

    /// Moves towards the target by a factor; below 1 is nearer.
    pub fn zoom(&mut self, factor: f32) {
        let nearest = 0.02 * self.size;
        self.distance = (self.distance * factor).clamp(nearest, 100.0 * self.size);
    }

    /// Moves camera and target: right, up and forward, in sizes of the subject.
    pub fn walk(&mut self, step: Vec3) {
        let level = Vec3::new(self.forward().x, 0.0, self.forward().z).normalize_or(Vec3::NEG_Z);
        self.target += (self.right() * step.x + Vec3::Y * step.y + level * step.z) * self.size;
    }
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;

    fn person() -> Vec<Vec3> {
        let bounds = Bounds::of([DVec3::new(-0.9, 0.0, -0.2), DVec3::new(0.9, 1.8, 0.2)]);
        bounds.corners().map(DVec3::as_vec3).collect()
    }

    #[test]
    fn framed_box_is_inside_the_picture() {
        let orbit = Orbit::framing(&person(), View::PORTRAIT, 1.2);
        let clip_from_world = orbit.camera(1.2).clip_from_world();
        for corner in person() {
            let at = clip_from_world.project_point3(corner);
            assert!(at.x.abs() <= 1.0 && at.y.abs() <= 1.0, "{at}");
            assert!((0.0..=1.0).contains(&at.z), "{at}");
        }
    }

    #[test]
    fn panning_follows_the_pointer() {
        let mut orbit = Orbit::framing(&person(), View::PORTRAIT, 1.2);
        let point = orbit.target;
        let height = 500.0;
        let at = |orbit: &Orbit| orbit.camera(1.0).clip_from_world().project_point3(point);
        let before = at(&orbit);
        orbit.pan([100.0, 0.0], height);
        let moved = (at(&orbit) - before) * 0.5 * height;
        assert!(
            (moved.x - 100.0).abs() < 0.5 && moved.y.abs() < 0.5,
            "{moved}"
        );
    }

    #[test]
    fn turning_keeps_the_target_in_the_middle_and_never_flips() {
        let mut orbit = Orbit::framing(&person(), View::PORTRAIT, 1.2);
        for _ in 0..500 {
            orbit.turn([13.0, 17.0]);
            let at = orbit
                .camera(1.0)
                .clip_from_world()
                .project_point3(orbit.target);
            assert!(at.x.abs() < 1e-3 && at.y.abs() < 1e-3, "{at}");
        }
        assert!(orbit.pitch_rad <= MAX_PITCH);
    }

    #[test]
    fn zoom_is_bounded() {
        let mut orbit = Orbit::framing(&person(), View::PORTRAIT, 1.2);
        for _ in 0..1000 {
            orbit.zoom(0.9);
        }
        assert!(orbit.distance >= 0.02 * orbit.size);
        assert!(orbit.camera(1.0).clip_from_world().is_finite());
    }
}
