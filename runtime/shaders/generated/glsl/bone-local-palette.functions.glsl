// Functions of Throng for engines, generated from WGSL by naga: do not edit. Vertices and time are arguments;
// instances and the set are read from textures. The section "Shader functions for engines" of docs/format.md
// describes every argument, texture and table.
// Needs GLSL ES 3.00, `precision highp float` and `precision highp int`.
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
uniform highp usampler2D throng_tables;
uniform highp usampler2D throng_instances;
uniform highp usampler2DArray throng_texels;
// throng:end bindings

struct throng_Options {
    uint max_influences;
    uint has_fades;
    uint word_column_bits;
    uint word_rows;
    uint word_layers;
    uint max_key_bits;
    uint clip_records;
};

struct throng_Affine {
    mat3x3 linear;
    vec3 translation;
};

struct throng_Play {
    uint clip;
    uint time;
    uint period;
};

struct throng_ClipTiming {
    uint first_frame;
    uint frames;
    float rate_hz;
    float duration_secs;
    bool wraps;
};

struct throng_Grid {
    uint first_column;
    uint first_row;
    uint columns;
    uint rows_per_frame;
    uint by_columns;
    uint height;
    uint layers;
    uint padding;
};

struct throng_Codec {
    vec4 offset;
    vec4 scale;
    vec4 size_offset;
    vec4 size_scale;
    float unit_offset;
    float unit_scale;
    float level_scale;
    float normal_offset;
    float normal_scale;
    uint axis_items;
    uint range_table;
    uint bone_table;
};

struct throng_CurveHeader {
    uvec3 widths;
    uvec3 residual_widths;
    uint offset;
    uint spans;
    uint degree;
    uint step_;
    bool has_reference;
};

struct throng_SpanKeys {
    mat4x3 keys;
    vec4 weights;
    float f;
};

struct throng_ClipRecord {
    uint first_word;
    uint segments;
    float segments_per_sec;
    float duration_secs;
    uint present;
};

struct throng_Moment {
    uint masks;
    uint row;
    float position;
};

struct throng_FoundHeader {
    bool is_present;
    uint first_key_word;
    throng_CurveHeader header;
};

struct throng_JointCurves {
    uint clip_table;
    uint joint_table;
    uint record_words;
    uint curves;
    uint joints;
};

struct throng_JointRecord {
    uint parent;
    uint first_curve;
    vec3 translation;
    float translation_extent;
    vec3 rotation;
    bool has_scale;
    vec3 scale;
    float scale_extent;
};

struct throng_LocalJoint {
    vec3 translation;
    vec4 rotation;
    vec3 scale;
};

struct throng_SetInfo {
    throng_Grid grid;
    throng_Grid normals;
    throng_Grid morphs;
    throng_Codec codec;
    throng_JointCurves joint_curves;
    vec4 vertex_curve_range;
    uint clip_table;
    uint inverse_bind_table;
    uint dual_inverse_bind_table;
    uint morph_table;
    uint palette_len;
    uint palette_stride;
    uint vertices;
    uint position_curves;
    uint bone_offset_table;
    uint inverse_binds_are_matrices;
};

struct throng_Instance {
    throng_Affine world_from_model;
    vec4 tint;
    throng_Play first;
    throng_Play second;
    uint fade_start;
    uint fade_duration;
    float fraction;
    uint user;
    uint group;
    uint index;
    uint now;
};

struct throng_Pose {
    throng_Moment first;
    throng_Moment second;
    float fade;
};

const uint throng_BACKWARDS = 2147483648u;

const uint throng_HELD_FADE = 4294967295u;

const uint throng_BLOCK_CURVES = 32u;

const uint throng_HEADER_WORDS = 2u;

const uint throng_MASK_WORDS = 2u;

const uint throng_CLIP_WORDS = 5u;

const uint throng_SHORT_SCALED_RECORD_WORDS = 6u;

const uint throng_EXACT_SCALED_RECORD_WORDS = 12u;

// throng:begin options
const throng_Options throng_options = throng_Options(5u, 1u, 0u, 0u, 0u, 64u, 0u);
// throng:end options

