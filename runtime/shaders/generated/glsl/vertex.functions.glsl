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
//   throng_normals     sampler2DArray; upload RG16 as RGBA8
//   throng_instances   usampler2D; RGBA32UI, 2048 columns: six texels per instance
//   throng_options     options that fit every set: the constant between the markers may be replaced

// throng:begin bindings
uniform highp usampler2D throng_tables;
uniform highp usampler2D throng_instances;
uniform highp usampler2DArray throng_texels;
uniform highp sampler2DArray throng_normals;
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

const bool throng_IS_RAY = false;

const bool throng_IS_OCTAHEDRAL = true;

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

vec4 throng_normals_load(highp sampler2DArray texels_1, uvec3 at_1) {
    vec4 texel_1 = texelFetch(texels_1, ivec3(at_1.xy, at_1.z), 0);
    return vec4(((255.0 * texel_1.xz) + (65280.0 * texel_1.yw)), 0.0, 0.0);
}

throng_Affine throng_affine_from_rows(mat3x4 rows_1) {
    mat4x3 columns_1 = transpose(rows_1);
    return throng_Affine(mat3x3(columns_1[0], columns_1[1], columns_1[2]), columns_1[3]);
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

vec4 throng_codec_unit(throng_Codec codec_1, vec4 raw_1) {
    return (vec4(codec_1.unit_offset) + (codec_1.unit_scale * raw_1));
}

vec3 throng_vector_from_octahedron(vec2 p_1) {
    float z_1 = ((1.0 - abs(p_1.x)) - abs(p_1.y));
    float fold_1 = max(-(z_1), 0.0);
    return vec3((p_1 - mix(vec2(fold_1), vec2(-(fold_1)), lessThan(p_1, vec2(0.0)))), z_1);
}

vec3 throng_flat_tangent(vec3 tangent_1, vec3 normal_1) {
    vec3 flat_1 = (tangent_1 - (normal_1 * dot(normal_1, tangent_1)));
    bool is_rounding_1 = (dot(flat_1, flat_1) <= (1e-12 * dot(tangent_1, tangent_1)));
    vec3 _e10 = throng_any_orthonormal(normal_1);
    vec3 other_1 = ((dot(tangent_1, tangent_1) > 0.0) ? _e10 : vec3(0.0));
    vec3 _e20 = throng_unit_or((is_rounding_1 ? vec3(0.0) : flat_1), other_1);
    return _e20;
}

vec3 throng_tangent_mix(vec3 a_1, vec3 b_1, float f_1, vec3 normal_1) {
    if (true) {
        return vec3(0.0);
    }
    vec3 _e8 = throng_flat_tangent(mix(a_1, b_1, f_1), normal_1);
    return _e8;
}

throng_Deformed throng_deformed_mix(throng_Deformed a_1, throng_Deformed b_1, float f_1) {
    vec3 _e7 = throng_unit_or(mix(a_1.normal, b_1.normal, f_1), a_1.normal);
    vec3 _e13 = throng_tangent_mix(a_1.tangent, b_1.tangent, f_1, _e7);
    return throng_Deformed(mix(a_1.position, b_1.position, f_1), _e7, _e13);
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

vec4 throng_texel_between(highp usampler2DArray texels_1, throng_Grid grid_1, throng_FramePair pair_1, uint item_1) {
    vec4 _e5 = throng_texel_read(texels_1, grid_1, pair_1.first, item_1);
    vec4 _e7 = throng_texel_read(texels_1, grid_1, pair_1.second, item_1);
    return mix(_e5, _e7, pair_1.fraction);
}

throng_Codec throng_vertex_codec() {
    throng_Codec _e2 = throng_set_info.codec;
    throng_Codec _e5 = throng_codec_of_bone(_e2, throng_tables, 0u);
    return _e5;
}

vec3 throng_ray_read(uint frame_number_1, uint item_1) {
    throng_Codec codec_1 = throng_set_info.codec;
    throng_Grid _e8 = throng_set_info.grid;
    vec4 _e9 = throng_texel_read(throng_texels, _e8, frame_number_1, item_1);
    vec4 _e10 = throng_codec_unit(codec_1, _e9);
    vec3 _e14 = throng_unit_or(_e10.xyz, vec3(0.0));
    return (_e14 * (codec_1.level_scale * _e9.w));
}

vec3 throng_offset_between(throng_FramePair pair_1, uint item_1) {
    throng_Codec _e2 = throng_vertex_codec();
    if (throng_IS_RAY) {
        vec3 _e5 = throng_ray_read(pair_1.first, item_1);
        vec3 _e7 = throng_ray_read(pair_1.second, item_1);
        vec3 ray_1 = mix(_e5, _e7, pair_1.fraction);
        return (_e2.offset.xyz + (_e2.scale.xyz * ray_1));
    }
    throng_Grid _e23 = throng_set_info.grid;
    vec4 _e24 = throng_texel_between(throng_texels, _e23, pair_1, item_1);
    return (_e2.offset.xyz + (_e2.scale.xyz * _e24.xyz));
}

vec3 throng_normal_raw(uint frame_number_1, uint item_1) {
    throng_Grid _e5 = throng_set_info.normals;
    uvec3 _e6 = throng_grid_texel(_e5, frame_number_1, item_1);
    vec4 _e7 = throng_normals_load(throng_normals, _e6);
    return _e7.xyz;
}

vec3 throng_normal_decode(vec3 raw_1) {
    float _e4 = throng_set_info.codec.normal_offset;
    float _e8 = throng_set_info.codec.normal_scale;
    return (vec3(_e4) + (_e8 * raw_1));
}

vec3 throng_normal_between(throng_FramePair pair_1, uint item_1) {
    vec3 _e3 = throng_normal_raw(pair_1.first, item_1);
    vec3 _e5 = throng_normal_raw(pair_1.second, item_1);
    if (throng_IS_OCTAHEDRAL) {
        vec3 _e7 = throng_normal_decode(_e3);
        vec3 _e9 = throng_vector_from_octahedron(_e7.xy);
        vec3 _e10 = throng_normal_decode(_e5);
        vec3 _e12 = throng_vector_from_octahedron(_e10.xy);
        vec3 mixed_1 = ((_e9 * ((1.0 - pair_1.fraction) * length(_e12))) + (_e12 * (pair_1.fraction * length(_e9))));
        vec3 _e24 = throng_unit_or(mixed_1, _e9);
        return _e24;
    }
    vec3 _e27 = throng_normal_decode(mix(_e3, _e5, pair_1.fraction));
    vec3 _e32 = throng_unit_or(_e27, vec3(0.0, 1.0, 0.0));
    return _e32;
}

throng_Deformed throng_vertex_between(throng_FramePair pair_1, uvec2 items_1) {
    vec3 _e3 = throng_offset_between(pair_1, items_1.x);
    vec3 _e5 = throng_normal_between(pair_1, items_1.y);
    return throng_Deformed(_e3, _e5, vec3(0.0));
}

throng_Deformed throng_deform(throng_VertexIn v_1, throng_Instance instance_1) {
    throng_Deformed deformed_1 = throng_Deformed(vec3(0.0), vec3(0.0), vec3(0.0));
    bool local_1 = false;
    throng_Frames _e2 = throng_instance_frames(instance_1);
    throng_Deformed _e6 = throng_vertex_between(_e2.first, v_1.indices.zw);
    deformed_1 = _e6;
    uint _e10 = throng_options.has_fades;
    if ((_e10 != 0u)) {
        local_1 = (_e2.fade != 0.0);
    } else {
        local_1 = false;
    }
    bool _e19 = local_1;
    if (_e19) {
        throng_Deformed _e20 = deformed_1;
        throng_Deformed _e24 = throng_vertex_between(_e2.second, v_1.indices.zw);
        throng_Deformed _e26 = throng_deformed_mix(_e20, _e24, _e2.fade);
        deformed_1 = _e26;
    }
    vec3 _e28 = deformed_1.position;
    deformed_1.position = (_e28 + v_1.position.xyz);
    throng_Deformed _e32 = deformed_1;
    return _e32;
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
