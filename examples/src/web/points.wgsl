// Draws each vertex as a point onto its own texel.

struct Texel {
    @builtin(position) clip: vec4f,
    @location(0) @interpolate(flat) position: vec3u,
    @location(1) @interpolate(flat) normal: vec3u,
}

struct Targets {
    @location(0) position: vec4u,
    @location(1) normal: vec4u,
}

@vertex
fn point(
    @builtin(vertex_index) index: u32,
    @location(0) position: vec3f,
    @location(1) normal: vec3f,
) -> Texel {
    let texel = vec2f(vec2u(index % COLUMNS, index / COLUMNS)) + 0.5;
    let xy = 2.0 * texel / vec2f(f32(COLUMNS), f32(ROWS)) - 1.0;
    return Texel(
        vec4f(xy.x, -xy.y, 0.0, 1.0),
        bitcast<vec3u>(position),
        bitcast<vec3u>(normal),
    );
}

@fragment
fn texel(point: Texel) -> Targets {
    return Targets(vec4u(point.position, 1u), vec4u(point.normal, 1u));
}
