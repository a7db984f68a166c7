// Functions of Throng for engines, generated from WGSL by naga: do not edit. Vertices and time are arguments;
// instances and the set are read from textures. The section "Shader functions for engines" of docs/format.md
// describes every argument, texture and table.
//
// Functions:
//   throng_palette_texel(texel, now)
//       a texel of the palette, where texel is column + 2048 * row
//   throng_palette_matrix(palette_index, instance, now)
//       the three texels of a joint, as floats: rows of its palette matrix
//
// Arguments:
//   instance       uint: index of the instance
//   now            uint: time in ticks of 1/65536 s, which wrap
//   texel          uint: column + 2048 * row
//   palette_index  uint: index of a joint in the palette
//
// Bindings:
//   throng_set_info    description of the set: replace the constant of zeros between the markers
//   throng_tables      usampler2D; RGBA32UI, 2048 columns: tables of the set
//   throng_texels      usampler2DArray; R32UI: words of compressed curves
//   throng_instances   usampler2D; RGBA32UI, 2048 columns: six texels per instance
//   throng_options     options that fit every set: the constant between the markers may be replaced

// throng:begin bindings
@group(1) @binding(1)
var throng_tables: texture_2d<u32>;
@group(1) @binding(7)
var throng_instances: texture_2d<u32>;
@group(1) @binding(2)
var throng_texels: texture_2d_array<u32>;
// throng:end bindings

struct throng_Options {
    max_influences: u32,
    has_fades: u32,
    word_column_bits: u32,
    word_rows: u32,
    word_layers: u32,
    max_key_bits: u32,
    clip_records: u32,
}

struct throng_Affine {
    linear: mat3x3<f32>,
    translation: vec3<f32>,
}

struct throng_Play {
    clip: u32,
    time: u32,
    period: u32,
}

struct throng_ClipTiming {
    first_frame: u32,
    frames: u32,
    rate_hz: f32,
    duration_secs: f32,
    wraps: bool,
}

struct throng_Grid {
    first_column: u32,
    first_row: u32,
    columns: u32,
    rows_per_frame: u32,
    by_columns: u32,
    height: u32,
    layers: u32,
    padding: u32,
}

struct throng_Codec {
    offset: vec4<f32>,
    scale: vec4<f32>,
    size_offset: vec4<f32>,
    size_scale: vec4<f32>,
    unit_offset: f32,
    unit_scale: f32,
    level_scale: f32,
    normal_offset: f32,
    normal_scale: f32,
    axis_items: u32,
    range_table: u32,
    bone_table: u32,
}

struct throng_CurveHeader {
    widths: vec3<u32>,
    residual_widths: vec3<u32>,
    offset: u32,
    spans: u32,
    degree: u32,
    step: u32,
    has_reference: bool,
}

struct throng_SpanKeys {
    keys: mat4x3<f32>,
    weights: vec4<f32>,
    f: f32,
}

struct throng_ClipRecord {
    first_word: u32,
    segments: u32,
    segments_per_sec: f32,
    duration_secs: f32,
    present: u32,
}

struct throng_Moment {
    masks: u32,
    row: u32,
    position: f32,
}

struct throng_FoundHeader {
    is_present: bool,
    first_key_word: u32,
    header: throng_CurveHeader,
}

struct throng_JointCurves {
    clip_table: u32,
    joint_table: u32,
    record_words: u32,
    curves: u32,
    joints: u32,
}

struct throng_JointRecord {
    parent: u32,
    first_curve: u32,
    translation: vec3<f32>,
    translation_extent: f32,
    rotation: vec3<f32>,
    has_scale: bool,
    scale: vec3<f32>,
    scale_extent: f32,
}

struct throng_LocalJoint {
    translation: vec3<f32>,
    rotation: vec4<f32>,
    scale: vec3<f32>,
}

struct throng_SetInfo {
    grid: throng_Grid,
    normals: throng_Grid,
    morphs: throng_Grid,
    codec: throng_Codec,
    joint_curves: throng_JointCurves,
    vertex_curve_range: vec4<f32>,
    clip_table: u32,
    inverse_bind_table: u32,
    dual_inverse_bind_table: u32,
    morph_table: u32,
    palette_len: u32,
    palette_stride: u32,
    vertices: u32,
    position_curves: u32,
    bone_offset_table: u32,
    inverse_binds_are_matrices: u32,
}

struct throng_Instance {
    world_from_model: throng_Affine,
    tint: vec4<f32>,
    first: throng_Play,
    second: throng_Play,
    fade_start: u32,
    fade_duration: u32,
    fraction: f32,
    user: u32,
    group: u32,
    index: u32,
    now: u32,
}

struct throng_Pose {
    first: throng_Moment,
    second: throng_Moment,
    fade: f32,
}

const throng_BACKWARDS: u32 = 2147483648u;

const throng_HELD_FADE: u32 = 4294967295u;

const throng_BLOCK_CURVES: u32 = 32u;

const throng_HEADER_WORDS: u32 = 2u;

const throng_MASK_WORDS: u32 = 2u;

const throng_CLIP_WORDS: u32 = 5u;

const throng_SHORT_SCALED_RECORD_WORDS: u32 = 6u;

const throng_EXACT_SCALED_RECORD_WORDS: u32 = 12u;

// throng:begin options
const throng_options: throng_Options = throng_Options(5u, 1u, 0u, 0u, 0u, 64u, 0u);
// throng:end options

