//! Joint records: the constant part of each joint's curves.

use glam::Vec3;

use super::Words;

/// Form of the records of a joint table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordForm {
    /// True where constants are float32, false where they have 16 bits.
    pub is_exact: bool,
    /// True where joints have scale.
    pub has_scale: bool,
}

impl RecordForm {
    /// Returns the form of records of a number of words; `None` where there is none.
    pub fn of_words(words: u32) -> Option<Self> {
        let (is_exact, has_scale) = match words {
            4 => (false, false),
            6 => (false, true),
            8 => (true, false),
            12 => (true, true),
            _ => return None,
        };
        Some(Self {
            is_exact,
            has_scale,
        })
    }

    /// Number of words of a record.
    pub fn words(self) -> u32 {
        match (self.is_exact, self.has_scale) {
            (false, false) => 4,
            (false, true) => 6,
            (true, false) => 8,
            (true, true) => 12,
        }
    }

    /// Number of curves of a joint: rotation, translation and, where joints have it, scale.
    pub fn channels(self) -> u32 {
        if self.has_scale { 3 } else { 2 }
    }
}

/// A record of the joint table. `e` is a biased exponent: a factor of `2^(e - 127)`. Records of 16-bit constants:
///
/// | word | |
/// |---|---|
/// | 0 | bits 0–15: the parent's record plus one, 0 for a root; 16–23: `e` of translation curves; 24–31: `e` of the translation |
/// | 1 | translation x, y |
/// | 2 | translation z, rotation x |
/// | 3 | rotation y, z |
/// | 4 | scale x, y |
/// | 5 | bits 0–15: scale z; 16–23: `e` of scale curves; 24–31: `e` of the scale |
///
/// A constant is a signed 16-bit integer, in units of 1/32768 of its factor; rotations have the factor 1. Records of
/// float32 constants:
///
/// | word | |
/// |---|---|
/// | 0 | as above; bits 24–31 are zero |
/// | 1–3, 4–6 | translation, rotation |
/// | 7 | bits 16–23: `e` of scale curves |
/// | 8–10 | scale |
/// | 11 | zero |
///
/// Rotations are modified Rodrigues parameters. A constant is the value of the joint in every clip without a curve for it,
/// and the origin of its curves elsewhere. Curve `channels * record` is the joint's rotation, the next is its translation,
/// the third its scale.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JointRecord {
    /// Record of the parent; `None` for a root.
    pub parent: Option<u32>,
    /// Constant translation, in metres.
    pub translation: Vec3,
    /// Exponent of the factor of translation curves, a power of two.
    pub translation_exponent: i32,
    /// Constant rotation, as modified Rodrigues parameters.
    pub rotation: Vec3,
    /// Constant scale.
    pub scale: Vec3,
    /// Exponent of the factor of scale curves, a power of two.
    pub scale_exponent: i32,
}

/// Unit of 16-bit constants, as a part of their factor.
const SHORT_UNIT: f32 = 1.0 / 32768.0;

fn biased(exponent: i32) -> u32 {
    (exponent + 127).clamp(1, 254) as u32
}

fn power(biased: u32) -> f32 {
    f32::from_bits(biased << 23)
}

/// Exponent of the smallest factor for which all components fit 16 bits.
fn exponent_of(v: Vec3) -> i32 {
    let most = v.abs().max_element() * (1.0 + SHORT_UNIT);
    if most > 0.0 {
        (most.log2().ceil() as i32).clamp(-100, 100)
    } else {
        -100
    }
}

fn shorts(v: Vec3, factor: f32) -> [u32; 3] {
    (v / factor)
        .to_array()
        .map(|x| (x * 32768.0).round().clamp(-32768.0, 32767.0) as i16)
        .map(|x| u32::from(x as u16))
}

fn short_value(stored: u32) -> f32 {
    f32::from(stored as u16 as i16) * SHORT_UNIT
}

impl JointRecord {
    /// Encodes the record.
    pub fn pack(&self, form: RecordForm) -> Vec<u32> {
        let parent = self.parent.map_or(0, |parent| parent + 1);
        debug_assert!(parent < 1 << 16);
        let mut words = vec![parent | biased(self.translation_exponent) << 16];
        let scale_curve = biased(self.scale_exponent) << 16;
        if form.is_exact {
            words.extend(self.translation.to_array().map(f32::to_bits));
            words.extend(self.rotation.to_array().map(f32::to_bits));
            words.push(if form.has_scale { scale_curve } else { 0 });
            if form.has_scale {
                words.extend(self.scale.to_array().map(f32::to_bits));
                words.push(0);
            }
            return words;
        }
        let exponent = biased(exponent_of(self.translation));
        words[0] |= exponent << 24;
        let [tx, ty, tz] = shorts(self.translation, power(exponent));
        let [rx, ry, rz] = shorts(self.rotation, 1.0);
        words.extend([tx | ty << 16, tz | rx << 16, ry | rz << 16]);
        if form.has_scale {
            let exponent = biased(exponent_of(self.scale));
            let [sx, sy, sz] = shorts(self.scale, power(exponent));
            words.extend([sx | sy << 16, sz | scale_curve | exponent << 24]);
        }
        words
    }

