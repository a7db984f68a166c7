//! Vertex attributes, mode `ATTRIBUTES`, version 0: each byte of a vertex as its difference from the vertex before.

use super::MeshoptError;
use super::bytes::{Cursor, after_header};

/// Largest number of bytes per vertex.
pub const MAX_STRIDE: usize = 256;

/// First byte of a stream.
const HEADER: u8 = 0xa0;
/// Bytes that share a width.
const GROUP: usize = 16;
/// Smallest number of bytes after the last block; the first vertex is at their end.
const MIN_TAIL_BYTES: usize = 32;

/// Widths of the bytes of a group, in bits. A group of width 0 is all zeros.
const WIDTHS: [usize; 4] = [0, 2, 4, 8];

/// Vertices per block.
fn block_vertices(stride: usize) -> usize {
    ((8192 / stride) & !(GROUP - 1)).min(256)
}

fn check_stride(stride: usize) -> Result<(), MeshoptError> {
    if stride == 0 || stride > MAX_STRIDE || !stride.is_multiple_of(4) {
        return Err(MeshoptError::Stride { stride });
    }
    Ok(())
}

/// Encodes vertices of `stride` bytes each: at least one, without a remainder.
pub fn encode_vertices(bytes: &[u8], stride: usize) -> Result<Vec<u8>, MeshoptError> {
    check_stride(stride)?;
    let (Some(first), true) = (bytes.get(..stride), bytes.len().is_multiple_of(stride)) else {
        return Err(MeshoptError::Truncated);
    };
    let mut out = vec![HEADER];
    let mut last = first;
    for block in bytes.chunks(block_vertices(stride) * stride) {
        for (lane, &last) in last.iter().enumerate() {
            encode_lane(block, lane, stride, last, &mut out);
        }
        last = &block[block.len() - stride..];
    }
    out.resize(out.len() + MIN_TAIL_BYTES.saturating_sub(stride), 0);
    out.extend(first);
    Ok(out)
}

/// Encodes one byte of all vertices of a block.
fn encode_lane(block: &[u8], lane: usize, stride: usize, mut last: u8, out: &mut Vec<u8>) {
    let mut deltas = [0; 256];
    let mut count = 0;
    for vertex in block.chunks_exact(stride) {
        let delta = vertex[lane].wrapping_sub(last);
        deltas[count] = (delta << 1) ^ ((delta as i8 >> 7) as u8);
        last = vertex[lane];
        count += 1;
    }
    let groups = count.div_ceil(GROUP);
    let header = out.len();
    out.resize(header + groups.div_ceil(4), 0);
    let (chunks, _) = deltas.as_chunks::<GROUP>();
    for (index, group) in chunks[..groups].iter().enumerate() {
        let code = (0..WIDTHS.len())
            .min_by_key(|&code| group_bytes(group, WIDTHS[code]))
            .unwrap_or_default();
        out[header + index / 4] |= (code as u8) << (2 * (index % 4));
        encode_group(group, WIDTHS[code], out);
    }
}

/// Largest value of a width: that value or a larger one follows the group in a byte of its own.
fn sentinel(width: usize) -> u8 {
    ((1_u16 << width) - 1) as u8
}

fn group_bytes(group: &[u8; GROUP], width: usize) -> usize {
    match width {
        0 if group.iter().any(|&byte| byte != 0) => usize::MAX,
        0 => 0,
        8 => GROUP,
        _ => {
            2 * width
                + group
                    .iter()
                    .filter(|&&byte| byte >= sentinel(width))
                    .count()
        }
    }
}

fn encode_group(group: &[u8; GROUP], width: usize, out: &mut Vec<u8>) {
    match width {
        0 => {}
        8 => out.extend(group),
        _ => {
            let sentinel = sentinel(width);
            for packed in group.chunks_exact(8 / width) {
                let pack = |byte: u8, &value: &u8| (byte << width) | value.min(sentinel);
                out.push(packed.iter().fold(0, pack));
            }
            out.extend(group.iter().filter(|&&value| value >= sentinel));
        }
    }
}

/// Decodes `count` vertices of `stride` bytes each.
pub fn decode_vertices(
    stream: &[u8],
    count: usize,
    stride: usize,
) -> Result<Vec<u8>, MeshoptError> {
    check_stride(stride)?;
    let stream = after_header(stream, HEADER)?;
    let end = stream.len().checked_sub(stride.max(MIN_TAIL_BYTES));
    let end = end.ok_or(MeshoptError::Truncated)?;
    // A byte holds the widths of 4 groups, so that a stream has at least 1/64 of the vertices.
    if count.div_ceil(4 * GROUP).saturating_mul(stride) > end {
        return Err(MeshoptError::Truncated);
    }
    let mut last = stream[stream.len() - stride..].to_vec();
    let mut data = Cursor::new(&stream[..end]);
    let mut out = vec![0; count * stride];
    for block in out.chunks_mut(block_vertices(stride) * stride) {
        for (lane, last) in last.iter_mut().enumerate() {
            *last = decode_lane(block, lane, stride, *last, &mut data)?;
        }
    }
    data.finish()?;
    Ok(out)
}

/// Decodes one byte of all vertices of a block. Returns that of the last vertex.
fn decode_lane(
    block: &mut [u8],
    lane: usize,
    stride: usize,
    mut last: u8,
    data: &mut Cursor<'_>,
) -> Result<u8, MeshoptError> {
    let count = block.len() / stride;
    let groups = count.div_ceil(GROUP);
    let widths = data.take(groups.div_ceil(4))?;
    for (index, vertices) in block.chunks_mut(GROUP * stride).enumerate() {
        let code = (widths[index / 4] >> (2 * (index % 4))) & 3;
        let group = decode_group(WIDTHS[usize::from(code)], data)?;
        for (vertex, delta) in vertices.chunks_exact_mut(stride).zip(group) {
            last = last.wrapping_add((delta >> 1) ^ 0_u8.wrapping_sub(delta & 1));
            vertex[lane] = last;
        }
    }
    Ok(last)
}

fn decode_group(width: usize, data: &mut Cursor<'_>) -> Result<[u8; GROUP], MeshoptError> {
    let mut group = [0; GROUP];
    match width {
        0 => {}
        8 => group.copy_from_slice(data.take(GROUP)?),
        _ => {
            let packed = data.take(2 * width)?;
            let per_byte = 8 / width;
            let sentinel = sentinel(width);
            for (i, value) in group.iter_mut().enumerate() {
                let shift = 8 - width * (i % per_byte + 1);
                *value = (packed[i / per_byte] >> shift) & sentinel;
                if *value == sentinel {
                    *value = data.byte()?;
                }
            }
        }
    }
    Ok(group)
}
