//! Reads KTX2 files of the form that [`super::write`] writes.

use std::io::{self, BufRead, Read, Seek, SeekFrom};

use super::descriptor::{descriptor, vk_format, vk_format_text};
use super::header::Header;
use super::{MAGIC, WRITER_KEY};
use crate::file::error::TRUNCATED;
use crate::file::{ExpectedTexture, FileError, FileFormat, Supercompression, check_magic};

/// Maximum size of the key/value data.
const MAX_KEYS_BYTES: u32 = 1 << 10;

/// Window sizes that Zstandard allows, as base-2 logarithms.
#[cfg(feature = "zstd")]
const WINDOW_LOG_RANGE: (u32, u32) = (10, 27);

/// Appends the texels of all layers. `input` must be at its start.
pub fn read(
    expected: &ExpectedTexture,
    input: &mut (impl BufRead + Seek),
    texels: &mut Vec<u8>,
) -> Result<(), FileError> {
    check_magic(FileFormat::Ktx2, &MAGIC, input)?;
    let mut bytes = [0; Header::BYTES];
    input.read_exact(&mut bytes).map_err(FileError::from_read)?;
    let header = Header::from_bytes(&bytes);
    let supercompression = check_header(expected, &header)?;
    check_descriptor(expected, input)?;
    check_keys(&header, input)?;
    check_length(&header, input)?;
    expected.reserve(texels)?;
    input
        .seek(SeekFrom::Start(header.level_at))
        .map_err(FileError::from_read)?;
    let level = input.take(header.level_bytes);
    match supercompression {
        Supercompression::None => append(expected, level, texels),
        Supercompression::Zstd => decompress(expected, level, texels),
    }
}

/// Checks the fields that have specific messages first, then that all others are as [`super::write`] writes them.
fn check_header(
    expected: &ExpectedTexture,
    header: &Header,
) -> Result<Supercompression, FileError> {
    if header.vk_format != vk_format(expected.format()) {
        return Err(expected.wrong_format(vk_format_text(header.vk_format)));
    }
    for (count, required, what) in [
        (header.depth, 0, "slices of depth"),
        (header.faces, 1, "faces"),
        (header.levels, 1, "levels"),
    ] {
        if count != required {
            return Err(FileError::unsupported(format!("{count} {what}")));
        }
    }
    expected.check_size([header.width, header.height, header.layers.max(1)])?;
    let supercompression = match header.scheme {
        0 => Supercompression::None,
        2 => Supercompression::Zstd,
        other => {
            let feature = format!("supercompression scheme {other}");
            return Err(FileError::unsupported(feature));
        }
    };
    if header.keys_bytes > MAX_KEYS_BYTES {
        let feature = format!("{} bytes of key/value data", header.keys_bytes);
        return Err(FileError::unsupported(feature));
    }
    let level_bytes = match supercompression {
        Supercompression::None => expected.bytes() as u64,
        Supercompression::Zstd => header.level_bytes,
    };
    let required = Header::new(
        expected.format(),
        expected.size(),
        supercompression,
        header.keys_bytes,
        level_bytes,
    );
    if *header == required {
        Ok(supercompression)
    } else {
        Err(FileError::damaged(
            "offsets or lengths in the header are wrong",
        ))
    }
}

fn check_descriptor(expected: &ExpectedTexture, input: &mut impl Read) -> Result<(), FileError> {
    let required = descriptor(expected.format());
    let mut found = vec![0; required.len()];
    input.read_exact(&mut found).map_err(FileError::from_read)?;
    if found == required {
        Ok(())
    } else {
        Err(FileError::unsupported("another data format descriptor"))
    }
}

/// Checks that the writer is the only key: other keys could reorient or swizzle the texels.
fn check_keys(header: &Header, input: &mut impl Read) -> Result<(), FileError> {
    let mut found = vec![0; header.keys_bytes as usize];
    input.read_exact(&mut found).map_err(FileError::from_read)?;
    let one_pair = found.split_first_chunk().is_some_and(|(bytes, pair)| {
        let bytes = u32::from_le_bytes(*bytes) as usize;
        bytes.checked_next_multiple_of(4) == Some(pair.len()) && pair.starts_with(WRITER_KEY)
    });
    if one_pair {
        Ok(())
    } else {
        Err(FileError::unsupported("other key/value data"))
    }
}

/// Checks that the file ends with its level.
fn check_length(header: &Header, input: &mut impl Seek) -> Result<(), FileError> {
    let length = input.seek(SeekFrom::End(0)).map_err(FileError::from_read)?;
    match length.cmp(&header.level_at.saturating_add(header.level_bytes)) {
        std::cmp::Ordering::Less => Err(FileError::damaged(TRUNCATED)),
        std::cmp::Ordering::Equal => Ok(()),
        std::cmp::Ordering::Greater => Err(FileError::TrailingBytes),
    }
}

/// Appends the texels. Errors where the source has fewer.
fn append(
    expected: &ExpectedTexture,
    source: impl Read,
    texels: &mut Vec<u8>,
) -> Result<(), FileError> {
    let bytes = source
        .take(expected.bytes() as u64)
        .read_to_end(texels)
        .map_err(level_error)?;
    if bytes == expected.bytes() {
        Ok(())
    } else {
        Err(FileError::damaged(format!(
            "expected a level of {} bytes, found {bytes}",
            expected.bytes()
        )))
    }
}

#[cfg(feature = "zstd")]
fn decompress(
    expected: &ExpectedTexture,
    level: io::Take<impl BufRead>,
    texels: &mut Vec<u8>,
) -> Result<(), FileError> {
    let mut decoder = zstd::Decoder::with_buffer(level)
        .map_err(level_error)?
        .single_frame();
    // A window is never longer than the content, except for the smallest window.
    let (min, max) = WINDOW_LOG_RANGE;
    let window_log = expected.bytes().next_power_of_two().ilog2();
    decoder
        .window_log_max(window_log.clamp(min, max))
        .map_err(level_error)?;
    append(expected, &mut decoder, texels)?;
    // The frame must end here. This read also verifies the checksum.
    if decoder.read(&mut [0]).map_err(level_error)? > 0 {
        return Err(FileError::damaged(format!(
            "expected a level of {} bytes, found more",
            expected.bytes()
        )));
    }
    match decoder.finish().limit() {
        0 => Ok(()),
        _ => Err(FileError::TrailingBytes),
    }
}

#[cfg(not(feature = "zstd"))]
fn decompress(
    _: &ExpectedTexture,
    _: io::Take<impl BufRead>,
    _: &mut Vec<u8>,
) -> Result<(), FileError> {
    Err(FileError::Read(io::Error::new(
        io::ErrorKind::Unsupported,
        "Zstandard needs the feature 'zstd' of throng-format",
    )))
}

/// Converts an error of the decoder. Errors of Zstandard have no code of the system.
fn level_error(error: io::Error) -> FileError {
    match error.raw_os_error() {
        Some(_) => FileError::Read(error),
        None => FileError::damaged(error.to_string()),
    }
}
