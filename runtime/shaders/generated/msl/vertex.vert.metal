// Entry point draw_vertex, generated from WGSL by naga: do not edit.
//   buffer(0)      camera
//   buffer(1)      set_info
//   texture(1)     tables
//   texture(2)     texels: upload RGBA16, or RGB16 padded to it, as RGBA16UI
//   texture(3)     normals: upload RG16 as RGBA8
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
constant bool IS_RAY = false;
constant bool IS_OCTAHEDRAL = true;
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

metal::float4 texels_load(
    metal::texture2d_array<uint, metal::access::sample> texels,
    metal::uint3 at
) {
    metal::uint4 texel = texels.read(metal::uint2(at.xy), at.z, 0);
    return static_cast<metal::float4>(static_cast<metal::int4>(texel));
}

metal::float4 normals_load(
    metal::texture2d_array<float, metal::access::sample> texels_1,
    metal::uint3 at_1
) {
    metal::float4 texel_1 = texels_1.read(metal::uint2(at_1.xy), at_1.z, 0);
    return metal::float4((255.0 * texel_1.xz) + (65280.0 * texel_1.yw), 0.0, 0.0);
}

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
    float a_6 = -1.0 / (sign + v_2.z);
    float b_3 = (v_2.x * v_2.y) * a_6;
    return metal::float3(b_3, sign + ((v_2.y * v_2.y) * a_6), -(v_2.y));
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
    metal::texture2d<uint, metal::access::sample> texels_2,
    uint at_2
) {
    metal::uint4 _e8 = texels_2.read(metal::uint2(metal::uint2(at_2 & 2047u, at_2 >> 11u)), 0);
    return _e8;
}

metal::uint4 table_get(
    metal::texture2d<uint, metal::access::sample> tables,
    uint at_3
) {
    metal::uint4 _e2 = bits_get(tables, at_3);
    return _e2;
}