// throng:begin set_info
const throng_set_info: throng_SetInfo = throng_SetInfo(
    throng_Grid(0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u),
    throng_Grid(0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u),
    throng_Grid(0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u),
    throng_Codec(vec4(0.0f, 0.0f, 0.0f, 0.0f), vec4(0.0f, 0.0f, 0.0f, 0.0f), vec4(0.0f, 0.0f, 0.0f, 0.0f), vec4(0.0f, 0.0f, 0.0f, 0.0f), 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0u, 0u, 0u),
    throng_JointCurves(0u, 0u, 0u, 0u, 0u),
    vec4(0.0f, 0.0f, 0.0f, 0.0f),
    0u, 0u, 0u, 0u,
    0u, 0u, 0u, 0u,
    0u, 0u
);
// throng:end set_info

fn throng_quat_mul(a_1: vec4<f32>, b_1: vec4<f32>) -> vec4<f32> {
    return vec4<f32>((((a_1.w * b_1.xyz) + (b_1.w * a_1.xyz)) + cross(a_1.xyz, b_1.xyz)), ((a_1.w * b_1.w) - dot(a_1.xyz, b_1.xyz)));
}

fn throng_quat_matrix_scale(q_1: vec4<f32>) -> f32 {
    let square_1 = dot(q_1, q_1);
    return select((2f / square_1), 0f, (square_1 < 0.000000000000000000000001f));
}

fn throng_mat3_from_scaled(q_1: vec4<f32>, scale_1: f32) -> mat3x3<f32> {
    let scaled_1 = (q_1.xyz * scale_1);
    let xx_1 = (q_1.x * scaled_1.x);
    let xy_1 = (q_1.x * scaled_1.y);
    let xz_1 = (q_1.x * scaled_1.z);
    let yy_1 = (q_1.y * scaled_1.y);
    let yz_1 = (q_1.y * scaled_1.z);
    let zz_1 = (q_1.z * scaled_1.z);
    let w_1 = (q_1.w * scaled_1);
    return mat3x3<f32>(vec3<f32>((1f - (yy_1 + zz_1)), (xy_1 + w_1.z), (xz_1 - w_1.y)), vec3<f32>((xy_1 - w_1.z), (1f - (xx_1 + zz_1)), (yz_1 + w_1.x)), vec3<f32>((xz_1 + w_1.y), (yz_1 - w_1.x), (1f - (xx_1 + yy_1))));
}

fn throng_mat3_from_quat(q_1: vec4<f32>) -> mat3x3<f32> {
    let _e1 = throng_quat_matrix_scale(q_1);
    let _e2 = throng_mat3_from_scaled(q_1, _e1);
    return _e2;
}

fn throng_quat_from_mrp_unnormalized(p_1: vec3<f32>, square_1: f32) -> vec4<f32> {
    return vec4<f32>((2f * p_1), (1f - square_1));
}

fn throng_quat_from_mrp(p_1: vec3<f32>) -> vec4<f32> {
    let square_1 = dot(p_1, p_1);
    let _e2 = throng_quat_from_mrp_unnormalized(p_1, square_1);
    return (_e2 * (1f / (1f + square_1)));
}

fn throng_quat_aligned(a_1: vec4<f32>, b_1: vec4<f32>) -> vec4<f32> {
    return select(b_1, -(b_1), (dot(a_1, b_1) < 0f));
}

fn throng_quat_nlerp(a_1: vec4<f32>, b_1: vec4<f32>, f_1: f32) -> vec4<f32> {
    let _e3 = throng_quat_aligned(a_1, b_1);
    return normalize(mix(a_1, _e3, f_1));
}

fn throng_affine_mul(a_1: throng_Affine, b_1: throng_Affine) -> throng_Affine {
    return throng_Affine((a_1.linear * b_1.linear), ((a_1.linear * b_1.translation) + a_1.translation));
}

fn throng_affine_to_rows(a_1: throng_Affine) -> mat3x4<f32> {
    return transpose(mat4x3<f32>(a_1.linear[0], a_1.linear[1], a_1.linear[2], a_1.translation));
}

fn throng_affine_from_rows(rows_1: mat3x4<f32>) -> throng_Affine {
    let columns_1 = transpose(rows_1);
    return throng_Affine(mat3x3<f32>(columns_1[0], columns_1[1], columns_1[2]), columns_1[3]);
}

fn throng_divide(n_1: u32, d_1: u32) -> u32 {
    let guess_1 = bitcast<u32>(i32((f32(bitcast<i32>(n_1)) / f32(bitcast<i32>(d_1)))));
    let rest_1 = bitcast<i32>((n_1 - (guess_1 * d_1)));
    return ((guess_1 + select(0u, 1u, (rest_1 >= bitcast<i32>(d_1)))) - select(0u, 1u, (rest_1 < 0i)));
}

fn throng_words_get(words_1: texture_2d_array<u32>, word_1: u32) -> u32 {
    var row_1: u32;
    var layer_1: u32 = 0u;

    let _e4 = throng_options.word_column_bits;
    if (_e4 == 0u) {
        let size_1 = textureDimensions(words_1);
        let _e9 = throng_divide(word_1, size_1.x);
        let _e11 = throng_divide(_e9, size_1.y);
        let _e20 = textureLoad(words_1, vec2<u32>((word_1 - (_e9 * size_1.x)), (_e9 - (_e11 * size_1.y))), _e11, 0i);
        return _e20.x;
    }
    let _e25 = throng_options.word_column_bits;
    let column_1 = (word_1 & ((1u << _e25) - 1u));
    let _e32 = throng_options.word_column_bits;
    row_1 = (word_1 >> _e32);
    let _e39 = throng_options.word_layers;
    if (_e39 > 1u) {
        let _e42 = row_1;
        let _e45 = throng_options.word_rows;
        let _e46 = throng_divide(_e42, _e45);
        layer_1 = _e46;
        let _e47 = row_1;
        let _e48 = layer_1;
        let _e51 = throng_options.word_rows;
        row_1 = (_e47 - (_e48 * _e51));
    }
    let _e54 = row_1;
    let _e56 = layer_1;
    let _e58 = textureLoad(words_1, vec2<u32>(column_1, _e54), _e56, 0i);
    return _e58.x;
}

