// Vertices of a clip at a time, without an instance. Needs function/vertex, and joints that are not in a palette.

fn throng_vertex_at(
    position: vec4<f32>,
    normal: vec3<f32>,
    joints: vec4<u32>,
    weights: vec4<f32>,
    indices: vec4<u32>,
    clip: u32,
    time_secs: f32,
) -> ThrongVertex {
    var instance: Instance;
    instance.first = Play(clip, bitcast<u32>(time_secs), 0u);
    instance.fraction = 1.0;
    return vertex_posed(vertex_in(position, normal, joints, weights, indices), instance);
}
