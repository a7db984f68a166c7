//! How to bake.

use serde::{Serialize, Serializer};
use throng_format::{Encoding, FrameInterpolation, Metadata, Precision, Storage};
use throng_rig::{LoopPolicy, Skinning};

use crate::BakeError;

/// Everything that changes what a bake makes. [`Default`] is `bone-qt` at 16 bits and the clips' own rate.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BakeSettings {
    /// What texels stand for.
    pub encoding: Encoding,
    /// Frames at a precision, or compressed curves.
    pub storage: Storage,
    /// Skinning method of the reference and of the set.
    #[serde(serialize_with = "skinning_name")]
    pub skinning: Skinning,
    /// Indices of clips, in the order they are baked; none means all.
    pub clips: Vec<usize>,
    /// Frames a second.
    pub rate: Rate,
    /// What happens between frames; `None` as suits the encoding.
    pub interpolation: Option<FrameInterpolation>,
    /// What clips do at their ends; `None` looks at the poses.
    pub looping: Option<LoopPolicy>,
    /// How positions of bones are scaled to texels; `None` as suits the precision.
    pub boxes: Option<Boxes>,
    /// Whether textures hold their own metadata.
    pub metadata: Metadata,
    /// Sides of textures.
    pub sides: Sides,
    /// No side of a texture is longer.
    pub max_side: u32,
    /// Curves are packed until vertices are this far off, in parts of the character's size.
    pub max_error_of_size: f64,
    /// A paper's own layout, which decides encoding, precision, interpolation, boxes and metadata.
    pub preset: Option<Preset>,
}

impl Default for BakeSettings {
    fn default() -> Self {
        Self {
            encoding: Encoding::BoneQt,
            storage: Storage::Frames(Precision::Unorm16),
            skinning: Skinning::AsAuthored,
            clips: Vec::new(),
            rate: Rate::Native,
            interpolation: None,
            looping: None,
            boxes: None,
            metadata: Metadata::Manifest,
            sides: Sides::Exact,
            max_side: 2048,
            max_error_of_size: DEFAULT_ERROR_OF_SIZE,
            preset: None,
        }
    }
}

impl BakeSettings {
    /// With the preset's own choices, and a blend that the encoding can do.
    pub(crate) fn resolved(&self) -> Result<Self, BakeError> {
        let mut settings = self.clone();
        if let Some(preset) = self.preset {
            settings.encoding = preset.encoding();
            settings.boxes = Some(Boxes::PerBone);
            settings.interpolation = None;
            let (precision, metadata) = match preset {
                Preset::P3VirtualBones => (Precision::F32, Metadata::Manifest),
                _ => (Precision::Unorm8, Metadata::P0Column),
            };
            settings.storage = precision.into();
            settings.metadata = metadata;
        } else if self.metadata == Metadata::P0Column {
            return Err(BakeError::Metadata);
        }
        if settings.storage == Storage::Compressed && settings.metadata != Metadata::Manifest {
            return Err(BakeError::CompressedMetadata);
        }
        settings.interpolation = Some(settings.chosen_interpolation()?);
        settings.check_storage()?;
        Ok(settings)
    }

    /// What is asked for, or the encoding's own.
    fn chosen_interpolation(&self) -> Result<FrameInterpolation, BakeError> {
        let offered = self.encoding.interpolations();
        match self.interpolation {
            None => Ok(offered[0]),
            Some(interpolation) if offered.contains(&interpolation) => Ok(interpolation),
            Some(interpolation) => Err(BakeError::Interpolation {
                encoding: self.encoding,
                interpolation,
            }),
        }
    }

    fn check_storage(&self) -> Result<(), BakeError> {
        if self.encoding.layouts().contains(&self.storage.layout()) {
            return Ok(());
        }
        Err(BakeError::Layout {
            encoding: self.encoding,
            layout: self.storage.layout(),
        })
    }

    /// Precision of what is stored as frames.
    pub(crate) fn precision(&self) -> Precision {
        self.storage.frame_precision()
    }
}

fn skinning_name<S: Serializer>(skinning: &Skinning, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(skinning)
}

/// Half a millimetre on a person of 1.8 m.
pub const DEFAULT_ERROR_OF_SIZE: f64 = 0.000_28;

/// Frames a second.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub enum Rate {
    /// So many, from 6 to 120.
    Hz(f64),
    /// As the clip's own keys are spaced, between 6 and 120.
    Native,
    /// The lowest that does not alias: what interpolating costs is at most the error that is asked for.
    Auto,
}

/// How positions of bones are scaled to texels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Boxes {
    /// Each bone has a box.
    PerBone,
    /// One box holds all.
    Whole,
}

impl Boxes {
    /// What a precision is best served by: 8 bits need all that boxes can give, and 16 have enough for shaders to be
    /// spared two reads a bone.
    pub fn of(precision: Precision) -> Self {
        match precision {
            Precision::Unorm8 => Self::PerBone,
            _ => Self::Whole,
        }
    }
}

/// Sides of textures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Sides {
    /// As long as they must be.
    Exact,
    /// Rounded up to powers of two.
    PowerOfTwo,
}

impl Preset {
    /// All there are.
    pub const ALL: [Self; 4] = [
        Self::P0Vertex8,
        Self::P0Matrix8,
        Self::P0Dq8,
        Self::P3VirtualBones,
    ];

    /// The name that the command line uses.
    pub fn name(self) -> &'static str {
        match self {
            Self::P0Vertex8 => "p0-vertex8",
            Self::P0Matrix8 => "p0-matrix8",
            Self::P0Dq8 => "p0-dq8",
            Self::P3VirtualBones => "p3-virtual-bones",
        }
    }

    /// The encoding of ours that it is a form of.
    pub fn encoding(self) -> Encoding {
        match self {
            Self::P0Vertex8 => Encoding::Vertex,
            Self::P0Matrix8 => Encoding::BoneMatrix,
            Self::P0Dq8 => Encoding::BoneDq,
            Self::P3VirtualBones => Encoding::VirtualBones,
        }
    }
}

/// A paper's own layout.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Preset {
    /// P0's vertex textures, appendix D.
    P0Vertex8,
    /// P0's bone matrix textures, appendix B.
    P0Matrix8,
    /// P0's dual quaternion textures, appendix C.
    P0Dq8,
    /// P3's virtual bones, equations 4 to 6.
    P3VirtualBones,
}
