// `dqs` and `dqs-plain`. Needs skin_dual and a stretch.

fn skin_vertex(pose: Pose, bound: Bound) -> Moved {
    let matrix = after_stretch(pose, bound, dual_quat_to_affine(blend_dual_quats(pose, bound)));
    return Moved(affine_point(matrix, bound.position), affine_normal(matrix, bound.normal));
}
