// Morph targets, applied before skinning. Needs vertex, affine and a source of morph weights.

// Adds the targets of a vertex. `morph.x` is the index of its first delta texel, with two texels per target. `morph.y`
// holds the index of its first weight in the lower 16 bits and the number of targets in the upper 16.
fn morphed(vertex: BindVertex, instance: Instance, morph: vec2<u32>) -> BindVertex {
    let targets = morph.y >> 16u;
    if targets == 0u {
        return vertex;
    }
    let weights = morph_weights_of(instance);
    var out = vertex;
    for (var k = 0u; k < targets; k++) {
        let weight = morph_weight(weights, (morph.y & 0xffffu) + k);
        let at = morph.x + 2u * k;
        let position = morph_delta(at);
        let normal = morph_delta(at + 1u);
        out.position += weight * bitcast<vec3<f32>>(position.xyz);
        out.normal += weight * bitcast<vec3<f32>>(normal.xyz);
        if HAS_TANGENTS {
            // Differences of unit vectors are at most 2.
            out.tangent += (2.0 * weight) * vec3(unpack2x16snorm(position.w), unpack2x16snorm(normal.w).x);
        }
    }
    out.normal = unit_or(out.normal, vertex.normal);
    return out;
}
