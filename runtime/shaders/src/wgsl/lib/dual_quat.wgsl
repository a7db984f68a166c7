// Dual quaternions. Needs quat and affine.

struct DualQuat {
    real: vec4<f32>,
    dual: vec4<f32>,
}

fn dual_quat_mul(a: DualQuat, b: DualQuat) -> DualQuat {
    return DualQuat(quat_mul(a.real, b.real), quat_mul(a.real, b.dual) + quat_mul(a.dual, b.real));
}

// Rotates by a unit quaternion, then translates.
fn dual_quat_from_rotation_translation(rotation: vec4<f32>, translation: vec3<f32>) -> DualQuat {
    return DualQuat(rotation, quat_mul(vec4(0.5 * translation, 0.0), rotation));
}

// Every number times a weight: the first term of a weighted sum.
fn dual_quat_scaled(q: DualQuat, weight: f32) -> DualQuat {
    return DualQuat(q.real * weight, q.dual * weight);
}

// A further term of a weighted sum.
fn dual_quat_add_scaled(sum: DualQuat, q: DualQuat, weight: f32) -> DualQuat {
    return DualQuat(sum.real + q.real * weight, sum.dual + q.dual * weight);
}

// Half the translation of a unit dual quaternion.
fn dual_quat_half_translation(q: DualQuat) -> vec3<f32> {
    return q.real.w * q.dual.xyz - q.dual.w * q.real.xyz + cross(q.real.xyz, q.dual.xyz);
}

// Divides both parts by the length of the real part. Returns the fallback if that is almost zero.
fn dual_quat_normalized(q: DualQuat, fallback: DualQuat) -> DualQuat {
    let square = dot(q.real, q.real);
    if square < 1e-24 {
        return fallback;
    }
    let scale = inverseSqrt(square);
    return DualQuat(q.real * scale, q.dual * scale);
}

// The rigid motion of a dual quaternion of any length.
fn dual_quat_to_affine(q: DualQuat) -> Affine {
    let scale = quat_matrix_scale(q.real);
    return Affine(mat3_from_scaled(q.real, scale), scale * dual_quat_half_translation(q));
}

// The dual quaternion of a rigid transform.
fn dual_quat_from_affine(a: Affine) -> DualQuat {
    return dual_quat_from_rotation_translation(quat_from_mat3(a.linear), a.translation);
}

// Transforms a point by a unit dual quaternion, without a matrix.
fn dual_quat_transform_point(q: DualQuat, point: vec3<f32>) -> vec3<f32> {
    return dual_quat_transform_vector(q, point) + 2.0 * dual_quat_half_translation(q);
}

// Rotates a direction by a unit dual quaternion.
fn dual_quat_transform_vector(q: DualQuat, vector: vec3<f32>) -> vec3<f32> {
    return vector + 2.0 * cross(q.real.xyz, cross(q.real.xyz, vector) + q.real.w * vector);
}
