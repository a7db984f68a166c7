#version 300 es
// draw_fragment, made from WGSL by naga: do not edit. Its function is 'main'.

precision highp float;
precision highp int;

struct Drawn {
    vec4 at;
    vec3 position;
    vec3 normal;
    vec2 uv;
    vec4 color;
};
const uint BACKWARDS = 2147483648u;
const uint BLOCK_TRACKS = 64u;
const uint HEADER_WORDS = 3u;
const uint CLIP_WORDS = 4u;
const uint SCALED_RECORD_WORDS = 12u;

smooth in vec3 _vs2fs_location0;
smooth in vec3 _vs2fs_location1;
smooth in vec2 _vs2fs_location2;
smooth in vec4 _vs2fs_location3;
layout(location = 0) out vec4 _fs2p_location0;

void main() {
    Drawn drawn = Drawn(gl_FragCoord, _vs2fs_location0, _vs2fs_location1, _vs2fs_location2, _vs2fs_location3);
    float light = (0.5 + (0.5 * dot(normalize(drawn.normal), vec3(0.36, 0.8, 0.48))));
    _fs2p_location0 = vec4((drawn.color.xyz * light), 1.0);
    return;
}

