// Sums of blends of LBS and DQS: the joints' matrices and their dual quaternions, weighted. Needs affine, dual_quat,
// blend_dual_quats and a source of joints.

struct MethodSum {
    linear: Affine,
    // The heaviest influence.
    pivot: DualQuat,
    motion: DualQuat,
}

fn method_first(pose: Pose, joint: u32, weight: f32) -> MethodSum {
    let linear = affine_scaled(joint_affine(pose, joint), weight);
    let pivot = joint_dual_quat(pose, joint);
    return MethodSum(linear, pivot, dual_quat_scaled(pivot, weight));
}

fn method_add(sum: MethodSum, pose: Pose, joint: u32, weight: f32) -> MethodSum {
    let linear = affine_add_scaled(sum.linear, joint_affine(pose, joint), weight);
    let rigid = joint_dual_quat(pose, joint);
    return MethodSum(
        linear,
        sum.pivot,
        dual_quat_add_scaled(sum.motion, rigid, signed_weight(sum.pivot, rigid, weight)),
    );
}
