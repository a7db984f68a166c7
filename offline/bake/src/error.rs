//! Errors of a bake.

use thiserror::Error;
use throng_format::file::FileFormat;
use throng_format::{Encoding, FrameInterpolation, SetError, SetLayout, TexelFormat};
use throng_rig::{Skinning, VertexFramesError};

use crate::plan::MAX_FRAMES;

/// Reason why a bake is refused.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum BakeError {
    /// The character has no clips.
    #[error("'{character}' has no clip: nothing to bake")]
    NoClips {
        /// Name of the character.
        character: String,
    },
    /// The character has no vertices.
    #[error(
        "'{character}' has no mesh: pass it as motion to a character: throng bake CHARACTER --motion FILE"
    )]
    NoVertices {
        /// Name of the character.
        character: String,
    },
    /// The encoding stores bones, and a vertex cache moves vertices.
    #[error(
        "vertex caches move vertices of '{character}', which {encoding} cannot hold; use --encoding vertex or vertex-ray"
    )]
    VertexCache {
        /// Name of the character.
        character: String,
        /// The encoding.
        encoding: Encoding,
    },
    /// The encoding stores bones, and no shader skins by the method.
    #[error(
        "{skinning} needs the distances of vertices from bones, which shaders of {encoding} do not have; use --encoding vertex \
         or vertex-ray"
    )]
    NoBoneShader {
        /// The method.
        skinning: Skinning,
        /// The encoding.
        encoding: Encoding,
    },
    /// A method needs numbers of each vertex that the character does not have.
    #[error("'{character}' has no {what}, which {skinning} needs: call throng_skin::prepare first")]
    NotPrepared {
        /// Name of the character.
        character: String,
        /// Name of the numbers.
        what: &'static str,
        /// The method.
        skinning: Skinning,
    },
    /// A vertex cache could not be read.
    #[error("the vertex cache of mesh '{mesh}' of '{character}' cannot be read: {error}")]
    CacheRead {
        /// Name of the character.
        character: String,
        /// Name of the mesh.
        mesh: String,
        /// Its first failure.
        error: VertexFramesError,
    },
    /// The index of a clip is out of range.
    #[error("clip index {clip} is out of range: '{character}' has {count} clips")]
    NoSuchClip {
        /// Name of the character.
        character: String,
        /// Requested index.
        clip: usize,
        /// Number of clips.
        count: usize,
    },
    /// The rate is out of range.
    #[error("sample rate {rate_hz} Hz is out of range; expected 6 to 120, native or auto")]
    Rate {
        /// Requested rate.
        rate_hz: f64,
    },
    /// The clips have too many frames.
    #[error(
        "the clips have {frames:.0} frames together, but the limit is {limit}; choose fewer clips or a lower rate, or raise --max-frames (up to {MAX_FRAMES})"
    )]
    TooManyFrames {
        /// Number of frames.
        frames: f64,
        /// Largest number of frames.
        limit: u32,
    },
    /// The bake would take too much memory.
    #[error(
        "baking {frames} frames as {encoding} needs about {} of memory, but the limit is {}; choose fewer clips, a lower rate or a bone encoding, or raise --max-memory",
        crate::text::bytes(*bytes),
        crate::text::bytes(*limit)
    )]
    TooMuchMemory {
        /// The encoding.
        encoding: Encoding,
        /// Number of frames.
        frames: u32,
        /// Predicted bytes.
        bytes: u64,
        /// Largest number of bytes.
        limit: u64,
    },
    /// A clip moves vertices too far for float32.
    #[error(
        "clip '{clip}' moves a vertex {distance_m:.1e} m from the origin, where float32 is not exact to {max_error_m:.1e} m; allow a larger error with --max-error, repair the clip (its keys or spline tangents may be corrupt), or leave it out with --clips"
    )]
    TooFar {
        /// Name of the clip.
        clip: String,
        /// Distance from the origin.
        distance_m: f64,
        /// Largest error allowed.
        max_error_m: f64,
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
    /// The encoding does not support the requested interpolation.
    #[error("{encoding} does not support {interpolation} interpolation; expected {}", one_of(encoding.interpolations()))]
    Interpolation {
        /// The encoding.
        encoding: Encoding,
        /// The requested interpolation.
        interpolation: FrameInterpolation,
    },
    /// The p0-column metadata belongs to P0's presets.
    #[error("metadata p0-column is only for P0's presets; use column or manifest")]
    Metadata,
    /// Compressed curves have no metadata column.
    #[error(
        "compressed curves have no metadata column; use --metadata manifest or --layout frames"
    )]
    CompressedMetadata,
    /// The file format does not support the texel format.
    #[error("{format} files cannot hold {texels} texels; use ktx2, or another precision")]
    FileFormat {
        /// The requested file format.
        format: FileFormat,
        /// Texel format of a texture.
        texels: TexelFormat,
    },
    /// A joint has a transform that the encoding cannot represent.
    #[error(
        "{encoding} cannot represent joint '{joint}', which {deformation} in clip '{clip}'; use {remedy}"
    )]
    NotHeld {
        /// The encoding.
        encoding: Encoding,
        /// Name of the joint, or its index.
        joint: String,
        /// Name of the clip.
        clip: String,
        /// Scale, shear or mirroring of the joint, as a verb phrase.
        deformation: String,
        /// Encodings that can represent it.
        remedy: &'static str,
    },
    /// A value exceeds the range of half floats.
    #[error("{what} of {value:e} is out of range for f16; use unorm16 or f32")]
    PastHalf {
        /// Name of the quantity.
        what: &'static str,
        /// The value.
        value: f64,
    },
    /// A texture would be too large.
    #[error(
        "texture '{what}' would take {bytes} bytes, but at most {limit} are written; bake fewer clips, a lower rate or a bone encoding"
    )]
    TooLarge {
        /// Name of the texture.
        what: &'static str,
        /// Bytes of the texture.
        bytes: u128,
        /// Largest number of bytes.
        limit: u128,
    },
    /// The longest allowed side is too short.
    #[error("texture '{what}' does not fit into sides of {max_side} texels; raise --max-side")]
    NoRoom {
        /// Name of the texture.
        what: &'static str,
        /// Longest allowed side.
        max_side: u32,
    },
    /// A preset's layout does not fit into the longest allowed side.
    #[error(
        "preset {preset} needs a texture side of {side} texels, because {what}; the longest allowed is {max_side}: {remedy}"
    )]
    PresetDoesNotFit {
        /// Name of the preset.
        preset: &'static str,
        /// Reason for the side.
        what: String,
        /// Required side.
        side: u64,
        /// Longest allowed side.
        max_side: u32,
        /// Advice.
        remedy: String,
    },
    /// No unit of length brings a range into P0's bytes.
    #[error(
        "preset {preset} stores ranges in bytes, and no unit of length up to 1e17 m fits {what}, which reaches {value:.1e} m; repair the clip, or leave it out with --clips"
    )]
    PresetBox {
        /// Name of the preset.
        preset: &'static str,
        /// Owner of the range.
        what: String,
        /// Largest value of the range, in metres.
        value: f64,
    },
    /// A clip's rate does not fit into P0's byte.
    #[error(
        "preset {preset} stores rates up to 255 Hz, but a clip of {duration_secs} s has two frames, which is {rate_hz:.0} Hz; leave it out with --clips"
    )]
    PresetRate {
        /// Name of the preset.
        preset: &'static str,
        /// Duration of the clip.
        duration_secs: f64,
        /// Frames per second.
        rate_hz: f64,
    },
    /// P0's bone textures have no morph weights.
    #[error(
        "preset {preset} cannot hold morph weights, which the clips move; use --preset p0-vertex8 or --encoding {encoding}"
    )]
    PresetMorphs {
        /// Name of the preset.
        preset: &'static str,
        /// Encoding that holds them.
        encoding: Encoding,
    },
    /// P0's dual quaternions cannot hold an inverse bind matrix.
    #[error(
        "preset p0-dq8 skins with dual quaternions, which only rotate and move, but joint '{joint}' and its inverse bind matrix {fault}; use --preset p0-matrix8"
    )]
    PresetInverseBind {
        /// Name of the joint, or its index.
        joint: String,
        /// Verb phrase.
        fault: &'static str,
    },
    /// The character exceeds a limit of P3's virtual bones.
    #[error("preset p3-virtual-bones {fault}; {remedy}")]
    VirtualBones {
        /// The limit, and what was found.
        fault: String,
        /// Advice.
        remedy: &'static str,
    },
    /// The compressed curves do not fit into a texture.
    #[error(
        "the compressed curves do not fit into a texture; bake fewer clips, or raise --max-side to at least 8"
    )]
    TooManyCurveWords,
    /// The compressed set cannot be measured.
    #[error(transparent)]
    Measure(#[from] crate::accuracy::VerifyError),
    /// The baked set is invalid: a bug in the bake.
    #[error("the baked set is invalid, which is a bug in throng: {0}")]
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
