// `dqs-sum`. Needs skin_sum and a stretch.

fn skin_vertex(pose: Pose, bound: Bound) -> Moved {
    let matrix = after_stretch(pose, bound, sum_rigid(pose, bound));
    return Moved(affine_point(matrix, bound.position), affine_normal(matrix, bound.normal));
}
