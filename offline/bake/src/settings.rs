//! Settings of a bake.

use serde::{Serialize, Serializer};
use throng_format::{Encoding, FrameInterpolation, MeshStorage, Metadata, Precision, Storage};
use throng_rig::{LoopPolicy, Method, Skinning};

use crate::BakeError;

/// Settings of a bake. [`Default`] is `bone-qt` with 16 bits, at the native rate of the clips.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BakeSettings {
    /// Encoding of the set.
    pub encoding: Encoding,
    /// Frames at a precision, or compressed curves.
    pub storage: Storage,
    /// Skinning method of the reference and of the set.
    #[serde(serialize_with = "skinning_name")]
    pub skinning: Skinning,
    /// Indices of clips, in the order they are baked; empty for all clips.
    pub clips: Vec<usize>,
    /// Sample rate.
    pub rate: Rate,
    /// Interpolation between frames; `None` for the encoding's default.
    pub interpolation: Option<FrameInterpolation>,
    /// Loop policy of all clips; `None` detects it from the poses.
    pub looping: Option<LoopPolicy>,
    /// Ranges of bone positions; `None` for the default of the precision.
    pub boxes: Option<Boxes>,
    /// Place of the metadata.
    pub metadata: Metadata,
    /// Rounding of texture sizes.
    pub sides: Sides,
    /// Longest allowed side of a texture.
    pub max_side: u32,
    /// Largest error of compressed curves, as a part of the character's size. Rounding a compact mesh takes at most a
    /// twentieth of it.
    pub max_error_of_size: f64,
    /// Effort spent on compressing joint curves.
    pub effort: Effort,
    /// Storage of the mesh. A compact mesh is rounded, and the error of the set includes that. Presets store exact meshes.
    pub mesh: MeshStorage,
    /// Layout of a paper, which decides encoding, precision, interpolation, boxes and metadata; of P0, also sides. Decides
    /// the skinning method of bones where meshes keep their authored method.
    pub preset: Option<Preset>,
    /// Most frames of all clips together. Not serialised: it does not change what is baked.
    #[serde(skip)]
    pub max_frames: u32,
    /// Most memory that baking may take, as predicted from frames, joints and vertices, in bytes. Not serialised.
    #[serde(skip)]
    pub max_memory_bytes: u64,
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
            effort: Effort::Normal,
            mesh: MeshStorage::Compact,
            preset: None,
            max_frames: DEFAULT_MAX_FRAMES,
            max_memory_bytes: DEFAULT_MAX_MEMORY_BYTES,
        }
    }
}

impl BakeSettings {
    /// Returns the skinning of the reference and of the set: where meshes keep their authored method, that of the preset.
    ///
    /// Fails if another method than that of P3 is requested with its presets.
    pub fn effective_skinning(&self) -> Result<Skinning, BakeError> {
        match (self.preset.and_then(Preset::method), self.skinning) {
            (Some(method), Skinning::AsAuthored) => Ok(method.into()),
            (Some(own), Skinning::Method(method))
                if method != own && self.preset.is_some_and(Preset::is_p3) =>
            {
                Err(BakeError::VirtualBones {
                    fault: format!("is skinned by {own}, but {method} is requested"),
                    remedy: "leave --method out, or use --encoding virtual-bones --interpolate nlerp",
                })
            }
            (_, skinning) => Ok(skinning),
        }
    }