metal::float4 table_floats(
    metal::texture2d<uint, metal::access::sample> tables_1,
    uint at_4
) {
    metal::uint4 _e2 = table_get(tables_1, at_4);
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

metal::float4 codec_unit(
    Codec codec,
    metal::float4 raw
) {
    return metal::float4(codec.unit_offset) + (codec.unit_scale * raw);
}

metal::float3 vector_from_octahedron(
    metal::float2 p
) {
    float z_1 = (1.0 - metal::abs(p.x)) - metal::abs(p.y);
    float fold = metal::max(-(z_1), 0.0);
    return metal::float3(p - metal::select(metal::float2(fold), metal::float2(-(fold)), p < metal::float2(0.0)), z_1);
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
    Affine a_2,
    metal::float3 tangent_1,
    metal::float3 normal_2
) {
    if (true) {
        return metal::float3(0.0);
    }
    metal::float3 _e8 = flat_tangent(a_2.linear * tangent_1, normal_2);
    return _e8;
}

metal::float3 tangent_mix(
    metal::float3 a_3,
    metal::float3 b,
    float f,
    metal::float3 normal_3
) {
    if (true) {
        return metal::float3(0.0);
    }
    metal::float3 _e8 = flat_tangent(metal::mix(a_3, b, f), normal_3);
    return _e8;
}

Deformed deformed_mix(
    Deformed a_4,
    Deformed b_1,
    float f_1
) {
    metal::float3 _e7 = unit_or(metal::mix(a_4.normal, b_1.normal, f_1), a_4.normal);
    metal::float3 _e13 = tangent_mix(a_4.tangent, b_1.tangent, f_1, _e7);
    return Deformed {metal::mix(a_4.position, b_1.position, f_1), _e7, _e13};
}

Instance instance_unpack(
    metal::uint4 x,
    metal::uint4 y,
    metal::uint4 z,
    metal::uint4 a_5,
    metal::uint4 b_2,
    metal::uint4 c,
    uint index,
    uint now_3
) {
    metal::float3x4 rows_1 = metal::float3x4(as_type<metal::float4>(x), as_type<metal::float4>(y), as_type<metal::float4>(z));
    Affine _e12 = affine_from_rows(rows_1);
    return Instance {_e12, metal::unpack_unorm4x8_to_float(a_5.x), Play {a_5.y, a_5.z, a_5.w}, Play {b_2.x, b_2.y, b_2.z}, b_2.w, c.x, as_type<float>(c.y), c.z, c.w, index, now_3};
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
    metal::texture2d<uint, metal::access::sample> tables_4
) {
    uint _e4 = set_info.clip_table;
    ClipTiming _e6 = clip_timing(tables_4, _e4, play_2.clip);
    return _e6;
}

Codec codec_of_bone(
    Codec codec_1,
    metal::texture2d<uint, metal::access::sample> tables_3,
    uint bone
) {
    Codec bone_codec = {};
    if (codec_1.range_table == 0u) {
        return codec_1;
    }
    bone_codec = codec_1;
    metal::float4 _e12 = table_floats(tables_3, codec_1.range_table + (2u * bone));
    bone_codec.offset = _e12;
    metal::float4 _e20 = table_floats(tables_3, (codec_1.range_table + (2u * bone)) + 1u);
    bone_codec.scale = _e20;
    Codec _e21 = bone_codec;
    return _e21;
}

FramePair play_frames(
    Play play_3,
    uint now_4,
    constant SetInfo& set_info,
    metal::texture2d<uint, metal::access::sample> tables_4
) {
    ClipTiming _e2 = play_timing(play_3, set_info, tables_4);
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
    metal::texture2d<uint, metal::access::sample> tables_4
) {
    bool local = {};
    float _e1 = instance_fade(instance_3);
    FramePair _e4 = play_frames(instance_3.first, instance_3.now, set_info, tables_4);
    if (true) {
        local = _e1 == 0.0;
    } else {
        local = true;
    }
    bool _e11 = local;
    if (_e11) {
        return Frames {_e4, _e4, _e1};
    }
    FramePair _e15 = play_frames(instance_3.second, instance_3.now, set_info, tables_4);
    return Frames {_e4, _e15, _e1};
}

metal::float4 texel_read(
    metal::texture2d_array<uint, metal::access::sample> texels_3,
    Grid grid_1,
    uint frame_1,
    uint item_1
) {
    metal::uint3 _e4 = grid_texel(grid_1, frame_1, item_1);
    metal::float4 _e5 = texels_load(texels_3, _e4);
    return _e5;
}

metal::float4 texel_between(
    metal::texture2d_array<uint, metal::access::sample> texels_4,
    Grid grid_2,
    FramePair pair,
    uint item_2
) {
    metal::float4 _e5 = texel_read(texels_4, grid_2, pair.first, item_2);
    metal::float4 _e7 = texel_read(texels_4, grid_2, pair.second, item_2);
    return metal::mix(_e5, _e7, pair.fraction);
}

Codec vertex_codec(
    constant SetInfo& set_info,
    metal::texture2d<uint, metal::access::sample> tables_4
) {
    Codec _e2 = set_info.codec;
    Codec _e5 = codec_of_bone(_e2, tables_4, 0u);
    return _e5;
}

metal::float3 ray_read(
    uint frame_number,
    uint item_3,
    constant SetInfo& set_info,
    metal::texture2d_array<uint, metal::access::sample> texels_5
) {
    Codec codec_2 = set_info.codec;
    Grid _e8 = set_info.grid;
    metal::float4 _e9 = texel_read(texels_5, _e8, frame_number, item_3);
    metal::float4 _e10 = codec_unit(codec_2, _e9);
    metal::float3 _e14 = unit_or(_e10.xyz, metal::float3(0.0));
    return _e14 * (codec_2.level_scale * _e9.w);
}

metal::float3 offset_between(
    FramePair pair_1,
    uint item_4,
    constant SetInfo& set_info,
    metal::texture2d<uint, metal::access::sample> tables_4,
    metal::texture2d_array<uint, metal::access::sample> texels_5
) {
    Codec _e2 = vertex_codec(set_info, tables_4);
    if (IS_RAY) {
        metal::float3 _e5 = ray_read(pair_1.first, item_4, set_info, texels_5);
        metal::float3 _e7 = ray_read(pair_1.second, item_4, set_info, texels_5);
        metal::float3 ray = metal::mix(_e5, _e7, pair_1.fraction);
        return _e2.offset.xyz + (_e2.scale.xyz * ray);
    }
    Grid _e23 = set_info.grid;
    metal::float4 _e24 = texel_between(texels_5, _e23, pair_1, item_4);
    return _e2.offset.xyz + (_e2.scale.xyz * _e24.xyz);
}

metal::float3 normal_raw(
    uint frame_number_1,
    uint item_5,
    constant SetInfo& set_info,
    metal::texture2d_array<float, metal::access::sample> normals
) {
    Grid _e5 = set_info.normals;
    metal::uint3 _e6 = grid_texel(_e5, frame_number_1, item_5);
    metal::float4 _e7 = normals_load(normals, _e6);
    return _e7.xyz;
}

metal::float3 normal_decode(
    metal::float3 raw_1,
    constant SetInfo& set_info
) {
    float _e4 = set_info.codec.normal_offset;
    float _e8 = set_info.codec.normal_scale;
    return metal::float3(_e4) + (_e8 * raw_1);
}

metal::float3 normal_between(
    FramePair pair_2,
    uint item_6,
    constant SetInfo& set_info,
    metal::texture2d_array<float, metal::access::sample> normals
) {
    metal::float3 _e3 = normal_raw(pair_2.first, item_6, set_info, normals);
    metal::float3 _e5 = normal_raw(pair_2.second, item_6, set_info, normals);
    if (IS_OCTAHEDRAL) {
        metal::float3 _e7 = normal_decode(_e3, set_info);
        metal::float3 _e9 = vector_from_octahedron(_e7.xy);
        metal::float3 _e10 = normal_decode(_e5, set_info);
        metal::float3 _e12 = vector_from_octahedron(_e10.xy);
        metal::float3 mixed = (_e9 * ((1.0 - pair_2.fraction) * metal::length(_e12))) + (_e12 * (pair_2.fraction * metal::length(_e9)));
        metal::float3 _e24 = unit_or(mixed, _e9);
        return _e24;
    }
    metal::float3 _e27 = normal_decode(metal::mix(_e3, _e5, pair_2.fraction), set_info);
    metal::float3 _e32 = unit_or(_e27, metal::float3(0.0, 1.0, 0.0));
    return _e32;
}

Deformed vertex_between(
    FramePair pair_3,
    metal::uint2 items,
    constant SetInfo& set_info,
    metal::texture2d<uint, metal::access::sample> tables_4,
    metal::texture2d_array<uint, metal::access::sample> texels_5,
    metal::texture2d_array<float, metal::access::sample> normals
) {
    metal::float3 _e3 = offset_between(pair_3, items.x, set_info, tables_4, texels_5);
    metal::float3 _e5 = normal_between(pair_3, items.y, set_info, normals);
    return Deformed {_e3, _e5, metal::float3(0.0)};
}

Deformed deform(
    VertexIn v_3,
    Instance instance_4,
    constant SetInfo& set_info,
    metal::texture2d<uint, metal::access::sample> tables_4,
    metal::texture2d_array<uint, metal::access::sample> texels_5,
    metal::texture2d_array<float, metal::access::sample> normals
) {
    Deformed deformed = {};
    bool local_1 = {};
    Frames _e2 = instance_frames(instance_4, set_info, tables_4);
    Deformed _e6 = vertex_between(_e2.first, v_3.indices.zw, set_info, tables_4, texels_5, normals);
    deformed = _e6;
    if (HAS_FADES) {
        local_1 = _e2.fade != 0.0;
    } else {
        local_1 = false;
    }
    bool _e15 = local_1;
    if (_e15) {
        Deformed _e16 = deformed;
        Deformed _e20 = vertex_between(_e2.second, v_3.indices.zw, set_info, tables_4, texels_5, normals);
        Deformed _e22 = deformed_mix(_e16, _e20, _e2.fade);
        deformed = _e22;
    }
    metal::float3 _e24 = deformed.position;
    deformed.position = _e24 + v_3.position.xyz;
    Deformed _e28 = deformed;
    return _e28;
}

Instance vertex_instance(
    VertexIn v_4,
    constant Frame& frame_2
) {
    uint _e10 = frame_2.now;
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
    Instance instance_5,
    constant SetInfo& set_info,
    metal::texture2d<uint, metal::access::sample> tables_4,
    metal::texture2d_array<uint, metal::access::sample> texels_5,
    metal::texture2d_array<float, metal::access::sample> normals
) {
    metal::float3 _e5 = vertex_tangent(v_6);
    Deformed bind_2 = Deformed {v_6.position.xyz, v_6.normal, _e5};
    Deformed _e7 = deform(v_6, instance_5, set_info, tables_4, texels_5, normals);
    Deformed _e8 = instance_transform(instance_5, bind_2, _e7);
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
    metal::float3 normal_4 [[attribute(1)]];
    metal::float2 uv [[attribute(2)]];
    metal::float4 color [[attribute(3)]];
    metal::uint4 joints [[attribute(4)]];
    metal::float4 weights [[attribute(5)]];
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
, uint instance_6 [[instance_id]]
, constant Frame& frame_2 [[buffer(15)]]
, constant SetInfo& set_info [[buffer(1)]]
, metal::texture2d<uint, metal::access::sample> tables_4 [[texture(1)]]
, metal::texture2d_array<uint, metal::access::sample> texels_5 [[texture(2)]]
, metal::texture2d_array<float, metal::access::sample> normals [[texture(3)]]
, constant Camera& camera [[buffer(0)]]
) {
    const VertexIn v = { varyings.position, varyings.normal_4, varyings.uv, {}, varyings.color, varyings.joints, varyings.weights, varyings.indices, varyings.row_x, varyings.row_y, varyings.row_z, varyings.play_a, varyings.play_b, varyings.extra, index_2, instance_6 };
    DrawOut out = {};
    Instance _e1 = vertex_instance(v, frame_2);
    Deformed _e2 = vertex_deformed(v, _e1, set_info, tables_4, texels_5, normals);
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
