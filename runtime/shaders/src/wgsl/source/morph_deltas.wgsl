// Deltas of morph targets: RGBA32Uint texels that are indexed as one array, in rows of 2 048 and layers of 2 048 rows.

@group(1) @binding(6) var deltas: texture_2d_array<u32>;

fn morph_delta(at: u32) -> vec4<u32> {
    let row = at >> 11u;
    return textureLoad(deltas, vec2(at & 2047u, row & 2047u), row >> 11u, 0);
}
