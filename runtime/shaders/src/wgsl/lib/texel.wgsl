// A texel's raw numbers, whatever the texture holds: `Texels` are floats, or whole numbers where 16 bits stand for
// 0 to 1, and `texels_load` makes floats of both. Needs grid.

fn texel_read(texels: Texels, grid: Grid, frame: u32, item: u32) -> vec4<f32> {
    return texels_load(texels, grid_texel(grid, frame, item));
}

// Two texels in a row, and three.
fn texels_two(texels: Texels, grid: Grid, frame: u32, item: u32) -> mat2x4<f32> {
    return mat2x4(texel_read(texels, grid, frame, item), texel_read(texels, grid, frame, item + 1u));
}

fn texels_three(texels: Texels, grid: Grid, frame: u32, item: u32) -> mat3x4<f32> {
    return texels_apart(texels, grid, frame, item, 1u);
}

// Three texels as far apart as is said.
fn texels_apart(texels: Texels, grid: Grid, frame: u32, item: u32, apart: u32) -> mat3x4<f32> {
    return mat3x4(
        texel_read(texels, grid, frame, item),
        texel_read(texels, grid, frame, item + apart),
        texel_read(texels, grid, frame, item + 2u * apart),
    );
}

// Between two frames. What the numbers stand for is `offset + scale * raw`, so that they may be mixed before.
fn texel_between(texels: Texels, grid: Grid, pair: FramePair, item: u32) -> vec4<f32> {
    return mix(
        texel_read(texels, grid, pair.first, item),
        texel_read(texels, grid, pair.second, item),
        pair.fraction,
    );
}
