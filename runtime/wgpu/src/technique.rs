//! Techniques and modes of drawing a crowd, by name.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;
use throng_format::Encoding;
use throng_rig::{Method, Skinning};

/// Animation technique of a crowd.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Technique {
    /// No animation: the same instances, buffers and shading, in the rest pose.
    Control,
    /// The CPU skins, and uploads vertices each frame: of every instance, or of every group with [`Instancing::SkinOnce`].
    Cpu,
    /// The CPU uploads a palette of matrices each frame.
    PaletteMatrix,
    /// The CPU uploads a palette of dual quaternions each frame.
    PaletteDq,
    /// A texture set of an encoding.
    Texture(Encoding),
}

/// Error of parsing a [`Technique`].
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("unknown technique '{word}'; expected one of {known}")]
pub struct UnknownTechnique {
    word: String,
    known: String,
}

impl Technique {
    /// Returns all techniques.
    pub fn all() -> impl Iterator<Item = Self> {
        let without_set = [
            Self::Control,
            Self::Cpu,
            Self::PaletteMatrix,
            Self::PaletteDq,
        ];
        without_set
            .into_iter()
            .chain(Encoding::ALL.iter().copied().map(Self::Texture))
    }

    /// Name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Control => "control",
            Self::Cpu => "cpu",
            Self::PaletteMatrix => "palette-matrix",
            Self::PaletteDq => "palette-dq",
            Self::Texture(encoding) => encoding.name(),
        }
    }

    /// Skinning where none is asked for: DQS for palettes and textures of dual quaternions, else as authored.
    pub fn default_skinning(self) -> Skinning {
        match self {
            Self::PaletteDq | Self::Texture(Encoding::BoneDq) => Method::Dqs.into(),
            _ => Skinning::AsAuthored,
        }
    }
}

impl fmt::Display for Technique {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Technique {
    type Err = UnknownTechnique;

    fn from_str(word: &str) -> Result<Self, UnknownTechnique> {
        Self::all()
            .find(|technique| technique.name() == word)
            .ok_or_else(|| UnknownTechnique {
                word: word.to_owned(),
                known: Self::all().map(Self::name).collect::<Vec<_>>().join(", "),
            })
    }
}

/// Number of draw calls of a crowd.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Instancing {
    /// One draw call per part and instance.
    Loop,
    /// One draw call per part.
    #[default]
    Instanced,
    /// One draw call per part, of vertices that are skinned once per group of instances: see [`crate::Instance::group`].
    SkinOnce,
}

impl Instancing {
    /// All modes.
    pub const ALL: [Self; 3] = [Self::Loop, Self::Instanced, Self::SkinOnce];

    /// Name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Loop => "loop",
            Self::Instanced => "instanced",
            Self::SkinOnce => "skin-once",
        }
    }
}

/// Support for cross-fades.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Fades {
    /// Instances may cross-fade.
    #[default]
    Possible,
    /// Cross-fades are compiled out.
    None,
}

/// Place from which shaders read the timing of clips and the ranges of bones or vertices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum MetadataSource {
    /// Tables beside the textures.
    #[default]
    Tables,
    /// The first column of the texture, for sets with metadata there (`column`, `p0-column`), as P0's shaders do. Ranges of
    /// morph weights are still read from tables.
    Column,
}

/// Shader stage that decodes bone textures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum DecodeMode {
    /// The vertex shader, except for `bone-local`, whose joints depend on their parents.
    #[default]
    Direct,
    /// A decode pass before drawing, once per joint and instance.
    Pass,
}

/// Support for motion vectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Motion {
    /// Only the current frame is known.
    #[default]
    None,
    /// The frame before is known too: materials may read `previous_clip_position`. Decode passes pose every instance
    /// twice.
    Previous,
}

impl Motion {
    /// Number of records per instance in tables and palettes.
    pub(crate) fn copies(self) -> u32 {
        match self {
            Self::None => 1,
            Self::Previous => 2,
        }
    }
}
