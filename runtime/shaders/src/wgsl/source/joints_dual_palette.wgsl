// Joints from a palette of dual quaternions: two texels per joint, one palette per instance. Needs set.

@group(1) @binding(2) var palette: texture_2d<u32>;

// Index of the first texel of an instance.
alias Pose = u32;

fn pose_of(instance: Instance) -> Pose {
    return instance.index * set_info.palette_stride;
}

fn joint_affine(pose: Pose, joint: u32) -> Affine {
    return dual_quat_to_affine(joint_dual_quat(pose, joint));
}

fn joint_dual_quat(pose: Pose, joint: u32) -> DualQuat {
    return bits_dual(palette, pose + 2u * (joint & 0xffffu));
}
