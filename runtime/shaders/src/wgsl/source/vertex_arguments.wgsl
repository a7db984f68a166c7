// Vertices as arguments of functions. Needs vertex.

struct VertexIn {
    position: vec4<f32>,
    normal: vec3<f32>,
    joints: vec4<u32>,
    weights: vec4<f32>,
    indices: vec4<u32>,
}

fn vertex_in(
    position: vec4<f32>,
    normal: vec3<f32>,
    joints: vec4<u32>,
    weights: vec4<f32>,
    indices: vec4<u32>,
) -> VertexIn {
    return VertexIn(position, normal, joints, weights, indices);
}
