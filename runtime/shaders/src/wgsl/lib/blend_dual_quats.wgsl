// Blending of dual quaternions. Needs dual_quat and a sum that has a pivot and a motion.

// The weight of a dual quaternion, negated if it is in the other hemisphere than the pivot.
fn signed_weight(pivot: DualQuat, rigid: DualQuat, weight: f32) -> f32 {
    return select(weight, -weight, SIGNS == SIGNS_PIVOT && dot(pivot.real, rigid.real) < 0.0);
}

// The normalised sum. Opposite signs can cancel out; the result is then the heaviest influence.
fn blend_dual_quats(sum: MethodSum) -> DualQuat {
    return dual_quat_normalized(sum.motion, sum.pivot);
}
