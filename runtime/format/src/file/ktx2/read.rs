//! Reads a KTX2 file, of the kind that [`super::write`] writes.

use std::io::{self, BufRead, Read, Seek, SeekFrom};

use super::descriptor::{descriptor, vk_format, vk_format_text};
use super::header::Header;
use super::{MAGIC, WRITER_KEY};
use crate::file::{Expected, FileError, FileFormat, Supercompression, check_magic};

/// More key/value data than this is not ours.
const MAX_KEYS_BYTES: u32 = 1 << 10;

/// What Zstandard allows a window to be.
const WINDOW_LOG_RANGE: (u32, u32) = (10, 27);

/// Appends the texels of all layers. `input` is at its start.
pub fn read(
    expected: &Expected,
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

/// Checks what can be said in words first, and then that nothing else differs from what we write.
fn check_header(expected: &Expected, header: &Header) -> Result<Supercompression, FileError> {
    if header.vk_format != vk_format(expected.format()) {
        return Err(expected.wrong_format(vk_format_text(header.vk_format)));
    }
    for (count, usual, what) in [
        (header.depth, 0, "slices of depth"),
        (header.faces, 1, "faces"),
        (header.levels, 1, "levels"),
    ] {
        if count != usual {
            return Err(FileError::foreign(format!("{count} {what}")));
        }
    }
    expected.check_size([header.width, header.height, header.layers.max(1)])?;
    let supercompression = match header.scheme {
        0 => Supercompression::None,
        2 => Supercompression::Zstd,
        other => {
            let what = format!("supercompression scheme {other}");
            return Err(FileError::foreign(what));
        }
    };
    if header.keys_bytes > MAX_KEYS_BYTES {
        let what = format!("{} bytes of key/value data", header.keys_bytes);
        return Err(FileError::foreign(what));
    }
    let level_bytes = match supercompression {
        Supercompression::None => expected.bytes() as u64,
        Supercompression::Zstd => header.level_bytes,
    };
    let ours = Header::new(
        expected.format(),
        expected.size(),
        supercompression,
        header.keys_bytes,
        level_bytes,
    );
    if *header == ours {
        Ok(supercompression)
    } else {
        Err(FileError::damaged("its parts are not where they belong"))
    }
}

fn check_descriptor(expected: &Expected, input: &mut impl Read) -> Result<(), FileError> {
    let ours = descriptor(expected.format());
    let mut found = vec![0; ours.len()];
    input.read_exact(&mut found).map_err(FileError::from_read)?;
    if found == ours {
        Ok(())
    } else {
        Err(FileError::foreign(
            "a data format descriptor of another kind",
        ))
    }
}

/// Other keys could turn or swizzle the texels.
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
        Err(FileError::foreign("key/value data of another kind"))
    }
}

/// The file ends with its level.
fn check_length(header: &Header, input: &mut impl Seek) -> Result<(), FileError> {
    let length = input.seek(SeekFrom::End(0)).map_err(FileError::from_read)?;
    match length.cmp(&header.level_at.saturating_add(header.level_bytes)) {
        std::cmp::Ordering::Less => Err(FileError::damaged("it ends too early")),
        std::cmp::Ordering::Equal => Ok(()),
        std::cmp::Ordering::Greater => Err(FileError::GoesOn),
    }
}

/// Appends the texels, and refuses a source that ends before.
fn append(expected: &Expected, source: impl Read, texels: &mut Vec<u8>) -> Result<(), FileError> {
    let bytes = source
        .take(expected.bytes() as u64)
        .read_to_end(texels)
        .map_err(level_error)?;
    if bytes == expected.bytes() {
        Ok(())
    } else {
        Err(FileError::damaged("its level is too short"))
    }
}

fn decompress(
    expected: &Expected,
    level: io::Take<impl BufRead>,
    texels: &mut Vec<u8>,
) -> Result<(), FileError> {
    let mut decoder = zstd::Decoder::with_buffer(level)
        .map_err(level_error)?
        .single_frame();
    // A window is never longer than the content, but for the smallest one.
    let (min, max) = WINDOW_LOG_RANGE;
    let window_log = expected.bytes().next_power_of_two().ilog2();
    decoder
        .window_log_max(window_log.clamp(min, max))
        .map_err(level_error)?;
    append(expected, &mut decoder, texels)?;
    // Nothing more may come; this is also where the checksum is looked at.
    if decoder.read(&mut [0]).map_err(level_error)? > 0 {
        return Err(FileError::damaged("its level is too long"));
    }
    match decoder.finish().limit() {
        0 => Ok(()),
        _ => Err(FileError::GoesOn),
    }
}

/// What Zstandard finds wrong has no error of the system in it.
fn level_error(error: io::Error) -> FileError {
    match error.raw_os_error() {
        Some(_) => FileError::Read(error),
        None => FileError::damaged(error.to_string()),
    }
}
