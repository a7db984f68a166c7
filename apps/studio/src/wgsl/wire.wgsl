// Edges of triangles. Needs camera.

@fragment
fn shade(in: VertexOut) -> @location(0) vec4<f32> {
    return vec4(0.03, 0.05, 0.08, 1.0);
}
