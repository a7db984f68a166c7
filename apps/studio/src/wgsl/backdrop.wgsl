// Background of a scene: the ground with shadows, which fades into the sky.

struct BackdropOut {
    @builtin(position) at: vec4<f32>,
    @location(0) clip: vec2<f32>,
}

@vertex
fn backdrop_vertex(@builtin(vertex_index) index: u32) -> BackdropOut {
    // One triangle that covers the target.
    let clip = 4.0 * vec2(f32(index & 1u), f32(index >> 1u)) - 1.0;
    return BackdropOut(vec4(clip, 0.5, 1.0), clip);
}

@fragment
fn backdrop_fragment(in: BackdropOut) -> @location(0) vec4<f32> {
    let far = scene.world_from_clip * vec4(in.clip, 1.0, 1.0);
    let direction = normalize(far.xyz / far.w - scene.eye.xyz);
    let sky = backdrop(direction);
    // Above the horizon the haze is 1, so that the point does not matter.
    let down = min(direction.y, -1e-4);
    let position = scene.eye.xyz + direction * ((scene.ground.y - scene.eye.y) / down);
    let up = vec3(0.0, 1.0, 0.0);
    let contact_shadow = contact(position);
    let sun = scene.to_sun.y * sun_visibility(position, up) * (1.0 - 0.5 * contact_shadow);
    let around = ambient(up) * (1.0 - 0.9 * contact_shadow);
    let ground = scene.ground_color.rgb * (scene.sun_color.rgb * sun + around);
    let away = length(position.xz - scene.ground.xz) / scene.ground.w;
    let haze = select(smoothstep(0.25, 1.0, away), 1.0, direction.y > -1e-4);
    return vec4(tone_map(mix(ground, sky, haze)), 1.0);
}
