//! CPU twin of `cull.wgsl`.

#[cfg(test)]
use glam::Vec4;
use glam::{Affine3A, Mat3A, Vec3, Vec3A};
use throng_shaders::CullView;

/// Flag of an instance that is visible.
pub(super) const VISIBLE: u32 = 0x100;
/// Bits of an instance's level.
pub(super) const LEVEL: u32 = 0xff;
/// Level of an instance that was never seen.
pub(super) const NO_LEVEL: u32 = 0xff;
/// Rounding errors of distances, relative to their terms.
pub(super) const ROUNDING: f32 = 4e-6;

/// Bounding box in model space.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct CullBox {
    pub center: Vec3,
    pub half_size: Vec3,
    /// False if the instance may leave the box.
    pub is_certain: bool,
}

/// Box around an instance that plays two clips. `undeformed` is the box of the mesh, which a fraction blends with. A
/// cross-fade rotates joints between two poses, and may leave both boxes.
pub(super) fn cull_box(
    undeformed: [Vec3; 2],
    first: [Vec3; 2],
    second: [Vec3; 2],
    fade: f32,
    fraction: f32,
) -> CullBox {
    let [mut low, mut high] = if fade >= 1.0 { second } else { first };
    let is_fading = fade > 0.0 && fade < 1.0;
    if is_fading {
        low = low.min(second[0]);
        high = high.max(second[1]);
    }
    if fraction != 1.0 {
        low = low.min(undeformed[0]);
        high = high.max(undeformed[1]);
    }
    CullBox {
        center: 0.5 * (low + high),
        half_size: 0.5 * (high - low),
        is_certain: (0.0..=1.0).contains(&fraction) && !is_fading,
    }
}

/// Factor by which a linear map lengthens vectors at the most: exact where its columns are orthogonal, else a bound.
pub(super) fn cull_scale(linear: &Mat3A) -> f32 {
    let squares = linear.transpose() * *linear;
    let sums = squares.x_axis.abs() + squares.y_axis.abs() + squares.z_axis.abs();
    sums.max_element().sqrt()
}

/// Depth of the nearest point of a box, divided by the scale of the instance; 0 behind the camera.
#[cfg(test)]
pub(super) fn cull_depth(view: &CullView, world_from_model: &Affine3A, bounds: &CullBox) -> f32 {
    let depth = Vec4::from_array(view.depth);
    let center = world_from_model.transform_point3(bounds.center);
    let extent = cull_extent(world_from_model, bounds.half_size, depth.truncate());
    let nearest = depth.truncate().dot(center) + depth.w - extent;
    nearest.max(0.0) / cull_scale(&world_from_model.matrix3)
}

/// Coarsest level whose error is allowed, at a depth that is divided by the scale of the instance. Instances change to a
/// coarser level later than to a finer one, so that they do not flicker between two.
pub(super) fn cull_level(view: &CullView, depth: f32, before: u32) -> u32 {
    let allowed = view.max_error.map(|error| error * depth);
    let is_allowed = |level: &u32| {
        let is_new = before != NO_LEVEL && *level > before;
        view.errors[*level as usize] <= allowed[usize::from(is_new)]
    };
    (1..view.levels).rfind(is_allowed).unwrap_or(0)
}

/// Half the extent of a transformed box along a direction.
#[cfg(test)]
fn cull_extent(world_from_model: &Affine3A, half_size: Vec3, direction: Vec3) -> f32 {
    let in_model = world_from_model.matrix3.transpose() * Vec3A::from(direction);
    in_model.abs().dot(half_size.into())
}

/// True if a box is outside of the frustum for sure.
#[cfg(test)]
pub(super) fn cull_is_outside(
    view: &CullView,
    world_from_model: &Affine3A,
    bounds: &CullBox,
) -> bool {
    let center = world_from_model.transform_point3(bounds.center);
    let is_behind = |plane: &[f32; 4]| {
        let [x, y, z, w] = *plane;
        let normal = Vec3::new(x, y, z);
        let extent = cull_extent(world_from_model, bounds.half_size, normal);
        let slack = ROUNDING * (w.abs() + normal.abs().dot(center.abs()) + extent);
        normal.dot(center) + w + extent < -slack
    };
    bounds.is_certain && view.planes.iter().any(is_behind)
}

impl CullBox {
    /// Centre in world space, and the three half axes.
    pub fn transformed(&self, world_from_model: &Affine3A) -> [Vec3A; 4] {
        let axes = &world_from_model.matrix3;
        [
            world_from_model.transform_point3a(self.center.into()),
            axes.x_axis * self.half_size.x,
            axes.y_axis * self.half_size.y,
            axes.z_axis * self.half_size.z,
        ]
    }
}
