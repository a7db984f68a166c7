//! The ways to draw a crowd, by name.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;
use throng_format::Encoding;

/// What moves vertices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Technique {
    /// Nothing: the same instances, buffers and shading, in the rest pose.
    Control,
    /// The CPU, which uploads vertices each frame.
    Cpu,
    /// Matrices that the CPU uploads each frame.
    PaletteMatrix,
    /// Dual quaternions that the CPU uploads each frame.
    PaletteDq,
    /// A texture set.
    Texture(Encoding),
}

/// A name that no technique has.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("'{word}' is not a technique: choose from {known}")]
pub struct UnknownTechnique {
    word: String,
    known: String,
}

impl Technique {
    /// All there are.
    pub fn all() -> impl Iterator<Item = Self> {
        let own = [
            Self::Control,
            Self::Cpu,
            Self::PaletteMatrix,
            Self::PaletteDq,
        ];
        own.into_iter()
            .chain(Encoding::ALL.iter().copied().map(Self::Texture))
    }

    /// The name that the command line uses.
    pub fn name(self) -> &'static str {
        match self {
            Self::Control => "control",
            Self::Cpu => "cpu",
            Self::PaletteMatrix => "palette-matrix",
            Self::PaletteDq => "palette-dq",
            Self::Texture(encoding) => encoding.name(),
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

/// How many draws a crowd takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Instancing {
    /// One a mesh for each instance.
    Loop,
    /// One a mesh.
    #[default]
    Instanced,
    /// One a mesh, of vertices that were skinned once for each group of instances.
    SkinOnce,
}

impl Instancing {
    /// All there are.
    pub const ALL: [Self; 3] = [Self::Loop, Self::Instanced, Self::SkinOnce];

    /// The name that the command line uses.
    pub fn name(self) -> &'static str {
        match self {
            Self::Loop => "loop",
            Self::Instanced => "instanced",
            Self::SkinOnce => "skin-once",
        }
    }
}

/// Whether instances go from one clip to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Fades {
    /// They may.
    #[default]
    Possible,
    /// They do not, and shaders are the leaner for it.
    None,
}

/// Where bone textures are decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum DecodePlace {
    /// In the vertex shader, except for `bone-local`, whose joints need their parents.
    #[default]
    Direct,
    /// In a pass before, once for each joint and instance.
    Pass,
}