    /// Reads a record of the joint table.
    pub fn read(words: Words<'_>, joint_table: u32, form: RecordForm, record: u32) -> Self {
        let at = joint_table + record * form.words();
        let word = |index: u32| words.get(at + index);
        let vector = |index: u32| {
            Vec3::from_array([0, 1, 2].map(|offset| f32::from_bits(word(index + offset))))
        };
        // Three 16-bit integers from half a word on.
        let short_vector = |half: u32| {
            let component = |index: u32| {
                let half = half + index;
                short_value(word(half / 2) >> (half % 2 * 16))
            };
            Vec3::new(component(0), component(1), component(2))
        };
        let head = word(0);
        let mut record = Self {
            parent: (head & 0xffff).checked_sub(1),
            translation: Vec3::ZERO,
            translation_exponent: (head >> 16 & 255) as i32 - 127,
            rotation: Vec3::ZERO,
            scale: Vec3::ONE,
            scale_exponent: 0,
        };
        if form.is_exact {
            record.translation = vector(1);
            record.rotation = vector(4);
            if form.has_scale {
                record.scale = vector(8);
                record.scale_exponent = (word(7) >> 16 & 255) as i32 - 127;
            }
        } else {
            record.translation = power(head >> 24) * short_vector(2);
            record.rotation = short_vector(5);
            if form.has_scale {
                let tail = word(5);
                record.scale = power(tail >> 24) * short_vector(8);
                record.scale_exponent = (tail >> 16 & 255) as i32 - 127;
            }
        }
        record
    }

    /// Returns the record as it is read after it was written.
    pub fn as_stored(&self, form: RecordForm) -> Self {
        let bytes: Vec<u8> = self
            .pack(form)
            .iter()
            .flat_map(|word| word.to_le_bytes())
            .collect();
        Self::read(Words::new(&bytes), 0, form, 0)
    }

    /// Factor of translation curves.
    pub fn translation_extent(&self) -> f32 {
        power((self.translation_exponent + 127) as u32)
    }

    /// Factor of scale curves.
    pub fn scale_extent(&self) -> f32 {
        power((self.scale_exponent + 127) as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record() -> JointRecord {
        JointRecord {
            parent: Some(60_000),
            translation: Vec3::new(1.0, -2.0, 0.123_456),
            translation_exponent: -7,
            rotation: Vec3::new(0.25, 0.5, -0.123_456),
            scale: Vec3::new(1.0, 2.0, 0.567_89),
            scale_exponent: 3,
        }
    }

    #[test]
    fn exact_record_round_trips() {
        let form = RecordForm::of_words(12).unwrap();
        assert_eq!(record().as_stored(form), record());
        assert_eq!(record().translation_extent(), 1.0 / 128.0);
        assert_eq!(record().scale_extent(), 8.0);
    }

    #[test]
    fn short_record_is_rounded_to_sixteen_bits() {
        let form = RecordForm::of_words(6).unwrap();
        let stored = record().as_stored(form);
        assert_eq!(stored.parent, record().parent);
        assert_eq!(stored.translation_exponent, -7);
        assert_eq!(stored.scale_exponent, 3);
        let apart = |a: Vec3, b: Vec3| (a - b).abs().max_element();
        assert!(apart(stored.translation, record().translation) <= 0.51 * 4.0 / 32768.0);
        assert!(apart(stored.rotation, record().rotation) <= 0.51 / 32768.0);
        assert!(apart(stored.scale, record().scale) <= 0.51 * 4.0 / 32768.0);
        assert_eq!(
            stored.as_stored(form),
            stored,
            "rounding twice changes nothing"
        );
    }

    #[test]
    fn record_without_scale_has_scale_one() {
        for words in [4, 8] {
            let form = RecordForm::of_words(words).unwrap();
            assert_eq!(form.words(), words);
            assert_eq!(record().pack(form).len() as u32, words);
            assert_eq!(record().as_stored(form).scale, Vec3::ONE);
        }
        assert_eq!(RecordForm::of_words(5), None);
    }
}
