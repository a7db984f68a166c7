// Decoding of texels: a value is `offset + scale * raw`, where the raw number is as the texture returns it: 0 to 1,
// 0 to 65 535, or a float.

struct Codec {
    // For positions, offsets or dual parts, in the range that all bones share.
    offset: vec4<f32>,
    scale: vec4<f32>,
    // For the scales of bones.
    size_offset: vec4<f32>,
    size_scale: vec4<f32>,
    // For numbers from -1 to 1.
    unit_offset: f32,
    unit_scale: f32,
    // For numbers from 0 to 1.
    level_scale: f32,
    // For normals.
    normal_offset: f32,
    normal_scale: f32,
    // Distance in texels between the axes of a bone in planes: the number of bones.
    axis_items: u32,
    // First record of one range per bone, or 0 if all bones share a range.
    range_table: u32,
    // First record of the bone table, or 0 if all bones have equally many numbers.
    bone_table: u32,
}

fn codec_unit(codec: Codec, raw: vec4<f32>) -> vec4<f32> {
    return codec.unit_offset + codec.unit_scale * raw;
}
