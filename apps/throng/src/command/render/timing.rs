//! When the frames of an animated file are, and how clips fit into its length.

/// How far from its own speed a clip is played so that the file loops.
const MOST: f64 = 1.5;

/// One moment, or frames that come round again.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Timing {
    /// The first moment.
    pub start_secs: f64,
    /// How many.
    pub frames: u32,
    /// A second.
    pub fps: u32,
    is_animated: bool,
}

impl Timing {
    /// A picture.
    pub fn still(start_secs: f64) -> Self {
        Self {
            start_secs,
            frames: 1,
            fps: 1,
            is_animated: false,
        }
    }

    /// An animated file. Without a rate of its own it takes the one from 20 to 30 at which clips of these
    /// durations are changed least.
    pub fn animated(start_secs: f64, frames: u32, fps: Option<u32>, durations: &[f64]) -> Self {
        let at = |fps| Self {
            start_secs,
            frames,
            fps,
            is_animated: true,
        };
        let change = |fps: u32| {
            let changes = durations.iter().map(|&secs| at(fps).change(secs, 1.0));
            changes.fold(0.0, f64::max)
        };
        let best = || (20..=30).min_by(|&a, &b| change(a).total_cmp(&change(b)));
        at(fps.or_else(best).unwrap_or(24))
    }

    pub fn is_animated(&self) -> bool {
        self.is_animated
    }

    /// Until it starts again.
    fn length_secs(&self) -> f64 {
        f64::from(self.frames) / f64::from(self.fps)
    }

    /// The moment of a frame.
    pub fn secs(&self, frame: u32) -> f64 {
        self.start_secs + f64::from(frame) / f64::from(self.fps)
    }

    /// Whole rounds of a clip over the length, at about a speed.
    fn rounds(&self, duration_secs: f64, speed: f64) -> f64 {
        (speed * self.length_secs() / duration_secs)
            .round()
            .max(1.0)
    }

    /// How far from its own speed a clip would be, as the log of a factor.
    fn change(&self, duration_secs: f64, speed: f64) -> f64 {
        if duration_secs <= 0.0 {
            return 0.0;
        }
        let rounds = self.rounds(duration_secs, speed);
        (rounds * duration_secs / self.length_secs()).ln().abs()
    }

    /// The speed at which a clip comes round when the file does; as it was asked for where that is too far off, or
    /// where nothing moves.
    pub fn looping_speed(&self, duration_secs: f64, speed: f32) -> f32 {
        let asked = f64::from(speed);
        if !self.is_animated
            || duration_secs <= 0.0
            || self.change(duration_secs, asked) > MOST.ln()
        {
            return speed;
        }
        (self.rounds(duration_secs, asked) * duration_secs / self.length_secs()) as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clips_come_round_with_the_file() {
        let timing = Timing::animated(0.0, 48, None, &[0.708, 1.158]);
        for duration in [0.708, 1.158] {
            let speed = f64::from(timing.looping_speed(duration, 1.0));
            let rounds = timing.length_secs() * speed / duration;
            assert!((rounds - rounds.round()).abs() < 1e-5, "{rounds}");
            assert!((1.0 / MOST..=MOST).contains(&speed), "{speed}");
        }
    }

    #[test]
    fn a_long_clip_keeps_its_speed() {
        let timing = Timing::animated(0.0, 10, Some(25), &[60.0]);
        assert_eq!(timing.looping_speed(60.0, 0.9), 0.9);
        assert_eq!(Timing::still(1.0).looping_speed(2.0, 1.1), 1.1);
        assert_eq!(timing.looping_speed(0.0, 1.0), 1.0);
    }

    #[test]
    fn a_rate_that_fits_the_clip_is_found() {
        // 48 frames of a 2 s clip: 24 a second plays it as it is.
        assert_eq!(Timing::animated(0.0, 48, None, &[2.0]).fps, 24);
        assert_eq!(Timing::animated(0.0, 48, Some(50), &[2.0]).fps, 50);
    }
}
