// The ground: a square that is drawn without Throng. Needs light.

struct Ground {
    @builtin(position) at: vec4<f32>,
    @location(0) position: vec3<f32>,
}

@vertex
fn ground_vertex(@builtin(vertex_index) index: u32) -> Ground {
    let corner = 2.0 * vec2(f32(index & 1u), f32(index >> 1u)) - 1.0;
    let position = vec3(120.0 * corner.x, 0.0, 120.0 * corner.y);
    return Ground(camera.clip_from_world * vec4(position, 1.0), position);
}

@fragment
fn ground_fragment(in: Ground) -> @location(0) vec4<f32> {
    let lambert = sun.direction.y * sunlight(in.position);
    let color = vec3(0.22, 0.21, 0.2) * (vec3(0.06, 0.08, 0.14) + vec3(1.2, 0.95, 0.7) * lambert);
    return with_haze(color, in.position);
}
