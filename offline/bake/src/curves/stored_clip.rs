//! Words of a clip, taken from the texture of a set.

use throng_format::curves::{
    BLOCK_CURVES, ClipRecord, CurveHeader, Words, header_word, mask_words, row_words,
};

use super::ClipWords;

impl ClipWords {
    /// Copies the words of a clip from a checked texture. `curves` is the number of curves of the set. `None` where its words
    /// are not one run that begins with its masks, as [`super::CurveWriter`] writes them.
    pub fn read(words: Words<'_>, record: &ClipRecord, curves: u32) -> Option<Self> {
        let masks = mask_words(curves);
        let mut clip = Self {
            segments_per_sec: record.segments_per_sec,
            segments: record.segments,
            present: record.present,
            masks,
            words: Vec::new(),
        };
        let headers = u64::from(record.segments) * u64::from(row_words(record.present));
        let mut end = u64::from(record.first_word) + u64::from(masks) + headers;
        for segment in 0..record.segments {
            let row = record.row(curves, segment);
            for rank in 0..record.present {
                let (block_word, header) = header_word(rank);
                let at = row + header;
                let header = CurveHeader::unpack([words.get(at), words.get(at + 1)]);
                let bits = u64::from(header.offset) + u64::from(header.bits());
                end = end.max(u64::from(words.get(row + block_word)) + bits.div_ceil(32));
            }
        }
        let end = u32::try_from(end).ok().filter(|&end| end <= words.len())?;
        clip.words = (record.first_word..end)
            .map(|word| words.get(word))
            .collect();
        for segment in 0..record.segments {
            let row = clip.row(segment);
            for rank in (0..record.present).step_by(BLOCK_CURVES as usize) {
                let (block_word, _) = header_word(rank);
                let pointer = &mut clip.words[row + block_word as usize];
                *pointer = pointer.checked_sub(record.first_word)?;
            }
        }
        Some(clip)
    }

    /// Number of words.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// True where the clip has no words: no curves in the set.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }
}
