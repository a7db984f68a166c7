//! The words that settings, manifests and reports share.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A word that is not among those that are known.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("'{word}' is not {what}: choose from {known}")]
pub struct UnknownName {
    word: String,
    what: &'static str,
    known: String,
}

/// An enum whose variants have names: the same in manifests, on the command line and in messages.
macro_rules! named {
    ($(#[$meta:meta])* $name:ident, $what:literal, { $($(#[$doc:meta])* $variant:ident = $word:literal,)+ }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        pub enum $name {
            $($(#[$doc])* #[serde(rename = $word)] $variant,)+
        }

        impl $name {
            /// All there are.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            /// The name that manifests and the command line use.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $word,)+ }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.name())
            }
        }

        impl FromStr for $name {
            type Err = UnknownName;

            fn from_str(word: &str) -> Result<Self, UnknownName> {
                let found = Self::ALL.iter().find(|known| known.name() == word);
                found.copied().ok_or_else(|| UnknownName {
                    word: word.to_owned(),
                    what: $what,
                    known: Self::ALL.iter().map(|known| known.name()).collect::<Vec<_>>().join(", "),
                })
            }
        }
    };
}

named! {
    /// What texels stand for.
    Encoding, "an encoding", {
        /// Where each vertex is, as an offset from rest inside a box.
        Vertex = "vertex",
        /// Where each vertex is, as direction and length inside an ellipsoid.
        VertexRay = "vertex-ray",
        /// Three texels a bone: the rows of its matrix in model space.
        BoneMatrix = "bone-matrix",
        /// Two texels a bone: a dual quaternion in model space.
        BoneDq = "bone-dq",
        /// Three numbers of rotation and three of position a bone, in model space; scale where it is used.
        BoneQt = "bone-qt",
        /// Two axes and a position a bone, as P3 lays them out.
        VirtualBones = "virtual-bones",
        /// Curves of each joint in its parent's space, packed bit by bit.
        BoneLocal = "bone-local",
    }
}

impl Encoding {
    /// True where texels move vertices, not bones.
    pub fn is_vertex(self) -> bool {
        matches!(self, Self::Vertex | Self::VertexRay)
    }

    /// What may happen between its frames, what suits it best first.
    pub fn interpolations(self) -> &'static [FrameInterpolation] {
        match self {
            Self::Vertex | Self::VertexRay => &[FrameInterpolation::Linear],
            Self::BoneMatrix => &[
                FrameInterpolation::Linear,
                FrameInterpolation::Slerp,
                FrameInterpolation::SlerpVertices,
            ],
            Self::BoneDq => &[FrameInterpolation::Nlerp],
            Self::BoneQt => &[FrameInterpolation::Nlerp, FrameInterpolation::Slerp],
            Self::VirtualBones => &[
                FrameInterpolation::Linear,
                FrameInterpolation::Nlerp,
                FrameInterpolation::SlerpVertices,
            ],
            Self::BoneLocal => &[
                FrameInterpolation::Linear,
                FrameInterpolation::Nlerp,
                FrameInterpolation::Slerp,
            ],
        }
    }
}

named! {
    /// How exactly a number is stored.
    Precision, "a precision", {
        /// 8 bits over a range.
        Unorm8 = "unorm8",
        /// 16 bits over a range.
        Unorm16 = "unorm16",
        /// Half floats.
        F16 = "f16",
        /// Full floats.
        F32 = "f32",
        /// As many bits as each curve needs.
        Packed = "packed",
    }
}

named! {
    /// What happens between two baked frames.
    FrameInterpolation, "an interpolation", {
        /// Every number by itself.
        Linear = "linear",
        /// Rotations are brought back to unit length.
        Nlerp = "nlerp",
        /// Rotations go along the arc at an even speed.
        Slerp = "slerp",
        /// Vertices are skinned at both frames and go along the arc about their bones; see
        /// [`crate::decode::slerp_vertex`].
        SlerpVertices = "slerp-vertices",
    }
}

named! {
    /// Whether the numbers that a shader needs are in the texture too.
    Metadata, "a place for metadata", {
        /// In the manifest alone.
        Manifest = "manifest",
        /// In the first column of the first texture as well; see [`crate::column`].
        Column = "column",
        /// In the first column, as P0 has it; see [`crate::p0`]. For P0's presets alone.
        P0Column = "p0-column",
    }
}
