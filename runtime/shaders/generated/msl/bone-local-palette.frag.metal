// Entry point fill_palette_fragment, generated from WGSL by naga: do not edit.
//   buffer(1)   set_info
//   texture(1)  tables
//   texture(2)  words
//   texture(7)  instances
//   buffer(15)  frame

// language: metal2.0
#include <metal_stdlib>
#include <simd/simd.h>

using metal::uint;

struct Affine {
    metal::float3x3 linear;
    metal::float3 translation;
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
    char _pad5[3];
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
    metal::float4 offset;
    metal::float4 scale;
    metal::float4 size_offset;
    metal::float4 size_scale;
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
    metal::uint3 widths;
    metal::packed_uint3 residual_widths;
    uint offset;
    uint spans;
    uint degree;
    uint step;
    bool has_reference;
    char _pad7[3];
};
struct SpanKeys {
    metal::float4x3 keys;
    metal::float4 weights;
    float f;
    char _pad3[12];
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
    char _pad1[3];
    uint first_key_word;
    char _pad2[8];
    CurveHeader header;
};
struct JointCurves {
    uint clip_table;
    uint joint_table;
    uint record_words;
    uint curves;
    uint joints;
    char _pad5[12];
};
struct JointRecord {
    uint parent;
    uint first_curve;
    char _pad2[8];
    metal::packed_float3 translation;
    float translation_extent;
    metal::packed_float3 rotation;
    bool has_scale;
    char _pad6[3];
    metal::packed_float3 scale;
    float scale_extent;
};
struct LocalJoint {
    metal::float3 translation;
    metal::float4 rotation;
    metal::float3 scale;
};
struct SetInfo {
    Grid grid;
    Grid normals;
    Grid morphs;
    Codec codec;
    JointCurves joint_curves;
    metal::float4 vertex_curve_range;
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
    char _pad16[8];
};
struct Frame {
    uint now;
    uint previous_now;
    uint previous_first;
    uint previous_group;
    float deform_factor;
    uint count;
    char _pad6[8];
};
struct Instance {
    Affine world_from_model;
    metal::float4 tint;
    Play first;
    Play second;
    uint fade_start;
    uint fade_duration;
    float fraction;
    uint user;
    uint group;
    uint index;
    uint now;
    char _pad11[12];
};
struct Pose {
    Moment first;
    Moment second;
    float fade;
};
constant bool HAS_FADES = true;
constant bool HAS_TANGENTS = false;
constant uint MAX_INFLUENCES = 5u;
constant uint BACKWARDS = 2147483648u;
constant uint HELD_FADE = 4294967295u;
constant uint BLOCK_CURVES = 32u;
constant uint HEADER_WORDS = 2u;
constant uint MASK_WORDS = 2u;
constant uint CLIP_WORDS = 5u;
constant uint REFERENCE_WIDTH = 10u;
constant uint SHORT_SCALED_RECORD_WORDS = 6u;
constant uint EXACT_SCALED_RECORD_WORDS = 12u;

metal::float4 quat_mul(
    metal::float4 a,
    metal::float4 b
) {
    return metal::float4(((a.w * b.xyz) + (b.w * a.xyz)) + metal::cross(a.xyz, b.xyz), (a.w * b.w) - metal::dot(a.xyz, b.xyz));
}

float quat_matrix_scale(
    metal::float4 q
) {
    float square_1 = metal::dot(q, q);
    return (square_1 < 0.000000000000000000000001) ? 0.0 : (2.0 / square_1);
}

metal::float3x3 mat3_from_scaled(
    metal::float4 q_1,
    float scale
) {
    metal::float3 scaled = q_1.xyz * scale;
    float xx = q_1.x * scaled.x;
    float xy = q_1.x * scaled.y;
    float xz = q_1.x * scaled.z;
    float yy = q_1.y * scaled.y;
    float yz = q_1.y * scaled.z;
    float zz = q_1.z * scaled.z;
    metal::float3 w = q_1.w * scaled;
    return metal::float3x3(metal::float3(1.0 - (yy + zz), xy + w.z, xz - w.y), metal::float3(xy - w.z, 1.0 - (xx + zz), yz + w.x), metal::float3(xz + w.y, yz - w.x, 1.0 - (xx + yy)));
}

metal::float3x3 mat3_from_quat(
    metal::float4 q_2
) {
    float _e1 = quat_matrix_scale(q_2);
    metal::float3x3 _e2 = mat3_from_scaled(q_2, _e1);
    return _e2;
}

metal::float4 quat_from_mrp_unnormalized(
    metal::float3 p,
    float square
) {
    return metal::float4(2.0 * p, 1.0 - square);
}

metal::float4 quat_from_mrp(
    metal::float3 p_1
) {
    float square_2 = metal::dot(p_1, p_1);
    metal::float4 _e2 = quat_from_mrp_unnormalized(p_1, square_2);
    return _e2 * (1.0 / (1.0 + square_2));
}

metal::float4 quat_aligned(
    metal::float4 a_1,
    metal::float4 b_1
) {
    return (metal::dot(a_1, b_1) < 0.0) ? -(b_1) : b_1;
}

