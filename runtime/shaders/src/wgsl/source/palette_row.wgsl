// Texels of a palette. Needs a source of joints and palette_joint.

// A texel of the palette of an instance: one row of a joint's matrix.
fn palette_row(instance: Instance, offset: u32) -> vec4<u32> {
    let palette_index = offset / 3u;
    let matrix = joint_affine(pose_of(instance), palette_joint(palette_index));
    return bitcast<vec4<u32>>(affine_to_rows(matrix)[offset - 3u * palette_index]);
}
