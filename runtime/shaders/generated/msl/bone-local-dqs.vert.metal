// draw_vertex, made from WGSL by naga: do not edit.
//   buffer(0)      frame
//   buffer(1)      set_info
//   texture(2)     palette
//   texture(4)     influences
//   attribute(0)   position
//   attribute(1)   normal
//   attribute(2)   uv
//   attribute(3)   color
//   attribute(4)   joints
//   attribute(5)   weights
//   attribute(6)   places
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
struct DualQuat {
    metal::float4 real;
    metal::float4 dual;
};
struct Play {
    uint clip;
    uint start;
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
    metal::float4x4 clip_from_world;
    uint now;
    float deform_factor;
    char _pad3[8];
};
struct Bound {
    metal::float3 position;
    metal::packed_float3 normal;
    float factor;
    metal::uint4 joints;
    metal::float4 weights;
    metal::uint2 more;
    char _pad6[8];
};
struct Moved {
    metal::float3 position;
    metal::float3 normal;
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
};
typedef uint Pose;
struct Influence {
    uint joint;
    float weight;
};
struct VertexIn {
    metal::float4 position;
    metal::float3 normal;
    metal::float2 uv;
    char _pad3[8];
    metal::float4 color;
    metal::uint4 joints;
    metal::float4 weights;
    metal::uint4 places;
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
struct Drawn {
    metal::float4 at;
    metal::float3 position;
    metal::float3 normal;
    metal::float2 uv;
    char _pad4[8];
    metal::float4 color;
};
constant uint SIGNS_PIVOT = 0u;
constant uint SIGNS_AS_THEY_COME = 1u;
constant uint SIGNS = 0u;
constant bool HAS_FADES = true;
constant uint MAX_INFLUENCES = 5u;
constant uint BACKWARDS = 2147483648u;
constant uint BLOCK_TRACKS = 64u;
constant uint HEADER_WORDS = 3u;
constant uint CLIP_WORDS = 4u;
constant uint SCALED_RECORD_WORDS = 12u;

metal::float4 quat_mul(
    metal::float4 a,
    metal::float4 b
) {
    return metal::float4(((a.w * b.xyz) + (b.w * a.xyz)) + metal::cross(a.xyz, b.xyz), (a.w * b.w) - metal::dot(a.xyz, b.xyz));
}

float quat_double(
    metal::float4 q
) {
    float square = metal::dot(q, q);
    return (square < 0.000000000000000000000001) ? 0.0 : (2.0 / square);
}

metal::float3x3 mat3_from_doubled(
    metal::float4 q_1,
    float twice
) {
    metal::float3 double_ = q_1.xyz * twice;
    float xx = q_1.x * double_.x;
    float xy = q_1.x * double_.y;
    float xz = q_1.x * double_.z;
    float yy = q_1.y * double_.y;
    float yz = q_1.y * double_.z;
    float zz = q_1.z * double_.z;
    metal::float3 w = q_1.w * double_;
    return metal::float3x3(metal::float3(1.0 - (yy + zz), xy + w.z, xz - w.y), metal::float3(xy - w.z, 1.0 - (xx + zz), yz + w.x), metal::float3(xz + w.y, yz - w.x, 1.0 - (xx + yy)));
}

metal::float4 quat_from_mat3_(
    metal::float3x3 m
) {
    metal::float4 q_2 = {};
    metal::float3 x_1 = m[0];
    metal::float3 y_1 = m[1];
    metal::float3 z_1 = m[2];
    if (m[2].z <= 0.0) {
        float difference = m[1].y - m[0].x;
        float rest = 1.0 - m[2].z;
        if (difference <= 0.0) {
            q_2 = metal::float4(rest - difference, m[0].y + m[1].x, m[0].z + m[2].x, m[1].z - m[2].y);
        } else {
            q_2 = metal::float4(m[0].y + m[1].x, rest + difference, m[1].z + m[2].y, m[2].x - m[0].z);
        }
    } else {
        float sum_2 = m[1].y + m[0].x;
        float rest_1 = 1.0 + m[2].z;
        if (sum_2 <= 0.0) {
            q_2 = metal::float4(m[0].z + m[2].x, m[1].z + m[2].y, rest_1 - sum_2, m[0].y - m[1].x);
        } else {
            q_2 = metal::float4(m[1].z - m[2].y, m[2].x - m[0].z, m[0].y - m[1].x, rest_1 + sum_2);
        }
    }
    metal::float4 _e68 = q_2;
    return metal::normalize(_e68);
}

Affine affine_from_rows(
    metal::float3x4 rows
) {
    metal::float4x3 columns = metal::transpose(rows);
    return Affine {metal::float3x3(columns[0], columns[1], columns[2]), columns[3]};
}

metal::float3 affine_point(
    Affine a_1,
    metal::float3 point
) {
    return (a_1.linear * point) + a_1.translation;
}

metal::float3 unit_or(
    metal::float3 v_1,
    metal::float3 fallback
) {
    float square_1 = metal::dot(v_1, v_1);
    return (square_1 > 0.0) ? (v_1 * metal::rsqrt(square_1)) : fallback;
}

metal::float3 affine_normal(
    Affine a_2,
    metal::float3 normal
) {
    metal::float3x3 m_1 = a_2.linear;
    metal::float3 _e14 = unit_or(metal::float3x3(metal::cross(a_2.linear[1], a_2.linear[2]), metal::cross(a_2.linear[2], a_2.linear[0]), metal::cross(a_2.linear[0], a_2.linear[1])) * normal, normal);
    return _e14;
}

DualQuat dual_quat_from_rotation_translation(
    metal::float4 rotation,
    metal::float3 translation
) {
    metal::float4 _e6 = quat_mul(metal::float4(0.5 * translation, 0.0), rotation);
    return DualQuat {rotation, _e6};
}

metal::float3 dual_quat_half_translation(
    DualQuat q_3
) {
    return ((q_3.real.w * q_3.dual.xyz) - (q_3.dual.w * q_3.real.xyz)) + metal::cross(q_3.real.xyz, q_3.dual.xyz);
}

DualQuat dual_quat_normalized(
    DualQuat q_4,
    DualQuat fallback_1
) {
    float square_2 = metal::dot(q_4.real, q_4.real);
    if (square_2 < 0.000000000000000000000001) {
        return fallback_1;
    }
    float scale = metal::rsqrt(square_2);
    return DualQuat {q_4.real * scale, q_4.dual * scale};
}

Affine dual_quat_to_affine(
    DualQuat q_5
) {
    float _e2 = quat_double(q_5.real);
    metal::float3x3 _e4 = mat3_from_doubled(q_5.real, _e2);
    metal::float3 _e5 = dual_quat_half_translation(q_5);
    return Affine {_e4, _e2 * _e5};
}

DualQuat dual_quat_from_affine(
    Affine a_3
) {
    metal::float4 _e2 = quat_from_mat3_(a_3.linear);
    DualQuat _e4 = dual_quat_from_rotation_translation(_e2, a_3.translation);
    return _e4;
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

Instance instance_unpack(
    metal::uint4 x,
    metal::uint4 y,
    metal::uint4 z,
    metal::uint4 a_4,
    metal::uint4 b_1,
    metal::uint4 c,
    uint index
) {
    metal::float3x4 rows_1 = metal::float3x4(as_type<metal::float4>(x), as_type<metal::float4>(y), as_type<metal::float4>(z));
    Affine _e11 = affine_from_rows(rows_1);
    return Instance {_e11, metal::unpack_unorm4x8_to_float(a_4.x), Play {a_4.y, a_4.z, a_4.w}, Play {b_1.x, b_1.y, b_1.z}, b_1.w, c.x, as_type<float>(c.y), c.z, c.w, index};
}

Moved instance_place(
    Instance instance,
    Moved bound,
    Moved moved
) {
    bool is_whole = instance.fraction == 1.0;
    Moved pose_6 = Moved {is_whole ? moved.position : metal::mix(bound.position, moved.position, instance.fraction), is_whole ? moved.normal : metal::mix(bound.normal, moved.normal, instance.fraction)};
    metal::float3 _e21 = affine_point(instance.world_from_model, pose_6.position);
    metal::float3 _e24 = affine_normal(instance.world_from_model, pose_6.normal);
    return Moved {_e21, _e24};
}

Pose pose_of(
    Instance instance_1,
    constant SetInfo& set_info
) {
    uint _e4 = set_info.palette_stride;
    return instance_1.index * _e4;
}

Affine joint_affine(
    Pose pose,
    uint joint,
    metal::texture2d<uint, metal::access::sample> palette
) {
    Affine _e8 = bits_affine(palette, pose + (3u * (joint & 65535u)));
    return _e8;
}

DualQuat joint_dual_quat(
    Pose pose_1,
    uint joint_1,
    metal::texture2d<uint, metal::access::sample> palette
) {
    Affine _e2 = joint_affine(pose_1, joint_1, palette);
    DualQuat _e3 = dual_quat_from_affine(_e2);
    return _e3;
}

Affine after_stretch(
    Pose pose_2,
    Bound bound_1,
    Affine rigid
) {
    return rigid;
}

Influence influence_read(
    uint at_3,
    metal::texture2d<uint, metal::access::sample> influences
) {
    metal::uint4 texel = influences.read(metal::uint2(metal::uint2(at_3 & 2047u, at_3 >> 11u)), 0);
    return Influence {texel.x, as_type<float>(texel.y)};
}

void add_dual(
    thread DualQuat& sum,
    metal::float4 pivot,
    Pose pose_3,
    uint joint_2,
    float weight,
    metal::texture2d<uint, metal::access::sample> palette
) {
    bool local = {};
    DualQuat _e5 = joint_dual_quat(pose_3, joint_2, palette);
    if (true) {
        local = metal::dot(pivot, _e5.real) < 0.0;
    } else {
        local = false;
    }
    bool _e15 = local;
    float signed_weight = _e15 ? -(weight) : weight;
    metal::float4 _e18 = sum.real;
    sum.real = _e18 + (_e5.real * signed_weight);
    metal::float4 _e23 = sum.dual;
    sum.dual = _e23 + (_e5.dual * signed_weight);
    return;
}

DualQuat blend_dual_quats(
    Pose pose_4,
    Bound bound_2,
    metal::texture2d<uint, metal::access::sample> palette,
    metal::texture2d<uint, metal::access::sample> influences
) {
    DualQuat sum_1 = {};
    metal::uint2 joints = {};
    metal::float2 weights = {};
    bool local_1 = {};
    uint k = 0u;
    DualQuat _e4 = joint_dual_quat(pose_4, bound_2.joints.x, palette);
    sum_1 = DualQuat {_e4.real * bound_2.weights.x, _e4.dual * bound_2.weights.x};
    if (true) {
        add_dual(sum_1, _e4.real, pose_4, bound_2.joints.y, bound_2.weights.y, palette);
    }
    joints = bound_2.joints.zw;
    weights = bound_2.weights.zw;
    while(true) {
        if (true) {
            float _e31 = weights.x;
            local_1 = _e31 != 0.0;
        } else {
            local_1 = false;
        }
        bool _e35 = local_1;
        if (_e35) {
        } else {
            break;
        }
        {
            uint _e38 = joints.x;
            float _e40 = weights.x;
            add_dual(sum_1, _e4.real, pose_4, _e38, _e40, palette);
            uint _e42 = joints.y;
            joints = metal::uint2(_e42, 0u);
            float _e46 = weights.y;
            weights = metal::float2(_e46, 0.0);
        }
    }
    if (true) {
        bool loop_init = true;
        while(true) {
            if (!loop_init) {
                uint _e65 = k;
                k = _e65 + 1u;
            }
            loop_init = false;
            uint _e52 = k;
            if (_e52 < bound_2.more.y) {
            } else {
                break;
            }
            {
                uint _e58 = k;
                Influence _e60 = influence_read(bound_2.more.x + _e58, influences);
                add_dual(sum_1, _e4.real, pose_4, _e60.joint, _e60.weight, palette);
            }
        }
    }
    DualQuat _e67 = sum_1;
    DualQuat _e68 = dual_quat_normalized(_e67, _e4);
    return _e68;
}

Moved skin_vertex(
    Pose pose_5,
    Bound bound_3,
    metal::texture2d<uint, metal::access::sample> palette,
    metal::texture2d<uint, metal::access::sample> influences
) {
    DualQuat _e2 = blend_dual_quats(pose_5, bound_3, palette, influences);
    Affine _e3 = dual_quat_to_affine(_e2);
    Affine _e4 = after_stretch(pose_5, bound_3, _e3);
    metal::float3 _e6 = affine_point(_e4, bound_3.position);
    metal::float3 _e8 = affine_normal(_e4, bound_3.normal);
    return Moved {_e6, _e8};
}

Bound morphed(
    Bound bound_4,
    Instance instance_2,
    metal::uint2 place
) {
    return bound_4;
}

Moved deform(
    VertexIn v_2,
    Instance instance_3,
    constant Frame& frame,
    constant SetInfo& set_info,
    metal::texture2d<uint, metal::access::sample> palette,
    metal::texture2d<uint, metal::access::sample> influences
) {
    float _e4 = frame.deform_factor;
    float factor = _e4 * v_2.position.w;
    Bound bound_5 = Bound {v_2.position.xyz, v_2.normal, factor, v_2.joints, v_2.weights, v_2.places.xy};
    Pose _e16 = pose_of(instance_3, set_info);
    Bound _e19 = morphed(bound_5, instance_3, v_2.places.zw);
    Moved _e20 = skin_vertex(_e16, _e19, palette, influences);
    return _e20;
}

Instance vertex_instance(
    VertexIn v_3
) {
    Instance _e8 = instance_unpack(v_3.row_x, v_3.row_y, v_3.row_z, v_3.play_a, v_3.play_b, v_3.extra, v_3.instance);
    return _e8;
}

Moved vertex_moved(
    VertexIn v_4,
    Instance instance_4,
    constant Frame& frame,
    constant SetInfo& set_info,
    metal::texture2d<uint, metal::access::sample> palette,
    metal::texture2d<uint, metal::access::sample> influences
) {
    Moved _e6 = deform(v_4, instance_4, frame, set_info, palette, influences);
    Moved _e7 = instance_place(instance_4, Moved {v_4.position.xyz, v_4.normal}, _e6);
    return _e7;
}

struct draw_vertexInput {
    metal::float4 position [[attribute(0)]];
    metal::float3 normal_1 [[attribute(1)]];
    metal::float2 uv [[attribute(2)]];
    metal::float4 color [[attribute(3)]];
    metal::uint4 joints_1 [[attribute(4)]];
    metal::float4 weights_1 [[attribute(5)]];
    metal::uint4 places [[attribute(6)]];
    metal::uint4 row_x [[attribute(7)]];
    metal::uint4 row_y [[attribute(8)]];
    metal::uint4 row_z [[attribute(9)]];
    metal::uint4 play_a [[attribute(10)]];
    metal::uint4 play_b [[attribute(11)]];
    metal::uint4 extra [[attribute(12)]];
};
struct draw_vertexOutput {
    metal::float4 at [[position]];
    metal::float3 position [[user(loc0), center_perspective]];
    metal::float3 normal [[user(loc1), center_perspective]];
    metal::float2 uv [[user(loc2), center_perspective]];
    metal::float4 color [[user(loc3), center_perspective]];
};
vertex draw_vertexOutput draw_vertex(
  draw_vertexInput varyings [[stage_in]]
, uint index_1 [[vertex_id]]
, uint instance_5 [[instance_id]]
, constant Frame& frame [[buffer(0)]]
, constant SetInfo& set_info [[buffer(1)]]
, metal::texture2d<uint, metal::access::sample> palette [[texture(2)]]
, metal::texture2d<uint, metal::access::sample> influences [[texture(4)]]
) {
    const VertexIn v = { varyings.position, varyings.normal_1, varyings.uv, {}, varyings.color, varyings.joints_1, varyings.weights_1, varyings.places, varyings.row_x, varyings.row_y, varyings.row_z, varyings.play_a, varyings.play_b, varyings.extra, index_1, instance_5 };
    Instance _e1 = vertex_instance(v);
    Moved _e2 = vertex_moved(v, _e1, frame, set_info, palette, influences);
    metal::float4x4 _e5 = frame.clip_from_world;
    metal::float4 at_4 = _e5 * metal::float4(_e2.position, 1.0);
    const auto _tmp = Drawn {at_4, _e2.position, _e2.normal, v.uv, {}, v.color * _e1.tint};
    return draw_vertexOutput { _tmp.at, _tmp.position, _tmp.normal, _tmp.uv, _tmp.color };
}
