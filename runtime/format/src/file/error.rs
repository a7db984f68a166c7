//! Errors of texture files.

use std::io;

use thiserror::Error;

use super::FileFormat;
use crate::{TexelFormat, TextureError};

/// An error while reading or writing a texture file.
///
/// Messages continue the name of the file, which the caller puts in front.
#[derive(Debug, Error)]
pub enum FileError {
    /// The file format does not support the texel format.
    #[error("cannot store {texels} texels as {format}: use {}", formats_for(*texels))]
    UnsupportedTexels {
        /// File format.
        format: FileFormat,
        /// Texel format.
        texels: TexelFormat,
    },
    /// The texture is too large for the file format.
    #[error("has a side of {side} texels, {format} files hold at most {max_side}: use ktx2")]
    SideTooLong {
        /// File format.
        format: FileFormat,
        /// The longer side.
        side: u32,
        /// Maximum side of the file format.
        max_side: u32,
    },
    /// The manifest describes an impossible texture.
    #[error("does not match the manifest: {0}: bake the set again")]
    Texture(#[from] TextureError),
    /// The texels do not fit in memory.
    #[error("needs {bytes} bytes, which cannot be allocated: bake a smaller set")]
    NoMemory {
        /// Bytes of all texels.
        bytes: u128,
    },
    /// The file does not start as files of its format do.
    #[error("is not a {format} file: bake the set again")]
    WrongFileFormat {
        /// Expected format.
        format: FileFormat,
    },
    /// The texel format differs from the manifest.
    #[error("holds {actual}, expected {expected} from the manifest: bake the set again")]
    WrongFormat {
        /// Found texel format, as the file format names it.
        actual: String,
        /// Texel format of the manifest.
        expected: TexelFormat,
    },
    /// The size differs from the manifest.
    #[error(
        "has {} texels, expected {} from the manifest: bake the set again",
        size_text(*actual, *expected), size_text(*expected, *actual)
    )]
    WrongSize {
        /// Size of the file; one layer where the format has no layers.
        actual: [u32; 3],
        /// Size of the manifest.
        expected: [u32; 3],
    },
    /// The file is valid, but uses a feature that sets do not use.
    #[error("has {feature}, which texture sets do not support: bake the set again")]
    UnsupportedFeature {
        /// The feature.
        feature: String,
    },
    /// The file is inconsistent or truncated.
    #[error("is damaged: {reason}: bake the set again")]
    Damaged {
        /// Description of the damage.
        reason: String,
    },
    /// The file has bytes after its end.
    #[error("is damaged: expected the end of the file, found more bytes: bake the set again")]
    TrailingBytes,
    /// The system returned an error on reading.
    #[error("cannot be read: {0}")]
    Read(#[source] io::Error),
    /// The system returned an error on writing.
    #[error("cannot be written: {0}")]
    Write(#[source] io::Error),
}

impl FileError {
    /// Converts an error of a reader. An unexpected end of the file is damage.
    pub(super) fn from_read(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => Self::damaged(TRUNCATED),
            _ => Self::Read(error),
        }
    }

    pub(super) fn damaged(reason: impl Into<String>) -> Self {
        Self::Damaged {
            reason: reason.into(),
        }
    }

    pub(super) fn unsupported(feature: impl Into<String>) -> Self {
        Self::UnsupportedFeature {
            feature: feature.into(),
        }
    }
}

/// Reason of damage to a file that ends too early.
pub(super) const TRUNCATED: &str = "unexpected end of the file";

/// File formats that support a texel format: "png or ktx2".
fn formats_for(texels: TexelFormat) -> String {
    let names: Vec<&str> = FileFormat::ALL
        .into_iter()
        .filter(|format| format.can_hold(texels))
        .map(FileFormat::extension)
        .collect();
    names.join(" or ")
}

/// Size as text: "64 × 32", with the number of layers where this or the other size has several.
fn size_text([width, height, layers]: [u32; 3], [_, _, other_layers]: [u32; 3]) -> String {
    if layers == 1 && other_layers == 1 {
        format!("{width} × {height}")
    } else {
        format!("{width} × {height} × {layers}")
    }
}
