// Time as wrapped ticks: whole numbers do not jitter after hours.

// What an instance plays. Times are ticks; `period` is how long the clip takes at the instance's speed, and
// where it is 0 the clip is held at the seconds whose bits `start` are.
struct Play {
    clip: u32,
    start: u32,
    period: u32,
}

// Marks a play that goes backwards, in its clip's number.
const BACKWARDS: u32 = 0x80000000u;

// When the frames of a clip are.
struct ClipTiming {
    first_frame: u32,
    frames: u32,
    rate_hz: f32,
    duration_secs: f32,
    wraps: bool,
}

// Seconds from the clip's start.
fn play_time(play: Play, timing: ClipTiming, now: u32) -> f32 {
    if play.period == 0u {
        return bitcast<f32>(play.start);
    }
    let elapsed = now - play.start;
    // A round takes at least 1/32 s, so that there are no more than 2²¹ of them.
    let round_part = elapsed - divide(elapsed, play.period) * play.period;
    var phase = f32(round_part) / f32(play.period);
    if !timing.wraps {
        // What has not begun is held at its start, what is over at its end.
        phase = clamp(f32(bitcast<i32>(elapsed)) / f32(play.period), 0.0, 1.0);
    }
    if (play.clip & BACKWARDS) != 0u {
        phase = 1.0 - phase;
    }
    return phase * timing.duration_secs;
}

// How much of the second play is seen, from 0 to 1. Without a duration there is no second.
fn fade_weight(start: u32, duration: u32, now: u32) -> f32 {
    if duration == 0u {
        return 0.0;
    }
    return clamp(f32(bitcast<i32>(now - start)) / f32(duration), 0.0, 1.0);
}
