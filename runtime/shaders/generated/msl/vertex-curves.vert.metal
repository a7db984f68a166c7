// Entry point draw_vertex, generated from WGSL by naga: do not edit.
//   buffer(0)      camera
//   buffer(1)      set_info
//   texture(1)     tables
//   texture(2)     words
//   buffer(15)     frame
//   attribute(0)   position
//   attribute(1)   normal
//   attribute(2)   uv
//   attribute(3)   color
//   attribute(4)   joints
//   attribute(5)   weights
//   attribute(6)   indices
//   attribute(7)   row_x
//   attribute(8)   row_y
//   attribute(9)   row_z
//   attribute(10)  play_a
//   attribute(11)  play_b
//   attribute(12)  extra

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
struct Deformed {
    metal::float3 position;
    metal::float3 normal;
    metal::float3 tangent;
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
struct VertexIn {
    metal::float4 position;
    metal::float3 normal;
    metal::float2 uv;
    char _pad3[8];
    metal::float4 color;
    metal::uint4 joints;
    metal::float4 weights;
    metal::uint4 indices;
    metal::uint4 row_x;
    metal::uint4 row_y;
    metal::uint4 row_z;
    metal::uint4 play_a;
    metal::uint4 play_b;
    metal::uint4 extra;
    uint index;
    uint instance;
    char _pad15[8];
};
struct DrawOut {
    metal::float4 clip_position;
    metal::float3 world_position;
    metal::float3 normal;
    metal::float2 uv;
    char _pad4[8];
    metal::float4 color;
    metal::float4 tint;
    uint user;
    char _pad7[12];
};
struct Camera {
    metal::float4x4 clip_from_world;
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

Affine affine_from_rows(
    metal::float3x4 rows
) {
    metal::float4x3 columns = metal::transpose(rows);
    return Affine {metal::float3x3(columns[0], columns[1], columns[2]), columns[3]};
}

metal::float3 affine_point(
    Affine a,
    metal::float3 point
) {
    return (a.linear * point) + a.translation;
}

metal::float3 unit_or(
    metal::float3 v_1,
    metal::float3 fallback
) {
    float square = metal::dot(v_1, v_1);
    return (square > 0.0) ? (v_1 * metal::rsqrt(square)) : fallback;
}

metal::float3 affine_normal(
    Affine a_1,
    metal::float3 normal
) {
    metal::float3x3 m = a_1.linear;
    metal::float3 _e14 = unit_or(metal::float3x3(metal::cross(a_1.linear[1], a_1.linear[2]), metal::cross(a_1.linear[2], a_1.linear[0]), metal::cross(a_1.linear[0], a_1.linear[1])) * normal, normal);
    return _e14;
}

metal::float3 any_orthonormal(
    metal::float3 v_2
) {
    float sign = (v_2.z >= 0.0) ? 1.0 : -1.0;
    float a_7 = -1.0 / (sign + v_2.z);
    float b_4 = (v_2.x * v_2.y) * a_7;
    return metal::float3(b_4, sign + ((v_2.y * v_2.y) * a_7), -(v_2.y));
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
    uint at
) {
    metal::uint4 _e8 = texels.read(metal::uint2(metal::uint2(at & 2047u, at >> 11u)), 0);
    return _e8;
}

metal::uint4 table_get(
    metal::texture2d<uint, metal::access::sample> tables,
    uint at_1
) {
    metal::uint4 _e2 = bits_get(tables, at_1);
    return _e2;
}

ClipTiming clip_timing(
    metal::texture2d<uint, metal::access::sample> tables_1,
    uint first,
    uint clip
) {
    metal::uint4 _e6 = table_get(tables_1, first + (clip & 2147483647u));
    return ClipTiming {_e6.x, _e6.y & 2147483647u, as_type<float>(_e6.z), as_type<float>(_e6.w), (_e6.y >> 31u) != 0u};
}

CurveHeader curve_header_unpack(
    uint a_2,
    uint b
) {
    return CurveHeader {metal::uint3(a_2 & 31u, (a_2 >> 5u) & 31u, (a_2 >> 10u) & 31u), metal::uint3((a_2 >> 15u) & 31u, (a_2 >> 20u) & 31u, (a_2 >> 25u) & 31u), b & 262143u, ((b >> 18u) & 63u) + 1u, a_2 >> 30u, (b >> 24u) & 127u, (b >> 31u) == 1u};
}

float step_size(
    uint step
) {
    return as_type<float>((492u - step) << 21u);
}

metal::float4 spline_weights(
    uint degree,
    float f
) {
    float g = 1.0 - f;
    switch(degree) {
        case 0u: {
            return metal::float4(1.0, 0.0, 0.0, 0.0);
        }
        case 1u: {
            return metal::float4(g, f, 0.0, 0.0);
        }
        case 2u: {
            return metal::float4((0.5 * g) * g, 0.5 + (f * g), (0.5 * f) * f, 0.0);
        }
        default: {
            return metal::float4((g * g) * g, 4.0 - (((3.0 * f) * f) * (1.0 + g)), 4.0 - (((3.0 * g) * g) * (1.0 + f)), (f * f) * f) / metal::float4(6.0);
        }
    }
}

uint naga_div(uint lhs, uint rhs) {
    return lhs / metal::select(rhs, 1u, rhs == 0u);
}

uint naga_mod(uint lhs, uint rhs) {
    return lhs % metal::select(rhs, 1u, rhs == 0u);
}

metal::float3 read_vector(
    metal::texture2d_array<uint, metal::access::sample> words_2,
    uint first_word,
    uint bit,
    metal::uint3 widths
) {
    uint word_2 = first_word + naga_div(bit, 32u);
    uint shift_1 = naga_mod(bit, 32u);
    uint _e11 = words_get(words_2, word_2 + 1u);
    uint _e12 = words_get(words_2, word_2);
    uint _e13 = words_join(_e12, _e11, shift_1);
    uint _e16 = words_get(words_2, word_2 + 2u);
    uint _e17 = words_join(_e11, _e16, shift_1);
    uint _e19 = words_join(_e13, _e17, widths.x);
    uint _e23 = words_join(_e19, _e17 >> widths.x, widths.y);
    metal::uint3 bits_1 = metal::uint3(_e13, _e19, _e23) & ((metal::uint3(1u) << widths) - metal::uint3(1u));
    metal::uint3 middle = (metal::uint3(1u) << widths) >> metal::uint3(1u);
    return static_cast<metal::float3>(as_type<metal::int3>(bits_1 - middle));
}

metal::float3 read_key(
    metal::texture2d_array<uint, metal::access::sample> words_3,
    uint first_key_word,
    CurveHeader header,
    uint key
) {
    bool local = {};
    metal::uint3 w = header.widths;
    metal::uint3 v_7 = header.residual_widths;
    uint full_bits = (header.widths.x + header.widths.y) + header.widths.z;
    bool is_odd = (key & 1u) == 1u;
    if (is_odd) {
        local = (key + 1u) < (header.spans + header.degree);
    } else {
        local = false;
    }
    bool is_residual = local;
    uint reference = header.has_reference ? 30u : 0u;
    uint bit_1 = ((header.offset + reference) + ((key >> 1u) * (((full_bits + header.residual_widths[0]) + header.residual_widths[1]) + header.residual_widths[2]))) + (is_odd ? full_bits : 0u);
    metal::float3 _e45 = read_vector(words_3, first_key_word, bit_1, is_residual ? v_7 : w);
    return _e45;
}

metal::float3 vector_curve(
    metal::texture2d_array<uint, metal::access::sample> words_4,
    uint first_key_word_1,
    CurveHeader header_1,
    float position
) {
    metal::float4 weights = {};
    float last_weight = {};
    metal::float3 full = {};
    metal::float3 sum = {};
    uint odd = {};
    metal::float3 key_1 = {};
    int spans = as_type<int>(header_1.spans);
    float along = position * static_cast<float>(spans);
    int span = metal::min(naga_f2i32(along), as_type<int>(as_type<uint>(spans) - as_type<uint>(1)));
    uint first_1 = as_type<uint>(span);
    uint last = (header_1.spans + header_1.degree) - 1u;
    uint end = first_1 + header_1.degree;
    uint start_1 = first_1 & 4294967294u;
    metal::float4 _e25 = spline_weights(header_1.degree, along - static_cast<float>(span));
    bool is_odd_1 = first_1 != start_1;
    weights = is_odd_1 ? metal::float4(0.0, _e25.xyz) : _e25;
    last_weight = is_odd_1 ? _e25.w : 0.0;
    metal::float3 _e36 = read_key(words_4, first_key_word_1, header_1, start_1);
    full = _e36;
    float _e39 = weights.x;
    metal::float3 _e40 = full;
    sum = _e39 * _e40;
    odd = start_1 + 1u;
    bool loop_init = true;
    while(true) {
        if (!loop_init) {
            uint _e80 = odd;
            odd = _e80 + 2u;
        }
        loop_init = false;
        uint _e46 = odd;
        if (_e46 <= end) {
        } else {
            break;
        }
        {
            uint _e48 = odd;
            metal::float3 _e49 = read_key(words_4, first_key_word_1, header_1, _e48);
            key_1 = _e49;
            uint _e51 = odd;
            if (_e51 < last) {
                uint _e53 = odd;
                metal::float3 _e56 = read_key(words_4, first_key_word_1, header_1, _e53 + 1u);
                metal::float3 _e57 = key_1;
                metal::float3 _e58 = full;
                key_1 = _e57 + (0.5 * (_e58 + _e56));
                full = _e56;
            }
            metal::float3 _e63 = sum;
            float _e65 = weights.y;
            metal::float3 _e66 = key_1;
            float _e69 = weights.z;
            metal::float3 _e70 = full;
            sum = _e63 + ((_e65 * _e66) + (_e69 * _e70));
            metal::float4 _e74 = weights;
            float _e76 = last_weight;
            weights = metal::float4(_e74.zw, _e76, 0.0);
            last_weight = 0.0;
        }
    }
    metal::float3 _e83 = sum;
    float _e85 = step_size(header_1.step);
    return _e83 * _e85;
}

metal::float3 read_reference(
    metal::texture2d_array<uint, metal::access::sample> words_5,
    uint first_key_word_2,
    CurveHeader header_2
) {
    metal::float3 _e6 = read_vector(words_5, first_key_word_2, header_2.offset, metal::uint3(10u));
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
    metal::texture2d_array<uint, metal::access::sample> words_6,
    uint clip_table,
    uint clip_1
) {
    uint at_2 = clip_table + (clip_1 * CLIP_WORDS);
    uint _e6 = words_get(words_6, at_2);
    uint _e9 = words_get(words_6, at_2 + 1u);
    float _e12 = words_float(words_6, at_2 + 2u);
    float _e15 = words_float(words_6, at_2 + 3u);
    uint _e18 = words_get(words_6, at_2 + 4u);
    return ClipRecord {_e6, _e9, _e12, _e15, _e18};
}

Moment moment_find(
    metal::texture2d_array<uint, metal::access::sample> words_7,
    uint clip_table_1,
    uint curves_1,
    uint clip_2,
    float time_secs
) {
    ClipRecord _e5 = clip_record_read(words_7, clip_table_1, clip_2);
    float position_1 = metal::clamp(time_secs, 0.0, _e5.duration_secs) * _e5.segments_per_sec;
    int segment = metal::min(naga_f2i32(position_1), as_type<int>(as_type<uint>(as_type<int>(_e5.segments)) - as_type<uint>(1)));
    uint _e18 = mask_words(curves_1);
    uint _e22 = row_words(_e5.present);
    uint row = (_e5.first_word + _e18) + (as_type<uint>(segment) * _e22);
    return Moment {_e5.first_word, row, metal::min(position_1 - static_cast<float>(segment), 1.0)};
}

FoundHeader moment_header(
    metal::texture2d_array<uint, metal::access::sample> words_8,
    Moment moment,
    uint curve
) {
    FoundHeader found = {};
    uint at_3 = moment.masks + (naga_div(curve, BLOCK_CURVES) * MASK_WORDS);
    uint _e10 = words_get(words_8, at_3);
    uint bit_2 = 1u << naga_mod(curve, BLOCK_CURVES);
    found.is_present = (_e10 & bit_2) != 0u;
    bool _e20 = found.is_present;
    if (_e20) {
        uint _e23 = words_get(words_8, at_3 + 1u);
        uint _e27 = words_ones(_e10 & (bit_2 - 1u));
        uint rank = _e23 + _e27;
        uint block = moment.row + (naga_div(rank, BLOCK_CURVES) * 65u);
        uint header_3 = (block + 1u) + (naga_mod(rank, BLOCK_CURVES) * HEADER_WORDS);
        uint _e43 = words_get(words_8, block);
        found.first_key_word = _e43;
        uint _e45 = words_get(words_8, header_3);
        uint _e48 = words_get(words_8, header_3 + 1u);
        CurveHeader _e49 = curve_header_unpack(_e45, _e48);
        found.header = _e49;
    }
    FoundHeader _e50 = found;
    return _e50;
}

metal::float3 moment_vector(
    metal::texture2d_array<uint, metal::access::sample> words_9,
    Moment moment_1,
    uint curve_1
) {
    metal::float3 value = {};
    FoundHeader _e3 = moment_header(words_9, moment_1, curve_1);
    if (!(_e3.is_present)) {
        return metal::float3(0.0);
    }
    metal::float3 _e11 = vector_curve(words_9, _e3.first_key_word, _e3.header, moment_1.position);
    value = _e11;
    if (_e3.header.has_reference) {
        metal::float3 _e15 = value;
        metal::float3 _e18 = read_reference(words_9, _e3.first_key_word, _e3.header);
        value = _e15 + _e18;
    }
    metal::float3 _e20 = value;
    return _e20;
}

metal::float3 flat_tangent(
    metal::float3 tangent,
    metal::float3 normal_1
) {
    metal::float3 flat = tangent - (normal_1 * metal::dot(normal_1, tangent));
    bool is_rounding = metal::dot(flat, flat) <= (0.000000000001 * metal::dot(tangent, tangent));
    metal::float3 _e10 = any_orthonormal(normal_1);
    metal::float3 other = (metal::dot(tangent, tangent) > 0.0) ? _e10 : metal::float3(0.0);
    metal::float3 _e20 = unit_or(is_rounding ? metal::float3(0.0) : flat, other);
    return _e20;
}

metal::float3 affine_tangent(
    Affine a_3,
    metal::float3 tangent_1,
    metal::float3 normal_2
) {
    if (true) {
        return metal::float3(0.0);
    }
    metal::float3 _e8 = flat_tangent(a_3.linear * tangent_1, normal_2);
    return _e8;
}

metal::float3 tangent_mix(
    metal::float3 a_4,
    metal::float3 b_1,
    float f_1,
    metal::float3 normal_3
) {
    if (true) {
        return metal::float3(0.0);
    }
    metal::float3 _e8 = flat_tangent(metal::mix(a_4, b_1, f_1), normal_3);
    return _e8;
}

Deformed deformed_mix(
    Deformed a_5,
    Deformed b_2,
    float f_2
) {
    metal::float3 _e7 = unit_or(metal::mix(a_5.normal, b_2.normal, f_2), a_5.normal);
    metal::float3 _e13 = tangent_mix(a_5.tangent, b_2.tangent, f_2, _e7);
    return Deformed {metal::mix(a_5.position, b_2.position, f_2), _e7, _e13};
}

Instance instance_unpack(
    metal::uint4 x,
    metal::uint4 y,
    metal::uint4 z,
    metal::uint4 a_6,
    metal::uint4 b_3,
    metal::uint4 c,
    uint index,
    uint now_3
) {
    metal::float3x4 rows_1 = metal::float3x4(as_type<metal::float4>(x), as_type<metal::float4>(y), as_type<metal::float4>(z));
    Affine _e12 = affine_from_rows(rows_1);
    return Instance {_e12, metal::unpack_unorm4x8_to_float(a_6.x), Play {a_6.y, a_6.z, a_6.w}, Play {b_3.x, b_3.y, b_3.z}, b_3.w, c.x, as_type<float>(c.y), c.z, c.w, index, now_3};
}

Deformed instance_blend(
    Instance instance,
    Deformed bind,
    Deformed animated
) {
    bool is_animated = instance.fraction == 1.0;
    return Deformed {is_animated ? animated.position : metal::mix(bind.position, animated.position, instance.fraction), is_animated ? animated.normal : metal::mix(bind.normal, animated.normal, instance.fraction), is_animated ? animated.tangent : metal::mix(bind.tangent, animated.tangent, instance.fraction)};
}

Deformed instance_transform(
    Instance instance_1,
    Deformed bind_1,
    Deformed animated_1
) {
    Deformed _e3 = instance_blend(instance_1, bind_1, animated_1);
    metal::float3 _e6 = affine_normal(instance_1.world_from_model, _e3.normal);
    metal::float3 _e9 = affine_point(instance_1.world_from_model, _e3.position);
    metal::float3 _e12 = affine_tangent(instance_1.world_from_model, _e3.tangent, _e6);
    return Deformed {_e9, _e6, _e12};
}

ClipTiming play_timing(
    Play play_2,
    constant SetInfo& set_info,
    metal::texture2d<uint, metal::access::sample> tables_2
) {
    uint _e4 = set_info.clip_table;
    ClipTiming _e6 = clip_timing(tables_2, _e4, play_2.clip);
    return _e6;
}

float instance_fade(
    Instance instance_2
) {
    if (false) {
        return 0.0;
    }
    float _e6 = fade_weight(instance_2.fade_start, instance_2.fade_duration, instance_2.now);
    return _e6;
}

Deformed vertex_moment(
    Play play_3,
    uint now_4,
    metal::uint2 items,
    constant SetInfo& set_info,
    metal::texture2d<uint, metal::access::sample> tables_2,
    metal::texture2d_array<uint, metal::access::sample> words_10
) {
    ClipTiming _e3 = play_timing(play_3, set_info, tables_2);
    float _e4 = play_time(play_3, _e3, now_4);
    JointCurves tables_3 = set_info.joint_curves;
    Moment _e14 = moment_find(words_10, tables_3.clip_table, tables_3.curves, play_3.clip & 2147483647u, _e4);
    metal::float3 _e17 = moment_vector(words_10, _e14, items.x);
    uint _e21 = set_info.position_curves;
    metal::float3 _e24 = moment_vector(words_10, _e14, _e21 + items.y);
    metal::float4 range = set_info.vertex_curve_range;
    metal::float3 _e36 = unit_or(_e24, metal::float3(0.0, 1.0, 0.0));
    return Deformed {range.xyz + (range.w * _e17), _e36, metal::float3(0.0)};
}

Deformed deform(
    VertexIn v_3,
    Instance instance_3,
    constant SetInfo& set_info,
    metal::texture2d<uint, metal::access::sample> tables_2,
    metal::texture2d_array<uint, metal::access::sample> words_10
) {
    Deformed deformed = {};
    bool local_1 = {};
    Deformed _e6 = vertex_moment(instance_3.first, instance_3.now, v_3.indices.zw, set_info, tables_2, words_10);
    deformed = _e6;
    float _e8 = instance_fade(instance_3);
    if (HAS_FADES) {
        local_1 = _e8 != 0.0;
    } else {
        local_1 = false;
    }
    bool _e15 = local_1;
    if (_e15) {
        Deformed _e16 = deformed;
        Deformed _e21 = vertex_moment(instance_3.second, instance_3.now, v_3.indices.zw, set_info, tables_2, words_10);
        Deformed _e22 = deformed_mix(_e16, _e21, _e8);
        deformed = _e22;
    }
    metal::float3 _e24 = deformed.position;
    deformed.position = _e24 + v_3.position.xyz;
    Deformed _e28 = deformed;
    return _e28;
}

Instance vertex_instance(
    VertexIn v_4,
    constant Frame& frame
) {
    uint _e10 = frame.now;
    Instance _e11 = instance_unpack(v_4.row_x, v_4.row_y, v_4.row_z, v_4.play_a, v_4.play_b, v_4.extra, v_4.instance, _e10);
    return _e11;
}

metal::float3 vertex_tangent(
    VertexIn v_5
) {
    return metal::float3(0.0);
}

Deformed vertex_deformed(
    VertexIn v_6,
    Instance instance_4,
    constant SetInfo& set_info,
    metal::texture2d<uint, metal::access::sample> tables_2,
    metal::texture2d_array<uint, metal::access::sample> words_10
) {
    metal::float3 _e5 = vertex_tangent(v_6);
    Deformed bind_2 = Deformed {v_6.position.xyz, v_6.normal, _e5};
    Deformed _e7 = deform(v_6, instance_4, set_info, tables_2, words_10);
    Deformed _e8 = instance_transform(instance_4, bind_2, _e7);
    return _e8;
}

metal::float4 clip_position(
    metal::float3 world_position,
    constant Camera& camera
) {
    metal::float4x4 _e3 = camera.clip_from_world;
    return _e3 * metal::float4(world_position, 1.0);
}

struct draw_vertexInput {
    metal::float4 position_1 [[attribute(0)]];
    metal::float3 normal_4 [[attribute(1)]];
    metal::float2 uv [[attribute(2)]];
    metal::float4 color [[attribute(3)]];
    metal::uint4 joints [[attribute(4)]];
    metal::float4 weights_1 [[attribute(5)]];
    metal::uint4 indices [[attribute(6)]];
    metal::uint4 row_x [[attribute(7)]];
    metal::uint4 row_y [[attribute(8)]];
    metal::uint4 row_z [[attribute(9)]];
    metal::uint4 play_a [[attribute(10)]];
    metal::uint4 play_b [[attribute(11)]];
    metal::uint4 extra [[attribute(12)]];
};
struct draw_vertexOutput {
    metal::float4 clip_position [[position]];
    metal::float3 world_position [[user(loc0), center_perspective]];
    metal::float3 normal [[user(loc1), center_perspective]];
    metal::float2 uv [[user(loc3), center_perspective]];
    metal::float4 color [[user(loc4), center_perspective]];
    metal::float4 tint [[user(loc5), flat]];
    uint user [[user(loc6), flat]];
};
vertex draw_vertexOutput draw_vertex(
  draw_vertexInput varyings [[stage_in]]
, uint index_1 [[vertex_id]]
, uint instance_5 [[instance_id]]
, constant Frame& frame [[buffer(15)]]
, constant SetInfo& set_info [[buffer(1)]]
, metal::texture2d<uint, metal::access::sample> tables_2 [[texture(1)]]
, metal::texture2d_array<uint, metal::access::sample> words_10 [[texture(2)]]
, constant Camera& camera [[buffer(0)]]
) {
    const VertexIn v = { varyings.position_1, varyings.normal_4, varyings.uv, {}, varyings.color, varyings.joints, varyings.weights_1, varyings.indices, varyings.row_x, varyings.row_y, varyings.row_z, varyings.play_a, varyings.play_b, varyings.extra, index_1, instance_5 };
    DrawOut out = {};
    Instance _e1 = vertex_instance(v, frame);
    Deformed _e2 = vertex_deformed(v, _e1, set_info, tables_2, words_10);
    metal::float4 _e6 = clip_position(_e2.position, camera);
    out.clip_position = _e6;
    out.world_position = _e2.position;
    out.normal = _e2.normal;
    out.uv = v.uv;
    out.color = v.color;
    out.tint = _e1.tint;
    out.user = _e1.user;
    DrawOut _e19 = out;
    const auto _tmp = _e19;
    return draw_vertexOutput { _tmp.clip_position, _tmp.world_position, _tmp.normal, _tmp.uv, _tmp.color, _tmp.tint, _tmp.user };
}
