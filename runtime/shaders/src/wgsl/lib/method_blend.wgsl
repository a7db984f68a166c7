// `blend:F`: the matrices of LBS and DQS, interpolated by the deform factor. Needs sum_both, an accumulator and a
// stretch.

fn skin_vertex(sum: Accumulator, vertex: BindVertex) -> Deformed {
    let dual = after_stretch(sum, dual_quat_to_affine(blend_dual_quats(sum.method)));
    return vertex_transform(affine_mix(sum.method.linear, dual, vertex.deform_factor), vertex);
}
