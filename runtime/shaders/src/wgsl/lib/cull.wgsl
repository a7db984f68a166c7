// Culling of instances, and choice of their levels of detail. Needs affine and time.

// A point of view.
struct CullView {
    // Planes of the frustum. A point is inside where `dot(plane, vec4(point, 1.0)) >= 0.0` for all of them.
    planes: array<vec4<f32>, 6>,
    // `dot(depth, vec4(point, 1.0))` is the depth of a point, by which its size on the screen is divided.
    depth: vec4<f32>,
    // Errors of the levels in metres, finest first; that of the first level is 0.
    errors: array<vec4<f32>, 2>,
    // Largest allowed error in metres at depth 1: for a level that the instance has already, and for a coarser one.
    max_error: vec2<f32>,
    // Number of levels, at most 8.
    levels: u32,
    // Number of parts, each of which is drawn once per level.
    parts: u32,
    // Number of instances.
    count: u32,
    // Time in ticks.
    now: u32,
    // Distance between the first instances of two levels in the list of visible instances; 0 if levels follow each other.
    region: u32,
    padding: u32,
}

// Bounding box in model space.
struct CullBox {
    center: vec3<f32>,
    half_size: vec3<f32>,
    // False if the instance may leave the box.
    is_certain: bool,
}

// State of an instance: its level in the low byte, and a flag.
const CULL_VISIBLE: u32 = 0x100u;
const CULL_LEVEL: u32 = 0xffu;
// Level of an instance that was never seen.
const CULL_NO_LEVEL: u32 = 0xffu;

// Box around an instance that plays two clips. `undeformed` is the box of the mesh, which a fraction blends with. A
// cross-fade rotates joints between two poses, and may leave both boxes.
fn cull_box(
    undeformed: mat2x3<f32>,
    first: mat2x3<f32>,
    second: mat2x3<f32>,
    fade: f32,
    fraction: f32,
) -> CullBox {
    var low = select(first[0], second[0], fade >= 1.0);
    var high = select(first[1], second[1], fade >= 1.0);
    let is_fading = fade > 0.0 && fade < 1.0;
    if is_fading {
        low = min(low, second[0]);
        high = max(high, second[1]);
    }
    if fraction != 1.0 {
        low = min(low, undeformed[0]);
        high = max(high, undeformed[1]);
    }
    let is_between = fraction >= 0.0 && fraction <= 1.0;
    return CullBox(0.5 * (low + high), 0.5 * (high - low), is_between && !is_fading);
}

// Half the extent of a transformed box along a direction.
fn cull_extent(world_from_model: Affine, half_size: vec3<f32>, direction: vec3<f32>) -> f32 {
    return dot(abs(direction * world_from_model.linear), half_size);
}

// True if a box is outside of the frustum for sure.
fn cull_is_outside(view: CullView, world_from_model: Affine, bounds: CullBox) -> bool {
    let center = affine_point(world_from_model, bounds.center);
    var is_outside = false;
    for (var k = 0u; k < 6u; k++) {
        let plane = view.planes[k];
        let extent = cull_extent(world_from_model, bounds.half_size, plane.xyz);
        // Rounding must not hide what is visible.
        let slack = CULL_ROUNDING * (abs(plane.w) + dot(abs(plane.xyz), abs(center)) + extent);
        is_outside = is_outside || dot(plane.xyz, center) + plane.w + extent < -slack;
    }
    return is_outside && bounds.is_certain;
}

// Rounding errors of distances, relative to their terms.
const CULL_ROUNDING: f32 = 4e-6;

// Factor by which a linear map lengthens vectors at the most: exact where its columns are orthogonal, else a bound.
fn cull_scale(linear: mat3x3<f32>) -> f32 {
    let squares = transpose(linear) * linear;
    let sums = abs(squares[0]) + abs(squares[1]) + abs(squares[2]);
    return sqrt(max(sums.x, max(sums.y, sums.z)));
}

fn cull_error(view: CullView, level: u32) -> f32 {
    return view.errors[level >> 2u][level & 3u];
}

// Coarsest level whose error is allowed. Instances change to a coarser level later than to a finer one, so that they do not
// flicker between two.
fn cull_level(view: CullView, world_from_model: Affine, bounds: CullBox, before: u32) -> u32 {
    let center = affine_point(world_from_model, bounds.center);
    let extent = cull_extent(world_from_model, bounds.half_size, view.depth.xyz);
    let depth = dot(view.depth.xyz, center) + view.depth.w - extent;
    let allowed = view.max_error * (max(depth, 0.0) / cull_scale(world_from_model.linear));
    var level = 0u;
    for (var coarser = 1u; coarser < view.levels; coarser++) {
        let is_new = before != CULL_NO_LEVEL && coarser > before;
        if cull_error(view, coarser) <= select(allowed.x, allowed.y, is_new) {
            level = coarser;
        }
    }
    return level;
}
