// The vertex at the earlier of two frames. Replaces the function of deform_arc.
fn skin_along_arc(pair: FramePair, vertex: BindVertex) -> Deformed {
    return skin_vertex(accumulate_influences(pose_at(pair.first), vertex), vertex);
}
