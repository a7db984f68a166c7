#version 300 es
// Entry point draw_vertex, generated from WGSL by naga: do not edit. The function is named 'main'.
//   uniform block Camera_block_2Vertex   camera (group 0, binding 0)
//   uniform block SetInfo_block_1Vertex  set_info (group 1, binding 0)
//   texture _group_1_binding_2_vs        palette (group 1, binding 2)
//   texture _group_1_binding_4_vs        influences (group 1, binding 4)
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
struct BindVertex {
    vec3 position;
    vec3 normal;
    vec3 tangent;
    float deform_factor;
    uvec4 joints;
    vec4 weights;
    uvec2 more;
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
struct Influence {
    uint joint;
    float weight;
};
struct Accumulator {
    Affine method;
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

uniform highp usampler2D _group_1_binding_2_vs;

uniform highp usampler2D _group_1_binding_4_vs;

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

Affine affine_scaled(Affine a, float weight) {
    return Affine((a.linear * weight), (a.translation * weight));
}

Affine affine_add_scaled(Affine sum, Affine a_1, float weight_1) {
    return Affine((sum.linear + (a_1.linear * weight_1)), (sum.translation + (a_1.translation * weight_1)));
}

vec3 affine_point(Affine a_2, vec3 point) {
    return ((a_2.linear * point) + a_2.translation);
}

vec3 unit_or(vec3 v_1, vec3 fallback) {
    float square = dot(v_1, v_1);
    return ((square > 0.0) ? (v_1 * inversesqrt(square)) : fallback);
}

vec3 affine_normal(Affine a_3, vec3 normal) {
    mat3x3 m = a_3.linear;
    vec3 _e14 = unit_or((mat3x3(cross(m[1], m[2]), cross(m[2], m[0]), cross(m[0], m[1])) * normal), normal);
    return _e14;
}

vec3 any_orthonormal(vec3 v_2) {
    float sign_ = ((v_2.z >= 0.0) ? 1.0 : -1.0);
    float a_6 = (-1.0 / (sign_ + v_2.z));
    float b_1 = ((v_2.x * v_2.y) * a_6);
    return vec3(b_1, (sign_ + ((v_2.y * v_2.y) * a_6)), -(v_2.y));
}

uvec4 bits_get(highp usampler2D texels, uint at) {
    uvec4 _e8 = texelFetch(texels, ivec2(uvec2((at & 2047u), (at >> 11u))), 0);
    return _e8;
}

vec4 bits_floats(highp usampler2D texels_1, uint at_1) {
    uvec4 _e2 = bits_get(texels_1, at_1);
    return uintBitsToFloat(_e2);
}

Affine bits_affine(highp usampler2D texels_2, uint at_2) {
    vec4 _e2 = bits_floats(texels_2, at_2);
    vec4 _e5 = bits_floats(texels_2, (at_2 + 1u));
    vec4 _e8 = bits_floats(texels_2, (at_2 + 2u));
    Affine _e10 = affine_from_rows(mat3x4(_e2, _e5, _e8));
    return _e10;
}

vec3 flat_tangent(vec3 tangent, vec3 normal_1) {
    vec3 flat_ = (tangent - (normal_1 * dot(normal_1, tangent)));
    bool is_rounding = (dot(flat_, flat_) <= (1e-12 * dot(tangent, tangent)));
    vec3 _e10 = any_orthonormal(normal_1);
    vec3 other = ((dot(tangent, tangent) > 0.0) ? _e10 : vec3(0.0));
    vec3 _e20 = unit_or((is_rounding ? vec3(0.0) : flat_), other);
    return _e20;
}

vec3 affine_tangent(Affine a_4, vec3 tangent_1, vec3 normal_2) {
    if (true) {
        return vec3(0.0);
    }
    vec3 _e8 = flat_tangent((a_4.linear * tangent_1), normal_2);
    return _e8;
}

Deformed vertex_transform(Affine matrix, BindVertex vertex) {
    vec3 _e3 = affine_normal(matrix, vertex.normal);
    vec3 _e5 = affine_point(matrix, vertex.position);
    vec3 _e7 = affine_tangent(matrix, vertex.tangent, _e3);
    return Deformed(_e5, _e3, _e7);
}

Instance instance_unpack(uvec4 x, uvec4 y, uvec4 z, uvec4 a_5, uvec4 b, uvec4 c, uint index, uint now) {
    mat3x4 rows_1 = mat3x4(uintBitsToFloat(x), uintBitsToFloat(y), uintBitsToFloat(z));
    Affine _e12 = affine_from_rows(rows_1);
    uint _e13 = a_5.x;
    return Instance(_e12, (vec4(_e13 & 0xFFu, _e13 >> 8 & 0xFFu, _e13 >> 16 & 0xFFu, _e13 >> 24) / 255.0), Play(a_5.y, a_5.z, a_5.w), Play(b.x, b.y, b.z), b.w, c.x, uintBitsToFloat(c.y), c.z, c.w, index, now);
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

uint pose_of(Instance instance_2) {
    uint _e4 = _group_1_binding_0_vs.palette_stride;
    return (instance_2.index * _e4);
}

Affine joint_affine(uint pose, uint joint) {
    Affine _e8 = bits_affine(_group_1_binding_2_vs, (pose + (3u * (joint & 65535u))));
    return _e8;
}

Influence influence_read(uint at_3) {
    uvec4 texel = texelFetch(_group_1_binding_4_vs, ivec2(uvec2((at_3 & 2047u), (at_3 >> 11u))), 0);
    return Influence(texel.x, uintBitsToFloat(texel.y));
}

Affine method_first(uint pose_1, uint joint_1, float weight_2) {
    Affine _e3 = joint_affine(pose_1, joint_1);
    Affine _e4 = affine_scaled(_e3, weight_2);
    return _e4;
}

Accumulator accumulate_first(uint pose_2, uint joint_2, float weight_3) {
    Affine _e3 = method_first(pose_2, joint_2, weight_3);
    return Accumulator(_e3);
}

Affine method_add(Affine sum_1, uint pose_3, uint joint_3, float weight_4) {
    Affine _e4 = joint_affine(pose_3, joint_3);
    Affine _e5 = affine_add_scaled(sum_1, _e4, weight_4);
    return _e5;
}

Accumulator accumulate(Accumulator sum_2, uint pose_4, uint joint_4, float weight_5) {
    Affine _e5 = method_add(sum_2.method, pose_4, joint_4, weight_5);
    return Accumulator(_e5);
}

Accumulator accumulate_influences(uint pose_5, BindVertex vertex_1) {
    Accumulator sum_3 = Accumulator(Affine(mat3x3(0.0), vec3(0.0)));
    uvec2 joints = uvec2(0u);
    vec2 weights = vec2(0.0);
    bool local = false;
    uint k = 0u;
    Accumulator _e6 = accumulate_first(pose_5, vertex_1.joints.x, vertex_1.weights.x);
    sum_3 = _e6;
    if (true) {
        Accumulator _e9 = sum_3;
        Accumulator _e14 = accumulate(_e9, pose_5, vertex_1.joints.y, vertex_1.weights.y);
        sum_3 = _e14;
    }
    joints = vertex_1.joints.zw;
    weights = vertex_1.weights.zw;
    while(true) {
        if (true) {
            float _e25 = weights.x;
            local = (_e25 != 0.0);
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
            Accumulator _e35 = accumulate(_e30, pose_5, _e32, _e34);
            sum_3 = _e35;
            uint _e37 = joints.y;
            joints = uvec2(_e37, 0u);
            float _e41 = weights.y;
            weights = vec2(_e41, 0.0);
        }
    }
    if (true) {
        bool loop_init = true;
        while(true) {
            if (!loop_init) {
                uint _e61 = k;
                k = (_e61 + 1u);
            }
            loop_init = false;
            uint _e47 = k;
            if ((_e47 < vertex_1.more.y)) {
            } else {
                break;
            }
            {
                uint _e53 = k;
                Influence _e55 = influence_read((vertex_1.more.x + _e53));
                Accumulator _e56 = sum_3;
                Accumulator _e59 = accumulate(_e56, pose_5, _e55.joint, _e55.weight);
                sum_3 = _e59;
            }
        }
    }
    Accumulator _e63 = sum_3;
    return _e63;
}

Deformed skin_vertex(Accumulator sum_4, BindVertex vertex_2) {
    Deformed _e3 = vertex_transform(sum_4.method, vertex_2);
    return _e3;
}

BindVertex morphed(BindVertex vertex_3, Instance instance_3, uvec2 morph) {
    return vertex_3;
}

vec3 vertex_tangent(VertexIn v_3) {
    return vec3(0.0);
}

BindVertex bind_vertex(VertexIn v_4) {
    float _e3 = _group_1_binding_14_vs.deform_factor;
    float deform_factor = (_e3 * v_4.position.w);
    vec3 _e10 = vertex_tangent(v_4);
    return BindVertex(v_4.position.xyz, v_4.normal, _e10, deform_factor, v_4.joints, v_4.weights, v_4.indices.xy);
}

Deformed deform(VertexIn v_5, Instance instance_4) {
    BindVertex _e2 = bind_vertex(v_5);
    BindVertex _e5 = morphed(_e2, instance_4, v_5.indices.zw);
    uint _e6 = pose_of(instance_4);
    Accumulator _e7 = accumulate_influences(_e6, _e5);
    Deformed _e8 = skin_vertex(_e7, _e5);
    return _e8;
}

Instance vertex_instance(VertexIn v_6) {
    uint _e10 = _group_1_binding_14_vs.now;
    Instance _e11 = instance_unpack(v_6.row_x, v_6.row_y, v_6.row_z, v_6.play_a, v_6.play_b, v_6.extra, v_6.instance, _e10);
    return _e11;
}

Deformed vertex_deformed(VertexIn v_7, Instance instance_5) {
    vec3 _e5 = vertex_tangent(v_7);
    Deformed bind_2 = Deformed(v_7.position.xyz, v_7.normal, _e5);
    Deformed _e7 = deform(v_7, instance_5);
    Deformed _e8 = instance_transform(instance_5, bind_2, _e7);
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

