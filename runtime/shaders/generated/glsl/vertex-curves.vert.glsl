#version 300 es
// Entry point draw_vertex, generated from WGSL by naga: do not edit. The function is named 'main'.
//   uniform block Camera_block_2Vertex   camera (group 0, binding 0)
//   uniform block SetInfo_block_1Vertex  set_info (group 1, binding 0)
//   texture _group_1_binding_1_vs        tables (group 1, binding 1)
//   texture _group_1_binding_2_vs        words (group 1, binding 2)
//   uniform block Frame_block_0Vertex    frame (group 1, binding 14)
//   uniform uint naga_vs_first_instance  index of the first instance of the draw, usually 0
//   attribute 0                          position
//   attribute 1                          normal
//   attribute 2                          uv
//   attribute 3                          color
//   attribute 4                          joints
//   attribute 5                          weights
//   attribute 6                          indices
//   attribute 7                          row_x
//   attribute 8                          row_y
//   attribute 9                          row_z
//   attribute 10                         play_a
//   attribute 11                         play_b
//   attribute 12                         extra

precision highp float;
precision highp int;

uniform uint naga_vs_first_instance;

struct Affine {
    mat3x3 linear;
    vec3 translation;
};
struct Play {
    uint clip;
    uint time;
    uint period;
};
struct ClipTiming {
    uint first_frame;
    uint frames;
    float rate_hz;
    float duration_secs;
    bool wraps;
};
struct Grid {
    uint first_column;
    uint first_row;
    uint columns;
    uint rows_per_frame;
    uint by_columns;
    uint height;
    uint layers;
    uint padding;
};
struct Codec {
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
struct CurveHeader {
    uvec3 widths;
    uvec3 residual_widths;
    uint offset;
    uint spans;
    uint degree;
    uint step_;
    bool has_reference;
};
struct ClipRecord {
    uint first_word;
    uint segments;
    float segments_per_sec;
    float duration_secs;
    uint present;
};
struct Moment {
    uint masks;
    uint row;
    float position;
};
struct FoundHeader {
    bool is_present;
    uint first_key_word;
    CurveHeader header;
};
struct JointCurves {
    uint clip_table;
    uint joint_table;
    uint record_words;
    uint curves;
    uint joints;
};
struct SetInfo {
    Grid grid;
    Grid normals;
    Grid morphs;
    Codec codec;
    JointCurves joint_curves;
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
struct Frame {
    uint now;
    uint previous_now;
    uint previous_first;
    uint previous_group;
    float deform_factor;
    uint count;
};
struct Deformed {
    vec3 position;
    vec3 normal;
    vec3 tangent;
};
struct Instance {
    Affine world_from_model;
    vec4 tint;
    Play first;
    Play second;
    uint fade_start;
    uint fade_duration;
    float fraction;
    uint user;
    uint group;
    uint index;
    uint now;
};
struct VertexIn {
    vec4 position;
    vec3 normal;
    vec2 uv;
    vec4 color;
    uvec4 joints;
    vec4 weights;
    uvec4 indices;
    uvec4 row_x;
    uvec4 row_y;
    uvec4 row_z;
    uvec4 play_a;
    uvec4 play_b;
    uvec4 extra;
    uint index;
    uint instance;
};
struct DrawOut {
    vec4 clip_position;
    vec3 world_position;
    vec3 normal;
    vec2 uv;
    vec4 color;
    vec4 tint;
    uint user;
};
struct Camera {
    mat4x4 clip_from_world;
};
const bool HAS_FADES = true;
const bool HAS_TANGENTS = false;
const uint MAX_INFLUENCES = 5u;
const uint BACKWARDS = 2147483648u;
const uint HELD_FADE = 4294967295u;
const uint BLOCK_CURVES = 32u;
const uint HEADER_WORDS = 2u;
const uint MASK_WORDS = 2u;
const uint CLIP_WORDS = 5u;
const uint REFERENCE_WIDTH = 10u;
const uint SHORT_SCALED_RECORD_WORDS = 6u;
const uint EXACT_SCALED_RECORD_WORDS = 12u;

layout(std140) uniform Frame_block_0Vertex { Frame _group_1_binding_14_vs; };

layout(std140) uniform SetInfo_block_1Vertex { SetInfo _group_1_binding_0_vs; };

uniform highp usampler2D _group_1_binding_1_vs;

uniform highp usampler2DArray _group_1_binding_2_vs;

layout(std140) uniform Camera_block_2Vertex { Camera _group_0_binding_0_vs; };

layout(location = 0) in vec4 _p2vs_location0;
layout(location = 1) in vec3 _p2vs_location1;
layout(location = 2) in vec2 _p2vs_location2;
layout(location = 3) in vec4 _p2vs_location3;
layout(location = 4) in uvec4 _p2vs_location4;
layout(location = 5) in vec4 _p2vs_location5;
layout(location = 6) in uvec4 _p2vs_location6;
layout(location = 7) in uvec4 _p2vs_location7;
layout(location = 8) in uvec4 _p2vs_location8;
layout(location = 9) in uvec4 _p2vs_location9;
layout(location = 10) in uvec4 _p2vs_location10;
layout(location = 11) in uvec4 _p2vs_location11;
layout(location = 12) in uvec4 _p2vs_location12;
smooth out vec3 _vs2fs_location0;
smooth out vec3 _vs2fs_location1;
smooth out vec2 _vs2fs_location3;
smooth out vec4 _vs2fs_location4;
flat out vec4 _vs2fs_location5;
flat out uint _vs2fs_location6;

Affine affine_from_rows(mat3x4 rows) {
    mat4x3 columns = transpose(rows);
    return Affine(mat3x3(columns[0], columns[1], columns[2]), columns[3]);
}

vec3 affine_point(Affine a, vec3 point) {
    return ((a.linear * point) + a.translation);
}

vec3 unit_or(vec3 v_1, vec3 fallback) {
    float square = dot(v_1, v_1);
    return ((square > 0.0) ? (v_1 * inversesqrt(square)) : fallback);
}

vec3 affine_normal(Affine a_1, vec3 normal) {
    mat3x3 m = a_1.linear;
    vec3 _e14 = unit_or((mat3x3(cross(m[1], m[2]), cross(m[2], m[0]), cross(m[0], m[1])) * normal), normal);
    return _e14;
}

vec3 any_orthonormal(vec3 v_2) {
    float sign_ = ((v_2.z >= 0.0) ? 1.0 : -1.0);
    float a_7 = (-1.0 / (sign_ + v_2.z));
    float b_4 = ((v_2.x * v_2.y) * a_7);
    return vec3(b_4, (sign_ + ((v_2.y * v_2.y) * a_7)), -(v_2.y));
}

uint divide(uint n, uint d) {
    uint guess = uint(int((float(int(n)) / float(int(d)))));
    int rest = int((n - (guess * d)));
    return ((guess + ((rest >= int(d)) ? 1u : 0u)) - ((rest < 0) ? 1u : 0u));
}

uint words_get(highp usampler2DArray words, uint word) {
    uvec2 size = uvec2(textureSize(words, 0).xy);
    uint _e4 = divide(word, size.x);
    uint _e6 = divide(_e4, size.y);
    uvec4 _e15 = texelFetch(words, ivec3(uvec2((word - (_e4 * size.x)), (_e4 - (_e6 * size.y))), _e6), 0);
    return _e15.x;
}

uint words_join(uint low, uint high, uint shift) {
    return ((low >> shift) | ((high << 1u) << (31u - shift)));
}

uint words_ones(uint bits) {
    uint pairs = (bits - ((bits >> 1u) & 1431655765u));
    uint fours = ((pairs & 858993459u) + ((pairs >> 2u) & 858993459u));
    return ((((fours + (fours >> 4u)) & 252645135u) * 16843009u) >> 24u);
}

float words_float(highp usampler2DArray words_1, uint word_1) {
    uint _e2 = words_get(words_1, word_1);
    return uintBitsToFloat(_e2);
}

float play_phase(Play play, bool wraps, uint now) {
    uint elapsed = (now - play.time);
    float cycles_per_tick = (1.0 / float(int(play.period)));
    int cycle = int((float(int((elapsed >> 1u))) * (2.0 * cycles_per_tick)));
    int in_cycle = int((elapsed - (uint(cycle) * play.period)));
    float clamped = clamp((float(int(elapsed)) * cycles_per_tick), 0.0, 1.0);
    float phase = (wraps ? fract((float(in_cycle) * cycles_per_tick)) : clamped);
    return (((play.clip & BACKWARDS) != 0u) ? (1.0 - phase) : phase);
}

float play_time(Play play_1, ClipTiming timing, uint now_1) {
    float _e4 = play_phase(play_1, timing.wraps, now_1);
    float playing = (_e4 * timing.duration_secs);
    return ((play_1.period == 0u) ? uintBitsToFloat(play_1.time) : playing);
}

float fade_weight(uint start, uint duration, uint now_2) {
    if ((duration == 0u)) {
        return 0.0;
    }
    float running = clamp((float(int((now_2 - start))) / float(duration)), 0.0, 1.0);
    return ((duration == HELD_FADE) ? uintBitsToFloat(start) : running);
}

uvec4 bits_get(highp usampler2D texels, uint at) {
    uvec4 _e8 = texelFetch(texels, ivec2(uvec2((at & 2047u), (at >> 11u))), 0);
    return _e8;
}

uvec4 table_get(highp usampler2D tables, uint at_1) {
    uvec4 _e2 = bits_get(tables, at_1);
    return _e2;
}

ClipTiming clip_timing(highp usampler2D tables_1, uint first, uint clip) {
    uvec4 _e6 = table_get(tables_1, (first + (clip & 2147483647u)));
    return ClipTiming(_e6.x, (_e6.y & 2147483647u), uintBitsToFloat(_e6.z), uintBitsToFloat(_e6.w), ((_e6.y >> 31u) != 0u));
}

CurveHeader curve_header_unpack(uint a_2, uint b) {
    return CurveHeader(uvec3((a_2 & 31u), ((a_2 >> 5u) & 31u), ((a_2 >> 10u) & 31u)), uvec3(((a_2 >> 15u) & 31u), ((a_2 >> 20u) & 31u), ((a_2 >> 25u) & 31u)), (b & 262143u), (((b >> 18u) & 63u) + 1u), (a_2 >> 30u), ((b >> 24u) & 127u), ((b >> 31u) == 1u));
}

float step_size(uint step_) {
    return uintBitsToFloat(((492u - step_) << 21u));
}

vec4 spline_weights(uint degree, float f) {
    float g = (1.0 - f);
    switch(degree) {
        case 0u: {
            return vec4(1.0, 0.0, 0.0, 0.0);
        }
        case 1u: {
            return vec4(g, f, 0.0, 0.0);
        }
        case 2u: {
            return vec4(((0.5 * g) * g), (0.5 + (f * g)), ((0.5 * f) * f), 0.0);
        }
        default: {
            return (vec4(((g * g) * g), (4.0 - (((3.0 * f) * f) * (1.0 + g))), (4.0 - (((3.0 * g) * g) * (1.0 + f))), ((f * f) * f)) / vec4(6.0));
        }
    }
}

vec3 read_vector(highp usampler2DArray words_2, uint first_word, uint bit, uvec3 widths) {
    uint word_2 = (first_word + (bit / 32u));
    uint shift_1 = (bit % 32u);
    uint _e11 = words_get(words_2, (word_2 + 1u));
    uint _e12 = words_get(words_2, word_2);
    uint _e13 = words_join(_e12, _e11, shift_1);
    uint _e16 = words_get(words_2, (word_2 + 2u));
    uint _e17 = words_join(_e11, _e16, shift_1);
    uint _e19 = words_join(_e13, _e17, widths.x);
    uint _e23 = words_join(_e19, (_e17 >> widths.x), widths.y);
    uvec3 bits_1 = (uvec3(_e13, _e19, _e23) & ((uvec3(1u) << widths) - uvec3(1u)));
    uvec3 middle = ((uvec3(1u) << widths) >> uvec3(1u));
    return vec3(ivec3((bits_1 - middle)));
}

vec3 read_key(highp usampler2DArray words_3, uint first_key_word, CurveHeader header, uint key) {
    bool local = false;
    uvec3 w = header.widths;
    uvec3 v_7 = header.residual_widths;
    uint full_bits = ((w.x + w.y) + w.z);
    bool is_odd = ((key & 1u) == 1u);
    if (is_odd) {
        local = ((key + 1u) < (header.spans + header.degree));
    } else {
        local = false;
    }
    bool is_residual = local;
    uint reference = (header.has_reference ? 30u : 0u);
    uint bit_1 = (((header.offset + reference) + ((key >> 1u) * (((full_bits + v_7.x) + v_7.y) + v_7.z))) + (is_odd ? full_bits : 0u));
    vec3 _e45 = read_vector(words_3, first_key_word, bit_1, (is_residual ? v_7 : w));
    return _e45;
}

vec3 vector_curve(highp usampler2DArray words_4, uint first_key_word_1, CurveHeader header_1, float position) {
    vec4 weights = vec4(0.0);
    float last_weight = 0.0;
    vec3 full = vec3(0.0);
    vec3 sum = vec3(0.0);
    uint odd = 0u;
    vec3 key_1 = vec3(0.0);
    int spans = int(header_1.spans);
    float along = (position * float(spans));
    int span = min(int(along), (spans - 1));
    uint first_1 = uint(span);
    uint last = ((header_1.spans + header_1.degree) - 1u);
    uint end = (first_1 + header_1.degree);
    uint start_1 = (first_1 & 4294967294u);
    vec4 _e25 = spline_weights(header_1.degree, (along - float(span)));
    bool is_odd_1 = (first_1 != start_1);
    weights = (is_odd_1 ? vec4(0.0, _e25.xyz) : _e25);
    last_weight = (is_odd_1 ? _e25.w : 0.0);
    vec3 _e36 = read_key(words_4, first_key_word_1, header_1, start_1);
    full = _e36;
    float _e39 = weights.x;
    vec3 _e40 = full;
    sum = (_e39 * _e40);
    odd = (start_1 + 1u);
    bool loop_init = true;
    while(true) {
        if (!loop_init) {
            uint _e80 = odd;
            odd = (_e80 + 2u);
        }
        loop_init = false;
        uint _e46 = odd;
        if ((_e46 <= end)) {
        } else {
            break;
        }
        {
            uint _e48 = odd;
            vec3 _e49 = read_key(words_4, first_key_word_1, header_1, _e48);
            key_1 = _e49;
            uint _e51 = odd;
            if ((_e51 < last)) {
                uint _e53 = odd;
                vec3 _e56 = read_key(words_4, first_key_word_1, header_1, (_e53 + 1u));
                vec3 _e57 = key_1;
                vec3 _e58 = full;
                key_1 = (_e57 + (0.5 * (_e58 + _e56)));
                full = _e56;
            }
            vec3 _e63 = sum;
            float _e65 = weights.y;
            vec3 _e66 = key_1;
            float _e69 = weights.z;
            vec3 _e70 = full;
            sum = (_e63 + ((_e65 * _e66) + (_e69 * _e70)));
            vec4 _e74 = weights;
            float _e76 = last_weight;
            weights = vec4(_e74.zw, _e76, 0.0);
            last_weight = 0.0;
        }
    }
    vec3 _e83 = sum;
    float _e85 = step_size(header_1.step_);
    return (_e83 * _e85);
}

vec3 read_reference(highp usampler2DArray words_5, uint first_key_word_2, CurveHeader header_2) {
    vec3 _e6 = read_vector(words_5, first_key_word_2, header_2.offset, uvec3(10u));
    return (_e6 / vec3(512.0));
}

uint row_words(uint present) {
    return ((present * HEADER_WORDS) + (((present + BLOCK_CURVES) - 1u) / BLOCK_CURVES));
}

uint mask_words(uint curves) {
    return ((((curves + BLOCK_CURVES) - 1u) / BLOCK_CURVES) * MASK_WORDS);
}

ClipRecord clip_record_read(highp usampler2DArray words_6, uint clip_table, uint clip_1) {
    uint at_2 = (clip_table + (clip_1 * CLIP_WORDS));
    uint _e6 = words_get(words_6, at_2);
    uint _e9 = words_get(words_6, (at_2 + 1u));
    float _e12 = words_float(words_6, (at_2 + 2u));
    float _e15 = words_float(words_6, (at_2 + 3u));
    uint _e18 = words_get(words_6, (at_2 + 4u));
    return ClipRecord(_e6, _e9, _e12, _e15, _e18);
}

Moment moment_find(highp usampler2DArray words_7, uint clip_table_1, uint curves_1, uint clip_2, float time_secs) {
    ClipRecord _e5 = clip_record_read(words_7, clip_table_1, clip_2);
    float position_1 = (clamp(time_secs, 0.0, _e5.duration_secs) * _e5.segments_per_sec);
    int segment = min(int(position_1), (int(_e5.segments) - 1));
    uint _e18 = mask_words(curves_1);
    uint _e22 = row_words(_e5.present);
    uint row = ((_e5.first_word + _e18) + (uint(segment) * _e22));
    return Moment(_e5.first_word, row, min((position_1 - float(segment)), 1.0));
}

FoundHeader moment_header(highp usampler2DArray words_8, Moment moment, uint curve) {
    FoundHeader found = FoundHeader(false, 0u, CurveHeader(uvec3(0u), uvec3(0u), 0u, 0u, 0u, 0u, false));
    uint at_3 = (moment.masks + ((curve / BLOCK_CURVES) * MASK_WORDS));
    uint _e10 = words_get(words_8, at_3);
    uint bit_2 = (1u << (curve % BLOCK_CURVES));
    found.is_present = ((_e10 & bit_2) != 0u);
    bool _e20 = found.is_present;
    if (_e20) {
        uint _e23 = words_get(words_8, (at_3 + 1u));
        uint _e27 = words_ones((_e10 & (bit_2 - 1u)));
        uint rank = (_e23 + _e27);
        uint block = (moment.row + ((rank / BLOCK_CURVES) * 65u));
        uint header_3 = ((block + 1u) + ((rank % BLOCK_CURVES) * HEADER_WORDS));
        uint _e43 = words_get(words_8, block);
        found.first_key_word = _e43;
        uint _e45 = words_get(words_8, header_3);
        uint _e48 = words_get(words_8, (header_3 + 1u));
        CurveHeader _e49 = curve_header_unpack(_e45, _e48);
        found.header = _e49;
    }
    FoundHeader _e50 = found;
    return _e50;
}

vec3 moment_vector(highp usampler2DArray words_9, Moment moment_1, uint curve_1) {
    vec3 value = vec3(0.0);
    FoundHeader _e3 = moment_header(words_9, moment_1, curve_1);
    if (!(_e3.is_present)) {
        return vec3(0.0);
    }
    vec3 _e11 = vector_curve(words_9, _e3.first_key_word, _e3.header, moment_1.position);
    value = _e11;
    if (_e3.header.has_reference) {
        vec3 _e15 = value;
        vec3 _e18 = read_reference(words_9, _e3.first_key_word, _e3.header);
        value = (_e15 + _e18);
    }
    vec3 _e20 = value;
    return _e20;
}

vec3 flat_tangent(vec3 tangent, vec3 normal_1) {
    vec3 flat_ = (tangent - (normal_1 * dot(normal_1, tangent)));
    bool is_rounding = (dot(flat_, flat_) <= (1e-12 * dot(tangent, tangent)));
    vec3 _e10 = any_orthonormal(normal_1);
    vec3 other = ((dot(tangent, tangent) > 0.0) ? _e10 : vec3(0.0));
    vec3 _e20 = unit_or((is_rounding ? vec3(0.0) : flat_), other);
    return _e20;
}

vec3 affine_tangent(Affine a_3, vec3 tangent_1, vec3 normal_2) {
    if (true) {
        return vec3(0.0);
    }
    vec3 _e8 = flat_tangent((a_3.linear * tangent_1), normal_2);
    return _e8;
}

vec3 tangent_mix(vec3 a_4, vec3 b_1, float f_1, vec3 normal_3) {
    if (true) {
        return vec3(0.0);
    }
    vec3 _e8 = flat_tangent(mix(a_4, b_1, f_1), normal_3);
    return _e8;
}

Deformed deformed_mix(Deformed a_5, Deformed b_2, float f_2) {
    vec3 _e7 = unit_or(mix(a_5.normal, b_2.normal, f_2), a_5.normal);
    vec3 _e13 = tangent_mix(a_5.tangent, b_2.tangent, f_2, _e7);
    return Deformed(mix(a_5.position, b_2.position, f_2), _e7, _e13);
}

Instance instance_unpack(uvec4 x, uvec4 y, uvec4 z, uvec4 a_6, uvec4 b_3, uvec4 c, uint index, uint now_3) {
    mat3x4 rows_1 = mat3x4(uintBitsToFloat(x), uintBitsToFloat(y), uintBitsToFloat(z));
    Affine _e12 = affine_from_rows(rows_1);
    uint _e13 = a_6.x;
    return Instance(_e12, (vec4(_e13 & 0xFFu, _e13 >> 8 & 0xFFu, _e13 >> 16 & 0xFFu, _e13 >> 24) / 255.0), Play(a_6.y, a_6.z, a_6.w), Play(b_3.x, b_3.y, b_3.z), b_3.w, c.x, uintBitsToFloat(c.y), c.z, c.w, index, now_3);
}

Deformed instance_blend(Instance instance, Deformed bind, Deformed animated) {
    bool is_animated = (instance.fraction == 1.0);
    return Deformed((is_animated ? animated.position : mix(bind.position, animated.position, instance.fraction)), (is_animated ? animated.normal : mix(bind.normal, animated.normal, instance.fraction)), (is_animated ? animated.tangent : mix(bind.tangent, animated.tangent, instance.fraction)));
}

Deformed instance_transform(Instance instance_1, Deformed bind_1, Deformed animated_1) {
    Deformed _e3 = instance_blend(instance_1, bind_1, animated_1);
    vec3 _e6 = affine_normal(instance_1.world_from_model, _e3.normal);
    vec3 _e9 = affine_point(instance_1.world_from_model, _e3.position);
    vec3 _e12 = affine_tangent(instance_1.world_from_model, _e3.tangent, _e6);
    return Deformed(_e9, _e6, _e12);
}

ClipTiming play_timing(Play play_2) {
    uint _e4 = _group_1_binding_0_vs.clip_table;
    ClipTiming _e6 = clip_timing(_group_1_binding_1_vs, _e4, play_2.clip);
    return _e6;
}

float instance_fade(Instance instance_2) {
    if (false) {
        return 0.0;
    }
    float _e6 = fade_weight(instance_2.fade_start, instance_2.fade_duration, instance_2.now);
    return _e6;
}

Deformed vertex_moment(Play play_3, uint now_4, uvec2 items) {
    ClipTiming _e3 = play_timing(play_3);
    float _e4 = play_time(play_3, _e3, now_4);
    JointCurves tables_3 = _group_1_binding_0_vs.joint_curves;
    Moment _e14 = moment_find(_group_1_binding_2_vs, tables_3.clip_table, tables_3.curves, (play_3.clip & 2147483647u), _e4);
    vec3 _e17 = moment_vector(_group_1_binding_2_vs, _e14, items.x);
    uint _e21 = _group_1_binding_0_vs.position_curves;
    vec3 _e24 = moment_vector(_group_1_binding_2_vs, _e14, (_e21 + items.y));
    vec4 range = _group_1_binding_0_vs.vertex_curve_range;
    vec3 _e36 = unit_or(_e24, vec3(0.0, 1.0, 0.0));
    return Deformed((range.xyz + (range.w * _e17)), _e36, vec3(0.0));
}

Deformed deform(VertexIn v_3, Instance instance_3) {
    Deformed deformed = Deformed(vec3(0.0), vec3(0.0), vec3(0.0));
    bool local_1 = false;
    Deformed _e6 = vertex_moment(instance_3.first, instance_3.now, v_3.indices.zw);
    deformed = _e6;
    float _e8 = instance_fade(instance_3);
    if (HAS_FADES) {
        local_1 = (_e8 != 0.0);
    } else {
        local_1 = false;
    }
    bool _e15 = local_1;
    if (_e15) {
        Deformed _e16 = deformed;
        Deformed _e21 = vertex_moment(instance_3.second, instance_3.now, v_3.indices.zw);
        Deformed _e22 = deformed_mix(_e16, _e21, _e8);
        deformed = _e22;
    }
    vec3 _e24 = deformed.position;
    deformed.position = (_e24 + v_3.position.xyz);
    Deformed _e28 = deformed;
    return _e28;
}

Instance vertex_instance(VertexIn v_4) {
    uint _e10 = _group_1_binding_14_vs.now;
    Instance _e11 = instance_unpack(v_4.row_x, v_4.row_y, v_4.row_z, v_4.play_a, v_4.play_b, v_4.extra, v_4.instance, _e10);
    return _e11;
}

vec3 vertex_tangent(VertexIn v_5) {
    return vec3(0.0);
}

Deformed vertex_deformed(VertexIn v_6, Instance instance_4) {
    vec3 _e5 = vertex_tangent(v_6);
    Deformed bind_2 = Deformed(v_6.position.xyz, v_6.normal, _e5);
    Deformed _e7 = deform(v_6, instance_4);
    Deformed _e8 = instance_transform(instance_4, bind_2, _e7);
    return _e8;
}

vec4 clip_position(vec3 world_position) {
    mat4x4 _e3 = _group_0_binding_0_vs.clip_from_world;
    return (_e3 * vec4(world_position, 1.0));
}

void main() {
    VertexIn v = VertexIn(_p2vs_location0, _p2vs_location1, _p2vs_location2, _p2vs_location3, _p2vs_location4, _p2vs_location5, _p2vs_location6, _p2vs_location7, _p2vs_location8, _p2vs_location9, _p2vs_location10, _p2vs_location11, _p2vs_location12, uint(gl_VertexID), (uint(gl_InstanceID) + naga_vs_first_instance));
    DrawOut out_ = DrawOut(vec4(0.0), vec3(0.0), vec3(0.0), vec2(0.0), vec4(0.0), vec4(0.0), 0u);
    Instance _e1 = vertex_instance(v);
    Deformed _e2 = vertex_deformed(v, _e1);
    vec4 _e6 = clip_position(_e2.position);
    out_.clip_position = _e6;
    out_.world_position = _e2.position;
    out_.normal = _e2.normal;
    out_.uv = v.uv;
    out_.color = v.color;
    out_.tint = _e1.tint;
    out_.user = _e1.user;
    DrawOut _e19 = out_;
    gl_Position = _e19.clip_position;
    _vs2fs_location0 = _e19.world_position;
    _vs2fs_location1 = _e19.normal;
    _vs2fs_location3 = _e19.uv;
    _vs2fs_location4 = _e19.color;
    _vs2fs_location5 = _e19.tint;
    _vs2fs_location6 = _e19.user;
    return;
}

