// `dqs-direct`: dual-quaternion skinning without a matrix. Needs sum_dual_quats, an accumulator and a stretch.

fn skin_vertex(sum: Accumulator, vertex: BindVertex) -> Deformed {
    let ready = stretched(sum, vertex);
    let motion = blend_dual_quats(sum.method);
    let normal = dual_quat_transform_vector(motion, ready.normal);
    return Deformed(
        dual_quat_transform_point(motion, ready.position),
        normal,
        tangent_mix(dual_quat_transform_vector(motion, ready.tangent), vec3(0.0), 0.0, normal),
    );
}
