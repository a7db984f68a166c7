// Entry point draw_vertex, generated from WGSL by naga: do not edit.
//   b0, space0     camera
//   b0, space1     set_info
//   t1, space1     tables
//   t2, space1     texels: upload every two RGBA16 texels as one RGBA32UI texel
//   t4, space1     influences
//   b14, space1    frame
//   SV_InstanceID  counts from 0 in every draw: start draws at instance 0
//   LOC0           position
//   LOC1           normal
//   LOC2           uv
//   LOC3           color
//   LOC4           joints
//   LOC5           weights
//   LOC6           indices
//   LOC7           row_x
//   LOC8           row_y
//   LOC9           row_z
//   LOC10          play_a
//   LOC11          play_b
//   LOC12          extra

struct Affine {
    row_major float3x3 linear_;
    int _pad1_0;
    float3 translation;
    int _end_pad_0;
};

struct Play {
    uint clip_;
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
    float4 offset;
    float4 scale;
    float4 size_offset;
    float4 size_scale;
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
    int _end_pad_0;
    int _end_pad_1;
    int _end_pad_2;
};

struct SetInfo {
    Grid grid;
    Grid normals;
    Grid morphs;
    Codec codec;
    JointCurves joint_curves;
    float4 vertex_curve_range;
    uint clip_table;
    uint inverse_bind_table;
    uint dual_inverse_bind_table;
    uint morph_table;
    uint palette_len;
    uint palette_stride;
    uint vertices_;
    uint position_curves;
    uint bone_offset_table;
    uint inverse_binds_are_matrices;
    int _end_pad_0;
    int _end_pad_1;
};

struct Frame {
    uint now;
    uint previous_now;
    uint previous_first;
    uint previous_group;
    float deform_factor;
    uint count;
    int _end_pad_0;
    int _end_pad_1;
};

struct BindVertex {
    float3 position;
    int _pad1_0;
    float3 normal;
    int _pad2_0;
    float3 tangent;
    float deform_factor;
    uint4 joints;
    float4 weights;
    uint2 more;
    int _end_pad_0;
    int _end_pad_1;
};

struct Deformed {
    float3 position;
    int _pad1_0;
    float3 normal;
    int _pad2_0;
    float3 tangent;
    int _end_pad_0;
};

struct Instance {
    Affine world_from_model;
    float4 tint;
    Play first;
    Play second;
    uint fade_start;
    uint fade_duration;
    float fraction;
    uint user;
    uint group;
    uint index;
    uint now;
    int _end_pad_0;
    int _end_pad_1;
    int _end_pad_2;
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
    float4 position : LOC0;
    float3 normal : LOC1;
    float2 uv : LOC2;
    float4 color : LOC3;
    uint4 joints : LOC4;
    float4 weights : LOC5;
    uint4 indices_ : LOC6;
    uint4 row_x : LOC7;
    uint4 row_y : LOC8;
    uint4 row_z : LOC9;
    uint4 play_a : LOC10;
    uint4 play_b : LOC11;
    uint4 extra : LOC12;
    uint index : SV_VertexID;
    uint instance : SV_InstanceID;
};

struct DrawOut {
    float4 clip_position : SV_Position;
    float3 world_position : LOC0;
    float3 normal : LOC1;
    float2 uv : LOC3;
    float4 color : LOC4;
    nointerpolation float4 tint : LOC5;
    nointerpolation uint user : LOC6;
};

struct Camera {
    row_major float4x4 clip_from_world;
};

static const uint INTERPOLATE_LINEAR = 0u;
static const uint INTERPOLATE_NLERP = 1u;
static const uint INTERPOLATE_SLERP = 2u;
static const uint INTERPOLATION = 0u;
static const bool HAS_FADES = true;
static const bool HAS_TANGENTS = false;
static const uint MAX_INFLUENCES = 5u;
static const uint BACKWARDS = 2147483648u;
static const uint HELD_FADE = 4294967295u;
static const uint BLOCK_CURVES = 32u;
static const uint HEADER_WORDS = 2u;
static const uint MASK_WORDS = 2u;
static const uint CLIP_WORDS = 5u;
static const uint REFERENCE_WIDTH = 10u;
static const uint SHORT_SCALED_RECORD_WORDS = 6u;
static const uint EXACT_SCALED_RECORD_WORDS = 12u;

cbuffer frame_3 : register(b14, space1) { Frame frame_3; }
cbuffer set_info : register(b0, space1) { SetInfo set_info; }
Texture2D<uint4> tables_6 : register(t1, space1);
Texture2DArray<uint4> texels_4 : register(t2, space1);
Texture2D<uint4> influences : register(t4, space1);
cbuffer camera : register(b0) { Camera camera; }