metal::float4 quat_nlerp(
    metal::float4 a_2,
    metal::float4 b_2,
    float f
) {
    metal::float4 _e3 = quat_aligned(a_2, b_2);
    return metal::normalize(metal::mix(a_2, _e3, f));
}

Affine affine_mul(
    Affine a_3,
    Affine b_3
) {
    return Affine {a_3.linear * b_3.linear, (a_3.linear * b_3.translation) + a_3.translation};
}

metal::float3x4 affine_to_rows(
    Affine a_4
) {
    return metal::transpose(metal::float4x3(a_4.linear[0], a_4.linear[1], a_4.linear[2], a_4.translation));
}

Affine affine_from_rows(
    metal::float3x4 rows
) {
    metal::float4x3 columns = metal::transpose(rows);
    return Affine {metal::float3x3(columns[0], columns[1], columns[2]), columns[3]};
}

int naga_f2i32(float value) {
    return static_cast<int>(metal::clamp(value, -2147483600.0, 2147483500.0));
}

uint divide(
    uint n,
    uint d
) {
    uint guess = as_type<uint>(naga_f2i32(static_cast<float>(as_type<int>(n)) / static_cast<float>(as_type<int>(d))));
    int rest = as_type<int>(n - (guess * d));
    return (guess + ((rest >= as_type<int>(d)) ? 1u : 0u)) - ((rest < 0) ? 1u : 0u);
}

uint words_get(
    metal::texture2d_array<uint, metal::access::sample> words,
    uint word
) {
    metal::uint2 size = metal::uint2(words.get_width(), words.get_height());
    uint _e4 = divide(word, size.x);
    uint _e6 = divide(_e4, size.y);
    metal::uint4 _e15 = words.read(metal::uint2(metal::uint2(word - (_e4 * size.x), _e4 - (_e6 * size.y))), _e6, 0);
    return _e15.x;
}

uint words_join(
    uint low,
    uint high,
    uint shift
) {
    return (low >> shift) | ((high << 1u) << (31u - shift));
}

uint words_ones(
    uint bits
) {
    uint pairs = bits - ((bits >> 1u) & 1431655765u);
    uint fours = (pairs & 858993459u) + ((pairs >> 2u) & 858993459u);
    return (((fours + (fours >> 4u)) & 252645135u) * 16843009u) >> 24u;
}

float words_float(
    metal::texture2d_array<uint, metal::access::sample> words_1,
    uint word_1
) {
    uint _e2 = words_get(words_1, word_1);
    return as_type<float>(_e2);
}

metal::float3 words_vector(
    metal::texture2d_array<uint, metal::access::sample> words_2,
    uint word_2
) {
    float _e2 = words_float(words_2, word_2);
    float _e5 = words_float(words_2, word_2 + 1u);
    float _e8 = words_float(words_2, word_2 + 2u);
    return metal::float3(_e2, _e5, _e8);
}

float play_phase(
    Play play,
    bool wraps,
    uint now
) {
    uint elapsed = now - play.time;
    float cycles_per_tick = 1.0 / static_cast<float>(as_type<int>(play.period));
    int cycle = naga_f2i32(static_cast<float>(as_type<int>(elapsed >> 1u)) * (2.0 * cycles_per_tick));
    int in_cycle = as_type<int>(elapsed - (as_type<uint>(cycle) * play.period));
    float clamped = metal::clamp(static_cast<float>(as_type<int>(elapsed)) * cycles_per_tick, 0.0, 1.0);
    float phase = wraps ? metal::fract(static_cast<float>(in_cycle) * cycles_per_tick) : clamped;
    return ((play.clip & BACKWARDS) != 0u) ? (1.0 - phase) : phase;
}

float play_time(
    Play play_1,
    ClipTiming timing,
    uint now_1
) {
    float _e4 = play_phase(play_1, timing.wraps, now_1);
    float playing = _e4 * timing.duration_secs;
    return (play_1.period == 0u) ? as_type<float>(play_1.time) : playing;
}

float fade_weight(
    uint start,
    uint duration,
    uint now_2
) {
    if (duration == 0u) {
        return 0.0;
    }
    float running = metal::clamp(static_cast<float>(as_type<int>(now_2 - start)) / static_cast<float>(duration), 0.0, 1.0);
    return (duration == HELD_FADE) ? as_type<float>(start) : running;
}

metal::uint4 bits_get(
    metal::texture2d<uint, metal::access::sample> texels,
    uint at_1
) {
    metal::uint4 _e8 = texels.read(metal::uint2(metal::uint2(at_1 & 2047u, at_1 >> 11u)), 0);
    return _e8;
}

metal::uint4 table_get(
    metal::texture2d<uint, metal::access::sample> tables,
    uint at_2
) {
    metal::uint4 _e2 = bits_get(tables, at_2);
    return _e2;
}

metal::float4 table_floats(
    metal::texture2d<uint, metal::access::sample> tables_1,
    uint at_3
) {
    metal::uint4 _e2 = table_get(tables_1, at_3);
    return as_type<metal::float4>(_e2);
}

