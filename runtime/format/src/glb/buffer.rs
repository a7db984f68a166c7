//! The buffer of a GLB with its accessors and buffer views.

use std::borrow::Cow;
use std::io::{self, Write};

use glam::Vec3;

use super::ALIGNMENT;
use super::component::Component;
use super::document::{
    Accessor, AccessorKind, BufferView, CompressedView, MeshoptExtension, MeshoptMode,
};
use super::number::F32;
use crate::meshopt::{decode_triangles, encode_indices, encode_triangles, encode_vertices};

/// Target of buffer views with vertex attributes.
const ARRAY_BUFFER: u32 = 34962;
/// Target of buffer views with indices.
const ELEMENT_ARRAY_BUFFER: u32 = 34963;

/// Index of the buffer that compressed views refer to.
const FALLBACK_BUFFER: usize = 1;

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
    is_compressed: bool,
    is_quantized: bool,
    /// Bytes of all compressed views when decoded.
    decoded_length: u64,
}

impl<'a> Buffer<'a> {
    /// A buffer whose arrays are compressed with meshoptimizer where that makes them smaller. Elements are padded to
    /// multiples of four bytes.
    pub fn compressed() -> Self {
        Self {
            is_compressed: true,
            ..Self::default()
        }
    }

    /// Adds positions and their bounds. Returns the accessor index.
    pub fn positions(&mut self, positions: &[Vec3]) -> usize {
        let values = positions.iter().map(Vec3::to_array);
        self.bounded_attribute(values)
    }

    /// Adds positions or their morph offsets as integers, and their bounds. Returns the accessor index.
    pub fn quantized_positions<T: Component + Into<f32>>(
        &mut self,
        positions: impl ExactSizeIterator<Item = [T; 3]> + Clone,
    ) -> usize {
        self.is_quantized = true;
        self.bounded_attribute(positions)
    }

    fn bounded_attribute<T: Component + Into<f32>>(
        &mut self,
        vectors: impl ExactSizeIterator<Item = [T; 3]> + Clone,
    ) -> usize {
        let values = vectors
            .clone()
            .map(|vector| Vec3::from(vector.map(Into::into)));
        let (min, max) = (values.clone().reduce(Vec3::min), values.reduce(Vec3::max));
        let index = self.attribute(vectors);
        let accessor = &mut self.accessors[index];
        accessor.min = min.map(|v| v.to_array().map(F32));
        accessor.max = max.map(|v| v.to_array().map(F32));
        index
    }

    /// Adds normals or tangents as bytes that stand for -1 to 1. Returns the accessor index.
    pub fn quantized_directions<const N: usize>(
        &mut self,
        vectors: impl ExactSizeIterator<Item = [i8; N]>,
    ) -> usize {
        self.is_quantized = true;
        self.normalized_attribute(vectors)
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

    /// Adds vectors of integers that stand for 0 to 1, or for -1 to 1 where they are signed, one per vertex. Returns the
    /// accessor index.
    pub fn normalized_attribute<T: Component, const N: usize>(
        &mut self,
        vectors: impl ExactSizeIterator<Item = [T; N]>,
    ) -> usize {
        let index = self.attribute(vectors);
        self.accessors[index].normalized = true;
        index
    }

    /// Adds triangle indices, of 16 bits each where that is enough. Returns the accessor index.
    pub fn indices(&mut self, triangles: &[[u32; 3]], vertex_count: usize) -> usize {
        let corners = triangles.as_flattened().iter();
        let is_short = vertex_count <= MAX_SHORT_VERTICES;
        if self.is_compressed {
            let (stride, component_type) = match is_short {
                true => (u16::BYTES, u16::TYPE),
                false => (u32::BYTES, u32::TYPE),
            };
            let mut stream = encode_triangles(triangles);
            let mut mode = MeshoptMode::Triangles;
            if decode_triangles(&stream, triangles.len()).as_deref() != Ok(triangles) {
                stream = encode_indices(triangles.as_flattened());
                mode = MeshoptMode::Indices;
            }
            let view = self.compressed_view(stream, corners.len(), stride, mode);
            self.views[view].target = Some(ELEMENT_ARRAY_BUFFER);
            return self.accessor(view, component_type, corners.len(), AccessorKind::Scalar);
        }
        let target = Some(ELEMENT_ARRAY_BUFFER);
        if is_short {
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
        let stride = match self.is_compressed {
            true => (N * T::BYTES).next_multiple_of(ALIGNMENT as usize),
            false => N * T::BYTES,
        };
        let mut bytes = Vec::with_capacity(count * stride);
        for vector in vectors {
            for component in vector {
                component.put(&mut bytes);
            }
            bytes.resize(bytes.len().next_multiple_of(stride), 0);
        }
        let stream = match self.is_compressed {
            true => encode_vertices(&bytes, stride).ok(),
            false => None,
        };
        let view = match stream.filter(|stream| stream.len() < bytes.len()) {
            Some(stream) => self.compressed_view(stream, count, stride, MeshoptMode::Attributes),
            None => self.view(bytes.into(), None),
        };
        self.views[view].target = target;
        self.views[view].byte_stride = (stride != N * T::BYTES).then_some(stride);
        let kind = const { AccessorKind::of(N) };
        self.accessor(view, T::TYPE, count, kind)
    }

    fn accessor(
        &mut self,
        buffer_view: usize,
        component_type: u32,
        count: usize,
        kind: AccessorKind,
    ) -> usize {
        self.accessors.push(Accessor {
            buffer_view,
            component_type,
            normalized: false,
            count,
            kind,
            min: None,
            max: None,
        });
        self.accessors.len() - 1
    }

    /// Adds a view that other programs find in the fallback buffer.
    fn compressed_view(
        &mut self,
        stream: Vec<u8>,
        count: usize,
        stride: usize,
        mode: MeshoptMode,
    ) -> usize {
        let byte_length = (count * stride) as u64;
        let index = self.view(stream.into(), None);
        let view = &mut self.views[index];
        view.extensions = Some(MeshoptExtension {
            meshopt: CompressedView {
                buffer: 0,
                byte_offset: view.byte_offset,
                byte_length: view.byte_length,
                byte_stride: stride,
                count,
                mode,
            },
        });
        view.buffer = FALLBACK_BUFFER;
        view.byte_offset = self.decoded_length;
        view.byte_length = byte_length;
        self.decoded_length = view.end().next_multiple_of(ALIGNMENT);
        index
    }

    fn view(&mut self, bytes: Cow<'a, [u8]>, target: Option<u32>) -> usize {
        let view = BufferView {
            buffer: 0,
            byte_offset: self.byte_length,
            byte_length: bytes.len() as u64,
            byte_stride: None,
            target,
            extensions: None,
        };
        self.byte_length = view.end().next_multiple_of(ALIGNMENT);
        self.views.push(view);
        self.pieces.push(bytes);
        self.views.len() - 1
    }

    /// Bytes of each buffer view as the file holds them.
    pub fn view_bytes(&self) -> impl Iterator<Item = &[u8]> {
        self.pieces.iter().map(|piece| &**piece)
    }

    /// Number of bytes, a multiple of four.
    pub(super) fn byte_length(&self) -> u64 {
        self.byte_length
    }

    /// Bytes of all compressed views when decoded; 0 where no view is compressed.
    pub(super) fn decoded_length(&self) -> u64 {
        self.decoded_length
    }

    /// True where positions or directions are integers.
    pub(super) fn is_quantized(&self) -> bool {
        self.is_quantized
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
