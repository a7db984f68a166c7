// Entry point draw_vertex, generated from WGSL by naga: do not edit.
//   b0, space0     camera
//   b0, space1     set_info
//   t1, space1     tables
//   t2, space1     words
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

struct CurveHeader {
    uint3 widths;
    int _pad1_0;
    uint3 residual_widths;
    uint offset;
    uint spans;
    uint degree;
    uint step_;
    bool has_reference;
};

struct ClipRecord {
    uint first_word;
    uint segments;
    float segments_per_sec;
    float duration_secs;
    uint present;
};

struct Moment {
    uint masks;
    uint row;
    float position;
};

struct FoundHeader {
    bool is_present;
    uint first_key_word;
    int _pad2_0;
    int _pad2_1;
    CurveHeader header;
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

cbuffer frame : register(b14, space1) { Frame frame; }
cbuffer set_info : register(b0, space1) { SetInfo set_info; }
Texture2D<uint4> tables_2 : register(t1, space1);
Texture2DArray<uint4> words_10 : register(t2, space1);
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
    float a_7 = (-1.0 / (sign_ + v_2.z));
    float b_4 = ((v_2.x * v_2.y) * a_7);
    return float3(b_4, (sign_ + ((v_2.y * v_2.y) * a_7)), -(v_2.y));
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

uint2 NagaDimensions2DArray(Texture2DArray<uint4> tex)
{
    uint4 ret;
    tex.GetDimensions(0, ret.x, ret.y, ret.z, ret.w);
    return ret.xy;
}

uint words_get(Texture2DArray<uint4> words, uint word)
{
    uint2 size = NagaDimensions2DArray(words);
    const uint _e4 = divide(word, size.x);
    const uint _e6 = divide(_e4, size.y);
    uint4 _e15 = words.Load(int4(uint2((word - (_e4 * size.x)), (_e4 - (_e6 * size.y))), _e6, int(0)));
    return _e15.x;
}

uint words_join(uint low, uint high, uint shift)
{
    return ((low >> shift) | ((high << 1u) << (31u - shift)));
}

uint words_ones(uint bits)
{
    uint pairs = (bits - ((bits >> 1u) & 1431655765u));
    uint fours = ((pairs & 858993459u) + ((pairs >> 2u) & 858993459u));
    return ((((fours + (fours >> 4u)) & 252645135u) * 16843009u) >> 24u);
}

float words_float(Texture2DArray<uint4> words_1, uint word_1)
{
    const uint _e2 = words_get(words_1, word_1);
    return asfloat(_e2);
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

float play_time(Play play_1, ClipTiming timing, uint now_1)
{
    const float _e4 = play_phase(play_1, timing.wraps, now_1);
    float playing = (_e4 * timing.duration_secs);
    return ((play_1.period == 0u) ? asfloat(play_1.time) : playing);
}

float fade_weight(uint start, uint duration, uint now_2)
{
    if ((duration == 0u)) {
        return 0.0;
    }
    float running = clamp((float(asint((now_2 - start))) / float(duration)), 0.0, 1.0);
    return ((duration == HELD_FADE) ? asfloat(start) : running);
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

ClipTiming ConstructClipTiming(uint arg0, uint arg1, float arg2, float arg3, bool arg4) {
    ClipTiming ret = (ClipTiming)0;
    ret.first_frame = arg0;
    ret.frames = arg1;
    ret.rate_hz = arg2;
    ret.duration_secs = arg3;
    ret.wraps = arg4;
    return ret;
}

ClipTiming clip_timing(Texture2D<uint4> tables_1, uint first, uint clip_)
{
    const uint4 _e6 = table_get(tables_1, (first + (clip_ & 2147483647u)));
    const ClipTiming cliptiming = ConstructClipTiming(_e6.x, (_e6.y & 2147483647u), asfloat(_e6.z), asfloat(_e6.w), ((_e6.y >> 31u) != 0u));
    return cliptiming;
}

CurveHeader ConstructCurveHeader(uint3 arg0, uint3 arg1, uint arg2, uint arg3, uint arg4, uint arg5, bool arg6) {
    CurveHeader ret = (CurveHeader)0;
    ret.widths = arg0;
    ret.residual_widths = arg1;
    ret.offset = arg2;
    ret.spans = arg3;
    ret.degree = arg4;
    ret.step_ = arg5;
    ret.has_reference = arg6;
    return ret;
}

CurveHeader curve_header_unpack(uint a_2, uint b)
{
    const CurveHeader curveheader = ConstructCurveHeader(uint3((a_2 & 31u), ((a_2 >> 5u) & 31u), ((a_2 >> 10u) & 31u)), uint3(((a_2 >> 15u) & 31u), ((a_2 >> 20u) & 31u), ((a_2 >> 25u) & 31u)), (b & 262143u), (((b >> 18u) & 63u) + 1u), (a_2 >> 30u), ((b >> 24u) & 127u), ((b >> 31u) == 1u));
    return curveheader;
}

float step_size(uint step_)
{
    return asfloat(((492u - step_) << 21u));
}

float4 spline_weights(uint degree, float f)
{
    float g = (1.0 - f);
    switch(degree) {
        case 0u: {
            return float4(1.0, 0.0, 0.0, 0.0);
        }
        case 1u: {
            return float4(g, f, 0.0, 0.0);
        }
        case 2u: {
            return float4(((0.5 * g) * g), (0.5 + (f * g)), ((0.5 * f) * f), 0.0);
        }
        default: {
            return (float4(((g * g) * g), (4.0 - (((3.0 * f) * f) * (1.0 + g))), (4.0 - (((3.0 * g) * g) * (1.0 + f))), ((f * f) * f)) / (6.0).xxxx);
        }
    }
}

uint naga_div(uint lhs, uint rhs) {
    return lhs / (rhs == 0u ? 1u : rhs);
}

uint naga_mod(uint lhs, uint rhs) {
    return lhs % (rhs == 0u ? 1u : rhs);
}

float3 read_vector(Texture2DArray<uint4> words_2, uint first_word, uint bit, uint3 widths)
{
    uint word_2 = (first_word + naga_div(bit, 32u));
    uint shift_1 = naga_mod(bit, 32u);
    const uint _e11 = words_get(words_2, (word_2 + 1u));
    const uint _e12 = words_get(words_2, word_2);
    const uint _e13 = words_join(_e12, _e11, shift_1);
    const uint _e16 = words_get(words_2, (word_2 + 2u));
    const uint _e17 = words_join(_e11, _e16, shift_1);
    const uint _e19 = words_join(_e13, _e17, widths.x);
    const uint _e23 = words_join(_e19, (_e17 >> widths.x), widths.y);
    uint3 bits_1 = (uint3(_e13, _e19, _e23) & (((1u).xxx << widths) - (1u).xxx));
    uint3 middle = (((1u).xxx << widths) >> (1u).xxx);
    return float3(asint((bits_1 - middle)));
}

float3 read_key(Texture2DArray<uint4> words_3, uint first_key_word, CurveHeader header, uint key)
{
    bool local = (bool)0;

    uint3 w = header.widths;
    uint3 v_7 = header.residual_widths;
    uint full_bits = ((w.x + w.y) + w.z);
    bool is_odd = ((key & 1u) == 1u);
    if (is_odd) {
        local = ((key + 1u) < (header.spans + header.degree));
    } else {
        local = false;
    }
    bool is_residual = local;
    uint reference = (header.has_reference ? 30u : 0u);
    uint bit_1 = (((header.offset + reference) + ((key >> 1u) * (((full_bits + v_7.x) + v_7.y) + v_7.z))) + (is_odd ? full_bits : 0u));
    const float3 _e45 = read_vector(words_3, first_key_word, bit_1, (is_residual ? v_7 : w));
    return _e45;
}

float3 vector_curve(Texture2DArray<uint4> words_4, uint first_key_word_1, CurveHeader header_1, float position)
{
    float4 weights = (float4)0;
    float last_weight = (float)0;
    float3 full = (float3)0;
    float3 sum = (float3)0;
    uint odd = (uint)0;
    float3 key_1 = (float3)0;

    int spans = asint(header_1.spans);
    float along = (position * float(spans));
    int span = min(naga_f2i32(along), asint(asuint(spans) - asuint(int(1))));
    uint first_1 = asuint(span);
    uint last = ((header_1.spans + header_1.degree) - 1u);
    uint end = (first_1 + header_1.degree);
    uint start_1 = (first_1 & 4294967294u);
    const float4 _e25 = spline_weights(header_1.degree, (along - float(span)));
    bool is_odd_1 = (first_1 != start_1);
    weights = (is_odd_1 ? float4(0.0, _e25.xyz) : _e25);
    last_weight = (is_odd_1 ? _e25.w : 0.0);
    const float3 _e36 = read_key(words_4, first_key_word_1, header_1, start_1);
    full = _e36;
    float _e39 = weights.x;
    float3 _e40 = full;
    sum = (_e39 * _e40);
    odd = (start_1 + 1u);
    bool loop_init = true;
    while(true) {
        if (!loop_init) {
            uint _e80 = odd;
            odd = (_e80 + 2u);
        }
        loop_init = false;
        uint _e46 = odd;
        if ((_e46 <= end)) {
        } else {
            break;
        }
        {
            uint _e48 = odd;
            const float3 _e49 = read_key(words_4, first_key_word_1, header_1, _e48);
            key_1 = _e49;
            uint _e51 = odd;
            if ((_e51 < last)) {
                uint _e53 = odd;
                const float3 _e56 = read_key(words_4, first_key_word_1, header_1, (_e53 + 1u));
                float3 _e57 = key_1;
                float3 _e58 = full;
                key_1 = (_e57 + (0.5 * (_e58 + _e56)));
                full = _e56;
            }
            float3 _e63 = sum;
            float _e65 = weights.y;
            float3 _e66 = key_1;
            float _e69 = weights.z;
            float3 _e70 = full;
            sum = (_e63 + ((_e65 * _e66) + (_e69 * _e70)));
            float4 _e74 = weights;
            float _e76 = last_weight;
            weights = float4(_e74.zw, _e76, 0.0);
            last_weight = 0.0;
        }
    }
    float3 _e83 = sum;
    const float _e85 = step_size(header_1.step_);
    return (_e83 * _e85);
}

float3 read_reference(Texture2DArray<uint4> words_5, uint first_key_word_2, CurveHeader header_2)
{
    const float3 _e6 = read_vector(words_5, first_key_word_2, header_2.offset, (10u).xxx);
    return (_e6 / (512.0).xxx);
}

uint row_words(uint present)
{
    return ((present * HEADER_WORDS) + naga_div(((present + BLOCK_CURVES) - 1u), BLOCK_CURVES));
}

uint mask_words(uint curves)
{
    return (naga_div(((curves + BLOCK_CURVES) - 1u), BLOCK_CURVES) * MASK_WORDS);
}

ClipRecord ConstructClipRecord(uint arg0, uint arg1, float arg2, float arg3, uint arg4) {
    ClipRecord ret = (ClipRecord)0;
    ret.first_word = arg0;
    ret.segments = arg1;
    ret.segments_per_sec = arg2;
    ret.duration_secs = arg3;
    ret.present = arg4;
    return ret;
}

ClipRecord clip_record_read(Texture2DArray<uint4> words_6, uint clip_table, uint clip_1)
{
    uint at_2 = (clip_table + (clip_1 * CLIP_WORDS));
    const uint _e6 = words_get(words_6, at_2);
    const uint _e9 = words_get(words_6, (at_2 + 1u));
    const float _e12 = words_float(words_6, (at_2 + 2u));
    const float _e15 = words_float(words_6, (at_2 + 3u));
    const uint _e18 = words_get(words_6, (at_2 + 4u));
    const ClipRecord cliprecord = ConstructClipRecord(_e6, _e9, _e12, _e15, _e18);
    return cliprecord;
}

Moment ConstructMoment(uint arg0, uint arg1, float arg2) {
    Moment ret = (Moment)0;
    ret.masks = arg0;
    ret.row = arg1;
    ret.position = arg2;
    return ret;
}

Moment moment_find(Texture2DArray<uint4> words_7, uint clip_table_1, uint curves_1, uint clip_2, float time_secs)
{
    const ClipRecord _e5 = clip_record_read(words_7, clip_table_1, clip_2);
    float position_1 = (clamp(time_secs, 0.0, _e5.duration_secs) * _e5.segments_per_sec);
    int segment = min(naga_f2i32(position_1), asint(asuint(asint(_e5.segments)) - asuint(int(1))));
    const uint _e18 = mask_words(curves_1);
    const uint _e22 = row_words(_e5.present);
    uint row = ((_e5.first_word + _e18) + (asuint(segment) * _e22));
    const Moment moment_2 = ConstructMoment(_e5.first_word, row, min((position_1 - float(segment)), 1.0));
    return moment_2;
}

FoundHeader moment_header(Texture2DArray<uint4> words_8, Moment moment, uint curve)
{
    FoundHeader found = (FoundHeader)0;

    uint at_3 = (moment.masks + (naga_div(curve, BLOCK_CURVES) * MASK_WORDS));
    const uint _e10 = words_get(words_8, at_3);
    uint bit_2 = (1u << naga_mod(curve, BLOCK_CURVES));
    found.is_present = ((_e10 & bit_2) != 0u);
    bool _e20 = found.is_present;
    if (_e20) {
        const uint _e23 = words_get(words_8, (at_3 + 1u));
        const uint _e27 = words_ones((_e10 & (bit_2 - 1u)));
        uint rank = (_e23 + _e27);
        uint block = (moment.row + (naga_div(rank, BLOCK_CURVES) * 65u));
        uint header_3 = ((block + 1u) + (naga_mod(rank, BLOCK_CURVES) * HEADER_WORDS));
        const uint _e43 = words_get(words_8, block);
        found.first_key_word = _e43;
        const uint _e45 = words_get(words_8, header_3);
        const uint _e48 = words_get(words_8, (header_3 + 1u));
        const CurveHeader _e49 = curve_header_unpack(_e45, _e48);
        found.header = _e49;
    }
    FoundHeader _e50 = found;
    const FoundHeader foundheader = _e50;
    return foundheader;
}

float3 moment_vector(Texture2DArray<uint4> words_9, Moment moment_1, uint curve_1)
{
    float3 value = (float3)0;

    const FoundHeader _e3 = moment_header(words_9, moment_1, curve_1);
    if (!(_e3.is_present)) {
        return (0.0).xxx;
    }
    const float3 _e11 = vector_curve(words_9, _e3.first_key_word, _e3.header, moment_1.position);
    value = _e11;
    if (_e3.header.has_reference) {
        float3 _e15 = value;
        const float3 _e18 = read_reference(words_9, _e3.first_key_word, _e3.header);
        value = (_e15 + _e18);
    }
    float3 _e20 = value;
    return _e20;
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

float3 affine_tangent(Affine a_3, float3 tangent_1, float3 normal_2)
{
    if (true) {
        return (0.0).xxx;
    }
    const float3 _e8 = flat_tangent(mul(tangent_1, a_3.linear_), normal_2);
    return _e8;
}

float3 tangent_mix(float3 a_4, float3 b_1, float f_1, float3 normal_3)
{
    if (true) {
        return (0.0).xxx;
    }
    const float3 _e8 = flat_tangent(lerp(a_4, b_1, f_1), normal_3);
    return _e8;
}

Deformed ConstructDeformed(float3 arg0, float3 arg1, float3 arg2) {
    Deformed ret = (Deformed)0;
    ret.position = arg0;
    ret.normal = arg1;
    ret.tangent = arg2;
    return ret;
}

Deformed deformed_mix(Deformed a_5, Deformed b_2, float f_2)
{
    const float3 _e7 = unit_or(lerp(a_5.normal, b_2.normal, f_2), a_5.normal);
    const float3 _e13 = tangent_mix(a_5.tangent, b_2.tangent, f_2, _e7);
    const Deformed deformed_1 = ConstructDeformed(lerp(a_5.position, b_2.position, f_2), _e7, _e13);
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

Instance instance_unpack(uint4 x, uint4 y, uint4 z, uint4 a_6, uint4 b_3, uint4 c, uint index, uint now_3)
{
    float3x4 rows_1 = float3x4(asfloat(x), asfloat(y), asfloat(z));
    const Affine _e12 = affine_from_rows(rows_1);
    uint _e13 = a_6.x;
    const Instance instance_5 = ConstructInstance(_e12, (float4(_e13 & 0xFF, _e13 >> 8 & 0xFF, _e13 >> 16 & 0xFF, _e13 >> 24) / 255.0), ConstructPlay(a_6.y, a_6.z, a_6.w), ConstructPlay(b_3.x, b_3.y, b_3.z), b_3.w, c.x, asfloat(c.y), c.z, c.w, index, now_3);
    return instance_5;
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
    const ClipTiming _e6 = clip_timing(tables_2, _e4, play_2.clip_);
    const ClipTiming cliptiming_1 = _e6;
    return cliptiming_1;
}

float instance_fade(Instance instance_2)
{
    if (false) {
        return 0.0;
    }
    const float _e6 = fade_weight(instance_2.fade_start, instance_2.fade_duration, instance_2.now);
    return _e6;
}

Deformed vertex_moment(Play play_3, uint now_4, uint2 items)
{
    const ClipTiming _e3 = play_timing(play_3);
    const float _e4 = play_time(play_3, _e3, now_4);
    JointCurves tables_3 = set_info.joint_curves;
    const Moment _e14 = moment_find(words_10, tables_3.clip_table, tables_3.curves, (play_3.clip_ & 2147483647u), _e4);
    const float3 _e17 = moment_vector(words_10, _e14, items.x);
    uint _e21 = set_info.position_curves;
    const float3 _e24 = moment_vector(words_10, _e14, (_e21 + items.y));
    float4 range = set_info.vertex_curve_range;
    const float3 _e36 = unit_or(_e24, float3(0.0, 1.0, 0.0));
    const Deformed deformed_4 = ConstructDeformed((range.xyz + (range.w * _e17)), _e36, (0.0).xxx);
    return deformed_4;
}

Deformed deform(VertexIn v_3, Instance instance_3)
{
    Deformed deformed = (Deformed)0;
    bool local_1 = (bool)0;

    const Deformed _e6 = vertex_moment(instance_3.first, instance_3.now, v_3.indices_.zw);
    deformed = _e6;
    const float _e8 = instance_fade(instance_3);
    if (HAS_FADES) {
        local_1 = (_e8 != 0.0);
    } else {
        local_1 = false;
    }
    bool _e15 = local_1;
    if (_e15) {
        Deformed _e16 = deformed;
        const Deformed _e21 = vertex_moment(instance_3.second, instance_3.now, v_3.indices_.zw);
        const Deformed _e22 = deformed_mix(_e16, _e21, _e8);
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
    uint _e10 = frame.now;
    const Instance _e11 = instance_unpack(v_4.row_x, v_4.row_y, v_4.row_z, v_4.play_a, v_4.play_b, v_4.extra, v_4.instance, _e10);
    const Instance instance_6 = _e11;
    return instance_6;
}

float3 vertex_tangent(VertexIn v_5)
{
    return (0.0).xxx;
}

Deformed vertex_deformed(VertexIn v_6, Instance instance_4)
{
    const float3 _e5 = vertex_tangent(v_6);
    Deformed bind_2 = ConstructDeformed(v_6.position.xyz, v_6.normal, _e5);
    const Deformed _e7 = deform(v_6, instance_4);
    const Deformed _e8 = instance_transform(instance_4, bind_2, _e7);
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