struct VertexOutput_draw_vertex {
    float3 world_position_1 : LOC0;
    float3 normal_3 : LOC1;
    float2 uv : LOC3;
    float4 color : LOC4;
    nointerpolation float4 tint : LOC5;
    nointerpolation uint user : LOC6;
    float4 clip_position_1 : SV_Position;
};

float quat_matrix_scale(float4 q)
{
    float square = dot(q, q);
    return ((square < 1e-24) ? 0.0 : (2.0 / square));
}

float3x3 mat3_from_scaled(float4 q_1, float scale)
{
    float3 scaled = (q_1.xyz * scale);
    float xx = (q_1.x * scaled.x);
    float xy = (q_1.x * scaled.y);
    float xz = (q_1.x * scaled.z);
    float yy = (q_1.y * scaled.y);
    float yz = (q_1.y * scaled.z);
    float zz = (q_1.z * scaled.z);
    float3 w = (q_1.w * scaled);
    return float3x3(float3((1.0 - (yy + zz)), (xy + w.z), (xz - w.y)), float3((xy - w.z), (1.0 - (xx + zz)), (yz + w.x)), float3((xz + w.y), (yz - w.x), (1.0 - (xx + yy))));
}

float3x3 mat3_from_quat(float4 q_2)
{
    const float _e1 = quat_matrix_scale(q_2);
    const float3x3 _e2 = mat3_from_scaled(q_2, _e1);
    return _e2;
}

float4 quat_aligned(float4 a, float4 b)
{
    return ((dot(a, b) < 0.0) ? -(b) : b);
}

float4 quat_slerp(float4 a_1, float4 b_1, float f)
{
    const float4 _e3 = quat_aligned(a_1, b_1);
    float cosine = min(dot(a_1, _e3), 1.0);
    if ((cosine > 0.9995)) {
        return normalize(lerp(a_1, _e3, f));
    }
    float angle = acos(cosine);
    return (((sin(((1.0 - f) * angle)) * a_1) + (sin((f * angle)) * _e3)) / (sin(angle)).xxxx);
}

float4 quat_from_mat3_(float3x3 m)
{
    float4 q_3 = (float4)0;

    float3 x_1 = m[0];
    float3 y_1 = m[1];
    float3 z_1 = m[2];
    if ((z_1.z <= 0.0)) {
        float difference = (y_1.y - x_1.x);
        float rest = (1.0 - z_1.z);
        if ((difference <= 0.0)) {
            q_3 = float4((rest - difference), (x_1.y + y_1.x), (x_1.z + z_1.x), (y_1.z - z_1.y));
        } else {
            q_3 = float4((x_1.y + y_1.x), (rest + difference), (y_1.z + z_1.y), (z_1.x - x_1.z));
        }
    } else {
        float sum_5 = (y_1.y + x_1.x);
        float rest_1 = (1.0 + z_1.z);
        if ((sum_5 <= 0.0)) {
            q_3 = float4((x_1.z + z_1.x), (y_1.z + z_1.y), (rest_1 - sum_5), (x_1.y - y_1.x));
        } else {
            q_3 = float4((y_1.z - z_1.y), (z_1.x - x_1.z), (x_1.y - y_1.x), (rest_1 + sum_5));
        }
    }
    float4 _e68 = q_3;
    return normalize(_e68);
}

Affine ConstructAffine(float3x3 arg0, float3 arg1) {
    Affine ret = (Affine)0;
    ret.linear_ = arg0;
    ret.translation = arg1;
    return ret;
}

Affine affine_mul(Affine a_2, Affine b_2)
{
    const Affine affine = ConstructAffine(mul(b_2.linear_, a_2.linear_), (mul(b_2.translation, a_2.linear_) + a_2.translation));
    return affine;
}

Affine affine_from_rows(float3x4 rows)
{
    float4x3 columns = transpose(rows);
    const Affine affine_1 = ConstructAffine(float3x3(columns[0], columns[1], columns[2]), columns[3]);
    return affine_1;
}

Affine affine_mix(Affine a_3, Affine b_3, float f_1)
{
    const Affine affine_2 = ConstructAffine(float3x3(lerp(a_3.linear_[0], b_3.linear_[0], f_1), lerp(a_3.linear_[1], b_3.linear_[1], f_1), lerp(a_3.linear_[2], b_3.linear_[2], f_1)), lerp(a_3.translation, b_3.translation, f_1));
    return affine_2;
}

Affine affine_scaled(Affine a_4, float weight)
{
    const Affine affine_3 = ConstructAffine(mul(weight, a_4.linear_), (a_4.translation * weight));
    return affine_3;
}

