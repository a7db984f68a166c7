// The normal at the earlier of two frames. Replaces the function of deform_vertices.
fn normal_between(pair: FramePair, item: u32) -> vec3<f32> {
    let normal = normal_decode(normal_raw(pair.first, item));
    if IS_OCTAHEDRAL {
        return unit_or(vector_from_octahedron(normal.xy), vec3(0.0, 1.0, 0.0));
    }
    return unit_or(normal, vec3(0.0, 1.0, 0.0));
}
