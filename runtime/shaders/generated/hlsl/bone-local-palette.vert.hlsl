// Entry point fill_palette_vertex, generated from WGSL by naga: do not edit.

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

float4 fill_palette_vertex(uint index : SV_VertexID) : SV_Position
{
    float2 corner = float2(float((index & 1u)), float((index >> 1u)));
    return float4(((4.0 * corner) - (1.0).xx), 0.5, 1.0);
}
