//! Why a bake is refused.

use thiserror::Error;
use throng_format::file::FileFormat;
use throng_format::{Encoding, FrameInterpolation, SetError, SetLayout, TexelFormat};

/// Why a bake is refused.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum BakeError {
    /// The character has nothing that moves.
    #[error("'{character}' has no clip: nothing to bake")]
    NoClips {
        /// Its name.
        character: String,
    },
    /// The character has nothing to draw.
    #[error("'{character}' has no vertices: nothing to move")]
    NoVertices {
        /// Its name.
        character: String,
    },
    /// A clip is asked for that is not there.
    #[error("clip {clip} is asked for, '{character}' has {count}")]
    NoSuchClip {
        /// The character's name.
        character: String,
        /// Its index.
        clip: usize,
        /// How many there are.
        count: usize,
    },
    /// A rate that is not offered.
    #[error("{rate_hz} frames a second: choose from 6 to 120, native or auto")]
    Rate {
        /// What was asked for.
        rate_hz: f64,
    },
    /// More frames than can be counted.
    #[error(
        "the clips have {frames:.0} frames together, a set holds {limit}: choose fewer clips or a lower rate"
    )]
    TooManyFrames {
        /// How many.
        frames: f64,
        /// The most.
        limit: u32,
    },
    /// The encoding does not have the requested layout.
    #[error(
        "{encoding} does not support the {layout} layout; expected {}",
        one_of(encoding.layouts())
    )]
    Layout {
        /// The encoding.
        encoding: Encoding,
        /// The requested layout.
        layout: SetLayout,
    },
    /// The encoding has no such interpolation.
    #[error("{encoding} does not support {interpolation} interpolation; expected {}", one_of(encoding.interpolations()))]
    Interpolation {
        /// The encoding.
        encoding: Encoding,
        /// What was asked for.
        interpolation: FrameInterpolation,
    },
    /// P0's metadata without P0's layout.
    #[error("p0-column is for P0's presets alone: choose column or manifest")]
    Metadata,
    /// Curves with metadata in a column.
    #[error(
        "compressed curves have no metadata column: use --metadata manifest or --layout frames"
    )]
    CompressedMetadata,
    /// Files that are asked for do not hold the texels.
    #[error("{format} files cannot hold {texels} texels: choose ktx2, or another precision")]
    FileFormat {
        /// Of the files.
        format: FileFormat,
        /// Of a texture.
        texels: TexelFormat,
    },
    /// A joint does what the encoding has no room for.
    #[error(
        "{encoding} cannot hold joint '{joint}', which {deformation} in clip '{clip}': use {remedy}"
    )]
    NotHeld {
        /// The encoding.
        encoding: Encoding,
        /// The joint's name, or its number.
        joint: String,
        /// Where it does it.
        clip: String,
        /// What it does.
        deformation: String,
        /// An encoding that can hold it.
        remedy: &'static str,
    },
    /// A number is past what a half float holds.
    #[error("a {what} of {value:e} is past what f16 holds: use unorm16 or f32")]
    PastHalf {
        /// What it is.
        what: &'static str,
        /// The number.
        value: f64,
    },
    /// Textures would be larger than anything can take.
    #[error(
        "{what} would take {bytes} bytes, at most {limit} are written: bake fewer clips, a lower rate or a bone encoding"
    )]
    TooLarge {
        /// Which texture.
        what: &'static str,
        /// How many bytes.
        bytes: u128,
        /// The most.
        limit: u128,
    },
    /// No side is long enough.
    #[error("a side of {max_side} texels has no room for {what}: allow longer sides")]
    NoRoom {
        /// Which texture.
        what: &'static str,
        /// The longest side.
        max_side: u32,
    },
    /// A paper's layout cannot be cut to fit.
    #[error(
        "{preset} needs {width} × {height} texels, a side has {max_side} at most, and its layout cannot be cut: use --encoding {remedy}"
    )]
    PresetDoesNotFit {
        /// The preset.
        preset: &'static str,
        /// Texels in a row.
        width: u64,
        /// Rows.
        height: u64,
        /// The longest side.
        max_side: u32,
        /// An encoding that fits.
        remedy: &'static str,
    },
    /// A box does not fit P0's bytes.
    #[error(
        "{preset} stores whole centimetres of a box in a byte, {what} goes to {value:.0}: use --encoding {remedy}"
    )]
    PresetBox {
        /// The preset.
        preset: &'static str,
        /// Whose box.
        what: String,
        /// The largest number in it.
        value: f64,
        /// An encoding that fits.
        remedy: &'static str,
    },
    /// P3 has no room for so many bones or influences, or another way of binding.
    #[error("p3-virtual-bones {fault}: {remedy}")]
    VirtualBones {
        /// What does not fit.
        fault: String,
        /// What would.
        remedy: &'static str,
    },
    /// More words than a stream of curves can count.
    #[error(
        "the curves do not fit a stream of words: bake fewer clips, or raise --max-side to at least 8"
    )]
    TooManyCurveWords,
    /// A set that was packed cannot be measured.
    #[error(transparent)]
    Measure(#[from] crate::accuracy::VerifyError),
    /// What was made is not a set: a fault of the baker.
    #[error("the baked set is not sound: {0}")]
    Unsound(#[from] SetError),
}

/// Joins names: "a, b or c".
fn one_of(names: &[impl std::fmt::Display]) -> String {
    let names: Vec<String> = names.iter().map(ToString::to_string).collect();
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => names.concat(),
    }
}
