// A texel's raw numbers, whatever the texture holds: `Texels` is an array texture of floats, or of whole
// numbers where 16 bits stand for 0 to 1. Needs grid.

fn texel_read(texels: Texels, grid: Grid, frame: u32, item: u32) -> vec4<f32> {
    let at = grid_texel(grid, frame, item);
    return vec4<f32>(textureLoad(texels, at.xy, at.z, 0));
}
