// Tangents from a storage buffer: four numbers of 16 bits per vertex. Needs vertex_in.

@group(1) @binding(15) var<storage, read> tangent_words: array<u32>;

fn vertex_tangent(v: VertexIn) -> vec3<f32> {
    return vec3(unpack2x16snorm(tangent_words[2u * v.index]), unpack2x16snorm(tangent_words[2u * v.index + 1u]).x);
}
