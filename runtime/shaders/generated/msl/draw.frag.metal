// Entry point draw_fragment, generated from WGSL by naga: do not edit.

// language: metal2.0
#include <metal_stdlib>
#include <simd/simd.h>

using metal::uint;

struct VertexOut {
    metal::float4 clip_position;
    metal::float3 world_position;
    metal::float3 normal;
    metal::float2 uv;
    char _pad4[8];
    metal::float4 color;
    metal::float4 tint;
    uint user;
    char _pad7[12];
};
constant bool HAS_FADES = true;
constant bool HAS_TANGENTS = false;
constant uint MAX_INFLUENCES = 5u;
constant uint BACKWARDS = 2147483648u;
constant uint HELD_FADE = 4294967295u;
constant uint BLOCK_CURVES = 32u;
constant uint HEADER_WORDS = 2u;
constant uint MASK_WORDS = 2u;
constant uint CLIP_WORDS = 5u;
constant uint REFERENCE_WIDTH = 10u;
constant uint SHORT_SCALED_RECORD_WORDS = 6u;
constant uint EXACT_SCALED_RECORD_WORDS = 12u;

struct draw_fragmentInput {
    metal::float3 world_position [[user(loc0), center_perspective]];
    metal::float3 normal [[user(loc1), center_perspective]];
    metal::float2 uv [[user(loc3), center_perspective]];
    metal::float4 color [[user(loc4), center_perspective]];
    metal::float4 tint [[user(loc5), flat]];
    uint user [[user(loc6), flat]];
};
struct draw_fragmentOutput {
    metal::float4 member [[color(0)]];
};
fragment draw_fragmentOutput draw_fragment(
  draw_fragmentInput varyings [[stage_in]]
, metal::float4 clip_position [[position]]
) {
    const VertexOut in = { clip_position, varyings.world_position, varyings.normal, varyings.uv, {}, varyings.color, varyings.tint, varyings.user };
    float light = 0.5 + (0.5 * metal::dot(metal::normalize(in.normal), metal::float3(0.36, 0.8, 0.48)));
    return draw_fragmentOutput { metal::float4((in.color.xyz * in.tint.xyz) * light, 1.0) };
}
