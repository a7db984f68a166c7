// `blend-positions:F`: positions and normals of both kinds, mixed. Needs skin_lbs, skin_dual and a stretch.

fn skin_vertex(pose: Pose, bound: Bound) -> Moved {
    let linear = blend_matrices(pose, bound);
    let dual = after_stretch(pose, bound, dual_quat_to_affine(blend_dual_quats(pose, bound)));
    let normal = mix(affine_normal(linear, bound.normal), affine_normal(dual, bound.normal), bound.factor);
    return Moved(
        mix(affine_point(linear, bound.position), affine_point(dual, bound.position), bound.factor),
        unit_or(normal, bound.normal),
    );
}
