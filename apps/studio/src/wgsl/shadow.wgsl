// Depth of shadow casters, with alpha cutoff.

struct ShadowOut {
    @builtin(position) at: vec4<f32>,
    @location(0) uv: vec2<f32>,
    @location(1) alpha: f32,
}

@vertex
fn shadow_vertex(v: VertexIn) -> ShadowOut {
    let instance = vertex_instance(v);
    let at = frame.clip_from_world * vec4(vertex_deformed(v, instance).position, 1.0);
    return ShadowOut(at, v.uv, v.color.a * instance.tint.a);
}

@fragment
fn shadow_fragment(in: ShadowOut) {
    let alpha = surface_color(in.uv, vec4(1.0, 1.0, 1.0, in.alpha)).a;
    if alpha < material.alpha_cutoff {
        discard;
    }
}
