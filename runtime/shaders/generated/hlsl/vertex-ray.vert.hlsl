// Entry point draw_vertex, generated from WGSL by naga: do not edit.
//   b0, space0     camera
//   b0, space1     set_info
//   t1, space1     tables
//   t2, space1     texels: upload RGBA16, or RGB16 padded to it, as RGBA16UI
//   t3, space1     normals: upload RG16 as RGBA8
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

static const bool IS_RAY = true;
static const bool IS_OCTAHEDRAL = true;
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

cbuffer frame_2 : register(b14, space1) { Frame frame_2; }
cbuffer set_info : register(b0, space1) { SetInfo set_info; }
Texture2D<uint4> tables_4 : register(t1, space1);
Texture2DArray<uint4> texels_5 : register(t2, space1);
Texture2DArray<float4> normals : register(t3, space1);
cbuffer camera : register(b0) { Camera camera; }

struct VertexOutput_draw_vertex {
    float3 world_position_1 : LOC0;
    float3 normal_4 : LOC1;
    float2 uv : LOC3;
    float4 color : LOC4;
    nointerpolation float4 tint : LOC5;
    nointerpolation uint user : LOC6;
    float4 clip_position_1 : SV_Position;
};

float4 texels_load(Texture2DArray<uint4> texels, uint3 at)
{
    uint4 texel = texels.Load(int4(at.xy, at.z, int(0)));
    return float4(int4(texel));
}

float4 normals_load(Texture2DArray<float4> texels_1, uint3 at_1)
{
    float4 texel_1 = texels_1.Load(int4(at_1.xy, at_1.z, int(0)));
    return float4(((255.0 * texel_1.xz) + (65280.0 * texel_1.yw)), 0.0, 0.0);
}

Affine ConstructAffine(float3x3 arg0, float3 arg1) {
    Affine ret = (Affine)0;
    ret.linear_ = arg0;
    ret.translation = arg1;
    return ret;
}

Affine affine_from_rows(float3x4 rows)
{
    float4x3 columns = transpose(rows);
    const Affine affine = ConstructAffine(float3x3(columns[0], columns[1], columns[2]), columns[3]);
    return affine;
}

float3 affine_point(Affine a, float3 point_)
{
    return (mul(point_, a.linear_) + a.translation);
}

float3 unit_or(float3 v_1, float3 fallback)
{
    float square = dot(v_1, v_1);
    return ((square > 0.0) ? (v_1 * rsqrt(square)) : fallback);
}

float3 affine_normal(Affine a_1, float3 normal)
{
    float3x3 m = a_1.linear_;
    const float3 _e14 = unit_or(mul(normal, float3x3(cross(m[1], m[2]), cross(m[2], m[0]), cross(m[0], m[1]))), normal);
    return _e14;
}

float3 any_orthonormal(float3 v_2)
{
    float sign_ = ((v_2.z >= 0.0) ? 1.0 : -1.0);
    float a_6 = (-1.0 / (sign_ + v_2.z));
    float b_3 = ((v_2.x * v_2.y) * a_6);
    return float3(b_3, (sign_ + ((v_2.y * v_2.y) * a_6)), -(v_2.y));
}

int naga_f2i32(float value) {
    return int(clamp(value, -2147483600.0, 2147483500.0));
}

