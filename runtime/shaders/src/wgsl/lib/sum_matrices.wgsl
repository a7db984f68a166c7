// Sum of linear blend skinning: the joints' matrices, weighted. Needs affine and a source of joints.

alias MethodSum = Affine;

fn method_first(pose: Pose, joint: u32, weight: f32) -> MethodSum {
    return affine_scaled(joint_affine(pose, joint), weight);
}

fn method_add(sum: MethodSum, pose: Pose, joint: u32, weight: f32) -> MethodSum {
    return affine_add_scaled(sum, joint_affine(pose, joint), weight);
}
