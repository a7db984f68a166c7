// Palette matrices of bones and of their bind poses, which are in the row above the first frame. Needs pose_bones and
// planes.

// Frame of the bind poses: its row wraps to the one above the first frame.
const REST_FRAME: u32 = 0xffffffffu;

fn bone_of(pair: FramePair, bone: u32) -> Bone {
    return bone_fade(bone_at(pair.first, bone), bone_at(pair.second, bone), pair.fraction);
}

// The palette matrix of a bone: from its bind pose, which is rigid, to its pose. A vertex goes to
// `R (vertex - rest.translation) + pose.translation`.
fn joint_affine(pose: Pose, joint: u32) -> Affine {
    let posed = bone_to_affine(pose_bone(pose, joint >> 16u));
    let rest = bone_to_affine(bone_at(REST_FRAME, joint >> 16u));
    let rotation = posed.linear * transpose(rest.linear);
    return Affine(rotation, posed.translation - rotation * rest.translation);
}
