#version 300 es
// Entry point draw_fragment, generated from WGSL by naga: do not edit. The function is named 'main'.
//   uniform block Material_block_0Fragment  material (group 2, binding 0)
//   texture _group_2_binding_1_fs           base_texture (group 2, binding 1)
//   uniform block Scene_block_1Fragment     scene (group 3, binding 0)
//   texture _group_3_binding_1_fs           sun_map (group 3, binding 1)
//   texture _group_3_binding_3_fs           contact_map (group 3, binding 3)

precision highp float;
precision highp int;

struct Material {
    vec4 base_color;
    float alpha_cutoff;
};
struct Scene {
    mat4x4 world_from_clip;
    mat4x4 sun_from_world;
    mat4x4 contact_from_world;
    vec4 eye;
    vec4 to_sun;
    vec4 sun_color;
    vec4 sky_color;
    vec4 bounce_color;
    vec4 horizon_color;
    vec4 zenith_color;
    vec4 ground_color;
    vec4 ground;
    vec3 steps;
};
struct DrawOut {
    vec4 at;
    vec3 position;
    vec3 normal;
    vec2 uv;
    vec4 color;
};
const bool HAS_FADES = true;
const uint MAX_INFLUENCES = 5u;
const uint BACKWARDS = 2147483648u;
const uint BLOCK_CURVES = 64u;
const uint HEADER_WORDS = 3u;
const uint CLIP_WORDS = 4u;
const uint SCALED_RECORD_WORDS = 12u;

layout(std140) uniform Material_block_0Fragment { Material _group_2_binding_0_fs; };

uniform highp sampler2D _group_2_binding_1_fs;

layout(std140) uniform Scene_block_1Fragment { Scene _group_3_binding_0_fs; };

uniform highp sampler2DShadow _group_3_binding_1_fs;

uniform highp sampler2D _group_3_binding_3_fs;

smooth in vec3 _vs2fs_location0;
smooth in vec3 _vs2fs_location1;
smooth in vec2 _vs2fs_location2;
smooth in vec4 _vs2fs_location3;
layout(location = 0) out vec4 _fs2p_location0;

vec4 surface_color(vec2 uv, vec4 color) {
    vec4 _e4 = _group_2_binding_0_fs.base_color;
    vec4 _e8 = texture(_group_2_binding_1_fs, vec2(uv));
    return ((_e4 * color) * _e8);
}

vec3 tone_map(vec3 color_1) {
    float low = min(color_1.x, min(color_1.y, color_1.z));
    float offset = ((low < 0.08) ? (low - ((6.25 * low) * low)) : 0.04);
    vec3 lifted = (color_1 - vec3(offset));
    float peak = max(lifted.x, max(lifted.y, lifted.z));
    if ((peak < 0.76)) {
        return lifted;
    }
    float room = (1.0 - 0.76);
    float compressed = (1.0 - ((room * room) / ((peak + room) - 0.76)));
    float grey = (1.0 - (1.0 / ((0.15 * (peak - compressed)) + 1.0)));
    return mix((lifted * (compressed / peak)), vec3(compressed), grey);
}

vec2 map_uv(vec4 clip) {
    return ((clip.xy * vec2(0.5, -0.5)) + vec2(0.5));
}

float sun_visibility(vec3 position, vec3 normal) {
    float visible = 0.0;
    float total = 0.0;
    int y = -2;
    int x = 0;
    mat4x4 _e4 = _group_3_binding_0_fs.sun_from_world;
    float _e8 = _group_3_binding_0_fs.to_sun.w;
    vec4 clip_1 = (_e4 * vec4((position + (normal * _e8)), 1.0));
    vec2 _e14 = map_uv(clip_1);
    float _e21 = _group_3_binding_0_fs.steps.y;
    float depth = (min(clip_1.z, 1.0) - _e21);
    bool loop_init = true;
    while(true) {
        if (!loop_init) {
            int _e64 = y;
            y = (_e64 + 1);
        }
        loop_init = false;
        int _e29 = y;
        if ((_e29 <= 2)) {
        } else {
            break;
        }
        {
            x = -2;
            bool loop_init_1 = true;
            while(true) {
                if (!loop_init_1) {
                    int _e61 = x;
                    x = (_e61 + 1);
                }
                loop_init_1 = false;
                int _e34 = x;
                if ((_e34 <= 2)) {
                } else {
                    break;
                }
                {
                    int _e37 = x;
                    int _e39 = y;
                    vec2 offset_1 = vec2(float(_e37), float(_e39));
                    float weight = exp((-0.22 * dot(offset_1, offset_1)));
                    float _e46 = visible;
                    float _e52 = _group_3_binding_0_fs.steps.x;
                    float _e55 = textureLod(_group_3_binding_1_fs, vec3((_e14 + (offset_1 * _e52)), depth), 0.0);
                    visible = (_e46 + (weight * _e55));
                    float _e58 = total;
                    total = (_e58 + weight);
                }
            }
        }
    }
    bool is_inside = all(lessThan(abs(clip_1.xy), vec2(1.0)));
    float _e72 = visible;
    float _e73 = total;
    return (is_inside ? (_e72 / _e73) : 1.0);
}

