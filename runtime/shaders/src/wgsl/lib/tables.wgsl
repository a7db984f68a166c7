// Tables of a set: records of four words. Needs a source of tables, which defines `Tables` and `table_get`.

fn table_floats(tables: Tables, at: u32) -> vec4<f32> {
    return bitcast<vec4<f32>>(table_get(tables, at));
}

// One record per clip. The highest bit of the number of frames is set if the clip wraps. Needs time.
fn clip_timing(tables: Tables, first: u32, clip: u32) -> ClipTiming {
    let a = table_get(tables, first + (clip & ~BACKWARDS));
    return ClipTiming(a.x, a.y & 0x7fffffffu, bitcast<f32>(a.z), bitcast<f32>(a.w), (a.y >> 31u) != 0u);
}

// Three records: the rows of a transform. Needs affine.
fn table_affine(tables: Tables, at: u32) -> Affine {
    return affine_from_rows(mat3x4(
        table_floats(tables, at),
        table_floats(tables, at + 1u),
        table_floats(tables, at + 2u),
    ));
}

// Two records: real and dual part. Needs dual_quat.
fn table_dual(tables: Tables, at: u32) -> DualQuat {
    return DualQuat(table_floats(tables, at), table_floats(tables, at + 1u));
}
