//! Why a texture file was not written or is not taken.

use std::io;

use thiserror::Error;

use super::FileFormat;
use crate::{TexelFormat, TextureError};

/// Why a texture file was not written or is not taken.
///
/// The message is said of the file: put its name before it.
#[derive(Debug, Error)]
pub enum FileError {
    /// The file format has no such texels.
    #[error("cannot hold {texels} texels as {format}: choose {}", formats_for(*texels))]
    CannotHold {
        /// Of the file.
        format: FileFormat,
        /// Of the texture.
        texels: TexelFormat,
    },
    /// The file format has no such size.
    #[error("cannot hold {side} texels on a side, {format} holds {max_side}: choose ktx2")]
    TooLong {
        /// Of the file.
        format: FileFormat,
        /// The longer side.
        side: u32,
        /// What fits.
        max_side: u32,
    },
    /// The manifest promises a texture that cannot be.
    #[error("cannot be what the manifest says: {0}: bake the set again")]
    Texture(#[from] TextureError),
    /// The texels do not fit in memory.
    #[error("takes {bytes} bytes, more than there is memory: bake a smaller set")]
    NoMemory {
        /// Of all texels.
        bytes: u128,
    },
    /// Something else has the file's name.
    #[error("is not a {format} file: bake the set again")]
    NotThisFormat {
        /// What it should be.
        format: FileFormat,
    },
    /// The texels are of another format.
    #[error("holds {actual}, the manifest says {expected}: bake the set again")]
    WrongFormat {
        /// In the file format's own words.
        actual: String,
        /// What the manifest says.
        expected: TexelFormat,
    },
    /// The texels are more or fewer, or lie otherwise.
    #[error(
        "is {} texels, the manifest says {}: bake the set again",
        size_text(*actual, *expected), size_text(*expected, *actual)
    )]
    WrongSize {
        /// Of the file; one layer where the format has no layers.
        actual: [u32; 3],
        /// What the manifest says.
        expected: [u32; 3],
    },
    /// The file may be in order, but sets are not written like this.
    #[error("has {what}, as no set is written: bake the set again")]
    Foreign {
        /// What it has.
        what: String,
    },
    /// The file contradicts itself or is cut short.
    #[error("is damaged: {reason}: bake the set again")]
    Damaged {
        /// What is wrong.
        reason: String,
    },
    /// There are bytes after the end.
    #[error("goes on after its end: bake the set again")]
    GoesOn,
    /// The system refused to read.
    #[error("cannot be read: {0}")]
    Read(#[source] io::Error),
    /// The system refused to write.
    #[error("cannot be written: {0}")]
    Write(#[source] io::Error),
}

impl FileError {
    /// An error from reading: what a file lacks is damage.
    pub(super) fn from_read(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => Self::damaged("it ends too early"),
            _ => Self::Read(error),
        }
    }

    pub(super) fn damaged(reason: impl Into<String>) -> Self {
        Self::Damaged {
            reason: reason.into(),
        }
    }

    pub(super) fn foreign(what: impl Into<String>) -> Self {
        Self::Foreign { what: what.into() }
    }
}

/// The formats that hold such texels: "png or ktx2".
fn formats_for(texels: TexelFormat) -> String {
    let names: Vec<&str> = FileFormat::ALL
        .into_iter()
        .filter(|format| format.can_hold(texels))
        .map(FileFormat::extension)
        .collect();
    names.join(" or ")
}

/// "64 × 32", and the layers where this or the other has several.
fn size_text([width, height, layers]: [u32; 3], [_, _, other_layers]: [u32; 3]) -> String {
    if layers == 1 && other_layers == 1 {
        format!("{width} × {height}")
    } else {
        format!("{width} × {height} × {layers}")
    }
}
