// Functions of Throng for engines, generated from WGSL by naga: do not edit. Vertices and time are arguments;
// instances and the set are read from textures. The section "Shader functions for engines" of docs/format.md
// describes every argument, texture and table.
// Needs GLSL ES 3.00, `precision highp float` and `precision highp int`.
//
// Functions:
//   throng_vertex(position, normal, joints, weights, indices, instance, now)
//       position and normal in model space, with the instance's clips, cross-fade and fraction
//   throng_position(position, normal, joints, weights, indices, instance, now)
//       the position alone, for depth and shadow passes
//   throng_normal(position, normal, joints, weights, indices, instance, now)
//       the normal alone, of unit length
//   throng_world_from_model(instance)
//       matrix from model space to world space
//   throng_to_world(vertex, instance)
//       a vertex of throng_vertex in world space, the normal by the cofactor matrix
//   throng_tint(instance)
//       RGBA factor of the material's colour, from 0 to 1
//   throng_user(instance)
//       the word that is free for the caller
//   throng_vertex_at(position, normal, joints, weights, indices, clip, time_secs)
//       position and normal of a clip at a time from its start, without an instance
//
// Arguments:
//   position       vec4: undeformed position; w is the blend factor between LBS (0) and DQS (1)
//   normal         vec3: undeformed normal, of unit length
//   joints         uvec4: four influences, heaviest first; palette index + 65536 * bone offset
//   weights        vec4: their weights
//   indices        uvec4: first influence past the fourth, their number; items of position and normal, or morph targets
//   instance       uint: index of the instance
//   now            uint: time in ticks of 1/65536 s, which wrap
//   clip           uint: index of the clip
//   time_secs      float: seconds from the start of the clip, clamped to the clip
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

