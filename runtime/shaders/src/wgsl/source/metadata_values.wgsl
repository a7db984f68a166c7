// Timing of clips and ranges, from the first column of the texels: float32 values, one per texel, a byte per channel. See
// `throng_format::column`. Needs set_info, codec and a texture of bones or vertices.

fn column_value(index: u32) -> f32 {
    // Row 0 holds the calibration strip. Rows are counted through layers.
    let row = 1u + index;
    let layer = divide(row, set_info.grid.height);
    let raw = texels_load(texels, vec3(0u, row - layer * set_info.grid.height, layer));
    let bytes = vec4<u32>(round(raw * COLUMN_BYTE_SCALE));
    return bitcast<f32>(bytes.x | (bytes.y << 8u) | (bytes.z << 16u) | (bytes.w << 24u));
}

fn play_timing(play: Play) -> ClipTiming {
    let first = 6u + 5u * (play.clip & ~BACKWARDS);
    return ClipTiming(
        u32(column_value(first)),
        u32(column_value(first + 1u)),
        column_value(first + 2u),
        column_value(first + 3u),
        column_value(first + 4u) != 0.0,
    );
}

// Centres and half extents of a range.
fn column_range(first: u32, components: u32) -> mat2x4<f32> {
    var centre = vec4(0.0);
    var half_extent = vec4(0.0);
    for (var k = 0u; k < components; k += 1u) {
        centre[k] = column_value(first + k);
        half_extent[k] = column_value(first + components + k);
    }
    return mat2x4(centre, half_extent);
}

fn codec_of_bone(codec: Codec, unused: Tables, bone: u32) -> Codec {
    var bone_codec = codec;
    let first = 6u + 5u * u32(column_value(4u));
    if RANGE_COMPONENTS > 0u {
        let range = select(bone, 0u, codec.range_table == 0u);
        let numbers = column_range(first + 2u * RANGE_COMPONENTS * range, RANGE_COMPONENTS);
        bone_codec.offset = numbers[0] + numbers[1] * RANGE_OFFSET;
        bone_codec.scale = numbers[1] * RANGE_SCALE;
    }
    if HAS_SCALE_RANGE {
        let numbers = column_range(first + 2u * RANGE_COMPONENTS * RANGES, 3u);
        bone_codec.size_offset = numbers[0] + numbers[1] * RANGE_OFFSET;
        bone_codec.size_scale = numbers[1] * RANGE_SCALE;
    }
    return bone_codec;
}
