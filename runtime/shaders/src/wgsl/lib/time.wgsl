// Time in ticks of 1/65 536 s, which wrap. Integers do not lose precision after hours.

// Playback of a clip. `period` is the duration of the clip at the instance's speed, in ticks, and `time` the tick at
// which it starts. If the period is 0, the clip is held, and `time` has the bits of the seconds from its start.
struct Play {
    clip: u32,
    time: u32,
    period: u32,
}

// Flag in `Play.clip`: the clip plays backwards.
const BACKWARDS: u32 = 0x80000000u;

// Frames and duration of a clip.
struct ClipTiming {
    first_frame: u32,
    frames: u32,
    rate_hz: f32,
    duration_secs: f32,
    wraps: bool,
}

// Phase of a clip that is not held, from 0 at its start to 1 at its end.
fn play_phase(play: Play, wraps: bool, now: u32) -> f32 {
    let elapsed = now - play.time;
    // Integers are converted from i32, which is cheaper than u32 on llvmpipe. Half the elapsed ticks fit into one.
    let cycles_per_tick = 1.0 / f32(bitcast<i32>(play.period));
    // A cycle takes at least 1/32 s, so there are at most 2²¹ of them and the float quotient is off by less than one.
    let cycle = i32(f32(bitcast<i32>(elapsed >> 1u)) * (2.0 * cycles_per_tick));
    let in_cycle = bitcast<i32>(elapsed - bitcast<u32>(cycle) * play.period);
    // A clip that does not wrap is held at its start before, and at its end after.
    let clamped = clamp(f32(bitcast<i32>(elapsed)) * cycles_per_tick, 0.0, 1.0);
    let phase = select(clamped, fract(f32(in_cycle) * cycles_per_tick), wraps);
    return select(phase, 1.0 - phase, (play.clip & BACKWARDS) != 0u);
}

// Seconds from the start of the clip.
fn play_time(play: Play, timing: ClipTiming, now: u32) -> f32 {
    let playing = play_phase(play, timing.wraps, now) * timing.duration_secs;
    return select(playing, bitcast<f32>(play.time), play.period == 0u);
}

// Frames from the start of the clip, not clamped.
fn play_frame(play: Play, timing: ClipTiming, now: u32) -> f32 {
    let playing = play_phase(play, timing.wraps, now) * f32(i32(timing.frames) - 1);
    return select(playing, bitcast<f32>(play.time) * timing.rate_hz, play.period == 0u);
}

// Duration of a cross-fade with a constant weight, whose bits are in place of the start.
const HELD_FADE: u32 = 0xffffffffu;

// Weight of the second clip of a cross-fade, from 0 to 1. A duration of 0 means that there is none.
fn fade_weight(start: u32, duration: u32, now: u32) -> f32 {
    if duration == 0u {
        return 0.0;
    }
    let running = clamp(f32(bitcast<i32>(now - start)) / f32(duration), 0.0, 1.0);
    return select(running, bitcast<f32>(start), duration == HELD_FADE);
}
