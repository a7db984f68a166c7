// A texel's raw numbers where 16 bits stand for 0 to 1, and two texels are one of four words: a read brings both. Needs
// grid, whose columns are those of pairs.

fn texel_unpacked(words: vec2<u32>) -> vec4<f32> {
    // Devices have signed numbers become floats in one step, and take several for others.
    return vec4<f32>(vec4<i32>(vec4(words.x & 0xffffu, words.x >> 16u, words.y & 0xffffu, words.y >> 16u)));
}

fn pair_read(texels: Texels, grid: Grid, frame: u32, pair: u32) -> vec4<u32> {
    let at = grid_texel(grid, frame, pair);
    return textureLoad(texels, at.xy, at.z, 0);
}

// Two texels in a row, of which the first is the first of a pair.
fn texels_two(texels: Texels, grid: Grid, frame: u32, item: u32) -> mat2x4<f32> {
    let words = pair_read(texels, grid, frame, item / 2u);
    return mat2x4(texel_unpacked(words.xy), texel_unpacked(words.zw));
}

// Three texels in a row.
fn texels_three(texels: Texels, grid: Grid, frame: u32, item: u32) -> mat3x4<f32> {
    let a = pair_read(texels, grid, frame, item / 2u);
    let b = pair_read(texels, grid, frame, item / 2u + 1u);
    let is_odd = (item & 1u) != 0u;
    return mat3x4(
        texel_unpacked(select(a.xy, a.zw, is_odd)),
        texel_unpacked(select(a.zw, b.xy, is_odd)),
        texel_unpacked(select(b.xy, b.zw, is_odd)),
    );
}

// Three texels in a row: planes are never read in pairs.
fn texels_apart(texels: Texels, grid: Grid, frame: u32, item: u32, apart: u32) -> mat3x4<f32> {
    return texels_three(texels, grid, frame, item);
}
