// Morph targets, before skinning. Needs vertex, affine and a source of weights.

// `place` is the first of the vertex's texels, two a target, and the number of targets in the upper half of a
// word whose lower half is the first weight.
fn morphed(bound: Bound, instance: Instance, place: vec2<u32>) -> Bound {
    let targets = place.y >> 16u;
    if targets == 0u {
        return bound;
    }
    let weights = morph_weights_of(instance);
    var out = bound;
    for (var k = 0u; k < targets; k++) {
        let weight = morph_weight(weights, (place.y & 0xffffu) + k);
        let at = place.x + 2u * k;
        out.position += weight * bitcast<vec4<f32>>(morph_delta(at)).xyz;
        out.normal += weight * bitcast<vec4<f32>>(morph_delta(at + 1u)).xyz;
    }
    out.normal = unit_or(out.normal, bound.normal);
    return out;
}