fn throng_words_join(low_1: u32, high_1: u32, shift_1: u32) -> u32 {
    return ((low_1 >> shift_1) | ((high_1 << 1u) << (31u - shift_1)));
}

fn throng_words_ones(bits_1: u32) -> u32 {
    let pairs_1 = (bits_1 - ((bits_1 >> 1u) & 1431655765u));
    let fours_1 = ((pairs_1 & 858993459u) + ((pairs_1 >> 2u) & 858993459u));
    return ((((fours_1 + (fours_1 >> 4u)) & 252645135u) * 16843009u) >> 24u);
}

fn throng_words_float(words_1: texture_2d_array<u32>, word_1: u32) -> f32 {
    let _e2 = throng_words_get(words_1, word_1);
    return bitcast<f32>(_e2);
}

fn throng_words_vector(words_1: texture_2d_array<u32>, word_1: u32) -> vec3<f32> {
    let _e2 = throng_words_float(words_1, word_1);
    let _e5 = throng_words_float(words_1, (word_1 + 1u));
    let _e8 = throng_words_float(words_1, (word_1 + 2u));
    return vec3<f32>(_e2, _e5, _e8);
}

fn throng_play_phase(play_1: throng_Play, wraps_1: bool, now_1: u32) -> f32 {
    let elapsed_1 = (now_1 - play_1.time);
    let cycles_per_tick_1 = (1f / f32(bitcast<i32>(play_1.period)));
    let cycle_1 = i32((f32(bitcast<i32>((elapsed_1 >> 1u))) * (2f * cycles_per_tick_1)));
    let in_cycle_1 = bitcast<i32>((elapsed_1 - (bitcast<u32>(cycle_1) * play_1.period)));
    let clamped_1 = clamp((f32(bitcast<i32>(elapsed_1)) * cycles_per_tick_1), 0f, 1f);
    let phase_1 = select(clamped_1, fract((f32(in_cycle_1) * cycles_per_tick_1)), wraps_1);
    return select(phase_1, (1f - phase_1), ((play_1.clip & throng_BACKWARDS) != 0u));
}

fn throng_play_time(play_1: throng_Play, timing_1: throng_ClipTiming, now_1: u32) -> f32 {
    let _e4 = throng_play_phase(play_1, timing_1.wraps, now_1);
    let playing_1 = (_e4 * timing_1.duration_secs);
    return select(playing_1, bitcast<f32>(play_1.time), (play_1.period == 0u));
}

fn throng_fade_weight(start_1: u32, duration_1: u32, now_1: u32) -> f32 {
    if (duration_1 == 0u) {
        return 0f;
    }
    let running_1 = clamp((f32(bitcast<i32>((now_1 - start_1))) / f32(duration_1)), 0f, 1f);
    return select(running_1, bitcast<f32>(start_1), (duration_1 == throng_HELD_FADE));
}

fn throng_bits_get(texels_1: texture_2d<u32>, at_1: u32) -> vec4<u32> {
    let _e8 = textureLoad(texels_1, vec2<u32>((at_1 & 2047u), (at_1 >> 11u)), 0i);
    return _e8;
}

fn throng_table_get(tables_1: texture_2d<u32>, at_1: u32) -> vec4<u32> {
    let _e2 = throng_bits_get(tables_1, at_1);
    return _e2;
}

fn throng_table_floats(tables_1: texture_2d<u32>, at_1: u32) -> vec4<f32> {
    let _e2 = throng_table_get(tables_1, at_1);
    return bitcast<vec4<f32>>(_e2);
}

fn throng_clip_timing(tables_1: texture_2d<u32>, first_1: u32, clip_1: u32) -> throng_ClipTiming {
    let _e6 = throng_table_get(tables_1, (first_1 + (clip_1 & 2147483647u)));
    return throng_ClipTiming(_e6.x, (_e6.y & 2147483647u), bitcast<f32>(_e6.z), bitcast<f32>(_e6.w), ((_e6.y >> 31u) != 0u));
}

fn throng_table_affine(tables_1: texture_2d<u32>, at_1: u32) -> throng_Affine {
    let _e2 = throng_table_floats(tables_1, at_1);
    let _e5 = throng_table_floats(tables_1, (at_1 + 1u));
    let _e8 = throng_table_floats(tables_1, (at_1 + 2u));
    let _e10 = throng_affine_from_rows(mat3x4<f32>(_e2, _e5, _e8));
    return _e10;
}

fn throng_curve_header_unpack(a_1: u32, b_1: u32) -> throng_CurveHeader {
    return throng_CurveHeader(vec3<u32>((a_1 & 31u), ((a_1 >> 5u) & 31u), ((a_1 >> 10u) & 31u)), vec3<u32>(((a_1 >> 15u) & 31u), ((a_1 >> 20u) & 31u), ((a_1 >> 25u) & 31u)), (b_1 & 262143u), (((b_1 >> 18u) & 63u) + 1u), (a_1 >> 30u), ((b_1 >> 24u) & 127u), ((b_1 >> 31u) == 1u));
}

fn throng_step_size(step_1: u32) -> f32 {
    return bitcast<f32>(((492u - step_1) << 21u));
}

fn throng_spline_weights(degree_1: u32, f_1: f32) -> vec4<f32> {
    let g_1 = (1f - f_1);
    switch degree_1 {
        case 0u: {
            return vec4<f32>(1f, 0f, 0f, 0f);
        }
        case 1u: {
            return vec4<f32>(g_1, f_1, 0f, 0f);
        }
        case 2u: {
            return vec4<f32>(((0.5f * g_1) * g_1), (0.5f + (f_1 * g_1)), ((0.5f * f_1) * f_1), 0f);
        }
        default: {
            return (vec4<f32>(((g_1 * g_1) * g_1), (4f - (((3f * f_1) * f_1) * (1f + g_1))), (4f - (((3f * g_1) * g_1) * (1f + f_1))), ((f_1 * f_1) * f_1)) / vec4(6f));
        }
    }
}

