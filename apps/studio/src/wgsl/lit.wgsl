// Lit surfaces. Needs camera, surface, light, and as_painted, wardrobe or ground_paint.

// Alpha as coverage: 1, or with an alpha cutoff an edge that is one pixel wide.
fn coverage(alpha: f32) -> f32 {
    let width = max(fwidth(alpha), 1e-4);
    let edge = clamp((alpha - material.alpha_cutoff) / width + 0.5, 0.0, 1.0);
    return select(1.0, edge, material.alpha_cutoff > 0.0);
}

@fragment
fn shade(in: VertexOut, @builtin(front_facing) is_front: bool) -> @location(0) vec4<f32> {
    let surface = surface_color(in.uv, body_color(in));
    let covered = coverage(surface.a);
    let outward = normalize(in.normal);
    let normal = select(-outward, outward, is_front);
    let to_eye = normalize(scene.eye.xyz - in.world_position);
    let to_sun = scene.to_sun.xyz;

    // Wrapped diffuse lighting, as for skin and cloth.
    let facing = (dot(normal, to_sun) + 0.12) / 1.12;
    let sun = max(facing, 0.0) * sun_visibility(in.world_position, normal);
    // Less ambient light close to the ground.
    let height = in.world_position.y - scene.ground.y;
    let low = 1.0 - clamp(height / (3.0 * scene.steps.w), 0.0, 1.0);
    let open = 1.0 - 0.55 * low * low * contact(in.world_position);

    let rim = pow(1.0 - max(dot(normal, to_eye), 0.0), 4.0) * (0.35 + 0.65 * max(normal.y, 0.0));
    let shine = pow(max(dot(normal, normalize(to_eye + to_sun)), 0.0), 28.0) * sun;
    // Light of a low sun that grazes the outline.
    let edge = 1.0 - max(dot(normal, to_eye), 0.0);
    let grazing = edge * edge;
    let edge_light = grazing * max(facing, 0.0) * sun;
    let lit = surface.rgb * (scene.sun_color.rgb * sun + ambient(normal) * open)
        + scene.sky_color.rgb * (0.22 * OUTLINE * rim * open)
        + scene.sun_color.rgb * (0.045 * shine + OUTLINE * scene.looks.z * edge_light);
    return vec4(tone_map(through_air(lit, in.world_position)), covered);
}
