// Functions of Throng for engines, generated from WGSL by naga: do not edit. Vertices and time are arguments;
// instances and the set are read from textures. The section "Shader functions for engines" of docs/format.md
// describes every argument, texture and table.
// Needs GLSL ES 3.00, `precision highp float` and `precision highp int`.
//
// Functions:
//   throng_vertex(position, normal, joints, weights, indices, instance, now)
//       position and normal in model space, with the instance's clips, cross-fade and fraction
//   throng_position(position, normal, joints, weights, indices, instance, now)
//       the position alone, for depth and shadow passes
//   throng_normal(position, normal, joints, weights, indices, instance, now)
//       the normal alone, of unit length
//   throng_world_from_model(instance)
//       matrix from model space to world space
//   throng_to_world(vertex, instance)
//       a vertex of throng_vertex in world space, the normal by the cofactor matrix
//   throng_tint(instance)
//       RGBA factor of the material's colour, from 0 to 1
//   throng_user(instance)
//       the word that is free for the caller
//   throng_vertex_at(position, normal, joints, weights, indices, clip, time_secs)
//       position and normal of a clip at a time from its start, without an instance
//
// Arguments:
//   position       vec4: undeformed position; w is the blend factor between LBS (0) and DQS (1)
//   normal         vec3: undeformed normal, of unit length
//   joints         uvec4: four influences, heaviest first; palette index + 65536 * bone offset
//   weights        vec4: their weights
//   indices        uvec4: first influence past the fourth, their number; items of position and normal, or morph targets
//   instance       uint: index of the instance
//   now            uint: time in ticks of 1/65536 s, which wrap
//   clip           uint: index of the clip
//   time_secs      float: seconds from the start of the clip, clamped to the clip
//
// Bindings:
//   throng_set_info    description of the set: replace the constant of zeros between the markers
//   throng_tables      usampler2D; RGBA32UI, 2048 columns: tables of the set
//   throng_texels      usampler2DArray; upload RGBA16, or RGB16 padded to it, as RGBA16UI
//   throng_influences  usampler2D; RG32UI, 2048 columns: influences past the fourth
//   throng_instances   usampler2D; RGBA32UI, 2048 columns: six texels per instance
//   throng_options     options that fit every set: the constant between the markers may be replaced

// throng:begin bindings
uniform highp usampler2D throng_tables;
uniform highp usampler2D throng_instances;
uniform highp usampler2DArray throng_texels;
uniform highp usampler2D throng_influences;
// throng:end bindings

struct throng_Options {
    uint max_influences;
    uint has_fades;
    uint word_column_bits;
    uint word_rows;
    uint word_layers;
    uint max_key_bits;
    uint clip_records;
};

struct throng_Affine {
    mat3x3 linear;
    vec3 translation;
};

struct throng_Play {
    uint clip;
    uint time;
    uint period;
};

struct throng_ClipTiming {
    uint first_frame;
    uint frames;
    float rate_hz;
    float duration_secs;
    bool wraps;
};

struct throng_Grid {
    uint first_column;
    uint first_row;
    uint columns;
    uint rows_per_frame;
    uint by_columns;
    uint height;
    uint layers;
    uint padding;
};

struct throng_FramePair {
    uint first;
    uint second;
    float fraction;
};

