//! Texture files: PNG, EXR and KTX2.
//!
//! A [`Texture`] is written to the files that [`file_names`] lists. A file that is read must match the manifest
//! ([`ExpectedTexture`]); otherwise it is rejected with a reason. Files hold data, not pictures: converting, scaling or
//! cropping them destroys the set.
//!
//! | texels | PNG | EXR | KTX2 |
//! |---|---|---|---|
//! | `rgb8-unorm` | 8-bit RGB | | `R8G8B8_UNORM` |
//! | `rgba8-unorm` | 8-bit RGBA | | `R8G8B8A8_UNORM` |
//! | `rg16-unorm` | 16-bit grey and alpha | | `R16G16_UNORM` |
//! | `rgb16-unorm` | 16-bit RGB | | `R16G16B16_UNORM` |
//! | `rgba16-unorm` | 16-bit RGBA | | `R16G16B16A16_UNORM` |
//! | `rgba16-float` | | HALF `R` `G` `B` `A` | `R16G16B16A16_SFLOAT` |
//! | `rgb32-float` | | FLOAT `R` `G` `B` | `R32G32B32_SFLOAT` |
//! | `rgba32-float` | | FLOAT `R` `G` `B` `A` | `R32G32B32A32_SFLOAT` |
//! | `r32-uint` | 8-bit RGBA, the lowest byte in R | UINT `R` | `R32_UINT` |
//!
//! Files carry no colour space, so that programs do not convert them.
//!
//! **Hostile files.** Headers are checked before texels are decoded. Memory grows with the decoded texels and stays
//! below the size in the manifest plus a few buffers of fixed size.

mod error;
mod expected;
mod exr;
mod ktx2;
mod png;

use std::fmt;
use std::io::{self, BufRead, Read, Seek, Write};
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{TexelFormat, Texture};
pub use error::FileError;
pub use expected::ExpectedTexture;

/// Name and version of the writer, for formats that store it.
const WRITER: &str = concat!("throng ", env!("CARGO_PKG_VERSION"));

/// Format of a texture file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FileFormat {
    /// One layer of integers.
    Png,
    /// One layer of floats or 32-bit words: scan lines, ZIP.
    Exr,
    /// All layers, every texel format, in the layout of a GPU upload.
    Ktx2,
}

/// Supercompression of the texels of a KTX2 file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Supercompression {
    /// None: texels can be uploaded from the file as they are.
    #[default]
    None,
    /// One Zstandard frame.
    Zstd,
}

/// An unknown name of a file format.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("unsupported texture file format '{}'; expected png, exr or ktx2", .0.escape_debug())]
pub struct UnknownFileFormat(String);

impl FileFormat {
    /// All formats.
    pub const ALL: [Self; 3] = [Self::Png, Self::Exr, Self::Ktx2];

    /// Extension of file names, without the dot.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Exr => "exr",
            Self::Ktx2 => "ktx2",
        }
    }

    /// True where the format stores such texels without loss.
    pub fn can_hold(self, texels: TexelFormat) -> bool {
        match self {
            Self::Png => !texels.is_float(),
            Self::Exr => texels.is_float() || texels == TexelFormat::R32Uint,
            Self::Ktx2 => true,
        }
    }

    /// Maximum width and height.
    fn max_side(self) -> u32 {
        match self {
            Self::Png => i32::MAX as u32,
            // A block of 16 rows of 16-byte texels counts its bytes in 31 bits.
            Self::Exr => i32::MAX as u32 / (16 * 16),
            Self::Ktx2 => u32::MAX,
        }
    }

    /// Number of a texture's layers per file.
    fn layers_per_file(self, layers: u32) -> u32 {
        match self {
            Self::Png | Self::Exr => 1,
            Self::Ktx2 => layers,
        }
    }

    /// Number of files of a texture.
    pub(crate) fn file_count(self, layers: u32) -> usize {
        (layers / self.layers_per_file(layers)) as usize
    }

    fn check(self, texels: TexelFormat, [width, height, _]: [u32; 3]) -> Result<(), FileError> {
        if !self.can_hold(texels) {
            return Err(FileError::UnsupportedTexels {
                format: self,
                texels,
            });
        }
        let side = width.max(height);
        if side > self.max_side() {
            return Err(FileError::SideTooLong {
                format: self,
                side,
                max_side: self.max_side(),
            });
        }
        Ok(())
    }
}