Affine affine_add_scaled(Affine sum, Affine a_5, float weight_1)
{
    const Affine affine_4 = ConstructAffine((sum.linear_ + mul(weight_1, a_5.linear_)), (sum.translation + (a_5.translation * weight_1)));
    return affine_4;
}

float3 affine_point(Affine a_6, float3 point_)
{
    return (mul(point_, a_6.linear_) + a_6.translation);
}

float3 unit_or(float3 v_1, float3 fallback)
{
    float square_1 = dot(v_1, v_1);
    return ((square_1 > 0.0) ? (v_1 * rsqrt(square_1)) : fallback);
}

float3 affine_normal(Affine a_7, float3 normal)
{
    float3x3 m_2 = a_7.linear_;
    const float3 _e14 = unit_or(mul(normal, float3x3(cross(m_2[1], m_2[2]), cross(m_2[2], m_2[0]), cross(m_2[0], m_2[1]))), normal);
    return _e14;
}

float3 any_orthonormal(float3 v_2)
{
    float sign_ = ((v_2.z >= 0.0) ? 1.0 : -1.0);
    float a_10 = (-1.0 / (sign_ + v_2.z));
    float b_5 = ((v_2.x * v_2.y) * a_10);
    return float3(b_5, (sign_ + ((v_2.y * v_2.y) * a_10)), -(v_2.y));
}

int naga_f2i32(float value) {
    return int(clamp(value, -2147483600.0, 2147483500.0));
}

uint divide(uint n, uint d)
{
    uint guess = asuint(naga_f2i32((float(asint(n)) / float(asint(d)))));
    int rest_2 = asint((n - (guess * d)));
    return ((guess + ((rest_2 >= asint(d)) ? 1u : 0u)) - ((rest_2 < int(0)) ? 1u : 0u));
}

float play_phase(Play play, bool wraps, uint now)
{
    uint elapsed = (now - play.time);
    float cycles_per_tick = (1.0 / float(asint(play.period)));
    int cycle = naga_f2i32((float(asint((elapsed >> 1u))) * (2.0 * cycles_per_tick)));
    int in_cycle = asint((elapsed - (asuint(cycle) * play.period)));
    float clamped = clamp((float(asint(elapsed)) * cycles_per_tick), 0.0, 1.0);
    float phase = (wraps ? frac((float(in_cycle) * cycles_per_tick)) : clamped);
    return (((play.clip_ & BACKWARDS) != 0u) ? (1.0 - phase) : phase);
}

float play_frame(Play play_1, ClipTiming timing, uint now_1)
{
    const float _e4 = play_phase(play_1, timing.wraps, now_1);
    float playing = (_e4 * float(asint(asuint(int(timing.frames)) - asuint(int(1)))));
    return ((play_1.period == 0u) ? (asfloat(play_1.time) * timing.rate_hz) : playing);
}

float fade_weight(uint start, uint duration, uint now_2)
{
    if ((duration == 0u)) {
        return 0.0;
    }
    float running = clamp((float(asint((now_2 - start))) / float(duration)), 0.0, 1.0);
    return ((duration == HELD_FADE) ? asfloat(start) : running);
}

uint3 grid_texel(Grid grid, uint frame, uint item)
{
    uint column = (uint)0;
    uint row = (uint)0;
    uint layer = 0u;

    column = item;
    row = (grid.first_row + (frame * grid.rows_per_frame));
    if ((grid.by_columns != 0u)) {
        column = frame;
        row = (grid.first_row + item);
        if ((grid.layers > 1u)) {
            const uint _e20 = divide(frame, grid.columns);
            uint _e21 = column;
            column = (_e21 - (_e20 * grid.columns));
            uint _e25 = row;
            row = (_e25 + (_e20 * grid.rows_per_frame));
        }
    } else {
        if ((grid.rows_per_frame > 1u)) {
            const uint _e33 = divide(item, grid.columns);
            uint _e34 = column;
            column = (_e34 - (_e33 * grid.columns));
            uint _e38 = row;
            row = (_e38 + _e33);
        }
    }
    if ((grid.layers > 1u)) {
        uint _e43 = row;
        const uint _e45 = divide(_e43, grid.height);
        layer = _e45;
        uint _e46 = row;
        uint _e47 = layer;
        row = (_e46 - (_e47 * grid.height));
    }
    uint _e52 = column;
    uint _e54 = row;
    uint _e55 = layer;
    return uint3((grid.first_column + _e52), _e54, _e55);
}