ClipTiming clip_timing(
    metal::texture2d<uint, metal::access::sample> tables_2,
    uint first,
    uint clip
) {
    metal::uint4 _e6 = table_get(tables_2, first + (clip & 2147483647u));
    return ClipTiming {_e6.x, _e6.y & 2147483647u, as_type<float>(_e6.z), as_type<float>(_e6.w), (_e6.y >> 31u) != 0u};
}

Affine table_affine(
    metal::texture2d<uint, metal::access::sample> tables_3,
    uint at_4
) {
    metal::float4 _e2 = table_floats(tables_3, at_4);
    metal::float4 _e5 = table_floats(tables_3, at_4 + 1u);
    metal::float4 _e8 = table_floats(tables_3, at_4 + 2u);
    Affine _e10 = affine_from_rows(metal::float3x4(_e2, _e5, _e8));
    return _e10;
}

CurveHeader curve_header_unpack(
    uint a_5,
    uint b_4
) {
    return CurveHeader {metal::uint3(a_5 & 31u, (a_5 >> 5u) & 31u, (a_5 >> 10u) & 31u), metal::uint3((a_5 >> 15u) & 31u, (a_5 >> 20u) & 31u, (a_5 >> 25u) & 31u), b_4 & 262143u, ((b_4 >> 18u) & 63u) + 1u, a_5 >> 30u, (b_4 >> 24u) & 127u, (b_4 >> 31u) == 1u};
}

float step_size(
    uint step
) {
    return as_type<float>((492u - step) << 21u);
}

metal::float4 spline_weights(
    uint degree,
    float f_1
) {
    float g = 1.0 - f_1;
    switch(degree) {
        case 0u: {
            return metal::float4(1.0, 0.0, 0.0, 0.0);
        }
        case 1u: {
            return metal::float4(g, f_1, 0.0, 0.0);
        }
        case 2u: {
            return metal::float4((0.5 * g) * g, 0.5 + (f_1 * g), (0.5 * f_1) * f_1, 0.0);
        }
        default: {
            return metal::float4((g * g) * g, 4.0 - (((3.0 * f_1) * f_1) * (1.0 + g)), 4.0 - (((3.0 * g) * g) * (1.0 + f_1)), (f_1 * f_1) * f_1) / metal::float4(6.0);
        }
    }
}

float slerp_weight(
    float cosine,
    float f_2
) {
    float u = 1.0 - cosine;
    float h = f_2 - 0.5;
    float a_8 = u * (-0.07579292 + (0.8732116 * u));
    float b_7 = u * (0.6748337 + (u * (0.09039828 + (0.09375652 * u))));
    return f_2 + (((f_2 * h) * (f_2 - 1.0)) * (((a_8 * h) * h) + b_7));
}

uint naga_div(uint lhs, uint rhs) {
    return lhs / metal::select(rhs, 1u, rhs == 0u);
}

uint naga_mod(uint lhs, uint rhs) {
    return lhs % metal::select(rhs, 1u, rhs == 0u);
}

metal::float3 read_vector(
    metal::texture2d_array<uint, metal::access::sample> words_3,
    uint first_word,
    uint bit,
    metal::uint3 widths
) {
    uint word_4 = first_word + naga_div(bit, 32u);
    uint shift_1 = naga_mod(bit, 32u);
    uint _e11 = words_get(words_3, word_4 + 1u);
    uint _e12 = words_get(words_3, word_4);
    uint _e13 = words_join(_e12, _e11, shift_1);
    uint _e16 = words_get(words_3, word_4 + 2u);
    uint _e17 = words_join(_e11, _e16, shift_1);
    uint _e19 = words_join(_e13, _e17, widths.x);
    uint _e23 = words_join(_e19, _e17 >> widths.x, widths.y);
    metal::uint3 bits_1 = metal::uint3(_e13, _e19, _e23) & ((metal::uint3(1u) << widths) - metal::uint3(1u));
    metal::uint3 middle = (metal::uint3(1u) << widths) >> metal::uint3(1u);
    return static_cast<metal::float3>(as_type<metal::int3>(bits_1 - middle));
}

metal::float3 read_key(
    metal::texture2d_array<uint, metal::access::sample> words_4,
    uint first_key_word,
    CurveHeader header,
    uint key
) {
    bool local = {};
    metal::uint3 w_1 = header.widths;
    metal::uint3 v = header.residual_widths;
    uint full_bits = (header.widths.x + header.widths.y) + header.widths.z;
    bool is_odd = (key & 1u) == 1u;
    if (is_odd) {
        local = (key + 1u) < (header.spans + header.degree);
    } else {
        local = false;
    }
    bool is_residual = local;
    uint reference_1 = header.has_reference ? 30u : 0u;
    uint bit_1 = ((header.offset + reference_1) + ((key >> 1u) * (((full_bits + header.residual_widths[0]) + header.residual_widths[1]) + header.residual_widths[2]))) + (is_odd ? full_bits : 0u);
    metal::float3 _e45 = read_vector(words_4, first_key_word, bit_1, is_residual ? v : w_1);
    return _e45;
}

