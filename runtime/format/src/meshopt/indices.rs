//! Index sequences, mode `INDICES`: distances from one of two earlier indices.

use super::MeshoptError;
use super::bytes::{Cursor, after_header, push_varint, unzigzag, zigzag};

/// First byte of a stream.
const HEADER: u8 = 0xd1;
/// Zeros at the end of a stream.
const TAIL_BYTES: usize = 4;
/// Distance from which on the encoder uses the other earlier index.
const FAR: u32 = 30;

/// Encodes indices below 2³⁰ without changing their order.
pub fn encode_indices(indices: &[u32]) -> Vec<u8> {
    let mut out = vec![HEADER];
    let (mut last, mut baseline) = ([0_u32; 2], 0);
    for &index in indices {
        if (index.wrapping_sub(last[baseline]) as i32).unsigned_abs() >= FAR {
            baseline ^= 1;
        }
        let distance = zigzag(index.wrapping_sub(last[baseline]));
        push_varint(&mut out, (distance << 1) | baseline as u32);
        last[baseline] = index;
    }
    out.extend([0; TAIL_BYTES]);
    out
}

/// Decodes `count` indices.
pub fn decode_indices(stream: &[u8], count: usize) -> Result<Vec<u32>, MeshoptError> {
    let stream = after_header(stream, HEADER)?;
    let end = stream
        .len()
        .checked_sub(TAIL_BYTES)
        .filter(|&bytes| bytes >= count)
        .ok_or(MeshoptError::Truncated)?;
    let mut data = Cursor::new(&stream[..end]);
    let mut last = [0_u32; 2];
    let mut indices = Vec::with_capacity(count);
    for _ in 0..count {
        let value = data.varint()?;
        let last = &mut last[(value & 1) as usize];
        *last = last.wrapping_add(unzigzag(value >> 1));
        indices.push(*last);
    }
    data.finish()?;
    Ok(indices)
}
