//! Headers of compressed curves: storage of the keys of one curve in one segment.

/// Maximum number of spans of a curve per segment.
pub const MAX_SPANS: u32 = 64;
/// Maximum degree of a curve.
pub const MAX_DEGREE: u32 = 3;
/// Maximum number of bits of a component of a key.
pub const MAX_WIDTH: u32 = 24;
/// Maximum number of bits of a key, so that it is contained in three consecutive words.
pub const MAX_KEY_BITS: u32 = 64;
/// Maximum [`CurveHeader::step`].
pub const MAX_STEP: u32 = 127;
/// Number of bits of a component of a reference.
pub const REFERENCE_WIDTH: u32 = 10;
/// Number of bits of a reference.
pub const REFERENCE_BITS: u32 = 3 * REFERENCE_WIDTH;

const OFFSET_BITS: u32 = 18;

/// Header of a curve in a segment, two words:
///
/// | word | bits | |
/// |---|---|---|
/// | 0 | 0–4, 5–9, 10–14 | number of bits of each component of a full key, 0 to 24 |
/// | 0 | 15–19, 20–24, 25–29 | number of bits of each component of a residual, 0 to 24 |
/// | 0 | 30–31 | degree |
/// | 1 | 0–17 | offset of the curve in bits, from the block's first key word |
/// | 1 | 18–23 | number of spans minus one |
/// | 1 | 24–30 | step, see [`step_size`] |
/// | 1 | 31 | set where the curve has a reference of its own |
///
/// The reference comes first, if there is one: three components of 10 bits, `(u - 512) / 512`. Keys follow, without gaps,
/// components in order, lowest bit first. Keys with an even index and the last key are full: values in units of the step.
/// Every other key is a residual: its difference from the midpoint of its two neighbours, in units of the step. A component
/// of `w` bits holds `value + 2^(w-1)`; one of no bits is zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CurveHeader {
    /// Number of bits of each component of a full key.
    pub widths: [u32; 3],
    /// Number of bits of each component of a residual.
    pub residual_widths: [u32; 3],
    /// Offset of the curve in bits, from the block's first key word.
    pub offset: u32,
    /// Number of spans, from 1 to [`MAX_SPANS`].
    pub spans: u32,
    /// Degree, from 0 to [`MAX_DEGREE`].
    pub degree: u32,
    /// Unit of the keys; see [`step_size`].
    pub step: u32,
    /// True where the curve has a reference of its own; otherwise the reference is that of the caller.
    pub has_reference: bool,
}

/// Value of one unit of a key, for a stored step: 1, 7/8, 3/4, 5/8, 1/2, … of 1/16.
pub fn step_size(step: u32) -> f32 {
    // Exponent and the two highest bits of the mantissa: exact, and the same on a GPU.
    f32::from_bits(((127 - 4) * 4 - step) << 21)
}

/// Stored component of a reference, as a value from -1 to just below 1.
pub fn reference_value(stored: u32) -> f32 {
    (stored as f32 - 512.0) / 512.0
}

/// Stored component of a reference that is closest to a value.
pub fn nearest_reference(value: f64) -> u32 {
    (value * 512.0 + 512.0).round().clamp(0.0, 1023.0) as u32
}

/// Position of a key in a curve.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeyPlace {
    /// First bit, from the block's first key word.
    pub bit: u32,
    /// True for a residual, false for a full key.
    pub is_residual: bool,
}

impl CurveHeader {
    /// Encodes the header as words.
    pub fn pack(&self) -> [u32; 2] {
        debug_assert!((1..=MAX_SPANS).contains(&self.spans) && self.degree <= MAX_DEGREE);
        debug_assert!(self.offset < 1 << OFFSET_BITS && self.step <= MAX_STEP);
        let widths = |widths: [u32; 3]| {
            debug_assert!(widths.iter().all(|&w| w <= MAX_WIDTH));
            widths[0] | widths[1] << 5 | widths[2] << 10
        };
        [
            widths(self.widths) | widths(self.residual_widths) << 15 | self.degree << 30,
            self.offset
                | (self.spans - 1) << 18
                | self.step << 24
                | u32::from(self.has_reference) << 31,
        ]
    }

