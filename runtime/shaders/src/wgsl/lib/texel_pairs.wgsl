// Raw numbers of RGBA16 texels that are stored in pairs, as one RGBA32Uint texel, so that a read returns both. Needs
// grid, whose columns are those of pairs.

fn texel_unpack(words: vec2<u32>) -> vec4<f32> {
    // Integers are converted from i32, which is cheaper than u32 on llvmpipe.
    return vec4<f32>(vec4<i32>(vec4(words.x & 0xffffu, words.x >> 16u, words.y & 0xffffu, words.y >> 16u)));
}

fn pair_read(texels: Texels, grid: Grid, frame: u32, pair: u32) -> vec4<u32> {
    let at = grid_texel(grid, frame, pair);
    return textureLoad(texels, at.xy, at.z, 0);
}

// Two consecutive texels, of which the first must be the first of a pair.
fn texels_two(texels: Texels, grid: Grid, frame: u32, item: u32) -> mat2x4<f32> {
    let words = pair_read(texels, grid, frame, item / 2u);
    return mat2x4(texel_unpack(words.xy), texel_unpack(words.zw));
}

// Three consecutive texels.
fn texels_three(texels: Texels, grid: Grid, frame: u32, item: u32) -> mat3x4<f32> {
    let a = pair_read(texels, grid, frame, item / 2u);
    let b = pair_read(texels, grid, frame, item / 2u + 1u);
    let is_odd = (item & 1u) != 0u;
    return mat3x4(
        texel_unpack(select(a.xy, a.zw, is_odd)),
        texel_unpack(select(a.zw, b.xy, is_odd)),
        texel_unpack(select(b.xy, b.zw, is_odd)),
    );
}
