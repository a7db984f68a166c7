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
    let offset = texel - instance * set_info.palette_stride;
    let palette_index = offset / 3u;
    let matrix = joint_affine(pose_of(instance_read(instance)), palette_joint(palette_index));
    return bitcast<vec4<u32>>(affine_to_rows(matrix)[offset - 3u * palette_index]);
}
