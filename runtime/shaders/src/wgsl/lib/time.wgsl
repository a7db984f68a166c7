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

// How far a play that is not held is, from 0 at the clip's start to 1 at its end.
fn play_phase(play: Play, wraps: bool, now: u32) -> f32 {
    let elapsed = now - play.start;
    // Signed numbers are the ones that devices make floats of at once; half the ticks fit into one.
    let rounds_per_tick = 1.0 / f32(bitcast<i32>(play.period));
    // A round takes at least 1/32 s, so that there are no more than 2²¹ of them and the guess is off by less than one.
    let round = i32(f32(bitcast<i32>(elapsed >> 1u)) * (2.0 * rounds_per_tick));
    let in_round = bitcast<i32>(elapsed - bitcast<u32>(round) * play.period);
    // What ends is held at its start before, and at its end after.
    let ends = clamp(f32(bitcast<i32>(elapsed)) * rounds_per_tick, 0.0, 1.0);
    let phase = select(ends, fract(f32(in_round) * rounds_per_tick), wraps);
    return select(phase, 1.0 - phase, (play.clip & BACKWARDS) != 0u);
}

// Seconds from the clip's start.
fn play_time(play: Play, timing: ClipTiming, now: u32) -> f32 {
    let playing = play_phase(play, timing.wraps, now) * timing.duration_secs;
    return select(playing, bitcast<f32>(play.start), play.period == 0u);
}

// Frames from the clip's start, which may be beyond its ends.
fn play_place(play: Play, timing: ClipTiming, now: u32) -> f32 {
    let playing = play_phase(play, timing.wraps, now) * f32(i32(timing.frames) - 1);
    return select(playing, bitcast<f32>(play.start) * timing.rate_hz, play.period == 0u);
}

// How much of the second play is seen, from 0 to 1. Without a duration there is no second.
fn fade_weight(start: u32, duration: u32, now: u32) -> f32 {
    if duration == 0u {
        return 0.0;
    }
    return clamp(f32(bitcast<i32>(now - start)) / f32(duration), 0.0, 1.0);
}
