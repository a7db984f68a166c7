// Vertices of both frames, which are in the bind pose. Replaces the function of deform_arc.
fn skin_along_arc(pair: FramePair, vertex: BindVertex) -> Deformed {
    let a = skin_vertex(accumulate_influences(pose_at(pair.first), vertex), vertex);
    let b = skin_vertex(accumulate_influences(pose_at(pair.second), vertex), vertex);
    return deformed_mix(a, b, pair.fraction);
}
