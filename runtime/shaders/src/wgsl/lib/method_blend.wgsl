// `blend:F`: matrices of both kinds, mixed. Needs skin_lbs, skin_dual and a stretch.

fn skin_vertex(pose: Pose, bound: Bound) -> Moved {
    let linear = blend_matrices(pose, bound);
    let dual = after_stretch(pose, bound, dual_quat_to_affine(blend_dual_quats(pose, bound)));
    let matrix = affine_mix(linear, dual, bound.factor);
    return Moved(affine_point(matrix, bound.position), affine_normal(matrix, bound.normal));
}
