//! Metadata in a texture, so that one shader serves every set: [`crate::Metadata::Column`].
//!
//! The first column of the first texture holds float32 numbers from row 1 on, rows counted through all
//! layers; row 0 belongs to the calibration strip. A texel holds one number: byte `i` of the four,
//! lowest first, is in channel `i`. In 8-bit channels the byte is the channel itself, in 16-bit ones it
//! is the level 0 to 255 of 65 535, in floats the number 0 to 255.
//!
//! | number | what |
//! |---|---|
//! | 0 | version of the format |
//! | 1 | encoding: its place, from 0, among vertex, vertex-ray, bone-matrix, bone-dq, bone-qt, virtual-bones, bone-local |
//! | 2 | precision: its place among unorm8, unorm16, f16, f32 |
//! | 3 | frames of all clips |
//! | 4 | clips `c` |
//! | 5 | numbers in all ranges |
//! | 6 … 6 + 5c | for each clip: first frame, frames, frames a second, seconds, 1 if it wraps and 0 if not |
//! | then | each range: all its centres, then all its half extents; positions first, then scales, then morphs |
//!
//! Where frames have fewer rows than there are numbers, rows follow that hold nothing else.

use std::borrow::Cow;

use crate::numbers::{ClipTiming, Numbers};
use crate::{ChannelKind, Channels, Encoding, Manifest, Precision, Range, Texture, write_channel};
use throng_rig::LoopPolicy;

const HEAD: usize = 6;
const PER_CLIP: usize = 5;

/// The row of the first number.
pub const FIRST_ROW: u32 = 1;

/// How many numbers the column holds.
pub fn value_count<'r>(clips: usize, ranges: impl Iterator<Item = &'r Range>) -> usize {
    HEAD + PER_CLIP * clips + range_numbers(ranges)
}

fn range_numbers<'r>(ranges: impl Iterator<Item = &'r Range>) -> usize {
    ranges.map(|range| 2 * range.center.len()).sum()
}

/// All numbers of the column.
pub fn values(manifest: &Manifest) -> Vec<f32> {
    let numbers = Numbers::of_manifest(manifest);
    let place = |found: Option<usize>| found.unwrap_or(usize::MAX) as f32;
    let encoding = Encoding::ALL.iter().position(|e| *e == manifest.encoding);
    let precision = Precision::ALL
        .iter()
        .position(|p| Some(*p) == manifest.precision);
    let frames: u64 = numbers.clips.iter().map(|c| u64::from(c.frames)).sum();
    let mut out = vec![
        manifest.version as f32,
        place(encoding),
        place(precision),
        frames as f32,
        numbers.clips.len() as f32,
        range_numbers(numbers.all_ranges()) as f32,
    ];
    for clip in &numbers.clips {
        out.extend([
            clip.first_frame as f32,
            clip.frames as f32,
            clip.rate_hz as f32,
            clip.duration_secs as f32,
            f32::from(u8::from(clip.looping == LoopPolicy::Wrap)),
        ]);
    }
    for range in numbers.all_ranges() {
        out.extend(range.center.iter().map(|&x| x as f32));
        out.extend(range.half_extent.iter().map(|&x| x as f32));
    }
    out
}

/// Times and ranges out of the column's numbers; there are as many as in the manifest's.
pub(crate) fn numbers_from_values<'s>(values: &[f32], mut told: Numbers<'s>) -> Numbers<'s> {
    let mut rest = values[HEAD..].iter().copied();
    let mut next = || f64::from(rest.next().unwrap_or_default());
    for clip in &mut told.clips {
        *clip = ClipTiming {
            first_frame: next() as u32,
            frames: next() as u32,
            rate_hz: next(),
            duration_secs: next(),
            looping: match next() {
                0.0 => LoopPolicy::Once,
                _ => LoopPolicy::Wrap,
            },
        };
    }
    let mut range = |told: &Range| {
        let mut run = || told.center.iter().map(|_| next()).collect();
        Range {
            center: run(),
            half_extent: run(),
        }
    };
    told.ranges = Cow::Owned(told.ranges.iter().map(&mut range).collect());
    told.scale_range = told.scale_range.map(|told| Cow::Owned(range(&told)));
    told.morph_range = told.morph_range.map(|told| Cow::Owned(range(&told)));
    told
}

/// Writes numbers into the first column.
///
/// # Panics
/// Where the texture has too few rows or channels.
pub fn write(texture: &mut Texture, values: &[f32]) {
    let format = texture.format();
    let (kind, width) = (format.channel_kind(), texture.size()[0] as usize);
    let full = full_level(kind);
    for (row, value) in values.iter().enumerate() {
        let texel = (FIRST_ROW as usize + row) * width * format.texel_bytes();
        let channels = texture.bytes_mut()[texel..].chunks_exact_mut(kind.bytes());
        for (channel, byte) in channels.zip(value.to_le_bytes()) {
            write_channel(channel, kind, f64::from(byte) / full);
        }
    }
}

/// Reads so many numbers out of the first column; zeros past the texture's end.
pub fn read(texture: &Texture, count: usize) -> Vec<f32> {
    let channels = Channels::of(texture);
    let width = texture.size()[0] as usize;
    let full = full_level(texture.format().channel_kind());
    let value = |row: usize| {
        let texel = (FIRST_ROW as usize + row) * width;
        if texel >= texture.texel_count() || texture.format().channels() < 4 {
            return 0.0;
        }
        let byte = |channel| (channels.get(texel, channel) * full).round() as u8;
        f32::from_le_bytes([byte(0), byte(1), byte(2), byte(3)])
    };
    (0..count).map(value).collect()
}

/// What a channel reads as, times this, is the byte.
fn full_level(kind: ChannelKind) -> f64 {
    match kind {
        ChannelKind::Unorm8 => 255.0,
        ChannelKind::Unorm16 => 65535.0,
        ChannelKind::Float16 | ChannelKind::Float32 | ChannelKind::Uint32 => 1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TexelFormat;

    #[test]
    fn numbers_come_back_in_every_format() {
        let values = [1.0, -0.1, f32::MAX, 1e-40, 16_777_215.0, 0.0];
        for format in [
            TexelFormat::Rgba8Unorm,
            TexelFormat::Rgba16Unorm,
            TexelFormat::Rgba16Float,
            TexelFormat::Rgba32Float,
        ] {
            let mut texture = Texture::zeroed(format, [3, 4, 2]).unwrap();
            write(&mut texture, &values);
            assert_eq!(read(&texture, values.len()), values, "{format:?}");
            assert_eq!(read(&texture, 9)[7..], [0.0, 0.0]);
        }
    }

    #[test]
    fn a_number_is_four_bytes_lowest_first() {
        let mut texture = Texture::zeroed(TexelFormat::Rgba8Unorm, [2, 3, 1]).unwrap();
        write(&mut texture, &[1.0]); // 0x3f800000
        assert_eq!(texture.texel(2), [0, 0, 0x80, 0x3f]);
        let mut texture = Texture::zeroed(TexelFormat::Rgba16Unorm, [2, 3, 1]).unwrap();
        write(&mut texture, &[1.0]);
        assert_eq!(texture.texel(2), [0, 0, 0, 0, 0x80, 0, 0x3f, 0]);
    }
}
