// draw_fragment, made from WGSL by naga: do not edit.

// language: metal2.0
#include <metal_stdlib>
#include <simd/simd.h>

using metal::uint;

struct Drawn {
    metal::float4 at;
    metal::float3 position;
    metal::float3 normal;
    metal::float2 uv;
    char _pad4[8];
    metal::float4 color;
};
constant uint BACKWARDS = 2147483648u;
constant uint BLOCK_TRACKS = 64u;
constant uint HEADER_WORDS = 3u;
constant uint CLIP_WORDS = 4u;
constant uint SCALED_RECORD_WORDS = 12u;

struct draw_fragmentInput {
    metal::float3 position [[user(loc0), center_perspective]];
    metal::float3 normal [[user(loc1), center_perspective]];
    metal::float2 uv [[user(loc2), center_perspective]];
    metal::float4 color [[user(loc3), center_perspective]];
};
struct draw_fragmentOutput {
    metal::float4 member [[color(0)]];
};
fragment draw_fragmentOutput draw_fragment(
  draw_fragmentInput varyings [[stage_in]]
, metal::float4 at [[position]]
) {
    const Drawn drawn = { at, varyings.position, varyings.normal, varyings.uv, {}, varyings.color };
    float light = 0.5 + (0.5 * metal::dot(metal::normalize(drawn.normal), metal::float3(0.36, 0.8, 0.48)));
    return draw_fragmentOutput { metal::float4(drawn.color.xyz * light, 1.0) };
}
