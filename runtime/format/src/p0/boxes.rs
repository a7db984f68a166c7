//! Bounding boxes in bytes.

use super::{from_level, level};
use crate::{BoneCode, Range};

/// Unit of length in which characters fit most often: a centimetre.
const CENTIMETRE: f64 = 0.01;

/// Returns the shortest unit of length, in metres, in which all boxes fit into bytes: a centimetre times a power of two.
/// Boxes are in metres. `None` where they do not fit in any.
pub fn metres_per_unit(code: BoxCode, boxes: &[Range]) -> Option<f64> {
    let sizes = boxes
        .iter()
        .flat_map(|b| b.center.iter().chain(&b.half_extent));
    if sizes.clone().all(|&size| size == 0.0) {
        return Some(CENTIMETRE);
    }
    let units = (-16..=64).map(|power| CENTIMETRE * 2f64.powi(power));
    let fits = |unit: &f64| {
        boxes
            .iter()
            .all(|range| stored_box(code, &range.scaled(1.0 / unit)).is_some())
    };
    units.into_iter().find(fits)
}

/// Grows a box to the smallest that bytes hold exactly; `None` where a part does not fit in its byte.
pub fn stored_box(code: BoxCode, range: &Range) -> Option<Range> {
    let center: Vec<f64> = match code {
        BoxCode::Parts => {
            let nothing = vec![0.0; range.center.len()];
            let center = Range {
                center: range.center.clone(),
                half_extent: nothing,
            };
            box_from_bytes(code, &box_bytes(code, &center)?).center
        }
        BoxCode::Whole => range.center.iter().map(|c| c.round()).collect(),
    };
    let off = center
        .iter()
        .zip(&range.center)
        .map(|(to, c)| (to - c).abs());
    let reach = range.half_extent.iter().zip(off).map(|(h, off)| h + off);
    let half_extent = reach.map(|reach| match code {
        // Divided as a decoder does, so that the result is exact.
        BoxCode::Parts => reach.trunc() + (reach.fract() * 255.0).ceil() / 255.0,
        BoxCode::Whole => reach.ceil(),
    });
    let stored = Range {
        half_extent: half_extent.collect(),
        center,
    };
    box_bytes(code, &stored).map(|bytes| box_from_bytes(code, &bytes))
}

/// Encodes a box; `None` where a part does not fit in its byte.
pub fn box_bytes(code: BoxCode, range: &Range) -> Option<Vec<u8>> {
    let byte = |x: f64| (0.0..256.0).contains(&x).then_some(x as u8);
    let (center, bounds) = (&range.center, &range.half_extent);
    let mut out = Vec::new();
    match code {
        BoxCode::Parts => {
            for c in center {
                out.push(byte(c.abs().trunc())?);
            }
            out.extend(center.iter().map(|c| match level(c.fract()) {
                // A small fractional part must not lose the sign of the whole value.
                128.. if *c < 0.0 => 127,
                other => other,
            }));
            for b in bounds {
                out.push(byte(b.trunc())?);
            }
            out.extend(bounds.iter().map(|b| (b.fract() * 255.0).round() as u8));
        }
        BoxCode::Whole => {
            for c in center {
                out.push(byte(c.trunc() + 128.0)?);
            }
            for b in bounds {
                out.push(byte(b.trunc())?);
            }
        }
    }
    Some(out)
}

/// Decodes a box that [`box_bytes`] encoded.
pub fn box_from_bytes(code: BoxCode, bytes: &[u8]) -> Range {
    let value = |byte: &u8| f64::from(*byte);
    match code {
        BoxCode::Parts => {
            let part = |index: usize| &bytes[3 * index..][..3];
            let center = part(0).iter().zip(part(1)).map(|(whole, decimal)| {
                let decimal = from_level(*decimal);
                value(whole).copysign(decimal) + decimal
            });
            let bounds = part(2).iter().zip(part(3));
            Range {
                center: center.collect(),
                half_extent: bounds
                    .map(|(whole, decimal)| value(whole) + value(decimal) / 255.0)
                    .collect(),
            }
        }
        BoxCode::Whole => {
            let (center, bounds) = bytes.split_at(4);
            Range {
                center: center.iter().map(|byte| value(byte) - 128.0).collect(),
                half_extent: bounds.iter().map(value).collect(),
            }
        }
    }
}

/// Storage of a box.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BoxCode {
    /// Integer and fractional parts of three components: 12 bytes.
    Parts,
    /// Integer parts of four components: 8 bytes.
    Whole,
}

