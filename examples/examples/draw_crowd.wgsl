// A material for crowds: sun, sky and haze. Throng supplies `VertexOut` and calls `clip_position`.

struct Camera {
    clip_from_world: mat4x4<f32>,
    previous_clip_from_world: mat4x4<f32>,
    eye: vec4<f32>,
}

@group(0) @binding(0) var<uniform> camera: Camera;

const HAZE: vec3<f32> = vec3(0.42, 0.52, 0.64);
const TO_SUN: vec3<f32> = vec3(-0.42, 0.77, 0.48);

fn clip_position(world_position: vec3<f32>) -> vec4<f32> {
    return camera.clip_from_world * vec4(world_position, 1.0);
}

@fragment
fn shade(in: VertexOut) -> @location(0) vec4<f32> {
    let normal = normalize(in.normal);
    let sky = mix(vec3(0.20, 0.18, 0.16), vec3(0.42, 0.48, 0.58), 0.5 + 0.5 * normal.y);
    let sun = vec3(1.05, 0.98, 0.86) * max(dot(normal, TO_SUN), 0.0);
    // The ground hides part of the sky from the feet.
    let open = mix(0.5, 1.0, clamp(in.world_position.y / 0.5, 0.0, 1.0));
    let color = in.color.rgb * in.tint.rgb * (sky * open + sun);
    let haze = 1.0 - exp(-0.008 * distance(in.world_position, camera.eye.xyz));
    return vec4(mix(color, HAZE, haze), 1.0);
}