SpanKeys span_keys(
    metal::texture2d_array<uint, metal::access::sample> words_5,
    uint first_key_word_1,
    CurveHeader header_1,
    float position
) {
    metal::float3 full = {};
    metal::float4x3 keys = metal::float4x3 {};
    uint pair = {};
    metal::float3 key_1 = {};
    int spans = as_type<int>(header_1.spans);
    float along = position * static_cast<float>(spans);
    int span = metal::min(naga_f2i32(along), as_type<int>(as_type<uint>(spans) - as_type<uint>(1)));
    float f_4 = along - static_cast<float>(span);
    uint first_1 = as_type<uint>(span);
    uint last = (header_1.spans + header_1.degree) - 1u;
    uint end = first_1 + header_1.degree;
    uint start_1 = first_1 & 4294967294u;
    metal::float3 _e24 = read_key(words_5, first_key_word_1, header_1, start_1);
    full = _e24;
    pair = start_1;
    bool loop_init = true;
    while(true) {
        if (!loop_init) {
            uint _e56 = pair;
            pair = _e56 + 2u;
        }
        loop_init = false;
        uint _e29 = pair;
        if (_e29 <= end) {
        } else {
            break;
        }
        {
            uint _e31 = pair;
            if (_e31 >= first_1) {
                uint _e33 = pair;
                metal::float3 _e36 = full;
                keys[_e33 - first_1] = _e36;
            }
            uint _e37 = pair;
            uint odd_1 = _e37 + 1u;
            if (odd_1 > end) {
                break;
            }
            metal::float3 _e41 = read_key(words_5, first_key_word_1, header_1, odd_1);
            key_1 = _e41;
            if (odd_1 < last) {
                metal::float3 _e46 = read_key(words_5, first_key_word_1, header_1, odd_1 + 1u);
                metal::float3 _e47 = key_1;
                metal::float3 _e48 = full;
                key_1 = _e47 + (0.5 * (_e48 + _e46));
                full = _e46;
            }
            metal::float3 _e55 = key_1;
            keys[odd_1 - first_1] = _e55;
        }
    }
    metal::float4x3 _e59 = keys;
    metal::float4 _e61 = spline_weights(header_1.degree, f_4);
    return SpanKeys {_e59, _e61, f_4};
}

metal::float3 vector_curve(
    metal::texture2d_array<uint, metal::access::sample> words_6,
    uint first_key_word_2,
    CurveHeader header_2,
    float position_1
) {
    metal::float4 weights = {};
    float last_weight = {};
    metal::float3 full_1 = {};
    metal::float3 sum = {};
    uint odd = {};
    metal::float3 key_2 = {};
    int spans_1 = as_type<int>(header_2.spans);
    float along_1 = position_1 * static_cast<float>(spans_1);
    int span_1 = metal::min(naga_f2i32(along_1), as_type<int>(as_type<uint>(spans_1) - as_type<uint>(1)));
    uint first_2 = as_type<uint>(span_1);
    uint last_1 = (header_2.spans + header_2.degree) - 1u;
    uint end_1 = first_2 + header_2.degree;
    uint start_2 = first_2 & 4294967294u;
    metal::float4 _e25 = spline_weights(header_2.degree, along_1 - static_cast<float>(span_1));
    bool is_odd_1 = first_2 != start_2;
    weights = is_odd_1 ? metal::float4(0.0, _e25.xyz) : _e25;
    last_weight = is_odd_1 ? _e25.w : 0.0;
    metal::float3 _e36 = read_key(words_6, first_key_word_2, header_2, start_2);
    full_1 = _e36;
    float _e39 = weights.x;
    metal::float3 _e40 = full_1;
    sum = _e39 * _e40;
    odd = start_2 + 1u;
    bool loop_init_1 = true;
    while(true) {
        if (!loop_init_1) {
            uint _e80 = odd;
            odd = _e80 + 2u;
        }
        loop_init_1 = false;
        uint _e46 = odd;
        if (_e46 <= end_1) {
        } else {
            break;
        }
        {
            uint _e48 = odd;
            metal::float3 _e49 = read_key(words_6, first_key_word_2, header_2, _e48);
            key_2 = _e49;
            uint _e51 = odd;
            if (_e51 < last_1) {
                uint _e53 = odd;
                metal::float3 _e56 = read_key(words_6, first_key_word_2, header_2, _e53 + 1u);
                metal::float3 _e57 = key_2;
                metal::float3 _e58 = full_1;
                key_2 = _e57 + (0.5 * (_e58 + _e56));
                full_1 = _e56;
            }
            metal::float3 _e63 = sum;
            float _e65 = weights.y;
            metal::float3 _e66 = key_2;
            float _e69 = weights.z;
            metal::float3 _e70 = full_1;
            sum = _e63 + ((_e65 * _e66) + (_e69 * _e70));
            metal::float4 _e74 = weights;
            float _e76 = last_weight;
            weights = metal::float4(_e74.zw, _e76, 0.0);
            last_weight = 0.0;
        }
    }
    metal::float3 _e83 = sum;
    float _e85 = step_size(header_2.step);
    return _e83 * _e85;
}

