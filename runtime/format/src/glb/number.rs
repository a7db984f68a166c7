//! Floats in JSON that round-trip exactly.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

/// A float32; finite after reading. It is written with the fewest digits that a reader of float64 rounds to the same
/// float32.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct F32(pub f32);

impl Serialize for F32 {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let integer = self.0 as i32;
        if integer as f32 == self.0 && integer.abs() < 1 << 24 && self.0.to_bits() != 1 << 31 {
            return serializer.serialize_i32(integer);
        }
        // The shortest text may be next to the middle of two float32, which float64 then rounds to.
        let text = serde_json::to_string(&self.0).unwrap_or_default();
        match serde_json::from_str::<f64>(&text) {
            Ok(value) if value as f32 == self.0 => serializer.serialize_f32(self.0),
            _ => serializer.serialize_f64(self.0.into()),
        }
    }
}

impl<'de> Deserialize<'de> for F32 {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = f64::deserialize(deserializer)?;
        let rounded = value as f32;
        if rounded.is_finite() {
            Ok(Self(rounded))
        } else {
            Err(D::Error::custom(format_args!(
                "expected a float32, found {value}, which is too large"
            )))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn floats_round_trip_exactly(bits: u32) {
            let value = f32::from_bits(bits);
            prop_assume!(value.is_finite());
            let text = serde_json::to_string(&F32(value)).unwrap();
            let back: F32 = serde_json::from_str(&text).unwrap();
            prop_assert_eq!(back.0.to_bits(), bits, "{}", text);
        }
    }

    #[test]
    fn rejects_values_out_of_range() {
        assert!(serde_json::from_str::<F32>("3.4e38").is_ok());
        assert!(serde_json::from_str::<F32>("-3.5e38").is_err());
        assert!(serde_json::from_str::<F32>("null").is_err());
    }
}
