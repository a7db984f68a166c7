//! Arrays of a model. Each has its own buffer view and is read once.

use std::borrow::Cow;
use std::ops::Range;

use super::super::error::At;
use super::super::{ModelError, compact};
use crate::glb::{
    Accessor, AccessorKind, BufferView, Component, CompressedView, Document, MeshoptMode,
};
use crate::meshopt::{decode_indices, decode_triangles, decode_vertices};

/// All arrays of a file.
pub(super) struct Arrays<'a> {
    file: &'a [u8],
    accessors: Vec<Accessor>,
    /// `None` once a view was read.
    views: Vec<Option<View>>,
}

/// A buffer view.
struct View {
    /// Byte range in the file.
    range: Range<usize>,
    /// Bytes from one element to the next, where elements are padded.
    stride: Option<usize>,
    compressed: Option<CompressedView>,
}

/// Position in a buffer whose views follow each other.
struct Follow {
    offset: u64,
    end: u64,
}

impl Follow {
    /// The next bytes, if they are those of the view.
    fn take(&mut self, offset: u64, length: u64) -> Option<Range<usize>> {
        let end = offset.checked_add(length)?;
        if offset != self.offset || length == 0 || end > self.end {
            return None;
        }
        self.offset = end.next_multiple_of(4);
        Some(usize::try_from(offset).ok()?..usize::try_from(end).ok()?)
    }
}

impl<'a> Arrays<'a> {
    /// Checks that views cover the whole binary chunk, one after another.
    pub(super) fn new(
        document: &mut Document,
        file: &'a [u8],
        binary: Range<usize>,
    ) -> Result<Self, ModelError> {
        let decoded = document
            .buffers
            .get(1)
            .map_or(0, |buffer| buffer.byte_length);
        let mut buffers = [binary.len() as u64, decoded].map(|end| Follow { offset: 0, end });
        let list = std::mem::take(&mut document.buffer_views);
        let mut views = Vec::with_capacity(list.len());
        for (index, view) in list.into_iter().enumerate() {
            let view = read_view(view, &binary, &mut buffers);
            let view = view
                .ok_or("expected a view that follows the previous one inside the buffer")
                .at(|| format!("buffer view {index}"))?;
            views.push(Some(view));
        }
        // Not past the end, since chunks are padded to the same alignment.
        for Follow { offset, end } in buffers {
            if offset != end {
                let problem = format!(
                    "{} bytes are not covered by buffer views",
                    end.abs_diff(offset)
                );
                return Err(problem).at(|| "buffer".to_owned());
            }
        }
        Ok(Self {
            file,
            accessors: std::mem::take(&mut document.accessors),
            views,
        })
    }

    /// True if any view that was not read is compressed.
    pub(super) fn has_compressed_views(&self) -> bool {
        let mut views = self.views.iter().flatten();
        views.any(|view| view.compressed.is_some())
    }

    /// Compares all views with their digests. No view must have been taken.
    pub(super) fn check_digests(&self, digests: serde_json::Value) -> Result<(), ModelError> {
        let location = || "buffer view digests".to_owned();
        let digests: Vec<String> = serde_json::from_value(digests).at(location)?;
        if digests.len() != self.views.len() {
            let (expected, found) = (self.views.len(), digests.len());
            return Err(format!("expected {expected}, found {found}")).at(location);
        }
        let views = self.views.iter().flatten().zip(digests);
        for (index, (view, digest)) in views.enumerate() {
            if crate::digest::digest(&self.file[view.range.clone()]) != digest {
                return Err("its bytes do not match their digest")
                    .at(|| format!("buffer view {index}"));
            }
        }
        Ok(())
    }

