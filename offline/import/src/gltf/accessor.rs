//! Accessors: numbers of every component type, normalised, strided and sparse.

use super::document::{Bytes, Document};
use super::schema;
use crate::error::{Fault, Outcome};

/// Component type of an accessor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Component {
    I8,
    U8,
    I16,
    U16,
    U32,
    F32,
}

impl Component {
    pub(super) fn parse(code: u32) -> Option<Self> {
        Some(match code {
            5120 => Self::I8,
            5121 => Self::U8,
            5122 => Self::I16,
            5123 => Self::U16,
            5125 => Self::U32,
            5126 => Self::F32,
            _ => return None,
        })
    }

    fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::U32 | Self::F32 => 4,
        }
    }

    fn is_unsigned_integer(self) -> bool {
        matches!(self, Self::U8 | Self::U16 | Self::U32)
    }

    /// Maps a stored integer to -1..=1 or 0..=1, as glTF defines for normalised accessors.
    pub(super) fn normalize(self, value: f32) -> f32 {
        match self {
            Self::I8 => (value / 127.0).max(-1.0),
            Self::U8 => value / 255.0,
            Self::I16 => (value / 32767.0).max(-1.0),
            Self::U16 => value / 65535.0,
            Self::U32 => (f64::from(value) / f64::from(u32::MAX)) as f32,
            Self::F32 => value,
        }
    }

    fn read_f32(self, bytes: &[u8]) -> f32 {
        match self {
            Self::I8 => f32::from(bytes[0] as i8),
            Self::U8 => f32::from(bytes[0]),
            Self::I16 => f32::from(i16::from_le_bytes([bytes[0], bytes[1]])),
            Self::U16 => f32::from(u16::from_le_bytes([bytes[0], bytes[1]])),
            Self::U32 => self.read_u32(bytes) as f32,
            Self::F32 => f32::from_bits(self.read_u32(bytes)),
        }
    }

    /// Reads an unsigned component, or the bits of a float.
    fn read_u32(self, bytes: &[u8]) -> u32 {
        match self.size() {
            1 => u32::from(bytes[0]),
            2 => u32::from(u16::from_le_bytes([bytes[0], bytes[1]])),
            _ => u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]),
        }
    }
}

/// Returns the number of components of an accessor type such as `VEC3`.
pub(super) fn shape_components(shape: &str) -> Option<usize> {
    Some(match shape {
        "SCALAR" => 1,
        "VEC2" => 2,
        "VEC3" => 3,
        "VEC4" | "MAT2" => 4,
        "MAT3" => 9,
        "MAT4" => 16,
        _ => return None,
    })
}

/// Accessor whose byte ranges have been checked.
struct Checked<'a> {
    component: Component,
    normalized: bool,
    count: usize,
    stride: usize,
    /// Buffer view and offset of the first element. `None` for an accessor without a view: all zeros.
    bytes: Option<(Bytes<'a>, usize)>,
    sparse: Option<SparseChecked<'a>>,
}

struct SparseChecked<'a> {
    indices: Vec<u32>,
    values: Bytes<'a>,
    values_offset: usize,
}

