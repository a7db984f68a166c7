// Drawing with one light and no materials, for benchmarks.

struct PlainOut {
    @builtin(position) at: vec4<f32>,
    @location(0) normal: vec3<f32>,
    @location(1) color: vec4<f32>,
}

@vertex
fn plain_vertex(v: VertexIn) -> PlainOut {
    let instance = vertex_instance(v);
    let deformed = vertex_deformed(v, instance);
    return PlainOut(frame.clip_from_world * vec4(deformed.position, 1.0), deformed.normal, v.color * instance.tint);
}

@fragment
fn plain_fragment(in: PlainOut) -> @location(0) vec4<f32> {
    let light = 0.5 + 0.5 * dot(normalize(in.normal), vec3(0.36, 0.8, 0.48));
    return vec4(in.color.rgb * light, 1.0);
}
