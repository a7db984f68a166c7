// Blur of the contact-shadow map along `BLUR_DIRECTION`. If `IS_DEPTH` is true, the input is a map of heights over the
// ground, which are converted to closeness.

@group(0) @binding(0) var contact_in: texture_2d<f32>;

fn closeness_at(texel: vec2<i32>, last: vec2<i32>) -> f32 {
    let raw = textureLoad(contact_in, clamp(texel, vec2(0), last), 0).r;
    let near = 1.0 - raw;
    return select(raw, near * near, IS_DEPTH);
}

@vertex
fn blur_contact_vertex(@builtin(vertex_index) index: u32) -> @builtin(position) vec4<f32> {
    // One triangle that covers the target.
    return vec4(4.0 * vec2(f32(index & 1u), f32(index >> 1u)) - 1.0, 0.5, 1.0);
}

@fragment
fn blur_contact_fragment(@builtin(position) at: vec4<f32>) -> @location(0) vec4<f32> {
    let last = vec2<i32>(textureDimensions(contact_in)) - 1;
    let texel = vec2<i32>(at.xy);
    var sum = 0.0;
    var total = 0.0;
    for (var step = -10; step <= 10; step++) {
        let weight = exp(-0.025 * f32(step * step));
        sum += weight * closeness_at(texel + step * BLUR_DIRECTION, last);
        total += weight;
    }
    return vec4(sum / total);
}
