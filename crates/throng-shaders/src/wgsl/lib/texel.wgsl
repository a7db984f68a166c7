// A texel's raw numbers, whatever the texture holds: `Texels` are floats, or whole numbers where 16 bits stand for
// 0 to 1, and `texels_load` makes floats of both. Needs grid.

fn texel_read(texels: Texels, grid: Grid, frame: u32, item: u32) -> vec4<f32> {
    return texels_load(texels, grid_texel(grid, frame, item));
}
