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
constant bool HAS_FADES = true;
constant uint MAX_INFLUENCES = 5u;
constant uint BACKWARDS = 2147483648u;
constant uint BLOCK_TRACKS = 64u;
constant uint HEADER_WORDS = 3u;
constant uint CLIP_WORDS = 4u;
constant uint SCALED_RECORD_WORDS = 12u;

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
    metal::uint4 a_2,
    metal::uint4 b,
    metal::uint4 c,
    uint index
) {
    metal::float3x4 rows_1 = metal::float3x4(as_type<metal::float4>(x), as_type<metal::float4>(y), as_type<metal::float4>(z));
    Affine _e11 = affine_from_rows(rows_1);
    return Instance {_e11, metal::unpack_unorm4x8_to_float(a_2.x), Play {a_2.y, a_2.z, a_2.w}, Play {b.x, b.y, b.z}, b.w, c.x, as_type<float>(c.y), c.z, c.w, index};
}

Moved instance_place(
    Instance instance,
    Moved bound,
    Moved moved
) {
    bool is_whole = instance.fraction == 1.0;
    Moved pose_4 = Moved {is_whole ? moved.position : metal::mix(bound.position, moved.position, instance.fraction), is_whole ? moved.normal : metal::mix(bound.normal, moved.normal, instance.fraction)};
    metal::float3 _e21 = affine_point(instance.world_from_model, pose_4.position);
    metal::float3 _e24 = affine_normal(instance.world_from_model, pose_4.normal);
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

Influence influence_read(
    uint at_3,
    metal::texture2d<uint, metal::access::sample> influences
) {
    metal::uint4 texel = influences.read(metal::uint2(metal::uint2(at_3 & 2047u, at_3 >> 11u)), 0);
    return Influence {texel.x, as_type<float>(texel.y)};
}

void add_matrix(
    thread Affine& sum,
    Pose pose_1,
    uint joint_1,
    float weight,
    metal::texture2d<uint, metal::access::sample> palette
) {
    Affine _e4 = joint_affine(pose_1, joint_1, palette);
    metal::float3x3 _e6 = sum.linear;
    sum.linear = _e6 + (_e4.linear * weight);
    metal::float3 _e11 = sum.translation;
    sum.translation = _e11 + (_e4.translation * weight);
    return;
}

Affine blend_matrices(
    Pose pose_2,
    Bound bound_1,
    metal::texture2d<uint, metal::access::sample> palette,
    metal::texture2d<uint, metal::access::sample> influences
) {
    Affine sum_1 = Affine {metal::float3x3 {}, metal::float3(0.0)};
    metal::uint2 joints = {};
    metal::float2 weights = {};
    bool local = {};
    uint k = 0u;
    add_matrix(sum_1, pose_2, bound_1.joints.x, bound_1.weights.x, palette);
    if (true) {
        add_matrix(sum_1, pose_2, bound_1.joints.y, bound_1.weights.y, palette);
    }
    joints = bound_1.joints.zw;
    weights = bound_1.weights.zw;
    while(true) {
        if (true) {
            float _e26 = weights.x;
            local = _e26 != 0.0;
        } else {
            local = false;
        }
        bool _e30 = local;
        if (_e30) {
        } else {
            break;
        }
        {
            uint _e32 = joints.x;
            float _e34 = weights.x;
            add_matrix(sum_1, pose_2, _e32, _e34, palette);
            uint _e36 = joints.y;
            joints = metal::uint2(_e36, 0u);
            float _e40 = weights.y;
            weights = metal::float2(_e40, 0.0);
        }
    }
    if (true) {
        bool loop_init = true;
        while(true) {
            if (!loop_init) {
                uint _e58 = k;
                k = _e58 + 1u;
            }
            loop_init = false;
            uint _e46 = k;
            if (_e46 < bound_1.more.y) {
            } else {
                break;
            }
            {
                uint _e52 = k;
                Influence _e54 = influence_read(bound_1.more.x + _e52, influences);
                add_matrix(sum_1, pose_2, _e54.joint, _e54.weight, palette);
            }
        }
    }
    Affine _e60 = sum_1;
    return _e60;
}

Moved skin_vertex(
    Pose pose_3,
    Bound bound_2,
    metal::texture2d<uint, metal::access::sample> palette,
    metal::texture2d<uint, metal::access::sample> influences
) {
    Affine _e2 = blend_matrices(pose_3, bound_2, palette, influences);
    metal::float3 _e4 = affine_point(_e2, bound_2.position);
    metal::float3 _e6 = affine_normal(_e2, bound_2.normal);
    return Moved {_e4, _e6};
}

Bound morphed(
    Bound bound_3,
    Instance instance_2,
    metal::uint2 place
) {
    return bound_3;
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
    Bound bound_4 = Bound {v_2.position.xyz, v_2.normal, factor, v_2.joints, v_2.weights, v_2.places.xy};
    Pose _e16 = pose_of(instance_3, set_info);
    Bound _e19 = morphed(bound_4, instance_3, v_2.places.zw);
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
