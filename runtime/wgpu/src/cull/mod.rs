//! Culling of instances and choice of their levels of detail, in compute passes or on the CPU.

mod cpu;
mod passes;
mod twin;

pub use cpu::{CpuCulling, Visible};
pub(crate) use passes::{CullPass, CullPipelines};

use glam::{Mat4, Vec3, Vec4};
use throng_rig::Bounds;
use throng_shaders::{CULL_LEVELS, CullView};

/// Corners of a box that is never outside: larger than any scene, and small enough for float32 to compute with.
const ANYWHERE: [Vec3; 2] = [Vec3::splat(-1e15), Vec3::splat(1e15)];

/// Facts of a model that culling needs.
#[derive(Debug, Clone, PartialEq)]
pub struct CullModel {
    /// Lowest and highest corner: of the undeformed mesh, then of each clip.
    pub(crate) boxes: Vec<[Vec3; 2]>,
    /// Errors of the levels in metres, finest first; that of the full mesh is 0.
    pub(crate) errors: Vec<f32>,
}

impl CullModel {
    /// Boxes of the undeformed mesh and of the clips in metres, and errors of the levels below the full mesh in metres,
    /// finest first. More than 7 levels are ignored.
    pub fn new(undeformed: [Vec3; 2], clips: &[Bounds], level_errors_m: &[f32]) -> Self {
        Self::with_margin(undeformed, clips, level_errors_m, 0.0)
    }

    /// As [`Self::new`], with boxes of clips that are larger by so many metres on each side.
    pub(crate) fn with_margin(
        undeformed: [Vec3; 2],
        clips: &[Bounds],
        level_errors_m: &[f32],
        margin_m: f64,
    ) -> Self {
        let mut boxes = vec![undeformed];
        boxes.extend(clips.iter().map(|bounds| outward(bounds, margin_m)));
        Self::of_boxes(boxes, level_errors_m)
    }

    /// A model whose instances may be anywhere: nothing is culled.
    pub(crate) fn anywhere(undeformed: [Vec3; 2], clips: usize) -> Self {
        let mut boxes = vec![ANYWHERE; 1 + clips];
        boxes[0] = undeformed;
        Self::of_boxes(boxes, &[])
    }

    /// A model that shows the undeformed mesh in every clip.
    #[cfg(feature = "cpu")]
    pub(crate) fn still(undeformed: [Vec3; 2], clips: usize) -> Self {
        Self::of_boxes(vec![undeformed; 1 + clips], &[])
    }

    fn of_boxes(mut boxes: Vec<[Vec3; 2]>, level_errors_m: &[f32]) -> Self {
        // Instances of a model without clips play clip 0, too.
        if let [undeformed] = boxes[..] {
            boxes.push(undeformed);
        }
        let mut errors = vec![0.0];
        errors.extend(level_errors_m.iter().take(CULL_LEVELS - 1));
        Self { boxes, errors }
    }

    /// Number of levels, the full mesh included.
    pub fn level_count(&self) -> usize {
        self.errors.len()
    }

    /// Returns the block that the passes read, for a number of instances and parts.
    pub(crate) fn view(&self, camera: &ViewCamera) -> CullView {
        let mut errors = [0.0; CULL_LEVELS];
        errors[..self.errors.len()].copy_from_slice(&self.errors);
        let detail = camera.detail.as_ref();
        if detail.is_none() {
            // No error is allowed, but the draws of all levels are written.
            errors[1..].fill(f32::MAX);
        }
        let max_error_m = detail.map_or(0.0, Detail::max_error_at_depth_1);
        let depth = detail.map_or(Vec4::ZERO, |detail| detail.clip_from_world.row(3));
        CullView {
            planes: planes(&camera.clip_from_world).map(|plane| plane.to_array()),
            depth: depth.to_array(),
            errors,
            max_error: [max_error_m, COARSER * max_error_m],
            levels: self.errors.len() as u32,
            ..CullView::default()
        }
    }
}

/// Part of the allowed error at which an instance gets a coarser level. It gets a finer one at the whole allowed error, so
/// that an instance near the limit does not change back and forth.
const COARSER: f32 = 0.8;

/// Rounds a box outward to float32, with a margin in metres.
fn outward(bounds: &Bounds, margin_m: f64) -> [Vec3; 2] {
    if bounds.is_empty() {
        return [Vec3::ZERO; 2];
    }
    let size = bounds.min.abs().max(bounds.max.abs());
    let margin = 1e-6 * size + margin_m; // ten times the rounding of float32
    [
        (bounds.min - margin).as_vec3(),
        (bounds.max + margin).as_vec3(),
    ]
}

/// Camera or light whose frustum culls, and the detail that it needs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ViewCamera {
    /// From world space to clip space; depths in clip space are from 0 to w, in either direction.
    pub clip_from_world: Mat4,
    /// Choice of levels of detail; `None` draws the full mesh.
    pub detail: Option<Detail>,
}

