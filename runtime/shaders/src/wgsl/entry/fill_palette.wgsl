// Fills palettes in a fragment pass: one row of a joint's matrix per texel, one palette per instance.

@vertex
fn fill_palette_vertex(@builtin(vertex_index) index: u32) -> @builtin(position) vec4<f32> {
    // One triangle that covers the target.
    let corner = vec2(f32(index & 1u), f32(index >> 1u));
    return vec4(4.0 * corner - 1.0, 0.5, 1.0);
}

@fragment
fn fill_palette_fragment(@builtin(position) at: vec4<f32>) -> @location(0) vec4<u32> {
    let texel = u32(at.x) + (u32(at.y) << 11u);
    let instance = divide(texel, set_info.palette_stride);
    if frame_is_gap(frame, instance) {
        return vec4(0u);
    }
    return palette_row(instance_read(instance), texel - instance * set_info.palette_stride);
}
