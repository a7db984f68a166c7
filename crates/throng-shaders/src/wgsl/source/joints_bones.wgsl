// Joints from a texture of bones in model space: each bone is interpolated, then weighted. Needs set and a kind
// of bones.

@group(1) @binding(2) var texels: Texels;

alias Pose = Frames;

fn pose_of(instance: Instance) -> Pose {
    return instance_frames(instance);
}

fn bone_between(pair: FramePair, place: u32) -> Bone {
    return bone_mix(
        bone_read(texels, tables, set_info.grid, set_info.codec, pair.first, place),
        bone_read(texels, tables, set_info.grid, set_info.codec, pair.second, place),
        pair.fraction,
    );
}

fn pose_bone(pose: Pose, place: u32) -> Bone {
    let bone = bone_between(pose.first, place);
    if !HAS_FADES || pose.fade == 0.0 {
        return bone;
    }
    return bone_fade(bone, bone_between(pose.second, place), pose.fade);
}

fn joint_affine(pose: Pose, joint: u32) -> Affine {
    let link = table_affine(tables, set_info.link_table + 3u * (joint & 0xffffu));
    return affine_mul(bone_to_affine(pose_bone(pose, joint >> 16u)), link);
}

fn joint_dual_quat(pose: Pose, joint: u32) -> DualQuat {
    let link = table_dual(tables, set_info.dual_link_table + 2u * (joint & 0xffffu));
    return dual_quat_mul(bone_to_dual_quat(pose_bone(pose, joint >> 16u)), link);
}