fn throng_slerp_weight(cosine_1: f32, f_1: f32) -> f32 {
    let u_1 = (1f - cosine_1);
    let h_1 = (f_1 - 0.5f);
    let a_1 = (u_1 * (-0.07579292f + (0.8732116f * u_1)));
    let b_1 = (u_1 * (0.6748337f + (u_1 * (0.09039828f + (0.09375652f * u_1)))));
    return (f_1 + (((f_1 * h_1) * (f_1 - 1f)) * (((a_1 * h_1) * h_1) + b_1)));
}

fn throng_read_vector(words_1: texture_2d_array<u32>, first_word_1: u32, bit_1: u32, widths_1: vec3<u32>) -> vec3<f32> {
    var high_1: u32 = 0u;

    let word_1 = (first_word_1 + (bit_1 / 32u));
    let shift_1 = (bit_1 % 32u);
    let _e11 = throng_words_get(words_1, (word_1 + 1u));
    let _e12 = throng_words_get(words_1, word_1);
    let _e13 = throng_words_join(_e12, _e11, shift_1);
    let _e18 = throng_options.max_key_bits;
    if (_e18 > 32u) {
        let _e23 = throng_words_get(words_1, (word_1 + 2u));
        let _e24 = throng_words_join(_e11, _e23, shift_1);
        high_1 = _e24;
    }
    let _e25 = high_1;
    let _e27 = throng_words_join(_e13, _e25, widths_1.x);
    let _e28 = high_1;
    let _e32 = throng_words_join(_e27, (_e28 >> widths_1.x), widths_1.y);
    let bits_1 = (vec3<u32>(_e13, _e27, _e32) & ((vec3(1u) << widths_1) - vec3(1u)));
    let middle_1 = ((vec3(1u) << widths_1) >> vec3(1u));
    return vec3<f32>(bitcast<vec3<i32>>((bits_1 - middle_1)));
}

fn throng_read_key(words_1: texture_2d_array<u32>, first_key_word_1: u32, header_1: throng_CurveHeader, key_1: u32) -> vec3<f32> {
    var local_1: bool;

    let w_1 = header_1.widths;
    let v_1 = header_1.residual_widths;
    let full_bits_1 = ((w_1.x + w_1.y) + w_1.z);
    let is_odd_1 = ((key_1 & 1u) == 1u);
    if is_odd_1 {
        local_1 = ((key_1 + 1u) < (header_1.spans + header_1.degree));
    } else {
        local_1 = false;
    }
    let is_residual_1 = local_1;
    let reference_1 = select(0u, 30u, header_1.has_reference);
    let bit_1 = (((header_1.offset + reference_1) + ((key_1 >> 1u) * (((full_bits_1 + v_1.x) + v_1.y) + v_1.z))) + select(0u, full_bits_1, is_odd_1));
    let _e45 = throng_read_vector(words_1, first_key_word_1, bit_1, select(w_1, v_1, is_residual_1));
    return _e45;
}

fn throng_span_keys(words_1: texture_2d_array<u32>, first_key_word_1: u32, header_1: throng_CurveHeader, position_1: f32) -> throng_SpanKeys {
    var full_1: vec3<f32>;
    var keys_1: mat4x3<f32> = mat4x3<f32>();
    var pair_1: u32;
    var key_1: vec3<f32>;

    let spans_1 = bitcast<i32>(header_1.spans);
    let along_1 = (position_1 * f32(spans_1));
    let span_1 = min(i32(along_1), (spans_1 - 1i));
    let f_1 = (along_1 - f32(span_1));
    let first_1 = bitcast<u32>(span_1);
    let last_1 = ((header_1.spans + header_1.degree) - 1u);
    let end_1 = (first_1 + header_1.degree);
    let start_1 = (first_1 & 4294967294u);
    let _e24 = throng_read_key(words_1, first_key_word_1, header_1, start_1);
    full_1 = _e24;
    pair_1 = start_1;
    loop {
        let _e29 = pair_1;
        if (_e29 <= end_1) {
        } else {
            break;
        }
        {
            let _e31 = pair_1;
            if (_e31 >= first_1) {
                let _e33 = pair_1;
                let _e36 = full_1;
                keys_1[(_e33 - first_1)] = _e36;
            }
            let _e37 = pair_1;
            let odd_1 = (_e37 + 1u);
            if (odd_1 > end_1) {
                break;
            }
            let _e41 = throng_read_key(words_1, first_key_word_1, header_1, odd_1);
            key_1 = _e41;
            if (odd_1 < last_1) {
                let _e46 = throng_read_key(words_1, first_key_word_1, header_1, (odd_1 + 1u));
                let _e47 = key_1;
                let _e48 = full_1;
                key_1 = (_e47 + (0.5f * (_e48 + _e46)));
                full_1 = _e46;
            }
            let _e55 = key_1;
            keys_1[(odd_1 - first_1)] = _e55;
        }
        continuing {
            let _e56 = pair_1;
            pair_1 = (_e56 + 2u);
        }
    }
    let _e59 = keys_1;
    let _e61 = throng_spline_weights(header_1.degree, f_1);
    return throng_SpanKeys(_e59, _e61, f_1);
}

