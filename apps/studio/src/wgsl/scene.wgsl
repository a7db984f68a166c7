// A scene: camera position, lights and ground. Colours are linear.

struct Scene {
    world_from_clip: mat4x4<f32>,
    sun_from_world: mat4x4<f32>,
    contact_from_world: mat4x4<f32>,
    eye: vec4<f32>,
    // Unit vector to the sun in xyz; w is the distance by which a point is moved along its normal before its shadow is
    // looked up.
    to_sun: vec4<f32>,
    sun_color: vec4<f32>,
    sky_color: vec4<f32>,
    // Light that the ground reflects.
    bounce_color: vec4<f32>,
    horizon_color: vec4<f32>,
    zenith_color: vec4<f32>,
    // Light around the sun in the sky; w is the sine of the angle at which the sky has the colour of the zenith.
    glow_color: vec4<f32>,
    ground_color: vec4<f32>,
    // Centre of the ground in xyz; w is the distance at which it has faded into the sky.
    ground: vec4<f32>,
    // Width and height of a texel of the shadow map, its depth bias, and the height over which contact shadows fade.
    steps: vec4<f32>,
    // Clip coordinate at which the shadow map begins to fade (1: nowhere), density of haze, strength of the sun's rim.
    @size(16) looks: vec3<f32>,
}

// Tone mapping by Khronos PBR Neutral: colours up to 0.76 stay as they are, brighter ones are compressed.
fn tone_map(color: vec3<f32>) -> vec3<f32> {
    let start = 0.76;
    let low = min(color.r, min(color.g, color.b));
    let offset = select(0.04, low - 6.25 * low * low, low < 0.08);
    let lifted = color - offset;
    let peak = max(lifted.r, max(lifted.g, lifted.b));
    if peak < start {
        return lifted;
    }
    let room = 1.0 - start;
    let compressed = 1.0 - room * room / (peak + room - start);
    let grey = 1.0 - 1.0 / (0.15 * (peak - compressed) + 1.0);
    return mix(lifted * (compressed / peak), vec3(compressed), grey);
}