FramePair ConstructFramePair(uint arg0, uint arg1, float arg2) {
    FramePair ret = (FramePair)0;
    ret.first = arg0;
    ret.second = arg1;
    ret.fraction = arg2;
    return ret;
}

FramePair frame_pair(ClipTiming timing_1, float frames)
{
    int last = asint(asuint(int(timing_1.frames)) - asuint(int(1)));
    float position = clamp(frames, 0.0, float(last));
    int index_1 = min(naga_f2i32(position), asint(asuint(max(last, int(1))) - asuint(int(1))));
    const FramePair framepair = ConstructFramePair((timing_1.first_frame + uint(index_1)), (timing_1.first_frame + uint(min(asint(asuint(index_1) + asuint(int(1))), last))), (position - float(index_1)));
    return framepair;
}

uint4 bits_get(Texture2D<uint4> texels, uint at)
{
    uint4 _e8 = texels.Load(int3(uint2((at & 2047u), (at >> 11u)), int(0)));
    return _e8;
}

uint4 table_get(Texture2D<uint4> tables, uint at_1)
{
    const uint4 _e2 = bits_get(tables, at_1);
    return _e2;
}

float4 table_floats(Texture2D<uint4> tables_1, uint at_2)
{
    const uint4 _e2 = table_get(tables_1, at_2);
    return asfloat(_e2);
}

ClipTiming ConstructClipTiming(uint arg0, uint arg1, float arg2, float arg3, bool arg4) {
    ClipTiming ret = (ClipTiming)0;
    ret.first_frame = arg0;
    ret.frames = arg1;
    ret.rate_hz = arg2;
    ret.duration_secs = arg3;
    ret.wraps = arg4;
    return ret;
}

ClipTiming clip_timing(Texture2D<uint4> tables_2, uint first, uint clip_)
{
    const uint4 _e6 = table_get(tables_2, (first + (clip_ & 2147483647u)));
    const ClipTiming cliptiming = ConstructClipTiming(_e6.x, (_e6.y & 2147483647u), asfloat(_e6.z), asfloat(_e6.w), ((_e6.y >> 31u) != 0u));
    return cliptiming;
}

Affine table_affine(Texture2D<uint4> tables_3, uint at_3)
{
    const float4 _e2 = table_floats(tables_3, at_3);
    const float4 _e5 = table_floats(tables_3, (at_3 + 1u));
    const float4 _e8 = table_floats(tables_3, (at_3 + 2u));
    const Affine _e10 = affine_from_rows(float3x4(_e2, _e5, _e8));
    const Affine affine_5 = _e10;
    return affine_5;
}

float4 codec_unit(Codec codec, float4 raw)
{
    return ((codec.unit_offset).xxxx + (codec.unit_scale * raw));
}

float3 flat_tangent(float3 tangent, float3 normal_1)
{
    float3 flat = (tangent - (normal_1 * dot(normal_1, tangent)));
    bool is_rounding = (dot(flat, flat) <= (1e-12 * dot(tangent, tangent)));
    const float3 _e10 = any_orthonormal(normal_1);
    float3 other = ((dot(tangent, tangent) > 0.0) ? _e10 : (0.0).xxx);
    const float3 _e20 = unit_or((is_rounding ? (0.0).xxx : flat), other);
    return _e20;
}

float3 affine_tangent(Affine a_8, float3 tangent_1, float3 normal_2)
{
    if (true) {
        return (0.0).xxx;
    }
    const float3 _e8 = flat_tangent(mul(tangent_1, a_8.linear_), normal_2);
    return _e8;
}

Deformed ConstructDeformed(float3 arg0, float3 arg1, float3 arg2) {
    Deformed ret = (Deformed)0;
    ret.position = arg0;
    ret.normal = arg1;
    ret.tangent = arg2;
    return ret;
}

Deformed vertex_transform(Affine matrix_, BindVertex vertex)
{
    const float3 _e3 = affine_normal(matrix_, vertex.normal);
    const float3 _e5 = affine_point(matrix_, vertex.position);
    const float3 _e7 = affine_tangent(matrix_, vertex.tangent, _e3);
    const Deformed deformed = ConstructDeformed(_e5, _e3, _e7);
    return deformed;
}

Play ConstructPlay(uint arg0, uint arg1, uint arg2) {
    Play ret = (Play)0;
    ret.clip_ = arg0;
    ret.time = arg1;
    ret.period = arg2;
    return ret;
}

