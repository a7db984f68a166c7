//! Enums whose names settings, manifests and reports share.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// An unknown name.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("unknown {what} '{word}'; expected {known}")]
pub struct UnknownName {
    word: String,
    what: &'static str,
    known: String,
}

/// Defines an enum whose variants have names: the same in manifests, on the command line and in messages.
macro_rules! named {
    ($(#[$meta:meta])* $name:ident, $what:literal, { $($(#[$doc:meta])* $variant:ident = $word:literal,)+ }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        pub enum $name {
            $($(#[$doc])* #[serde(rename = $word)] $variant,)+
        }

        impl $name {
            /// All variants.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            /// Name in manifests and on the command line.
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
    /// Content of the texels.
    Encoding, "encoding", {
        /// Vertex positions as offsets from the rest pose, quantised in a box.
        Vertex = "vertex",
        /// Vertex positions as directions and lengths, quantised in an ellipsoid.
        VertexRay = "vertex-ray",
        /// Three texels per bone: the rows of its matrix in model space.
        BoneMatrix = "bone-matrix",
        /// Two texels per bone: a dual quaternion in model space.
        BoneDq = "bone-dq",
        /// Three values of rotation and three of position per bone, in model space; scale where it is used.
        BoneQt = "bone-qt",
        /// Two axes and a position per bone, in the layout of P3.
        VirtualBones = "virtual-bones",
        /// Compressed curves of each joint in its parent's space.
        BoneLocal = "bone-local",
    }
}

impl Encoding {
    /// True where texels hold vertices, not bones.
    pub fn is_vertex(self) -> bool {
        matches!(self, Self::Vertex | Self::VertexRay)
    }

    /// Supported layouts.
    pub fn layouts(self) -> &'static [SetLayout] {
        match self {
            Self::Vertex => &[SetLayout::Frames, SetLayout::Compressed],
            Self::BoneLocal => &[SetLayout::Compressed],
            _ => &[SetLayout::Frames],
        }
    }

    /// Default storage: compressed curves for `bone-local`, else frames at `unorm16`.
    pub fn default_storage(self) -> Storage {
        match self {
            Self::BoneLocal => Storage::Compressed,
            _ => Storage::Frames(Precision::Unorm16),
        }
    }

    /// Supported interpolations, the default first.
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
    /// Number format of a stored value.
    Precision, "precision", {
        /// 8 bits, quantised in a range.
        Unorm8 = "unorm8",
        /// 16 bits, quantised in a range.
        Unorm16 = "unorm16",
        /// Half-precision floats.
        F16 = "f16",
        /// Single-precision floats.
        F32 = "f32",
    }
}

named! {
    /// Layout of a set: frames in a grid of texels, or compressed curves.
    SetLayout, "layout", {
        /// One sample per frame, at a [`Precision`].
        Frames = "frames",
        /// B-splines with as many bits as each needs.
        Compressed = "compressed",
    }
}

/// Storage of a set's values. Serialised as two fields, `layout` and `precision`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(from = "StorageFields", into = "StorageFields")]
pub enum Storage {
    /// Frames in a grid, at a precision.
    Frames(Precision),
    /// Compressed curves.
    Compressed,
}

#[derive(Serialize, Deserialize)]
struct StorageFields {
    layout: SetLayout,
    precision: Option<Precision>,
}

impl Storage {
    /// Layout of the set.
    pub fn layout(self) -> SetLayout {
        match self {
            Self::Frames(_) => SetLayout::Frames,
            Self::Compressed => SetLayout::Compressed,
        }
    }

    /// Precision of frames; `None` for compressed curves.
    pub fn precision(self) -> Option<Precision> {
        match self {
            Self::Frames(precision) => Some(precision),
            Self::Compressed => None,
        }
    }

    /// Precision of values stored as frames. Morph weights that accompany compressed curves are `unorm16`.
    pub fn frame_precision(self) -> Precision {
        self.precision().unwrap_or(Precision::Unorm16)
    }

    /// Name for tables and titles: the precision, or `compressed`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Frames(precision) => precision.name(),
            Self::Compressed => SetLayout::Compressed.name(),
        }
    }
}

impl From<Precision> for Storage {
    fn from(precision: Precision) -> Self {
        Self::Frames(precision)
    }
}

impl FromStr for Storage {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        if name == SetLayout::Compressed.name() {
            return Ok(Self::Compressed);
        }
        name.parse().map(Self::Frames)
    }
}

impl fmt::Display for Storage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl From<Storage> for StorageFields {
    fn from(storage: Storage) -> Self {
        Self {
            layout: storage.layout(),
            precision: storage.precision(),
        }
    }
}

impl From<StorageFields> for Storage {
    fn from(fields: StorageFields) -> Self {
        match fields.precision {
            Some(precision) if fields.layout == SetLayout::Frames => Self::Frames(precision),
            _ => Self::Compressed,
        }
    }
}

named! {
    /// Storage of the arrays of a mesh file.
    #[derive(Default)]
    MeshStorage, "mesh storage", {
        /// As few bits as hold the values exactly, compressed: `KHR_mesh_quantization` and `EXT_meshopt_compression`. A
        /// bake rounds the mesh first.
        Compact = "compact",
        /// Float32, without extensions of glTF.
        #[default]
        Exact = "exact",
    }
}

named! {
    /// Interpolation between two baked frames.
    FrameInterpolation, "interpolation", {
        /// Linear, component by component.
        Linear = "linear",
        /// Linear, then rotations are normalised.
        Nlerp = "nlerp",
        /// Spherical linear interpolation of rotations.
        Slerp = "slerp",
        /// Vertices are skinned at both frames and interpolated along an arc about their bones; see
        /// [`crate::decode::slerp_vertex`].
        SlerpVertices = "slerp-vertices",
    }
}

named! {
    /// Location of the clip times and ranges that a shader needs besides the texels.
    Metadata, "metadata location", {
        /// The manifest alone.
        Manifest = "manifest",
        /// The first column of the first texture, and the manifest; see [`crate::column`].
        Column = "column",
        /// The first column in the layout of P0; see [`crate::p0`]. Only for the P0 presets.
        P0Column = "p0-column",
    }
}
