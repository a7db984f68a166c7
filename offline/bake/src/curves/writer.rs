//! Writes headers and keys of compressed curves into a texture.

use throng_format::curves::{
    BLOCK_CURVES, CLIP_WORDS, ClipRecord, CurveHeader, HEADER_WORDS, REFERENCE_WIDTH, header_word,
    mask_words, row_words,
};
use throng_format::{TexelFormat, Texture, calibration};

use super::CompressedCurve;

/// All curves of a segment that are present in its clip, in the order of their headers.
pub type SegmentCurves = Vec<CompressedCurve>;

/// Writes the words of a curve texture: calibration strip, clip table, words of the caller, clips.
#[derive(Debug)]
pub struct CurveWriter {
    words: Vec<u32>,
    clip_table: usize,
    clips_written: usize,
}

impl CurveWriter {
    /// Reserves the strip and the clip table.
    pub fn new(clips: usize) -> Self {
        let clip_table = calibration::STRIP.len();
        Self {
            words: vec![0; clip_table + clips * CLIP_WORDS as usize],
            clip_table,
            clips_written: 0,
        }
    }

    /// Index of the clip table's first word.
    pub fn clip_table(&self) -> u32 {
        self.clip_table as u32
    }

    /// Appends words and returns the index of the first.
    pub fn push(&mut self, words: impl IntoIterator<Item = u32>) -> u32 {
        let first = self.words.len();
        self.words.extend(words);
        first as u32
    }

    /// Appends the next clip.
    pub fn push_clip(&mut self, clip: &ClipWords, duration_secs: f64) {
        let first_word = self.words.len();
        let record = ClipRecord {
            first_word: first_word as u32,
            segments: clip.segments,
            segments_per_sec: clip.segments_per_sec,
            duration_secs: duration_secs as f32,
            present: clip.present,
        };
        let at = self.clip_table + self.clips_written * CLIP_WORDS as usize;
        self.words[at..at + CLIP_WORDS as usize].copy_from_slice(&record.pack());
        self.clips_written += 1;
        self.words.extend_from_slice(&clip.words);
        for segment in 0..clip.segments {
            let row = first_word + clip.row(segment);
            for rank in (0..clip.present).step_by(BLOCK_CURVES as usize) {
                let (block_word, _) = header_word(rank);
                self.words[row + block_word as usize] += record.first_word;
            }
        }
    }

    /// Returns the texture, with no side longer than `max_side`; `None` where there are too many words.
    pub fn into_texture(mut self, max_side: u32, power_of_two: bool) -> Option<Texture> {
        // Shaders read up to two words past the last key.
        self.words.extend([0; 2]);
        let count = u32::try_from(self.words.len()).ok()?;
        let size = texture_size(count, max_side, power_of_two)?;
        let mut bytes: Vec<u8> = self.words.iter().flat_map(|w| w.to_le_bytes()).collect();
        bytes.resize(
            size.iter().map(|&side| side as usize).product::<usize>() * 4,
            0,
        );
        let mut texture = Texture::new(TexelFormat::R32Uint, size, bytes).ok()?;
        calibration::write_strip(&mut texture);
        Some(texture)
    }
}

/// Returns width, height and layers for a number of words. The width is a power of two, so that shaders find a word
/// without division, and small enough to waste hardly a row. The strip fits into the first row.
fn texture_size(words: u32, max_side: u32, power_of_two: bool) -> Option<[u32; 3]> {
    let strip = calibration::STRIP.len() as u32;
    let widest = 1u32 << max_side.checked_ilog2()?;
    if widest < strip {
        return None;
    }
    let tallest = if power_of_two { widest } else { max_side };
    let thrifty = 1 << (words / 64).max(1).ilog2();
    let needed = words.div_ceil(tallest).checked_next_power_of_two()?;
    let width = needed.max(thrifty).clamp(strip, widest);
    let rows = words.div_ceil(width);
    let layers = rows.div_ceil(tallest);
    let mut height = rows.div_ceil(layers);
    if power_of_two {
        height = height.next_power_of_two();
    }
    Some([width, height, layers])
}

/// The words of a clip: presence masks, rows of headers, then keys. The words of first keys count from the clip's first
/// word.
#[derive(Debug, Clone)]
pub struct ClipWords {
    pub(super) segments_per_sec: f32,
    pub(super) segments: u32,
    /// Number of curves that are present.
    pub(super) present: u32,
    /// Number of words of the masks.
    pub(super) masks: u32,
    pub(super) words: Vec<u32>,
}

impl ClipWords {
    /// Writes a clip of a number of segments. `is_present` tells for each curve of the set whether the clip has it.
    pub fn new(segment_secs: f64, segments: u32, is_present: &[bool]) -> Self {
        let mut words = Vec::new();
        let mut present = 0;
        for block in is_present.chunks(BLOCK_CURVES as usize) {
            let bits = block.iter().enumerate();
            let mask: u32 = bits.map(|(bit, &set)| u32::from(set) << bit).sum();
            words.extend([mask, present]);
            present += mask.count_ones();
        }
        let masks = mask_words(is_present.len() as u32);
        words.resize(masks as usize + (row_words(present) * segments) as usize, 0);
        Self {
            segments_per_sec: (1.0 / segment_secs) as f32,
            segments,
            present,
            masks,
            words,
        }
    }

