// Joints from a stretch palette: a dual quaternion and the stretch before it, five texels per joint, one palette per
// instance. Needs set.

@group(1) @binding(2) var palette: texture_2d<u32>;

// Index of the first texel of an instance.
alias Pose = u32;

fn pose_of(instance: Instance) -> Pose {
    return instance.index * set_info.palette_stride;
}

fn joint_affine(pose: Pose, joint: u32) -> Affine {
    return affine_mul(dual_quat_to_affine(joint_dual_quat(pose, joint)), joint_stretch(pose, joint));
}

fn joint_dual_quat(pose: Pose, joint: u32) -> DualQuat {
    return bits_dual(palette, pose + 5u * (joint & 0xffffu));
}

fn joint_stretch(pose: Pose, joint: u32) -> Affine {
    return bits_affine(palette, pose + 5u * (joint & 0xffffu) + 2u);
}
