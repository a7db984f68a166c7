// Octahedral encoding of unit vectors.

// The direction of a point of the unfolded octahedron, which spans -1 to 1 along both axes. Not normalised.
fn vector_from_octahedron(p: vec2<f32>) -> vec3<f32> {
    let z = 1.0 - abs(p.x) - abs(p.y);
    let fold = max(-z, 0.0);
    return vec3(p - select(vec2(fold), vec2(-fold), p < vec2(0.0)), z);
}
