// Entry point draw_fragment, generated from WGSL by naga: do not edit.
//   buffer(2)    material
//   texture(11)  base_texture
//   sampler(2)   base_sampler
//   buffer(3)    scene
//   texture(21)  sun_map
//   sampler(7)   sun_sampler
//   texture(23)  contact_map
//   sampler(9)   contact_sampler

// language: metal2.0
#include <metal_stdlib>
#include <simd/simd.h>

using metal::uint;

struct Material {
    metal::float4 base_color;
    float alpha_cutoff;
    char _pad2[12];
};
struct Scene {
    metal::float4x4 world_from_clip;
    metal::float4x4 sun_from_world;
    metal::float4x4 contact_from_world;
    metal::float4 eye;
    metal::float4 to_sun;
    metal::float4 sun_color;
    metal::float4 sky_color;
    metal::float4 bounce_color;
    metal::float4 horizon_color;
    metal::float4 zenith_color;
    metal::float4 ground_color;
    metal::float4 ground;
    metal::float3 steps;
};
struct DrawOut {
    metal::float4 at;
    metal::float3 position;
    metal::float3 normal;
    metal::float2 uv;
    char _pad4[8];
    metal::float4 color;
};
constant bool HAS_FADES = true;
constant uint MAX_INFLUENCES = 5u;
constant uint BACKWARDS = 2147483648u;
constant uint BLOCK_CURVES = 64u;
constant uint HEADER_WORDS = 3u;
constant uint CLIP_WORDS = 4u;
constant uint SCALED_RECORD_WORDS = 12u;

metal::float4 surface_color(
    metal::float2 uv,
    metal::float4 color,
    constant Material& material,
    metal::texture2d<float, metal::access::sample> base_texture,
    metal::sampler base_sampler
) {
    metal::float4 _e4 = material.base_color;
    metal::float4 _e8 = base_texture.sample(base_sampler, uv);
    return (_e4 * color) * _e8;
}

metal::float3 tone_map(
    metal::float3 color_1
) {
    float low = metal::min(color_1.x, metal::min(color_1.y, color_1.z));
    float offset = (low < 0.08) ? (low - ((6.25 * low) * low)) : 0.04;
    metal::float3 lifted = color_1 - metal::float3(offset);
    float peak = metal::max(lifted.x, metal::max(lifted.y, lifted.z));
    if (peak < 0.76) {
        return lifted;
    }
    float room = 1.0 - 0.76;
    float compressed = 1.0 - ((room * room) / ((peak + room) - 0.76));
    float grey = 1.0 - (1.0 / ((0.15 * (peak - compressed)) + 1.0));
    return metal::mix(lifted * (compressed / peak), metal::float3(compressed), grey);
}

metal::float2 map_uv(
    metal::float4 clip
) {
    return (clip.xy * metal::float2(0.5, -0.5)) + metal::float2(0.5);
}

float sun_visibility(
    metal::float3 position,
    metal::float3 normal,
    constant Scene& scene,
    metal::depth2d<float, metal::access::sample> sun_map,
    metal::sampler sun_sampler
) {
    float visible = 0.0;
    float total = 0.0;
    int y = -2;
    int x = {};
    metal::float4x4 _e4 = scene.sun_from_world;
    float _e8 = scene.to_sun.w;
    metal::float4 clip_1 = _e4 * metal::float4(position + (normal * _e8), 1.0);
    metal::float2 _e14 = map_uv(clip_1);
    float _e21 = scene.steps.y;
    float depth = metal::min(clip_1.z, 1.0) - _e21;
    bool loop_init = true;
    while(true) {
        if (!loop_init) {
            int _e64 = y;
            y = as_type<int>(as_type<uint>(_e64) + as_type<uint>(1));
        }
        loop_init = false;
        int _e29 = y;
        if (_e29 <= 2) {
        } else {
            break;
        }
        {
            x = -2;
            bool loop_init_1 = true;
            while(true) {
                if (!loop_init_1) {
                    int _e61 = x;
                    x = as_type<int>(as_type<uint>(_e61) + as_type<uint>(1));
                }
                loop_init_1 = false;
                int _e34 = x;
                if (_e34 <= 2) {
                } else {
                    break;
                }
                {
                    int _e37 = x;
                    int _e39 = y;
                    metal::float2 offset_1 = metal::float2(static_cast<float>(_e37), static_cast<float>(_e39));
                    float weight = metal::exp(-0.22 * metal::dot(offset_1, offset_1));
                    float _e46 = visible;
                    float _e52 = scene.steps.x;
                    float _e55 = sun_map.sample_compare(sun_sampler, _e14 + (offset_1 * _e52), depth);
                    visible = _e46 + (weight * _e55);
                    float _e58 = total;
                    total = _e58 + weight;
                }
            }
        }
    }
    bool is_inside = metal::all(metal::abs(clip_1.xy) < metal::float2(1.0));
    float _e72 = visible;
    float _e73 = total;
    return is_inside ? (_e72 / _e73) : 1.0;
}