// throng:begin set_info
const throng_SetInfo throng_set_info = throng_SetInfo(
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

vec4 throng_quat_mul(vec4 a_1, vec4 b_1) {
    return vec4((((a_1.w * b_1.xyz) + (b_1.w * a_1.xyz)) + cross(a_1.xyz, b_1.xyz)), ((a_1.w * b_1.w) - dot(a_1.xyz, b_1.xyz)));
}

float throng_quat_matrix_scale(vec4 q_1) {
    float square_1 = dot(q_1, q_1);
    return ((square_1 < 1e-24) ? 0.0 : (2.0 / square_1));
}

mat3x3 throng_mat3_from_scaled(vec4 q_1, float scale_1) {
    vec3 scaled_1 = (q_1.xyz * scale_1);
    float xx_1 = (q_1.x * scaled_1.x);
    float xy_1 = (q_1.x * scaled_1.y);
    float xz_1 = (q_1.x * scaled_1.z);
    float yy_1 = (q_1.y * scaled_1.y);
    float yz_1 = (q_1.y * scaled_1.z);
    float zz_1 = (q_1.z * scaled_1.z);
    vec3 w_1 = (q_1.w * scaled_1);
    return mat3x3(vec3((1.0 - (yy_1 + zz_1)), (xy_1 + w_1.z), (xz_1 - w_1.y)), vec3((xy_1 - w_1.z), (1.0 - (xx_1 + zz_1)), (yz_1 + w_1.x)), vec3((xz_1 + w_1.y), (yz_1 - w_1.x), (1.0 - (xx_1 + yy_1))));
}

mat3x3 throng_mat3_from_quat(vec4 q_1) {
    float _e1 = throng_quat_matrix_scale(q_1);
    mat3x3 _e2 = throng_mat3_from_scaled(q_1, _e1);
    return _e2;
}

vec4 throng_quat_from_mrp_unnormalized(vec3 p_1, float square_1) {
    return vec4((2.0 * p_1), (1.0 - square_1));
}

vec4 throng_quat_from_mrp(vec3 p_1) {
    float square_1 = dot(p_1, p_1);
    vec4 _e2 = throng_quat_from_mrp_unnormalized(p_1, square_1);
    return (_e2 * (1.0 / (1.0 + square_1)));
}

vec4 throng_quat_aligned(vec4 a_1, vec4 b_1) {
    return ((dot(a_1, b_1) < 0.0) ? -(b_1) : b_1);
}

vec4 throng_quat_nlerp(vec4 a_1, vec4 b_1, float f_1) {
    vec4 _e3 = throng_quat_aligned(a_1, b_1);
    return normalize(mix(a_1, _e3, f_1));
}

throng_Affine throng_affine_mul(throng_Affine a_1, throng_Affine b_1) {
    return throng_Affine((a_1.linear * b_1.linear), ((a_1.linear * b_1.translation) + a_1.translation));
}

mat3x4 throng_affine_to_rows(throng_Affine a_1) {
    return transpose(mat4x3(a_1.linear[0], a_1.linear[1], a_1.linear[2], a_1.translation));
}

throng_Affine throng_affine_from_rows(mat3x4 rows_1) {
    mat4x3 columns_1 = transpose(rows_1);
    return throng_Affine(mat3x3(columns_1[0], columns_1[1], columns_1[2]), columns_1[3]);
}

uint throng_divide(uint n_1, uint d_1) {
    uint guess_1 = uint(int((float(int(n_1)) / float(int(d_1)))));
    int rest_1 = int((n_1 - (guess_1 * d_1)));
    return ((guess_1 + ((rest_1 >= int(d_1)) ? 1u : 0u)) - ((rest_1 < 0) ? 1u : 0u));
}

uint throng_words_get(highp usampler2DArray words_1, uint word_1) {
    uint row_1 = 0u;
    uint layer_1 = 0u;
    uint _e4 = throng_options.word_column_bits;
    if ((_e4 == 0u)) {
        uvec2 size_1 = uvec2(textureSize(words_1, 0).xy);
        uint _e9 = throng_divide(word_1, size_1.x);
        uint _e11 = throng_divide(_e9, size_1.y);
        uvec4 _e20 = texelFetch(words_1, ivec3(uvec2((word_1 - (_e9 * size_1.x)), (_e9 - (_e11 * size_1.y))), _e11), 0);
        return _e20.x;
    }
    uint _e25 = throng_options.word_column_bits;
    uint column_1 = (word_1 & ((1u << _e25) - 1u));
    uint _e32 = throng_options.word_column_bits;
    row_1 = (word_1 >> _e32);
    uint _e39 = throng_options.word_layers;
    if ((_e39 > 1u)) {
        uint _e42 = row_1;
        uint _e45 = throng_options.word_rows;
        uint _e46 = throng_divide(_e42, _e45);
        layer_1 = _e46;
        uint _e47 = row_1;
        uint _e48 = layer_1;
        uint _e51 = throng_options.word_rows;
        row_1 = (_e47 - (_e48 * _e51));
    }
    uint _e54 = row_1;
    uint _e56 = layer_1;
    uvec4 _e58 = texelFetch(words_1, ivec3(uvec2(column_1, _e54), _e56), 0);
    return _e58.x;
}

uint throng_words_join(uint low_1, uint high_1, uint shift_1) {
    return ((low_1 >> shift_1) | ((high_1 << 1u) << (31u - shift_1)));
}

uint throng_words_ones(uint bits_1) {
    uint pairs_1 = (bits_1 - ((bits_1 >> 1u) & 1431655765u));
    uint fours_1 = ((pairs_1 & 858993459u) + ((pairs_1 >> 2u) & 858993459u));
    return ((((fours_1 + (fours_1 >> 4u)) & 252645135u) * 16843009u) >> 24u);
}

float throng_words_float(highp usampler2DArray words_1, uint word_1) {
    uint _e2 = throng_words_get(words_1, word_1);
    return uintBitsToFloat(_e2);
}

vec3 throng_words_vector(highp usampler2DArray words_1, uint word_1) {
    float _e2 = throng_words_float(words_1, word_1);
    float _e5 = throng_words_float(words_1, (word_1 + 1u));
    float _e8 = throng_words_float(words_1, (word_1 + 2u));
    return vec3(_e2, _e5, _e8);
}

float throng_play_phase(throng_Play play_1, bool wraps_1, uint now_1) {
    uint elapsed_1 = (now_1 - play_1.time);
    float cycles_per_tick_1 = (1.0 / float(int(play_1.period)));
    int cycle_1 = int((float(int((elapsed_1 >> 1u))) * (2.0 * cycles_per_tick_1)));
    int in_cycle_1 = int((elapsed_1 - (uint(cycle_1) * play_1.period)));
    float clamped_1 = clamp((float(int(elapsed_1)) * cycles_per_tick_1), 0.0, 1.0);
    float phase_1 = (wraps_1 ? fract((float(in_cycle_1) * cycles_per_tick_1)) : clamped_1);
    return (((play_1.clip & throng_BACKWARDS) != 0u) ? (1.0 - phase_1) : phase_1);
}

float throng_play_time(throng_Play play_1, throng_ClipTiming timing_1, uint now_1) {
    float _e4 = throng_play_phase(play_1, timing_1.wraps, now_1);
    float playing_1 = (_e4 * timing_1.duration_secs);
    return ((play_1.period == 0u) ? uintBitsToFloat(play_1.time) : playing_1);
}

float throng_fade_weight(uint start_1, uint duration_1, uint now_1) {
    if ((duration_1 == 0u)) {
        return 0.0;
    }
    float running_1 = clamp((float(int((now_1 - start_1))) / float(duration_1)), 0.0, 1.0);
    return ((duration_1 == throng_HELD_FADE) ? uintBitsToFloat(start_1) : running_1);
}

uvec4 throng_bits_get(highp usampler2D texels_1, uint at_1) {
    uvec4 _e8 = texelFetch(texels_1, ivec2(uvec2((at_1 & 2047u), (at_1 >> 11u))), 0);
    return _e8;
}

uvec4 throng_table_get(highp usampler2D tables_1, uint at_1) {
    uvec4 _e2 = throng_bits_get(tables_1, at_1);
    return _e2;
}

vec4 throng_table_floats(highp usampler2D tables_1, uint at_1) {
    uvec4 _e2 = throng_table_get(tables_1, at_1);
    return uintBitsToFloat(_e2);
}

throng_ClipTiming throng_clip_timing(highp usampler2D tables_1, uint first_1, uint clip_1) {
    uvec4 _e6 = throng_table_get(tables_1, (first_1 + (clip_1 & 2147483647u)));
    return throng_ClipTiming(_e6.x, (_e6.y & 2147483647u), uintBitsToFloat(_e6.z), uintBitsToFloat(_e6.w), ((_e6.y >> 31u) != 0u));
}

throng_Affine throng_table_affine(highp usampler2D tables_1, uint at_1) {
    vec4 _e2 = throng_table_floats(tables_1, at_1);
    vec4 _e5 = throng_table_floats(tables_1, (at_1 + 1u));
    vec4 _e8 = throng_table_floats(tables_1, (at_1 + 2u));
    throng_Affine _e10 = throng_affine_from_rows(mat3x4(_e2, _e5, _e8));
    return _e10;
}

throng_CurveHeader throng_curve_header_unpack(uint a_1, uint b_1) {
    return throng_CurveHeader(uvec3((a_1 & 31u), ((a_1 >> 5u) & 31u), ((a_1 >> 10u) & 31u)), uvec3(((a_1 >> 15u) & 31u), ((a_1 >> 20u) & 31u), ((a_1 >> 25u) & 31u)), (b_1 & 262143u), (((b_1 >> 18u) & 63u) + 1u), (a_1 >> 30u), ((b_1 >> 24u) & 127u), ((b_1 >> 31u) == 1u));
}

float throng_step_size(uint step_1) {
    return uintBitsToFloat(((492u - step_1) << 21u));
}

vec4 throng_spline_weights(uint degree_1, float f_1) {
    float g_1 = (1.0 - f_1);
    switch(degree_1) {
        case 0u: {
            return vec4(1.0, 0.0, 0.0, 0.0);
        }
        case 1u: {
            return vec4(g_1, f_1, 0.0, 0.0);
        }
        case 2u: {
            return vec4(((0.5 * g_1) * g_1), (0.5 + (f_1 * g_1)), ((0.5 * f_1) * f_1), 0.0);
        }
        default: {
            return (vec4(((g_1 * g_1) * g_1), (4.0 - (((3.0 * f_1) * f_1) * (1.0 + g_1))), (4.0 - (((3.0 * g_1) * g_1) * (1.0 + f_1))), ((f_1 * f_1) * f_1)) / vec4(6.0));
        }
    }
}

float throng_slerp_weight(float cosine_1, float f_1) {
    float u_1 = (1.0 - cosine_1);
    float h_1 = (f_1 - 0.5);
    float a_1 = (u_1 * (-0.07579292 + (0.8732116 * u_1)));
    float b_1 = (u_1 * (0.6748337 + (u_1 * (0.09039828 + (0.09375652 * u_1)))));
    return (f_1 + (((f_1 * h_1) * (f_1 - 1.0)) * (((a_1 * h_1) * h_1) + b_1)));
}

vec3 throng_read_vector(highp usampler2DArray words_1, uint first_word_1, uint bit_1, uvec3 widths_1) {
    uint high_1 = 0u;
    uint word_1 = (first_word_1 + (bit_1 / 32u));
    uint shift_1 = (bit_1 % 32u);
    uint _e11 = throng_words_get(words_1, (word_1 + 1u));
    uint _e12 = throng_words_get(words_1, word_1);
    uint _e13 = throng_words_join(_e12, _e11, shift_1);
    uint _e18 = throng_options.max_key_bits;
    if ((_e18 > 32u)) {
        uint _e23 = throng_words_get(words_1, (word_1 + 2u));
        uint _e24 = throng_words_join(_e11, _e23, shift_1);
        high_1 = _e24;
    }
    uint _e25 = high_1;
    uint _e27 = throng_words_join(_e13, _e25, widths_1.x);
    uint _e28 = high_1;
    uint _e32 = throng_words_join(_e27, (_e28 >> widths_1.x), widths_1.y);
    uvec3 bits_1 = (uvec3(_e13, _e27, _e32) & ((uvec3(1u) << widths_1) - uvec3(1u)));
    uvec3 middle_1 = ((uvec3(1u) << widths_1) >> uvec3(1u));
    return vec3(ivec3((bits_1 - middle_1)));
}

vec3 throng_read_key(highp usampler2DArray words_1, uint first_key_word_1, throng_CurveHeader header_1, uint key_1) {
    bool local_1 = false;
    uvec3 w_1 = header_1.widths;
    uvec3 v_1 = header_1.residual_widths;
    uint full_bits_1 = ((w_1.x + w_1.y) + w_1.z);
    bool is_odd_1 = ((key_1 & 1u) == 1u);
    if (is_odd_1) {
        local_1 = ((key_1 + 1u) < (header_1.spans + header_1.degree));
    } else {
        local_1 = false;
    }
    bool is_residual_1 = local_1;
    uint reference_1 = (header_1.has_reference ? 30u : 0u);
    uint bit_1 = (((header_1.offset + reference_1) + ((key_1 >> 1u) * (((full_bits_1 + v_1.x) + v_1.y) + v_1.z))) + (is_odd_1 ? full_bits_1 : 0u));
    vec3 _e45 = throng_read_vector(words_1, first_key_word_1, bit_1, (is_residual_1 ? v_1 : w_1));
    return _e45;
}

throng_SpanKeys throng_span_keys(highp usampler2DArray words_1, uint first_key_word_1, throng_CurveHeader header_1, float position_1) {
    vec3 full_1 = vec3(0.0);
    mat4x3 keys_1 = mat4x3(0.0);
    uint pair_1 = 0u;
    vec3 key_1 = vec3(0.0);
    int spans_1 = int(header_1.spans);
    float along_1 = (position_1 * float(spans_1));
    int span_1 = min(int(along_1), (spans_1 - 1));
    float f_1 = (along_1 - float(span_1));
    uint first_1 = uint(span_1);
    uint last_1 = ((header_1.spans + header_1.degree) - 1u);
    uint end_1 = (first_1 + header_1.degree);
    uint start_1 = (first_1 & 4294967294u);
    vec3 _e24 = throng_read_key(words_1, first_key_word_1, header_1, start_1);
    full_1 = _e24;
    pair_1 = start_1;
    bool loop_init_1 = true;
    while(true) {
        if (!loop_init_1) {
            uint _e56 = pair_1;
            pair_1 = (_e56 + 2u);
        }
        loop_init_1 = false;
        uint _e29 = pair_1;
        if ((_e29 <= end_1)) {
        } else {
            break;
        }
        {
            uint _e31 = pair_1;
            if ((_e31 >= first_1)) {
                uint _e33 = pair_1;
                vec3 _e36 = full_1;
                keys_1[(_e33 - first_1)] = _e36;
            }
            uint _e37 = pair_1;
            uint odd_1 = (_e37 + 1u);
            if ((odd_1 > end_1)) {
                break;
            }
            vec3 _e41 = throng_read_key(words_1, first_key_word_1, header_1, odd_1);
            key_1 = _e41;
            if ((odd_1 < last_1)) {
                vec3 _e46 = throng_read_key(words_1, first_key_word_1, header_1, (odd_1 + 1u));
                vec3 _e47 = key_1;
                vec3 _e48 = full_1;
                key_1 = (_e47 + (0.5 * (_e48 + _e46)));
                full_1 = _e46;
            }
            vec3 _e55 = key_1;
            keys_1[(odd_1 - first_1)] = _e55;
        }
    }
    mat4x3 _e59 = keys_1;
    vec4 _e61 = throng_spline_weights(header_1.degree, f_1);
    return throng_SpanKeys(_e59, _e61, f_1);
}

vec3 throng_vector_curve(highp usampler2DArray words_1, uint first_key_word_1, throng_CurveHeader header_1, float position_1) {
    vec4 weights_1 = vec4(0.0);
    float last_weight_1 = 0.0;
    vec3 full_1 = vec3(0.0);
    vec3 sum_1 = vec3(0.0);
    uint odd_1 = 0u;
    vec3 key_1 = vec3(0.0);
    int spans_1 = int(header_1.spans);
    float along_1 = (position_1 * float(spans_1));
    int span_1 = min(int(along_1), (spans_1 - 1));
    uint first_1 = uint(span_1);
    uint last_1 = ((header_1.spans + header_1.degree) - 1u);
    uint end_1 = (first_1 + header_1.degree);
    uint start_1 = (first_1 & 4294967294u);
    vec4 _e25 = throng_spline_weights(header_1.degree, (along_1 - float(span_1)));
    bool is_odd_1 = (first_1 != start_1);
    weights_1 = (is_odd_1 ? vec4(0.0, _e25.xyz) : _e25);
    last_weight_1 = (is_odd_1 ? _e25.w : 0.0);
    vec3 _e36 = throng_read_key(words_1, first_key_word_1, header_1, start_1);
    full_1 = _e36;
    float _e39 = weights_1.x;
    vec3 _e40 = full_1;
    sum_1 = (_e39 * _e40);
    odd_1 = (start_1 + 1u);
    bool loop_init_1 = true;
    while(true) {
        if (!loop_init_1) {
            uint _e80 = odd_1;
            odd_1 = (_e80 + 2u);
        }
        loop_init_1 = false;
        uint _e46 = odd_1;
        if ((_e46 <= end_1)) {
        } else {
            break;
        }
        {
            uint _e48 = odd_1;
            vec3 _e49 = throng_read_key(words_1, first_key_word_1, header_1, _e48);
            key_1 = _e49;
            uint _e51 = odd_1;
            if ((_e51 < last_1)) {
                uint _e53 = odd_1;
                vec3 _e56 = throng_read_key(words_1, first_key_word_1, header_1, (_e53 + 1u));
                vec3 _e57 = key_1;
                vec3 _e58 = full_1;
                key_1 = (_e57 + (0.5 * (_e58 + _e56)));
                full_1 = _e56;
            }
            vec3 _e63 = sum_1;
            float _e65 = weights_1.y;
            vec3 _e66 = key_1;
            float _e69 = weights_1.z;
            vec3 _e70 = full_1;
            sum_1 = (_e63 + ((_e65 * _e66) + (_e69 * _e70)));
            vec4 _e74 = weights_1;
            float _e76 = last_weight_1;
            weights_1 = vec4(_e74.zw, _e76, 0.0);
            last_weight_1 = 0.0;
        }
    }
    vec3 _e83 = sum_1;
    float _e85 = throng_step_size(header_1.step_);
    return (_e83 * _e85);
}

vec4 throng_rotation_curve(highp usampler2DArray words_1, uint first_key_word_1, throng_CurveHeader header_1, float position_1) {
    vec4 weights_1 = vec4(0.0);
    vec4 sum_1 = vec4(0.0);
    throng_SpanKeys _e4 = throng_span_keys(words_1, first_key_word_1, header_1, position_1);
    float _e6 = throng_step_size(header_1.step_);
    vec4 _e10 = throng_quat_from_mrp((_e6 * _e4.keys[0]));
    vec4 _e14 = throng_quat_from_mrp((_e6 * _e4.keys[1]));
    weights_1 = _e4.weights;
    if ((header_1.degree == 1u)) {
        float _e25 = throng_slerp_weight(clamp(dot(_e10, _e14), 0.0, 1.0), _e4.f);
        weights_1 = vec4((1.0 - _e25), _e25, 0.0, 0.0);
    }
    float _e32 = weights_1.x;
    float _e35 = weights_1.y;
    sum_1 = ((_e32 * _e10) + (_e35 * _e14));
    if ((header_1.degree > 1u)) {
        vec4 _e42 = sum_1;
        float _e44 = weights_1.z;
        vec4 _e48 = throng_quat_from_mrp((_e6 * _e4.keys[2]));
        float _e51 = weights_1.w;
        vec4 _e55 = throng_quat_from_mrp((_e6 * _e4.keys[3]));
        sum_1 = (_e42 + ((_e44 * _e48) + (_e51 * _e55)));
    }
    vec4 _e59 = sum_1;
    vec4 _e60 = sum_1;
    return (_e59 / vec4(length(_e60)));
}

vec3 throng_read_reference(highp usampler2DArray words_1, uint first_key_word_1, throng_CurveHeader header_1) {
    vec3 _e6 = throng_read_vector(words_1, first_key_word_1, header_1.offset, uvec3(10u));
    return (_e6 / vec3(512.0));
}

uint throng_row_words(uint present_1) {
    return ((present_1 * throng_HEADER_WORDS) + (((present_1 + throng_BLOCK_CURVES) - 1u) / throng_BLOCK_CURVES));
}

uint throng_mask_words(uint curves_1) {
    return ((((curves_1 + throng_BLOCK_CURVES) - 1u) / throng_BLOCK_CURVES) * throng_MASK_WORDS);
}

throng_ClipRecord throng_clip_record_read(highp usampler2DArray words_1, uint clip_table_1, uint clip_1) {
    uint _e5 = throng_options.clip_records;
    if ((_e5 != 0u)) {
        uint _e11 = throng_options.clip_records;
        uvec4 _e15 = throng_table_get(throng_tables, (_e11 + (2u * clip_1)));
        uint _e19 = throng_options.clip_records;
        uvec4 _e25 = throng_table_get(throng_tables, ((_e19 + (2u * clip_1)) + 1u));
        uint present_1 = _e25.x;
        return throng_ClipRecord(_e15.x, _e15.y, uintBitsToFloat(_e15.z), uintBitsToFloat(_e15.w), present_1);
    }
    uint at_1 = (clip_table_1 + (clip_1 * throng_CLIP_WORDS));
    uint _e37 = throng_words_get(words_1, at_1);
    uint _e40 = throng_words_get(words_1, (at_1 + 1u));
    float _e43 = throng_words_float(words_1, (at_1 + 2u));
    float _e46 = throng_words_float(words_1, (at_1 + 3u));
    uint _e49 = throng_words_get(words_1, (at_1 + 4u));
    return throng_ClipRecord(_e37, _e40, _e43, _e46, _e49);
}

throng_Moment throng_moment_find(highp usampler2DArray words_1, uint clip_table_1, uint curves_1, uint clip_1, float time_secs_1) {
    throng_ClipRecord _e5 = throng_clip_record_read(words_1, clip_table_1, clip_1);
    float position_1 = (clamp(time_secs_1, 0.0, _e5.duration_secs) * _e5.segments_per_sec);
    int segment_1 = min(int(position_1), (int(_e5.segments) - 1));
    uint _e18 = throng_mask_words(curves_1);
    uint _e22 = throng_row_words(_e5.present);
    uint row_1 = ((_e5.first_word + _e18) + (uint(segment_1) * _e22));
    return throng_Moment(_e5.first_word, row_1, min((position_1 - float(segment_1)), 1.0));
}

throng_FoundHeader throng_moment_header(highp usampler2DArray words_1, throng_Moment moment_1, uint curve_1) {
    throng_FoundHeader found_1 = throng_FoundHeader(false, 0u, throng_CurveHeader(uvec3(0u), uvec3(0u), 0u, 0u, 0u, 0u, false));
    uint at_1 = (moment_1.masks + ((curve_1 / throng_BLOCK_CURVES) * throng_MASK_WORDS));
    uint _e10 = throng_words_get(words_1, at_1);
    uint bit_1 = (1u << (curve_1 % throng_BLOCK_CURVES));
    found_1.is_present = ((_e10 & bit_1) != 0u);
    bool _e20 = found_1.is_present;
    if (_e20) {
        uint _e23 = throng_words_get(words_1, (at_1 + 1u));
        uint _e27 = throng_words_ones((_e10 & (bit_1 - 1u)));
        uint rank_1 = (_e23 + _e27);
        uint block_1 = (moment_1.row + ((rank_1 / throng_BLOCK_CURVES) * 65u));
        uint header_1 = ((block_1 + 1u) + ((rank_1 % throng_BLOCK_CURVES) * throng_HEADER_WORDS));
        uint _e43 = throng_words_get(words_1, block_1);
        found_1.first_key_word = _e43;
        uint _e45 = throng_words_get(words_1, header_1);
        uint _e48 = throng_words_get(words_1, (header_1 + 1u));
        throng_CurveHeader _e49 = throng_curve_header_unpack(_e45, _e48);
        found_1.header = _e49;
    }
    throng_FoundHeader _e50 = found_1;
    return _e50;
}

vec3 throng_moment_vector(highp usampler2DArray words_1, throng_Moment moment_1, uint curve_1) {
    vec3 value_1 = vec3(0.0);
    throng_FoundHeader _e3 = throng_moment_header(words_1, moment_1, curve_1);
    if (!(_e3.is_present)) {
        return vec3(0.0);
    }
    vec3 _e11 = throng_vector_curve(words_1, _e3.first_key_word, _e3.header, moment_1.position);
    value_1 = _e11;
    if (_e3.header.has_reference) {
        vec3 _e15 = value_1;
        vec3 _e18 = throng_read_reference(words_1, _e3.first_key_word, _e3.header);
        value_1 = (_e15 + _e18);
    }
    vec3 _e20 = value_1;
    return _e20;
}

vec4 throng_moment_rotation(highp usampler2DArray words_1, throng_Moment moment_1, uint curve_1, vec4 constant_1) {
    vec4 reference_1 = vec4(0.0);
    throng_FoundHeader _e4 = throng_moment_header(words_1, moment_1, curve_1);
    if (!(_e4.is_present)) {
        return constant_1;
    }
    reference_1 = constant_1;
    if (_e4.header.has_reference) {
        vec3 _e12 = throng_read_reference(words_1, _e4.first_key_word, _e4.header);
        vec4 _e13 = throng_quat_from_mrp(_e12);
        reference_1 = _e13;
    }
    vec4 _e14 = reference_1;
    vec4 _e18 = throng_rotation_curve(words_1, _e4.first_key_word, _e4.header, moment_1.position);
    vec4 _e19 = throng_quat_mul(_e14, _e18);
    return _e19;
}

float throng_power(uint exponent_1) {
    return uintBitsToFloat(((exponent_1 & 255u) << 23u));
}

float throng_short_value(uint word_1) {
    return (float((int(word_1) >> 16u)) / 32768.0);
}

throng_JointRecord throng_joint_record_read(highp usampler2DArray words_1, uint joint_table_1, uint record_words_1, uint joint_1) {
    throng_JointRecord record_1 = throng_JointRecord(0u, 0u, vec3(0.0), 0.0, vec3(0.0), false, vec3(0.0), 0.0);
    bool local_1 = false;
    uint at_1 = (joint_table_1 + (joint_1 * record_words_1));
    uint _e6 = throng_words_get(words_1, at_1);
    if (!((record_words_1 == throng_SHORT_SCALED_RECORD_WORDS))) {
        local_1 = (record_words_1 == throng_EXACT_SCALED_RECORD_WORDS);
    } else {
        local_1 = true;
    }
    bool _e17 = local_1;
    record_1.has_scale = _e17;
    record_1.parent = (_e6 & 65535u);
    bool _e25 = record_1.has_scale;
    record_1.first_curve = (joint_1 * (_e25 ? 3u : 2u));
    float _e31 = throng_power((_e6 >> 16u));
    record_1.translation_extent = _e31;
    record_1.scale = vec3(1.0);
    if ((record_words_1 <= throng_SHORT_SCALED_RECORD_WORDS)) {
        uint _e39 = throng_words_get(words_1, (at_1 + 1u));
        uint _e42 = throng_words_get(words_1, (at_1 + 2u));
        uint _e45 = throng_words_get(words_1, (at_1 + 3u));
        float _e48 = throng_short_value((_e39 << 16u));
        float _e49 = throng_short_value(_e39);
        float _e52 = throng_short_value((_e42 << 16u));
        vec3 translation_1 = vec3(_e48, _e49, _e52);
        float _e57 = throng_power((_e6 >> 24u));
        record_1.translation = (_e57 * translation_1);
        float _e60 = throng_short_value(_e42);
        float _e63 = throng_short_value((_e45 << 16u));
        float _e64 = throng_short_value(_e45);
        record_1.rotation = vec3(_e60, _e63, _e64);
        bool _e67 = record_1.has_scale;
        if (_e67) {
            uint _e70 = throng_words_get(words_1, (at_1 + 4u));
            uint _e73 = throng_words_get(words_1, (at_1 + 5u));
            float _e77 = throng_power((_e73 >> 24u));
            float _e80 = throng_short_value((_e70 << 16u));
            float _e81 = throng_short_value(_e70);
            float _e84 = throng_short_value((_e73 << 16u));
            record_1.scale = (_e77 * vec3(_e80, _e81, _e84));
            float _e90 = throng_power((_e73 >> 16u));
            record_1.scale_extent = _e90;
        }
    } else {
        vec3 _e94 = throng_words_vector(words_1, (at_1 + 1u));
        record_1.translation = _e94;
        vec3 _e98 = throng_words_vector(words_1, (at_1 + 4u));
        record_1.rotation = _e98;
        bool _e100 = record_1.has_scale;
        if (_e100) {
            vec3 _e104 = throng_words_vector(words_1, (at_1 + 8u));
            record_1.scale = _e104;
            uint _e108 = throng_words_get(words_1, (at_1 + 7u));
            float _e111 = throng_power((_e108 >> 16u));
            record_1.scale_extent = _e111;
        }
    }
    throng_JointRecord _e112 = record_1;
    return _e112;
}

throng_Affine throng_local_joint_to_affine(throng_LocalJoint joint_1) {
    mat3x3 _e2 = throng_mat3_from_quat(joint_1.rotation);
    vec3 s_1 = joint_1.scale;
    return throng_Affine(mat3x3((_e2[0] * s_1.x), (_e2[1] * s_1.y), (_e2[2] * s_1.z)), joint_1.translation);
}

throng_LocalJoint throng_local_joint(highp usampler2DArray words_1, throng_JointRecord record_1, throng_Moment moment_1) {
    throng_LocalJoint joint_1 = throng_LocalJoint(vec3(0.0), vec4(0.0), vec3(0.0));
    uint curve_1 = record_1.first_curve;
    vec4 _e7 = throng_quat_from_mrp(record_1.rotation);
    vec4 _e8 = throng_moment_rotation(words_1, moment_1, curve_1, _e7);
    joint_1.rotation = _e8;
    vec3 _e14 = throng_moment_vector(words_1, moment_1, (curve_1 + 1u));
    joint_1.translation = (record_1.translation + (record_1.translation_extent * _e14));
    joint_1.scale = record_1.scale;
    if (record_1.has_scale) {
        vec3 _e21 = joint_1.scale;
        vec3 _e25 = throng_moment_vector(words_1, moment_1, (curve_1 + 2u));
        joint_1.scale = (_e21 + (record_1.scale_extent * _e25));
    }
    throng_LocalJoint _e28 = joint_1;
    return _e28;
}

throng_LocalJoint throng_local_joint_mix(throng_LocalJoint a_1, throng_LocalJoint b_1, float f_1) {
    vec4 _e8 = throng_quat_nlerp(a_1.rotation, b_1.rotation, f_1);
    return throng_LocalJoint(mix(a_1.translation, b_1.translation, f_1), _e8, mix(a_1.scale, b_1.scale, f_1));
}

throng_Instance throng_instance_unpack(uvec4 x_1, uvec4 y_1, uvec4 z_1, uvec4 a_1, uvec4 b_1, uvec4 c_1, uint index_1, uint now_1) {
    mat3x4 rows_1 = mat3x4(uintBitsToFloat(x_1), uintBitsToFloat(y_1), uintBitsToFloat(z_1));
    throng_Affine _e12 = throng_affine_from_rows(rows_1);
    uint _e13 = a_1.x;
    return throng_Instance(_e12, (vec4(_e13 & 0xFFu, _e13 >> 8 & 0xFFu, _e13 >> 16 & 0xFFu, _e13 >> 24) / 255.0), throng_Play(a_1.y, a_1.z, a_1.w), throng_Play(b_1.x, b_1.y, b_1.z), b_1.w, c_1.x, uintBitsToFloat(c_1.y), c_1.z, c_1.w, index_1, now_1);
}

throng_ClipTiming throng_play_timing(throng_Play play_1) {
    uint _e4 = throng_set_info.clip_table;
    throng_ClipTiming _e6 = throng_clip_timing(throng_tables, _e4, play_1.clip);
    return _e6;
}

float throng_instance_fade(throng_Instance instance_1) {
    uint _e3 = throng_options.has_fades;
    if (!((_e3 != 0u))) {
        return 0.0;
    }
    float _e11 = throng_fade_weight(instance_1.fade_start, instance_1.fade_duration, instance_1.now);
    return _e11;
}

throng_Instance throng_instance_read(uint index_1) {
    uint at_1 = (6u * index_1);
    uvec4 _e4 = throng_bits_get(throng_instances, at_1);
    uvec4 _e8 = throng_bits_get(throng_instances, (at_1 + 1u));
    uvec4 _e12 = throng_bits_get(throng_instances, (at_1 + 2u));
    uvec4 _e16 = throng_bits_get(throng_instances, (at_1 + 3u));
    uvec4 _e20 = throng_bits_get(throng_instances, (at_1 + 4u));
    uvec4 _e24 = throng_bits_get(throng_instances, (at_1 + 5u));
    throng_Instance _e30 = throng_instance_unpack(_e4, _e8, _e12, _e16, _e20, _e24, index_1, ((index_1 >= 4294967295u) ? 0u : 0u));
    return _e30;
}

throng_Instance throng_instance_at(uint index_1, uint now_1) {
    throng_Instance instance_1 = throng_Instance(throng_Affine(mat3x3(0.0), vec3(0.0)), vec4(0.0), throng_Play(0u, 0u, 0u), throng_Play(0u, 0u, 0u), 0u, 0u, 0.0, 0u, 0u, 0u, 0u);
    throng_Instance _e2 = throng_instance_read(index_1);
    instance_1 = _e2;
    instance_1.now = now_1;
    throng_Instance _e5 = instance_1;
    return _e5;
}

throng_Moment throng_play_moment(throng_Play play_1, uint now_1) {
    throng_ClipTiming _e2 = throng_play_timing(play_1);
    float _e3 = throng_play_time(play_1, _e2, now_1);
    throng_JointCurves tables_1 = throng_set_info.joint_curves;
    throng_Moment _e13 = throng_moment_find(throng_texels, tables_1.clip_table, tables_1.curves, (play_1.clip & 2147483647u), _e3);
    return _e13;
}

throng_Pose throng_pose_of(throng_Instance instance_1) {
    bool local_1 = false;
    float _e1 = throng_instance_fade(instance_1);
    throng_Moment _e4 = throng_play_moment(instance_1.first, instance_1.now);
    uint _e7 = throng_options.has_fades;
    if (!(!((_e7 != 0u)))) {
        local_1 = (_e1 == 0.0);
    } else {
        local_1 = true;
    }
    bool _e17 = local_1;
    if (_e17) {
        return throng_Pose(_e4, _e4, _e1);
    }
    throng_Moment _e21 = throng_play_moment(instance_1.second, instance_1.now);
    return throng_Pose(_e4, _e21, _e1);
}

throng_JointRecord throng_pose_record(uint joint_1) {
    uint _e5 = throng_set_info.joint_curves.joint_table;
    uint _e9 = throng_set_info.joint_curves.record_words;
    throng_JointRecord _e10 = throng_joint_record_read(throng_texels, _e5, _e9, joint_1);
    return _e10;
}

throng_Affine throng_pose_parent_from_joint(throng_Pose pose_1, throng_JointRecord record_1) {
    bool local_1 = false;
    throng_LocalJoint _e4 = throng_local_joint(throng_texels, record_1, pose_1.first);
    uint _e7 = throng_options.has_fades;
    if (!(!((_e7 != 0u)))) {
        local_1 = (pose_1.fade == 0.0);
    } else {
        local_1 = true;
    }
    bool _e18 = local_1;
    if (_e18) {
        throng_Affine _e19 = throng_local_joint_to_affine(_e4);
        return _e19;
    }
    throng_LocalJoint _e22 = throng_local_joint(throng_texels, record_1, pose_1.second);
    throng_LocalJoint _e24 = throng_local_joint_mix(_e4, _e22, pose_1.fade);
    throng_Affine _e25 = throng_local_joint_to_affine(_e24);
    return _e25;
}

throng_Affine throng_joint_affine(throng_Pose pose_1, uint joint_1) {
    uint at_1 = 0u;
    throng_JointRecord record_1 = throng_JointRecord(0u, 0u, vec3(0.0), 0.0, vec3(0.0), false, vec3(0.0), 0.0);
    throng_Affine space_from_joint_1 = throng_Affine(mat3x3(0.0), vec3(0.0));
    bool local_1 = false;
    at_1 = (joint_1 >> 16u);
    uint _e5 = at_1;
    throng_JointRecord _e6 = throng_pose_record(_e5);
    record_1 = _e6;
    throng_JointRecord _e8 = record_1;
    throng_Affine _e9 = throng_pose_parent_from_joint(pose_1, _e8);
    space_from_joint_1 = _e9;
    while(true) {
        uint _e12 = record_1.parent;
        if ((_e12 != 0u)) {
            uint _e18 = record_1.parent;
            uint _e19 = at_1;
            local_1 = (_e18 <= _e19);
        } else {
            local_1 = false;
        }
        bool _e22 = local_1;
        if (_e22) {
        } else {
            break;
        }
        {
            uint _e24 = record_1.parent;
            at_1 = (_e24 - 1u);
            uint _e27 = at_1;
            throng_JointRecord _e28 = throng_pose_record(_e27);
            record_1 = _e28;
            throng_JointRecord _e29 = record_1;
            throng_Affine _e30 = throng_pose_parent_from_joint(pose_1, _e29);
            throng_Affine _e31 = space_from_joint_1;
            throng_Affine _e32 = throng_affine_mul(_e30, _e31);
            space_from_joint_1 = _e32;
        }
    }
    uint _e36 = throng_set_info.inverse_bind_table;
    throng_Affine _e42 = throng_table_affine(throng_tables, (_e36 + (3u * (joint_1 & 65535u))));
    throng_Affine _e43 = space_from_joint_1;
    throng_Affine _e44 = throng_affine_mul(_e43, _e42);
    return _e44;
}

uint throng_palette_joint(uint palette_index_1) {
    uint _e4 = throng_set_info.bone_offset_table;
    uvec4 _e8 = throng_table_get(throng_tables, (_e4 + (palette_index_1 / 4u)));
    return (palette_index_1 | (_e8[(palette_index_1 % 4u)] << 16u));
}

uvec4 throng_palette_row(throng_Instance instance_1, uint offset_1) {
    uint palette_index_1 = (offset_1 / 3u);
    throng_Pose _e4 = throng_pose_of(instance_1);
    uint _e5 = throng_palette_joint(palette_index_1);
    throng_Affine _e6 = throng_joint_affine(_e4, _e5);
    mat3x4 _e7 = throng_affine_to_rows(_e6);
    return floatBitsToUint(_e7[(offset_1 - (3u * palette_index_1))]);
}

uvec4 throng_palette_texel(uint texel_1, uint now_1) {
    uint _e4 = throng_set_info.palette_stride;
    uint _e5 = throng_divide(texel_1, _e4);
    throng_Instance _e6 = throng_instance_at(_e5, now_1);
    uint _e9 = throng_set_info.palette_stride;
    uvec4 _e12 = throng_palette_row(_e6, (texel_1 - (_e5 * _e9)));
    return _e12;
}

mat3x4 throng_palette_matrix(uint palette_index_1, uint instance_1, uint now_1) {
    throng_Instance _e3 = throng_instance_at(instance_1, now_1);
    throng_Pose _e4 = throng_pose_of(_e3);
    uint _e5 = throng_palette_joint(palette_index_1);
    throng_Affine _e6 = throng_joint_affine(_e4, _e5);
    mat3x4 _e7 = throng_affine_to_rows(_e6);
    return _e7;
}
