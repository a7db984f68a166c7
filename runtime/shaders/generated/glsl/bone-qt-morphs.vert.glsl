#version 300 es
// Entry point draw_vertex, generated from WGSL by naga: do not edit. The function is named 'main'.
//   uniform block Camera_block_2Vertex   camera (group 0, binding 0)
//   uniform block SetInfo_block_1Vertex  set_info (group 1, binding 0)
//   texture _group_1_binding_1_vs        tables (group 1, binding 1)
//   texture _group_1_binding_2_vs        texels (group 1, binding 2): upload RGBA16, or RGB16 padded to it, as RGBA16UI
//   texture _group_1_binding_4_vs        influences (group 1, binding 4)
//   texture _group_1_binding_5_vs        morphs (group 1, binding 5): upload RGBA16, or RGB16 padded to it, as RGBA16UI
//   texture _group_1_binding_6_vs        deltas (group 1, binding 6)
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
struct ClipTiming {
    uint first_frame;
    uint frames;
    float rate_hz;
    float duration_secs;
    bool wraps;
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
struct Frames {
    FramePair first;
    FramePair second;
    float fade;
};
struct Bone {
    vec4 rotation;
    vec3 translation;
};
struct RawBone {
    vec3 mrp;
    vec3 position;
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
const uint INTERPOLATE_LINEAR = 0u;
const uint INTERPOLATE_NLERP = 1u;
const uint INTERPOLATE_SLERP = 2u;
const uint INTERPOLATION = 1u;
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

uniform highp usampler2D _group_1_binding_1_vs;

uniform highp usampler2DArray _group_1_binding_2_vs;

uniform highp usampler2D _group_1_binding_4_vs;

uniform highp usampler2DArray _group_1_binding_5_vs;

uniform highp usampler2DArray _group_1_binding_6_vs;

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

vec4 texels_load(highp usampler2DArray texels, uvec3 at) {
    uvec4 texel = texelFetch(texels, ivec3(at.xy, at.z), 0);
    return vec4(ivec4(texel));
}

vec4 morphs_load(highp usampler2DArray texels_1, uvec3 at_1) {
    uvec4 texel_1 = texelFetch(texels_1, ivec3(at_1.xy, at_1.z), 0);
    return vec4(ivec4(texel_1));
}

float quat_matrix_scale(vec4 q) {
    float square_1 = dot(q, q);
    return ((square_1 < 1e-24) ? 0.0 : (2.0 / square_1));
}

mat3x3 mat3_from_scaled(vec4 q_1, float scale) {
    vec3 scaled = (q_1.xyz * scale);
    float xx = (q_1.x * scaled.x);
    float xy = (q_1.x * scaled.y);
    float xz = (q_1.x * scaled.z);
    float yy = (q_1.y * scaled.y);
    float yz = (q_1.y * scaled.z);
    float zz = (q_1.z * scaled.z);
    vec3 w = (q_1.w * scaled);
    return mat3x3(vec3((1.0 - (yy + zz)), (xy + w.z), (xz - w.y)), vec3((xy - w.z), (1.0 - (xx + zz)), (yz + w.x)), vec3((xz + w.y), (yz - w.x), (1.0 - (xx + yy))));
}

mat3x3 mat3_from_quat(vec4 q_2) {
    float _e1 = quat_matrix_scale(q_2);
    mat3x3 _e2 = mat3_from_scaled(q_2, _e1);
    return _e2;
}

vec4 quat_from_mrp_unnormalized(vec3 p, float square) {
    return vec4((2.0 * p), (1.0 - square));
}

vec4 quat_from_mrp(vec3 p_1) {
    float square_2 = dot(p_1, p_1);
    vec4 _e2 = quat_from_mrp_unnormalized(p_1, square_2);
    return (_e2 * (1.0 / (1.0 + square_2)));
}

vec4 quat_aligned(vec4 a, vec4 b) {
    return ((dot(a, b) < 0.0) ? -(b) : b);
}

vec4 quat_slerp(vec4 a_1, vec4 b_1, float f) {
    vec4 _e3 = quat_aligned(a_1, b_1);
    float cosine = min(dot(a_1, _e3), 1.0);
    if ((cosine > 0.9995)) {
        return normalize(mix(a_1, _e3, f));
    }
    float angle = acos(cosine);
    return (((sin(((1.0 - f) * angle)) * a_1) + (sin((f * angle)) * _e3)) / vec4(sin(angle)));
}

Affine affine_mul(Affine a_2, Affine b_2) {
    return Affine((a_2.linear * b_2.linear), ((a_2.linear * b_2.translation) + a_2.translation));
}

Affine affine_from_rows(mat3x4 rows) {
    mat4x3 columns = transpose(rows);
    return Affine(mat3x3(columns[0], columns[1], columns[2]), columns[3]);
}

Affine affine_scaled(Affine a_3, float weight) {
    return Affine((a_3.linear * weight), (a_3.translation * weight));
}

Affine affine_add_scaled(Affine sum, Affine a_4, float weight_1) {
    return Affine((sum.linear + (a_4.linear * weight_1)), (sum.translation + (a_4.translation * weight_1)));
}

vec3 affine_point(Affine a_5, vec3 point) {
    return ((a_5.linear * point) + a_5.translation);
}

vec3 unit_or(vec3 v_1, vec3 fallback) {
    float square_3 = dot(v_1, v_1);
    return ((square_3 > 0.0) ? (v_1 * inversesqrt(square_3)) : fallback);
}

vec3 affine_normal(Affine a_6, vec3 normal) {
    mat3x3 m = a_6.linear;
    vec3 _e14 = unit_or((mat3x3(cross(m[1], m[2]), cross(m[2], m[0]), cross(m[0], m[1])) * normal), normal);
    return _e14;
}

vec3 any_orthonormal(vec3 v_2) {
    float sign_ = ((v_2.z >= 0.0) ? 1.0 : -1.0);
    float a_9 = (-1.0 / (sign_ + v_2.z));
    float b_4 = ((v_2.x * v_2.y) * a_9);
    return vec3(b_4, (sign_ + ((v_2.y * v_2.y) * a_9)), -(v_2.y));
}

uint divide(uint n, uint d) {
    uint guess = uint(int((float(int(n)) / float(int(d)))));
    int rest = int((n - (guess * d)));
    return ((guess + ((rest >= int(d)) ? 1u : 0u)) - ((rest < 0) ? 1u : 0u));
}

float play_phase(Play play, bool wraps, uint now) {
    uint elapsed = (now - play.time);
    float cycles_per_tick = (1.0 / float(int(play.period)));
    int cycle = int((float(int((elapsed >> 1u))) * (2.0 * cycles_per_tick)));
    int in_cycle = int((elapsed - (uint(cycle) * play.period)));
    float clamped = clamp((float(int(elapsed)) * cycles_per_tick), 0.0, 1.0);
    float phase = (wraps ? fract((float(in_cycle) * cycles_per_tick)) : clamped);
    return (((play.clip & BACKWARDS) != 0u) ? (1.0 - phase) : phase);
}

float play_frame(Play play_1, ClipTiming timing, uint now_1) {
    float _e4 = play_phase(play_1, timing.wraps, now_1);
    float playing = (_e4 * float((int(timing.frames) - 1)));
    return ((play_1.period == 0u) ? (uintBitsToFloat(play_1.time) * timing.rate_hz) : playing);
}

float fade_weight(uint start, uint duration, uint now_2) {
    if ((duration == 0u)) {
        return 0.0;
    }
    float running = clamp((float(int((now_2 - start))) / float(duration)), 0.0, 1.0);
    return ((duration == HELD_FADE) ? uintBitsToFloat(start) : running);
}

uvec3 grid_texel(Grid grid, uint frame, uint item) {
    uint column = 0u;
    uint row = 0u;
    uint layer = 0u;
    column = item;
    row = (grid.first_row + (frame * grid.rows_per_frame));
    if ((grid.by_columns != 0u)) {
        column = frame;
        row = (grid.first_row + item);
        if ((grid.layers > 1u)) {
            uint _e20 = divide(frame, grid.columns);
            uint _e21 = column;
            column = (_e21 - (_e20 * grid.columns));
            uint _e25 = row;
            row = (_e25 + (_e20 * grid.rows_per_frame));
        }
    } else {
        if ((grid.rows_per_frame > 1u)) {
            uint _e33 = divide(item, grid.columns);
            uint _e34 = column;
            column = (_e34 - (_e33 * grid.columns));
            uint _e38 = row;
            row = (_e38 + _e33);
        }
    }
    if ((grid.layers > 1u)) {
        uint _e43 = row;
        uint _e45 = divide(_e43, grid.height);
        layer = _e45;
        uint _e46 = row;
        uint _e47 = layer;
        row = (_e46 - (_e47 * grid.height));
    }
    uint _e52 = column;
    uint _e54 = row;
    uint _e55 = layer;
    return uvec3((grid.first_column + _e52), _e54, _e55);
}

FramePair frame_pair(ClipTiming timing_1, float frames) {
    int last = (int(timing_1.frames) - 1);
    float position = clamp(frames, 0.0, float(last));
    int index_1 = min(int(position), (max(last, 1) - 1));
    return FramePair((timing_1.first_frame + uint(index_1)), (timing_1.first_frame + uint(min((index_1 + 1), last))), (position - float(index_1)));
}

uvec4 bits_get(highp usampler2D texels_2, uint at_2) {
    uvec4 _e8 = texelFetch(texels_2, ivec2(uvec2((at_2 & 2047u), (at_2 >> 11u))), 0);
    return _e8;
}

uvec4 table_get(highp usampler2D tables, uint at_3) {
    uvec4 _e2 = bits_get(tables, at_3);
    return _e2;
}

vec4 table_floats(highp usampler2D tables_1, uint at_4) {
    uvec4 _e2 = table_get(tables_1, at_4);
    return uintBitsToFloat(_e2);
}

ClipTiming clip_timing(highp usampler2D tables_2, uint first, uint clip) {
    uvec4 _e6 = table_get(tables_2, (first + (clip & 2147483647u)));
    return ClipTiming(_e6.x, (_e6.y & 2147483647u), uintBitsToFloat(_e6.z), uintBitsToFloat(_e6.w), ((_e6.y >> 31u) != 0u));
}

Affine table_affine(highp usampler2D tables_3, uint at_5) {
    vec4 _e2 = table_floats(tables_3, at_5);
    vec4 _e5 = table_floats(tables_3, (at_5 + 1u));
    vec4 _e8 = table_floats(tables_3, (at_5 + 2u));
    Affine _e10 = affine_from_rows(mat3x4(_e2, _e5, _e8));
    return _e10;
}

vec4 codec_unit(Codec codec, vec4 raw) {
    return (vec4(codec.unit_offset) + (codec.unit_scale * raw));
}

vec3 flat_tangent(vec3 tangent, vec3 normal_1) {
    vec3 flat_ = (tangent - (normal_1 * dot(normal_1, tangent)));
    bool is_rounding = (dot(flat_, flat_) <= (1e-12 * dot(tangent, tangent)));
    vec3 _e10 = any_orthonormal(normal_1);
    vec3 other = ((dot(tangent, tangent) > 0.0) ? _e10 : vec3(0.0));
    vec3 _e20 = unit_or((is_rounding ? vec3(0.0) : flat_), other);
    return _e20;
}

vec3 affine_tangent(Affine a_7, vec3 tangent_1, vec3 normal_2) {
    if (true) {
        return vec3(0.0);
    }
    vec3 _e8 = flat_tangent((a_7.linear * tangent_1), normal_2);
    return _e8;
}

Deformed vertex_transform(Affine matrix, BindVertex vertex) {
    vec3 _e3 = affine_normal(matrix, vertex.normal);
    vec3 _e5 = affine_point(matrix, vertex.position);
    vec3 _e7 = affine_tangent(matrix, vertex.tangent, _e3);
    return Deformed(_e5, _e3, _e7);
}

Instance instance_unpack(uvec4 x, uvec4 y, uvec4 z, uvec4 a_8, uvec4 b_3, uvec4 c, uint index, uint now_3) {
    mat3x4 rows_1 = mat3x4(uintBitsToFloat(x), uintBitsToFloat(y), uintBitsToFloat(z));
    Affine _e12 = affine_from_rows(rows_1);
    uint _e13 = a_8.x;
    return Instance(_e12, (vec4(_e13 & 0xFFu, _e13 >> 8 & 0xFFu, _e13 >> 16 & 0xFFu, _e13 >> 24) / 255.0), Play(a_8.y, a_8.z, a_8.w), Play(b_3.x, b_3.y, b_3.z), b_3.w, c.x, uintBitsToFloat(c.y), c.z, c.w, index, now_3);
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

ClipTiming play_timing(Play play_2) {
    uint _e4 = _group_1_binding_0_vs.clip_table;
    ClipTiming _e6 = clip_timing(_group_1_binding_1_vs, _e4, play_2.clip);
    return _e6;
}

Codec codec_of_bone(Codec codec_1, highp usampler2D tables_4, uint bone) {
    Codec bone_codec = Codec(vec4(0.0), vec4(0.0), vec4(0.0), vec4(0.0), 0.0, 0.0, 0.0, 0.0, 0.0, 0u, 0u, 0u);
    if ((codec_1.range_table == 0u)) {
        return codec_1;
    }
    bone_codec = codec_1;
    vec4 _e12 = table_floats(tables_4, (codec_1.range_table + (2u * bone)));
    bone_codec.offset = _e12;
    vec4 _e20 = table_floats(tables_4, ((codec_1.range_table + (2u * bone)) + 1u));
    bone_codec.scale = _e20;
    Codec _e21 = bone_codec;
    return _e21;
}

FramePair play_frames(Play play_3, uint now_4) {
    ClipTiming _e2 = play_timing(play_3);
    float _e3 = play_frame(play_3, _e2, now_4);
    FramePair _e4 = frame_pair(_e2, _e3);
    return _e4;
}

float instance_fade(Instance instance_2) {
    if (false) {
        return 0.0;
    }
    float _e6 = fade_weight(instance_2.fade_start, instance_2.fade_duration, instance_2.now);
    return _e6;
}

Frames instance_frames(Instance instance_3) {
    bool local = false;
    float _e1 = instance_fade(instance_3);
    FramePair _e4 = play_frames(instance_3.first, instance_3.now);
    if (true) {
        local = (_e1 == 0.0);
    } else {
        local = true;
    }
    bool _e11 = local;
    if (_e11) {
        return Frames(_e4, _e4, _e1);
    }
    FramePair _e15 = play_frames(instance_3.second, instance_3.now);
    return Frames(_e4, _e15, _e1);
}

vec4 texel_read(highp usampler2DArray texels_3, Grid grid_1, uint frame_1, uint item_1) {
    uvec3 _e4 = grid_texel(grid_1, frame_1, item_1);
    vec4 _e5 = texels_load(texels_3, _e4);
    return _e5;
}

RawBone bone_read(highp usampler2DArray texels_4, Grid grid_2, uint frame_2, uint offset) {
    vec4 _e6 = texel_read(texels_4, grid_2, frame_2, (offset / 2u));
    vec4 _e11 = texel_read(texels_4, grid_2, frame_2, ((offset / 2u) + 1u));
    bool is_odd = ((offset & 1u) != 0u);
    return RawBone((is_odd ? vec3(_e6.zw, _e11.x) : _e6.xyz), (is_odd ? _e11.yzw : vec3(_e6.w, _e11.xy)));
}

vec4 rotation_between(vec3 from_mrp, vec3 to_mrp, float f_1) {
    if (false) {
        vec4 _e4 = quat_from_mrp(from_mrp);
        vec4 _e5 = quat_from_mrp(to_mrp);
        vec4 _e6 = quat_slerp(_e4, _e5, f_1);
        return _e6;
    }
    float a_square = dot(from_mrp, from_mrp);
    float b_square = dot(to_mrp, to_mrp);
    vec4 _e9 = quat_from_mrp_unnormalized(from_mrp, a_square);
    vec4 _e10 = quat_from_mrp_unnormalized(to_mrp, b_square);
    float b_weight = (f_1 * (1.0 + a_square));
    return ((_e9 * ((1.0 - f_1) * (1.0 + b_square))) + (_e10 * ((dot(_e9, _e10) < 0.0) ? -(b_weight) : b_weight)));
}

Bone bone_between(highp usampler2DArray texels_5, highp usampler2D tables_5, Grid grid_3, Codec codec_2, FramePair pair, uint offset_1) {
    Codec _e8 = codec_of_bone(codec_2, tables_5, (offset_1 / 3u));
    RawBone _e10 = bone_read(texels_5, grid_3, pair.first, offset_1);
    RawBone _e12 = bone_read(texels_5, grid_3, pair.second, offset_1);
    vec4 _e16 = codec_unit(_e8, vec4(_e10.mrp, 0.0));
    vec3 from_mrp_1 = _e16.xyz;
    vec4 _e21 = codec_unit(_e8, vec4(_e12.mrp, 0.0));
    vec3 to_mrp_1 = _e21.xyz;
    vec4 _e24 = rotation_between(from_mrp_1, to_mrp_1, pair.fraction);
    return Bone(_e24, (_e8.offset.xyz + (_e8.scale.xyz * mix(_e10.position, _e12.position, pair.fraction))));
}

vec4 rotation_fade(vec4 from_rotation, vec4 to_rotation, float f_2) {
    vec4 a_10 = normalize(from_rotation);
    vec4 b_5 = normalize(to_rotation);
    if (false) {
        vec4 _e6 = quat_slerp(a_10, b_5, f_2);
        return _e6;
    }
    vec4 _e7 = quat_aligned(a_10, b_5);
    return mix(a_10, _e7, f_2);
}

Bone bone_fade(Bone from_bone, Bone to_bone, float f_3) {
    vec4 _e5 = rotation_fade(from_bone.rotation, to_bone.rotation, f_3);
    return Bone(_e5, mix(from_bone.translation, to_bone.translation, f_3));
}

Affine bone_to_affine(Bone bone_1) {
    mat3x3 _e2 = mat3_from_quat(bone_1.rotation);
    return Affine(_e2, bone_1.translation);
}

Bone bone_of(FramePair pair_1, uint bone_offset) {
    Grid _e6 = _group_1_binding_0_vs.grid;
    Codec _e9 = _group_1_binding_0_vs.codec;
    Bone _e10 = bone_between(_group_1_binding_2_vs, _group_1_binding_1_vs, _e6, _e9, pair_1, bone_offset);
    return _e10;
}

Frames pose_of(Instance instance_4) {
    Frames _e1 = instance_frames(instance_4);
    return _e1;
}

Bone pose_bone(Frames pose, uint bone_offset_1) {
    bool local_1 = false;
    Bone _e3 = bone_of(pose.first, bone_offset_1);
    if (true) {
        local_1 = (pose.fade == 0.0);
    } else {
        local_1 = true;
    }
    bool _e11 = local_1;
    if (_e11) {
        return _e3;
    }
    Bone _e13 = bone_of(pose.second, bone_offset_1);
    Bone _e15 = bone_fade(_e3, _e13, pose.fade);
    return _e15;
}

Affine joint_affine(Frames pose_1, uint joint) {
    Bone _e4 = pose_bone(pose_1, (joint >> 16u));
    Affine _e5 = bone_to_affine(_e4);
    uint palette_index = (joint & 65535u);
    uint _e10 = _group_1_binding_0_vs.inverse_binds_are_matrices;
    if ((_e10 == 0u)) {
        uint _e16 = _group_1_binding_0_vs.inverse_bind_table;
        vec4 _e18 = table_floats(_group_1_binding_1_vs, (_e16 + palette_index));
        vec3 translation = _e18.xyz;
        vec3 _e21 = affine_point(_e5, translation);
        return Affine(_e5.linear, _e21);
    }
    uint _e26 = _group_1_binding_0_vs.inverse_bind_table;
    Affine _e30 = table_affine(_group_1_binding_1_vs, (_e26 + (3u * palette_index)));
    Affine _e31 = affine_mul(_e5, _e30);
    return _e31;
}

Influence influence_read(uint at_6) {
    uvec4 texel_2 = texelFetch(_group_1_binding_4_vs, ivec2(uvec2((at_6 & 2047u), (at_6 >> 11u))), 0);
    return Influence(texel_2.x, uintBitsToFloat(texel_2.y));
}

Affine method_first(Frames pose_2, uint joint_1, float weight_2) {
    Affine _e3 = joint_affine(pose_2, joint_1);
    Affine _e4 = affine_scaled(_e3, weight_2);
    return _e4;
}

Accumulator accumulate_first(Frames pose_3, uint joint_2, float weight_3) {
    Affine _e3 = method_first(pose_3, joint_2, weight_3);
    return Accumulator(_e3);
}

Affine method_add(Affine sum_1, Frames pose_4, uint joint_3, float weight_4) {
    Affine _e4 = joint_affine(pose_4, joint_3);
    Affine _e5 = affine_add_scaled(sum_1, _e4, weight_4);
    return _e5;
}

Accumulator accumulate(Accumulator sum_2, Frames pose_5, uint joint_4, float weight_5) {
    Affine _e5 = method_add(sum_2.method, pose_5, joint_4, weight_5);
    return Accumulator(_e5);
}

Accumulator accumulate_influences(Frames pose_6, BindVertex vertex_1) {
    Accumulator sum_3 = Accumulator(Affine(mat3x3(0.0), vec3(0.0)));
    uvec2 joints = uvec2(0u);
    vec2 weights = vec2(0.0);
    bool local_2 = false;
    uint k = 0u;
    Accumulator _e6 = accumulate_first(pose_6, vertex_1.joints.x, vertex_1.weights.x);
    sum_3 = _e6;
    if (true) {
        Accumulator _e9 = sum_3;
        Accumulator _e14 = accumulate(_e9, pose_6, vertex_1.joints.y, vertex_1.weights.y);
        sum_3 = _e14;
    }
    joints = vertex_1.joints.zw;
    weights = vertex_1.weights.zw;
    while(true) {
        if (true) {
            float _e25 = weights.x;
            local_2 = (_e25 != 0.0);
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
            Accumulator _e35 = accumulate(_e30, pose_6, _e32, _e34);
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
                Accumulator _e59 = accumulate(_e56, pose_6, _e55.joint, _e55.weight);
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

Frames morph_weights_of(Instance instance_5) {
    Frames _e1 = instance_frames(instance_5);
    return _e1;
}

float morph_raw(uint frame_number, uint weight_6) {
    Grid _e4 = _group_1_binding_0_vs.morphs;
    uvec3 _e7 = grid_texel(_e4, frame_number, (weight_6 / 4u));
    vec4 _e9 = morphs_load(_group_1_binding_5_vs, _e7);
    return _e9[(weight_6 % 4u)];
}

float morph_between(FramePair pair_2, uint weight_7) {
    float _e3 = morph_raw(pair_2.first, weight_7);
    float _e5 = morph_raw(pair_2.second, weight_7);
    return mix(_e3, _e5, pair_2.fraction);
}

float morph_weight(Frames frames_1, uint weight_8) {
    float raw_1 = 0.0;
    bool local_3 = false;
    float _e3 = morph_between(frames_1.first, weight_8);
    raw_1 = _e3;
    if (HAS_FADES) {
        local_3 = (frames_1.fade != 0.0);
    } else {
        local_3 = false;
    }
    bool _e12 = local_3;
    if (_e12) {
        float _e13 = raw_1;
        float _e15 = morph_between(frames_1.second, weight_8);
        raw_1 = mix(_e13, _e15, frames_1.fade);
    }
    uint _e21 = _group_1_binding_0_vs.morph_table;
    vec4 _e23 = table_floats(_group_1_binding_1_vs, (_e21 + weight_8));
    float _e26 = raw_1;
    return (_e23.x + (_e23.y * _e26));
}

uvec4 morph_delta(uint at_7) {
    uint row_1 = (at_7 >> 11u);
    uvec4 _e12 = texelFetch(_group_1_binding_6_vs, ivec3(uvec2((at_7 & 2047u), (row_1 & 2047u)), (row_1 >> 11u)), 0);
    return _e12;
}

BindVertex morphed(BindVertex vertex_3, Instance instance_6, uvec2 morph) {
    BindVertex out_1 = BindVertex(vec3(0.0), vec3(0.0), vec3(0.0), 0.0, uvec4(0u), vec4(0.0), uvec2(0u));
    uint k_1 = 0u;
    uint targets = (morph.y >> 16u);
    if ((targets == 0u)) {
        return vertex_3;
    }
    Frames _e8 = morph_weights_of(instance_6);
    out_1 = vertex_3;
    bool loop_init_1 = true;
    while(true) {
        if (!loop_init_1) {
            uint _e55 = k_1;
            k_1 = (_e55 + 1u);
        }
        loop_init_1 = false;
        uint _e12 = k_1;
        if ((_e12 < targets)) {
        } else {
            break;
        }
        {
            uint _e17 = k_1;
            float _e19 = morph_weight(_e8, ((morph.y & 65535u) + _e17));
            uint _e22 = k_1;
            uint at_8 = (morph.x + (2u * _e22));
            uvec4 _e25 = morph_delta(at_8);
            uvec4 _e28 = morph_delta((at_8 + 1u));
            vec3 _e30 = out_1.position;
            out_1.position = (_e30 + (_e19 * uintBitsToFloat(_e25.xyz)));
            vec3 _e36 = out_1.normal;
            out_1.normal = (_e36 + (_e19 * uintBitsToFloat(_e28.xyz)));
            if (HAS_TANGENTS) {
                vec3 _e43 = out_1.tangent;
                out_1.tangent = (_e43 + ((2.0 * _e19) * vec3(unpackSnorm2x16(_e25.w), unpackSnorm2x16(_e28.w).x)));
            }
        }
    }
    vec3 _e59 = out_1.normal;
    vec3 _e61 = unit_or(_e59, vertex_3.normal);
    out_1.normal = _e61;
    BindVertex _e62 = out_1;
    return _e62;
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

Deformed deform(VertexIn v_5, Instance instance_7) {
    BindVertex _e2 = bind_vertex(v_5);
    BindVertex _e5 = morphed(_e2, instance_7, v_5.indices.zw);
    Frames _e6 = pose_of(instance_7);
    Accumulator _e7 = accumulate_influences(_e6, _e5);
    Deformed _e8 = skin_vertex(_e7, _e5);
    return _e8;
}

Instance vertex_instance(VertexIn v_6) {
    uint _e10 = _group_1_binding_14_vs.now;
    Instance _e11 = instance_unpack(v_6.row_x, v_6.row_y, v_6.row_z, v_6.play_a, v_6.play_b, v_6.extra, v_6.instance, _e10);
    return _e11;
}

Deformed vertex_deformed(VertexIn v_7, Instance instance_8) {
    vec3 _e5 = vertex_tangent(v_7);
    Deformed bind_2 = Deformed(v_7.position.xyz, v_7.normal, _e5);
    Deformed _e7 = deform(v_7, instance_8);
    Deformed _e8 = instance_transform(instance_8, bind_2, _e7);
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

