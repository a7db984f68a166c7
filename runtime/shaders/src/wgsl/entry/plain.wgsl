// Vertices in one light, without surfaces: what benchmarks time.

struct Plain {
    @builtin(position) at: vec4<f32>,
    @location(0) normal: vec3<f32>,
    @location(1) color: vec4<f32>,
}

@vertex
fn plain_vertex(v: VertexIn) -> Plain {
    let instance = vertex_instance(v);
    let moved = vertex_moved(v, instance);
    return Plain(frame.clip_from_world * vec4(moved.position, 1.0), moved.normal, v.color * instance.tint);
}

@fragment
fn plain_fragment(plain: Plain) -> @location(0) vec4<f32> {
    let light = 0.5 + 0.5 * dot(normalize(plain.normal), vec3(0.36, 0.8, 0.48));
    return vec4(plain.color.rgb * light, 1.0);
}
