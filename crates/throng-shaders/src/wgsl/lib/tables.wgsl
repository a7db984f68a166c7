// Records of a set beside its texels. Needs a place of tables, which says what `Tables` are and has `table_get`.

fn table_floats(tables: Tables, at: u32) -> vec4<f32> {
    return bitcast<vec4<f32>>(table_get(tables, at));
}

// Two texels a clip. Needs time.
fn clip_timing(tables: Tables, first: u32, clip: u32) -> ClipTiming {
    let at = first + 2u * (clip & ~BACKWARDS);
    let a = table_get(tables, at);
    return ClipTiming(a.x, a.y, bitcast<f32>(a.z), bitcast<f32>(a.w), table_get(tables, at + 1u).x != 0u);
}

// Three texels: the rows of a transform. Needs affine.
fn table_affine(tables: Tables, at: u32) -> Affine {
    return affine_from_rows(mat3x4(
        table_floats(tables, at),
        table_floats(tables, at + 1u),
        table_floats(tables, at + 2u),
    ));
}

// Two texels: real and dual part. Needs dual_quat.
fn table_dual(tables: Tables, at: u32) -> DualQuat {
    return DualQuat(table_floats(tables, at), table_floats(tables, at + 1u));
}
