// Entry point draw_vertex, generated from WGSL by naga: do not edit.
//   buffer(0)      camera
//   buffer(1)      set_info
//   texture(1)     tables
//   texture(2)     texels: upload every two RGBA16 texels as one RGBA32UI texel
//   texture(4)     influences
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
struct FramePair {
    uint first;
    uint second;
    float fraction;
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
struct BindVertex {
    metal::float3 position;
    metal::float3 normal;
    metal::packed_float3 tangent;
    float deform_factor;
    metal::uint4 joints;
    metal::float4 weights;
    metal::uint2 more;
    char _pad7[8];
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
struct Frames {
    FramePair first;
    FramePair second;
    float fade;
};
struct Influence {
    uint joint;
    float weight;
};
struct Accumulator {
    Affine method;
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
constant uint INTERPOLATE_LINEAR = 0u;
constant uint INTERPOLATE_NLERP = 1u;
constant uint INTERPOLATE_SLERP = 2u;
constant uint INTERPOLATION = 0u;
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

float quat_matrix_scale(
    metal::float4 q
) {
    float square = metal::dot(q, q);
    return (square < 0.000000000000000000000001) ? 0.0 : (2.0 / square);
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

metal::float4 quat_aligned(
    metal::float4 a,
    metal::float4 b
) {
    return (metal::dot(a, b) < 0.0) ? -(b) : b;
}

metal::float4 quat_slerp(
    metal::float4 a_1,
    metal::float4 b_1,
    float f
) {
    metal::float4 _e3 = quat_aligned(a_1, b_1);
    float cosine = metal::min(metal::dot(a_1, _e3), 1.0);
    if (cosine > 0.9995) {
        return metal::normalize(metal::mix(a_1, _e3, f));
    }
    float angle = metal::acos(cosine);
    return ((metal::sin((1.0 - f) * angle) * a_1) + (metal::sin(f * angle) * _e3)) / metal::float4(metal::sin(angle));
}

metal::float4 quat_from_mat3_(
    metal::float3x3 m
) {
    metal::float4 q_3 = {};
    metal::float3 x_1 = m[0];
    metal::float3 y_1 = m[1];
    metal::float3 z_1 = m[2];
    if (m[2].z <= 0.0) {
        float difference = m[1].y - m[0].x;
        float rest = 1.0 - m[2].z;
        if (difference <= 0.0) {
            q_3 = metal::float4(rest - difference, m[0].y + m[1].x, m[0].z + m[2].x, m[1].z - m[2].y);
        } else {
            q_3 = metal::float4(m[0].y + m[1].x, rest + difference, m[1].z + m[2].y, m[2].x - m[0].z);
        }
    } else {
        float sum_5 = m[1].y + m[0].x;
        float rest_1 = 1.0 + m[2].z;
        if (sum_5 <= 0.0) {
            q_3 = metal::float4(m[0].z + m[2].x, m[1].z + m[2].y, rest_1 - sum_5, m[0].y - m[1].x);
        } else {
            q_3 = metal::float4(m[1].z - m[2].y, m[2].x - m[0].z, m[0].y - m[1].x, rest_1 + sum_5);
        }
    }
    metal::float4 _e68 = q_3;
    return metal::normalize(_e68);
}

Affine affine_mul(
    Affine a_2,
    Affine b_2
) {
    return Affine {a_2.linear * b_2.linear, (a_2.linear * b_2.translation) + a_2.translation};
}

Affine affine_from_rows(
    metal::float3x4 rows
) {
    metal::float4x3 columns = metal::transpose(rows);
    return Affine {metal::float3x3(columns[0], columns[1], columns[2]), columns[3]};
}

Affine affine_mix(
    Affine a_3,
    Affine b_3,
    float f_1
) {
    return Affine {metal::float3x3(metal::mix(a_3.linear[0], b_3.linear[0], f_1), metal::mix(a_3.linear[1], b_3.linear[1], f_1), metal::mix(a_3.linear[2], b_3.linear[2], f_1)), metal::mix(a_3.translation, b_3.translation, f_1)};
}

Affine affine_scaled(
    Affine a_4,
    float weight
) {
    return Affine {a_4.linear * weight, a_4.translation * weight};
}

Affine affine_add_scaled(
    Affine sum,
    Affine a_5,
    float weight_1
) {
    return Affine {sum.linear + (a_5.linear * weight_1), sum.translation + (a_5.translation * weight_1)};
}

metal::float3 affine_point(
    Affine a_6,
    metal::float3 point
) {
    return (a_6.linear * point) + a_6.translation;
}

metal::float3 unit_or(
    metal::float3 v_1,
    metal::float3 fallback
) {
    float square_1 = metal::dot(v_1, v_1);
    return (square_1 > 0.0) ? (v_1 * metal::rsqrt(square_1)) : fallback;
}

metal::float3 affine_normal(
    Affine a_7,
    metal::float3 normal
) {
    metal::float3x3 m_2 = a_7.linear;
    metal::float3 _e14 = unit_or(metal::float3x3(metal::cross(a_7.linear[1], a_7.linear[2]), metal::cross(a_7.linear[2], a_7.linear[0]), metal::cross(a_7.linear[0], a_7.linear[1])) * normal, normal);
    return _e14;
}

metal::float3 any_orthonormal(
    metal::float3 v_2
) {
    float sign = (v_2.z >= 0.0) ? 1.0 : -1.0;
    float a_10 = -1.0 / (sign + v_2.z);
    float b_5 = (v_2.x * v_2.y) * a_10;
    return metal::float3(b_5, sign + ((v_2.y * v_2.y) * a_10), -(v_2.y));
}

int naga_f2i32(float value) {
    return static_cast<int>(metal::clamp(value, -2147483600.0, 2147483500.0));
}

uint divide(
    uint n,
    uint d
) {
    uint guess = as_type<uint>(naga_f2i32(static_cast<float>(as_type<int>(n)) / static_cast<float>(as_type<int>(d))));
    int rest_2 = as_type<int>(n - (guess * d));
    return (guess + ((rest_2 >= as_type<int>(d)) ? 1u : 0u)) - ((rest_2 < 0) ? 1u : 0u);
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

float play_frame(
    Play play_1,
    ClipTiming timing,
    uint now_1
) {
    float _e4 = play_phase(play_1, timing.wraps, now_1);
    float playing = _e4 * static_cast<float>(as_type<int>(as_type<uint>(static_cast<int>(timing.frames)) - as_type<uint>(1)));
    return (play_1.period == 0u) ? (as_type<float>(play_1.time) * timing.rate_hz) : playing;
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

metal::uint3 grid_texel(
    Grid grid,
    uint frame,
    uint item
) {
    uint column = {};
    uint row = {};
    uint layer = 0u;
    column = item;
    row = grid.first_row + (frame * grid.rows_per_frame);
    if (grid.by_columns != 0u) {
        column = frame;
        row = grid.first_row + item;
        if (grid.layers > 1u) {
            uint _e20 = divide(frame, grid.columns);
            uint _e21 = column;
            column = _e21 - (_e20 * grid.columns);
            uint _e25 = row;
            row = _e25 + (_e20 * grid.rows_per_frame);
        }
    } else {
        if (grid.rows_per_frame > 1u) {
            uint _e33 = divide(item, grid.columns);
            uint _e34 = column;
            column = _e34 - (_e33 * grid.columns);
            uint _e38 = row;
            row = _e38 + _e33;
        }
    }
    if (grid.layers > 1u) {
        uint _e43 = row;
        uint _e45 = divide(_e43, grid.height);
        layer = _e45;
        uint _e46 = row;
        uint _e47 = layer;
        row = _e46 - (_e47 * grid.height);
    }
    uint _e52 = column;
    uint _e54 = row;
    uint _e55 = layer;
    return metal::uint3(grid.first_column + _e52, _e54, _e55);
}

FramePair frame_pair(
    ClipTiming timing_1,
    float frames
) {
    int last = as_type<int>(as_type<uint>(static_cast<int>(timing_1.frames)) - as_type<uint>(1));
    float position = metal::clamp(frames, 0.0, static_cast<float>(last));
    int index_1 = metal::min(naga_f2i32(position), as_type<int>(as_type<uint>(metal::max(last, 1)) - as_type<uint>(1)));
    return FramePair {timing_1.first_frame + static_cast<uint>(index_1), timing_1.first_frame + static_cast<uint>(metal::min(as_type<int>(as_type<uint>(index_1) + as_type<uint>(1)), last)), position - static_cast<float>(index_1)};
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

metal::float4 table_floats(
    metal::texture2d<uint, metal::access::sample> tables_1,
    uint at_2
) {
    metal::uint4 _e2 = table_get(tables_1, at_2);
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
    uint at_3
) {
    metal::float4 _e2 = table_floats(tables_3, at_3);
    metal::float4 _e5 = table_floats(tables_3, at_3 + 1u);
    metal::float4 _e8 = table_floats(tables_3, at_3 + 2u);
    Affine _e10 = affine_from_rows(metal::float3x4(_e2, _e5, _e8));
    return _e10;
}

metal::float4 codec_unit(
    Codec codec,
    metal::float4 raw
) {
    return metal::float4(codec.unit_offset) + (codec.unit_scale * raw);
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
    Affine a_8,
    metal::float3 tangent_1,
    metal::float3 normal_2
) {
    if (true) {
        return metal::float3(0.0);
    }
    metal::float3 _e8 = flat_tangent(a_8.linear * tangent_1, normal_2);
    return _e8;
}

Deformed vertex_transform(
    Affine matrix_,
    BindVertex vertex_
) {
    metal::float3 _e3 = affine_normal(matrix_, vertex_.normal);
    metal::float3 _e5 = affine_point(matrix_, vertex_.position);
    metal::float3 _e7 = affine_tangent(matrix_, vertex_.tangent, _e3);
    return Deformed {_e5, _e3, _e7};
}

Instance instance_unpack(
    metal::uint4 x,
    metal::uint4 y,
    metal::uint4 z,
    metal::uint4 a_9,
    metal::uint4 b_4,
    metal::uint4 c,
    uint index,
    uint now_3
) {
    metal::float3x4 rows_1 = metal::float3x4(as_type<metal::float4>(x), as_type<metal::float4>(y), as_type<metal::float4>(z));
    Affine _e12 = affine_from_rows(rows_1);
    return Instance {_e12, metal::unpack_unorm4x8_to_float(a_9.x), Play {a_9.y, a_9.z, a_9.w}, Play {b_4.x, b_4.y, b_4.z}, b_4.w, c.x, as_type<float>(c.y), c.z, c.w, index, now_3};
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
    metal::texture2d<uint, metal::access::sample> tables_6
) {
    uint _e4 = set_info.clip_table;
    ClipTiming _e6 = clip_timing(tables_6, _e4, play_2.clip);
    return _e6;
}

Codec codec_of_bone(
    Codec codec_1,
    metal::texture2d<uint, metal::access::sample> tables_4,
    uint bone
) {
    Codec bone_codec = {};
    if (codec_1.range_table == 0u) {
        return codec_1;
    }
    bone_codec = codec_1;
    metal::float4 _e12 = table_floats(tables_4, codec_1.range_table + (2u * bone));
    bone_codec.offset = _e12;
    metal::float4 _e20 = table_floats(tables_4, (codec_1.range_table + (2u * bone)) + 1u);
    bone_codec.scale = _e20;
    Codec _e21 = bone_codec;
    return _e21;
}

FramePair play_frames(
    Play play_3,
    uint now_4,
    constant SetInfo& set_info,
    metal::texture2d<uint, metal::access::sample> tables_6
) {
    ClipTiming _e2 = play_timing(play_3, set_info, tables_6);
    float _e3 = play_frame(play_3, _e2, now_4);
    FramePair _e4 = frame_pair(_e2, _e3);
    return _e4;
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

Frames instance_frames(
    Instance instance_3,
    constant SetInfo& set_info,
    metal::texture2d<uint, metal::access::sample> tables_6
) {
    bool local = {};
    float _e1 = instance_fade(instance_3);
    FramePair _e4 = play_frames(instance_3.first, instance_3.now, set_info, tables_6);
    if (true) {
        local = _e1 == 0.0;
    } else {
        local = true;
    }
    bool _e11 = local;
    if (_e11) {
        return Frames {_e4, _e4, _e1};
    }
    FramePair _e15 = play_frames(instance_3.second, instance_3.now, set_info, tables_6);
    return Frames {_e4, _e15, _e1};
}

metal::float4 texel_unpack(
    metal::uint2 words
) {
    return static_cast<metal::float4>(static_cast<metal::int4>(metal::uint4(words.x & 65535u, words.x >> 16u, words.y & 65535u, words.y >> 16u)));
}

metal::uint4 pair_read(
    metal::texture2d_array<uint, metal::access::sample> texels_1,
    Grid grid_1,
    uint frame_1,
    uint pair
) {
    metal::uint3 _e4 = grid_texel(grid_1, frame_1, pair);
    metal::uint4 _e8 = texels_1.read(metal::uint2(_e4.xy), _e4.z, 0);
    return _e8;
}

uint naga_div(uint lhs, uint rhs) {
    return lhs / metal::select(rhs, 1u, rhs == 0u);
}

metal::float3x4 texels_three(
    metal::texture2d_array<uint, metal::access::sample> texels_2,
    Grid grid_2,
    uint frame_2,
    uint item_1
) {
    metal::uint4 _e6 = pair_read(texels_2, grid_2, frame_2, naga_div(item_1, 2u));
    metal::uint4 _e11 = pair_read(texels_2, grid_2, frame_2, naga_div(item_1, 2u) + 1u);
    bool is_odd = (item_1 & 1u) != 0u;
    metal::float4 _e19 = texel_unpack(is_odd ? _e6.zw : _e6.xy);
    metal::float4 _e23 = texel_unpack(is_odd ? _e11.xy : _e6.zw);
    metal::float4 _e27 = texel_unpack(is_odd ? _e11.zw : _e11.xy);
    return metal::float3x4(_e19, _e23, _e27);
}

Affine bone_decode(
    Codec bone_codec_1,
    metal::float3x4 raw_1
) {
    metal::float4 _e3 = codec_unit(bone_codec_1, raw_1[0]);
    metal::float4 _e6 = codec_unit(bone_codec_1, raw_1[1]);
    metal::float4 _e9 = codec_unit(bone_codec_1, raw_1[2]);
    return Affine {metal::transpose(metal::float3x3(_e3.xyz, _e6.xyz, _e9.xyz)), bone_codec_1.offset.xyz + (bone_codec_1.scale.xyz * metal::float3(raw_1[0].w, raw_1[1].w, raw_1[2].w))};
}

metal::float4 rotation_of(
    metal::float3x3 m_1
) {
    metal::float3 _e6 = unit_or(m_1[0], metal::float3(1.0, 0.0, 0.0));
    metal::float3 across = m_1[1] - (_e6 * metal::dot(_e6, m_1[1]));
    metal::float3 _e12 = any_orthonormal(_e6);
    metal::float3 _e13 = unit_or(across, _e12);
    metal::float4 _e16 = quat_from_mat3_(metal::float3x3(_e6, _e13, metal::cross(_e6, _e13)));
    return _e16;
}

Affine bone_mix(
    Affine from_bone,
    Affine to_bone,
    float f_2
) {
    if (true) {
        Affine _e4 = affine_mix(from_bone, to_bone, f_2);
        return _e4;
    }
    metal::float4 _e6 = rotation_of(from_bone.linear);
    metal::float4 _e8 = rotation_of(to_bone.linear);
    metal::float3x3 _e9 = mat3_from_quat(_e6);
    metal::float3x3 from_stretch = metal::transpose(_e9) * from_bone.linear;
    metal::float3x3 _e13 = mat3_from_quat(_e8);
    metal::float3x3 to_stretch = metal::transpose(_e13) * to_bone.linear;
    Affine _e21 = affine_mix(Affine {from_stretch, from_bone.translation}, Affine {to_stretch, to_bone.translation}, f_2);
    metal::float4 _e22 = quat_slerp(_e6, _e8, f_2);
    metal::float3x3 _e23 = mat3_from_quat(_e22);
    return Affine {_e23 * _e21.linear, _e21.translation};
}

Affine bone_between(
    metal::texture2d_array<uint, metal::access::sample> texels_3,
    metal::texture2d<uint, metal::access::sample> tables_5,
    Grid grid_3,
    Codec codec_2,
    FramePair pair_1,
    uint offset
) {
    Codec _e8 = codec_of_bone(codec_2, tables_5, naga_div(offset, 3u));
    metal::float3x4 _e10 = texels_three(texels_3, grid_3, pair_1.first, offset);
    metal::float3x4 _e12 = texels_three(texels_3, grid_3, pair_1.second, offset);
    if (false) {
        Affine _e14 = bone_decode(_e8, _e10);
        Affine _e15 = bone_decode(_e8, _e12);
        Affine _e17 = bone_mix(_e14, _e15, pair_1.fraction);
        return _e17;
    }
    Affine _e25 = bone_decode(_e8, (_e10 * (1.0 - pair_1.fraction)) + (_e12 * pair_1.fraction));
    return _e25;
}

Affine bone_fade(
    Affine from_bone_1,
    Affine to_bone_1,
    float f_3
) {
    Affine _e3 = bone_mix(from_bone_1, to_bone_1, f_3);
    return _e3;
}

Affine bone_to_affine(
    Affine bone_1
) {
    return bone_1;
}

Affine bone_of(
    FramePair pair_2,
    uint bone_offset,
    constant SetInfo& set_info,
    metal::texture2d<uint, metal::access::sample> tables_6,
    metal::texture2d_array<uint, metal::access::sample> texels_4
) {
    Grid _e6 = set_info.grid;
    Codec _e9 = set_info.codec;
    Affine _e10 = bone_between(texels_4, tables_6, _e6, _e9, pair_2, bone_offset);
    return _e10;
}

Frames pose_of(
    Instance instance_4,
    constant SetInfo& set_info,
    metal::texture2d<uint, metal::access::sample> tables_6
) {
    Frames _e1 = instance_frames(instance_4, set_info, tables_6);
    return _e1;
}

Affine pose_bone(
    Frames pose,
    uint bone_offset_1,
    constant SetInfo& set_info,
    metal::texture2d<uint, metal::access::sample> tables_6,
    metal::texture2d_array<uint, metal::access::sample> texels_4
) {
    bool local_1 = {};
    Affine _e3 = bone_of(pose.first, bone_offset_1, set_info, tables_6, texels_4);
    if (true) {
        local_1 = pose.fade == 0.0;
    } else {
        local_1 = true;
    }
    bool _e11 = local_1;
    if (_e11) {
        return _e3;
    }
    Affine _e13 = bone_of(pose.second, bone_offset_1, set_info, tables_6, texels_4);
    Affine _e15 = bone_fade(_e3, _e13, pose.fade);
    return _e15;
}

Affine joint_affine(
    Frames pose_1,
    uint joint,
    constant SetInfo& set_info,
    metal::texture2d<uint, metal::access::sample> tables_6,
    metal::texture2d_array<uint, metal::access::sample> texels_4
) {
    Affine _e4 = pose_bone(pose_1, joint >> 16u, set_info, tables_6, texels_4);
    Affine _e5 = bone_to_affine(_e4);
    uint palette_index = joint & 65535u;
    uint _e10 = set_info.inverse_binds_are_matrices;
    if (_e10 == 0u) {
        uint _e16 = set_info.inverse_bind_table;
        metal::float4 _e18 = table_floats(tables_6, _e16 + palette_index);
        metal::float3 translation = _e18.xyz;
        metal::float3 _e21 = affine_point(_e5, translation);
        return Affine {_e5.linear, _e21};
    }
    uint _e26 = set_info.inverse_bind_table;
    Affine _e30 = table_affine(tables_6, _e26 + (3u * palette_index));
    Affine _e31 = affine_mul(_e5, _e30);
    return _e31;
}

Influence influence_read(
    uint at_4,
    metal::texture2d<uint, metal::access::sample> influences
) {
    metal::uint4 texel = influences.read(metal::uint2(metal::uint2(at_4 & 2047u, at_4 >> 11u)), 0);
    return Influence {texel.x, as_type<float>(texel.y)};
}

Affine method_first(
    Frames pose_2,
    uint joint_1,
    float weight_2,
    constant SetInfo& set_info,
    metal::texture2d<uint, metal::access::sample> tables_6,
    metal::texture2d_array<uint, metal::access::sample> texels_4
) {
    Affine _e3 = joint_affine(pose_2, joint_1, set_info, tables_6, texels_4);
    Affine _e4 = affine_scaled(_e3, weight_2);
    return _e4;
}

Accumulator accumulate_first(
    Frames pose_3,
    uint joint_2,
    float weight_3,
    constant SetInfo& set_info,
    metal::texture2d<uint, metal::access::sample> tables_6,
    metal::texture2d_array<uint, metal::access::sample> texels_4
) {
    Affine _e3 = method_first(pose_3, joint_2, weight_3, set_info, tables_6, texels_4);
    return Accumulator {_e3};
}

Affine method_add(
    Affine sum_1,
    Frames pose_4,
    uint joint_3,
    float weight_4,
    constant SetInfo& set_info,
    metal::texture2d<uint, metal::access::sample> tables_6,
    metal::texture2d_array<uint, metal::access::sample> texels_4
) {
    Affine _e4 = joint_affine(pose_4, joint_3, set_info, tables_6, texels_4);
    Affine _e5 = affine_add_scaled(sum_1, _e4, weight_4);
    return _e5;
}

Accumulator accumulate(
    Accumulator sum_2,
    Frames pose_5,
    uint joint_4,
    float weight_5,
    constant SetInfo& set_info,
    metal::texture2d<uint, metal::access::sample> tables_6,
    metal::texture2d_array<uint, metal::access::sample> texels_4
) {
    Affine _e5 = method_add(sum_2.method, pose_5, joint_4, weight_5, set_info, tables_6, texels_4);
    return Accumulator {_e5};
}

Accumulator accumulate_influences(
    Frames pose_6,
    BindVertex vertex_1,
    constant SetInfo& set_info,
    metal::texture2d<uint, metal::access::sample> tables_6,
    metal::texture2d_array<uint, metal::access::sample> texels_4,
    metal::texture2d<uint, metal::access::sample> influences
) {
    Accumulator sum_3 = {};
    metal::uint2 joints = {};
    metal::float2 weights = {};
    bool local_2 = {};
    uint k = 0u;
    Accumulator _e6 = accumulate_first(pose_6, vertex_1.joints.x, vertex_1.weights.x, set_info, tables_6, texels_4);
    sum_3 = _e6;
    if (true) {
        Accumulator _e9 = sum_3;
        Accumulator _e14 = accumulate(_e9, pose_6, vertex_1.joints.y, vertex_1.weights.y, set_info, tables_6, texels_4);
        sum_3 = _e14;
    }
    joints = vertex_1.joints.zw;
    weights = vertex_1.weights.zw;
    while(true) {
        if (true) {
            float _e25 = weights.x;
            local_2 = _e25 != 0.0;
        } else {
            local_2 = false;
        }
        bool _e29 = local_2;
        if (_e29) {
        } else {
            break;
        }
        {
            Accumulator _e30 = sum_3;
            uint _e32 = joints.x;
            float _e34 = weights.x;
            Accumulator _e35 = accumulate(_e30, pose_6, _e32, _e34, set_info, tables_6, texels_4);
            sum_3 = _e35;
            uint _e37 = joints.y;
            joints = metal::uint2(_e37, 0u);
            float _e41 = weights.y;
            weights = metal::float2(_e41, 0.0);
        }
    }
    if (true) {
        bool loop_init = true;
        while(true) {
            if (!loop_init) {
                uint _e61 = k;
                k = _e61 + 1u;
            }
            loop_init = false;
            uint _e47 = k;
            if (_e47 < vertex_1.more.y) {
            } else {
                break;
            }
            {
                uint _e53 = k;
                Influence _e55 = influence_read(vertex_1.more.x + _e53, influences);
                Accumulator _e56 = sum_3;
                Accumulator _e59 = accumulate(_e56, pose_6, _e55.joint, _e55.weight, set_info, tables_6, texels_4);
                sum_3 = _e59;
            }
        }
    }
    Accumulator _e63 = sum_3;
    return _e63;
}

Deformed skin_vertex(
    Accumulator sum_4,
    BindVertex vertex_2
) {
    Deformed _e3 = vertex_transform(sum_4.method, vertex_2);
    return _e3;
}

BindVertex morphed(
    BindVertex vertex_3,
    Instance instance_5,
    metal::uint2 morph
) {
    return vertex_3;
}

metal::float3 vertex_tangent(
    VertexIn v_3
) {
    return metal::float3(0.0);
}

BindVertex bind_vertex(
    VertexIn v_4,
    constant Frame& frame_3
) {
    float _e3 = frame_3.deform_factor;
    float deform_factor = _e3 * v_4.position.w;
    metal::float3 _e10 = vertex_tangent(v_4);
    return BindVertex {v_4.position.xyz, v_4.normal, _e10, deform_factor, v_4.joints, v_4.weights, v_4.indices.xy};
}

Deformed deform(
    VertexIn v_5,
    Instance instance_6,
    constant Frame& frame_3,
    constant SetInfo& set_info,
    metal::texture2d<uint, metal::access::sample> tables_6,
    metal::texture2d_array<uint, metal::access::sample> texels_4,
    metal::texture2d<uint, metal::access::sample> influences
) {
    BindVertex _e2 = bind_vertex(v_5, frame_3);
    BindVertex _e5 = morphed(_e2, instance_6, v_5.indices.zw);
    Frames _e6 = pose_of(instance_6, set_info, tables_6);
    Accumulator _e7 = accumulate_influences(_e6, _e5, set_info, tables_6, texels_4, influences);
    Deformed _e8 = skin_vertex(_e7, _e5);
    return _e8;
}

Instance vertex_instance(
    VertexIn v_6,
    constant Frame& frame_3
) {
    uint _e10 = frame_3.now;
    Instance _e11 = instance_unpack(v_6.row_x, v_6.row_y, v_6.row_z, v_6.play_a, v_6.play_b, v_6.extra, v_6.instance, _e10);
    return _e11;
}

Deformed vertex_deformed(
    VertexIn v_7,
    Instance instance_7,
    constant Frame& frame_3,
    constant SetInfo& set_info,
    metal::texture2d<uint, metal::access::sample> tables_6,
    metal::texture2d_array<uint, metal::access::sample> texels_4,
    metal::texture2d<uint, metal::access::sample> influences
) {
    metal::float3 _e5 = vertex_tangent(v_7);
    Deformed bind_2 = Deformed {v_7.position.xyz, v_7.normal, _e5};
    Deformed _e7 = deform(v_7, instance_7, frame_3, set_info, tables_6, texels_4, influences);
    Deformed _e8 = instance_transform(instance_7, bind_2, _e7);
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
    metal::float4 position [[attribute(0)]];
    metal::float3 normal_3 [[attribute(1)]];
    metal::float2 uv [[attribute(2)]];
    metal::float4 color [[attribute(3)]];
    metal::uint4 joints_1 [[attribute(4)]];
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
, uint index_2 [[vertex_id]]
, uint instance_8 [[instance_id]]
, constant Frame& frame_3 [[buffer(15)]]
, constant SetInfo& set_info [[buffer(1)]]
, metal::texture2d<uint, metal::access::sample> tables_6 [[texture(1)]]
, metal::texture2d_array<uint, metal::access::sample> texels_4 [[texture(2)]]
, metal::texture2d<uint, metal::access::sample> influences [[texture(4)]]
, constant Camera& camera [[buffer(0)]]
) {
    const VertexIn v = { varyings.position, varyings.normal_3, varyings.uv, {}, varyings.color, varyings.joints_1, varyings.weights_1, varyings.indices, varyings.row_x, varyings.row_y, varyings.row_z, varyings.play_a, varyings.play_b, varyings.extra, index_2, instance_8 };
    DrawOut out = {};
    Instance _e1 = vertex_instance(v, frame_3);
    Deformed _e2 = vertex_deformed(v, _e1, frame_3, set_info, tables_6, texels_4, influences);
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
