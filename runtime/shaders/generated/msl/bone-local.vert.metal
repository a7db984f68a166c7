// Entry point draw_vertex, generated from WGSL by naga: do not edit.
//   buffer(0)      camera
//   buffer(1)      set_info
//   texture(2)     palette
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
typedef uint Pose;
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

metal::uint4 bits_get(
    metal::texture2d<uint, metal::access::sample> texels,
    uint at
) {
    metal::uint4 _e8 = texels.read(metal::uint2(metal::uint2(at & 2047u, at >> 11u)), 0);
    return _e8;
}

metal::float4 bits_floats(
    metal::texture2d<uint, metal::access::sample> texels_1,
    uint at_1
) {
    metal::uint4 _e2 = bits_get(texels_1, at_1);
    return as_type<metal::float4>(_e2);
}

Affine bits_affine(
    metal::texture2d<uint, metal::access::sample> texels_2,
    uint at_2
) {
    metal::float4 _e2 = bits_floats(texels_2, at_2);
    metal::float4 _e5 = bits_floats(texels_2, at_2 + 1u);
    metal::float4 _e8 = bits_floats(texels_2, at_2 + 2u);
    Affine _e10 = affine_from_rows(metal::float3x4(_e2, _e5, _e8));
    return _e10;
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
    uint now
) {
    metal::float3x4 rows_1 = metal::float3x4(as_type<metal::float4>(x), as_type<metal::float4>(y), as_type<metal::float4>(z));
    Affine _e12 = affine_from_rows(rows_1);
    return Instance {_e12, metal::unpack_unorm4x8_to_float(a_5.x), Play {a_5.y, a_5.z, a_5.w}, Play {b.x, b.y, b.z}, b.w, c.x, as_type<float>(c.y), c.z, c.w, index, now};
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

Pose pose_of(
    Instance instance_2,
    constant SetInfo& set_info
) {
    uint _e4 = set_info.palette_stride;
    return instance_2.index * _e4;
}

Affine joint_affine(
    Pose pose,
    uint joint,
    metal::texture2d<uint, metal::access::sample> palette
) {
    Affine _e8 = bits_affine(palette, pose + (3u * (joint & 65535u)));
    return _e8;
}

Influence influence_read(
    uint at_3,
    metal::texture2d<uint, metal::access::sample> influences
) {
    metal::uint4 texel = influences.read(metal::uint2(metal::uint2(at_3 & 2047u, at_3 >> 11u)), 0);
    return Influence {texel.x, as_type<float>(texel.y)};
}

Affine method_first(
    Pose pose_1,
    uint joint_1,
    float weight_2,
    metal::texture2d<uint, metal::access::sample> palette
) {
    Affine _e3 = joint_affine(pose_1, joint_1, palette);
    Affine _e4 = affine_scaled(_e3, weight_2);
    return _e4;
}

Accumulator accumulate_first(
    Pose pose_2,
    uint joint_2,
    float weight_3,
    metal::texture2d<uint, metal::access::sample> palette
) {
    Affine _e3 = method_first(pose_2, joint_2, weight_3, palette);
    return Accumulator {_e3};
}

Affine method_add(
    Affine sum_1,
    Pose pose_3,
    uint joint_3,
    float weight_4,
    metal::texture2d<uint, metal::access::sample> palette
) {
    Affine _e4 = joint_affine(pose_3, joint_3, palette);
    Affine _e5 = affine_add_scaled(sum_1, _e4, weight_4);
    return _e5;
}

Accumulator accumulate(
    Accumulator sum_2,
    Pose pose_4,
    uint joint_4,
    float weight_5,
    metal::texture2d<uint, metal::access::sample> palette
) {
    Affine _e5 = method_add(sum_2.method, pose_4, joint_4, weight_5, palette);
    return Accumulator {_e5};
}

Accumulator accumulate_influences(
    Pose pose_5,
    BindVertex vertex_1,
    metal::texture2d<uint, metal::access::sample> palette,
    metal::texture2d<uint, metal::access::sample> influences
) {
    Accumulator sum_3 = {};
    metal::uint2 joints = {};
    metal::float2 weights = {};
    bool local = {};
    uint k = 0u;
    Accumulator _e6 = accumulate_first(pose_5, vertex_1.joints.x, vertex_1.weights.x, palette);
    sum_3 = _e6;
    if (true) {
        Accumulator _e9 = sum_3;
        Accumulator _e14 = accumulate(_e9, pose_5, vertex_1.joints.y, vertex_1.weights.y, palette);
        sum_3 = _e14;
    }
    joints = vertex_1.joints.zw;
    weights = vertex_1.weights.zw;
    while(true) {
        if (true) {
            float _e25 = weights.x;
            local = _e25 != 0.0;
        } else {
            local = false;
        }
        bool _e29 = local;
        if (_e29) {
        } else {
            break;
        }
        {
            Accumulator _e30 = sum_3;
            uint _e32 = joints.x;
            float _e34 = weights.x;
            Accumulator _e35 = accumulate(_e30, pose_5, _e32, _e34, palette);
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
                Accumulator _e59 = accumulate(_e56, pose_5, _e55.joint, _e55.weight, palette);
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
    Instance instance_3,
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
    constant Frame& frame
) {
    float _e3 = frame.deform_factor;
    float deform_factor = _e3 * v_4.position.w;
    metal::float3 _e10 = vertex_tangent(v_4);
    return BindVertex {v_4.position.xyz, v_4.normal, _e10, deform_factor, v_4.joints, v_4.weights, v_4.indices.xy};
}

Deformed deform(
    VertexIn v_5,
    Instance instance_4,
    constant Frame& frame,
    constant SetInfo& set_info,
    metal::texture2d<uint, metal::access::sample> palette,
    metal::texture2d<uint, metal::access::sample> influences
) {
    BindVertex _e2 = bind_vertex(v_5, frame);
    BindVertex _e5 = morphed(_e2, instance_4, v_5.indices.zw);
    Pose _e6 = pose_of(instance_4, set_info);
    Accumulator _e7 = accumulate_influences(_e6, _e5, palette, influences);
    Deformed _e8 = skin_vertex(_e7, _e5);
    return _e8;
}

Instance vertex_instance(
    VertexIn v_6,
    constant Frame& frame
) {
    uint _e10 = frame.now;
    Instance _e11 = instance_unpack(v_6.row_x, v_6.row_y, v_6.row_z, v_6.play_a, v_6.play_b, v_6.extra, v_6.instance, _e10);
    return _e11;
}

Deformed vertex_deformed(
    VertexIn v_7,
    Instance instance_5,
    constant Frame& frame,
    constant SetInfo& set_info,
    metal::texture2d<uint, metal::access::sample> palette,
    metal::texture2d<uint, metal::access::sample> influences
) {
    metal::float3 _e5 = vertex_tangent(v_7);
    Deformed bind_2 = Deformed {v_7.position.xyz, v_7.normal, _e5};
    Deformed _e7 = deform(v_7, instance_5, frame, set_info, palette, influences);
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
, uint index_1 [[vertex_id]]
, uint instance_6 [[instance_id]]
, constant Frame& frame [[buffer(15)]]
, constant SetInfo& set_info [[buffer(1)]]
, metal::texture2d<uint, metal::access::sample> palette [[texture(2)]]
, metal::texture2d<uint, metal::access::sample> influences [[texture(4)]]
, constant Camera& camera [[buffer(0)]]
) {
    const VertexIn v = { varyings.position, varyings.normal_3, varyings.uv, {}, varyings.color, varyings.joints_1, varyings.weights_1, varyings.indices, varyings.row_x, varyings.row_y, varyings.row_z, varyings.play_a, varyings.play_b, varyings.extra, index_1, instance_6 };
    DrawOut out = {};
    Instance _e1 = vertex_instance(v, frame);
    Deformed _e2 = vertex_deformed(v, _e1, frame, set_info, palette, influences);
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
