// Vertices of one influence.

fn bone_weights(v: VertexIn) -> vec4<f32> {
    return vec4(1.0, 0.0, 0.0, 0.0);
}
