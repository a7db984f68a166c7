// The bone at the earlier of two frames. Replaces the function of bones_scaled.
fn bone_between(texels: Texels, tables: Tables, grid: Grid, codec: Codec, pair: FramePair, offset: u32) -> Bone {
    let bone_codec = codec_of_bone(codec, tables, offset);
    let record = table_get(tables, codec.bone_table + offset).xy;
    let raw = bone_read(texels, grid, pair.first, record);
    let mrp = codec_unit(bone_codec, vec4(raw.mrp, 0.0)).xyz;
    let scale = bone_codec.size_offset.xyz + bone_codec.size_scale.xyz * raw.scale;
    return Bone(
        quat_from_mrp_unnormalized(mrp, dot(mrp, mrp)),
        bone_codec.offset.xyz + bone_codec.scale.xyz * raw.position,
        select(vec3(1.0), scale, record.y != 0u),
    );
}
