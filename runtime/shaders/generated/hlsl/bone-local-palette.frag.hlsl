// Entry point fill_palette_fragment, generated from WGSL by naga: do not edit.
//   b0, space1   set_info
//   t1, space1   tables
//   t2, space1   words
//   t7, space1   instances
//   b14, space1  frame

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

struct SpanKeys {
    row_major float4x3 keys;
    int _pad1_0;
    float4 weights;
    float f;
    int _end_pad_0;
    int _end_pad_1;
    int _end_pad_2;
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

struct JointRecord {
    uint parent;
    uint first_curve;
    int _pad2_0;
    int _pad2_1;
    float3 translation;
    float translation_extent;
    float3 rotation;
    bool has_scale;
    float3 scale;
    float scale_extent;
};

struct LocalJoint {
    float3 translation;
    int _pad1_0;
    float4 rotation;
    float3 scale;
    int _end_pad_0;
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

struct Pose {
    Moment first;
    Moment second;
    float fade;
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

cbuffer frame_1 : register(b14, space1) { Frame frame_1; }
cbuffer set_info : register(b0, space1) { SetInfo set_info; }
Texture2D<uint4> tables_4 : register(t1, space1);
Texture2DArray<uint4> words_16 : register(t2, space1);
Texture2D<uint4> instances : register(t7, space1);

struct FragmentInput_fill_palette_fragment {
    float4 at_6 : SV_Position;
};

float4 quat_mul(float4 a, float4 b)
{
    return float4((((a.w * b.xyz) + (b.w * a.xyz)) + cross(a.xyz, b.xyz)), ((a.w * b.w) - dot(a.xyz, b.xyz)));
}

float quat_matrix_scale(float4 q)
{
    float square_1 = dot(q, q);
    return ((square_1 < 1e-24) ? 0.0 : (2.0 / square_1));
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

float4 quat_from_mrp_unnormalized(float3 p, float square)
{
    return float4((2.0 * p), (1.0 - square));
}

float4 quat_from_mrp(float3 p_1)
{
    float square_2 = dot(p_1, p_1);
    const float4 _e2 = quat_from_mrp_unnormalized(p_1, square_2);
    return (_e2 * (1.0 / (1.0 + square_2)));
}

float4 quat_aligned(float4 a_1, float4 b_1)
{
    return ((dot(a_1, b_1) < 0.0) ? -(b_1) : b_1);
}

float4 quat_nlerp(float4 a_2, float4 b_2, float f)
{
    const float4 _e3 = quat_aligned(a_2, b_2);
    return normalize(lerp(a_2, _e3, f));
}

Affine ConstructAffine(float3x3 arg0, float3 arg1) {
    Affine ret = (Affine)0;
    ret.linear_ = arg0;
    ret.translation = arg1;
    return ret;
}

Affine affine_mul(Affine a_3, Affine b_3)
{
    const Affine affine = ConstructAffine(mul(b_3.linear_, a_3.linear_), (mul(b_3.translation, a_3.linear_) + a_3.translation));
    return affine;
}

float3x4 affine_to_rows(Affine a_4)
{
    return transpose(float4x3(a_4.linear_[0], a_4.linear_[1], a_4.linear_[2], a_4.translation));
}

Affine affine_from_rows(float3x4 rows)
{
    float4x3 columns = transpose(rows);
    const Affine affine_1 = ConstructAffine(float3x3(columns[0], columns[1], columns[2]), columns[3]);
    return affine_1;
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

float3 words_vector(Texture2DArray<uint4> words_2, uint word_2)
{
    const float _e2 = words_float(words_2, word_2);
    const float _e5 = words_float(words_2, (word_2 + 1u));
    const float _e8 = words_float(words_2, (word_2 + 2u));
    return float3(_e2, _e5, _e8);
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

uint4 bits_get(Texture2D<uint4> texels, uint at_1)
{
    uint4 _e8 = texels.Load(int3(uint2((at_1 & 2047u), (at_1 >> 11u)), int(0)));
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
    const Affine affine_2 = _e10;
    return affine_2;
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

CurveHeader curve_header_unpack(uint a_5, uint b_4)
{
    const CurveHeader curveheader = ConstructCurveHeader(uint3((a_5 & 31u), ((a_5 >> 5u) & 31u), ((a_5 >> 10u) & 31u)), uint3(((a_5 >> 15u) & 31u), ((a_5 >> 20u) & 31u), ((a_5 >> 25u) & 31u)), (b_4 & 262143u), (((b_4 >> 18u) & 63u) + 1u), (a_5 >> 30u), ((b_4 >> 24u) & 127u), ((b_4 >> 31u) == 1u));
    return curveheader;
}

float step_size(uint step_)
{
    return asfloat(((492u - step_) << 21u));
}

float4 spline_weights(uint degree, float f_1)
{
    float g = (1.0 - f_1);
    switch(degree) {
        case 0u: {
            return float4(1.0, 0.0, 0.0, 0.0);
        }
        case 1u: {
            return float4(g, f_1, 0.0, 0.0);
        }
        case 2u: {
            return float4(((0.5 * g) * g), (0.5 + (f_1 * g)), ((0.5 * f_1) * f_1), 0.0);
        }
        default: {
            return (float4(((g * g) * g), (4.0 - (((3.0 * f_1) * f_1) * (1.0 + g))), (4.0 - (((3.0 * g) * g) * (1.0 + f_1))), ((f_1 * f_1) * f_1)) / (6.0).xxxx);
        }
    }
}

float slerp_weight(float cosine, float f_2)
{
    float u = (1.0 - cosine);
    float h = (f_2 - 0.5);
    float a_8 = (u * (-0.07579292 + (0.8732116 * u)));
    float b_7 = (u * (0.6748337 + (u * (0.09039828 + (0.09375652 * u)))));
    return (f_2 + (((f_2 * h) * (f_2 - 1.0)) * (((a_8 * h) * h) + b_7)));
}

uint naga_div(uint lhs, uint rhs) {
    return lhs / (rhs == 0u ? 1u : rhs);
}

uint naga_mod(uint lhs, uint rhs) {
    return lhs % (rhs == 0u ? 1u : rhs);
}

float3 read_vector(Texture2DArray<uint4> words_3, uint first_word, uint bit, uint3 widths)
{
    uint word_4 = (first_word + naga_div(bit, 32u));
    uint shift_1 = naga_mod(bit, 32u);
    const uint _e11 = words_get(words_3, (word_4 + 1u));
    const uint _e12 = words_get(words_3, word_4);
    const uint _e13 = words_join(_e12, _e11, shift_1);
    const uint _e16 = words_get(words_3, (word_4 + 2u));
    const uint _e17 = words_join(_e11, _e16, shift_1);
    const uint _e19 = words_join(_e13, _e17, widths.x);
    const uint _e23 = words_join(_e19, (_e17 >> widths.x), widths.y);
    uint3 bits_1 = (uint3(_e13, _e19, _e23) & (((1u).xxx << widths) - (1u).xxx));
    uint3 middle = (((1u).xxx << widths) >> (1u).xxx);
    return float3(asint((bits_1 - middle)));
}

float3 read_key(Texture2DArray<uint4> words_4, uint first_key_word, CurveHeader header, uint key)
{
    bool local = (bool)0;

    uint3 w_1 = header.widths;
    uint3 v = header.residual_widths;
    uint full_bits = ((w_1.x + w_1.y) + w_1.z);
    bool is_odd = ((key & 1u) == 1u);
    if (is_odd) {
        local = ((key + 1u) < (header.spans + header.degree));
    } else {
        local = false;
    }
    bool is_residual = local;
    uint reference_1 = (header.has_reference ? 30u : 0u);
    uint bit_1 = (((header.offset + reference_1) + ((key >> 1u) * (((full_bits + v.x) + v.y) + v.z))) + (is_odd ? full_bits : 0u));
    const float3 _e45 = read_vector(words_4, first_key_word, bit_1, (is_residual ? v : w_1));
    return _e45;
}

SpanKeys ConstructSpanKeys(float4x3 arg0, float4 arg1, float arg2) {
    SpanKeys ret = (SpanKeys)0;
    ret.keys = arg0;
    ret.weights = arg1;
    ret.f = arg2;
    return ret;
}

float4x3 ZeroValuefloat4x3() {
    return (float4x3)0;
}

SpanKeys span_keys(Texture2DArray<uint4> words_5, uint first_key_word_1, CurveHeader header_1, float position)
{
    float3 full = (float3)0;
    float4x3 keys = ZeroValuefloat4x3();
    uint pair = (uint)0;
    float3 key_1 = (float3)0;

    int spans = asint(header_1.spans);
    float along = (position * float(spans));
    int span = min(naga_f2i32(along), asint(asuint(spans) - asuint(int(1))));
    float f_4 = (along - float(span));
    uint first_1 = asuint(span);
    uint last = ((header_1.spans + header_1.degree) - 1u);
    uint end = (first_1 + header_1.degree);
    uint start_1 = (first_1 & 4294967294u);
    const float3 _e24 = read_key(words_5, first_key_word_1, header_1, start_1);
    full = _e24;
    pair = start_1;
    bool loop_init = true;
    while(true) {
        if (!loop_init) {
            uint _e56 = pair;
            pair = (_e56 + 2u);
        }
        loop_init = false;
        uint _e29 = pair;
        if ((_e29 <= end)) {
        } else {
            break;
        }
        {
            uint _e31 = pair;
            if ((_e31 >= first_1)) {
                uint _e33 = pair;
                float3 _e36 = full;
                keys[min(uint((_e33 - first_1)), 3u)] = _e36;
            }
            uint _e37 = pair;
            uint odd_1 = (_e37 + 1u);
            if ((odd_1 > end)) {
                break;
            }
            const float3 _e41 = read_key(words_5, first_key_word_1, header_1, odd_1);
            key_1 = _e41;
            if ((odd_1 < last)) {
                const float3 _e46 = read_key(words_5, first_key_word_1, header_1, (odd_1 + 1u));
                float3 _e47 = key_1;
                float3 _e48 = full;
                key_1 = (_e47 + (0.5 * (_e48 + _e46)));
                full = _e46;
            }
            float3 _e55 = key_1;
            keys[min(uint((odd_1 - first_1)), 3u)] = _e55;
        }
    }
    float4x3 _e59 = keys;
    const float4 _e61 = spline_weights(header_1.degree, f_4);
    const SpanKeys spankeys = ConstructSpanKeys(_e59, _e61, f_4);
    return spankeys;
}

float3 vector_curve(Texture2DArray<uint4> words_6, uint first_key_word_2, CurveHeader header_2, float position_1)
{
    float4 weights = (float4)0;
    float last_weight = (float)0;
    float3 full_1 = (float3)0;
    float3 sum = (float3)0;
    uint odd = (uint)0;
    float3 key_2 = (float3)0;

    int spans_1 = asint(header_2.spans);
    float along_1 = (position_1 * float(spans_1));
    int span_1 = min(naga_f2i32(along_1), asint(asuint(spans_1) - asuint(int(1))));
    uint first_2 = asuint(span_1);
    uint last_1 = ((header_2.spans + header_2.degree) - 1u);
    uint end_1 = (first_2 + header_2.degree);
    uint start_2 = (first_2 & 4294967294u);
    const float4 _e25 = spline_weights(header_2.degree, (along_1 - float(span_1)));
    bool is_odd_1 = (first_2 != start_2);
    weights = (is_odd_1 ? float4(0.0, _e25.xyz) : _e25);
    last_weight = (is_odd_1 ? _e25.w : 0.0);
    const float3 _e36 = read_key(words_6, first_key_word_2, header_2, start_2);
    full_1 = _e36;
    float _e39 = weights.x;
    float3 _e40 = full_1;
    sum = (_e39 * _e40);
    odd = (start_2 + 1u);
    bool loop_init_1 = true;
    while(true) {
        if (!loop_init_1) {
            uint _e80 = odd;
            odd = (_e80 + 2u);
        }
        loop_init_1 = false;
        uint _e46 = odd;
        if ((_e46 <= end_1)) {
        } else {
            break;
        }
        {
            uint _e48 = odd;
            const float3 _e49 = read_key(words_6, first_key_word_2, header_2, _e48);
            key_2 = _e49;
            uint _e51 = odd;
            if ((_e51 < last_1)) {
                uint _e53 = odd;
                const float3 _e56 = read_key(words_6, first_key_word_2, header_2, (_e53 + 1u));
                float3 _e57 = key_2;
                float3 _e58 = full_1;
                key_2 = (_e57 + (0.5 * (_e58 + _e56)));
                full_1 = _e56;
            }
            float3 _e63 = sum;
            float _e65 = weights.y;
            float3 _e66 = key_2;
            float _e69 = weights.z;
            float3 _e70 = full_1;
            sum = (_e63 + ((_e65 * _e66) + (_e69 * _e70)));
            float4 _e74 = weights;
            float _e76 = last_weight;
            weights = float4(_e74.zw, _e76, 0.0);
            last_weight = 0.0;
        }
    }
    float3 _e83 = sum;
    const float _e85 = step_size(header_2.step_);
    return (_e83 * _e85);
}

float4 rotation_curve(Texture2DArray<uint4> words_7, uint first_key_word_3, CurveHeader header_3, float position_2)
{
    float4 weights_1 = (float4)0;
    float4 sum_1 = (float4)0;

    const SpanKeys _e4 = span_keys(words_7, first_key_word_3, header_3, position_2);
    const float _e6 = step_size(header_3.step_);
    const float4 _e10 = quat_from_mrp((_e6 * _e4.keys[0]));
    const float4 _e14 = quat_from_mrp((_e6 * _e4.keys[1]));
    weights_1 = _e4.weights;
    if ((header_3.degree == 1u)) {
        const float _e25 = slerp_weight(clamp(dot(_e10, _e14), 0.0, 1.0), _e4.f);
        weights_1 = float4((1.0 - _e25), _e25, 0.0, 0.0);
    }
    float _e32 = weights_1.x;
    float _e35 = weights_1.y;
    sum_1 = ((_e32 * _e10) + (_e35 * _e14));
    if ((header_3.degree > 1u)) {
        float4 _e42 = sum_1;
        float _e44 = weights_1.z;
        const float4 _e48 = quat_from_mrp((_e6 * _e4.keys[2]));
        float _e51 = weights_1.w;
        const float4 _e55 = quat_from_mrp((_e6 * _e4.keys[3]));
        sum_1 = (_e42 + ((_e44 * _e48) + (_e51 * _e55)));
    }
    float4 _e59 = sum_1;
    float4 _e60 = sum_1;
    return (_e59 / (length(_e60)).xxxx);
}

float3 read_reference(Texture2DArray<uint4> words_8, uint first_key_word_4, CurveHeader header_4)
{
    const float3 _e6 = read_vector(words_8, first_key_word_4, header_4.offset, (10u).xxx);
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

ClipRecord clip_record_read(Texture2DArray<uint4> words_9, uint clip_table, uint clip_1)
{
    uint at_7 = (clip_table + (clip_1 * CLIP_WORDS));
    const uint _e6 = words_get(words_9, at_7);
    const uint _e9 = words_get(words_9, (at_7 + 1u));
    const float _e12 = words_float(words_9, (at_7 + 2u));
    const float _e15 = words_float(words_9, (at_7 + 3u));
    const uint _e18 = words_get(words_9, (at_7 + 4u));
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

Moment moment_find(Texture2DArray<uint4> words_10, uint clip_table_1, uint curves_1, uint clip_2, float time_secs)
{
    const ClipRecord _e5 = clip_record_read(words_10, clip_table_1, clip_2);
    float position_3 = (clamp(time_secs, 0.0, _e5.duration_secs) * _e5.segments_per_sec);
    int segment = min(naga_f2i32(position_3), asint(asuint(asint(_e5.segments)) - asuint(int(1))));
    const uint _e18 = mask_words(curves_1);
    const uint _e22 = row_words(_e5.present);
    uint row = ((_e5.first_word + _e18) + (asuint(segment) * _e22));
    const Moment moment_4 = ConstructMoment(_e5.first_word, row, min((position_3 - float(segment)), 1.0));
    return moment_4;
}

FoundHeader moment_header(Texture2DArray<uint4> words_11, Moment moment, uint curve)
{
    FoundHeader found = (FoundHeader)0;

    uint at_8 = (moment.masks + (naga_div(curve, BLOCK_CURVES) * MASK_WORDS));
    const uint _e10 = words_get(words_11, at_8);
    uint bit_2 = (1u << naga_mod(curve, BLOCK_CURVES));
    found.is_present = ((_e10 & bit_2) != 0u);
    bool _e20 = found.is_present;
    if (_e20) {
        const uint _e23 = words_get(words_11, (at_8 + 1u));
        const uint _e27 = words_ones((_e10 & (bit_2 - 1u)));
        uint rank = (_e23 + _e27);
        uint block = (moment.row + (naga_div(rank, BLOCK_CURVES) * 65u));
        uint header_5 = ((block + 1u) + (naga_mod(rank, BLOCK_CURVES) * HEADER_WORDS));
        const uint _e43 = words_get(words_11, block);
        found.first_key_word = _e43;
        const uint _e45 = words_get(words_11, header_5);
        const uint _e48 = words_get(words_11, (header_5 + 1u));
        const CurveHeader _e49 = curve_header_unpack(_e45, _e48);
        found.header = _e49;
    }
    FoundHeader _e50 = found;
    const FoundHeader foundheader = _e50;
    return foundheader;
}

float3 moment_vector(Texture2DArray<uint4> words_12, Moment moment_1, uint curve_1)
{
    float3 value = (float3)0;

    const FoundHeader _e3 = moment_header(words_12, moment_1, curve_1);
    if (!(_e3.is_present)) {
        return (0.0).xxx;
    }
    const float3 _e11 = vector_curve(words_12, _e3.first_key_word, _e3.header, moment_1.position);
    value = _e11;
    if (_e3.header.has_reference) {
        float3 _e15 = value;
        const float3 _e18 = read_reference(words_12, _e3.first_key_word, _e3.header);
        value = (_e15 + _e18);
    }
    float3 _e20 = value;
    return _e20;
}

float4 moment_rotation(Texture2DArray<uint4> words_13, Moment moment_2, uint curve_2, float4 constant)
{
    float4 reference = (float4)0;

    const FoundHeader _e4 = moment_header(words_13, moment_2, curve_2);
    if (!(_e4.is_present)) {
        return constant;
    }
    reference = constant;
    if (_e4.header.has_reference) {
        const float3 _e12 = read_reference(words_13, _e4.first_key_word, _e4.header);
        const float4 _e13 = quat_from_mrp(_e12);
        reference = _e13;
    }
    float4 _e14 = reference;
    const float4 _e18 = rotation_curve(words_13, _e4.first_key_word, _e4.header, moment_2.position);
    const float4 _e19 = quat_mul(_e14, _e18);
    return _e19;
}

float power(uint exponent)
{
    return asfloat(((exponent & 255u) << 23u));
}

float short_value(uint word_3)
{
    return (float((asint(word_3) >> 16u)) / 32768.0);
}

JointRecord joint_record_read(Texture2DArray<uint4> words_14, uint joint_table, uint record_words, uint joint)
{
    JointRecord record = (JointRecord)0;
    bool local_1 = (bool)0;

    uint at_9 = (joint_table + (joint * record_words));
    const uint _e6 = words_get(words_14, at_9);
    if (!((record_words == SHORT_SCALED_RECORD_WORDS))) {
        local_1 = (record_words == EXACT_SCALED_RECORD_WORDS);
    } else {
        local_1 = true;
    }
    bool _e17 = local_1;
    record.has_scale = _e17;
    record.parent = (_e6 & 65535u);
    bool _e25 = record.has_scale;
    record.first_curve = (joint * (_e25 ? 3u : 2u));
    const float _e31 = power((_e6 >> 16u));
    record.translation_extent = _e31;
    record.scale = (1.0).xxx;
    if ((record_words <= SHORT_SCALED_RECORD_WORDS)) {
        const uint _e39 = words_get(words_14, (at_9 + 1u));
        const uint _e42 = words_get(words_14, (at_9 + 2u));
        const uint _e45 = words_get(words_14, (at_9 + 3u));
        const float _e48 = short_value((_e39 << 16u));
        const float _e49 = short_value(_e39);
        const float _e52 = short_value((_e42 << 16u));
        float3 translation = float3(_e48, _e49, _e52);
        const float _e57 = power((_e6 >> 24u));
        record.translation = (_e57 * translation);
        const float _e60 = short_value(_e42);
        const float _e63 = short_value((_e45 << 16u));
        const float _e64 = short_value(_e45);
        record.rotation = float3(_e60, _e63, _e64);
        bool _e67 = record.has_scale;
        if (_e67) {
            const uint _e70 = words_get(words_14, (at_9 + 4u));
            const uint _e73 = words_get(words_14, (at_9 + 5u));
            const float _e77 = power((_e73 >> 24u));
            const float _e80 = short_value((_e70 << 16u));
            const float _e81 = short_value(_e70);
            const float _e84 = short_value((_e73 << 16u));
            record.scale = (_e77 * float3(_e80, _e81, _e84));
            const float _e90 = power((_e73 >> 16u));
            record.scale_extent = _e90;
        }
    } else {
        const float3 _e94 = words_vector(words_14, (at_9 + 1u));
        record.translation = _e94;
        const float3 _e98 = words_vector(words_14, (at_9 + 4u));
        record.rotation = _e98;
        bool _e100 = record.has_scale;
        if (_e100) {
            const float3 _e104 = words_vector(words_14, (at_9 + 8u));
            record.scale = _e104;
            const uint _e108 = words_get(words_14, (at_9 + 7u));
            const float _e111 = power((_e108 >> 16u));
            record.scale_extent = _e111;
        }
    }
    JointRecord _e112 = record;
    const JointRecord jointrecord = _e112;
    return jointrecord;
}

Affine local_joint_to_affine(LocalJoint joint_1)
{
    const float3x3 _e2 = mat3_from_quat(joint_1.rotation);
    float3 s = joint_1.scale;
    const Affine affine_3 = ConstructAffine(float3x3((_e2[0] * s.x), (_e2[1] * s.y), (_e2[2] * s.z)), joint_1.translation);
    return affine_3;
}

LocalJoint local_joint(Texture2DArray<uint4> words_15, JointRecord record_1, Moment moment_3)
{
    LocalJoint joint_2 = (LocalJoint)0;

    uint curve_3 = record_1.first_curve;
    const float4 _e7 = quat_from_mrp(record_1.rotation);
    const float4 _e8 = moment_rotation(words_15, moment_3, curve_3, _e7);
    joint_2.rotation = _e8;
    const float3 _e14 = moment_vector(words_15, moment_3, (curve_3 + 1u));
    joint_2.translation = (record_1.translation + (record_1.translation_extent * _e14));
    joint_2.scale = record_1.scale;
    if (record_1.has_scale) {
        float3 _e21 = joint_2.scale;
        const float3 _e25 = moment_vector(words_15, moment_3, (curve_3 + 2u));
        joint_2.scale = (_e21 + (record_1.scale_extent * _e25));
    }
    LocalJoint _e28 = joint_2;
    const LocalJoint localjoint = _e28;
    return localjoint;
}

LocalJoint ConstructLocalJoint(float3 arg0, float4 arg1, float3 arg2) {
    LocalJoint ret = (LocalJoint)0;
    ret.translation = arg0;
    ret.rotation = arg1;
    ret.scale = arg2;
    return ret;
}

LocalJoint local_joint_mix(LocalJoint a_6, LocalJoint b_5, float f_3)
{
    const float4 _e8 = quat_nlerp(a_6.rotation, b_5.rotation, f_3);
    const LocalJoint localjoint_1 = ConstructLocalJoint(lerp(a_6.translation, b_5.translation, f_3), _e8, lerp(a_6.scale, b_5.scale, f_3));
    return localjoint_1;
}

bool frame_is_gap(Frame frame, uint index)
{
    bool local_2 = (bool)0;

    if ((index >= frame.count)) {
        local_2 = (index < frame.previous_first);
    } else {
        local_2 = false;
    }
    bool _e9 = local_2;
    return _e9;
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

Instance instance_unpack(uint4 x, uint4 y, uint4 z, uint4 a_7, uint4 b_6, uint4 c, uint index_1, uint now_3)
{
    float3x4 rows_1 = float3x4(asfloat(x), asfloat(y), asfloat(z));
    const Affine _e12 = affine_from_rows(rows_1);
    uint _e13 = a_7.x;
    const Instance instance_3 = ConstructInstance(_e12, (float4(_e13 & 0xFF, _e13 >> 8 & 0xFF, _e13 >> 16 & 0xFF, _e13 >> 24) / 255.0), ConstructPlay(a_7.y, a_7.z, a_7.w), ConstructPlay(b_6.x, b_6.y, b_6.z), b_6.w, c.x, asfloat(c.y), c.z, c.w, index_1, now_3);
    return instance_3;
}

ClipTiming play_timing(Play play_2)
{
    uint _e4 = set_info.clip_table;
    const ClipTiming _e6 = clip_timing(tables_4, _e4, play_2.clip_);
    const ClipTiming cliptiming_1 = _e6;
    return cliptiming_1;
}

float instance_fade(Instance instance)
{
    if (false) {
        return 0.0;
    }
    const float _e6 = fade_weight(instance.fade_start, instance.fade_duration, instance.now);
    return _e6;
}

Moment play_moment(Play play_3, uint now_4)
{
    const ClipTiming _e2 = play_timing(play_3);
    const float _e3 = play_time(play_3, _e2, now_4);
    JointCurves tables_5 = set_info.joint_curves;
    const Moment _e13 = moment_find(words_16, tables_5.clip_table, tables_5.curves, (play_3.clip_ & 2147483647u), _e3);
    const Moment moment_5 = _e13;
    return moment_5;
}

Pose ConstructPose(Moment arg0, Moment arg1, float arg2) {
    Pose ret = (Pose)0;
    ret.first = arg0;
    ret.second = arg1;
    ret.fade = arg2;
    return ret;
}

Pose pose_of(Instance instance_1)
{
    bool local_3 = (bool)0;

    const float _e1 = instance_fade(instance_1);
    const Moment _e4 = play_moment(instance_1.first, instance_1.now);
    if (true) {
        local_3 = (_e1 == 0.0);
    } else {
        local_3 = true;
    }
    bool _e11 = local_3;
    if (_e11) {
        const Pose pose_2 = ConstructPose(_e4, _e4, _e1);
        return pose_2;
    }
    const Moment _e15 = play_moment(instance_1.second, instance_1.now);
    const Pose pose_3 = ConstructPose(_e4, _e15, _e1);
    return pose_3;
}

JointRecord pose_record(uint joint_3)
{
    uint _e5 = set_info.joint_curves.joint_table;
    uint _e9 = set_info.joint_curves.record_words;
    const JointRecord _e10 = joint_record_read(words_16, _e5, _e9, joint_3);
    const JointRecord jointrecord_1 = _e10;
    return jointrecord_1;
}

Affine pose_parent_from_joint(Pose pose, JointRecord record_2)
{
    bool local_4 = (bool)0;

    const LocalJoint _e4 = local_joint(words_16, record_2, pose.first);
    if (true) {
        local_4 = (pose.fade == 0.0);
    } else {
        local_4 = true;
    }
    bool _e12 = local_4;
    if (_e12) {
        const Affine _e13 = local_joint_to_affine(_e4);
        const Affine affine_4 = _e13;
        return affine_4;
    }
    const LocalJoint _e16 = local_joint(words_16, record_2, pose.second);
    const LocalJoint _e18 = local_joint_mix(_e4, _e16, pose.fade);
    const Affine _e19 = local_joint_to_affine(_e18);
    const Affine affine_5 = _e19;
    return affine_5;
}

Affine joint_affine(Pose pose_1, uint joint_4)
{
    uint at_5 = (uint)0;
    JointRecord record_3 = (JointRecord)0;
    Affine space_from_joint = (Affine)0;
    bool local_5 = (bool)0;

    at_5 = (joint_4 >> 16u);
    uint _e5 = at_5;
    const JointRecord _e6 = pose_record(_e5);
    record_3 = _e6;
    JointRecord _e8 = record_3;
    const Affine _e9 = pose_parent_from_joint(pose_1, _e8);
    space_from_joint = _e9;
    while(true) {
        uint _e12 = record_3.parent;
        if ((_e12 != 0u)) {
            uint _e18 = record_3.parent;
            uint _e19 = at_5;
            local_5 = (_e18 <= _e19);
        } else {
            local_5 = false;
        }
        bool _e22 = local_5;
        if (_e22) {
        } else {
            break;
        }
        {
            uint _e24 = record_3.parent;
            at_5 = (_e24 - 1u);
            uint _e27 = at_5;
            const JointRecord _e28 = pose_record(_e27);
            record_3 = _e28;
            JointRecord _e29 = record_3;
            const Affine _e30 = pose_parent_from_joint(pose_1, _e29);
            Affine _e31 = space_from_joint;
            const Affine _e32 = affine_mul(_e30, _e31);
            space_from_joint = _e32;
        }
    }
    uint _e36 = set_info.inverse_bind_table;
    const Affine _e42 = table_affine(tables_4, (_e36 + (3u * (joint_4 & 65535u))));
    Affine _e43 = space_from_joint;
    const Affine _e44 = affine_mul(_e43, _e42);
    const Affine affine_6 = _e44;
    return affine_6;
}

Instance instance_read(uint index_2)
{
    uint at_10 = (6u * index_2);
    const uint4 _e4 = bits_get(instances, at_10);
    const uint4 _e8 = bits_get(instances, (at_10 + 1u));
    const uint4 _e12 = bits_get(instances, (at_10 + 2u));
    const uint4 _e16 = bits_get(instances, (at_10 + 3u));
    const uint4 _e20 = bits_get(instances, (at_10 + 4u));
    const uint4 _e24 = bits_get(instances, (at_10 + 5u));
    uint _e27 = frame_1.now;
    uint _e30 = frame_1.previous_now;
    uint _e33 = frame_1.previous_first;
    const Instance _e36 = instance_unpack(_e4, _e8, _e12, _e16, _e20, _e24, index_2, ((index_2 >= _e33) ? _e30 : _e27));
    const Instance instance_4 = _e36;
    return instance_4;
}

uint palette_joint(uint palette_index)
{
    uint _e4 = set_info.bone_offset_table;
    const uint4 _e8 = table_get(tables_4, (_e4 + naga_div(palette_index, 4u)));
    return (palette_index | (_e8[min(uint(naga_mod(palette_index, 4u)), 3u)] << 16u));
}

uint4 palette_row(Instance instance_2, uint offset)
{
    uint palette_index_1 = naga_div(offset, 3u);
    const Pose _e4 = pose_of(instance_2);
    const uint _e5 = palette_joint(palette_index_1);
    const Affine _e6 = joint_affine(_e4, _e5);
    const float3x4 _e7 = affine_to_rows(_e6);
    return asuint(_e7[min(uint((offset - (3u * palette_index_1))), 2u)]);
}

uint naga_f2u32(float value) {
    return uint(clamp(value, 0.0, 4294967000.0));
}

uint4 fill_palette_fragment(FragmentInput_fill_palette_fragment fragmentinput_fill_palette_fragment) : SV_Target0
{
    float4 at = fragmentinput_fill_palette_fragment.at_6;
    uint texel = (naga_f2u32(at.x) + (naga_f2u32(at.y) << 11u));
    uint _e10 = set_info.palette_stride;
    const uint _e11 = divide(texel, _e10);
    Frame _e13 = frame_1;
    const bool _e14 = frame_is_gap(_e13, _e11);
    if (_e14) {
        return (0u).xxxx;
    }
    const Instance _e17 = instance_read(_e11);
    uint _e20 = set_info.palette_stride;
    const uint4 _e23 = palette_row(_e17, (texel - (_e11 * _e20)));
    return _e23;
}
