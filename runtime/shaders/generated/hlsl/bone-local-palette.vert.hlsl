// Entry point fill_palette_vertex, generated from WGSL by naga: do not edit.

static const bool HAS_FADES = true;
static const bool HAS_TANGENTS = false;
static const uint MAX_INFLUENCES = 5u;
static const uint BACKWARDS = 2147483648u;
static const uint HELD_FADE = 4294967295u;
static const uint BLOCK_CURVES = 64u;
static const uint HEADER_WORDS = 3u;
static const uint CLIP_WORDS = 4u;
static const uint SCALED_RECORD_WORDS = 12u;

float4 fill_palette_vertex(uint index : SV_VertexID) : SV_Position
{
    float2 corner = float2(float((index & 1u)), float((index >> 1u)));
    return float4(((4.0 * corner) - (1.0).xx), 0.5, 1.0);
}
