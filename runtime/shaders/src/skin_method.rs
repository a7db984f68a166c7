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
    /// `dqs-bulge-free`. No shader has it: see [`Self::has_shader`].
    DqsBulgeFree,
    /// `cor`.
    Cor,
    /// `sclerp`.
    Sclerp,
    /// `blend:F`.
    Blend,
    /// `blend-positions:F`.
    BlendPositions,
}

impl SkinMethod {
    /// All methods that shaders have.
    pub const ALL: [Self; 9] = [
        Self::Lbs,
        Self::Dqs,
        Self::DqsPlain,
        Self::DqsDirect,
        Self::DqsSum,
        Self::Cor,
        Self::Sclerp,
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
            Self::DqsBulgeFree => "dqs-bulge-free",
            Self::Cor => "cor",
            Self::Sclerp => "sclerp",
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

    /// False for `dqs-bulge-free`, which needs the bones of joints, in the bind pose and posed. Vertices that were skinned
    /// on the CPU play it.
    pub fn has_shader(self) -> bool {
        self != Self::DqsBulgeFree
    }

    /// True if the functions for engines have the method.
    pub(crate) fn is_for_engines(self) -> bool {
        self.has_shader() && !self.needs_palette() && !matches!(self, Self::Cor | Self::Sclerp)
    }

    /// Loop over the influences of a vertex.
    pub(crate) fn influences_file(self) -> &'static str {
        match self {
            Self::Sclerp => "lib/influences_screws",
            _ => "lib/influences",
        }
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
            Self::DqsBulgeFree => &[],
            Self::Cor => &[
                "lib/blend_dual_quats",
                "lib/sum_rigid_both",
                "source/rotation_center",
                "lib/method_cor",
            ],
            Self::Sclerp => &[
                "lib/blend_dual_quats",
                "lib/sum_dual_quats",
                "lib/screws",
                "lib/method_dqs",
            ],
            Self::Blend => &["lib/blend_dual_quats", "lib/sum_both", "lib/method_blend"],
            Self::BlendPositions => &[
                "lib/blend_dual_quats",
                "lib/sum_both",
                "lib/method_blend_positions",
            ],
        }
    }
}
