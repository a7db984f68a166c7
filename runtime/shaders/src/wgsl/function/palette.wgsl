// Functions that fill palettes inside an engine's own pass. Needs palette_row and instance_at.

fn throng_palette_texel(texel: u32, now: u32) -> vec4<u32> {
    let instance = divide(texel, set_info.palette_stride);
    return palette_row(instance_at(instance, now), texel - instance * set_info.palette_stride);
}

fn throng_palette_matrix(palette_index: u32, instance: u32, now: u32) -> mat3x4<f32> {
    return affine_to_rows(joint_affine(pose_of(instance_at(instance, now)), palette_joint(palette_index)));
}