fn throng_vector_curve(words_1: texture_2d_array<u32>, first_key_word_1: u32, header_1: throng_CurveHeader, position_1: f32) -> vec3<f32> {
    var weights_1: vec4<f32>;
    var last_weight_1: f32;
    var full_1: vec3<f32>;
    var sum_1: vec3<f32>;
    var odd_1: u32;
    var key_1: vec3<f32>;

    let spans_1 = bitcast<i32>(header_1.spans);
    let along_1 = (position_1 * f32(spans_1));
    let span_1 = min(i32(along_1), (spans_1 - 1i));
    let first_1 = bitcast<u32>(span_1);
    let last_1 = ((header_1.spans + header_1.degree) - 1u);
    let end_1 = (first_1 + header_1.degree);
    let start_1 = (first_1 & 4294967294u);
    let _e25 = throng_spline_weights(header_1.degree, (along_1 - f32(span_1)));
    let is_odd_1 = (first_1 != start_1);
    weights_1 = select(_e25, vec4<f32>(0f, _e25.xyz), is_odd_1);
    last_weight_1 = select(0f, _e25.w, is_odd_1);
    let _e36 = throng_read_key(words_1, first_key_word_1, header_1, start_1);
    full_1 = _e36;
    let _e39 = weights_1.x;
    let _e40 = full_1;
    sum_1 = (_e39 * _e40);
    odd_1 = (start_1 + 1u);
    loop {
        let _e46 = odd_1;
        if (_e46 <= end_1) {
        } else {
            break;
        }
        {
            let _e48 = odd_1;
            let _e49 = throng_read_key(words_1, first_key_word_1, header_1, _e48);
            key_1 = _e49;
            let _e51 = odd_1;
            if (_e51 < last_1) {
                let _e53 = odd_1;
                let _e56 = throng_read_key(words_1, first_key_word_1, header_1, (_e53 + 1u));
                let _e57 = key_1;
                let _e58 = full_1;
                key_1 = (_e57 + (0.5f * (_e58 + _e56)));
                full_1 = _e56;
            }
            let _e63 = sum_1;
            let _e65 = weights_1.y;
            let _e66 = key_1;
            let _e69 = weights_1.z;
            let _e70 = full_1;
            sum_1 = (_e63 + ((_e65 * _e66) + (_e69 * _e70)));
            let _e74 = weights_1;
            let _e76 = last_weight_1;
            weights_1 = vec4<f32>(_e74.zw, _e76, 0f);
            last_weight_1 = 0f;
        }
        continuing {
            let _e80 = odd_1;
            odd_1 = (_e80 + 2u);
        }
    }
    let _e83 = sum_1;
    let _e85 = throng_step_size(header_1.step);
    return (_e83 * _e85);
}

fn throng_rotation_curve(words_1: texture_2d_array<u32>, first_key_word_1: u32, header_1: throng_CurveHeader, position_1: f32) -> vec4<f32> {
    var weights_1: vec4<f32>;
    var sum_1: vec4<f32>;

    let _e4 = throng_span_keys(words_1, first_key_word_1, header_1, position_1);
    let _e6 = throng_step_size(header_1.step);
    let _e10 = throng_quat_from_mrp((_e6 * _e4.keys[0]));
    let _e14 = throng_quat_from_mrp((_e6 * _e4.keys[1]));
    weights_1 = _e4.weights;
    if (header_1.degree == 1u) {
        let _e25 = throng_slerp_weight(clamp(dot(_e10, _e14), 0f, 1f), _e4.f);
        weights_1 = vec4<f32>((1f - _e25), _e25, 0f, 0f);
    }
    let _e32 = weights_1.x;
    let _e35 = weights_1.y;
    sum_1 = ((_e32 * _e10) + (_e35 * _e14));
    if (header_1.degree > 1u) {
        let _e42 = sum_1;
        let _e44 = weights_1.z;
        let _e48 = throng_quat_from_mrp((_e6 * _e4.keys[2]));
        let _e51 = weights_1.w;
        let _e55 = throng_quat_from_mrp((_e6 * _e4.keys[3]));
        sum_1 = (_e42 + ((_e44 * _e48) + (_e51 * _e55)));
    }
    let _e59 = sum_1;
    let _e60 = sum_1;
    return (_e59 / vec4(length(_e60)));
}

fn throng_read_reference(words_1: texture_2d_array<u32>, first_key_word_1: u32, header_1: throng_CurveHeader) -> vec3<f32> {
    let _e6 = throng_read_vector(words_1, first_key_word_1, header_1.offset, vec3(10u));
    return (_e6 / vec3(512f));
}

fn throng_row_words(present_1: u32) -> u32 {
    return ((present_1 * throng_HEADER_WORDS) + (((present_1 + throng_BLOCK_CURVES) - 1u) / throng_BLOCK_CURVES));
}

fn throng_mask_words(curves_1: u32) -> u32 {
    return ((((curves_1 + throng_BLOCK_CURVES) - 1u) / throng_BLOCK_CURVES) * throng_MASK_WORDS);
}

fn throng_clip_record_read(words_1: texture_2d_array<u32>, clip_table_1: u32, clip_1: u32) -> throng_ClipRecord {
    let _e5 = throng_options.clip_records;
    if (_e5 != 0u) {
        let _e11 = throng_options.clip_records;
        let _e15 = throng_table_get(throng_tables, (_e11 + (2u * clip_1)));
        let _e19 = throng_options.clip_records;
        let _e25 = throng_table_get(throng_tables, ((_e19 + (2u * clip_1)) + 1u));
        let present_1 = _e25.x;
        return throng_ClipRecord(_e15.x, _e15.y, bitcast<f32>(_e15.z), bitcast<f32>(_e15.w), present_1);
    }
    let at_1 = (clip_table_1 + (clip_1 * throng_CLIP_WORDS));
    let _e37 = throng_words_get(words_1, at_1);
    let _e40 = throng_words_get(words_1, (at_1 + 1u));
    let _e43 = throng_words_float(words_1, (at_1 + 2u));
    let _e46 = throng_words_float(words_1, (at_1 + 3u));
    let _e49 = throng_words_get(words_1, (at_1 + 4u));
    return throng_ClipRecord(_e37, _e40, _e43, _e46, _e49);
}

