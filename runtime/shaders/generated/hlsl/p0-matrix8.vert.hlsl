// draw_vertex, made from WGSL by naga: do not edit.
//   b0, space0     frame
//   b0, space1     set_info
//   t1, space1     tables
//   t2, space1     texels: as in the file, RGB8 padded to RGBA8
//   t4, space1     influences
//   SV_InstanceID  counts from 0 in every draw: let draws begin at instance 0
//   LOC0           position
//   LOC1           normal
//   LOC2           uv
//   LOC3           color
//   LOC4           joints
//   LOC5           weights
//   LOC6           places
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
    uint start;
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
    row_major float4x4 clip_from_world;
    uint now;
    float deform_factor;
    int _end_pad_0;
    int _end_pad_1;
};

struct Bound {
    float3 position;
    int _pad1_0;
    float3 normal;
    float factor;
    uint4 joints;
    float4 weights;
    uint2 more;
    int _end_pad_0;
    int _end_pad_1;
};

struct Moved {
    float3 position;
    int _pad1_0;
    float3 normal;
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

struct VertexIn {
    float4 position : LOC0;
    float3 normal : LOC1;
    float2 uv : LOC2;
    float4 color : LOC3;
    uint4 joints : LOC4;
    float4 weights : LOC5;
    uint4 places : LOC6;
    uint4 row_x : LOC7;
    uint4 row_y : LOC8;
    uint4 row_z : LOC9;
    uint4 play_a : LOC10;
    uint4 play_b : LOC11;
    uint4 extra : LOC12;
    uint index : SV_VertexID;
    uint instance : SV_InstanceID;
};

struct Drawn {
    float4 at : SV_Position;
    float3 position : LOC0;
    float3 normal : LOC1;
    float2 uv : LOC2;
    float4 color : LOC3;
};

static const uint INTERPOLATE_LINEAR = 0u;
static const uint INTERPOLATE_NLERP = 1u;
static const uint INTERPOLATE_SLERP = 2u;
static const uint INTERPOLATION = 0u;
static const bool HAS_FADES = true;
static const uint MAX_INFLUENCES = 5u;
static const uint BACKWARDS = 2147483648u;
static const uint BLOCK_TRACKS = 64u;
static const uint HEADER_WORDS = 3u;
static const uint CLIP_WORDS = 4u;
static const uint SCALED_RECORD_WORDS = 12u;

cbuffer frame_4 : register(b0) { Frame frame_4; }
cbuffer set_info : register(b0, space1) { SetInfo set_info; }
Texture2D<uint4> tables_6 : register(t1, space1);
Texture2DArray<float4> texels_6 : register(t2, space1);
Texture2D<uint4> influences : register(t4, space1);

struct VertexOutput_draw_vertex {
    float3 position : LOC0;
    float3 normal_1 : LOC1;
    float2 uv : LOC2;
    float4 color : LOC3;
    float4 at_6 : SV_Position;
};

float4 texels_load(Texture2DArray<float4> texels, uint3 at)
{
    float4 texel = texels.Load(int4(at.xy, at.z, int(0)));
    return texel;
}

float quat_double(float4 q)
{
    float square = dot(q, q);
    return ((square < 1e-24) ? 0.0 : (2.0 / square));
}

float3x3 mat3_from_doubled(float4 q_1, float twice)
{
    float3 double_ = (q_1.xyz * twice);
    float xx = (q_1.x * double_.x);
    float xy = (q_1.x * double_.y);
    float xz = (q_1.x * double_.z);
    float yy = (q_1.y * double_.y);
    float yz = (q_1.y * double_.z);
    float zz = (q_1.z * double_.z);
    float3 w = (q_1.w * double_);
    return float3x3(float3((1.0 - (yy + zz)), (xy + w.z), (xz - w.y)), float3((xy - w.z), (1.0 - (xx + zz)), (yz + w.x)), float3((xz + w.y), (yz - w.x), (1.0 - (xx + yy))));
}

float3x3 mat3_from_quat(float4 q_2)
{
    const float _e1 = quat_double(q_2);
    const float3x3 _e2 = mat3_from_doubled(q_2, _e1);
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
        float sum_2 = (y_1.y + x_1.x);
        float rest_1 = (1.0 + z_1.z);
        if ((sum_2 <= 0.0)) {
            q_3 = float4((x_1.z + z_1.x), (y_1.z + z_1.y), (rest_1 - sum_2), (x_1.y - y_1.x));
        } else {
            q_3 = float4((y_1.z - z_1.y), (z_1.x - x_1.z), (x_1.y - y_1.x), (rest_1 + sum_2));
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

float3 affine_point(Affine a_4, float3 point_)
{
    return (mul(point_, a_4.linear_) + a_4.translation);
}

float3 unit_or(float3 v_1, float3 fallback)
{
    float square_1 = dot(v_1, v_1);
    return ((square_1 > 0.0) ? (v_1 * rsqrt(square_1)) : fallback);
}

float3 affine_normal(Affine a_5, float3 normal)
{
    float3x3 m_2 = a_5.linear_;
    const float3 _e14 = unit_or(mul(normal, float3x3(cross(m_2[1], m_2[2]), cross(m_2[2], m_2[0]), cross(m_2[0], m_2[1]))), normal);
    return _e14;
}

float3 any_orthonormal(float3 v_2)
{
    float sign_ = ((v_2.z >= 0.0) ? 1.0 : -1.0);
    float a_7 = (-1.0 / (sign_ + v_2.z));
    float b_5 = ((v_2.x * v_2.y) * a_7);
    return float3(b_5, (sign_ + ((v_2.y * v_2.y) * a_7)), -(v_2.y));
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
    uint elapsed = (now - play.start);
    float rounds_per_tick = (1.0 / float(asint(play.period)));
    int round_ = naga_f2i32((float(asint((elapsed >> 1u))) * (2.0 * rounds_per_tick)));
    int in_round = asint((elapsed - (asuint(round_) * play.period)));
    float ends = clamp((float(asint(elapsed)) * rounds_per_tick), 0.0, 1.0);
    float phase = (wraps ? frac((float(in_round) * rounds_per_tick)) : ends);
    return (((play.clip_ & BACKWARDS) != 0u) ? (1.0 - phase) : phase);
}

float play_place(Play play_1, ClipTiming timing, uint now_1)
{
    const float _e4 = play_phase(play_1, timing.wraps, now_1);
    float playing = (_e4 * float(asint(asuint(int(timing.frames)) - asuint(int(1)))));
    return ((play_1.period == 0u) ? (asfloat(play_1.start) * timing.rate_hz) : playing);
}

float fade_weight(uint start, uint duration, uint now_2)
{
    if ((duration == 0u)) {
        return 0.0;
    }
    return clamp((float(asint((now_2 - start))) / float(duration)), 0.0, 1.0);
}

uint3 grid_texel(Grid grid, uint frame, uint item)
{
    uint column = (uint)0;
    uint row = (uint)0;
    uint layer = 0u;

    if ((grid.by_columns != 0u)) {
        return uint3((grid.first_column + frame), (grid.first_row + item), 0u);
    }
    column = item;
    row = (grid.first_row + (frame * grid.rows_per_frame));
    if ((grid.rows_per_frame > 1u)) {
        const uint _e24 = divide(item, grid.columns);
        uint _e25 = column;
        column = (_e25 - (_e24 * grid.columns));
        uint _e29 = row;
        row = (_e29 + _e24);
    }
    if ((grid.layers > 1u)) {
        uint _e34 = row;
        const uint _e36 = divide(_e34, grid.height);
        layer = _e36;
        uint _e37 = row;
        uint _e38 = layer;
        row = (_e37 - (_e38 * grid.height));
    }
    uint _e43 = column;
    uint _e45 = row;
    uint _e46 = layer;
    return uint3((grid.first_column + _e43), _e45, _e46);
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
    float place_4 = clamp(frames, 0.0, float(last));
    int index_1 = min(naga_f2i32(place_4), asint(asuint(max(last, int(1))) - asuint(int(1))));
    const FramePair framepair = ConstructFramePair((timing_1.first_frame + uint(index_1)), (timing_1.first_frame + uint(min(asint(asuint(index_1) + asuint(int(1))), last))), (place_4 - float(index_1)));
    return framepair;
}

uint4 bits_get(Texture2D<uint4> texels_1, uint at_1)
{
    uint4 _e8 = texels_1.Load(int3(uint2((at_1 & 2047u), (at_1 >> 11u)), int(0)));
    return _e8;
}

uint4 table_get(Texture2D<uint4> tables, uint at_2)
{
    const uint4 _e2 = bits_get(tables, at_2);
    return _e2;
}

float4 table_floats(Texture2D<uint4> tables_1, uint at_3)
{
    const uint4 _e2 = table_get(tables_1, at_3);
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

Affine table_affine(Texture2D<uint4> tables_3, uint at_4)
{
    const float4 _e2 = table_floats(tables_3, at_4);
    const float4 _e5 = table_floats(tables_3, (at_4 + 1u));
    const float4 _e8 = table_floats(tables_3, (at_4 + 2u));
    const Affine _e10 = affine_from_rows(float3x4(_e2, _e5, _e8));
    const Affine affine_3 = _e10;
    return affine_3;
}

float4 codec_unit(Codec codec, float4 raw)
{
    return ((codec.unit_offset).xxxx + (codec.unit_scale * raw));
}

Codec codec_of_bone(Codec codec_1, Texture2D<uint4> tables_4, uint bone)
{
    Codec own = (Codec)0;

    if ((codec_1.range_table == 0u)) {
        const Codec codec_3 = codec_1;
        return codec_3;
    }
    own = codec_1;
    const float4 _e12 = table_floats(tables_4, (codec_1.range_table + (2u * bone)));
    own.offset = _e12;
    const float4 _e20 = table_floats(tables_4, ((codec_1.range_table + (2u * bone)) + 1u));
    own.scale = _e20;
    Codec _e21 = own;
    const Codec codec_4 = _e21;
    return codec_4;
}

Play ConstructPlay(uint arg0, uint arg1, uint arg2) {
    Play ret = (Play)0;
    ret.clip_ = arg0;
    ret.start = arg1;
    ret.period = arg2;
    return ret;
}

Instance ConstructInstance(Affine arg0, float4 arg1, Play arg2, Play arg3, uint arg4, uint arg5, float arg6, uint arg7, uint arg8, uint arg9) {
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
    return ret;
}

Instance instance_unpack(uint4 x, uint4 y, uint4 z, uint4 a_6, uint4 b_4, uint4 c, uint index)
{
    float3x4 rows_1 = float3x4(asfloat(x), asfloat(y), asfloat(z));
    const Affine _e11 = affine_from_rows(rows_1);
    uint _e12 = a_6.x;
    const Instance instance_7 = ConstructInstance(_e11, (float4(_e12 & 0xFF, _e12 >> 8 & 0xFF, _e12 >> 16 & 0xFF, _e12 >> 24) / 255.0), ConstructPlay(a_6.y, a_6.z, a_6.w), ConstructPlay(b_4.x, b_4.y, b_4.z), b_4.w, c.x, asfloat(c.y), c.z, c.w, index);
    return instance_7;
}

Moved ConstructMoved(float3 arg0, float3 arg1) {
    Moved ret = (Moved)0;
    ret.position = arg0;
    ret.normal = arg1;
    return ret;
}

Moved instance_place(Instance instance, Moved bound, Moved moved)
{
    bool is_whole = (instance.fraction == 1.0);
    Moved pose_5 = ConstructMoved((is_whole ? moved.position : lerp(bound.position, moved.position, instance.fraction)), (is_whole ? moved.normal : lerp(bound.normal, moved.normal, instance.fraction)));
    const float3 _e21 = affine_point(instance.world_from_model, pose_5.position);
    const float3 _e24 = affine_normal(instance.world_from_model, pose_5.normal);
    const Moved moved_1 = ConstructMoved(_e21, _e24);
    return moved_1;
}

ClipTiming play_timing(Play play_2)
{
    uint _e4 = set_info.clip_table;
    const ClipTiming _e6 = clip_timing(tables_6, _e4, play_2.clip_);
    const ClipTiming cliptiming_1 = _e6;
    return cliptiming_1;
}

FramePair play_frames(Play play_3)
{
    const ClipTiming _e1 = play_timing(play_3);
    uint _e4 = frame_4.now;
    const float _e5 = play_place(play_3, _e1, _e4);
    const FramePair _e6 = frame_pair(_e1, _e5);
    const FramePair framepair_1 = _e6;
    return framepair_1;
}

float instance_fade(Instance instance_1)
{
    if (false) {
        return 0.0;
    }
    uint _e7 = frame_4.now;
    const float _e8 = fade_weight(instance_1.fade_start, instance_1.fade_duration, _e7);
    return _e8;
}

Frames ConstructFrames(FramePair arg0, FramePair arg1, float arg2) {
    Frames ret = (Frames)0;
    ret.first = arg0;
    ret.second = arg1;
    ret.fade = arg2;
    return ret;
}

Frames instance_frames(Instance instance_2)
{
    bool local = (bool)0;

    const float _e1 = instance_fade(instance_2);
    const FramePair _e3 = play_frames(instance_2.first);
    if (true) {
        local = (_e1 == 0.0);
    } else {
        local = true;
    }
    bool _e10 = local;
    if (_e10) {
        const Frames frames_1 = ConstructFrames(_e3, _e3, _e1);
        return frames_1;
    }
    const FramePair _e13 = play_frames(instance_2.second);
    const Frames frames_2 = ConstructFrames(_e3, _e13, _e1);
    return frames_2;
}

float4 texel_read(Texture2DArray<float4> texels_2, Grid grid_1, uint frame_1, uint item_1)
{
    const uint3 _e4 = grid_texel(grid_1, frame_1, item_1);
    const float4 _e5 = texels_load(texels_2, _e4);
    return _e5;
}

float3x4 texels_apart(Texture2DArray<float4> texels_3, Grid grid_2, uint frame_2, uint item_2, uint apart)
{
    const float4 _e5 = texel_read(texels_3, grid_2, frame_2, item_2);
    const float4 _e7 = texel_read(texels_3, grid_2, frame_2, (item_2 + apart));
    const float4 _e11 = texel_read(texels_3, grid_2, frame_2, (item_2 + (2u * apart)));
    return float3x4(_e5, _e7, _e11);
}

float3x4 texels_three(Texture2DArray<float4> texels_4, Grid grid_3, uint frame_3, uint item_3)
{
    const float3x4 _e5 = texels_apart(texels_4, grid_3, frame_3, item_3, 1u);
    return _e5;
}

Affine bone_decode(Codec own_1, float3x4 raw_1)
{
    const float4 _e3 = codec_unit(own_1, raw_1[0]);
    const float4 _e6 = codec_unit(own_1, raw_1[1]);
    const float4 _e9 = codec_unit(own_1, raw_1[2]);
    const Affine affine_4 = ConstructAffine(float3x3(_e3.xyz, _e6.xyz, _e9.xyz), (own_1.offset.xyz + (own_1.scale.xyz * float3(raw_1[0].w, raw_1[1].w, raw_1[2].w))));
    return affine_4;
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
        const Affine affine_5 = _e4;
        return affine_5;
    }
    const float4 _e6 = rotation_of(from_bone.linear_);
    const float4 _e8 = rotation_of(to_bone.linear_);
    const float3x3 _e9 = mat3_from_quat(_e6);
    float3x3 from_rest = mul(from_bone.linear_, transpose(_e9));
    const float3x3 _e13 = mat3_from_quat(_e8);
    float3x3 to_rest = mul(to_bone.linear_, transpose(_e13));
    const Affine _e21 = affine_mix(ConstructAffine(from_rest, from_bone.translation), ConstructAffine(to_rest, to_bone.translation), f_2);
    const float4 _e22 = quat_slerp(_e6, _e8, f_2);
    const float3x3 _e23 = mat3_from_quat(_e22);
    const Affine affine_6 = ConstructAffine(mul(_e21.linear_, _e23), _e21.translation);
    return affine_6;
}

uint naga_div(uint lhs, uint rhs) {
    return lhs / (rhs == 0u ? 1u : rhs);
}

Affine bone_between(Texture2DArray<float4> texels_5, Texture2D<uint4> tables_5, Grid grid_4, Codec codec_2, FramePair pair, uint place)
{
    const Codec _e8 = codec_of_bone(codec_2, tables_5, naga_div(place, 3u));
    const float3x4 _e10 = texels_three(texels_5, grid_4, pair.first, place);
    const float3x4 _e12 = texels_three(texels_5, grid_4, pair.second, place);
    if (false) {
        const Affine _e14 = bone_decode(_e8, _e10);
        const Affine _e15 = bone_decode(_e8, _e12);
        const Affine _e17 = bone_mix(_e14, _e15, pair.fraction);
        const Affine affine_7 = _e17;
        return affine_7;
    }
    const Affine _e25 = bone_decode(_e8, (mul((1.0 - pair.fraction), _e10) + mul(pair.fraction, _e12)));
    const Affine affine_8 = _e25;
    return affine_8;
}

Affine bone_fade(Affine from_bone_1, Affine to_bone_1, float f_3)
{
    const Affine _e3 = bone_mix(from_bone_1, to_bone_1, f_3);
    const Affine affine_9 = _e3;
    return affine_9;
}

Affine bone_to_affine(Affine bone_1)
{
    const Affine affine_10 = bone_1;
    return affine_10;
}

Frames pose_of(Instance instance_3)
{
    const Frames _e1 = instance_frames(instance_3);
    const Frames frames_3 = _e1;
    return frames_3;
}

Affine bone_of(FramePair pair_1, uint place_1)
{
    Grid _e6 = set_info.grid;
    Codec _e9 = set_info.codec;
    const Affine _e10 = bone_between(texels_6, tables_6, _e6, _e9, pair_1, place_1);
    const Affine affine_11 = _e10;
    return affine_11;
}

Affine pose_bone(Frames pose, uint place_2)
{
    bool local_1 = (bool)0;

    const Affine _e3 = bone_of(pose.first, place_2);
    if (true) {
        local_1 = (pose.fade == 0.0);
    } else {
        local_1 = true;
    }
    bool _e11 = local_1;
    if (_e11) {
        const Affine affine_12 = _e3;
        return affine_12;
    }
    const Affine _e13 = bone_of(pose.second, place_2);
    const Affine _e15 = bone_fade(_e3, _e13, pose.fade);
    const Affine affine_13 = _e15;
    return affine_13;
}

Affine joint_affine(Frames pose_1, uint joint)
{
    const Affine _e4 = pose_bone(pose_1, (joint >> 16u));
    const Affine _e5 = bone_to_affine(_e4);
    uint entry = (joint & 65535u);
    uint _e10 = set_info.inverse_binds_are_matrices;
    if ((_e10 == 0u)) {
        uint _e16 = set_info.inverse_bind_table;
        const float4 _e18 = table_floats(tables_6, (_e16 + entry));
        float3 moved_2 = _e18.xyz;
        const float3 _e21 = affine_point(_e5, moved_2);
        const Affine affine_14 = ConstructAffine(_e5.linear_, _e21);
        return affine_14;
    }
    uint _e26 = set_info.inverse_bind_table;
    const Affine _e30 = table_affine(tables_6, (_e26 + (3u * entry)));
    const Affine _e31 = affine_mul(_e5, _e30);
    const Affine affine_15 = _e31;
    return affine_15;
}

Influence ConstructInfluence(uint arg0, float arg1) {
    Influence ret = (Influence)0;
    ret.joint = arg0;
    ret.weight = arg1;
    return ret;
}

Influence influence_read(uint at_5)
{
    uint4 texel_1 = influences.Load(int3(uint2((at_5 & 2047u), (at_5 >> 11u)), int(0)));
    const Influence influence = ConstructInfluence(texel_1.x, asfloat(texel_1.y));
    return influence;
}

void add_matrix(inout Affine sum, Frames pose_2, uint joint_1, float weight)
{
    const Affine _e4 = joint_affine(pose_2, joint_1);
    float3x3 _e6 = sum.linear_;
    sum.linear_ = (_e6 + mul(weight, _e4.linear_));
    float3 _e11 = sum.translation;
    sum.translation = (_e11 + (_e4.translation * weight));
    return;
}

float3x3 ZeroValuefloat3x3() {
    return (float3x3)0;
}

Affine blend_matrices(Frames pose_3, Bound bound_1)
{
    Affine sum_1 = ConstructAffine(ZeroValuefloat3x3(), (0.0).xxx);
    uint2 joints = (uint2)0;
    float2 weights = (float2)0;
    bool local_2 = (bool)0;
    uint k = 0u;

    add_matrix(sum_1, pose_3, bound_1.joints.x, bound_1.weights.x);
    if (true) {
        add_matrix(sum_1, pose_3, bound_1.joints.y, bound_1.weights.y);
    }
    joints = bound_1.joints.zw;
    weights = bound_1.weights.zw;
    while(true) {
        if (true) {
            float _e26 = weights.x;
            local_2 = (_e26 != 0.0);
        } else {
            local_2 = false;
        }
        bool _e30 = local_2;
        if (_e30) {
        } else {
            break;
        }
        {
            uint _e32 = joints.x;
            float _e34 = weights.x;
            add_matrix(sum_1, pose_3, _e32, _e34);
            uint _e36 = joints.y;
            joints = uint2(_e36, 0u);
            float _e40 = weights.y;
            weights = float2(_e40, 0.0);
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
                const Influence _e54 = influence_read((bound_1.more.x + _e52));
                add_matrix(sum_1, pose_3, _e54.joint, _e54.weight);
            }
        }
    }
    Affine _e60 = sum_1;
    const Affine affine_16 = _e60;
    return affine_16;
}

Moved skin_vertex(Frames pose_4, Bound bound_2)
{
    const Affine _e2 = blend_matrices(pose_4, bound_2);
    const float3 _e4 = affine_point(_e2, bound_2.position);
    const float3 _e6 = affine_normal(_e2, bound_2.normal);
    const Moved moved_3 = ConstructMoved(_e4, _e6);
    return moved_3;
}

Bound morphed(Bound bound_3, Instance instance_4, uint2 place_3)
{
    const Bound bound_4 = bound_3;
    return bound_4;
}

Bound ConstructBound(float3 arg0, float3 arg1, float arg2, uint4 arg3, float4 arg4, uint2 arg5) {
    Bound ret = (Bound)0;
    ret.position = arg0;
    ret.normal = arg1;
    ret.factor = arg2;
    ret.joints = arg3;
    ret.weights = arg4;
    ret.more = arg5;
    return ret;
}

Moved deform(VertexIn v_3, Instance instance_5)
{
    float _e4 = frame_4.deform_factor;
    float factor = (_e4 * v_3.position.w);
    Bound bound_5 = ConstructBound(v_3.position.xyz, v_3.normal, factor, v_3.joints, v_3.weights, v_3.places.xy);
    const Frames _e16 = pose_of(instance_5);
    const Bound _e19 = morphed(bound_5, instance_5, v_3.places.zw);
    const Moved _e20 = skin_vertex(_e16, _e19);
    const Moved moved_4 = _e20;
    return moved_4;
}

Instance vertex_instance(VertexIn v_4)
{
    const Instance _e8 = instance_unpack(v_4.row_x, v_4.row_y, v_4.row_z, v_4.play_a, v_4.play_b, v_4.extra, v_4.instance);
    const Instance instance_8 = _e8;
    return instance_8;
}

Moved vertex_moved(VertexIn v_5, Instance instance_6)
{
    const Moved _e6 = deform(v_5, instance_6);
    const Moved _e7 = instance_place(instance_6, ConstructMoved(v_5.position.xyz, v_5.normal), _e6);
    const Moved moved_5 = _e7;
    return moved_5;
}

Drawn ConstructDrawn(float4 arg0, float3 arg1, float3 arg2, float2 arg3, float4 arg4) {
    Drawn ret = (Drawn)0;
    ret.at = arg0;
    ret.position = arg1;
    ret.normal = arg2;
    ret.uv = arg3;
    ret.color = arg4;
    return ret;
}

VertexOutput_draw_vertex draw_vertex(VertexIn v)
{
    const Instance _e1 = vertex_instance(v);
    const Moved _e2 = vertex_moved(v, _e1);
    float4x4 _e5 = frame_4.clip_from_world;
    float4 at_7 = mul(float4(_e2.position, 1.0), _e5);
    const Drawn drawn = ConstructDrawn(at_7, _e2.position, _e2.normal, v.uv, (v.color * _e1.tint));
    const VertexOutput_draw_vertex drawn_1 = { drawn.position, drawn.normal, drawn.uv, drawn.color, drawn.at };
    return drawn_1;
}
