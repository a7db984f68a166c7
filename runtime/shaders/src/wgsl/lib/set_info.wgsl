// What a shader must know of a set beside its texels. Needs grid, codec and joint.

struct SetInfo {
    // Of bones or positions.
    grid: Grid,
    normals: Grid,
    morphs: Grid,
    codec: Codec,
    joint_curves: JointCurves,
    // Offsets of vertices in packed curves: `center + scale * curve`, the scale last.
    vertex_curve_range: vec4<f32>,
    // First records in the tables: clips, links as matrices, links as dual quaternions, boxes of morph weights.
    clip_table: u32,
    inverse_bind_table: u32,
    dual_inverse_bind_table: u32,
    morph_table: u32,
    // Entries of a palette, and its texels an instance, the weights of morphs after the joints.
    palette_len: u32,
    palette_stride: u32,
    // Vertices of the whole character.
    vertices: u32,
    // Curves of true positions, before those of normals.
    position_curves: u32,
    // First record of the places of the entries' bones, four a texel.
    bone_offset_table: u32,
    // 1 where links are matrices, 0 where they only move.
    @size(12) inverse_binds_are_matrices: u32,
}
