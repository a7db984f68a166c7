//! Channels of a joint and the transform that their values give.

use glam::{DQuat, DVec3};

/// A channel: one number per frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Channel {
    /// A component of the joint's position in its parent, in units of the file.
    Position(Axis),
    /// A rotation about an axis, in degrees.
    Rotation(Axis),
    /// A scale factor along an axis. Not standard, and ignored.
    Scale(Axis),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Axis {
    X,
    Y,
    Z,
}

/// Channel names, for errors.
pub(super) const EXPECTED: &str =
    "Xposition, Yposition, Zposition, Xrotation, Yrotation or Zrotation";

impl Channel {
    /// Parses a name such as `Xposition`, in upper or lower case.
    pub(super) fn parse(word: &[u8]) -> Option<Self> {
        let (first, property) = word.split_first()?;
        let axis = match first.to_ascii_lowercase() {
            b'x' => Axis::X,
            b'y' => Axis::Y,
            b'z' => Axis::Z,
            _ => return None,
        };
        match property.to_ascii_lowercase().as_slice() {
            b"position" => Some(Self::Position(axis)),
            b"rotation" => Some(Self::Rotation(axis)),
            b"scale" => Some(Self::Scale(axis)),
            _ => None,
        }
    }
}

impl Axis {
    fn index(self) -> usize {
        self as usize
    }

    fn rotation(self, degrees: f64) -> DQuat {
        let radians = degrees.to_radians();
        match self {
            Self::X => DQuat::from_rotation_x(radians),
            Self::Y => DQuat::from_rotation_y(radians),
            Self::Z => DQuat::from_rotation_z(radians),
        }
    }
}

/// Returns the position of a joint: its offset, with the components that have a channel replaced.
pub(super) fn position(offset: DVec3, channels: &[Channel], values: &[f64]) -> DVec3 {
    let mut position = offset;
    for (channel, &value) in channels.iter().zip(values) {
        if let Channel::Position(axis) = channel {
            position[axis.index()] = value;
        }
    }
    position
}

/// Returns the rotation of a joint: the product of its rotation channels in the order of the file, the first outermost.
pub(super) fn rotation(channels: &[Channel], values: &[f64]) -> DQuat {
    let mut rotation = DQuat::IDENTITY;
    for (channel, &value) in channels.iter().zip(values) {
        if let Channel::Rotation(axis) = channel {
            rotation *= axis.rotation(value);
        }
    }
    rotation.normalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_parsed_in_any_case() {
        assert_eq!(
            Channel::parse(b"Xposition"),
            Some(Channel::Position(Axis::X))
        );
        assert_eq!(
            Channel::parse(b"YROTATION"),
            Some(Channel::Rotation(Axis::Y))
        );
        assert_eq!(Channel::parse(b"zscale"), Some(Channel::Scale(Axis::Z)));
        for unknown in ["", "X", "Wrotation", "Xrotations", "JOINT", "é"] {
            assert_eq!(Channel::parse(unknown.as_bytes()), None, "{unknown}");
        }
    }

    #[test]
    fn position_channels_replace_components_of_the_offset() {
        let channels = [
            Channel::Position(Axis::Z),
            Channel::Rotation(Axis::X),
            Channel::Position(Axis::X),
        ];
        let offset = DVec3::new(1.0, 2.0, 3.0);
        let position = position(offset, &channels, &[30.0, 90.0, 10.0]);
        assert_eq!(position, DVec3::new(10.0, 2.0, 30.0));
    }

    #[test]
    fn the_first_rotation_is_outermost() {
        // The X axis: about X first, unchanged, then by 90° about Z to Y.
        let channels = [Channel::Rotation(Axis::Z), Channel::Rotation(Axis::X)];
        let turned = rotation(&channels, &[90.0, 90.0]) * DVec3::X;
        assert!((turned - DVec3::Y).length() < 1e-15, "{turned}");
        // In the other order, by 90° about Z to Y, then about X to Z.
        let channels = [Channel::Rotation(Axis::X), Channel::Rotation(Axis::Z)];
        let turned = rotation(&channels, &[90.0, 90.0]) * DVec3::X;
        assert!((turned - DVec3::Z).length() < 1e-15, "{turned}");
    }
}
