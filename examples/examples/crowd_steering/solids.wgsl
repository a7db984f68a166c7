// Buildings, pillars, trees and the fountain: instanced shapes. Needs light.

struct SolidIn {
    @location(0) position: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) center: vec3<f32>,
    @location(3) half: vec3<f32>,
    @location(4) color: vec3<f32>,
    @location(5) surface: u32,
}

struct Solid {
    @builtin(position) at: vec4<f32>,
    @location(0) position: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) color: vec3<f32>,
    @location(3) @interpolate(flat) surface: u32,
}

const FACADE: u32 = 1u;
const WATER: u32 = 2u;
const LEAVES: u32 = 3u;

@vertex
fn solid_vertex(in: SolidIn) -> Solid {
    let position = in.center + in.half * in.position;
    let at = camera.clip_from_world * vec4(position, 1.0);
    return Solid(at, position, normalize(in.normal / in.half), in.color, in.surface);
}

@vertex
fn solid_shadow(in: SolidIn) -> @builtin(position) vec4<f32> {
    return sun.clip_from_world * vec4(in.center + in.half * in.position, 1.0);
}

// 1 inside a rectangle around the middle of a cell, antialiased.
fn pane(cell: vec2<f32>, low: vec2<f32>, high: vec2<f32>, pixel: vec2<f32>) -> f32 {
    let inside = smoothstep(low - pixel, low + pixel, cell) * (1.0 - smoothstep(high - pixel, high + pixel, cell));
    return inside.x * inside.y;
}

@fragment
fn solid_fragment(in: Solid) -> @location(0) vec4<f32> {
    var normal = normalize(in.normal);
    var albedo = in.color;
    let across = select(in.position.x, in.position.z, abs(normal.x) > 0.5);
    let bays = vec2(across / 2.7, (in.position.y - 4.2) / 3.5);
    let shops = vec2(across / 5.4, in.position.y / 4.2);
    let bay_pixel = min(0.7 * fwidth(bays), vec2(0.5));
    let shop_pixel = min(0.7 * fwidth(shops), vec2(0.5));
    let to_eye = normalize(camera.eye.xyz - in.position);
    var open = mix(0.55, 1.0, smoothstep(0.0, 5.0, in.position.y));
    var glass = 0.0;
    if in.surface == FACADE && abs(normal.y) < 0.5 {
        let is_shop = in.position.y < 3.9;
        let bay = fract(bays);
        let frame = pane(bay, vec2(0.22, 0.14), vec2(0.78, 0.82), bay_pixel);
        let window = pane(bay, vec2(0.27, 0.18), vec2(0.73, 0.78), bay_pixel);
        let sill = pane(bay, vec2(-1.0, -0.02), vec2(2.0, 0.05), bay_pixel);
        let shop = pane(fract(shops), vec2(0.06, 0.08), vec2(0.94, 0.74), shop_pixel);
        glass = select(window, shop, is_shop);
        let wall = select(mix(albedo * (1.0 - 0.25 * sill), albedo * 1.2, frame), albedo * 0.55, is_shop);
        let inside = mix(vec3(0.02, 0.025, 0.03), vec3(0.22, 0.15, 0.08), pow(hash(floor(bays) + 0.5 + 31.0 * normal.xz), 6.0));
        albedo = mix(wall, inside, glass);
    } else if in.surface == FACADE {
        albedo = vec3(0.20, 0.19, 0.19);
    } else if in.surface == WATER {
        let p = in.position.xz;
        let wave = vec2(sin(3.1 * p.x + 1.7 * p.y), sin(2.3 * p.y - 1.9 * p.x)) + 0.6 * vec2(sin(7.9 * p.y), sin(8.7 * p.x));
        normal = normalize(normal + vec3(0.05 * wave.x, 0.0, 0.05 * wave.y));
        glass = 0.9;
    } else if in.surface == LEAVES {
        let cell = floor(vec3(5.0, 6.0, 5.0) * in.position);
        let leaf = vec2(hash(cell.xy + 37.0 * cell.z), hash(cell.zy + 53.0 * cell.x));
        normal = normalize(normal + 1.1 * vec3(leaf.x - 0.5, 0.5 * (leaf.y - 0.5), leaf.y - 0.5));
        albedo *= 0.65 + 0.7 * leaf.x;
        open = 0.5 + 0.5 * smoothstep(3.2, 6.5, in.position.y);
    }
    var color = lit(albedo, normal, in.position, open);
    let reflected = reflect(-to_eye, normal);
    let fresnel = 0.06 + 0.94 * pow(1.0 - max(dot(normal, to_eye), 0.0), 5.0);
    let glint = pow(max(dot(reflected, sun.direction.xyz), 0.0), 120.0);
    color += glass * (fresnel * sky(vec3(reflected.x, abs(reflected.y), reflected.z)) + 2.0 * glint * SUNLIGHT * fresnel);
    return developed(color, in.position);
}
