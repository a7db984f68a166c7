//! Playback of a gait: clips of the run time that are at a phase now, and go on at a rate.

use throng_wgpu::{Fade, Play, Ticks};

use super::gaits::{Gait, Gaits};
use super::stride::Stride;

/// Slowest playback, in loops per second: slower ones are held.
const SLOWEST_HZ: f32 = 1e-3;

/// Plays a looping clip that is at a phase of the clip, from 0 to 1, at `now`, and goes on at `rate_hz` loops per second.
///
/// The run time has `phase = (now − start) / period` and `period = 1 / rate`, so `start = now − phase / rate`: whatever the
/// rate becomes, the phase stays.
pub fn at_phase(clip: u32, duration_secs: f64, phase: f32, rate_hz: f32, now: Ticks) -> Play {
    if rate_hz < SLOWEST_HZ {
        return Play::held(clip, phase * duration_secs as f32);
    }
    let since = Ticks::from_secs(f64::from(phase) / f64::from(rate_hz));
    Play::Running {
        clip,
        start: Ticks(now.0.wrapping_sub(since.0)),
        speed: (f64::from(rate_hz) * duration_secs) as f32,
    }
}

impl Gaits {
    /// Returns the playback of a gait at `now`, and the blend with a second clip. `idle_start` is the start of the clip
    /// `idle`, so that standing agents breathe each in their own time.
    pub fn play(&self, gait: &Gait, idle_start: Ticks, now: Ticks) -> (Play, Option<Fade>) {
        let play = |stride: &Stride| match stride.clip == self.idle.clip {
            true => Play::starting(stride.clip, idle_start),
            false => {
                let phase = (gait.phase + stride.offset).rem_euclid(1.0);
                at_phase(
                    stride.clip,
                    stride.duration_secs,
                    phase,
                    gait.cadence_hz,
                    now,
                )
            }
        };
        let ([first, second], weight) = self.clips(gait.level);
        match weight {
            0.0 => (play(first), None),
            1.0 => (play(second), None),
            _ => (play(first), Some(Fade::held(play(second), weight))),
        }
    }
}

#[cfg(test)]
mod tests {
    use throng_rig::LoopPolicy;

    use super::*;

    /// Phase of the run time, from 0 to 1.
    fn phase(play: &Play, duration_secs: f64, now: Ticks) -> f64 {
        play.time_secs(duration_secs, LoopPolicy::Wrap, now) / duration_secs
    }

    /// Distance on the circle of phases.
    fn apart(a: f64, b: f64) -> f64 {
        let distance = (a - b).rem_euclid(1.0);
        distance.min(1.0 - distance)
    }

    #[test]
    fn phase_is_continuous_while_the_rate_changes() {
        let duration_secs = 1.0625;
        let mut expected = 0.25;
        // Shortly before ticks wrap.
        let mut now = Ticks(u32::MAX - 20_000);
        let mut play = at_phase(1, duration_secs, 0.25, 0.9, now);
        for step in 0..500 {
            let rate_hz = 0.9 + 0.7 * (0.13 * step as f32).sin();
            // The phase is that of the run time: a new rate must not change it.
            let before = phase(&play, duration_secs, now);
            play = at_phase(1, duration_secs, before as f32, rate_hz, now);
            // Two ticks of 1/65 536 s at 1.6 loops per second.
            assert!(apart(phase(&play, duration_secs, now), before) < 5e-5);
            now = Ticks(now.0.wrapping_add(2048));
            expected += f64::from(rate_hz) * 2048.0 / 65_536.0;
            let error = apart(phase(&play, duration_secs, now), expected);
            assert!(
                error < 5e-5 * f64::from(step + 1).sqrt().max(4.0),
                "step {step}: {error}"
            );
        }
    }

    #[test]
    fn a_rate_of_0_holds_the_phase() {
        let play = at_phase(1, 2.0, 0.4, 0.0, Ticks(7));
        assert_eq!(play, Play::held(1, 0.8));
    }
}