Instance ConstructInstance(Affine arg0, float4 arg1, Play arg2, Play arg3, uint arg4, uint arg5, float arg6, uint arg7, uint arg8, uint arg9, uint arg10) {
    Instance ret = (Instance)0;
    ret.world_from_model = arg0;
    ret.tint = arg1;
    ret.first = arg2;
    ret.second = arg3;
    ret.fade_start = arg4;
    ret.fade_duration = arg5;
    ret.fraction = arg6;
    ret.user = arg7;
    ret.group = arg8;
    ret.index = arg9;
    ret.now = arg10;
    return ret;
}

Instance instance_unpack(uint4 x, uint4 y, uint4 z, uint4 a_9, uint4 b_4, uint4 c, uint index, uint now_3)
{
    float3x4 rows_1 = float3x4(asfloat(x), asfloat(y), asfloat(z));
    const Affine _e12 = affine_from_rows(rows_1);
    uint _e13 = a_9.x;
    const Instance instance_8 = ConstructInstance(_e12, (float4(_e13 & 0xFF, _e13 >> 8 & 0xFF, _e13 >> 16 & 0xFF, _e13 >> 24) / 255.0), ConstructPlay(a_9.y, a_9.z, a_9.w), ConstructPlay(b_4.x, b_4.y, b_4.z), b_4.w, c.x, asfloat(c.y), c.z, c.w, index, now_3);
    return instance_8;
}

Deformed instance_blend(Instance instance, Deformed bind, Deformed animated)
{
    bool is_animated = (instance.fraction == 1.0);
    const Deformed deformed_1 = ConstructDeformed((is_animated ? animated.position : lerp(bind.position, animated.position, instance.fraction)), (is_animated ? animated.normal : lerp(bind.normal, animated.normal, instance.fraction)), (is_animated ? animated.tangent : lerp(bind.tangent, animated.tangent, instance.fraction)));
    return deformed_1;
}

Deformed instance_transform(Instance instance_1, Deformed bind_1, Deformed animated_1)
{
    const Deformed _e3 = instance_blend(instance_1, bind_1, animated_1);
    const float3 _e6 = affine_normal(instance_1.world_from_model, _e3.normal);
    const float3 _e9 = affine_point(instance_1.world_from_model, _e3.position);
    const float3 _e12 = affine_tangent(instance_1.world_from_model, _e3.tangent, _e6);
    const Deformed deformed_2 = ConstructDeformed(_e9, _e6, _e12);
    return deformed_2;
}

ClipTiming play_timing(Play play_2)
{
    uint _e4 = set_info.clip_table;
    const ClipTiming _e6 = clip_timing(tables_6, _e4, play_2.clip_);
    const ClipTiming cliptiming_1 = _e6;
    return cliptiming_1;
}

Codec codec_of_bone(Codec codec_1, Texture2D<uint4> tables_4, uint bone)
{
    Codec bone_codec = (Codec)0;

    if ((codec_1.range_table == 0u)) {
        const Codec codec_3 = codec_1;
        return codec_3;
    }
    bone_codec = codec_1;
    const float4 _e12 = table_floats(tables_4, (codec_1.range_table + (2u * bone)));
    bone_codec.offset = _e12;
    const float4 _e20 = table_floats(tables_4, ((codec_1.range_table + (2u * bone)) + 1u));
    bone_codec.scale = _e20;
    Codec _e21 = bone_codec;
    const Codec codec_4 = _e21;
    return codec_4;
}

FramePair play_frames(Play play_3, uint now_4)
{
    const ClipTiming _e2 = play_timing(play_3);
    const float _e3 = play_frame(play_3, _e2, now_4);
    const FramePair _e4 = frame_pair(_e2, _e3);
    const FramePair framepair_1 = _e4;
    return framepair_1;
}

float instance_fade(Instance instance_2)
{
    if (false) {
        return 0.0;
    }
    const float _e6 = fade_weight(instance_2.fade_start, instance_2.fade_duration, instance_2.now);
    return _e6;
}

Frames ConstructFrames(FramePair arg0, FramePair arg1, float arg2) {
    Frames ret = (Frames)0;
    ret.first = arg0;
    ret.second = arg1;
    ret.fade = arg2;
    return ret;
}

Frames instance_frames(Instance instance_3)
{
    bool local = (bool)0;

    const float _e1 = instance_fade(instance_3);
    const FramePair _e4 = play_frames(instance_3.first, instance_3.now);
    if (true) {
        local = (_e1 == 0.0);
    } else {
        local = true;
    }
    bool _e11 = local;
    if (_e11) {
        const Frames frames_1 = ConstructFrames(_e4, _e4, _e1);
        return frames_1;
    }
    const FramePair _e15 = play_frames(instance_3.second, instance_3.now);
    const Frames frames_2 = ConstructFrames(_e4, _e15, _e1);
    return frames_2;
}

