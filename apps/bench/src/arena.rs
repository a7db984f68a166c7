//! Contestants that draw frames, and turns of them.

use crate::BenchError;
use crate::record::{Settings, Turn};

/// Times of one frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FrameTimes {
    /// Milliseconds until the device was done.
    pub whole_ms: f64,
    /// Milliseconds of the CPU: posing, encoding and submitting.
    pub cpu_ms: f64,
    /// Milliseconds of the GPU; `None` where the device has no timestamps.
    pub gpu_ms: Option<f64>,
}

/// Contestants that draw frames, one at a time.
pub trait Arena {
    /// Sets the number of instances of a contestant. [`BenchError::TooMany`] if the device does not allow as many.
    fn set_instances(&mut self, entrant: usize, instances: u32) -> Result<(), BenchError>;

    /// Draws a frame of a contestant and waits until the device is done.
    fn frame(&mut self, entrant: usize) -> Result<FrameTimes, BenchError>;
}

/// Length of a turn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TurnLength {
    /// Milliseconds of frames that are drawn first and not counted; at least one frame.
    pub settle_ms: f64,
    /// Milliseconds of frames that are counted; at least one frame.
    pub sample_ms: f64,
    /// Most frames that are counted.
    pub max_frames: usize,
}

impl TurnLength {
    /// Length of the settings.
    pub fn of(settings: &Settings) -> Self {
        Self {
            settle_ms: settings.settle_ms,
            sample_ms: settings.sample_ms,
            max_frames: 1000,
        }
    }
}

/// Draws the frames of a turn.
pub fn take_turn(
    arena: &mut dyn Arena,
    entrant: usize,
    instances: u32,
    length: TurnLength,
) -> Result<Turn, BenchError> {
    arena.set_instances(entrant, instances)?;
    let mut spent_ms = 0.0;
    loop {
        spent_ms += arena.frame(entrant)?.whole_ms;
        if spent_ms >= length.settle_ms {
            break;
        }
    }
    let mut frames_ms = Vec::new();
    let (mut spent_ms, mut cpu_ms, mut gpu_ms) = (0.0, 0.0, Some(0.0));
    loop {
        let frame = arena.frame(entrant)?;
        frames_ms.push(rounded(frame.whole_ms));
        spent_ms += frame.whole_ms;
        cpu_ms += frame.cpu_ms;
        gpu_ms = gpu_ms.zip(frame.gpu_ms).map(|(sum, ms)| sum + ms);
        if spent_ms >= length.sample_ms || frames_ms.len() >= length.max_frames {
            break;
        }
    }
    let frames = frames_ms.len() as f64;
    Ok(Turn {
        instances,
        frames_ms,
        cpu_ms: cpu_ms / frames,
        gpu_ms: gpu_ms.map(|sum| sum / frames),
    })
}

/// Rounds to five significant digits, at least to a tenth of a microsecond. Both are far below what clocks resolve, and keep
/// files small.
fn rounded(ms: f64) -> f64 {
    let digits = 4.0 - ms.max(1e-9).log10().floor().min(0.0);
    let unit = 10_f64.powi(digits as i32);
    (ms * unit).round() / unit
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_keep_five_digits() {
        assert_eq!(rounded(123.456_789), 123.456_8);
        assert_eq!(rounded(1.234_567_89), 1.234_6);
        assert_eq!(rounded(0.012_345_678_9), 0.012_346);
        assert_eq!(rounded(0.0), 0.0);
    }
}