    /// Decodes a header.
    pub fn unpack([a, b]: [u32; 2]) -> Self {
        Self {
            widths: [a & 31, a >> 5 & 31, a >> 10 & 31],
            residual_widths: [a >> 15 & 31, a >> 20 & 31, a >> 25 & 31],
            degree: a >> 30,
            offset: b & ((1 << OFFSET_BITS) - 1),
            spans: (b >> 18 & 63) + 1,
            step: b >> 24 & 127,
            has_reference: b >> 31 == 1,
        }
    }

    /// Number of bits of a full key.
    pub fn key_bits(&self) -> u32 {
        self.widths.iter().sum()
    }

    /// Number of bits of a residual.
    pub fn residual_bits(&self) -> u32 {
        self.residual_widths.iter().sum()
    }

    /// Number of keys in the segment.
    pub fn keys(&self) -> u32 {
        self.spans + self.degree
    }

    /// First bit of the keys, from the block's first key word.
    pub fn first_key(&self) -> u32 {
        let reference = if self.has_reference {
            REFERENCE_BITS
        } else {
            0
        };
        self.offset + reference
    }

    /// Finds a key.
    pub fn place(&self, key: u32) -> KeyPlace {
        let pair = self.key_bits() + self.residual_bits();
        let is_odd = key % 2 == 1;
        KeyPlace {
            bit: self.first_key() + key / 2 * pair + if is_odd { self.key_bits() } else { 0 },
            is_residual: is_odd && key + 1 < self.keys(),
        }
    }

    /// Number of bits of the curve: reference and keys.
    pub fn bits(&self) -> u32 {
        let last = self.place(self.keys() - 1);
        last.bit + self.key_bits() - self.offset
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn steps_fall_by_a_factor_of_two_in_four() {
        assert_eq!(step_size(0), 1.0 / 16.0);
        assert_eq!(step_size(1), 0.875 / 16.0);
        assert_eq!(step_size(2), 0.75 / 16.0);
        assert_eq!(step_size(4), 1.0 / 32.0);
        assert_eq!(step_size(124), 2f32.powi(-35));
        let falls = |step: u32| step_size(step + 1) < step_size(step);
        assert!((0..MAX_STEP).all(falls));
    }

    #[test]
    fn keys_alternate_between_full_and_residual_and_the_last_is_full() {
        let header = |spans| CurveHeader {
            widths: [5, 6, 7],
            residual_widths: [1, 2, 3],
            spans,
            degree: 1,
            ..CurveHeader::default()
        };
        let places = |spans| {
            let header = header(spans);
            let place = |key| (header.place(key).bit, header.place(key).is_residual);
            (0..header.keys()).map(place).collect::<Vec<_>>()
        };
        assert_eq!(places(1), [(0, false), (18, false)]);
        assert_eq!(places(2), [(0, false), (18, true), (24, false)]);
        assert_eq!(
            places(3),
            [(0, false), (18, true), (24, false), (42, false)]
        );
        assert_eq!(
            [1, 2, 3].map(|spans| header(spans).bits()),
            [36, 42, 60],
            "bits of all keys"
        );
    }

    proptest! {
        #[test]
        fn header_round_trips(
            widths in prop::array::uniform3(0..=MAX_WIDTH),
            residual_widths in prop::array::uniform3(0..=MAX_WIDTH),
            offset in 0..1u32 << OFFSET_BITS,
            spans in 1..=MAX_SPANS,
            degree in 0..=MAX_DEGREE,
            step in 0..=MAX_STEP,
            has_reference: bool,
        ) {
            let header = CurveHeader {
                widths, residual_widths, offset, spans, degree, step, has_reference,
            };
            prop_assert_eq!(CurveHeader::unpack(header.pack()), header);
        }

        #[test]
        fn reference_is_rounded_to_the_nearest(value in -1.0..0.998f64) {
            let stored = reference_value(nearest_reference(value));
            prop_assert!((f64::from(stored) - value).abs() <= 0.5 / 512.0 + 1e-12);
        }
    }
}
