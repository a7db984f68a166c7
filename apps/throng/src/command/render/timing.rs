//! Times of the frames of an animated image, and playback speeds that make it loop.

/// Largest change of the speed of a clip that makes the image loop.
const MAX_SPEED_CHANGE: f64 = 1.5;

/// Times of a still image, or of the frames of an animated image.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Timing {
    /// Time of the first frame.
    pub start_secs: f64,
    /// Number of frames.
    pub frames: u32,
    /// Frames per second.
    pub fps: u32,
    is_animated: bool,
}

impl Timing {
    /// Returns the timing of a still image.
    pub fn still(start_secs: f64) -> Self {
        Self {
            start_secs,
            frames: 1,
            fps: 1,
            is_animated: false,
        }
    }

    /// Returns the timing of an animated image. Without `fps`, its rate is the one from 20 to 30 that changes the
    /// speeds of clips of these durations least.
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

    /// Duration of the image until it repeats.
    fn length_secs(&self) -> f64 {
        f64::from(self.frames) / f64::from(self.fps)
    }

    /// Time of a frame.
    pub fn secs(&self, frame: u32) -> f64 {
        self.start_secs + f64::from(frame) / f64::from(self.fps)
    }

    /// Whole number of repetitions of a clip in the image, at about this speed.
    fn repetitions(&self, duration_secs: f64, speed: f64) -> f64 {
        (speed * self.length_secs() / duration_secs)
            .round()
            .max(1.0)
    }

    /// Change of the speed of a clip that makes it loop, as the logarithm of a factor.
    fn change(&self, duration_secs: f64, speed: f64) -> f64 {
        if duration_secs <= 0.0 {
            return 0.0;
        }
        let repetitions = self.repetitions(duration_secs, speed);
        (repetitions * duration_secs / self.length_secs())
            .ln()
            .abs()
    }

    /// Returns the speed at which a clip loops with the image: the speed asked for if the change would be too large, or
    /// if nothing is animated.
    pub fn looping_speed(&self, duration_secs: f64, speed: f32) -> f32 {
        // A clip that plays backwards loops as well; one that stands has nothing to loop.
        let asked = f64::from(speed.abs());
        if !self.is_animated
            || speed == 0.0
            || duration_secs <= 0.0
            || self.change(duration_secs, asked) > MAX_SPEED_CHANGE.ln()
        {
            return speed;
        }
        let looping = self.repetitions(duration_secs, asked) * duration_secs / self.length_secs();
        looping.copysign(f64::from(speed)) as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clips_loop_with_the_image() {
        let timing = Timing::animated(0.0, 48, None, &[0.708, 1.158]);
        for duration in [0.708, 1.158] {
            let speed = f64::from(timing.looping_speed(duration, 1.0));
            let repetitions = timing.length_secs() * speed / duration;
            assert!(
                (repetitions - repetitions.round()).abs() < 1e-5,
                "{repetitions}"
            );
            assert!(
                (1.0 / MAX_SPEED_CHANGE..=MAX_SPEED_CHANGE).contains(&speed),
                "{speed}"
            );
        }
    }

    #[test]
    fn long_clip_keeps_its_speed() {
        let timing = Timing::animated(0.0, 10, Some(25), &[60.0]);
        assert_eq!(timing.looping_speed(60.0, 0.9), 0.9);
        assert_eq!(Timing::still(1.0).looping_speed(2.0, 1.1), 1.1);
        assert_eq!(timing.looping_speed(0.0, 1.0), 1.0);
        assert_eq!(timing.looping_speed(0.4, 0.0), 0.0);
        let forwards = timing.looping_speed(0.41, 1.0);
        assert_eq!(timing.looping_speed(0.41, -1.0), -forwards);
    }

    #[test]
    fn default_rate_fits_the_clip() {
        // 48 frames of a 2 s clip: 24 frames per second keep its speed.
        assert_eq!(Timing::animated(0.0, 48, None, &[2.0]).fps, 24);
        assert_eq!(Timing::animated(0.0, 48, Some(50), &[2.0]).fps, 50);
    }
}
