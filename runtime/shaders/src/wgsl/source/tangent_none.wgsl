// Vertices without tangents. Needs vertex_in.

fn vertex_tangent(v: VertexIn) -> vec3<f32> {
    return vec3(0.0);
}
