// One light and no textures: little work per pixel, so that the benchmark measures vertices.

@group(0) @binding(0) var<uniform> clip_from_world: mat4x4<f32>;

fn clip_position(world_position: vec3<f32>) -> vec4<f32> {
    return clip_from_world * vec4(world_position, 1.0);
}

@fragment
fn shade(in: VertexOut) -> @location(0) vec4<f32> {
    let light = 0.5 + 0.5 * dot(normalize(in.normal), vec3(0.36, 0.8, 0.48));
    return vec4(in.color.rgb * in.tint.rgb * light, 1.0);
}
