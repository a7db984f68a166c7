// Depth as the camera sees it. There is no fragment shader.

@group(0) @binding(0) var<uniform> clip_from_world: mat4x4<f32>;

fn clip_position(world_position: vec3<f32>) -> vec4<f32> {
    return clip_from_world * vec4(world_position, 1.0);
}
