// How a texel's numbers become lengths and directions: `offset + scale * raw`, where the raw number is what
// the texture gives, be it 0 to 1, 0 to 65 535 or a float.

struct Codec {
    // Of positions, offsets or dual parts; one box for all.
    offset: vec4<f32>,
    scale: vec4<f32>,
    // Of the scales of bones.
    size_offset: vec4<f32>,
    size_scale: vec4<f32>,
    // Of numbers from -1 to 1.
    unit_offset: f32,
    unit_scale: f32,
    // Of numbers from 0 to 1.
    level_scale: f32,
    // The same for normals.
    normal_offset: f32,
    normal_scale: f32,
    // Texels from one axis of a bone to the next: 1, or the number of bones in P3's planes.
    axis_items: u32,
    // First record of boxes of one bone each; 0 where there is one box for all.
    range_table: u32,
    // First record of bones whose numbers are not all as many; 0 where there is none.
    bone_table: u32,
}

fn codec_unit(codec: Codec, raw: vec4<f32>) -> vec4<f32> {
    return codec.unit_offset + codec.unit_scale * raw;
}

// The codec of a bone: its own box, or that of all. Needs tables.
fn codec_of_bone(codec: Codec, tables: Tables, bone: u32) -> Codec {
    if codec.range_table == 0u {
        return codec;
    }
    var own = codec;
    own.offset = table_floats(tables, codec.range_table + 2u * bone);
    own.scale = table_floats(tables, codec.range_table + 2u * bone + 1u);
    return own;
}
