// `dqs-sum`: a weighted sum of rigid matrices. Needs sum_rigid, an accumulator and a stretch.

fn skin_vertex(sum: Accumulator, vertex: BindVertex) -> Deformed {
    return vertex_transform(after_stretch(sum, sum.method), vertex);
}
