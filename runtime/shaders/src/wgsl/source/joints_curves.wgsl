// Joints of `bone-local`, for passes that fill a palette. Each joint is decoded and cross-faded in its parent's space,
// then transformed up to its root. Needs set, words, curves and joint.

@group(1) @binding(2) var words: texture_2d_array<u32>;

struct Pose {
    first: Moment,
    second: Moment,
    fade: f32,
}

fn play_moment(play: Play, now: u32) -> Moment {
    let time_secs = play_time(play, play_timing(play), now);
    let tables = set_info.joint_curves;
    return moment_find(words, tables.clip_table, tables.curves, play.clip & ~BACKWARDS, time_secs);
}

fn pose_of(instance: Instance) -> Pose {
    let fade = instance_fade(instance);
    let first = play_moment(instance.first, instance.now);
    if !HAS_FADES || fade == 0.0 {
        return Pose(first, first, fade);
    }
    return Pose(first, play_moment(instance.second, instance.now), fade);
}

fn pose_record(joint: u32) -> JointRecord {
    return joint_record_read(words, set_info.joint_curves.joint_table, set_info.joint_curves.record_words, joint);
}

fn pose_parent_from_joint(pose: Pose, record: JointRecord) -> Affine {
    let joint = local_joint(words, record, pose.first);
    if !HAS_FADES || pose.fade == 0.0 {
        return local_joint_to_affine(joint);
    }
    return local_joint_to_affine(local_joint_mix(joint, local_joint(words, record, pose.second), pose.fade));
}

fn joint_affine(pose: Pose, joint: u32) -> Affine {
    var at = joint >> 16u;
    var record = pose_record(at);
    var space_from_joint = pose_parent_from_joint(pose, record);
    // Parents have lower indices than their children. The check makes the walk terminate on corrupt data too.
    while record.parent != 0u && record.parent <= at {
        at = record.parent - 1u;
        record = pose_record(at);
        space_from_joint = affine_mul(pose_parent_from_joint(pose, record), space_from_joint);
    }
    let inverse_bind = table_affine(tables, set_info.inverse_bind_table + 3u * (joint & 0xffffu));
    return affine_mul(space_from_joint, inverse_bind);
}