fn throng_moment_find(words_1: texture_2d_array<u32>, clip_table_1: u32, curves_1: u32, clip_1: u32, time_secs_1: f32) -> throng_Moment {
    let _e5 = throng_clip_record_read(words_1, clip_table_1, clip_1);
    let position_1 = (clamp(time_secs_1, 0f, _e5.duration_secs) * _e5.segments_per_sec);
    let segment_1 = min(i32(position_1), (bitcast<i32>(_e5.segments) - 1i));
    let _e18 = throng_mask_words(curves_1);
    let _e22 = throng_row_words(_e5.present);
    let row_1 = ((_e5.first_word + _e18) + (bitcast<u32>(segment_1) * _e22));
    return throng_Moment(_e5.first_word, row_1, min((position_1 - f32(segment_1)), 1f));
}

fn throng_moment_header(words_1: texture_2d_array<u32>, moment_1: throng_Moment, curve_1: u32) -> throng_FoundHeader {
    var found_1: throng_FoundHeader;

    let at_1 = (moment_1.masks + ((curve_1 / throng_BLOCK_CURVES) * throng_MASK_WORDS));
    let _e10 = throng_words_get(words_1, at_1);
    let bit_1 = (1u << (curve_1 % throng_BLOCK_CURVES));
    found_1.is_present = ((_e10 & bit_1) != 0u);
    let _e20 = found_1.is_present;
    if _e20 {
        let _e23 = throng_words_get(words_1, (at_1 + 1u));
        let _e27 = throng_words_ones((_e10 & (bit_1 - 1u)));
        let rank_1 = (_e23 + _e27);
        let block_1 = (moment_1.row + ((rank_1 / throng_BLOCK_CURVES) * 65u));
        let header_1 = ((block_1 + 1u) + ((rank_1 % throng_BLOCK_CURVES) * throng_HEADER_WORDS));
        let _e43 = throng_words_get(words_1, block_1);
        found_1.first_key_word = _e43;
        let _e45 = throng_words_get(words_1, header_1);
        let _e48 = throng_words_get(words_1, (header_1 + 1u));
        let _e49 = throng_curve_header_unpack(_e45, _e48);
        found_1.header = _e49;
    }
    let _e50 = found_1;
    return _e50;
}

fn throng_moment_vector(words_1: texture_2d_array<u32>, moment_1: throng_Moment, curve_1: u32) -> vec3<f32> {
    var value_1: vec3<f32>;

    let _e3 = throng_moment_header(words_1, moment_1, curve_1);
    if !(_e3.is_present) {
        return vec3(0f);
    }
    let _e11 = throng_vector_curve(words_1, _e3.first_key_word, _e3.header, moment_1.position);
    value_1 = _e11;
    if _e3.header.has_reference {
        let _e15 = value_1;
        let _e18 = throng_read_reference(words_1, _e3.first_key_word, _e3.header);
        value_1 = (_e15 + _e18);
    }
    let _e20 = value_1;
    return _e20;
}

fn throng_moment_rotation(words_1: texture_2d_array<u32>, moment_1: throng_Moment, curve_1: u32, constant_1: vec4<f32>) -> vec4<f32> {
    var reference_1: vec4<f32>;

    let _e4 = throng_moment_header(words_1, moment_1, curve_1);
    if !(_e4.is_present) {
        return constant_1;
    }
    reference_1 = constant_1;
    if _e4.header.has_reference {
        let _e12 = throng_read_reference(words_1, _e4.first_key_word, _e4.header);
        let _e13 = throng_quat_from_mrp(_e12);
        reference_1 = _e13;
    }
    let _e14 = reference_1;
    let _e18 = throng_rotation_curve(words_1, _e4.first_key_word, _e4.header, moment_1.position);
    let _e19 = throng_quat_mul(_e14, _e18);
    return _e19;
}

fn throng_power(exponent_1: u32) -> f32 {
    return bitcast<f32>(((exponent_1 & 255u) << 23u));
}

fn throng_short_value(word_1: u32) -> f32 {
    return (f32((bitcast<i32>(word_1) >> 16u)) / 32768f);
}

