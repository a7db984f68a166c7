// The bone at the earlier of two frames. Replaces the function of bones_dual.
fn bone_between(texels: Texels, tables: Tables, grid: Grid, codec: Codec, pair: FramePair, offset: u32) -> Bone {
    let bone_codec = codec_of_bone(codec, tables, offset / 2u);
    let raw = texels_two(texels, grid, pair.first, offset);
    return DualQuat(codec_unit(bone_codec, raw[0]), bone_codec.offset + bone_codec.scale * raw[1]);
}
