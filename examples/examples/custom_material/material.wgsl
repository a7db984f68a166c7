// The material: a low sun, and a rim light that shows the outline of every instance. Needs light.

fn clip_position(world_position: vec3<f32>) -> vec4<f32> {
    return camera.clip_from_world * vec4(world_position, 1.0);
}

// Every third instance has a warm rim, the others a cold one.
fn rim_color(user: u32) -> vec3<f32> {
    return select(vec3(0.15, 0.55, 1.3), vec3(1.4, 0.45, 0.12), user % 3u == 0u);
}

@fragment
fn shade(in: VertexOut) -> @location(0) vec4<f32> {
    let normal = normalize(in.normal);
    let to_eye = normalize(camera.eye.xyz - in.world_position);
    let base = in.color.rgb * in.tint.rgb;
    let lambert = max(dot(normal, sun.direction.xyz), 0.0) * sunlight(in.world_position + 0.02 * normal);
    let rim = pow(1.0 - max(dot(normal, to_eye), 0.0), 3.0);
    let ambient = mix(vec3(0.02, 0.02, 0.03), vec3(0.06, 0.08, 0.14), 0.5 + 0.5 * normal.y);
    let color = base * (ambient + vec3(1.2, 0.95, 0.7) * lambert) + rim * rim_color(in.user);
    return with_haze(color, in.world_position);
}
