// Weights from a texture, found by the second texture coordinate. Needs vertex_in.

@group(1) @binding(16) var weights: texture_2d_array<f32>;

// Three weights are stored; the last is one minus their sum.
fn bone_weights(v: VertexIn) -> vec4<f32> {
    let size = vec2<f32>(textureDimensions(weights));
    let stored = textureLoad(weights, vec2<u32>(v.weight_uv * size), 0u, 0).xyz;
    return vec4(stored, 1.0 - (stored.x + stored.y + stored.z));
}
