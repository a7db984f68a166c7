//! Texture files: PNG, EXR and KTX2, written and read back.
//!
//! A [`Texture`] goes out to the files that [`file_names`] lists. A file comes in against what the manifest
//! promises of it ([`Expected`]), and what differs is refused with a reason: files here carry numbers, not
//! pictures, and a program that converted, scaled or cropped them has spoilt them.
//!
//! | texels | PNG | EXR | KTX2 |
//! |---|---|---|---|
//! | `rgb8-unorm` | 8-bit RGB | | `R8G8B8_UNORM` |
//! | `rgba8-unorm` | 8-bit RGBA | | `R8G8B8A8_UNORM` |
//! | `rg16-unorm` | 16-bit grey and alpha | | `R16G16_UNORM` |
//! | `rgba16-unorm` | 16-bit RGBA | | `R16G16B16A16_UNORM` |
//! | `rgba16-float` | | HALF `R` `G` `B` `A` | `R16G16B16A16_SFLOAT` |
//! | `rgba32-float` | | FLOAT `R` `G` `B` `A` | `R32G32B32A32_SFLOAT` |
//! | `r32-uint` | 8-bit RGBA, the lowest byte in R | UINT `R` | `R32_UINT` |
//!
//! No file says how its numbers look as colours: nothing should convert them.
//!
//! **Hostile files.** Headers are checked before anything is decoded. Memory grows with what has been decoded,
//! never past what the manifest promises and a few buffers of a fixed size.

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
pub use expected::Expected;

/// What wrote a file, where the format has a place for it.
const WRITER: &str = concat!("throng ", env!("CARGO_PKG_VERSION"));

/// A kind of texture file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FileFormat {
    /// One layer of integers.
    Png,
    /// One layer of floats or words: scan lines, ZIP.
    Exr,
    /// All layers, every format of texel, as a GPU takes them.
    Ktx2,
}

/// What is done to the texels of a KTX2 file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Supercompression {
    /// Nothing: they can be handed to a GPU as they lie in the file.
    #[default]
    None,
    /// One Zstandard frame.
    Zstd,
}

/// No file format has this name.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("no texture file format is called '{}': choose png, exr or ktx2", .0.escape_debug())]
pub struct UnknownFileFormat(String);

impl FileFormat {
    /// All there are.
    pub const ALL: [Self; 3] = [Self::Png, Self::Exr, Self::Ktx2];

    /// The ending of a file's name, without the dot.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Exr => "exr",
            Self::Ktx2 => "ktx2",
        }
    }

    /// Whether texels survive being written and read.
    pub fn can_hold(self, texels: TexelFormat) -> bool {
        use TexelFormat::{R32Uint, Rgba16Float, Rgba32Float};
        match self {
            Self::Png => !matches!(texels, Rgba16Float | Rgba32Float),
            Self::Exr => matches!(texels, Rgba16Float | Rgba32Float | R32Uint),
            Self::Ktx2 => true,
        }
    }

    /// The longest side that fits.
    fn max_side(self) -> u32 {
        match self {
            Self::Png => i32::MAX as u32,
            // A block of 16 rows of 16-byte texels counts its bytes in 31 bits.
            Self::Exr => i32::MAX as u32 / (16 * 16),
            Self::Ktx2 => u32::MAX,
        }
    }

    /// How many of a texture's layers are in one file.
    fn layers_a_file(self, layers: u32) -> u32 {
        match self {
            Self::Png | Self::Exr => 1,
            Self::Ktx2 => layers,
        }
    }

    fn check(self, texels: TexelFormat, [width, height, _]: [u32; 3]) -> Result<(), FileError> {
        if !self.can_hold(texels) {
            return Err(FileError::CannotHold {
                format: self,
                texels,
            });
        }
        let side = width.max(height);
        if side > self.max_side() {
            return Err(FileError::TooLong {
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

/// The names of the files that a texture takes.
///
/// KTX2 holds all layers in one file, and PNG and EXR one layer: `positions.png` of one layer,
/// `positions.0.png`, `positions.1.png` and so on of several.
pub fn file_names(format: FileFormat, stem: &str, layers: u32) -> Vec<String> {
    let extension = format.extension();
    if format.layers_a_file(layers) == layers {
        return vec![format!("{stem}.{extension}")];
    }
    (0..layers)
        .map(|layer| format!("{stem}.{layer}.{extension}"))
        .collect()
}

/// Writes one of a texture's files: `file` counts the names of [`file_names`].
///
/// `out` is at its start, and best buffered. Texels go out row by row or as they lie; no second copy of them is
/// made. PNG and EXR compress in their own way, whatever `supercompression` says.
///
/// # Panics
/// Where the texture has no such file.
pub fn write(
    texture: &Texture,
    file: u32,
    format: FileFormat,
    supercompression: Supercompression,
    out: &mut (impl Write + Seek),
) -> Result<(), FileError> {
    let [_, _, layers] = texture.size();
    let files = layers / format.layers_a_file(layers);
    assert!(file < files, "file {file} of a texture of {files} files");
    format.check(texture.format(), texture.size())?;
    match format {
        FileFormat::Png => png::write(texture, file, out),
        FileFormat::Exr => exr::write(texture, file, out),
        FileFormat::Ktx2 => ktx2::write(texture, supercompression, out),
    }?;
    out.flush().map_err(FileError::Write)
}

/// Reads one file of a texture and appends its texels to those of the files before it.
///
/// `input` is at its start. After the last file the texels are those of [`Texture::new`], with the format and
/// size that were expected. An error leaves `texels` as it was.
pub fn read(
    format: FileFormat,
    expected: &Expected,
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

/// Refuses a file that does not begin as its format does, and goes back to the start.
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
        return Err(FileError::NotThisFormat { format });
    }
    input.rewind().map_err(FileError::from_read)
}

/// Refuses bytes after the end.
fn check_end(input: &mut impl BufRead) -> Result<(), FileError> {
    let rest = input.fill_buf().map_err(FileError::from_read)?;
    if rest.is_empty() {
        Ok(())
    } else {
        Err(FileError::GoesOn)
    }
}

/// What a library says as it writes, where it is not the writer's own error.
fn cannot_write(reason: impl fmt::Display) -> FileError {
    FileError::Write(io::Error::other(reason.to_string()))
}
