//! How the keys of one curve are stored in one segment.

/// Spans that a curve may have in a segment.
pub const MAX_SPANS: u32 = 64;
/// The highest degree of a curve.
pub const MAX_DEGREE: u32 = 3;
/// Bits that a component of a key may have.
pub const MAX_WIDTH: u32 = 24;

const OFFSET_BITS: u32 = 19;

/// Three words:
///
/// | word | bits | |
/// |---|---|---|
/// | 0 | 0–15, 16–31 | reference, first and second component: `(u - 32768) / 32768` |
/// | 1 | 0–15 | reference, third component |
/// | 1 | 16–20, 21–25, 26–30 | bits of each component of a key, 0 to 24 |
/// | 2 | 0–18 | first bit of the first key, from the block's first key word |
/// | 2 | 19–24 | spans, less one |
/// | 2 | 25–26 | degree |
/// | 2 | 27–31 | step: a key counts in units of `2^-(step + 4)` |
///
/// A component of `w` bits holds `key + 2^(w-1)`; one of no bits is zero. Keys follow each other without
/// gaps, components in order, lowest bit first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CurveHeader {
    /// As stored; see [`Self::reference`].
    pub reference: [u16; 3],
    /// Bits of each component of a key.
    pub widths: [u32; 3],
    /// First bit of the first key, from the block's first key word.
    pub offset: u32,
    /// From 1 to [`MAX_SPANS`].
    pub spans: u32,
    /// From 0 to [`MAX_DEGREE`].
    pub degree: u32,
    /// See [`step_size`].
    pub step: u32,
}

/// What a key of one counts, for a stored step.
pub fn step_size(step: u32) -> f32 {
    // The bits of a power of two are its exponent; no rounding, and the same on a GPU.
    f32::from_bits((127 - 4 - step) << 23)
}

impl CurveHeader {
    /// The words that are stored.
    pub fn pack(&self) -> [u32; 3] {
        debug_assert!((1..=MAX_SPANS).contains(&self.spans) && self.degree <= MAX_DEGREE);
        debug_assert!(self.offset < 1 << OFFSET_BITS && self.step < 32);
        debug_assert!(self.widths.iter().all(|&w| w <= MAX_WIDTH));
        let [x, y, z] = self.reference.map(u32::from);
        let [wx, wy, wz] = self.widths;
        [
            x | y << 16,
            z | wx << 16 | wy << 21 | wz << 26,
            self.offset | (self.spans - 1) << 19 | self.degree << 25 | self.step << 27,
        ]
    }

    /// What stored words say.
    pub fn unpack([a, b, c]: [u32; 3]) -> Self {
        Self {
            reference: [a as u16, (a >> 16) as u16, b as u16],
            widths: [b >> 16 & 31, b >> 21 & 31, b >> 26 & 31],
            offset: c & ((1 << OFFSET_BITS) - 1),
            spans: (c >> 19 & 63) + 1,
            degree: c >> 25 & 3,
            step: c >> 27,
        }
    }

    /// The reference as numbers from -1 to almost 1.
    pub fn reference(&self) -> [f32; 3] {
        self.reference.map(|u| (f32::from(u) - 32768.0) / 32768.0)
    }

    /// The stored reference nearest to a number.
    pub fn nearest_reference(value: f64) -> u16 {
        (value * 32768.0 + 32768.0).round().clamp(0.0, 65535.0) as u16
    }

    /// Bits of a key.
    pub fn key_bits(&self) -> u32 {
        self.widths.iter().sum()
    }

    /// Keys of the segment.
    pub fn keys(&self) -> u32 {
        self.spans + self.degree
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn steps_are_powers_of_two() {
        assert_eq!(step_size(0), 1.0 / 16.0);
        assert_eq!(step_size(31), 2f32.powi(-35));
    }

    proptest! {
        #[test]
        fn a_header_reads_back(
            reference: [u16; 3],
            widths in prop::array::uniform3(0..=MAX_WIDTH),
            offset in 0..1u32 << 19,
            spans in 1..=MAX_SPANS,
            degree in 0..=MAX_DEGREE,
            step in 0..32u32,
        ) {
            let header = CurveHeader { reference, widths, offset, spans, degree, step };
            prop_assert_eq!(CurveHeader::unpack(header.pack()), header);
        }

        #[test]
        fn a_reference_is_near(value in -1.0..0.9999f64) {
            let header = CurveHeader {
                reference: [CurveHeader::nearest_reference(value); 3],
                ..CurveHeader::default()
            };
            prop_assert!((f64::from(header.reference()[0]) - value).abs() <= 0.5 / 32768.0 + 1e-12);
        }
    }
}
