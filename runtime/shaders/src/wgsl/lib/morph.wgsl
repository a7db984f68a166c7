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
        out.position += weight * bitcast<vec4<f32>>(morph_delta(at)).xyz;
        out.normal += weight * bitcast<vec4<f32>>(morph_delta(at + 1u)).xyz;
    }
    out.normal = unit_or(out.normal, vertex.normal);
    return out;
}
