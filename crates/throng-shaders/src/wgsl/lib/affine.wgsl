// A linear map, then a translation.

struct Affine {
    linear: mat3x3<f32>,
    translation: vec3<f32>,
}

fn affine_mul(a: Affine, b: Affine) -> Affine {
    return Affine(a.linear * b.linear, a.linear * b.translation + a.translation);
}

// The three rows, as palettes hold them: `vec4(point, 1.0) * rows` is the point, moved.
fn affine_to_rows(a: Affine) -> mat3x4<f32> {
    return transpose(mat4x3(a.linear[0], a.linear[1], a.linear[2], a.translation));
}

fn affine_from_rows(rows: mat3x4<f32>) -> Affine {
    let columns = transpose(rows);
    return Affine(mat3x3(columns[0], columns[1], columns[2]), columns[3]);
}
