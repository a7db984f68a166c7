//! The buffer of a GLB with its accessors and buffer views.

use std::borrow::Cow;
use std::io::{self, Write};

use glam::Vec3;

use super::ALIGNMENT;
use super::component::Component;
use super::document::{Accessor, AccessorKind, BufferView};
use super::number::F32;

/// Target of buffer views with vertex attributes.
const ARRAY_BUFFER: u32 = 34962;
/// Target of buffer views with indices.
const ELEMENT_ARRAY_BUFFER: u32 = 34963;

/// Maximum number of vertices for 16-bit indices: 65535 is the primitive restart value.
const MAX_SHORT_VERTICES: usize = 65535;

/// A growing buffer. Borrowed bytes are not copied.
#[derive(Default)]
pub struct Buffer<'a> {
    /// Bytes of each view, not padded.
    pieces: Vec<Cow<'a, [u8]>>,
    byte_length: u64,
    views: Vec<BufferView>,
    accessors: Vec<Accessor>,
}

impl<'a> Buffer<'a> {
    /// Adds positions and their bounds. Returns the accessor index.
    pub fn positions(&mut self, positions: &[Vec3]) -> usize {
        let min = positions.iter().copied().reduce(Vec3::min);
        let max = positions.iter().copied().reduce(Vec3::max);
        let index = self.attribute(positions.iter().map(Vec3::to_array));
        let accessor = &mut self.accessors[index];
        accessor.min = min.map(|v| v.to_array().map(F32));
        accessor.max = max.map(|v| v.to_array().map(F32));
        index
    }

    /// Adds scalars or vectors, one per vertex. Returns the accessor index.
    pub fn attribute<T: Component, const N: usize>(
        &mut self,
        vectors: impl ExactSizeIterator<Item = [T; N]>,
    ) -> usize {
        self.array(vectors, Some(ARRAY_BUFFER))
    }

    /// [`Self::attribute`], or `None` where there are no vectors.
    pub fn optional_attribute<T: Component, const N: usize>(
        &mut self,
        vectors: impl ExactSizeIterator<Item = [T; N]>,
    ) -> Option<usize> {
        (vectors.len() > 0).then(|| self.attribute(vectors))
    }

    /// Adds vectors of bytes that stand for 0 to 1, one per vertex. Returns the accessor index.
    pub fn normalized_attribute(&mut self, vectors: &[[u8; 4]]) -> usize {
        let index = self.attribute(vectors.iter().copied());
        self.accessors[index].normalized = true;
        index
    }

    /// Adds triangle indices, of 16 bits each where that is enough. Returns the accessor index.
    pub fn indices(&mut self, triangles: &[[u32; 3]], vertex_count: usize) -> usize {
        let corners = triangles.as_flattened().iter();
        let target = Some(ELEMENT_ARRAY_BUFFER);
        if vertex_count <= MAX_SHORT_VERTICES {
            self.array(corners.map(|&i| [i as u16]), target)
        } else {
            self.array(corners.map(|&i| [i]), target)
        }
    }

    /// Adds matrices in column-major order. Returns the accessor index.
    pub fn matrices(&mut self, matrices: impl ExactSizeIterator<Item = [f32; 16]>) -> usize {
        self.array(matrices, None)
    }

    /// Adds raw bytes, at least one. Returns the index of the buffer view.
    pub fn bytes(&mut self, bytes: &'a [u8]) -> usize {
        self.view(bytes.into(), None)
    }

    fn array<T: Component, const N: usize>(
        &mut self,
        vectors: impl ExactSizeIterator<Item = [T; N]>,
        target: Option<u32>,
    ) -> usize {
        let count = vectors.len();
        let mut bytes = Vec::with_capacity(count * N * T::BYTES);
        for vector in vectors {
            for component in vector {
                component.put(&mut bytes);
            }
        }
        let buffer_view = self.view(bytes.into(), target);
        self.accessors.push(Accessor {
            buffer_view,
            component_type: T::TYPE,
            normalized: false,
            count,
            kind: const { AccessorKind::of(N) },
            min: None,
            max: None,
        });
        self.accessors.len() - 1
    }

    fn view(&mut self, bytes: Cow<'a, [u8]>, target: Option<u32>) -> usize {
        let view = BufferView {
            buffer: 0,
            byte_offset: self.byte_length,
            byte_length: bytes.len() as u64,
            target,
        };
        self.byte_length = view.end().next_multiple_of(ALIGNMENT);
        self.views.push(view);
        self.pieces.push(bytes);
        self.views.len() - 1
    }

    /// Bytes of each buffer view.
    pub fn view_bytes(&self) -> impl Iterator<Item = &[u8]> {
        self.pieces.iter().map(|piece| &**piece)
    }

    /// Number of bytes, a multiple of four.
    pub(super) fn byte_length(&self) -> u64 {
        self.byte_length
    }

    /// Takes the buffer views, one per array.
    pub(super) fn take_views(&mut self) -> Vec<BufferView> {
        std::mem::take(&mut self.views)
    }

    /// Takes the accessors, one per array; raw bytes have none.
    pub(super) fn take_accessors(&mut self) -> Vec<Accessor> {
        std::mem::take(&mut self.accessors)
    }

    /// Writes all arrays, each padded.
    pub(super) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        for piece in &self.pieces {
            out.write_all(piece)?;
            let padding = piece.len().next_multiple_of(ALIGNMENT as usize) - piece.len();
            out.write_all(&[0; ALIGNMENT as usize][..padding])?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_are_16_bit_below_the_restart_value() {
        let mut buffer = Buffer::default();
        buffer.indices(&[[0, 1, 65534]], 65535);
        buffer.indices(&[[0, 1, 65535]], 65536);
        let types: Vec<u32> = buffer.accessors.iter().map(|a| a.component_type).collect();
        assert_eq!(types, [u16::TYPE, u32::TYPE]);
        let mut bytes = Vec::new();
        buffer.write(&mut bytes).unwrap();
        assert_eq!(bytes[..8], [0, 0, 1, 0, 0xfe, 0xff, 0, 0]);
        assert_eq!(bytes[8..], [0, 0, 0, 0, 1, 0, 0, 0, 0xff, 0xff, 0, 0]);
        assert_eq!(buffer.byte_length(), 20);
    }

    #[test]
    fn borrowed_bytes_are_not_copied() {
        let bytes = [7; 5];
        let mut buffer = Buffer::default();
        assert_eq!((buffer.bytes(&bytes), buffer.bytes(&bytes)), (0, 1));
        assert!(matches!(buffer.pieces[1], Cow::Borrowed(_)));
        assert_eq!(buffer.views[1].byte_offset, 8);
        assert_eq!(buffer.byte_length(), 16);
    }
}
