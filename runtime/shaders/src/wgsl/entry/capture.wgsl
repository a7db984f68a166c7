// Capture: each vertex is drawn as a point onto its own texel, instance by instance, to be read back or copied. Needs
// octahedron.

struct CaptureOut {
    @builtin(position) at: vec4<f32>,
    @location(0) @interpolate(flat, either) position: vec3<f32>,
    @location(1) @interpolate(flat, either) normal: vec3<f32>,
    @location(2) @interpolate(flat, either) tangent: u32,
}

@vertex
fn capture_vertex(v: VertexIn) -> CaptureOut {
    var instance = vertex_instance(v);
    instance.now = select(frame.now, frame.previous_now, v.instance >= frame.previous_first);
    let deformed = vertex_deformed(v, instance);
    let texel = v.instance * set_info.vertices + v.index;
    let size = vec2(2048.0, f32(capture_target.rows));
    let centre = (vec2<f32>(vec2(texel & 2047u, texel >> 11u)) + 0.5) / size;
    let at = vec4(2.0 * centre.x - 1.0, 1.0 - 2.0 * centre.y, 0.5, 1.0);
    return CaptureOut(at, deformed.position, deformed.normal, tangent_pack(deformed.tangent));
}

struct CapturedTexel {
    @location(0) position: vec4<u32>,
    @location(1) normal: vec4<u32>,
}

@fragment
fn capture_fragment(in: CaptureOut) -> CapturedTexel {
    return CapturedTexel(
        vec4(bitcast<vec3<u32>>(in.position), in.tangent),
        vec4(bitcast<vec3<u32>>(in.normal), 1u),
    );
}