struct throng_Deformed {
    vec3 position;
    vec3 normal;
    vec3 tangent;
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

struct throng_VertexIn {
    vec4 position;
    vec3 normal;
    uvec4 joints;
    vec4 weights;
    uvec4 indices;
};

struct ThrongVertex {
    vec3 position;
    vec3 normal;
};

const uint throng_BACKWARDS = 2147483648u;

const uint throng_HELD_FADE = 4294967295u;

const uint throng_BLOCK_CURVES = 32u;

const uint throng_HEADER_WORDS = 2u;

const uint throng_MASK_WORDS = 2u;

const uint throng_CLIP_WORDS = 5u;

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

throng_Affine throng_affine_from_rows(mat3x4 rows_1) {
    mat4x3 columns_1 = transpose(rows_1);
    return throng_Affine(mat3x3(columns_1[0], columns_1[1], columns_1[2]), columns_1[3]);
}

vec3 throng_affine_point(throng_Affine a_1, vec3 point_1) {
    return ((a_1.linear * point_1) + a_1.translation);
}

vec3 throng_unit_or(vec3 v_1, vec3 fallback_1) {
    float square_1 = dot(v_1, v_1);
    return ((square_1 > 0.0) ? (v_1 * inversesqrt(square_1)) : fallback_1);
}

vec3 throng_affine_normal(throng_Affine a_1, vec3 normal_1) {
    mat3x3 m_1 = a_1.linear;
    vec3 _e14 = throng_unit_or((mat3x3(cross(m_1[1], m_1[2]), cross(m_1[2], m_1[0]), cross(m_1[0], m_1[1])) * normal_1), normal_1);
    return _e14;
}

vec3 throng_any_orthonormal(vec3 v_1) {
    float sign_1 = ((v_1.z >= 0.0) ? 1.0 : -1.0);
    float a_1 = (-1.0 / (sign_1 + v_1.z));
    float b_1 = ((v_1.x * v_1.y) * a_1);
    return vec3(b_1, (sign_1 + ((v_1.y * v_1.y) * a_1)), -(v_1.y));
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

throng_ClipTiming throng_clip_timing(highp usampler2D tables_1, uint first_1, uint clip_1) {
    uvec4 _e6 = throng_table_get(tables_1, (first_1 + (clip_1 & 2147483647u)));
    return throng_ClipTiming(_e6.x, (_e6.y & 2147483647u), uintBitsToFloat(_e6.z), uintBitsToFloat(_e6.w), ((_e6.y >> 31u) != 0u));
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

vec3 throng_flat_tangent(vec3 tangent_1, vec3 normal_1) {
    vec3 flat_1 = (tangent_1 - (normal_1 * dot(normal_1, tangent_1)));
    bool is_rounding_1 = (dot(flat_1, flat_1) <= (1e-12 * dot(tangent_1, tangent_1)));
    vec3 _e10 = throng_any_orthonormal(normal_1);
    vec3 other_1 = ((dot(tangent_1, tangent_1) > 0.0) ? _e10 : vec3(0.0));
    vec3 _e20 = throng_unit_or((is_rounding_1 ? vec3(0.0) : flat_1), other_1);
    return _e20;
}

vec3 throng_tangent_mix(vec3 a_1, vec3 b_1, float f_1, vec3 normal_1) {
    if (true) {
        return vec3(0.0);
    }
    vec3 _e8 = throng_flat_tangent(mix(a_1, b_1, f_1), normal_1);
    return _e8;
}

throng_Deformed throng_deformed_mix(throng_Deformed a_1, throng_Deformed b_1, float f_1) {
    vec3 _e7 = throng_unit_or(mix(a_1.normal, b_1.normal, f_1), a_1.normal);
    vec3 _e13 = throng_tangent_mix(a_1.tangent, b_1.tangent, f_1, _e7);
    return throng_Deformed(mix(a_1.position, b_1.position, f_1), _e7, _e13);
}

throng_Instance throng_instance_unpack(uvec4 x_1, uvec4 y_1, uvec4 z_1, uvec4 a_1, uvec4 b_1, uvec4 c_1, uint index_1, uint now_1) {
    mat3x4 rows_1 = mat3x4(uintBitsToFloat(x_1), uintBitsToFloat(y_1), uintBitsToFloat(z_1));
    throng_Affine _e12 = throng_affine_from_rows(rows_1);
    uint _e13 = a_1.x;
    return throng_Instance(_e12, (vec4(_e13 & 0xFFu, _e13 >> 8 & 0xFFu, _e13 >> 16 & 0xFFu, _e13 >> 24) / 255.0), throng_Play(a_1.y, a_1.z, a_1.w), throng_Play(b_1.x, b_1.y, b_1.z), b_1.w, c_1.x, uintBitsToFloat(c_1.y), c_1.z, c_1.w, index_1, now_1);
}

throng_Deformed throng_instance_blend(throng_Instance instance_1, throng_Deformed bind_1, throng_Deformed animated_1) {
    bool is_animated_1 = (instance_1.fraction == 1.0);
    return throng_Deformed((is_animated_1 ? animated_1.position : mix(bind_1.position, animated_1.position, instance_1.fraction)), (is_animated_1 ? animated_1.normal : mix(bind_1.normal, animated_1.normal, instance_1.fraction)), (is_animated_1 ? animated_1.tangent : mix(bind_1.tangent, animated_1.tangent, instance_1.fraction)));
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

throng_Deformed throng_vertex_moment(throng_Play play_1, uint now_1, uvec2 items_1) {
    throng_ClipTiming _e3 = throng_play_timing(play_1);
    float _e4 = throng_play_time(play_1, _e3, now_1);
    throng_JointCurves tables_1 = throng_set_info.joint_curves;
    throng_Moment _e14 = throng_moment_find(throng_texels, tables_1.clip_table, tables_1.curves, (play_1.clip & 2147483647u), _e4);
    vec3 _e17 = throng_moment_vector(throng_texels, _e14, items_1.x);
    uint _e21 = throng_set_info.position_curves;
    vec3 _e24 = throng_moment_vector(throng_texels, _e14, (_e21 + items_1.y));
    vec4 range_1 = throng_set_info.vertex_curve_range;
    vec3 _e36 = throng_unit_or(_e24, vec3(0.0, 1.0, 0.0));
    return throng_Deformed((range_1.xyz + (range_1.w * _e17)), _e36, vec3(0.0));
}

throng_Deformed throng_deform(throng_VertexIn v_1, throng_Instance instance_1) {
    throng_Deformed deformed_1 = throng_Deformed(vec3(0.0), vec3(0.0), vec3(0.0));
    bool local_1 = false;
    throng_Deformed _e6 = throng_vertex_moment(instance_1.first, instance_1.now, v_1.indices.zw);
    deformed_1 = _e6;
    float _e8 = throng_instance_fade(instance_1);
    uint _e11 = throng_options.has_fades;
    if ((_e11 != 0u)) {
        local_1 = (_e8 != 0.0);
    } else {
        local_1 = false;
    }
    bool _e19 = local_1;
    if (_e19) {
        throng_Deformed _e20 = deformed_1;
        throng_Deformed _e25 = throng_vertex_moment(instance_1.second, instance_1.now, v_1.indices.zw);
        throng_Deformed _e26 = throng_deformed_mix(_e20, _e25, _e8);
        deformed_1 = _e26;
    }
    vec3 _e28 = deformed_1.position;
    deformed_1.position = (_e28 + v_1.position.xyz);
    throng_Deformed _e32 = deformed_1;
    return _e32;
}

throng_VertexIn throng_vertex_in(vec4 position_1, vec3 normal_1, uvec4 joints_1, vec4 weights_1, uvec4 indices_1) {
    return throng_VertexIn(position_1, normal_1, joints_1, weights_1, indices_1);
}

ThrongVertex throng_vertex_posed(throng_VertexIn v_1, throng_Instance instance_1) {
    throng_Deformed bind_1 = throng_Deformed(v_1.position.xyz, v_1.normal, vec3(0.0));
    throng_Deformed _e8 = throng_deform(v_1, instance_1);
    throng_Deformed _e9 = throng_instance_blend(instance_1, bind_1, _e8);
    vec3 _e13 = throng_unit_or(_e9.normal, v_1.normal);
    return ThrongVertex(_e9.position, _e13);
}

ThrongVertex throng_vertex(vec4 position_1, vec3 normal_1, uvec4 joints_1, vec4 weights_1, uvec4 indices_1, uint instance_1, uint now_1) {
    throng_VertexIn _e7 = throng_vertex_in(position_1, normal_1, joints_1, weights_1, indices_1);
    throng_Instance _e8 = throng_instance_at(instance_1, now_1);
    ThrongVertex _e9 = throng_vertex_posed(_e7, _e8);
    return _e9;
}

vec3 throng_position(vec4 position_1, vec3 normal_1, uvec4 joints_1, vec4 weights_1, uvec4 indices_1, uint instance_1, uint now_1) {
    ThrongVertex _e7 = throng_vertex(position_1, normal_1, joints_1, weights_1, indices_1, instance_1, now_1);
    return _e7.position;
}

vec3 throng_normal(vec4 position_1, vec3 normal_1, uvec4 joints_1, vec4 weights_1, uvec4 indices_1, uint instance_1, uint now_1) {
    ThrongVertex _e7 = throng_vertex(position_1, normal_1, joints_1, weights_1, indices_1, instance_1, now_1);
    return _e7.normal;
}

mat4x4 throng_world_from_model(uint instance_1) {
    throng_Instance _e1 = throng_instance_read(instance_1);
    throng_Affine matrix_1 = _e1.world_from_model;
    return mat4x4(vec4(matrix_1.linear[0], 0.0), vec4(matrix_1.linear[1], 0.0), vec4(matrix_1.linear[2], 0.0), vec4(matrix_1.translation, 1.0));
}

ThrongVertex throng_to_world(ThrongVertex vertex_1, uint instance_1) {
    throng_Instance _e2 = throng_instance_read(instance_1);
    throng_Affine matrix_1 = _e2.world_from_model;
    vec3 _e5 = throng_affine_point(matrix_1, vertex_1.position);
    vec3 _e7 = throng_affine_normal(matrix_1, vertex_1.normal);
    return ThrongVertex(_e5, _e7);
}

vec4 throng_tint(uint instance_1) {
    throng_Instance _e1 = throng_instance_read(instance_1);
    return _e1.tint;
}

uint throng_user(uint instance_1) {
    throng_Instance _e1 = throng_instance_read(instance_1);
    return _e1.user;
}

ThrongVertex throng_vertex_at(vec4 position_1, vec3 normal_1, uvec4 joints_1, vec4 weights_1, uvec4 indices_1, uint clip_1, float time_secs_1) {
    throng_Instance instance_1 = throng_Instance(throng_Affine(mat3x3(0.0), vec3(0.0)), vec4(0.0), throng_Play(0u, 0u, 0u), throng_Play(0u, 0u, 0u), 0u, 0u, 0.0, 0u, 0u, 0u, 0u);
    instance_1.first = throng_Play(clip_1, floatBitsToUint(time_secs_1), 0u);
    instance_1.fraction = 1.0;
    throng_VertexIn _e14 = throng_vertex_in(position_1, normal_1, joints_1, weights_1, indices_1);
    throng_Instance _e15 = instance_1;
    ThrongVertex _e16 = throng_vertex_posed(_e14, _e15);
    return _e16;
}
