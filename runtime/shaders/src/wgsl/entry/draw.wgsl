// Vertices and their surface, lit.

struct Drawn {
    @builtin(position) at: vec4<f32>,
    @location(0) position: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) uv: vec2<f32>,
    @location(3) color: vec4<f32>,
}

@vertex
fn draw_vertex(v: VertexIn) -> Drawn {
    let instance = vertex_instance(v);
    let moved = vertex_moved(v, instance);
    let at = frame.clip_from_world * vec4(moved.position, 1.0);
    return Drawn(at, moved.position, moved.normal, v.uv, v.color * instance.tint);
}

// Alpha goes to coverage: 1, or where it is cut off an edge that is a texel wide.
fn coverage(alpha: f32) -> f32 {
    let width = max(fwidth(alpha), 1e-4);
    let edge = clamp((alpha - material.alpha_cutoff) / width + 0.5, 0.0, 1.0);
    return select(1.0, edge, material.alpha_cutoff > 0.0);
}

@fragment
fn draw_fragment(drawn: Drawn, @builtin(front_facing) is_front: bool) -> @location(0) vec4<f32> {
    let surface = surface_color(drawn.uv, drawn.color);
    let covered = coverage(surface.a);
    let outside = normalize(drawn.normal);
    let normal = select(-outside, outside, is_front);
    let to_eye = normalize(scene.eye.xyz - drawn.position);
    let to_sun = scene.to_sun.xyz;

    // Light goes a little round the edge, as on skin and cloth.
    let facing = (dot(normal, to_sun) + 0.12) / 1.12;
    let sun = max(facing, 0.0) * sun_seen(drawn.position, normal);
    // Close to the ground less comes from around.
    let height = drawn.position.y - scene.ground.y;
    let low = 1.0 - clamp(height / (3.0 * scene.steps.z), 0.0, 1.0);
    let open = 1.0 - 0.55 * low * low * contact(drawn.position);

    let rim = pow(1.0 - max(dot(normal, to_eye), 0.0), 4.0) * (0.35 + 0.65 * max(normal.y, 0.0));
    let shine = pow(max(dot(normal, normalize(to_eye + to_sun)), 0.0), 28.0) * sun;
    let lit = surface.rgb * (scene.sun_color.rgb * sun + ambient(normal) * open)
        + scene.sky_color.rgb * (0.22 * rim * open)
        + scene.sun_color.rgb * (0.045 * shine);
    return vec4(tone(lit), covered);
}
