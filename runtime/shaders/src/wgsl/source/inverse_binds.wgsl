// Palette matrices of bones and inverse bind matrices. Needs set and pose_bones.

// The palette matrix of a joint. An inverse bind that is a translation takes one texel and no matrix product.
fn joint_affine(pose: Pose, joint: u32) -> Affine {
    let bone = bone_to_affine(pose_bone(pose, joint >> 16u));
    let palette_index = joint & 0xffffu;
    if set_info.inverse_binds_are_matrices == 0u {
        let translation = table_floats(tables, set_info.inverse_bind_table + palette_index).xyz;
        return Affine(bone.linear, affine_point(bone, translation));
    }
    return affine_mul(bone, table_affine(tables, set_info.inverse_bind_table + 3u * palette_index));
}

// The palette matrix of a joint, as a dual quaternion.
fn joint_dual_quat(pose: Pose, joint: u32) -> DualQuat {
    let bone = bone_to_dual_quat(pose_bone(pose, joint >> 16u));
    let palette_index = joint & 0xffffu;
    if set_info.inverse_binds_are_matrices == 0u {
        let translation = table_floats(tables, set_info.inverse_bind_table + palette_index).xyz;
        return DualQuat(bone.real, bone.dual + quat_mul(bone.real, vec4(0.5 * translation, 0.0)));
    }
    return dual_quat_mul(bone, table_dual(tables, set_info.dual_inverse_bind_table + 2u * palette_index));
}