    /// Returns the settings with the preset's choices and the encoding's default interpolation filled in.
    pub(crate) fn resolved(&self) -> Result<Self, BakeError> {
        let mut settings = self.clone();
        settings.skinning = self.effective_skinning()?;
        if let Some(preset) = self.preset {
            settings.encoding = preset.encoding();
            settings.boxes = Some(Boxes::PerBone);
            settings.interpolation = None;
            let (precision, metadata) = match preset {
                _ if preset.is_p3() => (Precision::F32, Metadata::Manifest),
                _ => (Precision::Unorm8, Metadata::P0Column),
            };
            settings.storage = precision.into();
            settings.mesh = MeshStorage::Exact;
            settings.metadata = metadata;
            if preset.is_p0() {
                settings.sides = Sides::PowerOfTwo;
            }
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

    /// Returns the requested interpolation, or the encoding's default.
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

    /// Precision of the values that are stored as frames.
    pub(crate) fn precision(&self) -> Precision {
        self.storage.frame_precision()
    }
}

fn skinning_name<S: Serializer>(skinning: &Skinning, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(skinning)
}

/// Default of [`BakeSettings::max_error_of_size`]: half a millimetre on a person of 1.8 m.
pub const DEFAULT_ERROR_OF_SIZE: f64 = 0.000_28;

/// Default of [`BakeSettings::max_frames`]: two hours and a half at 30 Hz.
pub const DEFAULT_MAX_FRAMES: u32 = 1 << 18;

/// Default of [`BakeSettings::max_memory_bytes`]: 2 GiB.
pub const DEFAULT_MAX_MEMORY_BYTES: u64 = 2 << 30;

/// Effort spent on compressing joint curves. The error is proven on every vertex with any effort.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize)]
pub enum Effort {
    /// One segment duration, predicted error budgets, cubic splines, and only candidates that may win: about a tenth of the
    /// time of [`Self::Normal`] for up to a tenth more bytes, or slightly more for a few short clips.
    Fast,
    /// Several segment durations, and a search for the other errors and encodings of the Pareto frontier.
    #[default]
    Normal,
    /// More durations and rounds: several times the time of [`Self::Normal`] for slightly fewer bytes.
    Best,
}

/// Sample rate of a bake.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub enum Rate {
    /// A fixed rate, from 6 to 120 Hz.
    Hz(f64),
    /// The clip's key spacing, clamped to 6..=120 Hz.
    Native,
    /// The lowest rate whose interpolation error is at most [`BakeSettings::max_error_of_size`].
    Auto,
}

/// Ranges that bone positions are quantised to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Boxes {
    /// One range per bone.
    PerBone,
    /// One range for all bones.
    Whole,
}

impl Boxes {
    /// Returns the default of a precision. 8 bits need a range per bone; 16 bits are enough without, which saves shaders two
    /// reads per bone.
    pub fn of(precision: Precision) -> Self {
        match precision {
            Precision::Unorm8 => Self::PerBone,
            _ => Self::Whole,
        }
    }
}

/// Rounding of texture sizes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Sides {
    /// No larger than needed.
    Exact,
    /// Rounded up to powers of two.
    PowerOfTwo,
}

impl Preset {
    /// All presets.
    pub const ALL: [Self; 5] = [
        Self::P0Vertex8,
        Self::P0Matrix8,
        Self::P0Dq8,
        Self::P3VirtualBones,
        Self::P3VirtualBonesSplit,
    ];

    /// Name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::P0Vertex8 => "p0-vertex8",
            Self::P0Matrix8 => "p0-matrix8",
            Self::P0Dq8 => "p0-dq8",
            Self::P3VirtualBones => "p3-virtual-bones",
            Self::P3VirtualBonesSplit => "p3-virtual-bones-split",
        }
    }

    /// True for the layouts of P0.
    pub fn is_p0(self) -> bool {
        matches!(self, Self::P0Vertex8 | Self::P0Matrix8 | Self::P0Dq8)
    }

    /// True for the presets of P3, which have rest poses in textures and bones in vertex colours.
    pub(crate) fn is_p3(self) -> bool {
        matches!(self, Self::P3VirtualBones | Self::P3VirtualBonesSplit)
    }

    /// Skinning method of the paper's shader; `None` for vertices, which are skinned in the bake.
    pub fn method(self) -> Option<Method> {
        match self {
            Self::P0Vertex8 => None,
            Self::P0Dq8 => Some(Method::Dqs),
            Self::P0Matrix8 | Self::P3VirtualBones | Self::P3VirtualBonesSplit => Some(Method::Lbs),
        }
    }

    /// Most influences per vertex; `None` for any number.
    pub fn max_influences(self) -> Option<usize> {
        // The channels of a colour.
        self.is_p3().then_some(4)
    }

    /// Encoding that the preset is a form of.
    pub fn encoding(self) -> Encoding {
        match self {
            Self::P0Vertex8 => Encoding::Vertex,
            Self::P0Matrix8 => Encoding::BoneMatrix,
            Self::P0Dq8 => Encoding::BoneDq,
            Self::P3VirtualBones | Self::P3VirtualBonesSplit => Encoding::VirtualBones,
        }
    }
}

/// Layout of a paper.
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
    /// P3's virtual bones with rotations of 16 bits and translations in textures of their own, section 4.
    P3VirtualBonesSplit,
}
