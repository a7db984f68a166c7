// Raw numbers of texels. `Texels` is a float texture, or an integer texture of 16-bit numbers; `texels_load` returns
// floats from both. Needs grid.

fn texel_read(texels: Texels, grid: Grid, frame: u32, item: u32) -> vec4<f32> {
    return texels_load(texels, grid_texel(grid, frame, item));
}

// Two consecutive texels.
fn texels_two(texels: Texels, grid: Grid, frame: u32, item: u32) -> mat2x4<f32> {
    return mat2x4(texel_read(texels, grid, frame, item), texel_read(texels, grid, frame, item + 1u));
}

// Three consecutive texels.
fn texels_three(texels: Texels, grid: Grid, frame: u32, item: u32) -> mat3x4<f32> {
    return mat3x4(
        texel_read(texels, grid, frame, item),
        texel_read(texels, grid, frame, item + 1u),
        texel_read(texels, grid, frame, item + 2u),
    );
}

// The texel between two frames. Decoding is linear, so raw numbers can be interpolated before it.
fn texel_between(texels: Texels, grid: Grid, pair: FramePair, item: u32) -> vec4<f32> {
    return mix(
        texel_read(texels, grid, pair.first, item),
        texel_read(texels, grid, pair.second, item),
        pair.fraction,
    );
}
