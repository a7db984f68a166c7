//! Metadata in the first column of a texture, so that one shader serves every set: [`crate::Metadata::Column`].
//!
//! The first column of the first texture holds float32 values from row 1 on, rows counted across layers; row 0 holds the
//! calibration strip. A texel holds one value: byte `i` of the four, lowest first, is in channel `i`. In 8-bit channels
//! the byte is the channel itself, in 16-bit channels it is the level 0 to 255 of 65 535, in float channels the value 0
//! to 255.
//!
//! | value | meaning |
//! |---|---|
//! | 0 | 3, also in sets of version 4, whose texels are the same |
//! | 1 | encoding: index from 0 into vertex, vertex-ray, bone-matrix, bone-dq, bone-qt, virtual-bones, bone-local |
//! | 2 | precision: index into unorm8, unorm16, f16, f32 |
//! | 3 | number of frames of all clips |
//! | 4 | number of clips `c` |
//! | 5 | number of values in all ranges |
//! | 6 … 6 + 5c | for each clip: first frame, number of frames, frames per second, duration in seconds, 1 if it wraps and 0 if not |
//! | then | for each range: all centres, then all half extents; positions first, then scales, then morph weights |
//!
//! Where the frames have fewer rows than there are values, the texture has further rows for them.

use std::borrow::Cow;

use crate::decode_params::{ClipTiming, DecodeParams};
use crate::{
    ChannelKind, Channels, Encoding, Manifest, Precision, Range, Texture, VERSION, write_channel,
};
use throng_rig::LoopPolicy;

const HEAD: usize = 6;
const PER_CLIP: usize = 5;

/// Row of the first value.
pub const FIRST_ROW: u32 = 1;

/// Number of values in the column.
pub fn value_count<'r>(clips: usize, ranges: impl Iterator<Item = &'r Range>) -> usize {
    HEAD + PER_CLIP * clips + range_numbers(ranges)
}

fn range_numbers<'r>(ranges: impl Iterator<Item = &'r Range>) -> usize {
    ranges.map(|range| 2 * range.center.len()).sum()
}

/// All values of the column.
pub fn values(manifest: &Manifest) -> Vec<f32> {
    let params = DecodeParams::of_manifest(manifest);
    let index = |found: Option<usize>| found.unwrap_or(usize::MAX) as f32;
    let encoding = Encoding::ALL.iter().position(|e| *e == manifest.encoding);
    let precision = Precision::ALL
        .iter()
        .position(|p| Some(*p) == manifest.precision);
    let frames: u64 = params.clips.iter().map(|c| u64::from(c.frames)).sum();
    let mut out = vec![
        VERSION as f32,
        index(encoding),
        index(precision),
        frames as f32,
        params.clips.len() as f32,
        range_numbers(params.all_ranges()) as f32,
    ];
    for clip in &params.clips {
        out.extend([
            clip.first_frame as f32,
            clip.frames as f32,
            clip.rate_hz as f32,
            clip.duration_secs as f32,
            f32::from(u8::from(clip.looping == LoopPolicy::Wrap)),
        ]);
    }
    for range in params.all_ranges() {
        out.extend(range.center.iter().map(|&x| x as f32));
        out.extend(range.half_extent.iter().map(|&x| x as f32));
    }
    out
}

/// Clip times and ranges from the column's values. Their counts are those of the manifest.
pub(crate) fn params_from_values<'s>(
    values: &[f32],
    mut from_manifest: DecodeParams<'s>,
) -> DecodeParams<'s> {
    let mut rest = values[HEAD..].iter().copied();
    let mut next = || f64::from(rest.next().unwrap_or_default());
    for clip in &mut from_manifest.clips {
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
    let mut range = |from_manifest: &Range| {
        let mut run = || from_manifest.center.iter().map(|_| next()).collect();
        Range {
            center: run(),
            half_extent: run(),
        }
    };
    from_manifest.ranges = Cow::Owned(from_manifest.ranges.iter().map(&mut range).collect());
    from_manifest.scale_range = from_manifest
        .scale_range
        .map(|from_manifest| Cow::Owned(range(&from_manifest)));
    from_manifest.morph_range = from_manifest
        .morph_range
        .map(|from_manifest| Cow::Owned(range(&from_manifest)));
    from_manifest
}

/// Writes values into the first column.
///
/// # Panics
/// If the texture has too few rows or channels.
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

/// Reads `count` values from the first column; zeros past the end of the texture.
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

/// Factor from the value of a channel to the byte that it holds.
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
    fn values_round_trip_in_every_format() {
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
    fn value_is_four_bytes_lowest_first() {
        let mut texture = Texture::zeroed(TexelFormat::Rgba8Unorm, [2, 3, 1]).unwrap();
        write(&mut texture, &[1.0]); // 0x3f800000
        assert_eq!(texture.texel(2), [0, 0, 0x80, 0x3f]);
        let mut texture = Texture::zeroed(TexelFormat::Rgba16Unorm, [2, 3, 1]).unwrap();
        write(&mut texture, &[1.0]);
        assert_eq!(texture.texel(2), [0, 0, 0, 0, 0x80, 0, 0x3f, 0]);
    }
}