float contact(
    metal::float3 position_1,
    constant Scene& scene,
    metal::texture2d<float, metal::access::sample> contact_map,
    metal::sampler contact_sampler
) {
    metal::float4x4 _e3 = scene.contact_from_world;
    metal::float4 clip_2 = _e3 * metal::float4(position_1, 1.0);
    metal::float2 _e9 = map_uv(clip_2);
    metal::float4 _e11 = contact_map.sample(contact_sampler, _e9, metal::level(0.0));
    float closeness = _e11.x;
    return metal::all(metal::abs(clip_2.xy) < metal::float2(1.0)) ? metal::min(1.5 * closeness, 1.0) : 0.0;
}

metal::float3 ambient(
    metal::float3 normal_1,
    constant Scene& scene
) {
    metal::float4 _e3 = scene.bounce_color;
    metal::float4 _e7 = scene.sky_color;
    return metal::mix(_e3.xyz, _e7.xyz, 0.5 + (0.5 * normal_1.y));
}

float coverage(
    float alpha,
    constant Material& material
) {
    float _e1 = metal::fwidth(alpha);
    float width = metal::max(_e1, 0.0001);
    float _e6 = material.alpha_cutoff;
    float edge = metal::clamp(((alpha - _e6) / width) + 0.5, 0.0, 1.0);
    float _e16 = material.alpha_cutoff;
    return (_e16 > 0.0) ? edge : 1.0;
}

struct draw_fragmentInput {
    metal::float3 position_2 [[user(loc0), center_perspective]];
    metal::float3 normal_2 [[user(loc1), center_perspective]];
    metal::float2 uv_1 [[user(loc2), center_perspective]];
    metal::float4 color_2 [[user(loc3), center_perspective]];
};
struct draw_fragmentOutput {
    metal::float4 member [[color(0)]];
};
fragment draw_fragmentOutput draw_fragment(
  draw_fragmentInput varyings [[stage_in]]
, metal::float4 at [[position]]
, bool is_front [[front_facing]]
, constant Material& material [[buffer(2)]]
, metal::texture2d<float, metal::access::sample> base_texture [[texture(11)]]
, metal::sampler base_sampler [[sampler(2)]]
, constant Scene& scene [[buffer(3)]]
, metal::depth2d<float, metal::access::sample> sun_map [[texture(21)]]
, metal::sampler sun_sampler [[sampler(7)]]
, metal::texture2d<float, metal::access::sample> contact_map [[texture(23)]]
, metal::sampler contact_sampler [[sampler(9)]]
) {
    const DrawOut in = { at, varyings.position_2, varyings.normal_2, varyings.uv_1, {}, varyings.color_2 };
    metal::float4 _e4 = surface_color(in.uv, in.color, material, base_texture, base_sampler);
    float _e6 = coverage(_e4.w, material);
    metal::float3 outward = metal::normalize(in.normal);
    metal::float3 normal_2 = is_front ? outward : -(outward);
    metal::float4 _e13 = scene.eye;
    metal::float3 to_eye = metal::normalize(_e13.xyz - in.position);
    metal::float4 _e20 = scene.to_sun;
    metal::float3 to_sun = _e20.xyz;
    float facing = (metal::dot(normal_2, to_sun) + 0.12) / 1.12;
    float _e30 = sun_visibility(in.position, normal_2, scene, sun_map, sun_sampler);
    float sun = metal::max(facing, 0.0) * _e30;
    float _e37 = scene.ground.y;
    float height = in.position.y - _e37;
    float _e42 = scene.steps.z;
    float low_1 = 1.0 - metal::clamp(height / (3.0 * _e42), 0.0, 1.0);
    float _e55 = contact(in.position, scene, contact_map, contact_sampler);
    float open = 1.0 - (((0.55 * low_1) * low_1) * _e55);
    float rim = metal::pow(1.0 - metal::max(metal::dot(normal_2, to_eye), 0.0), 4.0) * (0.35 + (0.65 * metal::max(normal_2.y, 0.0)));
    float shine = metal::pow(metal::max(metal::dot(normal_2, metal::normalize(to_eye + to_sun)), 0.0), 28.0) * sun;
    metal::float4 _e85 = scene.sun_color;
    metal::float3 _e88 = ambient(normal_2, scene);
    metal::float4 _e94 = scene.sky_color;
    metal::float4 _e103 = scene.sun_color;
    metal::float3 lit = ((_e4.xyz * ((_e85.xyz * sun) + (_e88 * open))) + (_e94.xyz * ((0.22 * rim) * open))) + (_e103.xyz * (0.045 * shine));
    metal::float3 _e109 = tone_map(lit);
    return draw_fragmentOutput { metal::float4(_e109, _e6) };
}
