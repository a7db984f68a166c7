// The pavement, up to the horizon. Needs light.

struct Ground {
    @builtin(position) at: vec4<f32>,
    @location(0) position: vec3<f32>,
}

const SQUARE: vec2<f32> = vec2(0.0, -18.0);

@vertex
fn ground_vertex(@builtin(vertex_index) index: u32) -> Ground {
    let corner = 2.0 * vec2(f32(index & 1u), f32(index >> 1u)) - 1.0;
    let position = vec3(600.0 * corner.x, 0.0, 600.0 * corner.y);
    return Ground(camera.clip_from_world * vec4(position, 1.0), position);
}

// 1 on lines at whole numbers, of a width in the same unit, antialiased.
fn line(at: f32, width: f32, pixel: f32) -> f32 {
    let off = abs(fract(at - 0.5) - 0.5);
    return (1.0 - smoothstep(0.5 * width, 0.5 * width + pixel, off)) * min(width / max(pixel, 1e-4), 1.0);
}

@fragment
fn ground_fragment(in: Ground) -> @location(0) vec4<f32> {
    let p = in.position.xz;
    let from_square = p - SQUARE;
    let radius = length(from_square);
    let slabs = p / vec2(0.8, 1.2);
    let pixel = fwidth(slabs);
    let ring_pixel = fwidth(radius / 3.5);
    let band = fwidth(p.x / 8.5);
    // Slabs of slightly different grey, and dark joints.
    var color = vec3(0.27, 0.255, 0.235) * (0.90 + 0.2 * hash(slabs));
    let joints = max(line(slabs.x, 0.035, pixel.x), line(slabs.y, 0.025, pixel.y));
    color *= 1.0 - 0.45 * joints;
    // Bands of pale stone along the boulevard, rings around the square.
    let is_square = smoothstep(28.3, 28.0, radius);
    let bands = line(p.x / 8.5 + 0.5, 0.075, band);
    let rings = line(radius / 3.5, 0.16, ring_pixel);
    color = mix(color, vec3(0.42, 0.39, 0.35), 0.75 * mix(bands, rings, is_square));
    color = mix(color, color * vec3(0.80, 0.66, 0.56), 0.8 * is_square);
    return developed(lit(color, vec3(0.0, 1.0, 0.0), in.position, 0.72), in.position);
}
