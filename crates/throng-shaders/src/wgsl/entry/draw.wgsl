// Vertices and their surface, lit.

struct Drawn {
    @builtin(position) at: vec4<f32>,
    @location(0) position: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) uv: vec2<f32>,
    @location(3) color: vec4<f32>,
}

@vertex
fn draw_vertex(v: VertexIn) -> Drawn {
    let instance = vertex_instance(v);
    let moved = vertex_moved(v, instance);
    let at = frame.clip_from_world * vec4(moved.position, 1.0);
    return Drawn(at, moved.position, moved.normal, v.uv, v.color * instance.tint);
}

@fragment
fn draw_fragment(drawn: Drawn) -> @location(0) vec4<f32> {
    let light = 0.5 + 0.5 * dot(normalize(drawn.normal), vec3(0.36, 0.8, 0.48));
    return vec4(drawn.color.rgb * light, 1.0);
}
