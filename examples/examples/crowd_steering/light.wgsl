// Camera, sun, sky and shadow map of this renderer.

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

const SUNLIGHT: vec3<f32> = vec3(3.5, 2.85, 2.05);
const SKYLIGHT: vec3<f32> = vec3(0.36, 0.46, 0.64);
const GROUNDLIGHT: vec3<f32> = vec3(0.26, 0.22, 0.18);
const HORIZON: vec3<f32> = vec3(0.70, 0.78, 0.88);

// Share of the sun that reaches a point, from 0 to 1.
fn sunlight(position: vec3<f32>, normal: vec3<f32>) -> f32 {
    let clip = sun.clip_from_world * vec4(position + 0.04 * normal, 1.0);
    let uv = clip.xy * vec2(0.5, -0.5) + 0.5;
    let texel = 1.0 / vec2<f32>(textureDimensions(shadow_map));
    var light = 0.0;
    for (var y = -1; y <= 1; y++) {
        for (var x = -1; x <= 1; x++) {
            let at = uv + 1.1 * vec2(f32(x), f32(y)) * texel;
            light += textureSampleCompareLevel(shadow_map, shadow_sampler, at, clip.z);
        }
    }
    let is_outside = any(abs(clip.xy) > vec2(1.0)) || clip.z > 1.0;
    return select(light / 9.0, 1.0, is_outside);
}

// Colour of a matt surface. `open` is the share of the sky that it sees.
fn lit(albedo: vec3<f32>, normal: vec3<f32>, position: vec3<f32>, open: f32) -> vec3<f32> {
    let lambert = max(dot(normal, sun.direction.xyz), 0.0);
    let direct = SUNLIGHT * lambert * sunlight(position, normal);
    let ambient = mix(GROUNDLIGHT, SKYLIGHT, 0.5 + 0.5 * normal.y);
    return albedo * (direct + open * ambient);
}

fn sky(direction: vec3<f32>) -> vec3<f32> {
    return mix(HORIZON, vec3(0.30, 0.50, 0.82), smoothstep(0.0, 0.45, direction.y));
}

// Haze and film curve (Narkowicz's fit of ACES).
fn developed(color: vec3<f32>, position: vec3<f32>) -> vec4<f32> {
    let distance = distance(position, camera.eye.xyz);
    let haze = 1.0 - exp(-pow(distance / 420.0, 1.9));
    let x = 0.56 * mix(color, HORIZON, haze);
    return vec4(clamp(x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14), vec3(0.0), vec3(1.0)), 1.0);
}

fn hash(p: vec2<f32>) -> f32 {
    let q = vec2<u32>(vec2<i32>(floor(p)) + 32768);
    var h = q.x * 0x9e3779b9u ^ q.y * 0x85ebca6bu;
    h = (h ^ (h >> 15u)) * 0x2c1b3c6du;
    h = (h ^ (h >> 12u)) * 0x297a2d39u;
    return f32((h ^ (h >> 15u)) >> 8u) / 16777216.0;
}
