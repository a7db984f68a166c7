//! Headers of compressed curves: storage of the keys of one curve in one segment.

/// Maximum number of spans of a curve per segment.
pub const MAX_SPANS: u32 = 64;
/// Maximum degree of a curve.
pub const MAX_DEGREE: u32 = 3;
/// Maximum number of bits of a component of a key.
pub const MAX_WIDTH: u32 = 24;

const OFFSET_BITS: u32 = 19;

/// Header of a curve in a segment, three words:
///
/// | word | bits | |
/// |---|---|---|
/// | 0 | 0–15, 16–31 | reference, first and second component: `(u - 32768) / 32768` |
/// | 1 | 0–15 | reference, third component |
/// | 1 | 16–20, 21–25, 26–30 | number of bits of each component of a key, 0 to 24 |
/// | 2 | 0–18 | offset of the first key in bits, from the block's first key word |
/// | 2 | 19–24 | number of spans minus one |
/// | 2 | 25–26 | degree |
/// | 2 | 27–31 | step: the unit of a key is `2^-(step + 4)` |
///
/// A component of `w` bits holds `key + 2^(w-1)`; one of no bits is zero. Keys follow each other without gaps,
/// components in order, lowest bit first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CurveHeader {
    /// Reference as stored; see [`Self::reference`].
    pub reference: [u16; 3],
    /// Number of bits of each component of a key.
    pub widths: [u32; 3],
    /// Offset of the first key in bits, from the block's first key word.
    pub offset: u32,
    /// Number of spans, from 1 to [`MAX_SPANS`].
    pub spans: u32,
    /// Degree, from 0 to [`MAX_DEGREE`].
    pub degree: u32,
    /// Unit of the keys; see [`step_size`].
    pub step: u32,
}

/// Value of one unit of a key, for a stored step.
pub fn step_size(step: u32) -> f32 {
    // A power of two built from its exponent: exact, and the same on a GPU.
    f32::from_bits((127 - 4 - step) << 23)
}

impl CurveHeader {
    /// Encodes the header as words.
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

    /// Decodes a header.
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

    /// Reference as values from -1 to just below 1.
    pub fn reference(&self) -> [f32; 3] {
        self.reference.map(|u| (f32::from(u) - 32768.0) / 32768.0)
    }

    /// Stored reference closest to a value.
    pub fn nearest_reference(value: f64) -> u16 {
        (value * 32768.0 + 32768.0).round().clamp(0.0, 65535.0) as u16
    }

    /// Number of bits of a key.
    pub fn key_bits(&self) -> u32 {
        self.widths.iter().sum()
    }

    /// Number of keys in the segment.
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
        fn header_round_trips(
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
        fn reference_is_rounded_to_the_nearest(value in -1.0..0.9999f64) {
            let header = CurveHeader {
                reference: [CurveHeader::nearest_reference(value); 3],
                ..CurveHeader::default()
            };
            prop_assert!((f64::from(header.reference()[0]) - value).abs() <= 0.5 / 32768.0 + 1e-12);
        }
    }
}
