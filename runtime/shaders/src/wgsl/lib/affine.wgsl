// Affine transforms: a linear map, then a translation.

struct Affine {
    linear: mat3x3<f32>,
    translation: vec3<f32>,
}

fn affine_mul(a: Affine, b: Affine) -> Affine {
    return Affine(a.linear * b.linear, a.linear * b.translation + a.translation);
}

// The three rows, as palettes hold them: `vec4(point, 1.0) * rows` is the transformed point.
fn affine_to_rows(a: Affine) -> mat3x4<f32> {
    return transpose(mat4x3(a.linear[0], a.linear[1], a.linear[2], a.translation));
}

fn affine_from_rows(rows: mat3x4<f32>) -> Affine {
    let columns = transpose(rows);
    return Affine(mat3x3(columns[0], columns[1], columns[2]), columns[3]);
}

fn affine_mix(a: Affine, b: Affine, f: f32) -> Affine {
    return Affine(
        mat3x3(mix(a.linear[0], b.linear[0], f), mix(a.linear[1], b.linear[1], f), mix(a.linear[2], b.linear[2], f)),
        mix(a.translation, b.translation, f),
    );
}

// Every number times a weight: the first term of a weighted sum.
fn affine_scaled(a: Affine, weight: f32) -> Affine {
    return Affine(a.linear * weight, a.translation * weight);
}

// A further term of a weighted sum.
fn affine_add_scaled(sum: Affine, a: Affine, weight: f32) -> Affine {
    return Affine(sum.linear + a.linear * weight, sum.translation + a.translation * weight);
}

fn affine_point(a: Affine, point: vec3<f32>) -> vec3<f32> {
    return a.linear * point + a.translation;
}

// A unit vector along `v`, or the fallback if `v` is zero.
fn unit_or(v: vec3<f32>, fallback: vec3<f32>) -> vec3<f32> {
    let square = dot(v, v);
    return select(fallback, v * inverseSqrt(square), square > 0.0);
}

// Transforms a unit normal by the cofactor matrix of the linear part, which keeps it on the front side of its
// triangle under reflections too. Returns the normal unchanged if the result is zero.
fn affine_normal(a: Affine, normal: vec3<f32>) -> vec3<f32> {
    let m = a.linear;
    return unit_or(mat3x3(cross(m[1], m[2]), cross(m[2], m[0]), cross(m[0], m[1])) * normal, normal);
}

// A unit vector perpendicular to a unit vector. Equal to `glam::Vec3::any_orthonormal_vector`.
fn any_orthonormal(v: vec3<f32>) -> vec3<f32> {
    let sign = select(-1.0, 1.0, v.z >= 0.0);
    let a = -1.0 / (sign + v.z);
    let b = v.x * v.y * a;
    return vec3(b, sign + v.y * v.y * a, -v.y);
}
