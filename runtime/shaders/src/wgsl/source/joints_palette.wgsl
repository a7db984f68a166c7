// Joints from a palette of matrices: three texels per joint, one palette per instance. Needs set.

@group(1) @binding(2) var palette: texture_2d<u32>;

// Index of the first texel of an instance.
alias Pose = u32;

fn pose_of(instance: Instance) -> Pose {
    return instance.index * set_info.palette_stride;
}

fn joint_affine(pose: Pose, joint: u32) -> Affine {
    return bits_affine(palette, pose + 3u * (joint & 0xffffu));
}

fn joint_dual_quat(pose: Pose, joint: u32) -> DualQuat {
    return dual_quat_from_affine(joint_affine(pose, joint));
}
