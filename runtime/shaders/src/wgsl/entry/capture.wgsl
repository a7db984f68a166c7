// Vertices as they come out, read back: each is a point that falls on a texel of its own, instance by instance.

struct Captured {
    @builtin(position) at: vec4<f32>,
    @location(0) @interpolate(flat, either) position: vec3<f32>,
    @location(1) @interpolate(flat, either) normal: vec3<f32>,
}

@vertex
fn capture_vertex(v: VertexIn) -> Captured {
    let moved = vertex_moved(v, vertex_instance(v));
    let texel = v.instance * set_info.vertices + v.index;
    let size = vec2(2048.0, f32(capture_target.rows));
    let middle = (vec2<f32>(vec2(texel & 2047u, texel >> 11u)) + 0.5) / size;
    return Captured(vec4(2.0 * middle.x - 1.0, 1.0 - 2.0 * middle.y, 0.5, 1.0), moved.position, moved.normal);
}

struct CapturedTexel {
    @location(0) position: vec4<u32>,
    @location(1) normal: vec4<u32>,
}

@fragment
fn capture_fragment(captured: Captured) -> CapturedTexel {
    return CapturedTexel(
        vec4(bitcast<vec3<u32>>(captured.position), 1u),
        vec4(bitcast<vec3<u32>>(captured.normal), 1u),
    );
}
