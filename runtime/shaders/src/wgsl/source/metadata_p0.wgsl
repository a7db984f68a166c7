// Timing of clips and boxes, from the first column of P0's textures. See `throng_format::p0`. The column does not say
// whether a clip wraps, because P0's shader wraps all; that is in the tables. Needs set_info, tables, codec and a texture of
// bones or vertices.

// Bytes of a row of the first column.
fn p0_bytes(row: u32, layer: u32) -> vec4<f32> {
    return round(255.0 * texels_load(texels, vec3(0u, row, layer)));
}

fn play_timing(play: Play) -> ClipTiming {
    let clip = play.clip & ~BACKWARDS;
    let layer = clip * divide(set_info.grid.rows_per_frame, set_info.grid.height);
    let length = dot(p0_bytes(P0_TIMING_ROW, layer).xyz, vec3(1.0, 256.0, 65536.0));
    let rate = dot(p0_bytes(P0_TIMING_ROW + 1u, layer).xyz, vec3(1.0, 1.0 / 256.0, 1.0 / 65536.0));
    let wraps = clip_timing(tables, set_info.clip_table, play.clip).wraps;
    // The length of a clip that wraps leaves its last frame out, which equals the first.
    let frames = u32(length) + select(0u, 1u, wraps && rate > 0.0);
    let duration = select(0.0, f32(frames - 1u) / rate, rate > 0.0);
    return ClipTiming(clip * set_info.grid.columns, frames, rate, duration, wraps);
}

// Centre and bounds, from integer parts and decimal bytes. The decimal part of the centre has its sign.
fn p0_box(whole: vec3<f32>, decimal: vec3<f32>, bounds: vec3<f32>, bounds_decimal: vec3<f32>) -> mat2x4<f32> {
    let part = decimal / 255.0 * 2.0 - 1.0;
    return mat2x4(vec4(whole * sign(part) + part, 0.0), vec4(bounds + bounds_decimal / 255.0, 0.0));
}

// The box of a bone. Every clip has the same, so the first layer is read.
fn p0_box_of(bone: u32) -> mat2x4<f32> {
    if P0_FORM == P0_DUAL_QUATERNIONS {
        return mat2x4(p0_bytes(2u * bone, 0u) - 128.0, p0_bytes(2u * bone + 1u, 0u));
    }
    if P0_FORM == P0_VERTICES {
        return p0_box(p0_bytes(2u, 0u).xyz, p0_bytes(3u, 0u).xyz, p0_bytes(4u, 0u).xyz, p0_bytes(5u, 0u).xyz);
    }
    let a = p0_bytes(3u * bone, 0u);
    let b = p0_bytes(3u * bone + 1u, 0u);
    let c = p0_bytes(3u * bone + 2u, 0u);
    return p0_box(a.xyz, vec3(a.w, b.xy), vec3(b.zw, c.x), c.yzw);
}

fn codec_of_bone(codec: Codec, unused: Tables, bone: u32) -> Codec {
    let numbers = p0_box_of(bone);
    var bone_codec = codec;
    bone_codec.offset = METRES_PER_UNIT * (numbers[0] + numbers[1] * RANGE_OFFSET);
    bone_codec.scale = METRES_PER_UNIT * RANGE_SCALE * numbers[1];
    return bone_codec;
}
