// Interpolation of rotations. Results are not normalised. Needs quat.

// Between two rotations given by modified Rodrigues parameters. `nlerp` divides nothing: each quaternion has the length
// `1 + p²`, and multiplying both by the other's length leaves only a common factor.
fn rotation_between(from_mrp: vec3<f32>, to_mrp: vec3<f32>, f: f32) -> vec4<f32> {
    if INTERPOLATION == INTERPOLATE_SLERP {
        return quat_slerp(quat_from_mrp(from_mrp), quat_from_mrp(to_mrp), f);
    }
    let a_square = dot(from_mrp, from_mrp);
    let b_square = dot(to_mrp, to_mrp);
    let a = quat_from_mrp_unnormalized(from_mrp, a_square);
    let b = quat_from_mrp_unnormalized(to_mrp, b_square);
    let b_weight = f * (1.0 + a_square);
    return a * ((1.0 - f) * (1.0 + b_square)) + b * select(b_weight, -b_weight, dot(a, b) < 0.0);
}

// Cross-fade between two rotations of any length.
fn rotation_fade(from_rotation: vec4<f32>, to_rotation: vec4<f32>, f: f32) -> vec4<f32> {
    let a = normalize(from_rotation);
    let b = normalize(to_rotation);
    if INTERPOLATION == INTERPOLATE_SLERP {
        return quat_slerp(a, b, f);
    }
    return mix(a, quat_aligned(a, b), f);
}
