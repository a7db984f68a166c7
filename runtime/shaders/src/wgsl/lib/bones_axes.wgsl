// Bones of `virtual-bones`: three consecutive texels per bone. Needs axes, grid, codec and texel.

// The bone between two frames. `offset` is the index of the bone.
fn bone_between(texels: Texels, tables: Tables, grid: Grid, codec: Codec, pair: FramePair, offset: u32) -> Bone {
    let bone_codec = codec_of_bone(codec, tables, offset);
    let from_raw = texels_three(texels, grid, pair.first, 3u * offset);
    let to_raw = texels_three(texels, grid, pair.second, 3u * offset);
    let raw = from_raw * (1.0 - pair.fraction) + to_raw * pair.fraction;
    return bone_mixed(
        codec_unit(bone_codec, raw[0]).xyz,
        codec_unit(bone_codec, raw[1]).xyz,
        bone_codec.offset.xyz + bone_codec.scale.xyz * raw[2].xyz,
    );
}
