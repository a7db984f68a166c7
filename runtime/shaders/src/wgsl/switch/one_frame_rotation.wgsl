// The bone at the earlier of two frames. Replaces the function of bones_rotation.
fn bone_between(texels: Texels, tables: Tables, grid: Grid, codec: Codec, pair: FramePair, offset: u32) -> Bone {
    let bone_codec = codec_of_bone(codec, tables, offset / 3u);
    let raw = bone_read(texels, grid, pair.first, offset);
    let mrp = codec_unit(bone_codec, vec4(raw.mrp, 0.0)).xyz;
    return Bone(
        quat_from_mrp_unnormalized(mrp, dot(mrp, mrp)),
        bone_codec.offset.xyz + bone_codec.scale.xyz * raw.position,
    );
}
