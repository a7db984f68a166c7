//! Visible difference of two pictures, robust against differences between drivers.

use throng_studio::Picture;

/// Side of a block in pixels.
const BLOCK: u32 = 8;

/// Colour differences in OKLab, where 0.02 is just visible.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Difference {
    /// Mean over the whole picture.
    pub mean: f32,
    /// Mean of the block of 8 × 8 pixels that differs most.
    pub worst_block: f32,
}

impl Difference {
    /// Limit for equal pictures: another driver may rasterise edges and shadows slightly differently.
    pub const LIMIT: Self = Self {
        mean: 0.002,
        worst_block: 0.03,
    };

    /// Compares two pictures of one size, after a small blur that hides where exactly an edge is sampled.
    pub fn between(one: &Picture, other: &Picture) -> Self {
        assert_eq!((one.width, one.height), (other.width, other.height));
        let (a, b) = (blurred(one), blurred(other));
        let mut mean = 0.0;
        let mut worst_block = 0.0f32;
        for top in (0..one.height).step_by(BLOCK as usize) {
            for left in (0..one.width).step_by(BLOCK as usize) {
                let (mut sum, mut count) = (0.0, 0);
                for y in top..(top + BLOCK).min(one.height) {
                    for x in left..(left + BLOCK).min(one.width) {
                        let at = (y * one.width + x) as usize;
                        sum += distance(a[at], b[at]);
                        count += 1;
                    }
                }
                mean += sum;
                worst_block = worst_block.max(sum / count as f32);
            }
        }
        Self {
            mean: mean / a.len() as f32,
            worst_block,
        }
    }

    pub fn is_within(self, limit: Self) -> bool {
        self.mean <= limit.mean && self.worst_block <= limit.worst_block
    }
}

type Lab = [f32; 3];

fn distance(a: Lab, b: Lab) -> f32 {
    let square = |c: usize| (a[c] - b[c]).powi(2);
    (square(0) + square(1) + square(2)).sqrt()
}

/// Converts to OKLab and averages 3 × 3 pixels.
fn blurred(picture: &Picture) -> Vec<Lab> {
    let (width, height) = (picture.width as i32, picture.height as i32);
    let sharp: Vec<Lab> = picture
        .rgb
        .chunks_exact(3)
        .map(|pixel| oklab([pixel[0], pixel[1], pixel[2]]))
        .collect();
    let mut out = Vec::with_capacity(sharp.len());
    for y in 0..height {
        for x in 0..width {
            let mut sum = [0.0; 3];
            for dy in -1..=1 {
                for dx in -1..=1 {
                    let from_x = (x + dx).clamp(0, width - 1);
                    let from_y = (y + dy).clamp(0, height - 1);
                    let lab = sharp[(from_y * width + from_x) as usize];
                    (0..3).for_each(|c| sum[c] += lab[c] / 9.0);
                }
            }
            out.push(sum);
        }
    }
    out
}

/// Converts sRGB to OKLab (Björn Ottosson), in which equal distances look equal.
fn oklab(srgb: [u8; 3]) -> Lab {
    let [r, g, b] = srgb.map(|byte| {
        let channel = f32::from(byte) / 255.0;
        if channel <= 0.04045 {
            channel / 12.92
        } else {
            ((channel + 0.055) / 1.055).powf(2.4)
        }
    });
    let l = (0.412_221_47 * r + 0.536_332_54 * g + 0.051_445_993 * b).cbrt();
    let m = (0.211_903_5 * r + 0.680_699_5 * g + 0.107_396_96 * b).cbrt();
    let s = (0.088_302_46 * r + 0.281_718_85 * g + 0.629_978_7 * b).cbrt();
    [
        0.210_454_26 * l + 0.793_617_8 * m - 0.004_072_047 * s,
        1.977_998_5 * l - 2.428_592_2 * m + 0.450_593_7 * s,
        0.025_904_037 * l + 0.782_771_77 * m - 0.808_675_77 * s,
    ]
}

#[test]
fn equal_pictures_have_no_difference_and_grey_differs_from_white() {
    let [l, a, b] = oklab([255; 3]);
    assert!((l - 1.0).abs() < 1e-3 && a.abs() < 1e-3 && b.abs() < 1e-3);
    let grey = Picture::filled(20, 10, [100; 3]);
    let same = Difference::between(&grey, &grey);
    assert_eq!((same.mean, same.worst_block), (0.0, 0.0));
    let white = Picture::filled(20, 10, [255; 3]);
    assert!(!Difference::between(&grey, &white).is_within(Difference::LIMIT));
}
