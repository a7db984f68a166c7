//! Palettes of all clips, computed once.

use throng_rig::CrowdPlay;

use crate::cpu::palette::PaletteScratch;
use crate::cpu::poses::CpuPoses;
use crate::cpu::source::{CpuSource, PaletteLayout};

/// Palettes of all clips at a fixed rate, as texels.
#[derive(Debug)]
pub(crate) struct PaletteCache {
    rate_hz: f64,
    /// Texels per palette.
    stride: usize,
    texels: Vec<[u32; 4]>,
    /// Index of the first sample of each clip, and of the end of the last.
    first_samples: Vec<usize>,
}

impl PaletteCache {
    /// Computes the palettes of all clips. The last sample of a clip is at its end.
    pub fn new(source: &CpuSource, layout: PaletteLayout, stride: usize, rate_hz: u32) -> Self {
        let rate_hz = f64::from(rate_hz.max(1));
        let mut cache = Self {
            rate_hz,
            stride,
            texels: Vec::new(),
            first_samples: vec![0],
        };
        let mut poses = CpuPoses::new(source);
        let mut scratch = PaletteScratch::default();
        // A character without clips has one sample of its rest pose.
        for clip in 0..source.timings.len().max(1) {
            let timing = source.timings.get(clip);
            let duration_secs = timing.map_or(0.0, |timing| timing.duration_secs);
            let start_secs = source.start_secs(clip);
            let samples = (duration_secs * rate_hz).round() as usize + 1;
            let plays = (0..samples).map(|sample| CrowdPlay {
                clip,
                time_secs: start_secs + (sample as f64 / rate_hz).min(duration_secs),
                fade: None,
            });
            poses.update_plays(source, plays);
            let first = cache.texels.len();
            cache.texels.resize(first + samples * stride, [0; 4]);
            if stride > 0 {
                let palettes = cache.texels[first..].chunks_exact_mut(stride);
                for (sample, palette) in palettes.enumerate() {
                    scratch.write(source, &poses, sample, layout, palette);
                }
            }
            let end = cache.first_samples[clip] + samples;
            cache.first_samples.push(end);
        }
        cache
    }

    /// The palette of the sample that is nearest in time, of the clip with the larger weight.
    pub fn nearest(&self, source: &CpuSource, play: &CrowdPlay) -> &[[u32; 4]] {
        let (clip, time_secs) = match &play.fade {
            Some(fade) if fade.weight > 0.5 => (fade.clip, fade.time_secs),
            _ => (play.clip, play.time_secs),
        };
        let clip = clip.min(self.first_samples.len() - 2);
        let samples = self.first_samples[clip]..self.first_samples[clip + 1];
        let offset_secs = time_secs - source.start_secs(clip);
        let sample = samples.start + (offset_secs * self.rate_hz).round() as usize;
        let first = sample.min(samples.end - 1) * self.stride;
        &self.texels[first..first + self.stride]
    }
}