/// Choice of levels of detail: the coarsest one whose error is small on the screen.
///
/// A shadow map takes the detail of the camera that sees the shadows, so that instances cast the shadow of the mesh that is
/// drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Detail {
    /// From world space to clip space of the camera that sees the instances.
    pub clip_from_world: Mat4,
    /// Width and height of the picture in pixels.
    pub size_px: [f32; 2],
    /// Largest displacement of a surface on the screen, in pixels, along each of its axes.
    pub max_error_px: f32,
}

impl ViewCamera {
    /// Culls by a frustum and draws the full mesh.
    pub fn new(clip_from_world: Mat4) -> Self {
        Self {
            clip_from_world,
            detail: None,
        }
    }

    /// Chooses levels of detail for a picture of `[width, height]` pixels of this camera: half a pixel of error.
    pub fn with_detail(self, size_px: [f32; 2]) -> Self {
        let detail = Detail {
            clip_from_world: self.clip_from_world,
            size_px,
            max_error_px: 0.5,
        };
        Self {
            detail: Some(detail),
            ..self
        }
    }
}

impl Detail {
    /// Largest displacement in metres at depth 1. A displacement e at depth w moves `y / w` by at most
    /// `e (|row 1| + |row 3|) / w` within the picture; where both rows are orthogonal, by their hypotenuse.
    fn max_error_at_depth_1(&self) -> f32 {
        let row = |index| self.clip_from_world.row(index).truncate();
        let depth = row(3);
        let gradient = |axis: Vec3| (axis - depth).length().max((axis + depth).length());
        let [width, height] = self.size_px;
        let pixels = (0.5 * width * gradient(row(0))).max(0.5 * height * gradient(row(1)));
        match pixels > 0.0 {
            true => self.max_error_px / pixels,
            false => 0.0,
        }
    }
}

/// Planes of a frustum, with normals towards the inside.
fn planes(clip_from_world: &Mat4) -> [Vec4; 6] {
    let [x, y, z, w] = std::array::from_fn(|index| clip_from_world.row(index));
    [w + x, w - x, w + y, w - y, z, w - z]
}

#[cfg(test)]
mod tests {
    use glam::camera::rh::proj::directx::{
        orthographic, perspective, perspective_infinite_reverse,
    };
    use glam::camera::rh::view::look_at_mat4;

    use super::*;

    #[test]
    fn displacement_at_the_allowed_error_moves_at_most_half_a_pixel() {
        let projection = perspective(1.0, 16.0 / 9.0, 0.1, 100.0);
        let size_px = [1920.0, 1080.0];
        let camera = ViewCamera::new(projection).with_detail(size_px);
        let allowed = camera.detail.unwrap().max_error_at_depth_1();
        let pixel = |point: Vec3| {
            let ndc = projection.project_point3(point);
            [0.5 * size_px[0] * ndc.x, 0.5 * size_px[1] * ndc.y]
        };
        let mut most: f32 = 0.0;
        for depth in [1.0, 7.0, 50.0] {
            // Points at the centre and at the edges of the picture, displaced in every direction.
            for [x, y] in [[0.0, 0.0], [1.0, 0.0], [0.0, -1.0], [1.0, 1.0], [-1.0, 1.0]] {
                let half_height = (0.5f32).tan() * depth;
                let point = Vec3::new(x * half_height * 16.0 / 9.0, y * half_height, -depth);
                for k in 0..500 {
                    let (a, b) = (k as f32 * 2.4, (k as f32 / 250.0 - 1.0).acos());
                    let direction = Vec3::new(a.cos() * b.sin(), b.cos(), a.sin() * b.sin());
                    // The nearest point of an instance has the depth that counts.
                    let moved = point + direction * allowed * depth;
                    let (from, to) = (pixel(point), pixel(moved));
                    most = most
                        .max((to[0] - from[0]).abs())
                        .max((to[1] - from[1]).abs());
                }
            }
        }
        assert!((0.49..=0.501).contains(&most), "{most} pixels");
    }

    #[test]
    fn planes_contain_the_corners_of_their_frustum_only() {
        let projections = [
            perspective(1.2, 1.5, 0.5, 90.0),
            perspective_infinite_reverse(1.2, 1.5, 0.5),
            orthographic(-3.0, 5.0, -1.0, 2.0, 0.0, 40.0),
        ];
        for projection in projections {
            let view = projection * look_at_mat4(Vec3::new(4.0, 3.0, 9.0), Vec3::ONE, Vec3::Y);
            let back = view.inverse();
            for k in 0..27 {
                let ndc = Vec3::new((k % 3) as f32, (k / 3 % 3) as f32, (k / 9) as f32) - 1.0;
                let clip = Vec3::new(0.99 * ndc.x, 0.99 * ndc.y, 0.5 + 0.49 * ndc.z);
                let inside = back.project_point3(clip).extend(1.0);
                assert!(planes(&view).iter().all(|plane| plane.dot(inside) > 0.0));
                if ndc.x != 0.0 {
                    let beside = Vec3::new(1.01 * ndc.x, clip.y, clip.z);
                    let outside = back.project_point3(beside).extend(1.0);
                    assert!(planes(&view).iter().any(|plane| plane.dot(outside) < 0.0));
                }
            }
        }
    }
}