impl BoxCode {
    /// Storage of the boxes of bones.
    pub fn of_bones(code: BoneCode) -> Self {
        match code {
            BoneCode::DualQuaternion => Self::Whole,
            _ => Self::Parts,
        }
    }

    /// Bytes per box.
    pub fn bytes(self) -> usize {
        match self {
            Self::Parts => 12,
            Self::Whole => 8,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn box_is_stored_as_integer_and_fractional_parts() {
        let range = Range {
            center: vec![-12.25, 100.5, -0.001],
            half_extent: vec![7.75, 0.5, 255.0],
        };
        let bytes = box_bytes(BoxCode::Parts, &range).unwrap();
        // -0.25 * 127 + 128 = 96.25; 0.5 * 127 + 128 = 191.5; 0.75 * 255 = 191.25; 0.5 * 255 = 127.5, rounded
        assert_eq!(bytes, [12, 100, 0, 96, 191, 127, 7, 0, 255, 191, 128, 0]);
        let back = box_from_bytes(BoxCode::Parts, &bytes);
        for (a, b) in back.center.iter().zip(&range.center) {
            assert!((a - b).abs() < 1.0 / 127.0, "{a} {b}");
        }
        for (a, b) in back.half_extent.iter().zip(&range.half_extent) {
            assert!((a - b).abs() <= 1.0 / 255.0, "{a} {b}");
        }
        let far = Range {
            center: vec![256.0, 0.0, 0.0],
            ..range
        };
        assert_eq!(box_bytes(BoxCode::Parts, &far), None);
    }

    #[test]
    fn negative_centre_without_fractional_part_stays_negative() {
        let range = Range {
            center: vec![-3.0; 3],
            half_extent: vec![1.0; 3],
        };
        let back = box_from_bytes(BoxCode::Parts, &box_bytes(BoxCode::Parts, &range).unwrap());
        assert!((back.center[0] + 3.0).abs() < 0.01, "{:?}", back.center);
    }

    #[test]
    fn box_of_dual_parts_is_grown_to_integers() {
        let range = Range {
            center: vec![-12.4, 3.6, 0.0, 90.5],
            half_extent: vec![0.3, 0.0, 2.0, 7.1],
        };
        let whole = stored_box(BoxCode::Whole, &range).unwrap();
        assert_eq!(whole.center, [-12.0, 4.0, 0.0, 91.0]);
        assert_eq!(whole.half_extent, [1.0, 1.0, 2.0, 8.0]);
        let bytes = box_bytes(BoxCode::Whole, &whole).unwrap();
        assert_eq!(bytes, [116, 132, 128, 219, 1, 1, 2, 8]);
        assert_eq!(box_from_bytes(BoxCode::Whole, &bytes), whole);
    }

    #[test]
    fn stored_box_contains_the_box_and_survives_its_bytes() {
        for step in 0..2000 {
            let x = f64::from(step - 1000) * 0.2371;
            let range = Range {
                center: vec![x, -x, 0.5 * x],
                half_extent: vec![0.0, 0.1 * x.abs(), 0.999 * x.abs()],
            };
            let stored = stored_box(BoxCode::Parts, &range).unwrap();
            for axis in 0..3 {
                let off = (stored.center[axis] - range.center[axis]).abs();
                assert!(off + range.half_extent[axis] <= stored.half_extent[axis]);
                // A centre is off by at most 2 / 127, and bounds are rounded up to the next 1 / 255.
                let growth = stored.half_extent[axis] - range.half_extent[axis];
                assert!(growth <= 2.0 / 127.0 + 1.0 / 255.0, "{growth}");
            }
            let bytes = box_bytes(BoxCode::Parts, &stored).unwrap();
            assert_eq!(box_from_bytes(BoxCode::Parts, &bytes), stored);
        }
    }

    #[test]
    fn unit_is_the_shortest_in_which_boxes_fit() {
        let reach = |metres: f64| Range {
            center: vec![metres, 0.0, 0.0],
            half_extent: vec![0.0; 3],
        };
        let unit = |metres| metres_per_unit(BoxCode::Parts, &[reach(0.1), reach(metres)]);
        assert_eq!(unit(2.5), Some(0.01));
        assert_eq!(unit(2.57), Some(0.02));
        assert_eq!(unit(1.2), Some(0.005));
        assert_eq!(unit(1000.0), Some(5.12));
        assert_eq!(unit(f64::MAX), None);
        assert_eq!(metres_per_unit(BoxCode::Parts, &[reach(0.0)]), Some(0.01));
    }
}
