//! Time in the paper's shaders, and the metadata that they read per vertex.

use glam::DVec3;

use super::files::Sampler;

/// `startIndex`, `endIndex` and `interpolation` of the printed `main`. Frames are counted from the first column after the
/// metadata, which the printed code omits.
pub struct Frames {
    pub start: usize,
    pub end: usize,
    pub interpolation: f64,
}

impl Frames {
    pub fn of(time: f64, timing: &Timing) -> Self {
        let animation_length = timing.animation_length;
        let animation_time = (time * timing.frame_rate).rem_euclid(animation_length as f64);
        let start_index = animation_time as usize;
        let end_index = (start_index + 1) % animation_length;
        Self {
            start: 1 + start_index,
            end: 1 + end_index,
            interpolation: (animation_time - start_index as f64).min(1.0),
        }
    }
}

/// Length and rate from the first column.
pub struct Timing {
    pub animation_length: usize,
    pub frame_rate: f64,
}

impl Timing {
    /// Two texels: the length as r + 256 g + 65536 b, and the rate as r + g / 256 + b / 65536.
    pub fn read(texture: &Sampler, row: usize) -> Self {
        let [r, g, b] = [0, 1, 2].map(|channel| texture.byte(0, row, channel));
        let [hz, g_part, b_part] = [0, 1, 2].map(|channel| texture.byte(0, row + 1, channel));
        Self {
            animation_length: (r + 256.0 * g + 65536.0 * b) as usize,
            frame_rate: hz + g_part / 256.0 + b_part / 65536.0,
        }
    }
}

/// Centre and bounds of a box in integer and decimal parts: section 3.5.1.
pub fn center_and_bounds(parts: &[f64]) -> [DVec3; 2] {
    let part = |index: usize| DVec3::new(parts[index], parts[index + 1], parts[index + 2]);
    let (whole, decimal) = (part(0), part(3) / 255.0 * 2.0 - 1.0);
    // "The sign of the decimal part gives the sign of the whole decoded component."
    let center = whole * decimal.signum() + decimal;
    let bounds = part(6) + part(9) / 255.0;
    [center, bounds]
}
