// Between two rotations, as the set says; what comes out may be of any length. Needs quat.

// From modified Rodrigues parameters. They are `(2 p, 1 - p²) / (1 + p²)` as quaternions: the lengths of both sums are
// left to who takes what comes out, so that nothing is divided here.
fn turn_between(from_turn: vec3<f32>, to_turn: vec3<f32>, f: f32) -> vec4<f32> {
    if INTERPOLATION == INTERPOLATE_SLERP {
        return quat_slerp(quat_from_mrp(from_turn), quat_from_mrp(to_turn), f);
    }
    let a_square = dot(from_turn, from_turn);
    let b_square = dot(to_turn, to_turn);
    let a = vec4(2.0 * from_turn, 1.0 - a_square);
    let b = vec4(2.0 * to_turn, 1.0 - b_square);
    let b_weight = f * (1.0 + a_square);
    return a * ((1.0 - f) * (1.0 + b_square)) + b * select(b_weight, -b_weight, dot(a, b) < 0.0);
}

// From one clip to another.
fn rotation_fade(from_turn: vec4<f32>, to_turn: vec4<f32>, f: f32) -> vec4<f32> {
    let a = normalize(from_turn);
    let b = normalize(to_turn);
    if INTERPOLATION == INTERPOLATE_SLERP {
        return quat_slerp(a, b, f);
    }
    return mix(a, quat_aligned(a, b), f);
}
