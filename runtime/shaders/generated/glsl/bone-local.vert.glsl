#version 300 es
// draw_vertex, made from WGSL by naga: do not edit. Its function is 'main'.
//   uniform block Frame_block_0Vertex    frame (group 0, binding 0)
//   uniform block SetInfo_block_1Vertex  set_info (group 1, binding 0)
//   texture _group_1_binding_2_vs        palette (group 1, binding 2)
//   texture _group_1_binding_4_vs        influences (group 1, binding 4)
//   uniform uint naga_vs_first_instance  0, or what comes before the first instance of the draw
//   attribute 0                          position
//   attribute 1                          normal
//   attribute 2                          uv
//   attribute 3                          color
//   attribute 4                          joints
//   attribute 5                          weights
//   attribute 6                          places
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
    mat4x4 clip_from_world;
    uint now;
    float deform_factor;
};
struct Bound {
    vec3 position;
    vec3 normal;
    float factor;
    uvec4 joints;
    vec4 weights;
    uvec2 more;
};
struct Moved {
    vec3 position;
    vec3 normal;
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
};
struct Influence {
    uint joint;
    float weight;
};
struct VertexIn {
    vec4 position;
    vec3 normal;
    vec2 uv;
    vec4 color;
    uvec4 joints;
    vec4 weights;
    uvec4 places;
    uvec4 row_x;
    uvec4 row_y;
    uvec4 row_z;
    uvec4 play_a;
    uvec4 play_b;
    uvec4 extra;
    uint index;
    uint instance;
};
struct Drawn {
    vec4 at;
    vec3 position;
    vec3 normal;
    vec2 uv;
    vec4 color;
};
const bool HAS_FADES = true;
const uint MAX_INFLUENCES = 5u;
const uint BACKWARDS = 2147483648u;
const uint BLOCK_TRACKS = 64u;
const uint HEADER_WORDS = 3u;
const uint CLIP_WORDS = 4u;
const uint SCALED_RECORD_WORDS = 12u;

layout(std140) uniform Frame_block_0Vertex { Frame _group_0_binding_0_vs; };

layout(std140) uniform SetInfo_block_1Vertex { SetInfo _group_1_binding_0_vs; };

uniform highp usampler2D _group_1_binding_2_vs;

uniform highp usampler2D _group_1_binding_4_vs;

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
smooth out vec2 _vs2fs_location2;
smooth out vec4 _vs2fs_location3;

Affine affine_from_rows(mat3x4 rows) {
    mat4x3 columns = transpose(rows);
    return Affine(mat3x3(columns[0], columns[1], columns[2]), columns[3]);
}

vec3 affine_point(Affine a, vec3 point) {
    return ((a.linear * point) + a.translation);
}

vec3 unit_or(vec3 v_1, vec3 fallback) {
    float square = dot(v_1, v_1);
    return ((square > 0.0) ? (v_1 * inversesqrt(square)) : fallback);
}

