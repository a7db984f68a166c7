//! Skinning methods and their names.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// A skinning method.
///
/// Dual-quaternion methods have two phases where a joint scales, shears or mirrors: stretches are blended
/// linearly and applied first, then the rigid part.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Method {
    /// Linear blend skinning: a weighted sum of matrices.
    Lbs,
    /// Dual-quaternion skinning. The sign of each dual quaternion is that of the hemisphere of the heaviest
    /// influence.
    Dqs,
    /// Dual-quaternion skinning without a choice of signs: takes the longer arc past 180°.
    DqsPlain,
    /// Dual quaternions applied to the vertex without a matrix. Signs are aligned from parent to child once
    /// per pose, not per vertex.
    DqsDirect,
    /// Each dual quaternion applied separately, and the positions summed.
    DqsSum,
    /// Dual-quaternion skinning whose bulges are pulled back: no vertex moves farther from the bones that influence it
    /// than it was. Bones share the pull by the squares of their weights.
    DqsBulgeFree,
    /// Rotation of blended quaternions about the vertex's own centre, which moves as in linear blend skinning. See
    /// [`crate::Mesh::rotation_centers`].
    Cor,
    /// Screw-linear blending: the motion from which the weighted screws to all influences cancel. Dual-quaternion
    /// skinning approximates it.
    Sclerp,
    /// `(1 − f)·LBS + f·DQS` on matrices.
    Blend(f64),
    /// `(1 − f)·LBS + f·DQS` on skinned positions and normals. Normals are inexact where the two differ.
    BlendPositions(f64),
}

/// Names that [`crate::Skinning`] parses beside `as-authored`, for help and errors. A [`Method`] is any of them but
/// `blend:auto`.
pub const METHOD_NAMES: &str = "lbs, dqs, dqs-plain, dqs-direct, dqs-sum, dqs-bulge-free, cor, sclerp, \
     blend:F, blend-positions:F (F from 0 to 1), blend:auto";

/// An unknown [`Method`] name.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("unknown skinning method '{0}'; expected one of {METHOD_NAMES}")]
pub struct ParseMethodError(String);

impl FromStr for Method {
    type Err = ParseMethodError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let error = || ParseMethodError(name.to_owned());
        let factor = |text: &str| {
            let factor: f64 = text.parse().map_err(|_| error())?;
            (0.0..=1.0)
                .contains(&factor)
                .then_some(factor)
                .ok_or_else(error)
        };
        Ok(match name {
            "lbs" => Self::Lbs,
            "dqs" => Self::Dqs,
            "dqs-plain" => Self::DqsPlain,
            "dqs-direct" => Self::DqsDirect,
            "dqs-sum" => Self::DqsSum,
            "dqs-bulge-free" => Self::DqsBulgeFree,
            "cor" => Self::Cor,
            "sclerp" => Self::Sclerp,
            _ => match name.split_once(':') {
                Some(("blend", text)) => Self::Blend(factor(text)?),
                Some(("blend-positions", text)) => Self::BlendPositions(factor(text)?),
                _ => return Err(error()),
            },
        })
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lbs => f.write_str("lbs"),
            Self::Dqs => f.write_str("dqs"),
            Self::DqsPlain => f.write_str("dqs-plain"),
            Self::DqsDirect => f.write_str("dqs-direct"),
            Self::DqsSum => f.write_str("dqs-sum"),
            Self::DqsBulgeFree => f.write_str("dqs-bulge-free"),
            Self::Cor => f.write_str("cor"),
            Self::Sclerp => f.write_str("sclerp"),
            Self::Blend(factor) => write!(f, "blend:{factor}"),
            Self::BlendPositions(factor) => write!(f, "blend-positions:{factor}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        for name in [
            "lbs",
            "dqs",
            "dqs-plain",
            "dqs-direct",
            "dqs-sum",
            "dqs-bulge-free",
            "cor",
            "sclerp",
            "blend:0.5",
            "blend:0",
            "blend-positions:1",
        ] {
            assert_eq!(name.parse::<Method>().unwrap().to_string(), name);
        }
    }

    #[test]
    fn rejects_unknown_names_and_factors_out_of_range() {
        for name in [
            "",
            "LBS",
            "blend",
            "blend:",
            "blend:1.5",
            "blend:-1",
            "blend:nan",
            "dqs:1",
        ] {
            let error = name.parse::<Method>().unwrap_err().to_string();
            assert!(error.contains("blend-positions:F"), "{error}");
        }
    }
}
