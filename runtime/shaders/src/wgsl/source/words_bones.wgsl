// Bones and the place of weights of a vertex in the attribute words of `skin_once`.

fn with_influences(vertex: VertexIn, at: u32) -> VertexIn {
    var v = vertex;
    v.bone_color = unpack4x8unorm(attribute_words[at]);
    v.weight_uv = bitcast<vec2<f32>>(vec2(attribute_words[at + 4u], attribute_words[at + 5u]));
    return v;
}
