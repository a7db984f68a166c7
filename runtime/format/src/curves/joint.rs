//! Joint records: the constant part of each joint's curves.

use glam::Vec3;

use super::Words;

/// Words per record where no joint has scale.
pub const RECORD_WORDS: u32 = 8;
/// Words per record where some joint has scale.
pub const SCALED_RECORD_WORDS: u32 = 12;

const CURVE_BITS: u32 = 29;

/// A record of the joint table:
///
/// | word | |
/// |---|---|
/// | 0 | bits 0–23: the parent's record plus one, 0 for a root; bits 24–31: exponent of the factor of translation curves, a power of two, plus 127 |
/// | 1 | bits 0–28: the joint's first curve; bits 29, 30, 31: set where rotation, translation, scale are curves |
/// | 2–4 | translation, or the centre of its curve, as floats |
/// | 5–7 | constant rotation, as modified Rodrigues parameters; unused where rotation is a curve |
/// | 8–10 | scale, or the centre of its curve |
/// | 11 | factor of scale curves |
///
/// A joint's curves are consecutive: rotation, translation, scale, as far as present.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JointRecord {
    /// Record of the parent; `None` for a root.
    pub parent: Option<u32>,
    /// Index of the joint's first curve.
    pub first_curve: u32,
    /// True where rotation, translation and scale are curves.
    pub has_curve: [bool; 3],
    /// Constant translation, or the centre of its curve.
    pub translation: Vec3,
    /// Exponent of the factor of translation curves, a power of two.
    pub translation_exponent: i32,
    /// Constant rotation, as modified Rodrigues parameters.
    pub rotation: Vec3,
    /// Constant scale, or the centre of its curve.
    pub scale: Vec3,
    /// Factor of scale curves.
    pub scale_extent: f32,
}

impl JointRecord {
    /// Encodes the record as `record_words` words.
    pub fn pack(&self, record_words: u32) -> Vec<u32> {
        let parent = self.parent.map_or(0, |parent| parent + 1);
        let exponent = (self.translation_exponent + 127).clamp(1, 254) as u32;
        let mut flags = 0;
        for (bit, &is_curve) in self.has_curve.iter().enumerate() {
            flags |= u32::from(is_curve) << (CURVE_BITS + bit as u32);
        }
        let mut words = vec![parent | exponent << 24, self.first_curve | flags];
        words.extend(self.translation.to_array().map(f32::to_bits));
        words.extend(self.rotation.to_array().map(f32::to_bits));
        if record_words == SCALED_RECORD_WORDS {
            words.extend(self.scale.to_array().map(f32::to_bits));
            words.push(self.scale_extent.to_bits());
        }
        words
    }

    /// Reads a record of the joint table.
    pub fn read(words: Words<'_>, joint_table: u32, record_words: u32, record: u32) -> Self {
        let at = joint_table + record * record_words;
        let float = |word: u32| f32::from_bits(words.get(at + word));
        let vector = |word: u32| Vec3::new(float(word), float(word + 1), float(word + 2));
        let (parent, curves) = (words.get(at), words.get(at + 1));
        let has_scale = record_words == SCALED_RECORD_WORDS;
        Self {
            parent: (parent & 0xff_ffff).checked_sub(1),
            first_curve: curves & ((1 << CURVE_BITS) - 1),
            has_curve: [0, 1, 2].map(|bit| curves >> (CURVE_BITS + bit) & 1 == 1),
            translation: vector(2),
            translation_exponent: (parent >> 24) as i32 - 127,
            rotation: vector(5),
            scale: if has_scale { vector(8) } else { Vec3::ONE },
            scale_extent: if has_scale { float(11) } else { 0.0 },
        }
    }

    /// Factor of translation curves.
    pub fn translation_extent(&self) -> f32 {
        f32::from_bits(((self.translation_exponent + 127) as u32) << 23)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{TexelFormat, Texture};

    #[test]
    fn record_round_trips() {
        let record = JointRecord {
            parent: Some(70_000),
            first_curve: 123_456,
            has_curve: [true, false, true],
            translation: Vec3::new(1.0, -2.0, 3.5),
            translation_exponent: -7,
            rotation: Vec3::new(0.25, 0.5, -0.125),
            scale: Vec3::new(1.0, 2.0, 0.5),
            scale_extent: 0.25,
        };
        let words = record.pack(SCALED_RECORD_WORDS);
        assert_eq!(words.len() as u32, SCALED_RECORD_WORDS);
        let bytes = words.iter().flat_map(|w| w.to_le_bytes()).collect();
        let texture = Texture::new(TexelFormat::R32Uint, [12, 1, 1], bytes).unwrap();
        let read = JointRecord::read(Words::of(&texture), 0, SCALED_RECORD_WORDS, 0);
        assert_eq!(read, record);
        assert_eq!(read.translation_extent(), 1.0 / 128.0);
    }
}
