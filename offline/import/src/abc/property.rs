//! Properties, and the numbers in their samples.

use super::metadata::Metadata;
use super::ogawa::{Blob, Container, Group, Read, ReadError};
use crate::error::ErrorKind;

/// Bytes of the digest in front of every sample.
const KEY_BYTES: u64 = 16;

/// Bytes that are read at once: whole numbers of every size.
const CHUNK_BYTES: usize = 1 << 16;

/// Type of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pod {
    U8,
    I8,
    U16,
    I16,
    U32,
    I32,
    U64,
    I64,
    F32,
    F64,
    /// Zero-terminated text.
    Text,
    /// Half floats and wide text, which nothing here needs.
    Other,
}

impl Pod {
    /// Size of a number, in bytes.
    fn bytes(self) -> u64 {
        match self {
            Self::U8 | Self::I8 | Self::Text => 1,
            Self::U16 | Self::I16 | Self::Other => 2,
            Self::U32 | Self::I32 | Self::F32 => 4,
            Self::U64 | Self::I64 | Self::F64 => 8,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Compound,
    Scalar,
    Array,
}

/// Header of a property.
#[derive(Debug, Clone)]
pub(super) struct Property {
    pub name: String,
    pub metadata: Metadata,
    /// Number of samples.
    pub samples: u32,
    /// First sample that differs from sample 0; 0 if none does.
    pub first_changed: u32,
    /// Last sample that differs from the one before.
    pub last_changed: u32,
    /// Index of the time sampling.
    pub time_sampling: u32,
    /// Offset of the group of samples, or of the properties of a compound.
    pub group: u64,
    kind: Kind,
    pod: Pod,
    /// Numbers per item.
    extent: u8,
}

impl Property {
    /// Parses the kind of a property and its numbers from the first word of a header.
    pub(super) fn from_info(info: u32) -> Read<Self> {
        let kind = match info & 3 {
            0 => Kind::Compound,
            1 => Kind::Scalar,
            _ => Kind::Array,
        };
        let pod = match (info >> 4) & 15 {
            0 | 1 => Pod::U8,
            2 => Pod::I8,
            3 => Pod::U16,
            4 => Pod::I16,
            5 => Pod::U32,
            6 => Pod::I32,
            7 => Pod::U64,
            8 => Pod::I64,
            10 => Pod::F32,
            11 => Pod::F64,
            12 => Pod::Text,
            9 | 13 => Pod::Other,
            other => {
                let problem = format!("a property header has the number type {other}");
                return Err(ReadError::container(problem));
            }
        };
        Ok(Self {
            name: String::new(),
            metadata: Metadata::default(),
            samples: 0,
            first_changed: 0,
            last_changed: 0,
            time_sampling: 0,
            group: 0,
            kind,
            pod,
            extent: (info >> 12) as u8,
        })
    }

    pub(super) fn is_compound(&self) -> bool {
        self.kind == Kind::Compound
    }

    /// Numbers per item.
    pub(super) fn extent(&self) -> usize {
        usize::from(self.extent)
    }
}

/// Properties of an object or of a compound property.
#[derive(Debug, Default)]
pub(super) struct Compound {
    pub properties: Vec<Property>,
}

impl Compound {
    /// Finds a property by name.
    pub(super) fn find(&self, name: &str) -> Option<&Property> {
        self.properties
            .iter()
            .find(|property| property.name == name)
    }
}

/// Samples of a property, read when they are asked for.
#[derive(Debug, Clone)]
pub(super) struct Samples {
    container: Container,
    group: Group,
    property: Property,
}

impl Samples {
    /// Checks that all samples are in the file.
    pub(super) fn new(container: &Container, property: &Property) -> Read<Self> {
        if property.is_compound() {
            let problem = format!(
                "property '{}' is a compound, expected samples",
                property.name
            );
            return Err(ReadError::data(problem));
        }
        let group = container.group(property.group)?;
        let found = Self {
            container: container.clone(),
            group,
            property: property.clone(),
        };
        let children = found.stored().saturating_mul(found.stride());
        let is_ordered = property.first_changed <= property.last_changed || found.is_constant();
        let in_range = property.last_changed < property.samples.max(1);
        if children > group.len() || !is_ordered || !in_range {
            return Err(ReadError::container(format_args!(
                "property '{}' has {} samples, of which {} to {} change, but the file has {}",
                property.name,
                property.samples,
                property.first_changed,
                property.last_changed,
                group.len() / found.stride()
            )));
        }
        Ok(found)
    }

    /// Returns the samples without a limit of work, for frames that are read when they are asked for.
    pub(super) fn unlimited(&self) -> Self {
        Self {
            container: self.container.unlimited(),
            ..self.clone()
        }
    }

    /// Refuses a file that was written to since it was opened.
    pub(super) fn check_unchanged(&self) -> Read<()> {
        self.container.check_unchanged()
    }

    pub(super) fn property(&self) -> &Property {
        &self.property
    }

    /// True if the items are numbers of a supported type.
    pub(super) fn is_number(&self) -> bool {
        !matches!(self.property.pod, Pod::Text | Pod::Other)
    }

    /// Number of samples.
    pub(super) fn len(&self) -> u32 {
        self.property.samples
    }

    /// True if all samples are the first.
    pub(super) fn is_constant(&self) -> bool {
        self.property.first_changed == 0 || self.property.samples <= 1
    }

    /// Number of samples in the file, without repeated ones at the start and at the end.
    pub(super) fn stored(&self) -> u64 {
        match (self.property.samples, self.is_constant()) {
            (0, _) => 0,
            (_, true) => 1,
            (_, false) => {
                let property = &self.property;
                u64::from(property.last_changed.saturating_sub(property.first_changed)) + 2
            }
        }
    }

    /// Children per sample: arrays also have their dimensions.
    fn stride(&self) -> u64 {
        match self.property.kind {
            Kind::Array => 2,
            _ => 1,
        }
    }

    /// Returns the index in the file of a sample, at most the last.
    pub(super) fn stored_index(&self, sample: u32) -> u64 {
        let Property {
            first_changed,
            last_changed,
            ..
        } = self.property;
        match self.is_constant() || sample < first_changed {
            true => 0,
            false => u64::from(sample.min(last_changed) - first_changed) + 1,
        }
    }

    /// Returns the first sample with an index in the file.
    pub(super) fn sample_of_stored(&self, stored: u64) -> u64 {
        match stored {
            0 => 0,
            _ => stored - 1 + u64::from(self.property.first_changed),
        }
    }

    /// Locates the sample with an index in the file, its digest included.
    pub(super) fn blob(&self, stored: u64) -> Read<Blob> {
        self.container
            .data_child(&self.group, stored * self.stride())
    }

    /// Returns the number of items in the sample with an index in the file.
    ///
    /// Dimensions are ignored: the library also counts the bytes where both differ.
    pub(super) fn items(&self, stored: u64) -> Read<u64> {
        let bytes = self.blob(stored)?.len.saturating_sub(KEY_BYTES);
        let item = self.item_bytes();
        match bytes.is_multiple_of(item) {
            true => Ok(bytes / item),
            false => Err(self.problem(format_args!(
                "sample {} has {bytes} bytes, expected a multiple of {item}",
                self.sample_of_stored(stored)
            ))),
        }
    }

    fn item_bytes(&self) -> u64 {
        self.property.pod.bytes() * u64::from(self.property.extent).max(1)
    }

    /// Checks that items have `extent` numbers.
    pub(super) fn check_extent(&self, extent: usize) -> Read<()> {
        match self.property.extent() == extent {
            true => Ok(()),
            false => Err(self.problem(format_args!(
                "has {} numbers per item, expected {extent}",
                self.property.extent
            ))),
        }
    }

    /// Passes every number of the sample with an index in the file to `visit`, as float64.
    pub(super) fn numbers(&self, stored: u64, mut visit: impl FnMut(f64)) -> Read<()> {
        macro_rules! visit_all {
            ($number:ty) => {
                self.chunks(stored, |bytes| {
                    for word in bytes.as_chunks::<{ size_of::<$number>() }>().0 {
                        visit(<$number>::from_le_bytes(*word) as f64);
                    }
                })
            };
        }
        match self.property.pod {
            Pod::U8 => visit_all!(u8),
            Pod::I8 => visit_all!(i8),
            Pod::U16 => visit_all!(u16),
            Pod::I16 => visit_all!(i16),
            Pod::U32 => visit_all!(u32),
            Pod::I32 => visit_all!(i32),
            Pod::U64 => visit_all!(u64),
            Pod::I64 => visit_all!(i64),
            Pod::F32 => visit_all!(f32),
            Pod::F64 => visit_all!(f64),
            Pod::Text | Pod::Other => Err(ReadError {
                kind: ErrorKind::Unsupported,
                ..self.problem("has an unsupported number type")
            }),
        }
    }

    /// Passes every item of the sample with an index in the file to `visit`.
    pub(super) fn vectors<const N: usize>(
        &self,
        stored: u64,
        mut visit: impl FnMut([f64; N]),
    ) -> Read<()> {
        self.check_extent(N)?;
        let (mut item, mut filled) = ([0.0; N], 0);
        self.numbers(stored, |number| {
            item[filled] = number;
            filled += 1;
            if filled == N {
                visit(item);
                filled = 0;
            }
        })
    }

    /// Reads the text of a sample of at most `limit` bytes.
    pub(super) fn text(&self, stored: u64, limit: u64) -> Read<String> {
        let blob = self.blob(stored)?;
        let len = blob.len.saturating_sub(KEY_BYTES);
        if self.property.pod != Pod::Text || len > limit {
            return Err(self.problem(format_args!(
                "has {len} bytes, expected text of at most {limit}"
            )));
        }
        let mut bytes = vec![0; len as usize];
        self.container.read(&blob, blob.len - len, &mut bytes)?;
        let end = bytes.iter().position(|byte| *byte == 0);
        bytes.truncate(end.unwrap_or(bytes.len()));
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// Returns the first sample that differs from sample 0; `None` if all are equal, even where the file has several.
    pub(super) fn first_difference(&self) -> Read<Option<u64>> {
        if self.stored() < 2 {
            return Ok(None);
        }
        let first = self.blob(0)?;
        let mut equal = first;
        for stored in 1..self.stored() {
            let blob = self.blob(stored)?;
            // Equal samples are written once, so that they are mostly the same bytes.
            if blob != equal && !self.is_equal(&first, &blob)? {
                return Ok(Some(self.sample_of_stored(stored)));
            }
            equal = blob;
        }
        Ok(None)
    }

    /// Compares the numbers of two samples.
    fn is_equal(&self, a: &Blob, b: &Blob) -> Read<bool> {
        if a.len != b.len {
            return Ok(false);
        }
        let mut buffers = [[0; 4096]; 2];
        let mut at = KEY_BYTES.min(a.len);
        while at < a.len {
            let len = (a.len - at).min(4096) as usize;
            let [from_a, from_b] = buffers.each_mut().map(|buffer| &mut buffer[..len]);
            self.container.read(a, at, from_a)?;
            self.container.read(b, at, from_b)?;
            if from_a != from_b {
                return Ok(false);
            }
            at += len as u64;
        }
        Ok(true)
    }

    /// Passes the bytes of a sample to `visit`, without its digest, in pieces of whole numbers.
    fn chunks(&self, stored: u64, mut visit: impl FnMut(&[u8])) -> Read<()> {
        let blob = self.blob(stored)?;
        let mut at = KEY_BYTES.min(blob.len);
        let mut buffer = vec![0; CHUNK_BYTES.min((blob.len - at) as usize)];
        while at < blob.len {
            let len = (blob.len - at).min(CHUNK_BYTES as u64) as usize;
            self.container.read(&blob, at, &mut buffer[..len])?;
            visit(&buffer[..len]);
            at += len as u64;
        }
        Ok(())
    }

    fn problem(&self, problem: impl std::fmt::Display) -> ReadError {
        ReadError::data(format_args!("property '{}' {problem}", self.property.name))
    }
}
