// Camera and fragment shader of printed shaders: one light, no textures. A renderer replaces both by its own material.

struct Camera {
    clip_from_world: mat4x4<f32>,
}

@group(0) @binding(0) var<uniform> camera: Camera;

fn clip_position(world_position: vec3<f32>) -> vec4<f32> {
    return camera.clip_from_world * vec4(world_position, 1.0);
}

@fragment
fn draw_fragment(in: VertexOut) -> @location(0) vec4<f32> {
    let light = 0.5 + 0.5 * dot(normalize(in.normal), vec3(0.36, 0.8, 0.48));
    return vec4(in.color.rgb * in.tint.rgb * light, 1.0);
}
