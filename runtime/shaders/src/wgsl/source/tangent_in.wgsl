// Tangents from their own vertex buffer. Needs vertex_in.

fn vertex_tangent(v: VertexIn) -> vec3<f32> {
    return v.tangent.xyz;
}
