// Vertices as arguments of functions, with bones from `COLOR_0`: `joints` are four bone indices, and `weights.xy` the place
// of the vertex in the texture of weights. Needs vertex.

struct VertexIn {
    position: vec4<f32>,
    normal: vec3<f32>,
    bone_color: vec4<f32>,
    weight_uv: vec2<f32>,
    indices: vec4<u32>,
}

fn vertex_in(
    position: vec4<f32>,
    normal: vec3<f32>,
    joints: vec4<u32>,
    weights: vec4<f32>,
    indices: vec4<u32>,
) -> VertexIn {
    return VertexIn(position, normal, vec4<f32>(joints) / 255.0, weights.xy, indices);
}