impl Document<'_> {
    /// Returns the component type of an accessor.
    pub(super) fn component(&self, index: usize, object: &str) -> Outcome<Component> {
        let accessor = self.get(&self.root.accessors, "accessor", index, object)?;
        Component::parse(accessor.component_type).ok_or_else(|| {
            Fault::data(
                format!("{object}, accessor {index}"),
                format_args!(
                    "invalid component type {}; expected 5120 to 5123, 5125 or 5126",
                    accessor.component_type
                ),
            )
        })
    }

    /// Returns the number of components per element of an accessor.
    pub(super) fn components(&self, index: usize, object: &str) -> Outcome<usize> {
        let accessor = self.get(&self.root.accessors, "accessor", index, object)?;
        shape_components(&accessor.shape).ok_or_else(|| {
            Fault::data(
                format!("{object}, accessor {index}"),
                format_args!(
                    "invalid type '{}'; expected SCALAR, VEC2 to VEC4 or MAT2 to MAT4",
                    accessor.shape
                ),
            )
        })
    }

    /// Returns the number of elements of an accessor.
    pub(super) fn element_count(&self, index: usize, object: &str) -> Outcome<usize> {
        let accessor = self.get(&self.root.accessors, "accessor", index, object)?;
        Ok(usize::try_from(accessor.count).unwrap_or(usize::MAX))
    }

    /// Reads vectors of `N` numbers. Integers are normalised if the accessor is.
    pub(super) fn read_f32<const N: usize>(
        &self,
        index: usize,
        object: &str,
    ) -> Outcome<Vec<[f32; N]>> {
        let checked = self.check::<N>(index, object)?;
        let component = checked.component;
        let read = |bytes: &[u8]| {
            let value = component.read_f32(bytes);
            if checked.normalized {
                component.normalize(value)
            } else {
                value
            }
        };
        Ok(checked.read(read))
    }

    /// Reads vectors of `N` unsigned integers.
    pub(super) fn read_u32<const N: usize>(
        &self,
        index: usize,
        object: &str,
    ) -> Outcome<Vec<[u32; N]>> {
        let component = self.component(index, object)?;
        if !component.is_unsigned_integer() {
            return Err(Fault::data(
                format!("{object}, accessor {index}"),
                format_args!("expected unsigned integer components, found {component:?}"),
            ));
        }
        let checked = self.check::<N>(index, object)?;
        Ok(checked.read(|bytes| component.read_u32(bytes)))
    }

    fn check<const N: usize>(&self, index: usize, object: &str) -> Outcome<Checked<'_>> {
        let component = self.component(index, object)?;
        let components = self.components(index, object)?;
        let accessor = &self.root.accessors[index];
        let name = format!("{object}, accessor {index}");
        if components != N {
            return Err(Fault::data(
                name,
                format_args!(
                    "expected {N} components per element, found {components} ({})",
                    accessor.shape
                ),
            ));
        }
        self.charge(accessor.count, 4 * N as u64, &name)?;
        let element = N * component.size();
        let mut stride = element;
        let mut bytes = None;
        if let Some(view) = accessor.buffer_view {
            let data = self.view(view, &name)?;
            if let Some(given) = self.root.buffer_views[view].byte_stride {
                stride = usize::try_from(given).unwrap_or(usize::MAX);
                if stride < element {
                    return Err(Fault::data(
                        name,
                        format_args!(
                            "a stride of {given} bytes is less than an element of {element} bytes"
                        ),
                    ));
                }
            }
            let offset = check_range(accessor, &data, stride, element, &name)?;
            bytes = Some((data, offset));
        }
        let sparse = match &accessor.sparse {
            Some(sparse) => Some(self.check_sparse(sparse, accessor.count, element, &name)?),
            None => None,
        };
        Ok(Checked {
            component,
            normalized: accessor.normalized,
            count: accessor.count as usize,
            stride,
            bytes,
            sparse,
        })
    }

    fn check_sparse(
        &self,
        sparse: &schema::Sparse,
        count: u64,
        element: usize,
        name: &str,
    ) -> Outcome<SparseChecked<'_>> {
        let name = format!("{name}, sparse");
        if sparse.count > count {
            return Err(Fault::data(
                name,
                format_args!("has {} values for {count} elements", sparse.count),
            ));
        }
        let component = Component::parse(sparse.indices.component_type)
            .filter(|c| c.is_unsigned_integer())
            .ok_or_else(|| {
                Fault::data(
                    name.as_str(),
                    format_args!(
                        "invalid index component type {}; expected 5121, 5123 or 5125",
                        sparse.indices.component_type
                    ),
                )
            })?;
        let value_count = sparse.count as usize;
        let fits = |bytes: &Bytes, offset: u64, size: usize| {
            (sparse.count)
                .checked_mul(size as u64)
                .and_then(|length| length.checked_add(offset))
                .is_some_and(|end| end <= bytes.len() as u64)
        };
        let short = |what: &str| {
            Fault::data(
                name.as_str(),
                format_args!("{what} extend past the end of their buffer view"),
            )
        };

        let index_bytes = self.view(sparse.indices.buffer_view, &name)?;
        if !fits(&index_bytes, sparse.indices.byte_offset, component.size()) {
            return Err(short("indices"));
        }
        let first = sparse.indices.byte_offset as usize;
        let indices: Vec<u32> = (0..value_count)
            .map(|i| component.read_u32(&index_bytes[first + i * component.size()..]))
            .collect();
        if let Some(&invalid) = indices.iter().find(|&&i| u64::from(i) >= count) {
            return Err(Fault::data(
                name,
                format_args!("index {invalid} is out of range; the accessor has {count} elements"),
            ));
        }
        let values = self.view(sparse.values.buffer_view, &name)?;
        if !fits(&values, sparse.values.byte_offset, element) {
            return Err(short("values"));
        }
        Ok(SparseChecked {
            indices,
            values,
            values_offset: sparse.values.byte_offset as usize,
        })
    }
}

/// Checks that the last element ends inside the view, and returns the offset of the first.
fn check_range(
    accessor: &schema::Accessor,
    data: &[u8],
    stride: usize,
    element: usize,
    name: &str,
) -> Outcome<usize> {
    let end = accessor
        .count
        .saturating_sub(1)
        .checked_mul(stride as u64)
        .and_then(|last| last.checked_add(accessor.byte_offset))
        .and_then(|last| last.checked_add(element as u64));
    if accessor.count == 0 || end.is_some_and(|end| end <= data.len() as u64) {
        return Ok((accessor.byte_offset as usize).min(data.len()));
    }
    Err(Fault::data(
        name,
        format_args!(
            "{} elements of {element} bytes do not fit in a buffer view of {} bytes",
            accessor.count,
            data.len()
        ),
    ))
}

impl Checked<'_> {
    fn read<T: Copy + Default, const N: usize>(&self, read: impl Fn(&[u8]) -> T) -> Vec<[T; N]> {
        let size = self.component.size();
        let element = |bytes: &[u8]| std::array::from_fn(|i| read(&bytes[i * size..]));
        let mut values: Vec<[T; N]> = match &self.bytes {
            Some((bytes, offset)) => (0..self.count)
                .map(|i| element(&bytes[offset + i * self.stride..]))
                .collect(),
            None => vec![[T::default(); N]; self.count],
        };
        if let Some(sparse) = &self.sparse {
            for (value, &index) in sparse.indices.iter().enumerate() {
                let offset = sparse.values_offset + value * N * size;
                values[index as usize] = element(&sparse.values[offset..]);
            }
        }
        values
    }
}
