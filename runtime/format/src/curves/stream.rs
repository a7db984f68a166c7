//! The words of a texture of compressed curves, and the offsets of headers and clips in them.

use crate::Texture;

/// Words per [`super::CurveHeader`].
pub const HEADER_WORDS: u32 = 2;
/// Number of headers per block, which share a first key word, and of curves per presence mask.
pub const BLOCK_CURVES: u32 = 32;
/// Words per [`ClipRecord`].
pub const CLIP_WORDS: u32 = 5;
/// Words per presence mask: the mask, and the number of present curves before it.
pub const MASK_WORDS: u32 = 2;

/// The words of a texture, counted across rows and layers.
#[derive(Debug, Clone, Copy)]
pub struct Words<'t>(&'t [u8]);

impl<'t> Words<'t> {
    /// Words of a texture of format [`crate::TexelFormat::R32Uint`].
    pub fn of(texture: &'t Texture) -> Self {
        Self(texture.bytes())
    }

    /// Words of little-endian bytes.
    pub(super) fn new(bytes: &'t [u8]) -> Self {
        Self(bytes)
    }

    /// Reads a word.
    pub fn get(&self, word: u32) -> u32 {
        let at = word as usize * 4;
        u32::from_le_bytes([self.0[at], self.0[at + 1], self.0[at + 2], self.0[at + 3]])
    }

    /// Reads `width` bits, at most 24, lowest first. `bit` is counted from the first bit of `first_word`.
    pub fn bits(&self, first_word: u32, bit: u32, width: u32) -> u32 {
        if width == 0 {
            return 0;
        }
        let word = first_word + bit / 32;
        let shift = bit % 32;
        let mut bits = self.get(word) >> shift;
        if shift + width > 32 {
            bits |= self.get(word + 1) << (32 - shift);
        }
        bits & ((1 << width) - 1)
    }

    /// Number of words.
    pub fn len(&self) -> u32 {
        (self.0.len() / 4) as u32
    }

    /// True where there are no words; false for every texture.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Number of words of a segment's headers, including the first key word of each block. `present` is the number of curves
/// that are present in the clip.
pub fn row_words(present: u32) -> u32 {
    present * HEADER_WORDS + present.div_ceil(BLOCK_CURVES)
}

/// Number of words of a clip's presence masks. `curves` is the number of curves of the set.
pub fn mask_words(curves: u32) -> u32 {
    curves.div_ceil(BLOCK_CURVES) * MASK_WORDS
}

/// Offsets in a row: of the word that holds the first key word of the curve's block, and of the first word of the
/// curve's header. `rank` is the number of present curves before the curve.
pub fn header_word(rank: u32) -> (u32, u32) {
    let block = rank / BLOCK_CURVES;
    let block_word = block * (BLOCK_CURVES * HEADER_WORDS + 1);
    (
        block_word,
        block_word + 1 + rank % BLOCK_CURVES * HEADER_WORDS,
    )
}

/// A record of the clip table: five words, times as the bits of floats.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClipRecord {
    /// First word of the presence masks, which the rows of headers follow.
    pub first_word: u32,
    /// Number of segments of equal duration; the last may extend past the end of the clip.
    pub segments: u32,
    /// Segments per second.
    pub segments_per_sec: f32,
    /// Duration of the clip in seconds.
    pub duration_secs: f32,
    /// Number of curves that are present.
    pub present: u32,
}

impl ClipRecord {
    /// Encodes the record as words.
    pub fn pack(&self) -> [u32; 5] {
        let times = [self.segments_per_sec, self.duration_secs].map(f32::to_bits);
        [
            self.first_word,
            self.segments,
            times[0],
            times[1],
            self.present,
        ]
    }

    /// Reads the record of a clip.
    pub fn read(words: Words<'_>, clip_table: u32, clip: u32) -> Self {
        let at = clip_table + clip * CLIP_WORDS;
        Self {
            first_word: words.get(at),
            segments: words.get(at + 1),
            segments_per_sec: f32::from_bits(words.get(at + 2)),
            duration_secs: f32::from_bits(words.get(at + 3)),
            present: words.get(at + 4),
        }
    }

    /// Segment of a time, and the position in it from 0 to 1. Clamped to the clip.
    pub fn segment(&self, time_secs: f32) -> (u32, f32) {
        let position = time_secs.clamp(0.0, self.duration_secs) * self.segments_per_sec;
        let segment = (position as u32).min(self.segments - 1);
        (segment, (position - segment as f32).min(1.0))
    }

    /// First word of the headers of a segment. `curves` is the number of curves of the set.
    pub fn row(&self, curves: u32, segment: u32) -> u32 {
        self.first_word + mask_words(curves) + segment * row_words(self.present)
    }

    /// Number of present curves before a curve; `None` where the curve is not present.
    pub fn rank(&self, words: Words<'_>, curve: u32) -> Option<u32> {
        rank(words, self.first_word, curve)
    }
}

/// Number of present curves before a curve, from the masks at `first_word`; `None` where the curve is not present.
pub fn rank(words: Words<'_>, first_word: u32, curve: u32) -> Option<u32> {
    let at = first_word + curve / BLOCK_CURVES * MASK_WORDS;
    let (mask, bit) = (words.get(at), 1u32 << (curve % BLOCK_CURVES));
    (mask & bit != 0).then(|| words.get(at + 1) + (mask & (bit - 1)).count_ones())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TexelFormat;

    #[test]
    fn bits_may_span_two_words() {
        let bytes: Vec<u8> = [0x8765_4321u32, 0xfedc_ba98]
            .iter()
            .flat_map(|word| word.to_le_bytes())
            .collect();
        let texture = Texture::new(TexelFormat::R32Uint, [2, 1, 1], bytes).unwrap();
        let words = Words::of(&texture);
        assert_eq!(words.bits(0, 0, 4), 1);
        assert_eq!(words.bits(0, 4, 12), 0x432);
        assert_eq!(words.bits(0, 28, 8), 0x88);
        assert_eq!(words.bits(0, 32, 24), 0xdc_ba98);
        assert_eq!(words.bits(1, 8, 24), 0xfe_dcba);
        assert_eq!(words.bits(0, 64, 0), 0);
    }

    #[test]
    fn headers_are_stored_in_blocks() {
        assert_eq!(header_word(0), (0, 1));
        assert_eq!(header_word(31), (0, 1 + 31 * 2));
        assert_eq!(header_word(32), (65, 66));
        assert_eq!(row_words(33), 65 + 3);
        assert_eq!(row_words(32), 65);
        assert_eq!((mask_words(32), mask_words(33)), (2, 4));
    }

    #[test]
    fn rank_counts_present_curves() {
        let words = [0b1011u32, 0, 1 << 31, 3];
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let rank = |curve| rank(Words::new(&bytes), 0, curve);
        assert_eq!(
            [0, 1, 2, 3, 4].map(rank),
            [Some(0), Some(1), None, Some(2), None]
        );
        assert_eq!([32, 63].map(rank), [None, Some(3)]);
    }

    #[test]
    fn segment_of_a_time_is_clamped_to_the_clip() {
        let clip = ClipRecord {
            first_word: 0,
            segments: 4,
            segments_per_sec: 2.0,
            duration_secs: 1.75,
            present: 0,
        };
        assert_eq!(clip.segment(-1.0), (0, 0.0));
        assert_eq!(clip.segment(0.25), (0, 0.5));
        assert_eq!(clip.segment(0.5), (1, 0.0));
        assert_eq!(clip.segment(1.75), (3, 0.5));
        assert_eq!(clip.segment(9.0), (3, 0.5));
    }
}
