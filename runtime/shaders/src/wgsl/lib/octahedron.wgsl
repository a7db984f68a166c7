// Octahedral encoding of unit vectors. Needs affine.

// The direction of a point of the unfolded octahedron, which spans -1 to 1 along both axes. Not normalised.
fn vector_from_octahedron(p: vec2<f32>) -> vec3<f32> {
    let z = 1.0 - abs(p.x) - abs(p.y);
    let fold = max(-z, 0.0);
    return vec3(p - select(vec2(fold), vec2(-fold), p < vec2(0.0)), z);
}

// The point of the unfolded octahedron in the direction of a vector.
fn octahedron_from_vector(v: vec3<f32>) -> vec2<f32> {
    let p = v.xy / max(abs(v.x) + abs(v.y) + abs(v.z), 1e-30);
    let folded = (1.0 - abs(p.yx)) * select(vec2(1.0), vec2(-1.0), p < vec2(0.0));
    return select(p, folded, v.z < 0.0);
}

// A tangent as one word: two octahedral coordinates of 16 bits. 0x80008000 stands for no tangent.
fn tangent_pack(tangent: vec3<f32>) -> u32 {
    let word = pack2x16snorm(octahedron_from_vector(tangent));
    return select(word, 0x80008000u, dot(tangent, tangent) == 0.0);
}

fn tangent_unpack(word: u32) -> vec3<f32> {
    let tangent = unit_or(vector_from_octahedron(unpack2x16snorm(word)), vec3(0.0));
    return select(tangent, vec3(0.0), word == 0x80008000u);
}
