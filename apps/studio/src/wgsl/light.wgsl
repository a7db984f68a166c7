// Light of a scene at a point. Needs scene.

@group(3) @binding(0) var<uniform> scene: Scene;
@group(3) @binding(1) var sun_map: texture_depth_2d;
@group(3) @binding(2) var sun_sampler: sampler_comparison;
@group(3) @binding(3) var contact_map: texture_2d<f32>;
@group(3) @binding(4) var contact_sampler: sampler;

// Texture coordinates of a map, from its clip space.
fn map_uv(clip: vec4<f32>) -> vec2<f32> {
    return clip.xy * vec2(0.5, -0.5) + 0.5;
}

// Visibility of the sun, from 0 (shadowed) to 1: 5 x 5 shadow-map samples, weighted.
fn sun_visibility(position: vec3<f32>, normal: vec3<f32>) -> f32 {
    let clip = scene.sun_from_world * vec4(position + normal * scene.to_sun.w, 1.0);
    let uv = map_uv(clip);
    // Points behind the far plane of the map are compared at the far plane.
    let depth = min(clip.z, 1.0) - scene.steps.y;
    var visible = 0.0;
    var total = 0.0;
    for (var y = -2; y <= 2; y++) {
        for (var x = -2; x <= 2; x++) {
            let offset = vec2(f32(x), f32(y));
            let weight = exp(-0.22 * dot(offset, offset));
            visible += weight * textureSampleCompareLevel(sun_map, sun_sampler, uv + offset * scene.steps.x, depth);
            total += weight;
        }
    }
    let is_inside = all(abs(clip.xy) < vec2(1.0));
    return select(1.0, visible / total, is_inside);
}

// Contact shadow on the ground, from 0 (none) to 1.
fn contact(position: vec3<f32>) -> f32 {
    let clip = scene.contact_from_world * vec4(position, 1.0);
    let closeness = textureSampleLevel(contact_map, contact_sampler, map_uv(clip), 0.0).r;
    return select(0.0, min(1.5 * closeness, 1.0), all(abs(clip.xy) < vec2(1.0)));
}

// Ambient light.
fn ambient(normal: vec3<f32>) -> vec3<f32> {
    return mix(scene.bounce_color.rgb, scene.sky_color.rgb, 0.5 + 0.5 * normal.y);
}

// Colour of the sky in a direction.
fn backdrop(direction: vec3<f32>) -> vec3<f32> {
    return mix(scene.horizon_color.rgb, scene.zenith_color.rgb, smoothstep(0.0, 0.7, direction.y));
}