float4 texel_unpack(uint2 words)
{
    return float4(int4(uint4((words.x & 65535u), (words.x >> 16u), (words.y & 65535u), (words.y >> 16u))));
}

uint4 pair_read(Texture2DArray<uint4> texels_1, Grid grid_1, uint frame_1, uint pair)
{
    const uint3 _e4 = grid_texel(grid_1, frame_1, pair);
    uint4 _e8 = texels_1.Load(int4(_e4.xy, _e4.z, int(0)));
    return _e8;
}

uint naga_div(uint lhs, uint rhs) {
    return lhs / (rhs == 0u ? 1u : rhs);
}

float3x4 texels_three(Texture2DArray<uint4> texels_2, Grid grid_2, uint frame_2, uint item_1)
{
    const uint4 _e6 = pair_read(texels_2, grid_2, frame_2, naga_div(item_1, 2u));
    const uint4 _e11 = pair_read(texels_2, grid_2, frame_2, (naga_div(item_1, 2u) + 1u));
    bool is_odd = ((item_1 & 1u) != 0u);
    const float4 _e19 = texel_unpack((is_odd ? _e6.zw : _e6.xy));
    const float4 _e23 = texel_unpack((is_odd ? _e11.xy : _e6.zw));
    const float4 _e27 = texel_unpack((is_odd ? _e11.zw : _e11.xy));
    return float3x4(_e19, _e23, _e27);
}

Affine bone_decode(Codec bone_codec_1, float3x4 raw_1)
{
    const float4 _e3 = codec_unit(bone_codec_1, raw_1[0]);
    const float4 _e6 = codec_unit(bone_codec_1, raw_1[1]);
    const float4 _e9 = codec_unit(bone_codec_1, raw_1[2]);
    const Affine affine_6 = ConstructAffine(transpose(float3x3(_e3.xyz, _e6.xyz, _e9.xyz)), (bone_codec_1.offset.xyz + (bone_codec_1.scale.xyz * float3(raw_1[0].w, raw_1[1].w, raw_1[2].w))));
    return affine_6;
}

float4 rotation_of(float3x3 m_1)
{
    const float3 _e6 = unit_or(m_1[0], float3(1.0, 0.0, 0.0));
    float3 across = (m_1[1] - (_e6 * dot(_e6, m_1[1])));
    const float3 _e12 = any_orthonormal(_e6);
    const float3 _e13 = unit_or(across, _e12);
    const float4 _e16 = quat_from_mat3_(float3x3(_e6, _e13, cross(_e6, _e13)));
    return _e16;
}

Affine bone_mix(Affine from_bone, Affine to_bone, float f_2)
{
    if (true) {
        const Affine _e4 = affine_mix(from_bone, to_bone, f_2);
        const Affine affine_7 = _e4;
        return affine_7;
    }
    const float4 _e6 = rotation_of(from_bone.linear_);
    const float4 _e8 = rotation_of(to_bone.linear_);
    const float3x3 _e9 = mat3_from_quat(_e6);
    float3x3 from_stretch = mul(from_bone.linear_, transpose(_e9));
    const float3x3 _e13 = mat3_from_quat(_e8);
    float3x3 to_stretch = mul(to_bone.linear_, transpose(_e13));
    const Affine _e21 = affine_mix(ConstructAffine(from_stretch, from_bone.translation), ConstructAffine(to_stretch, to_bone.translation), f_2);
    const float4 _e22 = quat_slerp(_e6, _e8, f_2);
    const float3x3 _e23 = mat3_from_quat(_e22);
    const Affine affine_8 = ConstructAffine(mul(_e21.linear_, _e23), _e21.translation);
    return affine_8;
}

Affine bone_between(Texture2DArray<uint4> texels_3, Texture2D<uint4> tables_5, Grid grid_3, Codec codec_2, FramePair pair_1, uint offset)
{
    const Codec _e8 = codec_of_bone(codec_2, tables_5, naga_div(offset, 3u));
    const float3x4 _e10 = texels_three(texels_3, grid_3, pair_1.first, offset);
    const float3x4 _e12 = texels_three(texels_3, grid_3, pair_1.second, offset);
    if (false) {
        const Affine _e14 = bone_decode(_e8, _e10);
        const Affine _e15 = bone_decode(_e8, _e12);
        const Affine _e17 = bone_mix(_e14, _e15, pair_1.fraction);
        const Affine affine_9 = _e17;
        return affine_9;
    }
    const Affine _e25 = bone_decode(_e8, (mul((1.0 - pair_1.fraction), _e10) + mul(pair_1.fraction, _e12)));
    const Affine affine_10 = _e25;
    return affine_10;
}