metal::float4 rotation_curve(
    metal::texture2d_array<uint, metal::access::sample> words_7,
    uint first_key_word_3,
    CurveHeader header_3,
    float position_2
) {
    metal::float4 weights_1 = {};
    metal::float4 sum_1 = {};
    SpanKeys _e4 = span_keys(words_7, first_key_word_3, header_3, position_2);
    float _e6 = step_size(header_3.step);
    metal::float4 _e10 = quat_from_mrp(_e6 * _e4.keys[0]);
    metal::float4 _e14 = quat_from_mrp(_e6 * _e4.keys[1]);
    weights_1 = _e4.weights;
    if (header_3.degree == 1u) {
        float _e25 = slerp_weight(metal::clamp(metal::dot(_e10, _e14), 0.0, 1.0), _e4.f);
        weights_1 = metal::float4(1.0 - _e25, _e25, 0.0, 0.0);
    }
    float _e32 = weights_1.x;
    float _e35 = weights_1.y;
    sum_1 = (_e32 * _e10) + (_e35 * _e14);
    if (header_3.degree > 1u) {
        metal::float4 _e42 = sum_1;
        float _e44 = weights_1.z;
        metal::float4 _e48 = quat_from_mrp(_e6 * _e4.keys[2]);
        float _e51 = weights_1.w;
        metal::float4 _e55 = quat_from_mrp(_e6 * _e4.keys[3]);
        sum_1 = _e42 + ((_e44 * _e48) + (_e51 * _e55));
    }
    metal::float4 _e59 = sum_1;
    metal::float4 _e60 = sum_1;
    return _e59 / metal::float4(metal::length(_e60));
}

metal::float3 read_reference(
    metal::texture2d_array<uint, metal::access::sample> words_8,
    uint first_key_word_4,
    CurveHeader header_4
) {
    metal::float3 _e6 = read_vector(words_8, first_key_word_4, header_4.offset, metal::uint3(10u));
    return _e6 / metal::float3(512.0);
}

uint row_words(
    uint present
) {
    return (present * HEADER_WORDS) + naga_div((present + BLOCK_CURVES) - 1u, BLOCK_CURVES);
}

uint mask_words(
    uint curves
) {
    return naga_div((curves + BLOCK_CURVES) - 1u, BLOCK_CURVES) * MASK_WORDS;
}

ClipRecord clip_record_read(
    metal::texture2d_array<uint, metal::access::sample> words_9,
    uint clip_table,
    uint clip_1
) {
    uint at_6 = clip_table + (clip_1 * CLIP_WORDS);
    uint _e6 = words_get(words_9, at_6);
    uint _e9 = words_get(words_9, at_6 + 1u);
    float _e12 = words_float(words_9, at_6 + 2u);
    float _e15 = words_float(words_9, at_6 + 3u);
    uint _e18 = words_get(words_9, at_6 + 4u);
    return ClipRecord {_e6, _e9, _e12, _e15, _e18};
}

Moment moment_find(
    metal::texture2d_array<uint, metal::access::sample> words_10,
    uint clip_table_1,
    uint curves_1,
    uint clip_2,
    float time_secs
) {
    ClipRecord _e5 = clip_record_read(words_10, clip_table_1, clip_2);
    float position_3 = metal::clamp(time_secs, 0.0, _e5.duration_secs) * _e5.segments_per_sec;
    int segment = metal::min(naga_f2i32(position_3), as_type<int>(as_type<uint>(as_type<int>(_e5.segments)) - as_type<uint>(1)));
    uint _e18 = mask_words(curves_1);
    uint _e22 = row_words(_e5.present);
    uint row = (_e5.first_word + _e18) + (as_type<uint>(segment) * _e22);
    return Moment {_e5.first_word, row, metal::min(position_3 - static_cast<float>(segment), 1.0)};
}

FoundHeader moment_header(
    metal::texture2d_array<uint, metal::access::sample> words_11,
    Moment moment,
    uint curve
) {
    FoundHeader found = {};
    uint at_7 = moment.masks + (naga_div(curve, BLOCK_CURVES) * MASK_WORDS);
    uint _e10 = words_get(words_11, at_7);
    uint bit_2 = 1u << naga_mod(curve, BLOCK_CURVES);
    found.is_present = (_e10 & bit_2) != 0u;
    bool _e20 = found.is_present;
    if (_e20) {
        uint _e23 = words_get(words_11, at_7 + 1u);
        uint _e27 = words_ones(_e10 & (bit_2 - 1u));
        uint rank = _e23 + _e27;
        uint block = moment.row + (naga_div(rank, BLOCK_CURVES) * 65u);
        uint header_5 = (block + 1u) + (naga_mod(rank, BLOCK_CURVES) * HEADER_WORDS);
        uint _e43 = words_get(words_11, block);
        found.first_key_word = _e43;
        uint _e45 = words_get(words_11, header_5);
        uint _e48 = words_get(words_11, header_5 + 1u);
        CurveHeader _e49 = curve_header_unpack(_e45, _e48);
        found.header = _e49;
    }
    FoundHeader _e50 = found;
    return _e50;
}

