// The bone at the earlier of two frames. Replaces the function of mix_matrices.
fn bone_between(texels: Texels, tables: Tables, grid: Grid, codec: Codec, pair: FramePair, offset: u32) -> Bone {
    return bone_decode(codec_of_bone(codec, tables, offset / 3u), texels_three(texels, grid, pair.first, offset));
}
