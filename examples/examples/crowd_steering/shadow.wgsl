// Depth of people as the sun sees it. There is no fragment shader.

struct Sun {
    clip_from_world: mat4x4<f32>,
    direction: vec4<f32>,
}

@group(2) @binding(0) var<uniform> sun: Sun;

fn clip_position(world_position: vec3<f32>) -> vec4<f32> {
    return sun.clip_from_world * vec4(world_position, 1.0);
}