metal::float3 moment_vector(
    metal::texture2d_array<uint, metal::access::sample> words_12,
    Moment moment_1,
    uint curve_1
) {
    metal::float3 value = {};
    FoundHeader _e3 = moment_header(words_12, moment_1, curve_1);
    if (!(_e3.is_present)) {
        return metal::float3(0.0);
    }
    metal::float3 _e11 = vector_curve(words_12, _e3.first_key_word, _e3.header, moment_1.position);
    value = _e11;
    if (_e3.header.has_reference) {
        metal::float3 _e15 = value;
        metal::float3 _e18 = read_reference(words_12, _e3.first_key_word, _e3.header);
        value = _e15 + _e18;
    }
    metal::float3 _e20 = value;
    return _e20;
}

metal::float4 moment_rotation(
    metal::texture2d_array<uint, metal::access::sample> words_13,
    Moment moment_2,
    uint curve_2,
    metal::float4 constant_
) {
    metal::float4 reference = {};
    FoundHeader _e4 = moment_header(words_13, moment_2, curve_2);
    if (!(_e4.is_present)) {
        return constant_;
    }
    reference = constant_;
    if (_e4.header.has_reference) {
        metal::float3 _e12 = read_reference(words_13, _e4.first_key_word, _e4.header);
        metal::float4 _e13 = quat_from_mrp(_e12);
        reference = _e13;
    }
    metal::float4 _e14 = reference;
    metal::float4 _e18 = rotation_curve(words_13, _e4.first_key_word, _e4.header, moment_2.position);
    metal::float4 _e19 = quat_mul(_e14, _e18);
    return _e19;
}

float power(
    uint exponent
) {
    return as_type<float>((exponent & 255u) << 23u);
}

float short_value(
    uint word_3
) {
    return static_cast<float>(as_type<int>(word_3) >> 16u) / 32768.0;
}

JointRecord joint_record_read(
    metal::texture2d_array<uint, metal::access::sample> words_14,
    uint joint_table,
    uint record_words,
    uint joint
) {
    JointRecord record = {};
    bool local_1 = {};
    uint at_8 = joint_table + (joint * record_words);
    uint _e6 = words_get(words_14, at_8);
    if (!((record_words == SHORT_SCALED_RECORD_WORDS))) {
        local_1 = record_words == EXACT_SCALED_RECORD_WORDS;
    } else {
        local_1 = true;
    }
    bool _e17 = local_1;
    record.has_scale = _e17;
    record.parent = _e6 & 65535u;
    bool _e25 = record.has_scale;
    record.first_curve = joint * (_e25 ? 3u : 2u);
    float _e31 = power(_e6 >> 16u);
    record.translation_extent = _e31;
    record.scale = metal::float3(1.0);
    if (record_words <= SHORT_SCALED_RECORD_WORDS) {
        uint _e39 = words_get(words_14, at_8 + 1u);
        uint _e42 = words_get(words_14, at_8 + 2u);
        uint _e45 = words_get(words_14, at_8 + 3u);
        float _e48 = short_value(_e39 << 16u);
        float _e49 = short_value(_e39);
        float _e52 = short_value(_e42 << 16u);
        metal::float3 translation = metal::float3(_e48, _e49, _e52);
        float _e57 = power(_e6 >> 24u);
        record.translation = _e57 * translation;
        float _e60 = short_value(_e42);
        float _e63 = short_value(_e45 << 16u);
        float _e64 = short_value(_e45);
        record.rotation = metal::float3(_e60, _e63, _e64);
        bool _e67 = record.has_scale;
        if (_e67) {
            uint _e70 = words_get(words_14, at_8 + 4u);
            uint _e73 = words_get(words_14, at_8 + 5u);
            float _e77 = power(_e73 >> 24u);
            float _e80 = short_value(_e70 << 16u);
            float _e81 = short_value(_e70);
            float _e84 = short_value(_e73 << 16u);
            record.scale = _e77 * metal::float3(_e80, _e81, _e84);
            float _e90 = power(_e73 >> 16u);
            record.scale_extent = _e90;
        }
    } else {
        metal::float3 _e94 = words_vector(words_14, at_8 + 1u);
        record.translation = _e94;
        metal::float3 _e98 = words_vector(words_14, at_8 + 4u);
        record.rotation = _e98;
        bool _e100 = record.has_scale;
        if (_e100) {
            metal::float3 _e104 = words_vector(words_14, at_8 + 8u);
            record.scale = _e104;
            uint _e108 = words_get(words_14, at_8 + 7u);
            float _e111 = power(_e108 >> 16u);
            record.scale_extent = _e111;
        }
    }
    JointRecord _e112 = record;
    return _e112;
}

Affine local_joint_to_affine(
    LocalJoint joint_1
) {
    metal::float3x3 _e2 = mat3_from_quat(joint_1.rotation);
    metal::float3 s = joint_1.scale;
    return Affine {metal::float3x3(_e2[0] * joint_1.scale.x, _e2[1] * joint_1.scale.y, _e2[2] * joint_1.scale.z), joint_1.translation};
}

