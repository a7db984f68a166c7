// `blend-positions:F`: positions and normals of LBS and DQS, interpolated by the deform factor. Needs sum_both, an
// accumulator and a stretch.

fn skin_vertex(sum: Accumulator, vertex: BindVertex) -> Deformed {
    let linear = vertex_transform(sum.method.linear, vertex);
    let dual = vertex_transform(
        after_stretch(sum, dual_quat_to_affine(blend_dual_quats(sum.method))),
        vertex,
    );
    let normal = unit_or(mix(linear.normal, dual.normal, vertex.deform_factor), vertex.normal);
    return Deformed(
        mix(linear.position, dual.position, vertex.deform_factor),
        normal,
        tangent_mix(linear.tangent, dual.tangent, vertex.deform_factor, normal),
    );
}
