#version 300 es
// Entry point fill_palette_vertex, generated from WGSL by naga: do not edit. The function is named 'main'.

precision highp float;
precision highp int;

const bool HAS_FADES = true;
const bool HAS_TANGENTS = false;
const uint MAX_INFLUENCES = 5u;
const uint BACKWARDS = 2147483648u;
const uint HELD_FADE = 4294967295u;
const uint BLOCK_CURVES = 32u;
const uint HEADER_WORDS = 2u;
const uint MASK_WORDS = 2u;
const uint CLIP_WORDS = 5u;
const uint REFERENCE_WIDTH = 10u;
const uint SHORT_SCALED_RECORD_WORDS = 6u;
const uint EXACT_SCALED_RECORD_WORDS = 12u;


void main() {
    uint index = uint(gl_VertexID);
    vec2 corner = vec2(float((index & 1u)), float((index >> 1u)));
    gl_Position = vec4(((4.0 * corner) - vec2(1.0)), 0.5, 1.0);
    return;
}

