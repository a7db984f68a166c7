// Timing of clips and ranges of bones, from the tables. Files that read them from the first column of the texels can
// replace this one. Needs set_info, tables and codec.

fn play_timing(play: Play) -> ClipTiming {
    return clip_timing(tables, set_info.clip_table, play.clip);
}

// The codec with the range of one bone.
fn codec_of_bone(codec: Codec, tables: Tables, bone: u32) -> Codec {
    if codec.range_table == 0u {
        return codec;
    }
    var bone_codec = codec;
    bone_codec.offset = table_floats(tables, codec.range_table + 2u * bone);
    bone_codec.scale = table_floats(tables, codec.range_table + 2u * bone + 1u);
    return bone_codec;
}