Affine bone_fade(Affine from_bone_1, Affine to_bone_1, float f_3)
{
    const Affine _e3 = bone_mix(from_bone_1, to_bone_1, f_3);
    const Affine affine_11 = _e3;
    return affine_11;
}

Affine bone_to_affine(Affine bone_1)
{
    const Affine affine_12 = bone_1;
    return affine_12;
}

Affine bone_of(FramePair pair_2, uint bone_offset)
{
    Grid _e6 = set_info.grid;
    Codec _e9 = set_info.codec;
    const Affine _e10 = bone_between(texels_4, tables_6, _e6, _e9, pair_2, bone_offset);
    const Affine affine_13 = _e10;
    return affine_13;
}

Frames pose_of(Instance instance_4)
{
    const Frames _e1 = instance_frames(instance_4);
    const Frames frames_3 = _e1;
    return frames_3;
}

Affine pose_bone(Frames pose, uint bone_offset_1)
{
    bool local_1 = (bool)0;

    const Affine _e3 = bone_of(pose.first, bone_offset_1);
    if (true) {
        local_1 = (pose.fade == 0.0);
    } else {
        local_1 = true;
    }
    bool _e11 = local_1;
    if (_e11) {
        const Affine affine_14 = _e3;
        return affine_14;
    }
    const Affine _e13 = bone_of(pose.second, bone_offset_1);
    const Affine _e15 = bone_fade(_e3, _e13, pose.fade);
    const Affine affine_15 = _e15;
    return affine_15;
}

Affine joint_affine(Frames pose_1, uint joint)
{
    const Affine _e4 = pose_bone(pose_1, (joint >> 16u));
    const Affine _e5 = bone_to_affine(_e4);
    uint palette_index = (joint & 65535u);
    uint _e10 = set_info.inverse_binds_are_matrices;
    if ((_e10 == 0u)) {
        uint _e16 = set_info.inverse_bind_table;
        const float4 _e18 = table_floats(tables_6, (_e16 + palette_index));
        float3 translation = _e18.xyz;
        const float3 _e21 = affine_point(_e5, translation);
        const Affine affine_16 = ConstructAffine(_e5.linear_, _e21);
        return affine_16;
    }
    uint _e26 = set_info.inverse_bind_table;
    const Affine _e30 = table_affine(tables_6, (_e26 + (3u * palette_index)));
    const Affine _e31 = affine_mul(_e5, _e30);
    const Affine affine_17 = _e31;
    return affine_17;
}

Influence ConstructInfluence(uint arg0, float arg1) {
    Influence ret = (Influence)0;
    ret.joint = arg0;
    ret.weight = arg1;
    return ret;
}

Influence influence_read(uint at_4)
{
    uint4 texel = influences.Load(int3(uint2((at_4 & 2047u), (at_4 >> 11u)), int(0)));
    const Influence influence = ConstructInfluence(texel.x, asfloat(texel.y));
    return influence;
}

Affine method_first(Frames pose_2, uint joint_1, float weight_2)
{
    const Affine _e3 = joint_affine(pose_2, joint_1);
    const Affine _e4 = affine_scaled(_e3, weight_2);
    const Affine affine_18 = _e4;
    return affine_18;
}

Accumulator ConstructAccumulator(Affine arg0) {
    Accumulator ret = (Accumulator)0;
    ret.method = arg0;
    return ret;
}

Accumulator accumulate_first(Frames pose_3, uint joint_2, float weight_3)
{
    const Affine _e3 = method_first(pose_3, joint_2, weight_3);
    const Accumulator accumulator = ConstructAccumulator(_e3);
    return accumulator;
}

Affine method_add(Affine sum_1, Frames pose_4, uint joint_3, float weight_4)
{
    const Affine _e4 = joint_affine(pose_4, joint_3);
    const Affine _e5 = affine_add_scaled(sum_1, _e4, weight_4);
    const Affine affine_19 = _e5;
    return affine_19;
}

Accumulator accumulate(Accumulator sum_2, Frames pose_5, uint joint_4, float weight_5)
{
    const Affine _e5 = method_add(sum_2.method, pose_5, joint_4, weight_5);
    const Accumulator accumulator_1 = ConstructAccumulator(_e5);
    return accumulator_1;
}

