// Sums of `cor`: the joints' rigid motions as matrices and as dual quaternions, weighted. Needs affine, dual_quat,
// blend_dual_quats and a source of joints.

struct MethodSum {
    linear: Affine,
    // The heaviest influence.
    pivot: DualQuat,
    motion: DualQuat,
}

fn method_first(pose: Pose, joint: u32, weight: f32) -> MethodSum {
    let pivot = joint_dual_quat(pose, joint);
    let linear = affine_scaled(dual_quat_to_affine(pivot), weight);
    return MethodSum(linear, pivot, dual_quat_scaled(pivot, weight));
}

fn method_add(sum: MethodSum, pose: Pose, joint: u32, weight: f32) -> MethodSum {
    let rigid = joint_dual_quat(pose, joint);
    return MethodSum(
        affine_add_scaled(sum.linear, dual_quat_to_affine(rigid), weight),
        sum.pivot,
        dual_quat_add_scaled(sum.motion, rigid, signed_weight(sum.pivot, rigid, weight)),
    );
}