struct throng_Codec {
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

struct throng_JointCurves {
    uint clip_table;
    uint joint_table;
    uint record_words;
    uint curves;
    uint joints;
};

struct throng_SetInfo {
    throng_Grid grid;
    throng_Grid normals;
    throng_Grid morphs;
    throng_Codec codec;
    throng_JointCurves joint_curves;
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

struct throng_BindVertex {
    vec3 position;
    vec3 normal;
    vec3 tangent;
    float deform_factor;
    uvec4 joints;
    vec4 weights;
    uvec2 more;
};

struct throng_Deformed {
    vec3 position;
    vec3 normal;
    vec3 tangent;
};

struct throng_Instance {
    throng_Affine world_from_model;
    vec4 tint;
    throng_Play first;
    throng_Play second;
    uint fade_start;
    uint fade_duration;
    float fraction;
    uint user;
    uint group;
    uint index;
    uint now;
};

struct throng_Frames {
    throng_FramePair first;
    throng_FramePair second;
    float fade;
};

struct throng_Bone {
    vec4 rotation;
    vec3 translation;
};

struct throng_RawBone {
    vec3 mrp;
    vec3 position;
};

struct throng_Influence {
    uint joint;
    float weight;
};

struct throng_Accumulator {
    throng_Affine method;
};

struct throng_VertexIn {
    vec4 position;
    vec3 normal;
    uvec4 joints;
    vec4 weights;
    uvec4 indices;
};

struct ThrongVertex {
    vec3 position;
    vec3 normal;
};

const uint throng_BACKWARDS = 2147483648u;

const uint throng_HELD_FADE = 4294967295u;

// throng:begin options
const throng_Options throng_options = throng_Options(5u, 1u, 0u, 0u, 0u, 64u, 0u);
// throng:end options

// throng:begin set_info
const throng_SetInfo throng_set_info = throng_SetInfo(
    throng_Grid(0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u),
    throng_Grid(0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u),
    throng_Grid(0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u),
    throng_Codec(vec4(0.0f, 0.0f, 0.0f, 0.0f), vec4(0.0f, 0.0f, 0.0f, 0.0f), vec4(0.0f, 0.0f, 0.0f, 0.0f), vec4(0.0f, 0.0f, 0.0f, 0.0f), 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0u, 0u, 0u),
    throng_JointCurves(0u, 0u, 0u, 0u, 0u),
    vec4(0.0f, 0.0f, 0.0f, 0.0f),
    0u, 0u, 0u, 0u,
    0u, 0u, 0u, 0u,
    0u, 0u
);
// throng:end set_info

vec4 throng_texels_load(highp usampler2DArray texels_1, uvec3 at_1) {
    uvec4 texel_1 = texelFetch(texels_1, ivec3(at_1.xy, at_1.z), 0);
    return vec4(ivec4(texel_1));
}

float throng_quat_matrix_scale(vec4 q_1) {
    float square_1 = dot(q_1, q_1);
    return ((square_1 < 1e-24) ? 0.0 : (2.0 / square_1));
}

mat3x3 throng_mat3_from_scaled(vec4 q_1, float scale_1) {
    vec3 scaled_1 = (q_1.xyz * scale_1);
    float xx_1 = (q_1.x * scaled_1.x);
    float xy_1 = (q_1.x * scaled_1.y);
    float xz_1 = (q_1.x * scaled_1.z);
    float yy_1 = (q_1.y * scaled_1.y);
    float yz_1 = (q_1.y * scaled_1.z);
    float zz_1 = (q_1.z * scaled_1.z);
    vec3 w_1 = (q_1.w * scaled_1);
    return mat3x3(vec3((1.0 - (yy_1 + zz_1)), (xy_1 + w_1.z), (xz_1 - w_1.y)), vec3((xy_1 - w_1.z), (1.0 - (xx_1 + zz_1)), (yz_1 + w_1.x)), vec3((xz_1 + w_1.y), (yz_1 - w_1.x), (1.0 - (xx_1 + yy_1))));
}

mat3x3 throng_mat3_from_quat(vec4 q_1) {
    float _e1 = throng_quat_matrix_scale(q_1);
    mat3x3 _e2 = throng_mat3_from_scaled(q_1, _e1);
    return _e2;
}

vec4 throng_quat_from_mrp_unnormalized(vec3 p_1, float square_1) {
    return vec4((2.0 * p_1), (1.0 - square_1));
}

vec4 throng_quat_from_mrp(vec3 p_1) {
    float square_1 = dot(p_1, p_1);
    vec4 _e2 = throng_quat_from_mrp_unnormalized(p_1, square_1);
    return (_e2 * (1.0 / (1.0 + square_1)));
}

vec4 throng_quat_aligned(vec4 a_1, vec4 b_1) {
    return ((dot(a_1, b_1) < 0.0) ? -(b_1) : b_1);
}

vec4 throng_quat_slerp(vec4 a_1, vec4 b_1, float f_1) {
    vec4 _e3 = throng_quat_aligned(a_1, b_1);
    float cosine_1 = min(dot(a_1, _e3), 1.0);
    if ((cosine_1 > 0.9995)) {
        return normalize(mix(a_1, _e3, f_1));
    }
    float angle_1 = acos(cosine_1);
    return (((sin(((1.0 - f_1) * angle_1)) * a_1) + (sin((f_1 * angle_1)) * _e3)) / vec4(sin(angle_1)));
}

throng_Affine throng_affine_mul(throng_Affine a_1, throng_Affine b_1) {
    return throng_Affine((a_1.linear * b_1.linear), ((a_1.linear * b_1.translation) + a_1.translation));
}

throng_Affine throng_affine_from_rows(mat3x4 rows_1) {
    mat4x3 columns_1 = transpose(rows_1);
    return throng_Affine(mat3x3(columns_1[0], columns_1[1], columns_1[2]), columns_1[3]);
}

throng_Affine throng_affine_scaled(throng_Affine a_1, float weight_1) {
    return throng_Affine((a_1.linear * weight_1), (a_1.translation * weight_1));
}

throng_Affine throng_affine_add_scaled(throng_Affine sum_1, throng_Affine a_1, float weight_1) {
    return throng_Affine((sum_1.linear + (a_1.linear * weight_1)), (sum_1.translation + (a_1.translation * weight_1)));
}

vec3 throng_affine_point(throng_Affine a_1, vec3 point_1) {
    return ((a_1.linear * point_1) + a_1.translation);
}

vec3 throng_unit_or(vec3 v_1, vec3 fallback_1) {
    float square_1 = dot(v_1, v_1);
    return ((square_1 > 0.0) ? (v_1 * inversesqrt(square_1)) : fallback_1);
}

vec3 throng_affine_normal(throng_Affine a_1, vec3 normal_1) {
    mat3x3 m_1 = a_1.linear;
    vec3 _e14 = throng_unit_or((mat3x3(cross(m_1[1], m_1[2]), cross(m_1[2], m_1[0]), cross(m_1[0], m_1[1])) * normal_1), normal_1);
    return _e14;
}

vec3 throng_any_orthonormal(vec3 v_1) {
    float sign_1 = ((v_1.z >= 0.0) ? 1.0 : -1.0);
    float a_1 = (-1.0 / (sign_1 + v_1.z));
    float b_1 = ((v_1.x * v_1.y) * a_1);
    return vec3(b_1, (sign_1 + ((v_1.y * v_1.y) * a_1)), -(v_1.y));
}

uint throng_divide(uint n_1, uint d_1) {
    uint guess_1 = uint(int((float(int(n_1)) / float(int(d_1)))));
    int rest_1 = int((n_1 - (guess_1 * d_1)));
    return ((guess_1 + ((rest_1 >= int(d_1)) ? 1u : 0u)) - ((rest_1 < 0) ? 1u : 0u));
}

float throng_play_phase(throng_Play play_1, bool wraps_1, uint now_1) {
    uint elapsed_1 = (now_1 - play_1.time);
    float cycles_per_tick_1 = (1.0 / float(int(play_1.period)));
    int cycle_1 = int((float(int((elapsed_1 >> 1u))) * (2.0 * cycles_per_tick_1)));
    int in_cycle_1 = int((elapsed_1 - (uint(cycle_1) * play_1.period)));
    float clamped_1 = clamp((float(int(elapsed_1)) * cycles_per_tick_1), 0.0, 1.0);
    float phase_1 = (wraps_1 ? fract((float(in_cycle_1) * cycles_per_tick_1)) : clamped_1);
    return (((play_1.clip & throng_BACKWARDS) != 0u) ? (1.0 - phase_1) : phase_1);
}

float throng_play_frame(throng_Play play_1, throng_ClipTiming timing_1, uint now_1) {
    float _e4 = throng_play_phase(play_1, timing_1.wraps, now_1);
    float playing_1 = (_e4 * float((int(timing_1.frames) - 1)));
    return ((play_1.period == 0u) ? (uintBitsToFloat(play_1.time) * timing_1.rate_hz) : playing_1);
}

float throng_fade_weight(uint start_1, uint duration_1, uint now_1) {
    if ((duration_1 == 0u)) {
        return 0.0;
    }
    float running_1 = clamp((float(int((now_1 - start_1))) / float(duration_1)), 0.0, 1.0);
    return ((duration_1 == throng_HELD_FADE) ? uintBitsToFloat(start_1) : running_1);
}

uvec3 throng_grid_texel(throng_Grid grid_1, uint frame_1, uint item_1) {
    uint column_1 = 0u;
    uint row_1 = 0u;
    uint layer_1 = 0u;
    column_1 = item_1;
    row_1 = (grid_1.first_row + (frame_1 * grid_1.rows_per_frame));
    if ((grid_1.by_columns != 0u)) {
        column_1 = frame_1;
        row_1 = (grid_1.first_row + item_1);
        if ((grid_1.layers > 1u)) {
            uint _e20 = throng_divide(frame_1, grid_1.columns);
            uint _e21 = column_1;
            column_1 = (_e21 - (_e20 * grid_1.columns));
            uint _e25 = row_1;
            row_1 = (_e25 + (_e20 * grid_1.rows_per_frame));
        }
    } else {
        if ((grid_1.rows_per_frame > 1u)) {
            uint _e33 = throng_divide(item_1, grid_1.columns);
            uint _e34 = column_1;
            column_1 = (_e34 - (_e33 * grid_1.columns));
            uint _e38 = row_1;
            row_1 = (_e38 + _e33);
        }
    }
    if ((grid_1.layers > 1u)) {
        uint _e43 = row_1;
        uint _e45 = throng_divide(_e43, grid_1.height);
        layer_1 = _e45;
        uint _e46 = row_1;
        uint _e47 = layer_1;
        row_1 = (_e46 - (_e47 * grid_1.height));
    }
    uint _e52 = column_1;
    uint _e54 = row_1;
    uint _e55 = layer_1;
    return uvec3((grid_1.first_column + _e52), _e54, _e55);
}

throng_FramePair throng_frame_pair(throng_ClipTiming timing_1, float frames_1) {
    int last_1 = (int(timing_1.frames) - 1);
    float position_1 = clamp(frames_1, 0.0, float(last_1));
    int index_1 = min(int(position_1), (max(last_1, 1) - 1));
    return throng_FramePair((timing_1.first_frame + uint(index_1)), (timing_1.first_frame + uint(min((index_1 + 1), last_1))), (position_1 - float(index_1)));
}

uvec4 throng_bits_get(highp usampler2D texels_1, uint at_1) {
    uvec4 _e8 = texelFetch(texels_1, ivec2(uvec2((at_1 & 2047u), (at_1 >> 11u))), 0);
    return _e8;
}

uvec4 throng_table_get(highp usampler2D tables_1, uint at_1) {
    uvec4 _e2 = throng_bits_get(tables_1, at_1);
    return _e2;
}

vec4 throng_table_floats(highp usampler2D tables_1, uint at_1) {
    uvec4 _e2 = throng_table_get(tables_1, at_1);
    return uintBitsToFloat(_e2);
}

throng_ClipTiming throng_clip_timing(highp usampler2D tables_1, uint first_1, uint clip_1) {
    uvec4 _e6 = throng_table_get(tables_1, (first_1 + (clip_1 & 2147483647u)));
    return throng_ClipTiming(_e6.x, (_e6.y & 2147483647u), uintBitsToFloat(_e6.z), uintBitsToFloat(_e6.w), ((_e6.y >> 31u) != 0u));
}

throng_Affine throng_table_affine(highp usampler2D tables_1, uint at_1) {
    vec4 _e2 = throng_table_floats(tables_1, at_1);
    vec4 _e5 = throng_table_floats(tables_1, (at_1 + 1u));
    vec4 _e8 = throng_table_floats(tables_1, (at_1 + 2u));
    throng_Affine _e10 = throng_affine_from_rows(mat3x4(_e2, _e5, _e8));
    return _e10;
}

vec4 throng_codec_unit(throng_Codec codec_1, vec4 raw_1) {
    return (vec4(codec_1.unit_offset) + (codec_1.unit_scale * raw_1));
}

vec3 throng_flat_tangent(vec3 tangent_1, vec3 normal_1) {
    vec3 flat_1 = (tangent_1 - (normal_1 * dot(normal_1, tangent_1)));
    bool is_rounding_1 = (dot(flat_1, flat_1) <= (1e-12 * dot(tangent_1, tangent_1)));
    vec3 _e10 = throng_any_orthonormal(normal_1);
    vec3 other_1 = ((dot(tangent_1, tangent_1) > 0.0) ? _e10 : vec3(0.0));
    vec3 _e20 = throng_unit_or((is_rounding_1 ? vec3(0.0) : flat_1), other_1);
    return _e20;
}

vec3 throng_affine_tangent(throng_Affine a_1, vec3 tangent_1, vec3 normal_1) {
    if (true) {
        return vec3(0.0);
    }
    vec3 _e8 = throng_flat_tangent((a_1.linear * tangent_1), normal_1);
    return _e8;
}

throng_Deformed throng_vertex_transform(throng_Affine matrix_1, throng_BindVertex vertex_1) {
    vec3 _e3 = throng_affine_normal(matrix_1, vertex_1.normal);
    vec3 _e5 = throng_affine_point(matrix_1, vertex_1.position);
    vec3 _e7 = throng_affine_tangent(matrix_1, vertex_1.tangent, _e3);
    return throng_Deformed(_e5, _e3, _e7);
}

throng_Instance throng_instance_unpack(uvec4 x_1, uvec4 y_1, uvec4 z_1, uvec4 a_1, uvec4 b_1, uvec4 c_1, uint index_1, uint now_1) {
    mat3x4 rows_1 = mat3x4(uintBitsToFloat(x_1), uintBitsToFloat(y_1), uintBitsToFloat(z_1));
    throng_Affine _e12 = throng_affine_from_rows(rows_1);
    uint _e13 = a_1.x;
    return throng_Instance(_e12, (vec4(_e13 & 0xFFu, _e13 >> 8 & 0xFFu, _e13 >> 16 & 0xFFu, _e13 >> 24) / 255.0), throng_Play(a_1.y, a_1.z, a_1.w), throng_Play(b_1.x, b_1.y, b_1.z), b_1.w, c_1.x, uintBitsToFloat(c_1.y), c_1.z, c_1.w, index_1, now_1);
}

throng_Deformed throng_instance_blend(throng_Instance instance_1, throng_Deformed bind_1, throng_Deformed animated_1) {
    bool is_animated_1 = (instance_1.fraction == 1.0);
    return throng_Deformed((is_animated_1 ? animated_1.position : mix(bind_1.position, animated_1.position, instance_1.fraction)), (is_animated_1 ? animated_1.normal : mix(bind_1.normal, animated_1.normal, instance_1.fraction)), (is_animated_1 ? animated_1.tangent : mix(bind_1.tangent, animated_1.tangent, instance_1.fraction)));
}

throng_ClipTiming throng_play_timing(throng_Play play_1) {
    uint _e4 = throng_set_info.clip_table;
    throng_ClipTiming _e6 = throng_clip_timing(throng_tables, _e4, play_1.clip);
    return _e6;
}

throng_Codec throng_codec_of_bone(throng_Codec codec_1, highp usampler2D tables_1, uint bone_1) {
    throng_Codec bone_codec_1 = throng_Codec(vec4(0.0), vec4(0.0), vec4(0.0), vec4(0.0), 0.0, 0.0, 0.0, 0.0, 0.0, 0u, 0u, 0u);
    if ((codec_1.range_table == 0u)) {
        return codec_1;
    }
    bone_codec_1 = codec_1;
    vec4 _e12 = throng_table_floats(tables_1, (codec_1.range_table + (2u * bone_1)));
    bone_codec_1.offset = _e12;
    vec4 _e20 = throng_table_floats(tables_1, ((codec_1.range_table + (2u * bone_1)) + 1u));
    bone_codec_1.scale = _e20;
    throng_Codec _e21 = bone_codec_1;
    return _e21;
}

throng_FramePair throng_play_frames(throng_Play play_1, uint now_1) {
    throng_ClipTiming _e2 = throng_play_timing(play_1);
    float _e3 = throng_play_frame(play_1, _e2, now_1);
    throng_FramePair _e4 = throng_frame_pair(_e2, _e3);
    return _e4;
}

float throng_instance_fade(throng_Instance instance_1) {
    uint _e3 = throng_options.has_fades;
    if (!((_e3 != 0u))) {
        return 0.0;
    }
    float _e11 = throng_fade_weight(instance_1.fade_start, instance_1.fade_duration, instance_1.now);
    return _e11;
}

throng_Frames throng_instance_frames(throng_Instance instance_1) {
    bool local_1 = false;
    float _e1 = throng_instance_fade(instance_1);
    throng_FramePair _e4 = throng_play_frames(instance_1.first, instance_1.now);
    uint _e7 = throng_options.has_fades;
    if (!(!((_e7 != 0u)))) {
        local_1 = (_e1 == 0.0);
    } else {
        local_1 = true;
    }
    bool _e17 = local_1;
    if (_e17) {
        return throng_Frames(_e4, _e4, _e1);
    }
    throng_FramePair _e21 = throng_play_frames(instance_1.second, instance_1.now);
    return throng_Frames(_e4, _e21, _e1);
}

throng_Instance throng_instance_read(uint index_1) {
    uint at_1 = (6u * index_1);
    uvec4 _e4 = throng_bits_get(throng_instances, at_1);
    uvec4 _e8 = throng_bits_get(throng_instances, (at_1 + 1u));
    uvec4 _e12 = throng_bits_get(throng_instances, (at_1 + 2u));
    uvec4 _e16 = throng_bits_get(throng_instances, (at_1 + 3u));
    uvec4 _e20 = throng_bits_get(throng_instances, (at_1 + 4u));
    uvec4 _e24 = throng_bits_get(throng_instances, (at_1 + 5u));
    throng_Instance _e30 = throng_instance_unpack(_e4, _e8, _e12, _e16, _e20, _e24, index_1, ((index_1 >= 4294967295u) ? 0u : 0u));
    return _e30;
}

throng_Instance throng_instance_at(uint index_1, uint now_1) {
    throng_Instance instance_1 = throng_Instance(throng_Affine(mat3x3(0.0), vec3(0.0)), vec4(0.0), throng_Play(0u, 0u, 0u), throng_Play(0u, 0u, 0u), 0u, 0u, 0.0, 0u, 0u, 0u, 0u);
    throng_Instance _e2 = throng_instance_read(index_1);
    instance_1 = _e2;
    instance_1.now = now_1;
    throng_Instance _e5 = instance_1;
    return _e5;
}

vec4 throng_texel_read(highp usampler2DArray texels_1, throng_Grid grid_1, uint frame_1, uint item_1) {
    uvec3 _e4 = throng_grid_texel(grid_1, frame_1, item_1);
    vec4 _e5 = throng_texels_load(texels_1, _e4);
    return _e5;
}

throng_RawBone throng_bone_read(highp usampler2DArray texels_1, throng_Grid grid_1, uint frame_1, uint offset_1) {
    vec4 _e6 = throng_texel_read(texels_1, grid_1, frame_1, (offset_1 / 2u));
    vec4 _e11 = throng_texel_read(texels_1, grid_1, frame_1, ((offset_1 / 2u) + 1u));
    bool is_odd_1 = ((offset_1 & 1u) != 0u);
    return throng_RawBone((is_odd_1 ? vec3(_e6.zw, _e11.x) : _e6.xyz), (is_odd_1 ? _e11.yzw : vec3(_e6.w, _e11.xy)));
}

vec4 throng_rotation_between(vec3 from_mrp_1, vec3 to_mrp_1, float f_1) {
    if (false) {
        vec4 _e4 = throng_quat_from_mrp(from_mrp_1);
        vec4 _e5 = throng_quat_from_mrp(to_mrp_1);
        vec4 _e6 = throng_quat_slerp(_e4, _e5, f_1);
        return _e6;
    }
    float a_square_1 = dot(from_mrp_1, from_mrp_1);
    float b_square_1 = dot(to_mrp_1, to_mrp_1);
    vec4 _e9 = throng_quat_from_mrp_unnormalized(from_mrp_1, a_square_1);
    vec4 _e10 = throng_quat_from_mrp_unnormalized(to_mrp_1, b_square_1);
    float b_weight_1 = (f_1 * (1.0 + a_square_1));
    return ((_e9 * ((1.0 - f_1) * (1.0 + b_square_1))) + (_e10 * ((dot(_e9, _e10) < 0.0) ? -(b_weight_1) : b_weight_1)));
}

throng_Bone throng_bone_between(highp usampler2DArray texels_1, highp usampler2D tables_1, throng_Grid grid_1, throng_Codec codec_1, throng_FramePair pair_1, uint offset_1) {
    throng_Codec _e8 = throng_codec_of_bone(codec_1, tables_1, (offset_1 / 3u));
    throng_RawBone _e10 = throng_bone_read(texels_1, grid_1, pair_1.first, offset_1);
    throng_RawBone _e12 = throng_bone_read(texels_1, grid_1, pair_1.second, offset_1);
    vec4 _e16 = throng_codec_unit(_e8, vec4(_e10.mrp, 0.0));
    vec3 from_mrp_1 = _e16.xyz;
    vec4 _e21 = throng_codec_unit(_e8, vec4(_e12.mrp, 0.0));
    vec3 to_mrp_1 = _e21.xyz;
    vec4 _e24 = throng_rotation_between(from_mrp_1, to_mrp_1, pair_1.fraction);
    return throng_Bone(_e24, (_e8.offset.xyz + (_e8.scale.xyz * mix(_e10.position, _e12.position, pair_1.fraction))));
}

vec4 throng_rotation_fade(vec4 from_rotation_1, vec4 to_rotation_1, float f_1) {
    vec4 a_1 = normalize(from_rotation_1);
    vec4 b_1 = normalize(to_rotation_1);
    if (false) {
        vec4 _e6 = throng_quat_slerp(a_1, b_1, f_1);
        return _e6;
    }
    vec4 _e7 = throng_quat_aligned(a_1, b_1);
    return mix(a_1, _e7, f_1);
}

throng_Bone throng_bone_fade(throng_Bone from_bone_1, throng_Bone to_bone_1, float f_1) {
    vec4 _e5 = throng_rotation_fade(from_bone_1.rotation, to_bone_1.rotation, f_1);
    return throng_Bone(_e5, mix(from_bone_1.translation, to_bone_1.translation, f_1));
}

throng_Affine throng_bone_to_affine(throng_Bone bone_1) {
    mat3x3 _e2 = throng_mat3_from_quat(bone_1.rotation);
    return throng_Affine(_e2, bone_1.translation);
}

throng_Bone throng_bone_of(throng_FramePair pair_1, uint bone_offset_1) {
    throng_Grid _e6 = throng_set_info.grid;
    throng_Codec _e9 = throng_set_info.codec;
    throng_Bone _e10 = throng_bone_between(throng_texels, throng_tables, _e6, _e9, pair_1, bone_offset_1);
    return _e10;
}

throng_Frames throng_pose_of(throng_Instance instance_1) {
    throng_Frames _e1 = throng_instance_frames(instance_1);
    return _e1;
}

throng_Bone throng_pose_bone(throng_Frames pose_1, uint bone_offset_1) {
    bool local_1 = false;
    throng_Bone _e3 = throng_bone_of(pose_1.first, bone_offset_1);
    uint _e6 = throng_options.has_fades;
    if (!(!((_e6 != 0u)))) {
        local_1 = (pose_1.fade == 0.0);
    } else {
        local_1 = true;
    }
    bool _e17 = local_1;
    if (_e17) {
        return _e3;
    }
    throng_Bone _e19 = throng_bone_of(pose_1.second, bone_offset_1);
    throng_Bone _e21 = throng_bone_fade(_e3, _e19, pose_1.fade);
    return _e21;
}

throng_Affine throng_joint_affine(throng_Frames pose_1, uint joint_1) {
    throng_Bone _e4 = throng_pose_bone(pose_1, (joint_1 >> 16u));
    throng_Affine _e5 = throng_bone_to_affine(_e4);
    uint palette_index_1 = (joint_1 & 65535u);
    uint _e10 = throng_set_info.inverse_binds_are_matrices;
    if ((_e10 == 0u)) {
        uint _e16 = throng_set_info.inverse_bind_table;
        vec4 _e18 = throng_table_floats(throng_tables, (_e16 + palette_index_1));
        vec3 translation_1 = _e18.xyz;
        vec3 _e21 = throng_affine_point(_e5, translation_1);
        return throng_Affine(_e5.linear, _e21);
    }
    uint _e26 = throng_set_info.inverse_bind_table;
    throng_Affine _e30 = throng_table_affine(throng_tables, (_e26 + (3u * palette_index_1)));
    throng_Affine _e31 = throng_affine_mul(_e5, _e30);
    return _e31;
}

throng_Influence throng_influence_read(uint at_1) {
    uvec4 texel_1 = texelFetch(throng_influences, ivec2(uvec2((at_1 & 2047u), (at_1 >> 11u))), 0);
    return throng_Influence(texel_1.x, uintBitsToFloat(texel_1.y));
}

throng_Affine throng_method_first(throng_Frames pose_1, uint joint_1, float weight_1) {
    throng_Affine _e3 = throng_joint_affine(pose_1, joint_1);
    throng_Affine _e4 = throng_affine_scaled(_e3, weight_1);
    return _e4;
}

throng_Accumulator throng_accumulate_first(throng_Frames pose_1, uint joint_1, float weight_1) {
    throng_Affine _e3 = throng_method_first(pose_1, joint_1, weight_1);
    return throng_Accumulator(_e3);
}

throng_Affine throng_method_add(throng_Affine sum_1, throng_Frames pose_1, uint joint_1, float weight_1) {
    throng_Affine _e4 = throng_joint_affine(pose_1, joint_1);
    throng_Affine _e5 = throng_affine_add_scaled(sum_1, _e4, weight_1);
    return _e5;
}

throng_Accumulator throng_accumulate(throng_Accumulator sum_1, throng_Frames pose_1, uint joint_1, float weight_1) {
    throng_Affine _e5 = throng_method_add(sum_1.method, pose_1, joint_1, weight_1);
    return throng_Accumulator(_e5);
}

throng_Accumulator throng_accumulate_influences(throng_Frames pose_1, throng_BindVertex vertex_1) {
    throng_Accumulator sum_1 = throng_Accumulator(throng_Affine(mat3x3(0.0), vec3(0.0)));
    uvec2 joints_1 = uvec2(0u);
    vec2 weights_1 = vec2(0.0);
    bool local_1 = false;
    uint k_1 = 0u;
    throng_Accumulator _e6 = throng_accumulate_first(pose_1, vertex_1.joints.x, vertex_1.weights.x);
    sum_1 = _e6;
    uint _e10 = throng_options.max_influences;
    if ((_e10 > 1u)) {
        throng_Accumulator _e13 = sum_1;
        throng_Accumulator _e18 = throng_accumulate(_e13, pose_1, vertex_1.joints.y, vertex_1.weights.y);
        sum_1 = _e18;
    }
    joints_1 = vertex_1.joints.zw;
    weights_1 = vertex_1.weights.zw;
    while(true) {
        uint _e27 = throng_options.max_influences;
        if ((_e27 > 2u)) {
            float _e33 = weights_1.x;
            local_1 = (_e33 != 0.0);
        } else {
            local_1 = false;
        }
        bool _e37 = local_1;
        if (_e37) {
        } else {
            break;
        }
        {
            throng_Accumulator _e38 = sum_1;
            uint _e40 = joints_1.x;
            float _e42 = weights_1.x;
            throng_Accumulator _e43 = throng_accumulate(_e38, pose_1, _e40, _e42);
            sum_1 = _e43;
            uint _e45 = joints_1.y;
            joints_1 = uvec2(_e45, 0u);
            float _e49 = weights_1.y;
            weights_1 = vec2(_e49, 0.0);
        }
    }
    uint _e54 = throng_options.max_influences;
    if ((_e54 > 4u)) {
        bool loop_init_1 = true;
        while(true) {
            if (!loop_init_1) {
                uint _e73 = k_1;
                k_1 = (_e73 + 1u);
            }
            loop_init_1 = false;
            uint _e59 = k_1;
            if ((_e59 < vertex_1.more.y)) {
            } else {
                break;
            }
            {
                uint _e65 = k_1;
                throng_Influence _e67 = throng_influence_read((vertex_1.more.x + _e65));
                throng_Accumulator _e68 = sum_1;
                throng_Accumulator _e71 = throng_accumulate(_e68, pose_1, _e67.joint, _e67.weight);
                sum_1 = _e71;
            }
        }
    }
    throng_Accumulator _e75 = sum_1;
    return _e75;
}

throng_Deformed throng_skin_vertex(throng_Accumulator sum_1, throng_BindVertex vertex_1) {
    throng_Deformed _e3 = throng_vertex_transform(sum_1.method, vertex_1);
    return _e3;
}

throng_BindVertex throng_morphed(throng_BindVertex vertex_1, throng_Instance instance_1, uvec2 morph_1) {
    return vertex_1;
}

vec3 throng_vertex_tangent(throng_VertexIn v_1) {
    return vec3(0.0);
}

throng_BindVertex throng_bind_vertex(throng_VertexIn v_1) {
    float deform_factor_1 = (1.0 * v_1.position.w);
    vec3 _e8 = throng_vertex_tangent(v_1);
    return throng_BindVertex(v_1.position.xyz, v_1.normal, _e8, deform_factor_1, v_1.joints, v_1.weights, v_1.indices.xy);
}

throng_Deformed throng_deform(throng_VertexIn v_1, throng_Instance instance_1) {
    throng_BindVertex _e2 = throng_bind_vertex(v_1);
    throng_BindVertex _e5 = throng_morphed(_e2, instance_1, v_1.indices.zw);
    throng_Frames _e6 = throng_pose_of(instance_1);
    throng_Accumulator _e7 = throng_accumulate_influences(_e6, _e5);
    throng_Deformed _e8 = throng_skin_vertex(_e7, _e5);
    return _e8;
}

throng_VertexIn throng_vertex_in(vec4 position_1, vec3 normal_1, uvec4 joints_1, vec4 weights_1, uvec4 indices_1) {
    return throng_VertexIn(position_1, normal_1, joints_1, weights_1, indices_1);
}

ThrongVertex throng_vertex_posed(throng_VertexIn v_1, throng_Instance instance_1) {
    throng_Deformed bind_1 = throng_Deformed(v_1.position.xyz, v_1.normal, vec3(0.0));
    throng_Deformed _e8 = throng_deform(v_1, instance_1);
    throng_Deformed _e9 = throng_instance_blend(instance_1, bind_1, _e8);
    vec3 _e13 = throng_unit_or(_e9.normal, v_1.normal);
    return ThrongVertex(_e9.position, _e13);
}

ThrongVertex throng_vertex(vec4 position_1, vec3 normal_1, uvec4 joints_1, vec4 weights_1, uvec4 indices_1, uint instance_1, uint now_1) {
    throng_VertexIn _e7 = throng_vertex_in(position_1, normal_1, joints_1, weights_1, indices_1);
    throng_Instance _e8 = throng_instance_at(instance_1, now_1);
    ThrongVertex _e9 = throng_vertex_posed(_e7, _e8);
    return _e9;
}

vec3 throng_position(vec4 position_1, vec3 normal_1, uvec4 joints_1, vec4 weights_1, uvec4 indices_1, uint instance_1, uint now_1) {
    ThrongVertex _e7 = throng_vertex(position_1, normal_1, joints_1, weights_1, indices_1, instance_1, now_1);
    return _e7.position;
}

vec3 throng_normal(vec4 position_1, vec3 normal_1, uvec4 joints_1, vec4 weights_1, uvec4 indices_1, uint instance_1, uint now_1) {
    ThrongVertex _e7 = throng_vertex(position_1, normal_1, joints_1, weights_1, indices_1, instance_1, now_1);
    return _e7.normal;
}

mat4x4 throng_world_from_model(uint instance_1) {
    throng_Instance _e1 = throng_instance_read(instance_1);
    throng_Affine matrix_1 = _e1.world_from_model;
    return mat4x4(vec4(matrix_1.linear[0], 0.0), vec4(matrix_1.linear[1], 0.0), vec4(matrix_1.linear[2], 0.0), vec4(matrix_1.translation, 1.0));
}

ThrongVertex throng_to_world(ThrongVertex vertex_1, uint instance_1) {
    throng_Instance _e2 = throng_instance_read(instance_1);
    throng_Affine matrix_1 = _e2.world_from_model;
    vec3 _e5 = throng_affine_point(matrix_1, vertex_1.position);
    vec3 _e7 = throng_affine_normal(matrix_1, vertex_1.normal);
    return ThrongVertex(_e5, _e7);
}

vec4 throng_tint(uint instance_1) {
    throng_Instance _e1 = throng_instance_read(instance_1);
    return _e1.tint;
}

uint throng_user(uint instance_1) {
    throng_Instance _e1 = throng_instance_read(instance_1);
    return _e1.user;
}

ThrongVertex throng_vertex_at(vec4 position_1, vec3 normal_1, uvec4 joints_1, vec4 weights_1, uvec4 indices_1, uint clip_1, float time_secs_1) {
    throng_Instance instance_1 = throng_Instance(throng_Affine(mat3x3(0.0), vec3(0.0)), vec4(0.0), throng_Play(0u, 0u, 0u), throng_Play(0u, 0u, 0u), 0u, 0u, 0.0, 0u, 0u, 0u, 0u);
    instance_1.first = throng_Play(clip_1, floatBitsToUint(time_secs_1), 0u);
    instance_1.fraction = 1.0;
    throng_VertexIn _e14 = throng_vertex_in(position_1, normal_1, joints_1, weights_1, indices_1);
    throng_Instance _e15 = instance_1;
    ThrongVertex _e16 = throng_vertex_posed(_e14, _e15);
    return _e16;
}
