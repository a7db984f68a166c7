// A scene: where it is seen from, its lights and its ground. Colours are linear.

struct Scene {
    world_from_clip: mat4x4<f32>,
    sun_from_world: mat4x4<f32>,
    contact_from_world: mat4x4<f32>,
    eye: vec4<f32>,
    // The fourth is how far a point is lifted off its surface before its shadow is looked up.
    to_sun: vec4<f32>,
    sun_color: vec4<f32>,
    sky_color: vec4<f32>,
    // Light that comes back from the ground.
    bounce_color: vec4<f32>,
    horizon_color: vec4<f32>,
    zenith_color: vec4<f32>,
    ground_color: vec4<f32>,
    // The middle of the ground; the fourth is how far from there the ground is gone.
    ground: vec4<f32>,
    // A texel of the sun's map, a step of its depth, and the height in which contact fades.
    @size(16) steps: vec3<f32>,
}

// Keeps colours as they are up to three quarters, and bends what is brighter: Khronos PBR Neutral.
fn tone(color: vec3<f32>) -> vec3<f32> {
    let start = 0.76;
    let low = min(color.r, min(color.g, color.b));
    let offset = select(0.04, low - 6.25 * low * low, low < 0.08);
    let lifted = color - offset;
    let peak = max(lifted.r, max(lifted.g, lifted.b));
    if peak < start {
        return lifted;
    }
    let room = 1.0 - start;
    let bent = 1.0 - room * room / (peak + room - start);
    let grey = 1.0 - 1.0 / (0.15 * (peak - bent) + 1.0);
    return mix(lifted * (bent / peak), vec3(bent), grey);
}