float contact(vec3 position_1) {
    mat4x4 _e3 = _group_3_binding_0_fs.contact_from_world;
    vec4 clip_2 = (_e3 * vec4(position_1, 1.0));
    vec2 _e9 = map_uv(clip_2);
    vec4 _e11 = textureLod(_group_3_binding_3_fs, vec2(_e9), 0.0);
    float closeness = _e11.x;
    return (all(lessThan(abs(clip_2.xy), vec2(1.0))) ? min((1.5 * closeness), 1.0) : 0.0);
}

vec3 ambient(vec3 normal_1) {
    vec4 _e3 = _group_3_binding_0_fs.bounce_color;
    vec4 _e7 = _group_3_binding_0_fs.sky_color;
    return mix(_e3.xyz, _e7.xyz, (0.5 + (0.5 * normal_1.y)));
}

float coverage(float alpha) {
    float _e1 = fwidth(alpha);
    float width = max(_e1, 0.0001);
    float _e6 = _group_2_binding_0_fs.alpha_cutoff;
    float edge = clamp((((alpha - _e6) / width) + 0.5), 0.0, 1.0);
    float _e16 = _group_2_binding_0_fs.alpha_cutoff;
    return ((_e16 > 0.0) ? edge : 1.0);
}

void main() {
    DrawOut in_ = DrawOut(gl_FragCoord, _vs2fs_location0, _vs2fs_location1, _vs2fs_location2, _vs2fs_location3);
    bool is_front = gl_FrontFacing;
    vec4 _e4 = surface_color(in_.uv, in_.color);
    float _e6 = coverage(_e4.w);
    vec3 outward = normalize(in_.normal);
    vec3 normal_2 = (is_front ? outward : -(outward));
    vec4 _e13 = _group_3_binding_0_fs.eye;
    vec3 to_eye = normalize((_e13.xyz - in_.position));
    vec4 _e20 = _group_3_binding_0_fs.to_sun;
    vec3 to_sun = _e20.xyz;
    float facing = ((dot(normal_2, to_sun) + 0.12) / 1.12);
    float _e30 = sun_visibility(in_.position, normal_2);
    float sun = (max(facing, 0.0) * _e30);
    float _e37 = _group_3_binding_0_fs.ground.y;
    float height = (in_.position.y - _e37);
    float _e42 = _group_3_binding_0_fs.steps.z;
    float low_1 = (1.0 - clamp((height / (3.0 * _e42)), 0.0, 1.0));
    float _e55 = contact(in_.position);
    float open = (1.0 - (((0.55 * low_1) * low_1) * _e55));
    float rim = (pow((1.0 - max(dot(normal_2, to_eye), 0.0)), 4.0) * (0.35 + (0.65 * max(normal_2.y, 0.0))));
    float shine = (pow(max(dot(normal_2, normalize((to_eye + to_sun))), 0.0), 28.0) * sun);
    vec4 _e85 = _group_3_binding_0_fs.sun_color;
    vec3 _e88 = ambient(normal_2);
    vec4 _e94 = _group_3_binding_0_fs.sky_color;
    vec4 _e103 = _group_3_binding_0_fs.sun_color;
    vec3 lit = (((_e4.xyz * ((_e85.xyz * sun) + (_e88 * open))) + (_e94.xyz * ((0.22 * rim) * open))) + (_e103.xyz * (0.045 * shine)));
    vec3 _e109 = tone_map(lit);
    _fs2p_location0 = vec4(_e109, _e6);
    return;
}

