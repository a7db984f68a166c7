// Entry point fill_palette_vertex, generated from WGSL by naga: do not edit.

// language: metal2.0
#include <metal_stdlib>
#include <simd/simd.h>

using metal::uint;

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

struct fill_palette_vertexInput {
};
struct fill_palette_vertexOutput {
    metal::float4 member [[position]];
};
vertex fill_palette_vertexOutput fill_palette_vertex(
  uint index [[vertex_id]]
) {
    metal::float2 corner = metal::float2(static_cast<float>(index & 1u), static_cast<float>(index >> 1u));
    return fill_palette_vertexOutput { metal::float4((4.0 * corner) - metal::float2(1.0), 0.5, 1.0) };
}
