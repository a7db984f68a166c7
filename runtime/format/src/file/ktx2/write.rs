//! Writes KTX2 files.

use std::io::{self, Seek, SeekFrom, Write};

use super::WRITER_KEY;
use super::descriptor::descriptor;
use super::header::Header;
use crate::Texture;
use crate::file::{FileError, Supercompression, WRITER};

/// Compression level. Higher levels take at least twice the time and save 1 %.
#[cfg(feature = "zstd")]
const ZSTD_LEVEL: i32 = 3;

/// Writes all layers. `out` must be at its start.
pub fn write(
    texture: &Texture,
    supercompression: Supercompression,
    out: &mut (impl Write + Seek),
) -> Result<(), FileError> {
    write_parts(texture, supercompression, out).map_err(FileError::Write)
}

fn write_parts(
    texture: &Texture,
    supercompression: Supercompression,
    out: &mut (impl Write + Seek),
) -> io::Result<()> {
    let texels = texture.bytes();
    let keys = key_values();
    let header = Header::new(
        texture.format(),
        texture.size(),
        supercompression,
        keys.len() as u32,
        texels.len() as u64,
    );
    let mut start = header.to_bytes();
    start.extend(descriptor(texture.format()));
    start.extend(keys);
    start.resize(header.level_at as usize, 0);
    out.write_all(&start)?;
    match supercompression {
        Supercompression::None => out.write_all(texels),
        Supercompression::Zstd => {
            compress(texels, out)?;
            let end = out.stream_position()?;
            out.seek(SeekFrom::Start(Header::LEVEL_BYTES_AT))?;
            out.write_all(&(end - header.level_at).to_le_bytes())?;
            out.seek(SeekFrom::Start(end)).map(|_| ())
        }
    }
}

/// Key/value data with one pair: the writer.
fn key_values() -> Vec<u8> {
    let pair = [WRITER_KEY, WRITER.as_bytes(), b"\0"].concat();
    let mut out = (pair.len() as u32).to_le_bytes().to_vec();
    out.extend(pair);
    out.resize(out.len().next_multiple_of(4), 0);
    out
}

/// Writes one frame that states its content size and ends with a checksum.
#[cfg(feature = "zstd")]
fn compress(texels: &[u8], out: &mut impl Write) -> io::Result<()> {
    let mut encoder = zstd::Encoder::new(out, ZSTD_LEVEL)?;
    encoder.set_pledged_src_size(Some(texels.len() as u64))?;
    encoder.include_checksum(true)?;
    encoder.write_all(texels)?;
    encoder.finish().map(|_| ())
}

#[cfg(not(feature = "zstd"))]
fn compress(_: &[u8], _: &mut impl Write) -> io::Result<()> {
    Err(io::Error::new(
        io::ErrorKind::Unsupported,
        "Zstandard needs the feature 'zstd' of throng-format",
    ))
}
