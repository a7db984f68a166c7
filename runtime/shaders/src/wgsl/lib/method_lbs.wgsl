// `lbs`: linear blend skinning. Needs sum_matrices and an accumulator.

fn skin_vertex(sum: Accumulator, vertex: BindVertex) -> Deformed {
    return vertex_transform(sum.method, vertex);
}
