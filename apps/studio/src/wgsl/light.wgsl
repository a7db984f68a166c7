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
    let depth = min(clip.z, 1.0) - scene.steps.z;
    var visible = 0.0;
    var total = 0.0;
    for (var y = -2; y <= 2; y++) {
        for (var x = -2; x <= 2; x++) {
            let offset = vec2(f32(x), f32(y));
            let weight = exp(-0.22 * dot(offset, offset));
            visible += weight * textureSampleCompareLevel(sun_map, sun_sampler, uv + offset * scene.steps.xy, depth);
            total += weight;
        }
    }
    // A map that does not cover all casters fades out at its edges.
    let edge = max(abs(clip.x), abs(clip.y));
    let inside = 1.0 - smoothstep(scene.looks.x, 1.0, edge);
    return mix(1.0, visible / total, select(inside, select(0.0, 1.0, edge < 1.0), scene.looks.x >= 1.0));
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
    let sky = mix(scene.horizon_color.rgb, scene.zenith_color.rgb, smoothstep(0.0, scene.glow_color.w, direction.y));
    let toward_sun = 0.5 + 0.5 * dot(direction, scene.to_sun.xyz);
    return sky + scene.glow_color.rgb * (0.35 * pow(toward_sun, 6.0) + pow(toward_sun, 48.0));
}

// Colour behind the air between the camera and a point.
fn through_air(color: vec3<f32>, position: vec3<f32>) -> vec3<f32> {
    let way = position - scene.eye.xyz;
    let direction = normalize(way);
    // Haze has the colour of the sky at the horizon.
    let level = normalize(vec3(direction.x, max(direction.y, 0.02), direction.z));
    return mix(backdrop(level), color, exp(-scene.looks.y * length(way)));
}
