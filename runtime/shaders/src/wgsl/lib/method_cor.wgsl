// `cor`: the blended rotation about the vertex's centre, which the sum of the rigid motions moves. Needs sum_rigid_both,
// rotation_center, an accumulator and a stretch.

fn skin_vertex(sum: Accumulator, vertex: BindVertex) -> Deformed {
    let still = Affine(mat3x3(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0), vec3(0.0));
    let center = affine_point(after_stretch(sum, still), rotation_center(vertex));
    let rotation = mat3_from_quat(blend_dual_quats(sum.method).real);
    let moved = affine_point(sum.method.linear, center);
    return vertex_transform(after_stretch(sum, Affine(rotation, moved - rotation * center)), vertex);
}
