// `dqs` and `dqs-plain`: dual-quaternion skinning. Needs sum_dual_quats, an accumulator and a stretch.

fn skin_vertex(sum: Accumulator, vertex: BindVertex) -> Deformed {
    return vertex_transform(after_stretch(sum, dual_quat_to_affine(blend_dual_quats(sum.method))), vertex);
}
