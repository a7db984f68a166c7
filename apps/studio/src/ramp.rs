//! Colours of errors.

/// Colours from 0 to 1: viridis, whose lightness grows evenly, in sRGB.
const RAMP: [[u8; 3]; 9] = [
    [0x44, 0x01, 0x54],
    [0x47, 0x2d, 0x7b],
    [0x3b, 0x52, 0x8b],
    [0x2c, 0x72, 0x8e],
    [0x21, 0x91, 0x8c],
    [0x28, 0xae, 0x80],
    [0x5e, 0xc9, 0x62],
    [0xad, 0xdc, 0x30],
    [0xfd, 0xe7, 0x25],
];

/// Returns the colour of a value as linear RGBA. The value is clamped to 0..=1.
pub fn ramp(value: f32) -> [f32; 4] {
    let last = RAMP.len() - 1;
    // NaN becomes the first colour.
    let position = value.clamp(0.0, 1.0).max(0.0) * last as f32;
    let index = (position as usize).min(last - 1);
    let fraction = position - index as f32;
    let channel = |c: usize| {
        let (from, to) = (f32::from(RAMP[index][c]), f32::from(RAMP[index + 1][c]));
        linear_from_srgb((from + (to - from) * fraction) / 255.0)
    };
    [channel(0), channel(1), channel(2), 1.0]
}

fn linear_from_srgb(channel: f32) -> f32 {
    if channel <= 0.04045 {
        channel / 12.92
    } else {
        ((channel + 0.055) / 1.055).powf(2.4)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ramp_grows_lighter_throughout() {
        let lightness = |value: f32| {
            let [r, g, b, _] = ramp(value);
            0.2126 * r + 0.7152 * g + 0.0722 * b
        };
        for step in 0..100 {
            let value = step as f32 / 100.0;
            assert!(lightness(value + 0.01) > lightness(value), "{value}");
        }
        assert_eq!(ramp(-1.0), ramp(0.0));
        assert_eq!(ramp(2.0), ramp(1.0));
        assert_eq!(ramp(f32::NAN), ramp(0.0));
    }
}
