// Sum of dual-quaternion skinning: the joints' dual quaternions, weighted. Needs dual_quat, blend_dual_quats and a source
// of joints.

struct MethodSum {
    // The heaviest influence.
    pivot: DualQuat,
    motion: DualQuat,
}

fn method_first(pose: Pose, joint: u32, weight: f32) -> MethodSum {
    let pivot = joint_dual_quat(pose, joint);
    return MethodSum(pivot, dual_quat_scaled(pivot, weight));
}

fn method_add(sum: MethodSum, pose: Pose, joint: u32, weight: f32) -> MethodSum {
    let rigid = joint_dual_quat(pose, joint);
    return MethodSum(sum.pivot, dual_quat_add_scaled(sum.motion, rigid, signed_weight(sum.pivot, rigid, weight)));
}
