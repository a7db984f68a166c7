// Entry point draw_fragment, generated from WGSL by naga: do not edit.

struct VertexOut {
    float4 clip_position : SV_Position;
    float3 world_position : LOC0;
    float3 normal : LOC1;
    float2 uv : LOC3;
    float4 color : LOC4;
    nointerpolation float4 tint : LOC5;
    nointerpolation uint user : LOC6;
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

struct FragmentInput_draw_fragment {
    float3 world_position : LOC0;
    float3 normal : LOC1;
    float2 uv : LOC3;
    float4 color : LOC4;
    nointerpolation float4 tint : LOC5;
    nointerpolation uint user : LOC6;
    float4 clip_position : SV_Position;
};

float4 draw_fragment(FragmentInput_draw_fragment fragmentinput_draw_fragment) : SV_Target0
{
    VertexOut in_ = { fragmentinput_draw_fragment.clip_position, fragmentinput_draw_fragment.world_position, fragmentinput_draw_fragment.normal, fragmentinput_draw_fragment.uv, fragmentinput_draw_fragment.color, fragmentinput_draw_fragment.tint, fragmentinput_draw_fragment.user };
    float light = (0.5 + (0.5 * dot(normalize(in_.normal), float3(0.36, 0.8, 0.48))));
    return float4(((in_.color.xyz * in_.tint.xyz) * light), 1.0);
}
