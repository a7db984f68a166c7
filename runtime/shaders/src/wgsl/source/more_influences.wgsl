// Influences past the fourth of a vertex, one per texel.

@group(1) @binding(4) var influences: texture_2d<u32>;

struct Influence {
    joint: u32,
    weight: f32,
}

fn influence_read(at: u32) -> Influence {
    let texel = textureLoad(influences, vec2(at & 2047u, at >> 11u), 0);
    return Influence(texel.x, bitcast<f32>(texel.y));
}
