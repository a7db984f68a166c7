//! Frame times of the last seconds.

use std::collections::VecDeque;

/// Frames that are kept.
const FRAMES: usize = 240;

/// Times of a frame, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct FrameTime {
    /// From the start of a frame to that of the next.
    pub whole_ms: f32,
    /// Of the calling thread.
    pub cpu_ms: f32,
    /// Of the device, for the passes of the first viewport; `None` where it is not known.
    pub gpu_ms: Option<f32>,
}

/// Frame times of the last seconds.
#[derive(Debug, Clone, Default)]
pub struct Performance {
    frames: VecDeque<FrameTime>,
}

impl Performance {
    /// Adds a frame.
    pub fn add(&mut self, frame: FrameTime) {
        if self.frames.len() == FRAMES {
            self.frames.pop_front();
        }
        self.frames.push_back(frame);
    }

    /// All frames, the oldest first.
    pub fn frames(&self) -> impl DoubleEndedIterator<Item = &FrameTime> + ExactSizeIterator {
        self.frames.iter()
    }

    /// Adds the device's time to the last frame.
    pub fn add_gpu(&mut self, gpu_ms: f32) {
        if let Some(last) = self.frames.back_mut() {
            last.gpu_ms = Some(gpu_ms);
        }
    }

    /// Median of a time over the last frames; `None` if there is none.
    pub fn median(&self, of: impl Fn(&FrameTime) -> Option<f32>) -> Option<f32> {
        let mut times: Vec<f32> = self.frames.iter().filter_map(of).collect();
        times.sort_by(f32::total_cmp);
        times.get(times.len() / 2).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_frames_are_forgotten() {
        let mut performance = Performance::default();
        assert_eq!(performance.median(|frame| Some(frame.cpu_ms)), None);
        for number in 0..1000 {
            performance.add(FrameTime {
                whole_ms: number as f32,
                ..FrameTime::default()
            });
        }
        assert_eq!(performance.frames().len(), FRAMES);
        let median = performance.median(|frame| Some(frame.whole_ms)).unwrap();
        assert_eq!(median, 1000.0 - 0.5 * FRAMES as f32);
    }
}
