// Entry point draw_fragment, generated from WGSL by naga: do not edit.
//   b0, space2  material
//   t1, space2  base_texture
//   s2, space2  base_sampler
//   b0, space3  scene
//   t1, space3  sun_map
//   s2, space3  sun_sampler
//   t3, space3  contact_map
//   s4, space3  contact_sampler

struct Material {
    float4 base_color;
    float alpha_cutoff;
    int _end_pad_0;
    int _end_pad_1;
    int _end_pad_2;
};

struct Scene {
    row_major float4x4 world_from_clip;
    row_major float4x4 sun_from_world;
    row_major float4x4 contact_from_world;
    float4 eye;
    float4 to_sun;
    float4 sun_color;
    float4 sky_color;
    float4 bounce_color;
    float4 horizon_color;
    float4 zenith_color;
    float4 ground_color;
    float4 ground;
    float3 steps;
    int _end_pad_0;
};

struct DrawOut {
    float4 at : SV_Position;
    float3 position : LOC0;
    float3 normal : LOC1;
    float2 uv : LOC2;
    float4 color : LOC3;
};

static const bool HAS_FADES = true;
static const uint MAX_INFLUENCES = 5u;
static const uint BACKWARDS = 2147483648u;
static const uint BLOCK_CURVES = 64u;
static const uint HEADER_WORDS = 3u;
static const uint CLIP_WORDS = 4u;
static const uint SCALED_RECORD_WORDS = 12u;

cbuffer material : register(b0, space2) { Material material; }
Texture2D<float4> base_texture : register(t1, space2);
SamplerState nagaSamplerHeap[2048]: register(s0, space0);
SamplerComparisonState nagaComparisonSamplerHeap[2048]: register(s0, space1);
StructuredBuffer<uint> nagaGroup2SamplerIndexArray : register(t2, space255);
static const SamplerState base_sampler = nagaSamplerHeap[nagaGroup2SamplerIndexArray[2]];
cbuffer scene : register(b0, space3) { Scene scene; }
Texture2D<float> sun_map : register(t1, space3);
StructuredBuffer<uint> nagaGroup3SamplerIndexArray : register(t3, space255);
static const SamplerComparisonState sun_sampler = nagaComparisonSamplerHeap[nagaGroup3SamplerIndexArray[2]];
Texture2D<float4> contact_map : register(t3, space3);
static const SamplerState contact_sampler = nagaSamplerHeap[nagaGroup3SamplerIndexArray[4]];

struct FragmentInput_draw_fragment {
    float3 position_2 : LOC0;
    float3 normal_2 : LOC1;
    float2 uv_1 : LOC2;
    float4 color_2 : LOC3;
    float4 at : SV_Position;
    bool is_front_1 : SV_IsFrontFace;
};

float4 surface_color(float2 uv, float4 color)
{
    float4 _e4 = material.base_color;
    float4 _e8 = base_texture.Sample(base_sampler, uv);
    return ((_e4 * color) * _e8);
}

float3 tone_map(float3 color_1)
{
    float low = min(color_1.x, min(color_1.y, color_1.z));
    float offset = ((low < 0.08) ? (low - ((6.25 * low) * low)) : 0.04);
    float3 lifted = (color_1 - (offset).xxx);
    float peak = max(lifted.x, max(lifted.y, lifted.z));
    if ((peak < 0.76)) {
        return lifted;
    }
    float room = (1.0 - 0.76);
    float compressed = (1.0 - ((room * room) / ((peak + room) - 0.76)));
    float grey = (1.0 - (1.0 / ((0.15 * (peak - compressed)) + 1.0)));
    return lerp((lifted * (compressed / peak)), (compressed).xxx, grey);
}

float2 map_uv(float4 clip_)
{
    return ((clip_.xy * float2(0.5, -0.5)) + (0.5).xx);
}