LocalJoint local_joint(
    metal::texture2d_array<uint, metal::access::sample> words_15,
    JointRecord record_1,
    Moment moment_3
) {
    LocalJoint joint_2 = {};
    uint curve_3 = record_1.first_curve;
    metal::float4 _e7 = quat_from_mrp(record_1.rotation);
    metal::float4 _e8 = moment_rotation(words_15, moment_3, curve_3, _e7);
    joint_2.rotation = _e8;
    metal::float3 _e14 = moment_vector(words_15, moment_3, curve_3 + 1u);
    joint_2.translation = record_1.translation + (record_1.translation_extent * _e14);
    joint_2.scale = record_1.scale;
    if (record_1.has_scale) {
        metal::float3 _e21 = joint_2.scale;
        metal::float3 _e25 = moment_vector(words_15, moment_3, curve_3 + 2u);
        joint_2.scale = _e21 + (record_1.scale_extent * _e25);
    }
    LocalJoint _e28 = joint_2;
    return _e28;
}

LocalJoint local_joint_mix(
    LocalJoint a_6,
    LocalJoint b_5,
    float f_3
) {
    metal::float4 _e8 = quat_nlerp(a_6.rotation, b_5.rotation, f_3);
    return LocalJoint {metal::mix(a_6.translation, b_5.translation, f_3), _e8, metal::mix(a_6.scale, b_5.scale, f_3)};
}

bool frame_is_gap(
    Frame frame,
    uint index
) {
    bool local_2 = {};
    if (index >= frame.count) {
        local_2 = index < frame.previous_first;
    } else {
        local_2 = false;
    }
    bool _e9 = local_2;
    return _e9;
}

Instance instance_unpack(
    metal::uint4 x,
    metal::uint4 y,
    metal::uint4 z,
    metal::uint4 a_7,
    metal::uint4 b_6,
    metal::uint4 c,
    uint index_1,
    uint now_3
) {
    metal::float3x4 rows_1 = metal::float3x4(as_type<metal::float4>(x), as_type<metal::float4>(y), as_type<metal::float4>(z));
    Affine _e12 = affine_from_rows(rows_1);
    return Instance {_e12, metal::unpack_unorm4x8_to_float(a_7.x), Play {a_7.y, a_7.z, a_7.w}, Play {b_6.x, b_6.y, b_6.z}, b_6.w, c.x, as_type<float>(c.y), c.z, c.w, index_1, now_3};
}

ClipTiming play_timing(
    Play play_2,
    constant SetInfo& set_info,
    metal::texture2d<uint, metal::access::sample> tables_4
) {
    uint _e4 = set_info.clip_table;
    ClipTiming _e6 = clip_timing(tables_4, _e4, play_2.clip);
    return _e6;
}

float instance_fade(
    Instance instance
) {
    if (false) {
        return 0.0;
    }
    float _e6 = fade_weight(instance.fade_start, instance.fade_duration, instance.now);
    return _e6;
}

Moment play_moment(
    Play play_3,
    uint now_4,
    constant SetInfo& set_info,
    metal::texture2d<uint, metal::access::sample> tables_4,
    metal::texture2d_array<uint, metal::access::sample> words_16
) {
    ClipTiming _e2 = play_timing(play_3, set_info, tables_4);
    float _e3 = play_time(play_3, _e2, now_4);
    JointCurves tables_5 = set_info.joint_curves;
    Moment _e13 = moment_find(words_16, tables_5.clip_table, tables_5.curves, play_3.clip & 2147483647u, _e3);
    return _e13;
}

Pose pose_of(
    Instance instance_1,
    constant SetInfo& set_info,
    metal::texture2d<uint, metal::access::sample> tables_4,
    metal::texture2d_array<uint, metal::access::sample> words_16
) {
    bool local_3 = {};
    float _e1 = instance_fade(instance_1);
    Moment _e4 = play_moment(instance_1.first, instance_1.now, set_info, tables_4, words_16);
    if (true) {
        local_3 = _e1 == 0.0;
    } else {
        local_3 = true;
    }
    bool _e11 = local_3;
    if (_e11) {
        return Pose {_e4, _e4, _e1};
    }
    Moment _e15 = play_moment(instance_1.second, instance_1.now, set_info, tables_4, words_16);
    return Pose {_e4, _e15, _e1};
}

JointRecord pose_record(
    uint joint_3,
    constant SetInfo& set_info,
    metal::texture2d_array<uint, metal::access::sample> words_16
) {
    uint _e5 = set_info.joint_curves.joint_table;
    uint _e9 = set_info.joint_curves.record_words;
    JointRecord _e10 = joint_record_read(words_16, _e5, _e9, joint_3);
    return _e10;
}

Affine pose_parent_from_joint(
    Pose pose,
    JointRecord record_2,
    metal::texture2d_array<uint, metal::access::sample> words_16
) {
    bool local_4 = {};
    LocalJoint _e4 = local_joint(words_16, record_2, pose.first);
    if (true) {
        local_4 = pose.fade == 0.0;
    } else {
        local_4 = true;
    }
    bool _e12 = local_4;
    if (_e12) {
        Affine _e13 = local_joint_to_affine(_e4);
        return _e13;
    }
    LocalJoint _e16 = local_joint(words_16, record_2, pose.second);
    LocalJoint _e18 = local_joint_mix(_e4, _e16, pose.fade);
    Affine _e19 = local_joint_to_affine(_e18);
    return _e19;
}

