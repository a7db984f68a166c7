//! Skinning methods, and the shader files of each.

/// Skinning method.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SkinMethod {
    /// `lbs`.
    Lbs,
    /// `dqs`.
    Dqs,
    /// `dqs-plain`.
    DqsPlain,
    /// `dqs-direct`.
    DqsDirect,
    /// `dqs-sum`.
    DqsSum,
    /// `blend:F`.
    Blend,
    /// `blend-positions:F`.
    BlendPositions,
}

impl SkinMethod {
    /// All methods.
    pub const ALL: [Self; 7] = [
        Self::Lbs,
        Self::Dqs,
        Self::DqsPlain,
        Self::DqsDirect,
        Self::DqsSum,
        Self::Blend,
        Self::BlendPositions,
    ];

    /// Name without a factor.
    pub fn name(self) -> &'static str {
        match self {
            Self::Lbs => "lbs",
            Self::Dqs => "dqs",
            Self::DqsPlain => "dqs-plain",
            Self::DqsDirect => "dqs-direct",
            Self::DqsSum => "dqs-sum",
            Self::Blend => "blend",
            Self::BlendPositions => "blend-positions",
        }
    }

    /// True if the method needs joints as dual quaternions.
    pub fn is_dual(self) -> bool {
        self != Self::Lbs
    }

    /// True if the method takes the signs of dual quaternions from a palette, so that a bone texture cannot supply them.
    pub fn needs_palette(self) -> bool {
        matches!(self, Self::DqsPlain | Self::DqsDirect)
    }

    pub(crate) fn files(self) -> &'static [&'static str] {
        match self {
            Self::Lbs => &["lib/sum_matrices", "lib/method_lbs"],
            Self::Dqs | Self::DqsPlain => &[
                "lib/blend_dual_quats",
                "lib/sum_dual_quats",
                "lib/method_dqs",
            ],
            Self::DqsDirect => &[
                "lib/blend_dual_quats",
                "lib/sum_dual_quats",
                "lib/method_dqs_direct",
            ],
            Self::DqsSum => &["lib/sum_rigid", "lib/method_dqs_sum"],
            Self::Blend => &["lib/blend_dual_quats", "lib/sum_both", "lib/method_blend"],
            Self::BlendPositions => &[
                "lib/blend_dual_quats",
                "lib/sum_both",
                "lib/method_blend_positions",
            ],
        }
    }
}