float sun_visibility(float3 position, float3 normal)
{
    float visible = 0.0;
    float total = 0.0;
    int y = int(-2);
    int x = (int)0;

    float4x4 _e4 = scene.sun_from_world;
    float _e8 = scene.to_sun.w;
    float4 clip_1 = mul(float4((position + (normal * _e8)), 1.0), _e4);
    const float2 _e14 = map_uv(clip_1);
    float _e21 = scene.steps.y;
    float depth = (min(clip_1.z, 1.0) - _e21);
    bool loop_init = true;
    while(true) {
        if (!loop_init) {
            int _e64 = y;
            y = asint(asuint(_e64) + asuint(int(1)));
        }
        loop_init = false;
        int _e29 = y;
        if ((_e29 <= int(2))) {
        } else {
            break;
        }
        {
            x = int(-2);
            bool loop_init_1 = true;
            while(true) {
                if (!loop_init_1) {
                    int _e61 = x;
                    x = asint(asuint(_e61) + asuint(int(1)));
                }
                loop_init_1 = false;
                int _e34 = x;
                if ((_e34 <= int(2))) {
                } else {
                    break;
                }
                {
                    int _e37 = x;
                    int _e39 = y;
                    float2 offset_1 = float2(float(_e37), float(_e39));
                    float weight = exp((-0.22 * dot(offset_1, offset_1)));
                    float _e46 = visible;
                    float _e52 = scene.steps.x;
                    float _e55 = sun_map.SampleCmpLevelZero(sun_sampler, (_e14 + (offset_1 * _e52)), depth);
                    visible = (_e46 + (weight * _e55));
                    float _e58 = total;
                    total = (_e58 + weight);
                }
            }
        }
    }
    bool is_inside = all((abs(clip_1.xy) < (1.0).xx));
    float _e72 = visible;
    float _e73 = total;
    return (is_inside ? (_e72 / _e73) : 1.0);
}

float contact(float3 position_1)
{
    float4x4 _e3 = scene.contact_from_world;
    float4 clip_2 = mul(float4(position_1, 1.0), _e3);
    const float2 _e9 = map_uv(clip_2);
    float4 _e11 = contact_map.SampleLevel(contact_sampler, _e9, 0.0);
    float closeness = _e11.x;
    return (all((abs(clip_2.xy) < (1.0).xx)) ? min((1.5 * closeness), 1.0) : 0.0);
}

float3 ambient(float3 normal_1)
{
    float4 _e3 = scene.bounce_color;
    float4 _e7 = scene.sky_color;
    return lerp(_e3.xyz, _e7.xyz, (0.5 + (0.5 * normal_1.y)));
}

float coverage(float alpha)
{
    float _e1 = fwidth(alpha);
    float width = max(_e1, 0.0001);
    float _e6 = material.alpha_cutoff;
    float edge = clamp((((alpha - _e6) / width) + 0.5), 0.0, 1.0);
    float _e16 = material.alpha_cutoff;
    return ((_e16 > 0.0) ? edge : 1.0);
}

float4 draw_fragment(FragmentInput_draw_fragment fragmentinput_draw_fragment) : SV_Target0
{
    DrawOut in_ = { fragmentinput_draw_fragment.at, fragmentinput_draw_fragment.position_2, fragmentinput_draw_fragment.normal_2, fragmentinput_draw_fragment.uv_1, fragmentinput_draw_fragment.color_2 };
    bool is_front = fragmentinput_draw_fragment.is_front_1;
    const float4 _e4 = surface_color(in_.uv, in_.color);
    const float _e6 = coverage(_e4.w);
    float3 outward = normalize(in_.normal);
    float3 normal_3 = (is_front ? outward : -(outward));
    float4 _e13 = scene.eye;
    float3 to_eye = normalize((_e13.xyz - in_.position));
    float4 _e20 = scene.to_sun;
    float3 to_sun = _e20.xyz;
    float facing = ((dot(normal_3, to_sun) + 0.12) / 1.12);
    const float _e30 = sun_visibility(in_.position, normal_3);
    float sun = (max(facing, 0.0) * _e30);
    float _e37 = scene.ground.y;
    float height = (in_.position.y - _e37);
    float _e42 = scene.steps.z;
    float low_1 = (1.0 - clamp((height / (3.0 * _e42)), 0.0, 1.0));
    const float _e55 = contact(in_.position);
    float open = (1.0 - (((0.55 * low_1) * low_1) * _e55));
    float rim = (pow((1.0 - max(dot(normal_3, to_eye), 0.0)), 4.0) * (0.35 + (0.65 * max(normal_3.y, 0.0))));
    float shine = (pow(max(dot(normal_3, normalize((to_eye + to_sun))), 0.0), 28.0) * sun);
    float4 _e85 = scene.sun_color;
    const float3 _e88 = ambient(normal_3);
    float4 _e94 = scene.sky_color;
    float4 _e103 = scene.sun_color;
    float3 lit_ = (((_e4.xyz * ((_e85.xyz * sun) + (_e88 * open))) + (_e94.xyz * ((0.22 * rim) * open))) + (_e103.xyz * (0.045 * shine)));
    const float3 _e109 = tone_map(lit_);
    return float4(_e109, _e6);
}
