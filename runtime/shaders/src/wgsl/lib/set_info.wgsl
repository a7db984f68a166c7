// Description of a texture set: everything that a shader needs beside the texels. Needs grid, codec and joint.

struct SetInfo {
    // Of bones or positions.
    grid: Grid,
    normals: Grid,
    morphs: Grid,
    codec: Codec,
    // Of compressed curves, of joints or vertices.
    joint_curves: JointCurves,
    // Range of vertex offsets in compressed curves: centre in xyz, scale in w. An offset is `centre + scale * curve`.
    vertex_curve_range: vec4<f32>,
    // First records of tables: clips, inverse bind matrices, the same as dual quaternions, ranges of morph weights.
    clip_table: u32,
    inverse_bind_table: u32,
    dual_inverse_bind_table: u32,
    morph_table: u32,
    // Number of joints in a palette.
    palette_len: u32,
    // Number of texels in the palette of an instance: joints, then morph weights.
    palette_stride: u32,
    // Number of vertices of the whole character.
    vertices: u32,
    // Number of curves of unique positions, which come before those of normals.
    position_curves: u32,
    // First record of the bone offsets, one per palette index, four per record.
    bone_offset_table: u32,
    // 1 if inverse binds are matrices, 0 if they are translations.
    @size(12) inverse_binds_are_matrices: u32,
}
