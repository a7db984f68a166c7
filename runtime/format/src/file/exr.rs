//! EXR files: one layer of floats or 32-bit words.
//!
//! Written as one part of scan lines, compressed with ZIP in blocks of 16 rows, with channels named `R`, `G`, `B` and
//! `A`. Uncompressed lines and ZIP of single lines are read too.

use std::io::{BufRead, Seek, Write};

use exr::block::reader::ChunksReader;
use exr::block::writer::ChunksWriter;
use exr::block::{UncompressedBlock, enumerate_ordered_header_block_indices};
use exr::compression::Compression;
use exr::error::Error as ExrError;
use exr::meta::BlockDescription;
use exr::meta::attribute::{ChannelDescription, LineOrder, SampleType, Text};
use exr::meta::header::{Header, LayerAttributes};
use exr::prelude::{SmallVec, Vec2};

use super::{ExpectedTexture, FileError, FileFormat, WRITER, cannot_write, check_magic};
use crate::{ChannelKind, TexelFormat, Texture};

const MAGIC: [u8; 4] = [0x76, 0x2f, 0x31, 0x01];

pub fn write(
    texture: &Texture,
    layer: u32,
    out: &mut (impl Write + Seek),
) -> Result<(), FileError> {
    let [width, height, _] = texture.size();
    let texels = texture.format();
    let header = Header::new(
        Text::default(),
        (width as usize, height as usize),
        channels(texels),
    )
    .with_encoding(
        Compression::ZIP16,
        BlockDescription::ScanLines,
        LineOrder::Increasing,
    )
    .with_attributes(LayerAttributes {
        software_name: Some(WRITER.into()),
        ..LayerAttributes::default()
    });
    let bytes = texture.layer(layer);
    let row_bytes = width as usize * texels.texel_bytes();
    let compatible = true;
    exr::block::write(
        out,
        SmallVec::from_vec(vec![header]),
        compatible,
        |meta, chunks| {
            let channels = &meta.headers[0].channels;
            let mut compressor = chunks.sequential_blocks_compressor(&meta);
            for (index, block) in enumerate_ordered_header_block_indices(&meta.headers) {
                let block = UncompressedBlock::from_lines(channels, block, |line| {
                    let row = &bytes[line.location.position.y() * row_bytes..][..row_bytes];
                    gather(texels, line.location.channel, row, line.value);
                });
                compressor.compress_block(index, block)?;
            }
            Ok(())
        },
    )
    .map_err(|error| match error {
        ExrError::Io(error) => FileError::Write(error),
        error => cannot_write(error),
    })
}

pub fn read(
    expected: &ExpectedTexture,
    input: &mut (impl BufRead + Seek),
    texels: &mut Vec<u8>,
) -> Result<(), FileError> {
    check_magic(FileFormat::Exr, &MAGIC, input)?;
    let pedantic = false;
    let reader = exr::block::read(&mut *input, pedantic).map_err(read_error)?;
    let [header] = reader.headers() else {
        return Err(FileError::unsupported("several parts"));
    };
    check_header(expected, header)?;
    expected.reserve(texels)?;
    // Pedantic from here on: rejects wrong offsets and bytes after the end.
    let pedantic = true;
    let chunks = reader.all_chunks(pedantic).map_err(read_error)?;
    let mut blocks = chunks.sequential_decompressor(pedantic);
    let [width, height, _] = expected.size().map(|side| side as usize);
    let mut next_row = 0;
    while let Some(block) = blocks.next() {
        let block = block.map_err(read_error)?;
        let index = block.index;
        if index.pixel_position != Vec2(0, next_row) || index.pixel_size.width() != width {
            return Err(FileError::damaged("rows are out of order"));
        }
        let start = texels.len();
        let rows = index.pixel_size.height();
        texels.resize(start + rows * expected.row_bytes(), 0);
        for line in block.lines(&blocks.meta_data().headers[0].channels) {
            let row = line.location.position.y() - next_row;
            let row = &mut texels[start + row * expected.row_bytes()..][..expected.row_bytes()];
            scatter(expected.format(), line.location.channel, line.value, row);
        }
        next_row += rows;
    }
    if next_row == height {
        Ok(())
    } else {
        Err(FileError::damaged(format!(
            "expected {height} rows, found {next_row}"
        )))
    }
}

