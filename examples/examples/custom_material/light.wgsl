// Camera, sun and shadow map of this renderer.

struct Camera {
    clip_from_world: mat4x4<f32>,
    previous_clip_from_world: mat4x4<f32>,
    eye: vec4<f32>,
}

struct Sun {
    clip_from_world: mat4x4<f32>,
    // Unit vector to the sun.
    direction: vec4<f32>,
}

@group(0) @binding(0) var<uniform> camera: Camera;
@group(2) @binding(0) var<uniform> sun: Sun;
@group(3) @binding(0) var shadow_map: texture_depth_2d;
@group(3) @binding(1) var shadow_sampler: sampler_comparison;

const NIGHT: vec3<f32> = vec3(0.015, 0.02, 0.045);

// Share of the sun that reaches a point, from 0 to 1.
fn sunlight(position: vec3<f32>) -> f32 {
    let clip = sun.clip_from_world * vec4(position, 1.0);
    let uv = clip.xy * vec2(0.5, -0.5) + 0.5;
    let texel = 1.0 / vec2<f32>(textureDimensions(shadow_map));
    var light = 0.0;
    for (var y = -1; y <= 1; y++) {
        for (var x = -1; x <= 1; x++) {
            let at = uv + vec2(f32(x), f32(y)) * texel;
            light += textureSampleCompareLevel(shadow_map, shadow_sampler, at, clip.z);
        }
    }
    let is_outside = any(abs(clip.xy) > vec2(1.0)) || clip.z > 1.0;
    return select(light / 9.0, 1.0, is_outside);
}

fn with_haze(color: vec3<f32>, position: vec3<f32>) -> vec4<f32> {
    let haze = 1.0 - exp(-0.0016 * pow(distance(position, camera.eye.xyz), 1.6));
    return vec4(mix(color, NIGHT, haze), 1.0);
}
