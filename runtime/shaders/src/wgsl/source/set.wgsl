// Clips and frames of a set. Needs set_info, a source of metadata and instance.

fn play_frames(play: Play, now: u32) -> FramePair {
    let timing = play_timing(play);
    return frame_pair(timing, play_frame(play, timing, now));
}

// Weight of an instance's second clip.
fn instance_fade(instance: Instance) -> f32 {
    if !HAS_FADES {
        return 0.0;
    }
    return fade_weight(instance.fade_start, instance.fade_duration, instance.now);
}

// The frames of both clips of an instance, and the weight of the second.
struct Frames {
    first: FramePair,
    second: FramePair,
    fade: f32,
}

fn instance_frames(instance: Instance) -> Frames {
    let fade = instance_fade(instance);
    let first = play_frames(instance.first, instance.now);
    if !HAS_FADES || fade == 0.0 {
        return Frames(first, first, fade);
    }
    return Frames(first, play_frames(instance.second, instance.now), fade);
}
