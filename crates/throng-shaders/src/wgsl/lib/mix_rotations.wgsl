// Between two rotations, as the set says. Needs quat.

fn rotation_mix(from_turn: vec4<f32>, to_turn: vec4<f32>, f: f32) -> vec4<f32> {
    if BLEND == BLEND_SLERP {
        return quat_slerp(from_turn, to_turn, f);
    }
    return quat_nlerp(from_turn, to_turn, f);
}