uint divide(uint n, uint d)
{
    uint guess = asuint(naga_f2i32((float(asint(n)) / float(asint(d)))));
    int rest = asint((n - (guess * d)));
    return ((guess + ((rest >= asint(d)) ? 1u : 0u)) - ((rest < int(0)) ? 1u : 0u));
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

uint4 bits_get(Texture2D<uint4> texels_2, uint at_2)
{
    uint4 _e8 = texels_2.Load(int3(uint2((at_2 & 2047u), (at_2 >> 11u)), int(0)));
    return _e8;
}

uint4 table_get(Texture2D<uint4> tables, uint at_3)
{
    const uint4 _e2 = bits_get(tables, at_3);
    return _e2;
}

float4 table_floats(Texture2D<uint4> tables_1, uint at_4)
{
    const uint4 _e2 = table_get(tables_1, at_4);
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

float4 codec_unit(Codec codec, float4 raw)
{
    return ((codec.unit_offset).xxxx + (codec.unit_scale * raw));
}

float3 vector_from_octahedron(float2 p)
{
    float z_1 = ((1.0 - abs(p.x)) - abs(p.y));
    float fold = max(-(z_1), 0.0);
    return float3((p - ((p < (0.0).xx) ? (-(fold)).xx : (fold).xx)), z_1);
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

float3 affine_tangent(Affine a_2, float3 tangent_1, float3 normal_2)
{
    if (true) {
        return (0.0).xxx;
    }
    const float3 _e8 = flat_tangent(mul(tangent_1, a_2.linear_), normal_2);
    return _e8;
}

float3 tangent_mix(float3 a_3, float3 b, float f, float3 normal_3)
{
    if (true) {
        return (0.0).xxx;
    }
    const float3 _e8 = flat_tangent(lerp(a_3, b, f), normal_3);
    return _e8;
}

Deformed ConstructDeformed(float3 arg0, float3 arg1, float3 arg2) {
    Deformed ret = (Deformed)0;
    ret.position = arg0;
    ret.normal = arg1;
    ret.tangent = arg2;
    return ret;
}

Deformed deformed_mix(Deformed a_4, Deformed b_1, float f_1)
{
    const float3 _e7 = unit_or(lerp(a_4.normal, b_1.normal, f_1), a_4.normal);
    const float3 _e13 = tangent_mix(a_4.tangent, b_1.tangent, f_1, _e7);
    const Deformed deformed_1 = ConstructDeformed(lerp(a_4.position, b_1.position, f_1), _e7, _e13);
    return deformed_1;
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

Instance instance_unpack(uint4 x, uint4 y, uint4 z, uint4 a_5, uint4 b_2, uint4 c, uint index, uint now_3)
{
    float3x4 rows_1 = float3x4(asfloat(x), asfloat(y), asfloat(z));
    const Affine _e12 = affine_from_rows(rows_1);
    uint _e13 = a_5.x;
    const Instance instance_6 = ConstructInstance(_e12, (float4(_e13 & 0xFF, _e13 >> 8 & 0xFF, _e13 >> 16 & 0xFF, _e13 >> 24) / 255.0), ConstructPlay(a_5.y, a_5.z, a_5.w), ConstructPlay(b_2.x, b_2.y, b_2.z), b_2.w, c.x, asfloat(c.y), c.z, c.w, index, now_3);
    return instance_6;
}

Deformed instance_blend(Instance instance, Deformed bind, Deformed animated)
{
    bool is_animated = (instance.fraction == 1.0);
    const Deformed deformed_2 = ConstructDeformed((is_animated ? animated.position : lerp(bind.position, animated.position, instance.fraction)), (is_animated ? animated.normal : lerp(bind.normal, animated.normal, instance.fraction)), (is_animated ? animated.tangent : lerp(bind.tangent, animated.tangent, instance.fraction)));
    return deformed_2;
}

Deformed instance_transform(Instance instance_1, Deformed bind_1, Deformed animated_1)
{
    const Deformed _e3 = instance_blend(instance_1, bind_1, animated_1);
    const float3 _e6 = affine_normal(instance_1.world_from_model, _e3.normal);
    const float3 _e9 = affine_point(instance_1.world_from_model, _e3.position);
    const float3 _e12 = affine_tangent(instance_1.world_from_model, _e3.tangent, _e6);
    const Deformed deformed_3 = ConstructDeformed(_e9, _e6, _e12);
    return deformed_3;
}

ClipTiming play_timing(Play play_2)
{
    uint _e4 = set_info.clip_table;
    const ClipTiming _e6 = clip_timing(tables_4, _e4, play_2.clip_);
    const ClipTiming cliptiming_1 = _e6;
    return cliptiming_1;
}

Codec codec_of_bone(Codec codec_1, Texture2D<uint4> tables_3, uint bone)
{
    Codec bone_codec = (Codec)0;

    if ((codec_1.range_table == 0u)) {
        const Codec codec_2 = codec_1;
        return codec_2;
    }
    bone_codec = codec_1;
    const float4 _e12 = table_floats(tables_3, (codec_1.range_table + (2u * bone)));
    bone_codec.offset = _e12;
    const float4 _e20 = table_floats(tables_3, ((codec_1.range_table + (2u * bone)) + 1u));
    bone_codec.scale = _e20;
    Codec _e21 = bone_codec;
    const Codec codec_3 = _e21;
    return codec_3;
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

float4 texel_read(Texture2DArray<uint4> texels_3, Grid grid_1, uint frame_1, uint item_1)
{
    const uint3 _e4 = grid_texel(grid_1, frame_1, item_1);
    const float4 _e5 = texels_load(texels_3, _e4);
    return _e5;
}

float4 texel_between(Texture2DArray<uint4> texels_4, Grid grid_2, FramePair pair, uint item_2)
{
    const float4 _e5 = texel_read(texels_4, grid_2, pair.first, item_2);
    const float4 _e7 = texel_read(texels_4, grid_2, pair.second, item_2);
    return lerp(_e5, _e7, pair.fraction);
}

Codec vertex_codec()
{
    Codec _e2 = set_info.codec;
    const Codec _e5 = codec_of_bone(_e2, tables_4, 0u);
    const Codec codec_4 = _e5;
    return codec_4;
}

float3 ray_read(uint frame_number, uint item_3)
{
    Codec codec_5 = set_info.codec;
    Grid _e8 = set_info.grid;
    const float4 _e9 = texel_read(texels_5, _e8, frame_number, item_3);
    const float4 _e10 = codec_unit(codec_5, _e9);
    const float3 _e14 = unit_or(_e10.xyz, (0.0).xxx);
    return (_e14 * (codec_5.level_scale * _e9.w));
}

float3 offset_between(FramePair pair_1, uint item_4)
{
    const Codec _e2 = vertex_codec();
    if (IS_RAY) {
        const float3 _e5 = ray_read(pair_1.first, item_4);
        const float3 _e7 = ray_read(pair_1.second, item_4);
        float3 ray = lerp(_e5, _e7, pair_1.fraction);
        return (_e2.offset.xyz + (_e2.scale.xyz * ray));
    }
    Grid _e23 = set_info.grid;
    const float4 _e24 = texel_between(texels_5, _e23, pair_1, item_4);
    return (_e2.offset.xyz + (_e2.scale.xyz * _e24.xyz));
}

float3 normal_raw(uint frame_number_1, uint item_5)
{
    Grid _e5 = set_info.normals;
    const uint3 _e6 = grid_texel(_e5, frame_number_1, item_5);
    const float4 _e7 = normals_load(normals, _e6);
    return _e7.xyz;
}

float3 normal_decode(float3 raw_1)
{
    float _e4 = set_info.codec.normal_offset;
    float _e8 = set_info.codec.normal_scale;
    return ((_e4).xxx + (_e8 * raw_1));
}

float3 normal_between(FramePair pair_2, uint item_6)
{
    const float3 _e3 = normal_raw(pair_2.first, item_6);
    const float3 _e5 = normal_raw(pair_2.second, item_6);
    if (IS_OCTAHEDRAL) {
        const float3 _e7 = normal_decode(_e3);
        const float3 _e9 = vector_from_octahedron(_e7.xy);
        const float3 _e10 = normal_decode(_e5);
        const float3 _e12 = vector_from_octahedron(_e10.xy);
        float3 mixed = ((_e9 * ((1.0 - pair_2.fraction) * length(_e12))) + (_e12 * (pair_2.fraction * length(_e9))));
        const float3 _e24 = unit_or(mixed, _e9);
        return _e24;
    }
    const float3 _e27 = normal_decode(lerp(_e3, _e5, pair_2.fraction));
    const float3 _e32 = unit_or(_e27, float3(0.0, 1.0, 0.0));
    return _e32;
}

Deformed vertex_between(FramePair pair_3, uint2 items)
{
    const float3 _e3 = offset_between(pair_3, items.x);
    const float3 _e5 = normal_between(pair_3, items.y);
    const Deformed deformed_4 = ConstructDeformed(_e3, _e5, (0.0).xxx);
    return deformed_4;
}

Deformed deform(VertexIn v_3, Instance instance_4)
{
    Deformed deformed = (Deformed)0;
    bool local_1 = (bool)0;

    const Frames _e2 = instance_frames(instance_4);
    const Deformed _e6 = vertex_between(_e2.first, v_3.indices_.zw);
    deformed = _e6;
    if (HAS_FADES) {
        local_1 = (_e2.fade != 0.0);
    } else {
        local_1 = false;
    }
    bool _e15 = local_1;
    if (_e15) {
        Deformed _e16 = deformed;
        const Deformed _e20 = vertex_between(_e2.second, v_3.indices_.zw);
        const Deformed _e22 = deformed_mix(_e16, _e20, _e2.fade);
        deformed = _e22;
    }
    float3 _e24 = deformed.position;
    deformed.position = (_e24 + v_3.position.xyz);
    Deformed _e28 = deformed;
    const Deformed deformed_5 = _e28;
    return deformed_5;
}

Instance vertex_instance(VertexIn v_4)
{
    uint _e10 = frame_2.now;
    const Instance _e11 = instance_unpack(v_4.row_x, v_4.row_y, v_4.row_z, v_4.play_a, v_4.play_b, v_4.extra, v_4.instance, _e10);
    const Instance instance_7 = _e11;
    return instance_7;
}

float3 vertex_tangent(VertexIn v_5)
{
    return (0.0).xxx;
}

Deformed vertex_deformed(VertexIn v_6, Instance instance_5)
{
    const float3 _e5 = vertex_tangent(v_6);
    Deformed bind_2 = ConstructDeformed(v_6.position.xyz, v_6.normal, _e5);
    const Deformed _e7 = deform(v_6, instance_5);
    const Deformed _e8 = instance_transform(instance_5, bind_2, _e7);
    const Deformed deformed_6 = _e8;
    return deformed_6;
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