fn throng_joint_record_read(words_1: texture_2d_array<u32>, joint_table_1: u32, record_words_1: u32, joint_1: u32) -> throng_JointRecord {
    var record_1: throng_JointRecord;
    var local_1: bool;

    let at_1 = (joint_table_1 + (joint_1 * record_words_1));
    let _e6 = throng_words_get(words_1, at_1);
    if !((record_words_1 == throng_SHORT_SCALED_RECORD_WORDS)) {
        local_1 = (record_words_1 == throng_EXACT_SCALED_RECORD_WORDS);
    } else {
        local_1 = true;
    }
    let _e17 = local_1;
    record_1.has_scale = _e17;
    record_1.parent = (_e6 & 65535u);
    let _e25 = record_1.has_scale;
    record_1.first_curve = (joint_1 * select(2u, 3u, _e25));
    let _e31 = throng_power((_e6 >> 16u));
    record_1.translation_extent = _e31;
    record_1.scale = vec3(1f);
    if (record_words_1 <= throng_SHORT_SCALED_RECORD_WORDS) {
        let _e39 = throng_words_get(words_1, (at_1 + 1u));
        let _e42 = throng_words_get(words_1, (at_1 + 2u));
        let _e45 = throng_words_get(words_1, (at_1 + 3u));
        let _e48 = throng_short_value((_e39 << 16u));
        let _e49 = throng_short_value(_e39);
        let _e52 = throng_short_value((_e42 << 16u));
        let translation_1 = vec3<f32>(_e48, _e49, _e52);
        let _e57 = throng_power((_e6 >> 24u));
        record_1.translation = (_e57 * translation_1);
        let _e60 = throng_short_value(_e42);
        let _e63 = throng_short_value((_e45 << 16u));
        let _e64 = throng_short_value(_e45);
        record_1.rotation = vec3<f32>(_e60, _e63, _e64);
        let _e67 = record_1.has_scale;
        if _e67 {
            let _e70 = throng_words_get(words_1, (at_1 + 4u));
            let _e73 = throng_words_get(words_1, (at_1 + 5u));
            let _e77 = throng_power((_e73 >> 24u));
            let _e80 = throng_short_value((_e70 << 16u));
            let _e81 = throng_short_value(_e70);
            let _e84 = throng_short_value((_e73 << 16u));
            record_1.scale = (_e77 * vec3<f32>(_e80, _e81, _e84));
            let _e90 = throng_power((_e73 >> 16u));
            record_1.scale_extent = _e90;
        }
    } else {
        let _e94 = throng_words_vector(words_1, (at_1 + 1u));
        record_1.translation = _e94;
        let _e98 = throng_words_vector(words_1, (at_1 + 4u));
        record_1.rotation = _e98;
        let _e100 = record_1.has_scale;
        if _e100 {
            let _e104 = throng_words_vector(words_1, (at_1 + 8u));
            record_1.scale = _e104;
            let _e108 = throng_words_get(words_1, (at_1 + 7u));
            let _e111 = throng_power((_e108 >> 16u));
            record_1.scale_extent = _e111;
        }
    }
    let _e112 = record_1;
    return _e112;
}

fn throng_local_joint_to_affine(joint_1: throng_LocalJoint) -> throng_Affine {
    let _e2 = throng_mat3_from_quat(joint_1.rotation);
    let s_1 = joint_1.scale;
    return throng_Affine(mat3x3<f32>((_e2[0] * s_1.x), (_e2[1] * s_1.y), (_e2[2] * s_1.z)), joint_1.translation);
}

fn throng_local_joint(words_1: texture_2d_array<u32>, record_1: throng_JointRecord, moment_1: throng_Moment) -> throng_LocalJoint {
    var joint_1: throng_LocalJoint;

    let curve_1 = record_1.first_curve;
    let _e7 = throng_quat_from_mrp(record_1.rotation);
    let _e8 = throng_moment_rotation(words_1, moment_1, curve_1, _e7);
    joint_1.rotation = _e8;
    let _e14 = throng_moment_vector(words_1, moment_1, (curve_1 + 1u));
    joint_1.translation = (record_1.translation + (record_1.translation_extent * _e14));
    joint_1.scale = record_1.scale;
    if record_1.has_scale {
        let _e21 = joint_1.scale;
        let _e25 = throng_moment_vector(words_1, moment_1, (curve_1 + 2u));
        joint_1.scale = (_e21 + (record_1.scale_extent * _e25));
    }
    let _e28 = joint_1;
    return _e28;
}

fn throng_local_joint_mix(a_1: throng_LocalJoint, b_1: throng_LocalJoint, f_1: f32) -> throng_LocalJoint {
    let _e8 = throng_quat_nlerp(a_1.rotation, b_1.rotation, f_1);
    return throng_LocalJoint(mix(a_1.translation, b_1.translation, f_1), _e8, mix(a_1.scale, b_1.scale, f_1));
}

fn throng_instance_unpack(x_1: vec4<u32>, y_1: vec4<u32>, z_1: vec4<u32>, a_1: vec4<u32>, b_1: vec4<u32>, c_1: vec4<u32>, index_1: u32, now_1: u32) -> throng_Instance {
    let rows_1 = mat3x4<f32>(bitcast<vec4<f32>>(x_1), bitcast<vec4<f32>>(y_1), bitcast<vec4<f32>>(z_1));
    let _e12 = throng_affine_from_rows(rows_1);
    return throng_Instance(_e12, unpack4x8unorm(a_1.x), throng_Play(a_1.y, a_1.z, a_1.w), throng_Play(b_1.x, b_1.y, b_1.z), b_1.w, c_1.x, bitcast<f32>(c_1.y), c_1.z, c_1.w, index_1, now_1);
}

fn throng_play_timing(play_1: throng_Play) -> throng_ClipTiming {
    let _e4 = throng_set_info.clip_table;
    let _e6 = throng_clip_timing(throng_tables, _e4, play_1.clip);
    return _e6;
}

fn throng_instance_fade(instance_1: throng_Instance) -> f32 {
    let _e3 = throng_options.has_fades;
    if !((_e3 != 0u)) {
        return 0f;
    }
    let _e11 = throng_fade_weight(instance_1.fade_start, instance_1.fade_duration, instance_1.now);
    return _e11;
}

fn throng_instance_read(index_1: u32) -> throng_Instance {
    let at_1 = (6u * index_1);
    let _e4 = throng_bits_get(throng_instances, at_1);
    let _e8 = throng_bits_get(throng_instances, (at_1 + 1u));
    let _e12 = throng_bits_get(throng_instances, (at_1 + 2u));
    let _e16 = throng_bits_get(throng_instances, (at_1 + 3u));
    let _e20 = throng_bits_get(throng_instances, (at_1 + 4u));
    let _e24 = throng_bits_get(throng_instances, (at_1 + 5u));
    let _e30 = throng_instance_unpack(_e4, _e8, _e12, _e16, _e20, _e24, index_1, select(0u, 0u, (index_1 >= 4294967295u)));
    return _e30;
}

