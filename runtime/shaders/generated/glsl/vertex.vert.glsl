#version 300 es
// Entry point draw_vertex, generated from WGSL by naga: do not edit. The function is named 'main'.
//   uniform block Camera_block_2Vertex   camera (group 0, binding 0)
//   uniform block SetInfo_block_1Vertex  set_info (group 1, binding 0)
//   texture _group_1_binding_1_vs        tables (group 1, binding 1)
//   texture _group_1_binding_2_vs        texels (group 1, binding 2): upload RGBA16, or RGB16 padded to it, as RGBA16UI
//   texture _group_1_binding_3_vs        normals (group 1, binding 3): upload RG16 as RGBA8
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
const bool IS_RAY = false;
const bool IS_OCTAHEDRAL = true;
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

uniform highp sampler2DArray _group_1_binding_3_vs;

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

vec4 normals_load(highp sampler2DArray texels_1, uvec3 at_1) {
    vec4 texel_1 = texelFetch(texels_1, ivec3(at_1.xy, at_1.z), 0);
    return vec4(((255.0 * texel_1.xz) + (65280.0 * texel_1.yw)), 0.0, 0.0);
}

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

vec3 any_orthonormal(vec3 v_2) {
    float sign_ = ((v_2.z >= 0.0) ? 1.0 : -1.0);
    float a_6 = (-1.0 / (sign_ + v_2.z));
    float b_3 = ((v_2.x * v_2.y) * a_6);
    return vec3(b_3, (sign_ + ((v_2.y * v_2.y) * a_6)), -(v_2.y));
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

vec4 codec_unit(Codec codec, vec4 raw) {
    return (vec4(codec.unit_offset) + (codec.unit_scale * raw));
}

vec3 vector_from_octahedron(vec2 p) {
    float z_1 = ((1.0 - abs(p.x)) - abs(p.y));
    float fold = max(-(z_1), 0.0);
    return vec3((p - mix(vec2(fold), vec2(-(fold)), lessThan(p, vec2(0.0)))), z_1);
}

vec3 flat_tangent(vec3 tangent, vec3 normal_1) {
    vec3 flat_ = (tangent - (normal_1 * dot(normal_1, tangent)));
    bool is_rounding = (dot(flat_, flat_) <= (1e-12 * dot(tangent, tangent)));
    vec3 _e10 = any_orthonormal(normal_1);
    vec3 other = ((dot(tangent, tangent) > 0.0) ? _e10 : vec3(0.0));
    vec3 _e20 = unit_or((is_rounding ? vec3(0.0) : flat_), other);
    return _e20;
}

vec3 affine_tangent(Affine a_2, vec3 tangent_1, vec3 normal_2) {
    if (true) {
        return vec3(0.0);
    }
    vec3 _e8 = flat_tangent((a_2.linear * tangent_1), normal_2);
    return _e8;
}

vec3 tangent_mix(vec3 a_3, vec3 b, float f, vec3 normal_3) {
    if (true) {
        return vec3(0.0);
    }
    vec3 _e8 = flat_tangent(mix(a_3, b, f), normal_3);
    return _e8;
}

Deformed deformed_mix(Deformed a_4, Deformed b_1, float f_1) {
    vec3 _e7 = unit_or(mix(a_4.normal, b_1.normal, f_1), a_4.normal);
    vec3 _e13 = tangent_mix(a_4.tangent, b_1.tangent, f_1, _e7);
    return Deformed(mix(a_4.position, b_1.position, f_1), _e7, _e13);
}

Instance instance_unpack(uvec4 x, uvec4 y, uvec4 z, uvec4 a_5, uvec4 b_2, uvec4 c, uint index, uint now_3) {
    mat3x4 rows_1 = mat3x4(uintBitsToFloat(x), uintBitsToFloat(y), uintBitsToFloat(z));
    Affine _e12 = affine_from_rows(rows_1);
    uint _e13 = a_5.x;
    return Instance(_e12, (vec4(_e13 & 0xFFu, _e13 >> 8 & 0xFFu, _e13 >> 16 & 0xFFu, _e13 >> 24) / 255.0), Play(a_5.y, a_5.z, a_5.w), Play(b_2.x, b_2.y, b_2.z), b_2.w, c.x, uintBitsToFloat(c.y), c.z, c.w, index, now_3);
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

Codec codec_of_bone(Codec codec_1, highp usampler2D tables_3, uint bone) {
    Codec bone_codec = Codec(vec4(0.0), vec4(0.0), vec4(0.0), vec4(0.0), 0.0, 0.0, 0.0, 0.0, 0.0, 0u, 0u, 0u);
    if ((codec_1.range_table == 0u)) {
        return codec_1;
    }
    bone_codec = codec_1;
    vec4 _e12 = table_floats(tables_3, (codec_1.range_table + (2u * bone)));
    bone_codec.offset = _e12;
    vec4 _e20 = table_floats(tables_3, ((codec_1.range_table + (2u * bone)) + 1u));
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

vec4 texel_between(highp usampler2DArray texels_4, Grid grid_2, FramePair pair, uint item_2) {
    vec4 _e5 = texel_read(texels_4, grid_2, pair.first, item_2);
    vec4 _e7 = texel_read(texels_4, grid_2, pair.second, item_2);
    return mix(_e5, _e7, pair.fraction);
}

Codec vertex_codec() {
    Codec _e2 = _group_1_binding_0_vs.codec;
    Codec _e5 = codec_of_bone(_e2, _group_1_binding_1_vs, 0u);
    return _e5;
}

vec3 ray_read(uint frame_number, uint item_3) {
    Codec codec_2 = _group_1_binding_0_vs.codec;
    Grid _e8 = _group_1_binding_0_vs.grid;
    vec4 _e9 = texel_read(_group_1_binding_2_vs, _e8, frame_number, item_3);
    vec4 _e10 = codec_unit(codec_2, _e9);
    vec3 _e14 = unit_or(_e10.xyz, vec3(0.0));
    return (_e14 * (codec_2.level_scale * _e9.w));
}

vec3 offset_between(FramePair pair_1, uint item_4) {
    Codec _e2 = vertex_codec();
    if (IS_RAY) {
        vec3 _e5 = ray_read(pair_1.first, item_4);
        vec3 _e7 = ray_read(pair_1.second, item_4);
        vec3 ray = mix(_e5, _e7, pair_1.fraction);
        return (_e2.offset.xyz + (_e2.scale.xyz * ray));
    }
    Grid _e23 = _group_1_binding_0_vs.grid;
    vec4 _e24 = texel_between(_group_1_binding_2_vs, _e23, pair_1, item_4);
    return (_e2.offset.xyz + (_e2.scale.xyz * _e24.xyz));
}

vec3 normal_raw(uint frame_number_1, uint item_5) {
    Grid _e5 = _group_1_binding_0_vs.normals;
    uvec3 _e6 = grid_texel(_e5, frame_number_1, item_5);
    vec4 _e7 = normals_load(_group_1_binding_3_vs, _e6);
    return _e7.xyz;
}

vec3 normal_decode(vec3 raw_1) {
    float _e4 = _group_1_binding_0_vs.codec.normal_offset;
    float _e8 = _group_1_binding_0_vs.codec.normal_scale;
    return (vec3(_e4) + (_e8 * raw_1));
}

vec3 normal_between(FramePair pair_2, uint item_6) {
    vec3 _e3 = normal_raw(pair_2.first, item_6);
    vec3 _e5 = normal_raw(pair_2.second, item_6);
    if (IS_OCTAHEDRAL) {
        vec3 _e7 = normal_decode(_e3);
        vec3 _e9 = vector_from_octahedron(_e7.xy);
        vec3 _e10 = normal_decode(_e5);
        vec3 _e12 = vector_from_octahedron(_e10.xy);
        vec3 mixed = ((_e9 * ((1.0 - pair_2.fraction) * length(_e12))) + (_e12 * (pair_2.fraction * length(_e9))));
        vec3 _e24 = unit_or(mixed, _e9);
        return _e24;
    }
    vec3 _e27 = normal_decode(mix(_e3, _e5, pair_2.fraction));
    vec3 _e32 = unit_or(_e27, vec3(0.0, 1.0, 0.0));
    return _e32;
}

Deformed vertex_between(FramePair pair_3, uvec2 items) {
    vec3 _e3 = offset_between(pair_3, items.x);
    vec3 _e5 = normal_between(pair_3, items.y);
    return Deformed(_e3, _e5, vec3(0.0));
}

Deformed deform(VertexIn v_3, Instance instance_4) {
    Deformed deformed = Deformed(vec3(0.0), vec3(0.0), vec3(0.0));
    bool local_1 = false;
    Frames _e2 = instance_frames(instance_4);
    Deformed _e6 = vertex_between(_e2.first, v_3.indices.zw);
    deformed = _e6;
    if (HAS_FADES) {
        local_1 = (_e2.fade != 0.0);
    } else {
        local_1 = false;
    }
    bool _e15 = local_1;
    if (_e15) {
        Deformed _e16 = deformed;
        Deformed _e20 = vertex_between(_e2.second, v_3.indices.zw);
        Deformed _e22 = deformed_mix(_e16, _e20, _e2.fade);
        deformed = _e22;
    }
    vec3 _e24 = deformed.position;
    deformed.position = (_e24 + v_3.position.xyz);
    Deformed _e28 = deformed;
    return _e28;
}

Instance vertex_instance(VertexIn v_4) {
    uint _e10 = _group_1_binding_14_vs.now;
    Instance _e11 = instance_unpack(v_4.row_x, v_4.row_y, v_4.row_z, v_4.play_a, v_4.play_b, v_4.extra, v_4.instance, _e10);
    return _e11;
}

vec3 vertex_tangent(VertexIn v_5) {
    return vec3(0.0);
}

Deformed vertex_deformed(VertexIn v_6, Instance instance_5) {
    vec3 _e5 = vertex_tangent(v_6);
    Deformed bind_2 = Deformed(v_6.position.xyz, v_6.normal, _e5);
    Deformed _e7 = deform(v_6, instance_5);
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

