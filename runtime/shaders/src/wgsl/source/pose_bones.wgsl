// Poses of bones in model space. Each bone is interpolated between frames and cross-faded. Needs set and a source of bones.

alias Pose = Frames;

fn pose_of(instance: Instance) -> Pose {
    return instance_frames(instance);
}

fn pose_bone(pose: Pose, bone_offset: u32) -> Bone {
    let bone = bone_of(pose.first, bone_offset);
    if !HAS_FADES || pose.fade == 0.0 {
        return bone;
    }
    return bone_fade(bone, bone_of(pose.second, bone_offset), pose.fade);
}