fn throng_instance_at(index_1: u32, now_1: u32) -> throng_Instance {
    var instance_1: throng_Instance;

    let _e2 = throng_instance_read(index_1);
    instance_1 = _e2;
    instance_1.now = now_1;
    let _e5 = instance_1;
    return _e5;
}

fn throng_play_moment(play_1: throng_Play, now_1: u32) -> throng_Moment {
    let _e2 = throng_play_timing(play_1);
    let _e3 = throng_play_time(play_1, _e2, now_1);
    let tables_1 = throng_set_info.joint_curves;
    let _e13 = throng_moment_find(throng_texels, tables_1.clip_table, tables_1.curves, (play_1.clip & 2147483647u), _e3);
    return _e13;
}

fn throng_pose_of(instance_1: throng_Instance) -> throng_Pose {
    var local_1: bool;

    let _e1 = throng_instance_fade(instance_1);
    let _e4 = throng_play_moment(instance_1.first, instance_1.now);
    let _e7 = throng_options.has_fades;
    if !(!((_e7 != 0u))) {
        local_1 = (_e1 == 0f);
    } else {
        local_1 = true;
    }
    let _e17 = local_1;
    if _e17 {
        return throng_Pose(_e4, _e4, _e1);
    }
    let _e21 = throng_play_moment(instance_1.second, instance_1.now);
    return throng_Pose(_e4, _e21, _e1);
}

fn throng_pose_record(joint_1: u32) -> throng_JointRecord {
    let _e5 = throng_set_info.joint_curves.joint_table;
    let _e9 = throng_set_info.joint_curves.record_words;
    let _e10 = throng_joint_record_read(throng_texels, _e5, _e9, joint_1);
    return _e10;
}

fn throng_pose_parent_from_joint(pose_1: throng_Pose, record_1: throng_JointRecord) -> throng_Affine {
    var local_1: bool;

    let _e4 = throng_local_joint(throng_texels, record_1, pose_1.first);
    let _e7 = throng_options.has_fades;
    if !(!((_e7 != 0u))) {
        local_1 = (pose_1.fade == 0f);
    } else {
        local_1 = true;
    }
    let _e18 = local_1;
    if _e18 {
        let _e19 = throng_local_joint_to_affine(_e4);
        return _e19;
    }
    let _e22 = throng_local_joint(throng_texels, record_1, pose_1.second);
    let _e24 = throng_local_joint_mix(_e4, _e22, pose_1.fade);
    let _e25 = throng_local_joint_to_affine(_e24);
    return _e25;
}

fn throng_joint_affine(pose_1: throng_Pose, joint_1: u32) -> throng_Affine {
    var at_1: u32;
    var record_1: throng_JointRecord;
    var space_from_joint_1: throng_Affine;
    var local_1: bool;

    at_1 = (joint_1 >> 16u);
    let _e5 = at_1;
    let _e6 = throng_pose_record(_e5);
    record_1 = _e6;
    let _e8 = record_1;
    let _e9 = throng_pose_parent_from_joint(pose_1, _e8);
    space_from_joint_1 = _e9;
    loop {
        let _e12 = record_1.parent;
        if (_e12 != 0u) {
            let _e18 = record_1.parent;
            let _e19 = at_1;
            local_1 = (_e18 <= _e19);
        } else {
            local_1 = false;
        }
        let _e22 = local_1;
        if _e22 {
        } else {
            break;
        }
        {
            let _e24 = record_1.parent;
            at_1 = (_e24 - 1u);
            let _e27 = at_1;
            let _e28 = throng_pose_record(_e27);
            record_1 = _e28;
            let _e29 = record_1;
            let _e30 = throng_pose_parent_from_joint(pose_1, _e29);
            let _e31 = space_from_joint_1;
            let _e32 = throng_affine_mul(_e30, _e31);
            space_from_joint_1 = _e32;
        }
    }
    let _e36 = throng_set_info.inverse_bind_table;
    let _e42 = throng_table_affine(throng_tables, (_e36 + (3u * (joint_1 & 65535u))));
    let _e43 = space_from_joint_1;
    let _e44 = throng_affine_mul(_e43, _e42);
    return _e44;
}

fn throng_palette_joint(palette_index_1: u32) -> u32 {
    let _e4 = throng_set_info.bone_offset_table;
    let _e8 = throng_table_get(throng_tables, (_e4 + (palette_index_1 / 4u)));
    return (palette_index_1 | (_e8[(palette_index_1 % 4u)] << 16u));
}

fn throng_palette_row(instance_1: throng_Instance, offset_1: u32) -> vec4<u32> {
    let palette_index_1 = (offset_1 / 3u);
    let _e4 = throng_pose_of(instance_1);
    let _e5 = throng_palette_joint(palette_index_1);
    let _e6 = throng_joint_affine(_e4, _e5);
    let _e7 = throng_affine_to_rows(_e6);
    return bitcast<vec4<u32>>(_e7[(offset_1 - (3u * palette_index_1))]);
}

fn throng_palette_texel(texel_1: u32, now_1: u32) -> vec4<u32> {
    let _e4 = throng_set_info.palette_stride;
    let _e5 = throng_divide(texel_1, _e4);
    let _e6 = throng_instance_at(_e5, now_1);
    let _e9 = throng_set_info.palette_stride;
    let _e12 = throng_palette_row(_e6, (texel_1 - (_e5 * _e9)));
    return _e12;
}

fn throng_palette_matrix(palette_index_1: u32, instance_1: u32, now_1: u32) -> mat3x4<f32> {
    let _e3 = throng_instance_at(instance_1, now_1);
    let _e4 = throng_pose_of(_e3);
    let _e5 = throng_palette_joint(palette_index_1);
    let _e6 = throng_joint_affine(_e4, _e5);
    let _e7 = throng_affine_to_rows(_e6);
    return _e7;
}
