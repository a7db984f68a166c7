// Vertices and their surface, for their depth alone.

struct Shaded {
    @builtin(position) at: vec4<f32>,
    @location(0) uv: vec2<f32>,
    @location(1) alpha: f32,
}

@vertex
fn shadow_vertex(v: VertexIn) -> Shaded {
    let instance = vertex_instance(v);
    let at = frame.clip_from_world * vec4(vertex_moved(v, instance).position, 1.0);
    return Shaded(at, v.uv, v.color.a * instance.tint.a);
}

@fragment
fn shadow_fragment(shaded: Shaded) {
    let alpha = surface_color(shaded.uv, vec4(1.0, 1.0, 1.0, shaded.alpha)).a;
    if alpha < material.alpha_cutoff {
        discard;
    }
}
