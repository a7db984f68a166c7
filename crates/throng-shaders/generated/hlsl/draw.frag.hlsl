// draw_fragment, made from WGSL by naga: do not edit.

struct Drawn {
    float4 at : SV_Position;
    float3 position : LOC0;
    float3 normal : LOC1;
    float2 uv : LOC2;
    float4 color : LOC3;
};

static const uint BACKWARDS = 2147483648u;
static const uint BLOCK_TRACKS = 64u;
static const uint HEADER_WORDS = 3u;
static const uint CLIP_WORDS = 4u;
static const uint SCALED_RECORD_WORDS = 12u;

struct FragmentInput_draw_fragment {
    float3 position : LOC0;
    float3 normal : LOC1;
    float2 uv : LOC2;
    float4 color : LOC3;
    float4 at : SV_Position;
};

float4 draw_fragment(FragmentInput_draw_fragment fragmentinput_draw_fragment) : SV_Target0
{
    Drawn drawn = { fragmentinput_draw_fragment.at, fragmentinput_draw_fragment.position, fragmentinput_draw_fragment.normal, fragmentinput_draw_fragment.uv, fragmentinput_draw_fragment.color };
    float light = (0.5 + (0.5 * dot(normalize(drawn.normal), float3(0.36, 0.8, 0.48))));
    return float4((drawn.color.xyz * light), 1.0);
}
