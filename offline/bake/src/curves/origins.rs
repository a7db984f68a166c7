//! Values of curves, and the origins that their keys are relative to.

use glam::{DQuat, DVec3, DVec4};
use throng_format::curves::{nearest_reference, reference_value};
use throng_rig::{mrp_from_quat, mrp_from_signed_quat, quat_from_mrp};

/// Kind of the values of a curve.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Keys are points; the fourth component is not used.
    Vector,
    /// Keys are modified Rodrigues parameters, values unit quaternions without jumps of sign; distances are angles.
    Rotation,
}

impl Kind {
    /// Returns the value of a key.
    pub fn value(self, key: DVec3) -> DVec4 {
        match self {
            Self::Vector => key.extend(0.0),
            Self::Rotation => DVec4::from(quat_from_mrp(key)),
        }
    }

    /// Returns the key of a unit value.
    pub fn key(self, value: DVec4) -> DVec3 {
        match self {
            Self::Vector => value.truncate(),
            Self::Rotation => mrp_from_signed_quat(DQuat::from_vec4(value)),
        }
    }

    /// The value that stands still at the reference.
    pub fn still(self) -> DVec4 {
        self.value(DVec3::ZERO)
    }

    /// Returns the value of a weighted sum.
    #[inline(always)]
    pub fn normalized(self, sum: DVec4) -> DVec4 {
        match self {
            Self::Vector => sum,
            Self::Rotation => sum * (1.0 / sum.length()),
        }
    }

    /// Squared distance between values.
    #[inline(always)]
    pub fn distance_squared(self, a: DVec4, b: DVec4) -> f64 {
        match self {
            Self::Vector => a.distance_squared(b),
            // A chord between quaternions is half the angle, where it is small.
            Self::Rotation => 4.0 * a.distance_squared(b),
        }
    }

    /// Largest change of a value per unit of a key's component.
    pub fn gain(self) -> f64 {
        match self {
            Self::Vector => 1.0,
            Self::Rotation => 4.0,
        }
    }
}

/// The two origins that keys may be relative to: a reference stored with the curve, and the constant of the caller, which
/// costs nothing. Values are given relative to the reference.
#[derive(Debug, Clone, Copy)]
pub struct Origins {
    kind: Kind,
    /// The reference as it is stored.
    stored: [u32; 3],
    /// Reference relative to the constant: a quaternion or an offset.
    constant_from_reference: DVec4,
}

impl Origins {
    /// `center` is near the middle of the rotations.
    pub fn of_rotations(constant: DQuat, center: DQuat) -> (Self, DQuat) {
        let stored = mrp_from_quat(center).to_array().map(nearest_reference);
        let reference = quat_from_mrp(decoded(stored));
        let origins = Self {
            kind: Kind::Rotation,
            stored,
            constant_from_reference: (constant.inverse() * reference).into(),
        };
        (origins, reference)
    }

    /// `center` is near the middle of the points, which are relative to the constant.
    pub fn of_points(center: DVec3) -> (Self, DVec3) {
        let stored = center.to_array().map(nearest_reference);
        let reference = decoded(stored);
        let origins = Self {
            kind: Kind::Vector,
            stored,
            constant_from_reference: reference.extend(0.0),
        };
        (origins, reference)
    }

    /// Kind of the values.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The reference as it is stored.
    pub fn stored(&self) -> [u32; 3] {
        self.stored
    }

    /// Computes values relative to the reference from values of keys relative to the constant.
    pub fn values_from_constant(&self, values: &mut [DVec4]) {
        match self.kind {
            Kind::Vector => {
                let offset = self.constant_from_reference;
                values.iter_mut().for_each(|value| *value -= offset);
            }
            Kind::Rotation => {
                let back = DQuat::from_vec4(self.constant_from_reference).inverse();
                // Values are in the hemisphere of the reference in the middle of the segment.
                let middle = back * DQuat::from_vec4(values[values.len() / 2]);
                let sign = middle.w.signum();
                for value in values {
                    *value = sign * DVec4::from(back * DQuat::from_vec4(*value));
                }
            }
        }
    }

    /// Computes keys relative to the constant; `None` where a rotation is too far from it.
    pub fn relative_to_constant(&self, values: &[DVec4], keys: &mut Vec<DVec3>) -> Option<()> {
        keys.clear();
        match self.kind {
            Kind::Vector => {
                let offset = self.constant_from_reference;
                keys.extend(values.iter().map(|value| (*value + offset).truncate()));
            }
            Kind::Rotation => {
                let turn = DQuat::from_vec4(self.constant_from_reference);
                let middle = turn * DQuat::from_vec4(values[values.len() / 2]);
                let sign = middle.w.signum();
                for value in values {
                    let rotation = turn * DQuat::from_vec4(*value * sign);
                    if rotation.w < MIN_W {
                        return None;
                    }
                    keys.push(mrp_from_signed_quat(rotation));
                }
            }
        }
        Some(())
    }
}

/// Smallest fourth component of a quaternion whose parameters are still well scaled: 218° from the origin.
const MIN_W: f64 = -0.33;

fn decoded(stored: [u32; 3]) -> DVec3 {
    DVec3::from_array(stored.map(|u| f64::from(reference_value(u))))
}
