// draw_vertex, made from WGSL by naga: do not edit.
//   b0, space0     frame
//   b0, space1     set_info
//   t2, space1     palette
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

static const bool HAS_FADES = true;
static const uint MAX_INFLUENCES = 5u;
static const uint BACKWARDS = 2147483648u;
static const uint BLOCK_TRACKS = 64u;
static const uint HEADER_WORDS = 3u;
static const uint CLIP_WORDS = 4u;
static const uint SCALED_RECORD_WORDS = 12u;

cbuffer frame : register(b0) { Frame frame; }
cbuffer set_info : register(b0, space1) { SetInfo set_info; }
Texture2D<uint4> palette : register(t2, space1);
Texture2D<uint4> influences : register(t4, space1);

struct VertexOutput_draw_vertex {
    float3 position : LOC0;
    float3 normal_1 : LOC1;
    float2 uv : LOC2;
    float4 color : LOC3;
    float4 at_4 : SV_Position;
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

uint4 bits_get(Texture2D<uint4> texels, uint at)
{
    uint4 _e8 = texels.Load(int3(uint2((at & 2047u), (at >> 11u)), int(0)));
    return _e8;
}

float4 bits_floats(Texture2D<uint4> texels_1, uint at_1)
{
    const uint4 _e2 = bits_get(texels_1, at_1);
    return asfloat(_e2);
}

Affine bits_affine(Texture2D<uint4> texels_2, uint at_2)
{
    const float4 _e2 = bits_floats(texels_2, at_2);
    const float4 _e5 = bits_floats(texels_2, (at_2 + 1u));
    const float4 _e8 = bits_floats(texels_2, (at_2 + 2u));
    const Affine _e10 = affine_from_rows(float3x4(_e2, _e5, _e8));
    const Affine affine_1 = _e10;
    return affine_1;
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

Instance instance_unpack(uint4 x, uint4 y, uint4 z, uint4 a_2, uint4 b, uint4 c, uint index)
{
    float3x4 rows_1 = float3x4(asfloat(x), asfloat(y), asfloat(z));
    const Affine _e11 = affine_from_rows(rows_1);
    uint _e12 = a_2.x;
    const Instance instance_5 = ConstructInstance(_e11, (float4(_e12 & 0xFF, _e12 >> 8 & 0xFF, _e12 >> 16 & 0xFF, _e12 >> 24) / 255.0), ConstructPlay(a_2.y, a_2.z, a_2.w), ConstructPlay(b.x, b.y, b.z), b.w, c.x, asfloat(c.y), c.z, c.w, index);
    return instance_5;
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
    Moved pose_4 = ConstructMoved((is_whole ? moved.position : lerp(bound.position, moved.position, instance.fraction)), (is_whole ? moved.normal : lerp(bound.normal, moved.normal, instance.fraction)));
    const float3 _e21 = affine_point(instance.world_from_model, pose_4.position);
    const float3 _e24 = affine_normal(instance.world_from_model, pose_4.normal);
    const Moved moved_1 = ConstructMoved(_e21, _e24);
    return moved_1;
}

uint pose_of(Instance instance_1)
{
    uint _e4 = set_info.palette_stride;
    return (instance_1.index * _e4);
}

Affine joint_affine(uint pose, uint joint)
{
    const Affine _e8 = bits_affine(palette, (pose + (3u * (joint & 65535u))));
    const Affine affine_2 = _e8;
    return affine_2;
}

Influence ConstructInfluence(uint arg0, float arg1) {
    Influence ret = (Influence)0;
    ret.joint = arg0;
    ret.weight = arg1;
    return ret;
}

Influence influence_read(uint at_3)
{
    uint4 texel = influences.Load(int3(uint2((at_3 & 2047u), (at_3 >> 11u)), int(0)));
    const Influence influence = ConstructInfluence(texel.x, asfloat(texel.y));
    return influence;
}

void add_matrix(inout Affine sum, uint pose_1, uint joint_1, float weight)
{
    const Affine _e4 = joint_affine(pose_1, joint_1);
    float3x3 _e6 = sum.linear_;
    sum.linear_ = (_e6 + mul(weight, _e4.linear_));
    float3 _e11 = sum.translation;
    sum.translation = (_e11 + (_e4.translation * weight));
    return;
}

float3x3 ZeroValuefloat3x3() {
    return (float3x3)0;
}

Affine blend_matrices(uint pose_2, Bound bound_1)
{
    Affine sum_1 = ConstructAffine(ZeroValuefloat3x3(), (0.0).xxx);
    uint2 joints = (uint2)0;
    float2 weights = (float2)0;
    bool local = (bool)0;
    uint k = 0u;

    add_matrix(sum_1, pose_2, bound_1.joints.x, bound_1.weights.x);
    if (true) {
        add_matrix(sum_1, pose_2, bound_1.joints.y, bound_1.weights.y);
    }
    joints = bound_1.joints.zw;
    weights = bound_1.weights.zw;
    while(true) {
        if (true) {
            float _e26 = weights.x;
            local = (_e26 != 0.0);
        } else {
            local = false;
        }
        bool _e30 = local;
        if (_e30) {
        } else {
            break;
        }
        {
            uint _e32 = joints.x;
            float _e34 = weights.x;
            add_matrix(sum_1, pose_2, _e32, _e34);
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
                add_matrix(sum_1, pose_2, _e54.joint, _e54.weight);
            }
        }
    }
    Affine _e60 = sum_1;
    const Affine affine_3 = _e60;
    return affine_3;
}

Moved skin_vertex(uint pose_3, Bound bound_2)
{
    const Affine _e2 = blend_matrices(pose_3, bound_2);
    const float3 _e4 = affine_point(_e2, bound_2.position);
    const float3 _e6 = affine_normal(_e2, bound_2.normal);
    const Moved moved_2 = ConstructMoved(_e4, _e6);
    return moved_2;
}

Bound morphed(Bound bound_3, Instance instance_2, uint2 place)
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

Moved deform(VertexIn v_2, Instance instance_3)
{
    float _e4 = frame.deform_factor;
    float factor = (_e4 * v_2.position.w);
    Bound bound_5 = ConstructBound(v_2.position.xyz, v_2.normal, factor, v_2.joints, v_2.weights, v_2.places.xy);
    const uint _e16 = pose_of(instance_3);
    const Bound _e19 = morphed(bound_5, instance_3, v_2.places.zw);
    const Moved _e20 = skin_vertex(_e16, _e19);
    const Moved moved_3 = _e20;
    return moved_3;
}

Instance vertex_instance(VertexIn v_3)
{
    const Instance _e8 = instance_unpack(v_3.row_x, v_3.row_y, v_3.row_z, v_3.play_a, v_3.play_b, v_3.extra, v_3.instance);
    const Instance instance_6 = _e8;
    return instance_6;
}

Moved vertex_moved(VertexIn v_4, Instance instance_4)
{
    const Moved _e6 = deform(v_4, instance_4);
    const Moved _e7 = instance_place(instance_4, ConstructMoved(v_4.position.xyz, v_4.normal), _e6);
    const Moved moved_4 = _e7;
    return moved_4;
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
    float4x4 _e5 = frame.clip_from_world;
    float4 at_5 = mul(float4(_e2.position, 1.0), _e5);
    const Drawn drawn = ConstructDrawn(at_5, _e2.position, _e2.normal, v.uv, (v.color * _e1.tint));
    const VertexOutput_draw_vertex drawn_1 = { drawn.position, drawn.normal, drawn.uv, drawn.color, drawn.at };
    return drawn_1;
}
