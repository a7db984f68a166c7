// Joints from a texture of bones in model space: each bone is interpolated, then weighted. Needs set and a kind
// of bones.

@group(1) @binding(2) var texels: Texels;

alias Pose = Frames;

fn pose_of(instance: Instance) -> Pose {
    return instance_frames(instance);
}

fn bone_of(pair: FramePair, place: u32) -> Bone {
    return bone_between(texels, tables, set_info.grid, set_info.codec, pair, place);
}

fn pose_bone(pose: Pose, place: u32) -> Bone {
    let bone = bone_of(pose.first, place);
    if !HAS_FADES || pose.fade == 0.0 {
        return bone;
    }
    return bone_fade(bone, bone_of(pose.second, place), pose.fade);
}

// Links that only move are a texel, and cost a point and no matrix.
fn joint_affine(pose: Pose, joint: u32) -> Affine {
    let bone = bone_to_affine(pose_bone(pose, joint >> 16u));
    let entry = joint & 0xffffu;
    if set_info.inverse_binds_are_matrices == 0u {
        let moved = table_floats(tables, set_info.inverse_bind_table + entry).xyz;
        return Affine(bone.linear, affine_point(bone, moved));
    }
    return affine_mul(bone, table_affine(tables, set_info.inverse_bind_table + 3u * entry));
}

fn joint_dual_quat(pose: Pose, joint: u32) -> DualQuat {
    let bone = bone_to_dual_quat(pose_bone(pose, joint >> 16u));
    let entry = joint & 0xffffu;
    if set_info.inverse_binds_are_matrices == 0u {
        let moved = table_floats(tables, set_info.inverse_bind_table + entry).xyz;
        return DualQuat(bone.real, bone.dual + quat_mul(bone.real, vec4(0.5 * moved, 0.0)));
    }
    return dual_quat_mul(bone, table_dual(tables, set_info.dual_inverse_bind_table + 2u * entry));
}
