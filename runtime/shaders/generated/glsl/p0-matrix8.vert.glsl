#version 300 es
// Entry point draw_vertex, generated from WGSL by naga: do not edit. The function is named 'main'.
//   uniform block Camera_block_2Vertex   camera (group 0, binding 0)
//   uniform block SetInfo_block_1Vertex  set_info (group 1, binding 0)
//   texture _group_1_binding_1_vs        tables (group 1, binding 1)
//   texture _group_1_binding_2_vs        texels (group 1, binding 2): upload as in the file, RGB padded to RGBA
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
const uint INTERPOLATION = 0u;
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

uniform highp sampler2DArray _group_1_binding_2_vs;

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

vec4 texels_load(highp sampler2DArray texels, uvec3 at) {
    vec4 texel = texelFetch(texels, ivec3(at.xy, at.z), 0);
    return texel;
}

float quat_matrix_scale(vec4 q) {
    float square = dot(q, q);
    return ((square < 1e-24) ? 0.0 : (2.0 / square));
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

vec4 quat_from_mat3_(mat3x3 m) {
    vec4 q_3 = vec4(0.0);
    vec3 x_1 = m[0];
    vec3 y_1 = m[1];
    vec3 z_1 = m[2];
    if ((z_1.z <= 0.0)) {
        float difference = (y_1.y - x_1.x);
        float rest = (1.0 - z_1.z);
        if ((difference <= 0.0)) {
            q_3 = vec4((rest - difference), (x_1.y + y_1.x), (x_1.z + z_1.x), (y_1.z - z_1.y));
        } else {
            q_3 = vec4((x_1.y + y_1.x), (rest + difference), (y_1.z + z_1.y), (z_1.x - x_1.z));
        }
    } else {
        float sum_5 = (y_1.y + x_1.x);
        float rest_1 = (1.0 + z_1.z);
        if ((sum_5 <= 0.0)) {
            q_3 = vec4((x_1.z + z_1.x), (y_1.z + z_1.y), (rest_1 - sum_5), (x_1.y - y_1.x));
        } else {
            q_3 = vec4((y_1.z - z_1.y), (z_1.x - x_1.z), (x_1.y - y_1.x), (rest_1 + sum_5));
        }
    }
    vec4 _e68 = q_3;
    return normalize(_e68);
}

Affine affine_mul(Affine a_2, Affine b_2) {
    return Affine((a_2.linear * b_2.linear), ((a_2.linear * b_2.translation) + a_2.translation));
}

Affine affine_from_rows(mat3x4 rows) {
    mat4x3 columns = transpose(rows);
    return Affine(mat3x3(columns[0], columns[1], columns[2]), columns[3]);
}

Affine affine_mix(Affine a_3, Affine b_3, float f_1) {
    return Affine(mat3x3(mix(a_3.linear[0], b_3.linear[0], f_1), mix(a_3.linear[1], b_3.linear[1], f_1), mix(a_3.linear[2], b_3.linear[2], f_1)), mix(a_3.translation, b_3.translation, f_1));
}

Affine affine_scaled(Affine a_4, float weight) {
    return Affine((a_4.linear * weight), (a_4.translation * weight));
}

Affine affine_add_scaled(Affine sum, Affine a_5, float weight_1) {
    return Affine((sum.linear + (a_5.linear * weight_1)), (sum.translation + (a_5.translation * weight_1)));
}

vec3 affine_point(Affine a_6, vec3 point) {
    return ((a_6.linear * point) + a_6.translation);
}

vec3 unit_or(vec3 v_1, vec3 fallback) {
    float square_1 = dot(v_1, v_1);
    return ((square_1 > 0.0) ? (v_1 * inversesqrt(square_1)) : fallback);
}

vec3 affine_normal(Affine a_7, vec3 normal) {
    mat3x3 m_2 = a_7.linear;
    vec3 _e14 = unit_or((mat3x3(cross(m_2[1], m_2[2]), cross(m_2[2], m_2[0]), cross(m_2[0], m_2[1])) * normal), normal);
    return _e14;
}

vec3 any_orthonormal(vec3 v_2) {
    float sign_ = ((v_2.z >= 0.0) ? 1.0 : -1.0);
    float a_10 = (-1.0 / (sign_ + v_2.z));
    float b_5 = ((v_2.x * v_2.y) * a_10);
    return vec3(b_5, (sign_ + ((v_2.y * v_2.y) * a_10)), -(v_2.y));
}

uint divide(uint n, uint d) {
    uint guess = uint(int((float(int(n)) / float(int(d)))));
    int rest_2 = int((n - (guess * d)));
    return ((guess + ((rest_2 >= int(d)) ? 1u : 0u)) - ((rest_2 < 0) ? 1u : 0u));
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

uvec4 bits_get(highp usampler2D texels_1, uint at_1) {
    uvec4 _e8 = texelFetch(texels_1, ivec2(uvec2((at_1 & 2047u), (at_1 >> 11u))), 0);
    return _e8;
}

uvec4 table_get(highp usampler2D tables, uint at_2) {
    uvec4 _e2 = bits_get(tables, at_2);
    return _e2;
}

vec4 table_floats(highp usampler2D tables_1, uint at_3) {
    uvec4 _e2 = table_get(tables_1, at_3);
    return uintBitsToFloat(_e2);
}

ClipTiming clip_timing(highp usampler2D tables_2, uint first, uint clip) {
    uvec4 _e6 = table_get(tables_2, (first + (clip & 2147483647u)));
    return ClipTiming(_e6.x, (_e6.y & 2147483647u), uintBitsToFloat(_e6.z), uintBitsToFloat(_e6.w), ((_e6.y >> 31u) != 0u));
}

Affine table_affine(highp usampler2D tables_3, uint at_4) {
    vec4 _e2 = table_floats(tables_3, at_4);
    vec4 _e5 = table_floats(tables_3, (at_4 + 1u));
    vec4 _e8 = table_floats(tables_3, (at_4 + 2u));
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

vec3 affine_tangent(Affine a_8, vec3 tangent_1, vec3 normal_2) {
    if (true) {
        return vec3(0.0);
    }
    vec3 _e8 = flat_tangent((a_8.linear * tangent_1), normal_2);
    return _e8;
}

Deformed vertex_transform(Affine matrix, BindVertex vertex) {
    vec3 _e3 = affine_normal(matrix, vertex.normal);
    vec3 _e5 = affine_point(matrix, vertex.position);
    vec3 _e7 = affine_tangent(matrix, vertex.tangent, _e3);
    return Deformed(_e5, _e3, _e7);
}

Instance instance_unpack(uvec4 x, uvec4 y, uvec4 z, uvec4 a_9, uvec4 b_4, uvec4 c, uint index, uint now_3) {
    mat3x4 rows_1 = mat3x4(uintBitsToFloat(x), uintBitsToFloat(y), uintBitsToFloat(z));
    Affine _e12 = affine_from_rows(rows_1);
    uint _e13 = a_9.x;
    return Instance(_e12, (vec4(_e13 & 0xFFu, _e13 >> 8 & 0xFFu, _e13 >> 16 & 0xFFu, _e13 >> 24) / 255.0), Play(a_9.y, a_9.z, a_9.w), Play(b_4.x, b_4.y, b_4.z), b_4.w, c.x, uintBitsToFloat(c.y), c.z, c.w, index, now_3);
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

vec4 texel_read(highp sampler2DArray texels_2, Grid grid_1, uint frame_1, uint item_1) {
    uvec3 _e4 = grid_texel(grid_1, frame_1, item_1);
    vec4 _e5 = texels_load(texels_2, _e4);
    return _e5;
}

mat3x4 texels_three(highp sampler2DArray texels_3, Grid grid_2, uint frame_2, uint item_2) {
    vec4 _e4 = texel_read(texels_3, grid_2, frame_2, item_2);
    vec4 _e7 = texel_read(texels_3, grid_2, frame_2, (item_2 + 1u));
    vec4 _e10 = texel_read(texels_3, grid_2, frame_2, (item_2 + 2u));
    return mat3x4(_e4, _e7, _e10);
}

Affine bone_decode(Codec bone_codec_1, mat3x4 raw_1) {
    vec4 _e3 = codec_unit(bone_codec_1, raw_1[0]);
    vec4 _e6 = codec_unit(bone_codec_1, raw_1[1]);
    vec4 _e9 = codec_unit(bone_codec_1, raw_1[2]);
    return Affine(mat3x3(_e3.xyz, _e6.xyz, _e9.xyz), (bone_codec_1.offset.xyz + (bone_codec_1.scale.xyz * vec3(raw_1[0].w, raw_1[1].w, raw_1[2].w))));
}

vec4 rotation_of(mat3x3 m_1) {
    vec3 _e6 = unit_or(m_1[0], vec3(1.0, 0.0, 0.0));
    vec3 across = (m_1[1] - (_e6 * dot(_e6, m_1[1])));
    vec3 _e12 = any_orthonormal(_e6);
    vec3 _e13 = unit_or(across, _e12);
    vec4 _e16 = quat_from_mat3_(mat3x3(_e6, _e13, cross(_e6, _e13)));
    return _e16;
}

Affine bone_mix(Affine from_bone, Affine to_bone, float f_2) {
    if (true) {
        Affine _e4 = affine_mix(from_bone, to_bone, f_2);
        return _e4;
    }
    vec4 _e6 = rotation_of(from_bone.linear);
    vec4 _e8 = rotation_of(to_bone.linear);
    mat3x3 _e9 = mat3_from_quat(_e6);
    mat3x3 from_stretch = (transpose(_e9) * from_bone.linear);
    mat3x3 _e13 = mat3_from_quat(_e8);
    mat3x3 to_stretch = (transpose(_e13) * to_bone.linear);
    Affine _e21 = affine_mix(Affine(from_stretch, from_bone.translation), Affine(to_stretch, to_bone.translation), f_2);
    vec4 _e22 = quat_slerp(_e6, _e8, f_2);
    mat3x3 _e23 = mat3_from_quat(_e22);
    return Affine((_e23 * _e21.linear), _e21.translation);
}

Affine bone_between(highp sampler2DArray texels_4, highp usampler2D tables_5, Grid grid_3, Codec codec_2, FramePair pair, uint offset) {
    Codec _e8 = codec_of_bone(codec_2, tables_5, (offset / 3u));
    mat3x4 _e10 = texels_three(texels_4, grid_3, pair.first, offset);
    mat3x4 _e12 = texels_three(texels_4, grid_3, pair.second, offset);
    if (false) {
        Affine _e14 = bone_decode(_e8, _e10);
        Affine _e15 = bone_decode(_e8, _e12);
        Affine _e17 = bone_mix(_e14, _e15, pair.fraction);
        return _e17;
    }
    Affine _e25 = bone_decode(_e8, ((_e10 * (1.0 - pair.fraction)) + (_e12 * pair.fraction)));
    return _e25;
}

Affine bone_fade(Affine from_bone_1, Affine to_bone_1, float f_3) {
    Affine _e3 = bone_mix(from_bone_1, to_bone_1, f_3);
    return _e3;
}

Affine bone_to_affine(Affine bone_1) {
    return bone_1;
}

Affine bone_of(FramePair pair_1, uint bone_offset) {
    Grid _e6 = _group_1_binding_0_vs.grid;
    Codec _e9 = _group_1_binding_0_vs.codec;
    Affine _e10 = bone_between(_group_1_binding_2_vs, _group_1_binding_1_vs, _e6, _e9, pair_1, bone_offset);
    return _e10;
}

Frames pose_of(Instance instance_4) {
    Frames _e1 = instance_frames(instance_4);
    return _e1;
}

Affine pose_bone(Frames pose, uint bone_offset_1) {
    bool local_1 = false;
    Affine _e3 = bone_of(pose.first, bone_offset_1);
    if (true) {
        local_1 = (pose.fade == 0.0);
    } else {
        local_1 = true;
    }
    bool _e11 = local_1;
    if (_e11) {
        return _e3;
    }
    Affine _e13 = bone_of(pose.second, bone_offset_1);
    Affine _e15 = bone_fade(_e3, _e13, pose.fade);
    return _e15;
}

Affine joint_affine(Frames pose_1, uint joint) {
    Affine _e4 = pose_bone(pose_1, (joint >> 16u));
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

Influence influence_read(uint at_5) {
    uvec4 texel_1 = texelFetch(_group_1_binding_4_vs, ivec2(uvec2((at_5 & 2047u), (at_5 >> 11u))), 0);
    return Influence(texel_1.x, uintBitsToFloat(texel_1.y));
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

BindVertex morphed(BindVertex vertex_3, Instance instance_5, uvec2 morph) {
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

Deformed deform(VertexIn v_5, Instance instance_6) {
    BindVertex _e2 = bind_vertex(v_5);
    BindVertex _e5 = morphed(_e2, instance_6, v_5.indices.zw);
    Frames _e6 = pose_of(instance_6);
    Accumulator _e7 = accumulate_influences(_e6, _e5);
    Deformed _e8 = skin_vertex(_e7, _e5);
    return _e8;
}

Instance vertex_instance(VertexIn v_6) {
    uint _e10 = _group_1_binding_14_vs.now;
    Instance _e11 = instance_unpack(v_6.row_x, v_6.row_y, v_6.row_z, v_6.play_a, v_6.play_b, v_6.extra, v_6.instance, _e10);
    return _e11;
}

Deformed vertex_deformed(VertexIn v_7, Instance instance_7) {
    vec3 _e5 = vertex_tangent(v_7);
    Deformed bind_2 = Deformed(v_7.position.xyz, v_7.normal, _e5);
    Deformed _e7 = deform(v_7, instance_7);
    Deformed _e8 = instance_transform(instance_7, bind_2, _e7);
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

