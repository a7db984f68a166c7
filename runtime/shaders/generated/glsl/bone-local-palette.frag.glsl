#version 300 es
// Entry point fill_palette_fragment, generated from WGSL by naga: do not edit. The function is named 'main'.
//   uniform block SetInfo_block_1Fragment  set_info (group 1, binding 0)
//   texture _group_1_binding_1_fs          tables (group 1, binding 1)
//   texture _group_1_binding_2_fs          words (group 1, binding 2)
//   texture _group_1_binding_7_fs          instances (group 1, binding 7)
//   uniform block Frame_block_0Fragment    frame (group 1, binding 14)

precision highp float;
precision highp int;

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
    vec3 reference;
    uvec3 widths;
    uint offset;
    uint spans;
    uint degree;
    uint step_;
};
struct SpanWeights {
    uint span;
    vec4 weights;
};
struct ClipRecord {
    uint first_row;
    uint segments;
    float segments_per_sec;
    float duration_secs;
};
struct Moment {
    uint row;
    float position;
};
struct FoundHeader {
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
struct JointRecord {
    uint parent;
    uint first_curve;
    bvec3 has_curve;
    vec3 translation;
    float translation_extent;
    vec3 rotation;
    vec3 scale;
    float scale_extent;
};
struct LocalJoint {
    vec3 translation;
    vec4 rotation;
    vec3 scale;
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
struct Pose {
    Moment first;
    Moment second;
    float fade;
};
const bool HAS_FADES = true;
const bool HAS_TANGENTS = false;
const uint MAX_INFLUENCES = 5u;
const uint BACKWARDS = 2147483648u;
const uint HELD_FADE = 4294967295u;
const uint BLOCK_CURVES = 64u;
const uint HEADER_WORDS = 3u;
const uint CLIP_WORDS = 4u;
const uint SCALED_RECORD_WORDS = 12u;

layout(std140) uniform Frame_block_0Fragment { Frame _group_1_binding_14_fs; };

layout(std140) uniform SetInfo_block_1Fragment { SetInfo _group_1_binding_0_fs; };

uniform highp usampler2D _group_1_binding_1_fs;

uniform highp usampler2DArray _group_1_binding_2_fs;

uniform highp usampler2D _group_1_binding_7_fs;

layout(location = 0) out uvec4 _fs2p_location0;

vec4 quat_mul(vec4 a, vec4 b) {
    return vec4((((a.w * b.xyz) + (b.w * a.xyz)) + cross(a.xyz, b.xyz)), ((a.w * b.w) - dot(a.xyz, b.xyz)));
}

float quat_matrix_scale(vec4 q) {
    float square_1 = dot(q, q);
    return ((square_1 < 1e-24) ? 0.0 : (2.0 / square_1));
}

mat3x3 mat3_from_scaled(vec4 q_1, float scale) {
    vec3 scaled = (q_1.xyz * scale);
    float xx = (q_1.x * scaled.x);
    float xy = (q_1.x * scaled.y);
    float xz = (q_1.x * scaled.z);
    float yy = (q_1.y * scaled.y);
    float yz = (q_1.y * scaled.z);
    float zz = (q_1.z * scaled.z);
    vec3 w = (q_1.w * scaled);
    return mat3x3(vec3((1.0 - (yy + zz)), (xy + w.z), (xz - w.y)), vec3((xy - w.z), (1.0 - (xx + zz)), (yz + w.x)), vec3((xz + w.y), (yz - w.x), (1.0 - (xx + yy))));
}

mat3x3 mat3_from_quat(vec4 q_2) {
    float _e1 = quat_matrix_scale(q_2);
    mat3x3 _e2 = mat3_from_scaled(q_2, _e1);
    return _e2;
}

vec4 quat_from_mrp_unnormalized(vec3 p, float square) {
    return vec4((2.0 * p), (1.0 - square));
}

vec4 quat_from_mrp(vec3 p_1) {
    float square_2 = dot(p_1, p_1);
    vec4 _e2 = quat_from_mrp_unnormalized(p_1, square_2);
    return (_e2 * (1.0 / (1.0 + square_2)));
}

vec4 quat_aligned(vec4 a_1, vec4 b_1) {
    return ((dot(a_1, b_1) < 0.0) ? -(b_1) : b_1);
}

vec4 quat_nlerp(vec4 a_2, vec4 b_2, float f) {
    vec4 _e3 = quat_aligned(a_2, b_2);
    return normalize(mix(a_2, _e3, f));
}

Affine affine_mul(Affine a_3, Affine b_3) {
    return Affine((a_3.linear * b_3.linear), ((a_3.linear * b_3.translation) + a_3.translation));
}

mat3x4 affine_to_rows(Affine a_4) {
    return transpose(mat4x3(a_4.linear[0], a_4.linear[1], a_4.linear[2], a_4.translation));
}

Affine affine_from_rows(mat3x4 rows) {
    mat4x3 columns = transpose(rows);
    return Affine(mat3x3(columns[0], columns[1], columns[2]), columns[3]);
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

uint words_bits(highp usampler2DArray words_1, uint first_word, uint bit, uint width) {
    uint bits = 0u;
    if ((width == 0u)) {
        return 0u;
    }
    uint word_3 = (first_word + (bit / 32u));
    uint shift = (bit % 32u);
    uint _e12 = words_get(words_1, word_3);
    bits = (_e12 >> shift);
    if (((shift + width) > 32u)) {
        uint _e18 = bits;
        uint _e21 = words_get(words_1, (word_3 + 1u));
        bits = (_e18 | (_e21 << (32u - shift)));
    }
    uint _e26 = bits;
    return (_e26 & ((1u << width) - 1u));
}

float words_float(highp usampler2DArray words_2, uint word_1) {
    uint _e2 = words_get(words_2, word_1);
    return uintBitsToFloat(_e2);
}

vec3 words_vector(highp usampler2DArray words_3, uint word_2) {
    float _e2 = words_float(words_3, word_2);
    float _e5 = words_float(words_3, (word_2 + 1u));
    float _e8 = words_float(words_3, (word_2 + 2u));
    return vec3(_e2, _e5, _e8);
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

uvec4 bits_get(highp usampler2D texels, uint at_1) {
    uvec4 _e8 = texelFetch(texels, ivec2(uvec2((at_1 & 2047u), (at_1 >> 11u))), 0);
    return _e8;
}

uvec4 table_get(highp usampler2D tables, uint at_2) {
    uvec4 _e2 = bits_get(tables, at_2);
    return _e2;
}

vec4 table_floats(highp usampler2D tables_1, uint at_3) {
    uvec4 _e2 = table_get(tables_1, at_3);
    return uintBitsToFloat(_e2);
}

ClipTiming clip_timing(highp usampler2D tables_2, uint first, uint clip) {
    uvec4 _e6 = table_get(tables_2, (first + (clip & 2147483647u)));
    return ClipTiming(_e6.x, (_e6.y & 2147483647u), uintBitsToFloat(_e6.z), uintBitsToFloat(_e6.w), ((_e6.y >> 31u) != 0u));
}

Affine table_affine(highp usampler2D tables_3, uint at_4) {
    vec4 _e2 = table_floats(tables_3, at_4);
    vec4 _e5 = table_floats(tables_3, (at_4 + 1u));
    vec4 _e8 = table_floats(tables_3, (at_4 + 2u));
    Affine _e10 = affine_from_rows(mat3x4(_e2, _e5, _e8));
    return _e10;
}

CurveHeader curve_header_unpack(uint a_5, uint b_4, uint c) {
    uvec3 reference = uvec3((a_5 & 65535u), (a_5 >> 16u), (b_4 & 65535u));
    return CurveHeader(((vec3(reference) - vec3(32768.0)) / vec3(32768.0)), uvec3(((b_4 >> 16u) & 31u), ((b_4 >> 21u) & 31u), ((b_4 >> 26u) & 31u)), (c & 524287u), (((c >> 19u) & 63u) + 1u), ((c >> 25u) & 3u), (c >> 27u));
}

float step_size(uint step_) {
    return uintBitsToFloat(((123u - step_) << 23u));
}

vec4 spline_weights(uint degree, float f_1) {
    float g = (1.0 - f_1);
    switch(degree) {
        case 0u: {
            return vec4(1.0, 0.0, 0.0, 0.0);
        }
        case 1u: {
            return vec4(g, f_1, 0.0, 0.0);
        }
        case 2u: {
            return vec4(((0.5 * g) * g), (0.5 + (f_1 * g)), ((0.5 * f_1) * f_1), 0.0);
        }
        default: {
            return (vec4(((g * g) * g), (4.0 - (((3.0 * f_1) * f_1) * (1.0 + g))), (4.0 - (((3.0 * g) * g) * (1.0 + f_1))), ((f_1 * f_1) * f_1)) / vec4(6.0));
        }
    }
}

float key_component(highp usampler2DArray words_4, uint first_key_word, uint bit_1, uint width_1) {
    if ((width_1 == 0u)) {
        return 0.0;
    }
    uint middle = (1u << (width_1 - 1u));
    uint _e11 = words_bits(words_4, first_key_word, bit_1, width_1);
    return float(int((_e11 - middle)));
}

vec3 read_key(highp usampler2DArray words_5, uint first_key_word_1, CurveHeader header, uint key) {
    uvec3 w_1 = header.widths;
    uint bit_2 = (header.offset + (key * ((w_1.x + w_1.y) + w_1.z)));
    float _e14 = key_component(words_5, first_key_word_1, bit_2, w_1.x);
    float _e18 = key_component(words_5, first_key_word_1, (bit_2 + w_1.x), w_1.y);
    float _e24 = key_component(words_5, first_key_word_1, ((bit_2 + w_1.x) + w_1.y), w_1.z);
    float _e27 = step_size(header.step_);
    return (vec3(_e14, _e18, _e24) * _e27);
}

SpanWeights span_weights(CurveHeader header_1, float position) {
    int spans = int(header_1.spans);
    float along = (position * float(spans));
    int span = min(int(along), (spans - 1));
    vec4 _e14 = spline_weights(header_1.degree, (along - float(span)));
    return SpanWeights(uint(span), _e14);
}

vec3 vector_curve(highp usampler2DArray words_6, uint first_key_word_2, CurveHeader header_2, float position_1) {
    vec3 sum = vec3(0.0);
    uint key_1 = 0u;
    SpanWeights _e4 = span_weights(header_2, position_1);
    bool loop_init = true;
    while(true) {
        if (!loop_init) {
            uint _e24 = key_1;
            key_1 = (_e24 + 1u);
        }
        loop_init = false;
        uint _e10 = key_1;
        if ((_e10 <= header_2.degree)) {
        } else {
            break;
        }
        {
            vec3 _e13 = sum;
            uint _e15 = key_1;
            uint _e18 = key_1;
            vec3 _e20 = read_key(words_6, first_key_word_2, header_2, (_e4.span + _e18));
            sum = (_e13 + (_e4.weights[_e15] * _e20));
        }
    }
    vec3 _e26 = sum;
    return _e26;
}

vec4 rotation_curve(highp usampler2DArray words_7, uint first_key_word_3, CurveHeader header_3, float position_2) {
    vec4 sum_1 = vec4(0.0);
    uint key_2 = 0u;
    SpanWeights _e4 = span_weights(header_3, position_2);
    bool loop_init_1 = true;
    while(true) {
        if (!loop_init_1) {
            uint _e25 = key_2;
            key_2 = (_e25 + 1u);
        }
        loop_init_1 = false;
        uint _e10 = key_2;
        if ((_e10 <= header_3.degree)) {
        } else {
            break;
        }
        {
            uint _e14 = key_2;
            vec3 _e16 = read_key(words_7, first_key_word_3, header_3, (_e4.span + _e14));
            vec4 _e17 = sum_1;
            uint _e19 = key_2;
            vec4 _e21 = quat_from_mrp(_e16);
            sum_1 = (_e17 + (_e4.weights[_e19] * _e21));
        }
    }
    vec4 _e27 = sum_1;
    vec4 _e28 = sum_1;
    return (_e27 / vec4(length(_e28)));
}

uint row_words(uint curves) {
    return ((curves * HEADER_WORDS) + (((curves + BLOCK_CURVES) - 1u) / BLOCK_CURVES));
}

ClipRecord clip_record_read(highp usampler2DArray words_8, uint clip_table, uint clip_1) {
    uint at_6 = (clip_table + (clip_1 * CLIP_WORDS));
    uint _e6 = words_get(words_8, at_6);
    uint _e9 = words_get(words_8, (at_6 + 1u));
    float _e12 = words_float(words_8, (at_6 + 2u));
    float _e15 = words_float(words_8, (at_6 + 3u));
    return ClipRecord(_e6, _e9, _e12, _e15);
}

Moment moment_find(highp usampler2DArray words_9, uint clip_table_1, uint curves_1, uint clip_2, float time_secs) {
    ClipRecord _e5 = clip_record_read(words_9, clip_table_1, clip_2);
    float position_3 = (clamp(time_secs, 0.0, _e5.duration_secs) * _e5.segments_per_sec);
    int segment = min(int(position_3), (int(_e5.segments) - 1));
    uint _e19 = row_words(curves_1);
    uint row = (_e5.first_row + (uint(segment) * _e19));
    return Moment(row, min((position_3 - float(segment)), 1.0));
}

FoundHeader moment_header(highp usampler2DArray words_10, Moment moment, uint curve) {
    uint block = (moment.row + ((curve / BLOCK_CURVES) * 193u));
    uint at_7 = ((block + 1u) + ((curve % BLOCK_CURVES) * HEADER_WORDS));
    uint _e16 = words_get(words_10, at_7);
    uint _e19 = words_get(words_10, (at_7 + 1u));
    uint _e22 = words_get(words_10, (at_7 + 2u));
    CurveHeader _e23 = curve_header_unpack(_e16, _e19, _e22);
    uint _e24 = words_get(words_10, block);
    return FoundHeader(_e24, _e23);
}

vec3 moment_vector(highp usampler2DArray words_11, Moment moment_1, uint curve_1) {
    FoundHeader _e3 = moment_header(words_11, moment_1, curve_1);
    vec3 _e7 = vector_curve(words_11, _e3.first_key_word, _e3.header, moment_1.position);
    return (_e3.header.reference + _e7);
}

vec4 moment_rotation(highp usampler2DArray words_12, Moment moment_2, uint curve_2) {
    FoundHeader _e3 = moment_header(words_12, moment_2, curve_2);
    vec4 _e7 = rotation_curve(words_12, _e3.first_key_word, _e3.header, moment_2.position);
    vec4 _e10 = quat_from_mrp(_e3.header.reference);
    vec4 _e11 = quat_mul(_e10, _e7);
    return _e11;
}

JointRecord joint_record_read(highp usampler2DArray words_13, uint joint_table, uint record_words, uint joint) {
    JointRecord record = JointRecord(0u, 0u, bvec3(false), vec3(0.0), 0.0, vec3(0.0), vec3(0.0), 0.0);
    uint at_8 = (joint_table + (joint * record_words));
    uint _e6 = words_get(words_13, at_8);
    uint _e9 = words_get(words_13, (at_8 + 1u));
    record.parent = (_e6 & 16777215u);
    record.first_curve = (_e9 & 536870911u);
    record.has_curve = notEqual((uvec3(_e9) & uvec3(536870912u, 1073741824u, 2147483648u)), uvec3(0u));
    vec3 _e30 = words_vector(words_13, (at_8 + 2u));
    record.translation = _e30;
    record.translation_extent = uintBitsToFloat(((_e6 >> 24u) << 23u));
    vec3 _e40 = words_vector(words_13, (at_8 + 5u));
    record.rotation = _e40;
    record.scale = vec3(1.0);
    if ((record_words == SCALED_RECORD_WORDS)) {
        vec3 _e49 = words_vector(words_13, (at_8 + 8u));
        record.scale = _e49;
        float _e53 = words_float(words_13, (at_8 + 11u));
        record.scale_extent = _e53;
    }
    JointRecord _e54 = record;
    return _e54;
}

Affine local_joint_to_affine(LocalJoint joint_1) {
    mat3x3 _e2 = mat3_from_quat(joint_1.rotation);
    vec3 s = joint_1.scale;
    return Affine(mat3x3((_e2[0] * s.x), (_e2[1] * s.y), (_e2[2] * s.z)), joint_1.translation);
}

LocalJoint local_joint(highp usampler2DArray words_14, JointRecord record_1, Moment moment_3) {
    LocalJoint joint_2 = LocalJoint(vec3(0.0), vec4(0.0), vec3(0.0));
    uint curve_3 = 0u;
    curve_3 = record_1.first_curve;
    if (record_1.has_curve.x) {
        uint _e9 = curve_3;
        vec4 _e10 = moment_rotation(words_14, moment_3, _e9);
        joint_2.rotation = _e10;
        uint _e12 = curve_3;
        curve_3 = (_e12 + 1u);
    } else {
        vec4 _e16 = quat_from_mrp(record_1.rotation);
        joint_2.rotation = _e16;
    }
    joint_2.translation = record_1.translation;
    if (record_1.has_curve.y) {
        vec3 _e22 = joint_2.translation;
        uint _e24 = curve_3;
        vec3 _e25 = moment_vector(words_14, moment_3, _e24);
        joint_2.translation = (_e22 + (record_1.translation_extent * _e25));
        uint _e29 = curve_3;
        curve_3 = (_e29 + 1u);
    }
    joint_2.scale = record_1.scale;
    if (record_1.has_curve.z) {
        vec3 _e36 = joint_2.scale;
        uint _e38 = curve_3;
        vec3 _e39 = moment_vector(words_14, moment_3, _e38);
        joint_2.scale = (_e36 + (record_1.scale_extent * _e39));
    }
    LocalJoint _e42 = joint_2;
    return _e42;
}

LocalJoint local_joint_mix(LocalJoint a_6, LocalJoint b_5, float f_2) {
    vec4 _e8 = quat_nlerp(a_6.rotation, b_5.rotation, f_2);
    return LocalJoint(mix(a_6.translation, b_5.translation, f_2), _e8, mix(a_6.scale, b_5.scale, f_2));
}

bool frame_is_gap(Frame frame, uint index) {
    bool local = false;
    if ((index >= frame.count)) {
        local = (index < frame.previous_first);
    } else {
        local = false;
    }
    bool _e9 = local;
    return _e9;
}

Instance instance_unpack(uvec4 x, uvec4 y, uvec4 z, uvec4 a_7, uvec4 b_6, uvec4 c_1, uint index_1, uint now_3) {
    mat3x4 rows_1 = mat3x4(uintBitsToFloat(x), uintBitsToFloat(y), uintBitsToFloat(z));
    Affine _e12 = affine_from_rows(rows_1);
    uint _e13 = a_7.x;
    return Instance(_e12, (vec4(_e13 & 0xFFu, _e13 >> 8 & 0xFFu, _e13 >> 16 & 0xFFu, _e13 >> 24) / 255.0), Play(a_7.y, a_7.z, a_7.w), Play(b_6.x, b_6.y, b_6.z), b_6.w, c_1.x, uintBitsToFloat(c_1.y), c_1.z, c_1.w, index_1, now_3);
}

ClipTiming play_timing(Play play_2) {
    uint _e4 = _group_1_binding_0_fs.clip_table;
    ClipTiming _e6 = clip_timing(_group_1_binding_1_fs, _e4, play_2.clip);
    return _e6;
}

float instance_fade(Instance instance) {
    if (false) {
        return 0.0;
    }
    float _e6 = fade_weight(instance.fade_start, instance.fade_duration, instance.now);
    return _e6;
}

Moment play_moment(Play play_3, uint now_4) {
    ClipTiming _e2 = play_timing(play_3);
    float _e3 = play_time(play_3, _e2, now_4);
    JointCurves tables_5 = _group_1_binding_0_fs.joint_curves;
    Moment _e13 = moment_find(_group_1_binding_2_fs, tables_5.clip_table, tables_5.curves, (play_3.clip & 2147483647u), _e3);
    return _e13;
}

Pose pose_of(Instance instance_1) {
    bool local_1 = false;
    float _e1 = instance_fade(instance_1);
    Moment _e4 = play_moment(instance_1.first, instance_1.now);
    if (true) {
        local_1 = (_e1 == 0.0);
    } else {
        local_1 = true;
    }
    bool _e11 = local_1;
    if (_e11) {
        return Pose(_e4, _e4, _e1);
    }
    Moment _e15 = play_moment(instance_1.second, instance_1.now);
    return Pose(_e4, _e15, _e1);
}

JointRecord pose_record(uint joint_3) {
    uint _e5 = _group_1_binding_0_fs.joint_curves.joint_table;
    uint _e9 = _group_1_binding_0_fs.joint_curves.record_words;
    JointRecord _e10 = joint_record_read(_group_1_binding_2_fs, _e5, _e9, joint_3);
    return _e10;
}

Affine pose_parent_from_joint(Pose pose, JointRecord record_2) {
    bool local_2 = false;
    LocalJoint _e4 = local_joint(_group_1_binding_2_fs, record_2, pose.first);
    if (true) {
        local_2 = (pose.fade == 0.0);
    } else {
        local_2 = true;
    }
    bool _e12 = local_2;
    if (_e12) {
        Affine _e13 = local_joint_to_affine(_e4);
        return _e13;
    }
    LocalJoint _e16 = local_joint(_group_1_binding_2_fs, record_2, pose.second);
    LocalJoint _e18 = local_joint_mix(_e4, _e16, pose.fade);
    Affine _e19 = local_joint_to_affine(_e18);
    return _e19;
}

Affine joint_affine(Pose pose_1, uint joint_4) {
    uint at_5 = 0u;
    JointRecord record_3 = JointRecord(0u, 0u, bvec3(false), vec3(0.0), 0.0, vec3(0.0), vec3(0.0), 0.0);
    Affine space_from_joint = Affine(mat3x3(0.0), vec3(0.0));
    bool local_3 = false;
    at_5 = (joint_4 >> 16u);
    uint _e5 = at_5;
    JointRecord _e6 = pose_record(_e5);
    record_3 = _e6;
    JointRecord _e8 = record_3;
    Affine _e9 = pose_parent_from_joint(pose_1, _e8);
    space_from_joint = _e9;
    while(true) {
        uint _e12 = record_3.parent;
        if ((_e12 != 0u)) {
            uint _e18 = record_3.parent;
            uint _e19 = at_5;
            local_3 = (_e18 <= _e19);
        } else {
            local_3 = false;
        }
        bool _e22 = local_3;
        if (_e22) {
        } else {
            break;
        }
        {
            uint _e24 = record_3.parent;
            at_5 = (_e24 - 1u);
            uint _e27 = at_5;
            JointRecord _e28 = pose_record(_e27);
            record_3 = _e28;
            JointRecord _e29 = record_3;
            Affine _e30 = pose_parent_from_joint(pose_1, _e29);
            Affine _e31 = space_from_joint;
            Affine _e32 = affine_mul(_e30, _e31);
            space_from_joint = _e32;
        }
    }
    uint _e36 = _group_1_binding_0_fs.inverse_bind_table;
    Affine _e42 = table_affine(_group_1_binding_1_fs, (_e36 + (3u * (joint_4 & 65535u))));
    Affine _e43 = space_from_joint;
    Affine _e44 = affine_mul(_e43, _e42);
    return _e44;
}

Instance instance_read(uint index_2) {
    uint at_9 = (6u * index_2);
    uvec4 _e4 = bits_get(_group_1_binding_7_fs, at_9);
    uvec4 _e8 = bits_get(_group_1_binding_7_fs, (at_9 + 1u));
    uvec4 _e12 = bits_get(_group_1_binding_7_fs, (at_9 + 2u));
    uvec4 _e16 = bits_get(_group_1_binding_7_fs, (at_9 + 3u));
    uvec4 _e20 = bits_get(_group_1_binding_7_fs, (at_9 + 4u));
    uvec4 _e24 = bits_get(_group_1_binding_7_fs, (at_9 + 5u));
    uint _e27 = _group_1_binding_14_fs.now;
    uint _e30 = _group_1_binding_14_fs.previous_now;
    uint _e33 = _group_1_binding_14_fs.previous_first;
    Instance _e36 = instance_unpack(_e4, _e8, _e12, _e16, _e20, _e24, index_2, ((index_2 >= _e33) ? _e30 : _e27));
    return _e36;
}

uint palette_joint(uint palette_index) {
    uint _e4 = _group_1_binding_0_fs.bone_offset_table;
    uvec4 _e8 = table_get(_group_1_binding_1_fs, (_e4 + (palette_index / 4u)));
    return (palette_index | (_e8[(palette_index % 4u)] << 16u));
}

void main() {
    vec4 at = gl_FragCoord;
    uint texel = (uint(at.x) + (uint(at.y) << 11u));
    uint _e10 = _group_1_binding_0_fs.palette_stride;
    uint _e11 = divide(texel, _e10);
    Frame _e13 = _group_1_binding_14_fs;
    bool _e14 = frame_is_gap(_e13, _e11);
    if (_e14) {
        _fs2p_location0 = uvec4(0u);
        return;
    }
    uint _e19 = _group_1_binding_0_fs.palette_stride;
    uint offset = (texel - (_e11 * _e19));
    uint palette_index_1 = (offset / 3u);
    Instance _e24 = instance_read(_e11);
    Pose _e25 = pose_of(_e24);
    uint _e26 = palette_joint(palette_index_1);
    Affine _e27 = joint_affine(_e25, _e26);
    mat3x4 _e28 = affine_to_rows(_e27);
    _fs2p_location0 = floatBitsToUint(_e28[(offset - (3u * palette_index_1))]);
    return;
}