vec3 affine_normal(Affine a_1, vec3 normal) {
    mat3x3 m = a_1.linear;
    vec3 _e14 = unit_or((mat3x3(cross(m[1], m[2]), cross(m[2], m[0]), cross(m[0], m[1])) * normal), normal);
    return _e14;
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

Instance instance_unpack(uvec4 x, uvec4 y, uvec4 z, uvec4 a_2, uvec4 b, uvec4 c, uint index) {
    mat3x4 rows_1 = mat3x4(uintBitsToFloat(x), uintBitsToFloat(y), uintBitsToFloat(z));
    Affine _e11 = affine_from_rows(rows_1);
    uint _e12 = a_2.x;
    return Instance(_e11, (vec4(_e12 & 0xFFu, _e12 >> 8 & 0xFFu, _e12 >> 16 & 0xFFu, _e12 >> 24) / 255.0), Play(a_2.y, a_2.z, a_2.w), Play(b.x, b.y, b.z), b.w, c.x, uintBitsToFloat(c.y), c.z, c.w, index);
}

Moved instance_place(Instance instance, Moved bound, Moved moved) {
    bool is_whole = (instance.fraction == 1.0);
    Moved pose_4 = Moved((is_whole ? moved.position : mix(bound.position, moved.position, instance.fraction)), (is_whole ? moved.normal : mix(bound.normal, moved.normal, instance.fraction)));
    vec3 _e21 = affine_point(instance.world_from_model, pose_4.position);
    vec3 _e24 = affine_normal(instance.world_from_model, pose_4.normal);
    return Moved(_e21, _e24);
}

uint pose_of(Instance instance_1) {
    uint _e4 = _group_1_binding_0_vs.palette_stride;
    return (instance_1.index * _e4);
}

Affine joint_affine(uint pose, uint joint) {
    Affine _e8 = bits_affine(_group_1_binding_2_vs, (pose + (3u * (joint & 65535u))));
    return _e8;
}

Influence influence_read(uint at_3) {
    uvec4 texel = texelFetch(_group_1_binding_4_vs, ivec2(uvec2((at_3 & 2047u), (at_3 >> 11u))), 0);
    return Influence(texel.x, uintBitsToFloat(texel.y));
}

void add_matrix(inout Affine sum, uint pose_1, uint joint_1, float weight) {
    Affine _e4 = joint_affine(pose_1, joint_1);
    mat3x3 _e6 = sum.linear;
    sum.linear = (_e6 + (_e4.linear * weight));
    vec3 _e11 = sum.translation;
    sum.translation = (_e11 + (_e4.translation * weight));
    return;
}

Affine blend_matrices(uint pose_2, Bound bound_1) {
    Affine sum_1 = Affine(mat3x3(0.0), vec3(0.0));
    uvec2 joints = uvec2(0u);
    vec2 weights = vec2(0.0);
    bool local = false;
    uint k = 0u;
    add_matrix(sum_1, pose_2, bound_1.joints.x, bound_1.weights.x);
    if (true) {
        add_matrix(sum_1, pose_2, bound_1.joints.y, bound_1.weights.y);
    }
    joints = bound_1.joints.zw;
    weights = bound_1.weights.zw;
    while(true) {
        if (true) {
            float _e26 = weights.x;
            local = (_e26 != 0.0);
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
            add_matrix(sum_1, pose_2, _e32, _e34);
            uint _e36 = joints.y;
            joints = uvec2(_e36, 0u);
            float _e40 = weights.y;
            weights = vec2(_e40, 0.0);
        }
    }
    if (true) {
        bool loop_init = true;
        while(true) {
            if (!loop_init) {
                uint _e58 = k;
                k = (_e58 + 1u);
            }
            loop_init = false;
            uint _e46 = k;
            if ((_e46 < bound_1.more.y)) {
            } else {
                break;
            }
            {
                uint _e52 = k;
                Influence _e54 = influence_read((bound_1.more.x + _e52));
                add_matrix(sum_1, pose_2, _e54.joint, _e54.weight);
            }
        }
    }
    Affine _e60 = sum_1;
    return _e60;
}

Moved skin_vertex(uint pose_3, Bound bound_2) {
    Affine _e2 = blend_matrices(pose_3, bound_2);
    vec3 _e4 = affine_point(_e2, bound_2.position);
    vec3 _e6 = affine_normal(_e2, bound_2.normal);
    return Moved(_e4, _e6);
}

Bound morphed(Bound bound_3, Instance instance_2, uvec2 place) {
    return bound_3;
}

Moved deform(VertexIn v_2, Instance instance_3) {
    float _e4 = _group_0_binding_0_vs.deform_factor;
    float factor = (_e4 * v_2.position.w);
    Bound bound_4 = Bound(v_2.position.xyz, v_2.normal, factor, v_2.joints, v_2.weights, v_2.places.xy);
    uint _e16 = pose_of(instance_3);
    Bound _e19 = morphed(bound_4, instance_3, v_2.places.zw);
    Moved _e20 = skin_vertex(_e16, _e19);
    return _e20;
}

Instance vertex_instance(VertexIn v_3) {
    Instance _e8 = instance_unpack(v_3.row_x, v_3.row_y, v_3.row_z, v_3.play_a, v_3.play_b, v_3.extra, v_3.instance);
    return _e8;
}

Moved vertex_moved(VertexIn v_4, Instance instance_4) {
    Moved _e6 = deform(v_4, instance_4);
    Moved _e7 = instance_place(instance_4, Moved(v_4.position.xyz, v_4.normal), _e6);
    return _e7;
}

void main() {
    VertexIn v = VertexIn(_p2vs_location0, _p2vs_location1, _p2vs_location2, _p2vs_location3, _p2vs_location4, _p2vs_location5, _p2vs_location6, _p2vs_location7, _p2vs_location8, _p2vs_location9, _p2vs_location10, _p2vs_location11, _p2vs_location12, uint(gl_VertexID), (uint(gl_InstanceID) + naga_vs_first_instance));
    Instance _e1 = vertex_instance(v);
    Moved _e2 = vertex_moved(v, _e1);
    mat4x4 _e5 = _group_0_binding_0_vs.clip_from_world;
    vec4 at_4 = (_e5 * vec4(_e2.position, 1.0));
    Drawn _tmp_return = Drawn(at_4, _e2.position, _e2.normal, v.uv, (v.color * _e1.tint));
    gl_Position = _tmp_return.at;
    _vs2fs_location0 = _tmp_return.position;
    _vs2fs_location1 = _tmp_return.normal;
    _vs2fs_location2 = _tmp_return.uv;
    _vs2fs_location3 = _tmp_return.color;
    return;
}

