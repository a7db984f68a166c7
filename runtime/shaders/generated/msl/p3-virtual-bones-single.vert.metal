// Entry point draw_vertex, generated from WGSL by naga: do not edit.
//   buffer(0)      camera
//   buffer(1)      set_info
//   texture(1)     tables
//   texture(2)     texels: upload as in the file, RGB padded to RGBA
//   texture(4)     influences
//   buffer(15)     frame
//   attribute(0)   position
//   attribute(1)   normal
//   attribute(2)   uv
//   attribute(3)   color
//   attribute(4)   bone_color
//   attribute(5)   weight_uv
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
struct Bone {
    metal::float3 theta;
    metal::float3 phi;
    metal::float3 translation;
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
    metal::float4 bone_color;
    metal::float2 weight_uv;
    char _pad6[8];
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
constant uint REST_FRAME = 4294967295u;

metal::float4 texels_load(
    metal::texture2d_array<float, metal::access::sample> texels,
    metal::uint3 at
) {
    metal::float4 texel = texels.read(metal::uint2(at.xy), at.z, 0);
    return texel;
}

Affine affine_from_rows(
    metal::float3x4 rows
) {
    metal::float4x3 columns = metal::transpose(rows);
    return Affine {metal::float3x3(columns[0], columns[1], columns[2]), columns[3]};
}

Affine affine_scaled(
    Affine a,
    float weight
) {
    return Affine {a.linear * weight, a.translation * weight};
}

Affine affine_add_scaled(
    Affine sum,
    Affine a_1,
    float weight_1
) {
    return Affine {sum.linear + (a_1.linear * weight_1), sum.translation + (a_1.translation * weight_1)};
}

metal::float3 affine_point(
    Affine a_2,
    metal::float3 point
) {
    return (a_2.linear * point) + a_2.translation;
}

metal::float3 unit_or(
    metal::float3 v_1,
    metal::float3 fallback
) {
    float square = metal::dot(v_1, v_1);
    return (square > 0.0) ? (v_1 * metal::rsqrt(square)) : fallback;
}

metal::float3 affine_normal(
    Affine a_3,
    metal::float3 normal
) {
    metal::float3x3 m = a_3.linear;
    metal::float3 _e14 = unit_or(metal::float3x3(metal::cross(a_3.linear[1], a_3.linear[2]), metal::cross(a_3.linear[2], a_3.linear[0]), metal::cross(a_3.linear[0], a_3.linear[1])) * normal, normal);
    return _e14;
}

metal::float3 any_orthonormal(
    metal::float3 v_2
) {
    float sign = (v_2.z >= 0.0) ? 1.0 : -1.0;
    float a_6 = -1.0 / (sign + v_2.z);
    float b_1 = (v_2.x * v_2.y) * a_6;
    return metal::float3(b_1, sign + ((v_2.y * v_2.y) * a_6), -(v_2.y));
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
    metal::texture2d<uint, metal::access::sample> texels_1,
    uint at_1
) {
    metal::uint4 _e8 = texels_1.read(metal::uint2(metal::uint2(at_1 & 2047u, at_1 >> 11u)), 0);
    return _e8;
}

metal::uint4 table_get(
    metal::texture2d<uint, metal::access::sample> tables,
    uint at_2
) {
    metal::uint4 _e2 = bits_get(tables, at_2);
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
    Affine a_4,
    metal::float3 tangent_1,
    metal::float3 normal_2
) {
    if (true) {
        return metal::float3(0.0);
    }
    metal::float3 _e8 = flat_tangent(a_4.linear * tangent_1, normal_2);
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
    metal::uint4 a_5,
    metal::uint4 b,
    metal::uint4 c,
    uint index,
    uint now_3
) {
    metal::float3x4 rows_1 = metal::float3x4(as_type<metal::float4>(x), as_type<metal::float4>(y), as_type<metal::float4>(z));
    Affine _e12 = affine_from_rows(rows_1);
    return Instance {_e12, metal::unpack_unorm4x8_to_float(a_5.x), Play {a_5.y, a_5.z, a_5.w}, Play {b.x, b.y, b.z}, b.w, c.x, as_type<float>(c.y), c.z, c.w, index, now_3};
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

FramePair play_frames(
    Play play_3,
    uint now_4,
    constant SetInfo& set_info,
    metal::texture2d<uint, metal::access::sample> tables_2
) {
    ClipTiming _e2 = play_timing(play_3, set_info, tables_2);
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
    metal::texture2d<uint, metal::access::sample> tables_2
) {
    bool local = {};
    float _e1 = instance_fade(instance_3);
    FramePair _e4 = play_frames(instance_3.first, instance_3.now, set_info, tables_2);
    if (true) {
        local = _e1 == 0.0;
    } else {
        local = true;
    }
    bool _e11 = local;
    if (_e11) {
        return Frames {_e4, _e4, _e1};
    }
    FramePair _e15 = play_frames(instance_3.second, instance_3.now, set_info, tables_2);
    return Frames {_e4, _e15, _e1};
}

metal::float4 texel_read(
    metal::texture2d_array<float, metal::access::sample> texels_2,
    Grid grid_1,
    uint frame_1,
    uint item_1
) {
    metal::uint3 _e4 = grid_texel(grid_1, frame_1, item_1);
    metal::float4 _e5 = texels_load(texels_2, _e4);
    return _e5;
}

Bone bone_mixed(
    metal::float3 theta,
    metal::float3 phi,
    metal::float3 translation
) {
    if (true) {
        return Bone {theta, phi, translation};
    }
    metal::float3 _e9 = unit_or(theta, metal::float3(1.0, 0.0, 0.0));
    metal::float3 across = phi - (_e9 * metal::dot(_e9, phi));
    metal::float3 _e13 = any_orthonormal(_e9);
    metal::float3 _e14 = unit_or(across, _e13);
    return Bone {_e9, _e14, translation};
}

Bone bone_fade(
    Bone from_bone,
    Bone to_bone,
    float f
) {
    Bone _e12 = bone_mixed(metal::mix(from_bone.theta, to_bone.theta, f), metal::mix(from_bone.phi, to_bone.phi, f), metal::mix(from_bone.translation, to_bone.translation, f));
    return _e12;
}

Affine bone_to_affine(
    Bone bone
) {
    return Affine {metal::float3x3(bone.theta, bone.phi, metal::cross(bone.theta, bone.phi)), bone.translation};
}

Bone bone_at(
    uint frame_number,
    uint bone_1,
    constant SetInfo& set_info,
    metal::texture2d_array<float, metal::access::sample> texels_3
) {
    Codec codec_1 = set_info.codec;
    Grid _e8 = set_info.grid;
    metal::float4 _e9 = texel_read(texels_3, _e8, frame_number, bone_1);
    metal::float4 _e10 = codec_unit(codec_1, _e9);
    Grid _e15 = set_info.grid;
    metal::float4 _e18 = texel_read(texels_3, _e15, frame_number, bone_1 + codec_1.axis_items);
    metal::float4 _e19 = codec_unit(codec_1, _e18);
    Grid _e28 = set_info.grid;
    metal::float4 _e33 = texel_read(texels_3, _e28, frame_number, bone_1 + (2u * codec_1.axis_items));
    return Bone {_e10.xyz, _e19.xyz, codec_1.offset.xyz + (codec_1.scale.xyz * _e33.xyz)};
}

Frames pose_of(
    Instance instance_4,
    constant SetInfo& set_info,
    metal::texture2d<uint, metal::access::sample> tables_2
) {
    Frames _e1 = instance_frames(instance_4, set_info, tables_2);
    return _e1;
}

Bone bone_of(
    FramePair pair,
    uint bone_2,
    constant SetInfo& set_info,
    metal::texture2d_array<float, metal::access::sample> texels_3
) {
    Bone _e3 = bone_at(pair.first, bone_2, set_info, texels_3);
    Bone _e5 = bone_at(pair.second, bone_2, set_info, texels_3);
    Bone _e7 = bone_fade(_e3, _e5, pair.fraction);
    return _e7;
}

Bone pose_bone(
    Frames pose,
    uint bone_offset,
    constant SetInfo& set_info,
    metal::texture2d_array<float, metal::access::sample> texels_3
) {
    bool local_1 = {};
    Bone _e3 = bone_of(pose.first, bone_offset, set_info, texels_3);
    if (true) {
        local_1 = pose.fade == 0.0;
    } else {
        local_1 = true;
    }
    bool _e11 = local_1;
    if (_e11) {
        return _e3;
    }
    Bone _e13 = bone_of(pose.second, bone_offset, set_info, texels_3);
    Bone _e15 = bone_fade(_e3, _e13, pose.fade);
    return _e15;
}

Affine joint_affine(
    Frames pose_1,
    uint joint,
    constant SetInfo& set_info,
    metal::texture2d_array<float, metal::access::sample> texels_3
) {
    Bone _e4 = pose_bone(pose_1, joint >> 16u, set_info, texels_3);
    Affine _e5 = bone_to_affine(_e4);
    Bone _e9 = bone_at(REST_FRAME, joint >> 16u, set_info, texels_3);
    Affine _e10 = bone_to_affine(_e9);
    metal::float3x3 rotation = _e5.linear * metal::transpose(_e10.linear);
    return Affine {rotation, _e5.translation - (rotation * _e10.translation)};
}

Influence influence_read(
    uint at_3,
    metal::texture2d<uint, metal::access::sample> influences
) {
    metal::uint4 texel_1 = influences.read(metal::uint2(metal::uint2(at_3 & 2047u, at_3 >> 11u)), 0);
    return Influence {texel_1.x, as_type<float>(texel_1.y)};
}

Affine method_first(
    Frames pose_2,
    uint joint_1,
    float weight_2,
    constant SetInfo& set_info,
    metal::texture2d_array<float, metal::access::sample> texels_3
) {
    Affine _e3 = joint_affine(pose_2, joint_1, set_info, texels_3);
    Affine _e4 = affine_scaled(_e3, weight_2);
    return _e4;
}

Accumulator accumulate_first(
    Frames pose_3,
    uint joint_2,
    float weight_3,
    constant SetInfo& set_info,
    metal::texture2d_array<float, metal::access::sample> texels_3
) {
    Affine _e3 = method_first(pose_3, joint_2, weight_3, set_info, texels_3);
    return Accumulator {_e3};
}

Affine method_add(
    Affine sum_1,
    Frames pose_4,
    uint joint_3,
    float weight_4,
    constant SetInfo& set_info,
    metal::texture2d_array<float, metal::access::sample> texels_3
) {
    Affine _e4 = joint_affine(pose_4, joint_3, set_info, texels_3);
    Affine _e5 = affine_add_scaled(sum_1, _e4, weight_4);
    return _e5;
}

Accumulator accumulate(
    Accumulator sum_2,
    Frames pose_5,
    uint joint_4,
    float weight_5,
    constant SetInfo& set_info,
    metal::texture2d_array<float, metal::access::sample> texels_3
) {
    Affine _e5 = method_add(sum_2.method, pose_5, joint_4, weight_5, set_info, texels_3);
    return Accumulator {_e5};
}

Accumulator accumulate_influences(
    Frames pose_6,
    BindVertex vertex_1,
    constant SetInfo& set_info,
    metal::texture2d_array<float, metal::access::sample> texels_3,
    metal::texture2d<uint, metal::access::sample> influences
) {
    Accumulator sum_3 = {};
    metal::uint2 joints = {};
    metal::float2 weights = {};
    bool local_2 = {};
    uint k = 0u;
    Accumulator _e6 = accumulate_first(pose_6, vertex_1.joints.x, vertex_1.weights.x, set_info, texels_3);
    sum_3 = _e6;
    if (true) {
        Accumulator _e9 = sum_3;
        Accumulator _e14 = accumulate(_e9, pose_6, vertex_1.joints.y, vertex_1.weights.y, set_info, texels_3);
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
            Accumulator _e35 = accumulate(_e30, pose_6, _e32, _e34, set_info, texels_3);
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
                Accumulator _e59 = accumulate(_e56, pose_6, _e55.joint, _e55.weight, set_info, texels_3);
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

metal::uint4 naga_f2u32(metal::float4 value) {
    return static_cast<metal::uint4>(metal::clamp(value, 0.0, 4294967000.0));
}

metal::uint4 bones_from_color(
    metal::float4 color
) {
    return 65537u * naga_f2u32((255.0 * color) + metal::float4(0.5));
}

metal::float3 vertex_tangent(
    VertexIn v_3
) {
    return metal::float3(0.0);
}

metal::float4 bone_weights(
    VertexIn v_4
) {
    return metal::float4(1.0, 0.0, 0.0, 0.0);
}

BindVertex bind_vertex(
    VertexIn v_5,
    constant Frame& frame_2
) {
    float _e3 = frame_2.deform_factor;
    float deform_factor = _e3 * v_5.position.w;
    metal::uint4 _e8 = bones_from_color(v_5.bone_color);
    metal::float3 _e12 = vertex_tangent(v_5);
    metal::float4 _e13 = bone_weights(v_5);
    return BindVertex {v_5.position.xyz, v_5.normal, _e12, deform_factor, _e8, _e13, metal::uint2(0u)};
}

Deformed deform(
    VertexIn v_6,
    Instance instance_6,
    constant Frame& frame_2,
    constant SetInfo& set_info,
    metal::texture2d<uint, metal::access::sample> tables_2,
    metal::texture2d_array<float, metal::access::sample> texels_3,
    metal::texture2d<uint, metal::access::sample> influences
) {
    BindVertex _e2 = bind_vertex(v_6, frame_2);
    BindVertex _e5 = morphed(_e2, instance_6, v_6.indices.zw);
    Frames _e6 = pose_of(instance_6, set_info, tables_2);
    Accumulator _e7 = accumulate_influences(_e6, _e5, set_info, texels_3, influences);
    Deformed _e8 = skin_vertex(_e7, _e5);
    return _e8;
}

Instance vertex_instance(
    VertexIn v_7,
    constant Frame& frame_2
) {
    uint _e10 = frame_2.now;
    Instance _e11 = instance_unpack(v_7.row_x, v_7.row_y, v_7.row_z, v_7.play_a, v_7.play_b, v_7.extra, v_7.instance, _e10);
    return _e11;
}

Deformed vertex_deformed(
    VertexIn v_8,
    Instance instance_7,
    constant Frame& frame_2,
    constant SetInfo& set_info,
    metal::texture2d<uint, metal::access::sample> tables_2,
    metal::texture2d_array<float, metal::access::sample> texels_3,
    metal::texture2d<uint, metal::access::sample> influences
) {
    metal::float3 _e5 = vertex_tangent(v_8);
    Deformed bind_2 = Deformed {v_8.position.xyz, v_8.normal, _e5};
    Deformed _e7 = deform(v_8, instance_7, frame_2, set_info, tables_2, texels_3, influences);
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
    metal::float4 color_1 [[attribute(3)]];
    metal::float4 bone_color [[attribute(4)]];
    metal::float2 weight_uv [[attribute(5)]];
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
, constant Frame& frame_2 [[buffer(15)]]
, constant SetInfo& set_info [[buffer(1)]]
, metal::texture2d<uint, metal::access::sample> tables_2 [[texture(1)]]
, metal::texture2d_array<float, metal::access::sample> texels_3 [[texture(2)]]
, metal::texture2d<uint, metal::access::sample> influences [[texture(4)]]
, constant Camera& camera [[buffer(0)]]
) {
    const VertexIn v = { varyings.position, varyings.normal_3, varyings.uv, {}, varyings.color_1, varyings.bone_color, varyings.weight_uv, {}, varyings.indices, varyings.row_x, varyings.row_y, varyings.row_z, varyings.play_a, varyings.play_b, varyings.extra, index_2, instance_8 };
    DrawOut out = {};
    Instance _e1 = vertex_instance(v, frame_2);
    Deformed _e2 = vertex_deformed(v, _e1, frame_2, set_info, tables_2, texels_3, influences);
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
