//! PNG files: one layer of integers.
//!
//! 16-bit values are big-endian in the file. A 32-bit word is stored as four 8-bit channels, its lowest byte in R, as in
//! memory. Files have no colour-space chunks.

use std::io::{BufRead, Seek, Write};

use png::{
    BitDepth, ColorType, Decoder, DecodingError, DeflateCompression, Encoder, EncodingError,
    Filter, Limits,
};

use super::{ExpectedTexture, FileError, FileFormat, cannot_write, check_end, check_magic};
use crate::{ChannelKind, TexelFormat, Texture};

const MAGIC: [u8; 8] = *b"\x89PNG\r\n\x1a\n";

/// Limit of the decoder's allocations for chunks that are not texels.
const MAX_CHUNK_BYTES: usize = 1 << 20;

/// Bytes per IDAT chunk.
const CHUNK_BYTES: usize = 1 << 16;

pub fn write(texture: &Texture, layer: u32, out: &mut impl Write) -> Result<(), FileError> {
    let [width, height, _] = texture.size();
    let (color, depth) = layout(texture.format());
    let mut encoder = Encoder::new(out, width, height);
    encoder.set_color(color);
    encoder.set_depth(depth);
    encoder.set_filter(Filter::Adaptive);
    encoder.set_deflate_compression(deflate(texture.format()));
    let mut writer = encoder.write_header().map_err(write_error)?;
    let mut stream = writer
        .stream_writer_with_size(CHUNK_BYTES)
        .map_err(write_error)?;
    let mut row = vec![0; width as usize * texture.format().texel_bytes()];
    for texels in texture.layer(layer).chunks_exact(row.len()) {
        row.copy_from_slice(texels);
        swap_wide(texture.format(), &mut row);
        stream.write_all(&row).map_err(FileError::Write)?;
    }
    stream.finish().map_err(write_error)?;
    writer.finish().map_err(write_error)
}

pub fn read(
    expected: &ExpectedTexture,
    input: &mut (impl BufRead + Seek),
    texels: &mut Vec<u8>,
) -> Result<(), FileError> {
    check_magic(FileFormat::Png, &MAGIC, input)?;
    let limits = Limits {
        bytes: MAX_CHUNK_BYTES + expected.row_bytes(),
    };
    let mut decoder = Decoder::new_with_limits(&mut *input, limits);
    decoder.set_ignore_text_chunk(true);
    decoder.set_ignore_iccp_chunk(true);
    decoder.ignore_checksums(false);
    let header = decoder.read_header_info().map_err(read_error)?;
    expected.check_layer_size([header.width, header.height])?;
    let found = (header.color_type, header.bit_depth);
    if found != layout(expected.format()) {
        return Err(expected.wrong_format(layout_text(found)));
    }
    if header.interlaced {
        return Err(FileError::unsupported("interlaced rows"));
    }
    let mut reader = decoder.read_info().map_err(read_error)?;
    if reader.info().animation_control.is_some() {
        return Err(FileError::unsupported("several frames"));
    }
    expected.reserve(texels)?;
    let [_, height, _] = expected.size();
    for _ in 0..height {
        let start = texels.len();
        texels.resize(start + expected.row_bytes(), 0);
        let row = &mut texels[start..];
        reader.read_row(row).map_err(read_error)?;
        swap_wide(expected.format(), row);
    }
    reader.finish().map_err(read_error)?;
    drop(reader);
    check_end(input)
}

/// Colour type and bit depth of a texel format that PNG can store.
fn layout(texels: TexelFormat) -> (ColorType, BitDepth) {
    match texels.channel_kind() {
        ChannelKind::Uint32 => (ColorType::Rgba, BitDepth::Eight),
        kind => {
            let color = match texels.channels() {
                2 => ColorType::GrayscaleAlpha,
                3 => ColorType::Rgb,
                _ => ColorType::Rgba,
            };
            let depth = match kind {
                ChannelKind::Unorm8 => BitDepth::Eight,
                _ => BitDepth::Sixteen,
            };
            (color, depth)
        }
    }
}

fn layout_text((color, depth): (ColorType, BitDepth)) -> String {
    let color = match color {
        ColorType::Grayscale => "grey",
        ColorType::Rgb => "RGB",
        ColorType::Indexed => "indexed colours",
        ColorType::GrayscaleAlpha => "grey and alpha",
        ColorType::Rgba => "RGBA",
    };
    format!("{}-bit {color}", depth as u8)
}

/// Compression level. The default level is 10 to 20 times slower and saves at most a tenth of the bytes.
fn deflate(texels: TexelFormat) -> DeflateCompression {
    match texels.channel_kind() {
        ChannelKind::Unorm8 => DeflateCompression::FdeflateUltraFast,
        // The fastest mode expands noise, and the low bytes of 16-bit values are noise.
        _ => DeflateCompression::Level(1),
    }
}

/// Swaps the bytes of 16-bit values between little-endian and big-endian.
fn swap_wide(texels: TexelFormat, row: &mut [u8]) {
    if texels.channel_kind() == ChannelKind::Unorm16 {
        for value in row.chunks_exact_mut(2) {
            value.swap(0, 1);
        }
    }
}

fn write_error(error: EncodingError) -> FileError {
    match error {
        EncodingError::IoError(error) => FileError::Write(error),
        error => cannot_write(error),
    }
}

fn read_error(error: DecodingError) -> FileError {
    match error {
        DecodingError::IoError(error) => FileError::from_read(error),
        error => FileError::damaged(error.to_string()),
    }
}