Affine joint_affine(
    Pose pose_1,
    uint joint_4,
    constant SetInfo& set_info,
    metal::texture2d<uint, metal::access::sample> tables_4,
    metal::texture2d_array<uint, metal::access::sample> words_16
) {
    uint at_5 = {};
    JointRecord record_3 = {};
    Affine space_from_joint = {};
    bool local_5 = {};
    at_5 = joint_4 >> 16u;
    uint _e5 = at_5;
    JointRecord _e6 = pose_record(_e5, set_info, words_16);
    record_3 = _e6;
    JointRecord _e8 = record_3;
    Affine _e9 = pose_parent_from_joint(pose_1, _e8, words_16);
    space_from_joint = _e9;
    while(true) {
        uint _e12 = record_3.parent;
        if (_e12 != 0u) {
            uint _e18 = record_3.parent;
            uint _e19 = at_5;
            local_5 = _e18 <= _e19;
        } else {
            local_5 = false;
        }
        bool _e22 = local_5;
        if (_e22) {
        } else {
            break;
        }
        {
            uint _e24 = record_3.parent;
            at_5 = _e24 - 1u;
            uint _e27 = at_5;
            JointRecord _e28 = pose_record(_e27, set_info, words_16);
            record_3 = _e28;
            JointRecord _e29 = record_3;
            Affine _e30 = pose_parent_from_joint(pose_1, _e29, words_16);
            Affine _e31 = space_from_joint;
            Affine _e32 = affine_mul(_e30, _e31);
            space_from_joint = _e32;
        }
    }
    uint _e36 = set_info.inverse_bind_table;
    Affine _e42 = table_affine(tables_4, _e36 + (3u * (joint_4 & 65535u)));
    Affine _e43 = space_from_joint;
    Affine _e44 = affine_mul(_e43, _e42);
    return _e44;
}

Instance instance_read(
    uint index_2,
    constant Frame& frame_1,
    metal::texture2d<uint, metal::access::sample> instances
) {
    uint at_9 = 6u * index_2;
    metal::uint4 _e4 = bits_get(instances, at_9);
    metal::uint4 _e8 = bits_get(instances, at_9 + 1u);
    metal::uint4 _e12 = bits_get(instances, at_9 + 2u);
    metal::uint4 _e16 = bits_get(instances, at_9 + 3u);
    metal::uint4 _e20 = bits_get(instances, at_9 + 4u);
    metal::uint4 _e24 = bits_get(instances, at_9 + 5u);
    uint _e27 = frame_1.now;
    uint _e30 = frame_1.previous_now;
    uint _e33 = frame_1.previous_first;
    Instance _e36 = instance_unpack(_e4, _e8, _e12, _e16, _e20, _e24, index_2, (index_2 >= _e33) ? _e30 : _e27);
    return _e36;
}

uint palette_joint(
    uint palette_index,
    constant SetInfo& set_info,
    metal::texture2d<uint, metal::access::sample> tables_4
) {
    uint _e4 = set_info.bone_offset_table;
    metal::uint4 _e8 = table_get(tables_4, _e4 + naga_div(palette_index, 4u));
    return palette_index | (_e8[naga_mod(palette_index, 4u)] << 16u);
}

metal::uint4 palette_row(
    Instance instance_2,
    uint offset,
    constant SetInfo& set_info,
    metal::texture2d<uint, metal::access::sample> tables_4,
    metal::texture2d_array<uint, metal::access::sample> words_16
) {
    uint palette_index_1 = naga_div(offset, 3u);
    Pose _e4 = pose_of(instance_2, set_info, tables_4, words_16);
    uint _e5 = palette_joint(palette_index_1, set_info, tables_4);
    Affine _e6 = joint_affine(_e4, _e5, set_info, tables_4, words_16);
    metal::float3x4 _e7 = affine_to_rows(_e6);
    return as_type<metal::uint4>(_e7[offset - (3u * palette_index_1)]);
}
uint naga_f2u32(float value) {
    return static_cast<uint>(metal::clamp(value, 0.0, 4294967000.0));
}


struct fill_palette_fragmentInput {
};
struct fill_palette_fragmentOutput {
    metal::uint4 member [[color(0)]];
};
fragment fill_palette_fragmentOutput fill_palette_fragment(
  metal::float4 at [[position]]
, constant Frame& frame_1 [[buffer(15)]]
, constant SetInfo& set_info [[buffer(1)]]
, metal::texture2d<uint, metal::access::sample> tables_4 [[texture(1)]]
, metal::texture2d_array<uint, metal::access::sample> words_16 [[texture(2)]]
, metal::texture2d<uint, metal::access::sample> instances [[texture(7)]]
) {
    uint texel = naga_f2u32(at.x) + (naga_f2u32(at.y) << 11u);
    uint _e10 = set_info.palette_stride;
    uint _e11 = divide(texel, _e10);
    Frame _e13 = frame_1;
    bool _e14 = frame_is_gap(_e13, _e11);
    if (_e14) {
        return fill_palette_fragmentOutput { metal::uint4(0u) };
    }
    Instance _e17 = instance_read(_e11, frame_1, instances);
    uint _e20 = set_info.palette_stride;
    metal::uint4 _e23 = palette_row(_e17, texel - (_e11 * _e20), set_info, tables_4, words_16);
    return fill_palette_fragmentOutput { _e23 };
}