    /// The whole file.
    pub(super) fn file(&self) -> &'a [u8] {
        self.file
    }

    /// Takes a view of plain bytes. Returns its byte range in the file.
    pub(super) fn bytes(&mut self, view: usize) -> Result<Range<usize>, String> {
        match self.view(view)? {
            View {
                range,
                stride: None,
                compressed: None,
            } => Ok(range),
            _ => Err(format!("buffer view {view}: expected plain bytes")),
        }
    }

    fn view(&mut self, view: usize) -> Result<View, String> {
        let found = self.views.get_mut(view);
        let found = found.ok_or_else(|| format!("buffer view {view} is out of range"))?;
        found
            .take()
            .ok_or_else(|| format!("buffer view {view} is used twice"))
    }

    /// Takes an array of `count` vectors of finite floats.
    pub(super) fn floats<const N: usize>(
        &mut self,
        accessor: usize,
        count: usize,
    ) -> Result<Vec<[f32; N]>, String> {
        let values = self.array::<f32, N>(accessor, count)?;
        let finite = |value: &[f32; N]| value.iter().all(|x| x.is_finite());
        match values.iter().position(|value| !finite(value)) {
            Some(element) => Err(format!("expected finite values, element {element} is not")),
            None => Ok(values),
        }
    }

    /// True if an accessor holds components of a type.
    pub(super) fn holds<T: Component>(&self, accessor: usize) -> bool {
        self.accessors.get(accessor).map(|a| a.component_type) == Some(T::TYPE)
    }

    /// Takes an array of `count` vectors of finite floats, or of 16-bit integers that stand for 0 to 1.
    pub(super) fn values<const N: usize>(
        &mut self,
        accessor: usize,
        count: usize,
    ) -> Result<Vec<[f32; N]>, String> {
        let is_normalized = self.accessors.get(accessor).is_some_and(|a| a.normalized);
        if !(is_normalized && self.holds::<u16>(accessor)) {
            return self.floats(accessor, count);
        }
        let values = self.array::<u16, N>(accessor, count)?;
        let values = values.into_iter().map(|value| value.map(compact::unorm16));
        Ok(values.collect())
    }

    /// Takes an array of `count` vectors of bytes that stand for 0 to 1.
    pub(super) fn normalized_bytes<const N: usize>(
        &mut self,
        accessor: usize,
        count: usize,
    ) -> Result<Vec<[u8; N]>, String> {
        match self.accessors.get(accessor) {
            Some(found) if !found.normalized => Err(format!(
                "accessor {accessor}: expected normalized bytes, found plain ones"
            )),
            _ => self.array::<u8, N>(accessor, count),
        }
    }

    /// Takes an array of `count` vectors of integers, of one of two widths.
    pub(super) fn narrow_or_wide<A, B, const N: usize>(
        &mut self,
        accessor: usize,
        count: usize,
    ) -> Result<Vec<[u32; N]>, String>
    where
        A: Component + Into<u32>,
        B: Component + Into<u32>,
    {
        let is_narrow = self.accessors.get(accessor).map(|a| a.component_type) == Some(A::TYPE);
        if is_narrow {
            let values = self.array::<A, N>(accessor, count)?;
            Ok(values.into_iter().map(|v| v.map(Into::into)).collect())
        } else {
            let values = self.array::<B, N>(accessor, count)?;
            Ok(values.into_iter().map(|v| v.map(Into::into)).collect())
        }
    }

    /// Takes an array of `count` vectors.
    pub(super) fn array<T: Component, const N: usize>(
        &mut self,
        index: usize,
        count: usize,
    ) -> Result<Vec<[T; N]>, String> {
        let accessor = self.accessors.get(index);
        let accessor = accessor.ok_or_else(|| format!("accessor {index} is out of range"))?;
        let (kind, component_type) = (accessor.kind, accessor.component_type);
        let expected = const { AccessorKind::of(N) };
        if kind != expected || component_type != T::TYPE {
            return Err(format!(
                "accessor {index}: expected {expected:?} of type {}, found {kind:?} of type {component_type}",
                T::TYPE
            ));
        }
        if accessor.count != count {
            return Err(format!(
                "accessor {index}: expected {count} elements, found {}",
                accessor.count
            ));
        }
        let view = self.view(accessor.buffer_view)?;
        let stride = view.stride.unwrap_or(N * T::BYTES);
        if stride < N * T::BYTES {
            return Err(format!(
                "accessor {index}: expected a stride of at least {} bytes, found {stride}",
                N * T::BYTES
            ));
        }
        let bytes = &self.file[view.range];
        let bytes = match view.compressed {
            Some(compressed) if compressed.count != count || compressed.byte_stride != stride => {
                return Err(format!(
                    "accessor {index}: expected {count} compressed elements of {stride} bytes, found {} of {}",
                    compressed.count, compressed.byte_stride
                ));
            }
            Some(compressed) => {
                let decoded = decode(bytes, &compressed);
                Cow::Owned(decoded.map_err(|error| format!("accessor {index}: {error}"))?)
            }
            None => Cow::Borrowed(bytes),
        };
        if count.checked_mul(stride) != Some(bytes.len()) {
            return Err(format!(
                "accessor {index}: {count} elements do not match the {} bytes of its view",
                bytes.len()
            ));
        }
        let elements = bytes.chunks_exact(stride);
        Ok(elements
            .map(|element| std::array::from_fn(|i| T::get(&element[i * T::BYTES..])))
            .collect())
    }
}

/// Checks that a view follows the one before in its buffers: the binary chunk, and that of decoded views.
fn read_view(
    view: BufferView,
    binary: &Range<usize>,
    [plain, decoded]: &mut [Follow; 2],
) -> Option<View> {
    let compressed = view.extensions.map(|extensions| extensions.meshopt);
    let range = match &compressed {
        Some(compressed) => {
            let length = compressed.count.checked_mul(compressed.byte_stride)?;
            decoded.take(view.byte_offset, view.byte_length)?;
            if (view.buffer, compressed.buffer) != (1, 0) || length as u64 != view.byte_length {
                return None;
            }
            plain.take(compressed.byte_offset, compressed.byte_length)?
        }
        None if view.buffer == 0 => plain.take(view.byte_offset, view.byte_length)?,
        None => return None,
    };
    Some(View {
        range: binary.start + range.start..binary.start + range.end,
        stride: view.byte_stride,
        compressed,
    })
}

/// Decodes a view. Memory is in proportion to its stream.
fn decode(stream: &[u8], view: &CompressedView) -> Result<Vec<u8>, String> {
    let indices = match view.mode {
        MeshoptMode::Attributes => {
            let decoded = decode_vertices(stream, view.count, view.byte_stride);
            return decoded.map_err(|error| error.to_string());
        }
        MeshoptMode::Triangles if !view.count.is_multiple_of(3) => {
            return Err(format!("{} indices are no triangles", view.count));
        }
        MeshoptMode::Triangles => decode_triangles(stream, view.count / 3).map(Vec::into_flattened),
        MeshoptMode::Indices => decode_indices(stream, view.count),
    };
    let indices = indices.map_err(|error| error.to_string())?;
    match view.byte_stride {
        4 => Ok(indices
            .iter()
            .flat_map(|index| index.to_le_bytes())
            .collect()),
        2 => match indices.iter().find(|&&index| index > u16::MAX.into()) {
            Some(index) => Err(format!("expected indices of 16 bits, found {index}")),
            None => Ok(indices
                .iter()
                .flat_map(|&index| (index as u16).to_le_bytes())
                .collect()),
        },
        stride => Err(format!("expected indices of 2 or 4 bytes, found {stride}")),
    }
}