fn check_header(expected: &ExpectedTexture, header: &Header) -> Result<(), FileError> {
    let Vec2(width, height) = header.layer_size;
    // Width and height have 31 bits in the file.
    expected.check_layer_size([width, height].map(|side| side as u32))?;
    let same = |(a, b): (&ChannelDescription, &ChannelDescription)| {
        (&a.name, a.sample_type, a.sampling) == (&b.name, b.sample_type, b.sampling)
    };
    let (found, required) = (&header.channels.list, channels(expected.format()));
    if found.len() != required.len() || !found.iter().zip(&required).all(same) {
        return Err(expected.wrong_format(channels_text(found)));
    }
    if header.deep {
        return Err(FileError::unsupported("deep data"));
    }
    if header.blocks != BlockDescription::ScanLines {
        return Err(FileError::unsupported("tiles"));
    }
    if header.own_attributes.layer_position != Vec2(0, 0) {
        return Err(FileError::unsupported("a data window off the origin"));
    }
    if header.line_order != LineOrder::Increasing {
        return Err(FileError::unsupported(
            "lines in decreasing or unspecified order",
        ));
    }
    match header.compression {
        Compression::Uncompressed | Compression::ZIP1 | Compression::ZIP16 => Ok(()),
        other => Err(FileError::unsupported(other.to_string())),
    }
}

/// Channels in the order of the file, which is alphabetical and the reverse of the texel's.
fn channels(texels: TexelFormat) -> SmallVec<[ChannelDescription; 5]> {
    let sample = match texels.channel_kind() {
        ChannelKind::Float16 => SampleType::F16,
        ChannelKind::Float32 => SampleType::F32,
        _ => SampleType::U32,
    };
    ["R", "G", "B", "A"][..texels.channels()]
        .iter()
        .rev()
        .map(|&name| ChannelDescription::named(name, sample))
        .collect()
}

fn channels_text(channels: &[ChannelDescription]) -> String {
    // The first few are enough for a message.
    let few = 6;
    let mut names: Vec<String> = channels
        .iter()
        .take(few)
        .map(|channel| {
            let sample = match channel.sample_type {
                SampleType::U32 => "UINT",
                SampleType::F16 => "HALF",
                SampleType::F32 => "FLOAT",
            };
            format!("{sample} '{}'", channel.name.to_string().escape_debug())
        })
        .collect();
    if channels.len() > few {
        names.push("…".to_owned());
    }
    format!("channels {}", names.join(", "))
}

/// Copies one channel from a row of texels to a line.
fn gather(texels: TexelFormat, channel: usize, row: &[u8], line: &mut [u8]) {
    let (bytes, at) = channel_bytes(texels, channel);
    let row = row.chunks_exact(texels.texel_bytes());
    for (sample, texel) in line.chunks_exact_mut(bytes).zip(row) {
        sample.copy_from_slice(&texel[at..at + bytes]);
        swap_native(sample);
    }
}

/// Copies one channel from a line to a row of texels.
fn scatter(texels: TexelFormat, channel: usize, line: &[u8], row: &mut [u8]) {
    let (bytes, at) = channel_bytes(texels, channel);
    let row = row.chunks_exact_mut(texels.texel_bytes());
    for (sample, texel) in line.chunks_exact(bytes).zip(row) {
        texel[at..at + bytes].copy_from_slice(sample);
        swap_native(&mut texel[at..at + bytes]);
    }
}

/// Number of bytes, and offset in a texel, of a channel of the file.
fn channel_bytes(texels: TexelFormat, channel: usize) -> (usize, usize) {
    let bytes = texels.channel_kind().bytes();
    (bytes, (texels.channels() - 1 - channel) * bytes)
}

/// Converts between little-endian texels and the native byte order of the library's lines.
fn swap_native(sample: &mut [u8]) {
    if cfg!(target_endian = "big") {
        sample.reverse();
    }
}

fn read_error(error: ExrError) -> FileError {
    match error {
        ExrError::Io(error) => FileError::from_read(error),
        ExrError::NotSupported(feature) => FileError::unsupported(feature),
        error => FileError::damaged(error.to_string()),
    }
}
