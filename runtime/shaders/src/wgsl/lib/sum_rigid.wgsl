// Sum of `dqs-sum`: the joints' rigid motions as matrices, weighted. Needs affine, dual_quat and a source of joints.

alias MethodSum = Affine;

fn method_first(pose: Pose, joint: u32, weight: f32) -> MethodSum {
    return affine_scaled(dual_quat_to_affine(joint_dual_quat(pose, joint)), weight);
}

fn method_add(sum: MethodSum, pose: Pose, joint: u32, weight: f32) -> MethodSum {
    return affine_add_scaled(sum, dual_quat_to_affine(joint_dual_quat(pose, joint)), weight);
}
