//! Bytes of a stream, and integers of variable length.

use super::MeshoptError;

/// A cursor over the bytes of a stream.
pub(super) struct Cursor<'a> {
    rest: &'a [u8],
}

impl<'a> Cursor<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    /// Takes a number of bytes.
    pub(super) fn take(&mut self, count: usize) -> Result<&'a [u8], MeshoptError> {
        let (taken, rest) = self
            .rest
            .split_at_checked(count)
            .ok_or(MeshoptError::Truncated)?;
        self.rest = rest;
        Ok(taken)
    }

    pub(super) fn byte(&mut self) -> Result<u8, MeshoptError> {
        Ok(self.take(1)?[0])
    }

    /// Takes an integer of 1 to 5 bytes: 7 bits each, lowest first; the top bit is set on all but the last.
    pub(super) fn varint(&mut self) -> Result<u32, MeshoptError> {
        let mut value = 0;
        for shift in [0, 7, 14, 21, 28] {
            let byte = self.byte()?;
            value |= u32::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                break;
            }
        }
        Ok(value)
    }

    /// Takes a signed distance from `last`, and returns the sum.
    pub(super) fn index(&mut self, last: u32) -> Result<u32, MeshoptError> {
        Ok(last.wrapping_add(unzigzag(self.varint()?)))
    }

    /// Checks that nothing is left.
    pub(super) fn finish(self) -> Result<(), MeshoptError> {
        match self.rest.len() {
            0 => Ok(()),
            bytes => Err(MeshoptError::TrailingBytes { bytes }),
        }
    }
}

/// Checks the first byte of a stream and returns the others.
pub(super) fn after_header(stream: &[u8], expected: u8) -> Result<&[u8], MeshoptError> {
    match stream.split_first() {
        Some((&found, rest)) if found == expected => Ok(rest),
        Some((&found, _)) => Err(MeshoptError::Header { expected, found }),
        None => Err(MeshoptError::Truncated),
    }
}

/// Appends an integer as [`Cursor::varint`] reads it.
pub(super) fn push_varint(out: &mut Vec<u8>, mut value: u32) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Appends an index as [`Cursor::index`] reads it.
pub(super) fn push_index(out: &mut Vec<u8>, index: u32, last: u32) {
    push_varint(out, zigzag(index.wrapping_sub(last)));
}

/// Moves the sign of a distance, in two's complement, to the lowest bit.
pub(super) fn zigzag(distance: u32) -> u32 {
    (distance << 1) ^ ((distance as i32 >> 31) as u32)
}

/// Inverse of [`zigzag`].
pub(super) fn unzigzag(value: u32) -> u32 {
    (value >> 1) ^ 0_u32.wrapping_sub(value & 1)
}
