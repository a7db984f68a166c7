// The bone at the earlier of two frames. Replaces the function of rest_row.
fn bone_of(pair: FramePair, bone: u32) -> Bone {
    return bone_at(pair.first, bone);
}
