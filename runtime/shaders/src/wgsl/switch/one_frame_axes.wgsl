// The bone at the earlier of two frames. Replaces the function of bones_axes.
fn bone_between(texels: Texels, tables: Tables, grid: Grid, codec: Codec, pair: FramePair, offset: u32) -> Bone {
    let bone_codec = codec_of_bone(codec, tables, offset);
    let raw = texels_three(texels, grid, pair.first, 3u * offset);
    return bone_mixed(
        codec_unit(bone_codec, raw[0]).xyz,
        codec_unit(bone_codec, raw[1]).xyz,
        bone_codec.offset.xyz + bone_codec.scale.xyz * raw[2].xyz,
    );
}
