//! Arrays of a model. Each has its own buffer view and is read once.

use std::ops::Range;

use super::super::ModelError;
use super::super::error::At;
use crate::glb::{Accessor, AccessorKind, Component, Document};

/// All arrays of a file.
pub(super) struct Arrays<'a> {
    file: &'a [u8],
    accessors: Vec<Accessor>,
    /// Byte range of each view in the file; `None` once it was read.
    views: Vec<Option<Range<usize>>>,
}

impl<'a> Arrays<'a> {
    /// Checks that views cover the whole binary chunk, one after another.
    pub(super) fn new(
        document: &mut Document,
        file: &'a [u8],
        binary: Range<usize>,
    ) -> Result<Self, ModelError> {
        let mut end = binary.start;
        let views = std::mem::take(&mut document.buffer_views);
        let mut ranges = Vec::with_capacity(views.len());
        for (index, view) in views.iter().enumerate() {
            let range = usize::try_from(view.byte_length).ok().and_then(|length| {
                let range = end..end.checked_add(length)?;
                let offset = (end - binary.start) as u64;
                let fits = view.byte_offset == offset && range.end <= binary.end;
                (view.buffer == 0 && length > 0 && fits).then_some(range)
            });
            let range = range
                .ok_or("expected a view that follows the previous one inside the buffer")
                .at(|| format!("buffer view {index}"))?;
            // Not past the end, since chunks are padded to the same alignment.
            end = binary.start + (range.end - binary.start).next_multiple_of(4);
            ranges.push(Some(range));
        }
        if end != binary.end {
            let problem = format!(
                "{} bytes are not covered by buffer views",
                binary.end.abs_diff(end)
            );
            return Err(problem).at(|| "buffer".to_owned());
        }
        Ok(Self {
            file,
            accessors: std::mem::take(&mut document.accessors),
            views: ranges,
        })
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
            if crate::digest::digest(&self.file[view.clone()]) != digest {
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

    /// Takes a view. Returns its byte range in the file.
    pub(super) fn bytes(&mut self, view: usize) -> Result<Range<usize>, String> {
        let range = self.views.get_mut(view);
        let range = range.ok_or_else(|| format!("buffer view {view} is out of range"))?;
        range
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

    /// True if an accessor holds bytes.
    pub(super) fn holds_bytes(&self, accessor: usize) -> bool {
        self.accessors.get(accessor).map(|a| a.component_type) == Some(u8::TYPE)
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

    fn array<T: Component, const N: usize>(
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
        let range = self.bytes(accessor.buffer_view)?;
        let bytes = &self.file[range];
        if count.checked_mul(N * T::BYTES) != Some(bytes.len()) {
            return Err(format!(
                "accessor {index}: {count} elements do not match the {} bytes of its view",
                bytes.len()
            ));
        }
        let elements = bytes.chunks_exact(N * T::BYTES);
        Ok(elements
            .map(|element| std::array::from_fn(|i| T::get(&element[i * T::BYTES..])))
            .collect())
    }
}