    /// Offset of the headers of a segment.
    pub(super) fn row(&self, segment: u32) -> usize {
        (self.masks + segment * row_words(self.present)) as usize
    }

    /// Writes the curves of a segment. Segments may come in any order.
    pub fn write_segment(&mut self, segment: u32, curves: &[CompressedCurve]) {
        debug_assert_eq!(curves.len(), self.present as usize);
        let mut at = self.row(segment);
        for block in curves.chunks(BLOCK_CURVES as usize) {
            self.words[at] = self.words.len() as u32;
            at += 1;
            let mut keys = BitWriter::default();
            for curve in block {
                let header = CurveHeader {
                    offset: keys.bits,
                    ..curve.header
                };
                self.words[at..at + HEADER_WORDS as usize].copy_from_slice(&header.pack());
                at += HEADER_WORDS as usize;
                keys.push_curve(curve);
            }
            self.words.extend(keys.words);
        }
    }
}

/// Appends bits, lowest first.
#[derive(Debug, Default)]
struct BitWriter {
    words: Vec<u32>,
    bits: u32,
}

impl BitWriter {
    /// Appends the reference and the keys of a curve.
    fn push_curve(&mut self, curve: &CompressedCurve) {
        let header = &curve.header;
        if header.has_reference {
            for component in curve.reference {
                self.push_bits(component, REFERENCE_WIDTH);
            }
        }
        for (index, key) in (0..).zip(&curve.keys) {
            let widths = if header.place(index).is_residual {
                header.residual_widths
            } else {
                header.widths
            };
            for (&k, width) in key.iter().zip(widths) {
                self.push(k, width);
            }
        }
    }

    /// Appends a number between `-2^(w-1)` and `2^(w-1) - 1`.
    fn push(&mut self, k: i32, width: u32) {
        if width > 0 {
            self.push_bits((k + (1 << (width - 1))) as u32, width);
        }
    }

    fn push_bits(&mut self, value: u32, width: u32) {
        let shift = self.bits % 32;
        if shift == 0 {
            self.words.push(0);
        }
        *self.words.last_mut().expect("there is a word") |= value << shift;
        if shift + width > 32 {
            self.words.push(value >> (32 - shift));
        }
        self.bits += width;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curves::{Bases, Fitter, fit_points};
    use glam::{DVec3, Vec3};
    use throng_format::curves::Words;
    use throng_format::decode::joint_curves::Moment;

    #[test]
    fn written_curves_decode_to_their_values() {
        let bases = Bases::new(33, 16, 8);
        let values = |curve: u32, segment: u32| -> Vec<DVec3> {
            (0..33)
                .map(|i| {
                    let t = f64::from(i) / 32.0 + f64::from(segment);
                    DVec3::new((t + f64::from(curve)).sin(), 0.1 * t, -0.3) * 0.5
                })
                .collect()
        };
        let mut writer = CurveWriter::new(2);
        writer.push([7, 7, 7]);
        let is_present = |curve: u32| curve % 3 != 1;
        let mut fitter = Fitter::default();
        for clip in 0..2u32 {
            let present: Vec<bool> = (0..150).map(is_present).collect();
            let mut words = ClipWords::new(0.5, 3, &present);
            for segment in 0..3 {
                let mut fit_curve = |curve| {
                    let values = values(curve + clip, segment);
                    fit_points(&mut fitter, &bases, &values, 1e-4)
                };
                let curves = (0..150).filter(|&curve| is_present(curve));
                let curves: SegmentCurves = curves.map(&mut fit_curve).collect();
                words.write_segment(segment, &curves);
            }
            writer.push_clip(&words, 1.5);
        }
        let table = writer.clip_table();
        let texture = writer.into_texture(256, false).unwrap();
        assert_eq!(
            calibration::check_strip(&texture),
            calibration::Calibration::Intact
        );
        let words = Words::of(&texture);
        for clip in 0..2 {
            for (segment, curve, sample) in [
                (0, 0, 0),
                (0, 149, 32),
                (1, 64, 7),
                (2, 63, 31),
                (2, 100, 32),
            ] {
                let time = (segment as f32 + sample as f32 / 32.0) * 0.5;
                let moment = Moment::find(words, table, 150, clip, time.min(1.4999));
                let value = moment.vector(words, curve);
                let expected = match is_present(curve) {
                    true => values(curve + clip, segment)[sample as usize].as_vec3(),
                    false => Vec3::ZERO,
                };
                assert!(
                    value.distance(expected) < 3e-4,
                    "{clip} {segment} {curve} {sample}"
                );
            }
        }
    }

    #[test]
    fn texture_size_fits_the_longest_side() {
        for (words, side) in [
            (1, 8),
            (100, 16),
            (5000, 16),
            (123_457, 64),
            (1_000_003, 2048),
        ] {
            for power_of_two in [false, true] {
                let [width, height, layers] = texture_size(words, side, power_of_two).unwrap();
                assert!(width <= side && height <= side);
                assert!(u64::from(width) * u64::from(height) * u64::from(layers) >= words.into());
                assert!(width.is_power_of_two());
                if !power_of_two && layers == 1 && words > 1000 {
                    assert!(
                        width * height - words < words / 60,
                        "{words} in {width} × {height}"
                    );
                }
            }
        }
        assert_eq!(texture_size(100, 4, false), None);
    }
}