impl fmt::Display for FileFormat {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.extension())
    }
}

impl FromStr for FileFormat {
    type Err = UnknownFileFormat;

    fn from_str(name: &str) -> Result<Self, UnknownFileFormat> {
        Self::ALL
            .into_iter()
            .find(|format| format.extension() == name)
            .ok_or_else(|| UnknownFileFormat(name.to_owned()))
    }
}

/// File names of a texture.
///
/// KTX2 holds all layers in one file; PNG and EXR hold one layer per file. A texture of one layer is `positions.png`, one
/// of several layers is `positions.0.png`, `positions.1.png` and so on.
pub fn file_names(format: FileFormat, stem: &str, layers: u32) -> Vec<String> {
    let extension = format.extension();
    if format.layers_per_file(layers) == layers {
        return vec![format!("{stem}.{extension}")];
    }
    (0..layers)
        .map(|layer| format!("{stem}.{layer}.{extension}"))
        .collect()
}

/// Writes one of a texture's files. `file` is an index into [`file_names`].
///
/// `out` must be at its start, and should be buffered. Texels are written row by row or all at once, without a second
/// copy of them. PNG and EXR ignore `supercompression` and use their own compression.
///
/// # Panics
/// If `file` is out of range.
pub fn write(
    texture: &Texture,
    file: u32,
    format: FileFormat,
    supercompression: Supercompression,
    out: &mut (impl Write + Seek),
) -> Result<(), FileError> {
    let [_, _, layers] = texture.size();
    let files = format.file_count(layers);
    assert!(
        (file as usize) < files,
        "file {file} is out of range, the texture has {files} files"
    );
    format.check(texture.format(), texture.size())?;
    match format {
        FileFormat::Png => png::write(texture, file, out),
        FileFormat::Exr => exr::write(texture, file, out),
        FileFormat::Ktx2 => ktx2::write(texture, supercompression, out),
    }?;
    out.flush().map_err(FileError::Write)
}

/// Reads one file of a texture and appends its texels to those of the previous files.
///
/// `input` must be at its start. After the last file, `texels` can be passed to [`Texture::new`] with the expected format
/// and size. On error `texels` is unchanged.
pub fn read(
    format: FileFormat,
    expected: &ExpectedTexture,
    input: &mut (impl BufRead + Seek),
    texels: &mut Vec<u8>,
) -> Result<(), FileError> {
    format.check(expected.format(), expected.size())?;
    let before = texels.len();
    let result = match format {
        FileFormat::Png => png::read(expected, input, texels),
        FileFormat::Exr => exr::read(expected, input, texels),
        FileFormat::Ktx2 => ktx2::read(expected, input, texels),
    };
    if result.is_err() {
        texels.truncate(before);
    }
    result
}

/// Rejects a file that does not begin with the magic bytes of its format, and rewinds it.
fn check_magic(
    format: FileFormat,
    magic: &[u8],
    input: &mut (impl Read + Seek),
) -> Result<(), FileError> {
    let mut start = Vec::with_capacity(magic.len());
    let limit = magic.len() as u64;
    input
        .by_ref()
        .take(limit)
        .read_to_end(&mut start)
        .map_err(FileError::from_read)?;
    if start != magic {
        return Err(FileError::WrongFileFormat { format });
    }
    input.rewind().map_err(FileError::from_read)
}

/// Rejects bytes after the end.
fn check_end(input: &mut impl BufRead) -> Result<(), FileError> {
    let rest = input.fill_buf().map_err(FileError::from_read)?;
    if rest.is_empty() {
        Ok(())
    } else {
        Err(FileError::TrailingBytes)
    }
}

/// Converts an error of an encoder that is not an I/O error.
fn cannot_write(reason: impl fmt::Display) -> FileError {
    FileError::Write(io::Error::other(reason.to_string()))
}