Accumulator accumulate_influences(Frames pose_6, BindVertex vertex_1)
{
    Accumulator sum_3 = (Accumulator)0;
    uint2 joints = (uint2)0;
    float2 weights = (float2)0;
    bool local_2 = (bool)0;
    uint k = 0u;

    const Accumulator _e6 = accumulate_first(pose_6, vertex_1.joints.x, vertex_1.weights.x);
    sum_3 = _e6;
    if (true) {
        Accumulator _e9 = sum_3;
        const Accumulator _e14 = accumulate(_e9, pose_6, vertex_1.joints.y, vertex_1.weights.y);
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
            const Accumulator _e35 = accumulate(_e30, pose_6, _e32, _e34);
            sum_3 = _e35;
            uint _e37 = joints.y;
            joints = uint2(_e37, 0u);
            float _e41 = weights.y;
            weights = float2(_e41, 0.0);
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
                const Influence _e55 = influence_read((vertex_1.more.x + _e53));
                Accumulator _e56 = sum_3;
                const Accumulator _e59 = accumulate(_e56, pose_6, _e55.joint, _e55.weight);
                sum_3 = _e59;
            }
        }
    }
    Accumulator _e63 = sum_3;
    const Accumulator accumulator_2 = _e63;
    return accumulator_2;
}

Deformed skin_vertex(Accumulator sum_4, BindVertex vertex_2)
{
    const Deformed _e3 = vertex_transform(sum_4.method, vertex_2);
    const Deformed deformed_3 = _e3;
    return deformed_3;
}

BindVertex morphed(BindVertex vertex_3, Instance instance_5, uint2 morph)
{
    const BindVertex bindvertex = vertex_3;
    return bindvertex;
}

float3 vertex_tangent(VertexIn v_3)
{
    return (0.0).xxx;
}

BindVertex ConstructBindVertex(float3 arg0, float3 arg1, float3 arg2, float arg3, uint4 arg4, float4 arg5, uint2 arg6) {
    BindVertex ret = (BindVertex)0;
    ret.position = arg0;
    ret.normal = arg1;
    ret.tangent = arg2;
    ret.deform_factor = arg3;
    ret.joints = arg4;
    ret.weights = arg5;
    ret.more = arg6;
    return ret;
}

BindVertex bind_vertex(VertexIn v_4)
{
    float _e3 = frame_3.deform_factor;
    float deform_factor = (_e3 * v_4.position.w);
    const float3 _e10 = vertex_tangent(v_4);
    const BindVertex bindvertex_1 = ConstructBindVertex(v_4.position.xyz, v_4.normal, _e10, deform_factor, v_4.joints, v_4.weights, v_4.indices_.xy);
    return bindvertex_1;
}

Deformed deform(VertexIn v_5, Instance instance_6)
{
    const BindVertex _e2 = bind_vertex(v_5);
    const BindVertex _e5 = morphed(_e2, instance_6, v_5.indices_.zw);
    const Frames _e6 = pose_of(instance_6);
    const Accumulator _e7 = accumulate_influences(_e6, _e5);
    const Deformed _e8 = skin_vertex(_e7, _e5);
    const Deformed deformed_4 = _e8;
    return deformed_4;
}

Instance vertex_instance(VertexIn v_6)
{
    uint _e10 = frame_3.now;
    const Instance _e11 = instance_unpack(v_6.row_x, v_6.row_y, v_6.row_z, v_6.play_a, v_6.play_b, v_6.extra, v_6.instance, _e10);
    const Instance instance_9 = _e11;
    return instance_9;
}

Deformed vertex_deformed(VertexIn v_7, Instance instance_7)
{
    const float3 _e5 = vertex_tangent(v_7);
    Deformed bind_2 = ConstructDeformed(v_7.position.xyz, v_7.normal, _e5);
    const Deformed _e7 = deform(v_7, instance_7);
    const Deformed _e8 = instance_transform(instance_7, bind_2, _e7);
    const Deformed deformed_5 = _e8;
    return deformed_5;
}

float4 clip_position(float3 world_position)
{
    float4x4 _e3 = camera.clip_from_world;
    return mul(float4(world_position, 1.0), _e3);
}

VertexOutput_draw_vertex draw_vertex(VertexIn v)
{
    DrawOut out_ = (DrawOut)0;

    const Instance _e1 = vertex_instance(v);
    const Deformed _e2 = vertex_deformed(v, _e1);
    const float4 _e6 = clip_position(_e2.position);
    out_.clip_position = _e6;
    out_.world_position = _e2.position;
    out_.normal = _e2.normal;
    out_.uv = v.uv;
    out_.color = v.color;
    out_.tint = _e1.tint;
    out_.user = _e1.user;
    DrawOut _e19 = out_;
    const DrawOut drawout = _e19;
    const VertexOutput_draw_vertex drawout_1 = { drawout.world_position, drawout.normal, drawout.uv, drawout.color, drawout.tint, drawout.user, drawout.clip_position };
    return drawout_1;
}
