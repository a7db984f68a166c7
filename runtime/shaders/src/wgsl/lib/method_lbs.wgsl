// `lbs`. Needs skin_lbs.

fn skin_vertex(pose: Pose, bound: Bound) -> Moved {
    let matrix = blend_matrices(pose, bound);
    return Moved(affine_point(matrix, bound.position), affine_normal(matrix, bound.normal));
}
