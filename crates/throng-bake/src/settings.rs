//! How to bake.

use throng_format::{Blend, Encoding, LoopPolicy, Metadata, Precision};
use throng_skin::Method;

/// Everything that changes what a bake makes. [`Default`] is `bone-qt` at 16 bits and the clips' own rate.
#[derive(Debug, Clone, PartialEq)]
pub struct BakeSettings {
    /// What texels stand for.
    pub encoding: Encoding,
    /// How exactly; [`Precision::Packed`] for curves.
    pub precision: Precision,
    /// How to skin; `None` as each mesh says itself.
    pub method: Option<Method>,
    /// Indices of clips, in the order they are baked; none means all.
    pub clips: Vec<usize>,
    /// Frames a second.
    pub rate: Rate,
    /// What happens between frames.
    pub blend: Blend,
    /// What clips do at their ends; `None` looks at the poses.
    pub looping: Option<LoopPolicy>,
    /// How positions of bones are scaled to texels.
    pub boxes: Boxes,
    /// Whether textures hold their own metadata.
    pub metadata: Metadata,
    /// Sides of textures.
    pub sides: Sides,
    /// No side of a texture is longer.
    pub max_side: u32,
    /// Curves are packed until vertices are this far off, in parts of the character's size.
    pub max_error_of_size: f64,
    /// A paper's own layout, which decides all of the above but clips, rate and method.
    pub preset: Option<Preset>,
}

impl Default for BakeSettings {
    fn default() -> Self {
        Self {
            encoding: Encoding::BoneQt,
            precision: Precision::Unorm16,
            method: None,
            clips: Vec::new(),
            rate: Rate::Native,
            blend: Blend::Nlerp,
            looping: None,
            boxes: Boxes::PerBone,
            metadata: Metadata::Manifest,
            sides: Sides::Exact,
            max_side: 2048,
            max_error_of_size: DEFAULT_ERROR_OF_SIZE,
            preset: None,
        }
    }
}

/// Half a millimetre on a person of 1.8 m.
pub const DEFAULT_ERROR_OF_SIZE: f64 = 0.000_28;

/// Frames a second.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Rate {
    /// So many, from 6 to 120.
    Hz(f64),
    /// As the clip's own keys are spaced, between 6 and 120.
    Native,
    /// The lowest that does not alias: what interpolating costs is at most the error that is asked for.
    Auto,
}

/// How positions of bones are scaled to texels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Boxes {
    /// Each bone has a box.
    PerBone,
    /// One box holds all.
    Whole,
}

/// Sides of textures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sides {
    /// As long as they must be.
    Exact,
    /// Rounded up to powers of two.
    PowerOfTwo,
}

/// A paper's own layout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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
