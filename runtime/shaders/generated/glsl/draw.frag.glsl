#version 300 es
// Entry point draw_fragment, generated from WGSL by naga: do not edit. The function is named 'main'.

precision highp float;
precision highp int;

struct VertexOut {
    vec4 clip_position;
    vec3 world_position;
    vec3 normal;
    vec2 uv;
    vec4 color;
    vec4 tint;
    uint user;
};
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

smooth in vec3 _vs2fs_location0;
smooth in vec3 _vs2fs_location1;
smooth in vec2 _vs2fs_location3;
smooth in vec4 _vs2fs_location4;
flat in vec4 _vs2fs_location5;
flat in uint _vs2fs_location6;
layout(location = 0) out vec4 _fs2p_location0;

void main() {
    VertexOut in_ = VertexOut(gl_FragCoord, _vs2fs_location0, _vs2fs_location1, _vs2fs_location3, _vs2fs_location4, _vs2fs_location5, _vs2fs_location6);
    float light = (0.5 + (0.5 * dot(normalize(in_.normal), vec3(0.36, 0.8, 0.48))));
    _fs2p_location0 = vec4(((in_.color.xyz * in_.tint.xyz) * light), 1.0);
    return;
}

