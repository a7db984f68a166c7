// Influences of a vertex in the attribute words of `skin_once`.

fn with_influences(vertex: VertexIn, at: u32) -> VertexIn {
    var v = vertex;
    v.joints = attribute_vector(at);
    v.weights = bitcast<vec4<f32>>(attribute_vector(at + 4u));
    return v;
}
