// Vertices skinned by joints. Needs a source of joints, a method, influences, an accumulator and morphs.

fn deform(v: VertexIn, instance: Instance) -> Deformed {
    let vertex = morphed(bind_vertex(v), instance, v.indices.zw);
    return skin_vertex(accumulate_influences(pose_of(instance), vertex), vertex);
}
