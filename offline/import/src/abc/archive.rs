//! The archive: time samplings, metadata, and the headers of objects and properties.

use std::sync::Arc;

use super::bytes::ByteSource;
use super::metadata::Metadata;
use super::ogawa::{Child, Container, Group, Read, ReadError};
use super::property::{Compound, Property, Samples};
use super::time_sampling::TimeSampling;
use crate::error::ErrorKind;
use crate::limits::{Budget, MAX_CACHE_FRAMES, OverBudget};

/// Largest size of the indexed metadata, in bytes: 256 entries of less than 256 bytes.
const MAX_INDEXED_METADATA: u64 = 1 << 16;

/// Memory of a property besides its name and metadata, in bytes.
const PROPERTY_BYTES: u64 = 160;

/// An open Alembic file.
#[derive(Debug)]
pub(super) struct Archive {
    pub container: Container,
    /// Memory that headers and decoded arrays may take.
    pub budget: Budget,
    /// Program that wrote the file.
    pub application: Option<String>,
    /// Group of the top object.
    pub top: u64,
    time_samplings: Vec<TimeSampling>,
    indexed_metadata: Vec<Metadata>,
}

/// Header of an object.
#[derive(Debug)]
pub(super) struct ObjectHeader {
    pub name: String,
    pub metadata: Metadata,
    /// Group of the object.
    pub group: u64,
}

impl Archive {
    /// Opens a file, and reads time samplings and metadata.
    pub(super) fn open(source: Arc<dyn ByteSource>) -> Read<Self> {
        let budget = Budget::for_file(source.len());
        let (container, root) = Container::open(source)?;
        let int = |index| {
            let blob = container.data_child(&root, index)?;
            let mut bytes = [0; 4];
            container.read(&blob, 0, &mut bytes)?;
            Read::Ok(i32::from_le_bytes(bytes))
        };
        let version = int(0)?;
        if version != 0 {
            return Err(unsupported_version(version));
        }
        let library = int(1)?;
        if library < 9999 {
            return Err(unsupported_version(library));
        }
        let top = container.group_child(&root, 2)?;
        let bytes_of = |index, limit| {
            let blob = container.data_child(&root, index)?;
            if blob.len > limit {
                return Err(ReadError::container(format_args!(
                    "entry {index} of the archive has {} bytes, expected at most {limit}",
                    blob.len
                )));
            }
            charge(&budget, blob.len, 2)?;
            container.read_all(&blob)
        };
        let metadata = Metadata::from_bytes(&bytes_of(3, MAX_INDEXED_METADATA)?);
        let time_samplings = TimeSampling::parse_all(&bytes_of(4, u64::MAX)?)?;
        let indexed_metadata = parse_indexed(&bytes_of(5, MAX_INDEXED_METADATA)?)?;
        let application = metadata.get("_ai_Application").map(str::to_owned);
        Ok(Self {
            container,
            budget,
            application: application.filter(|name| !name.is_empty()),
            top,
            time_samplings,
            indexed_metadata,
        })
    }

    /// Charges memory to the budget of the file, before it is allocated.
    pub(super) fn charge(&self, count: u64, size: u64) -> Read<()> {
        charge(&self.budget, count, size)
    }

    /// Returns the times of the samples of a property.
    pub(super) fn times(&self, property: &Property) -> Read<Arc<[f64]>> {
        let samples = property.samples as usize;
        if samples > MAX_CACHE_FRAMES {
            return Err(ReadError::limit(
                format_args!("property '{}' has {samples} samples", property.name),
                "MAX_CACHE_FRAMES",
                MAX_CACHE_FRAMES,
            ));
        }
        self.charge(samples as u64, 16)?;
        let index = property.time_sampling as usize;
        let sampling = self.time_samplings.get(index).ok_or_else(|| {
            ReadError::container(format_args!(
                "property '{}' uses time sampling {index}, but there are {}",
                property.name,
                self.time_samplings.len()
            ))
        })?;
        let times = sampling.times(samples);
        times.map(Arc::from).map_err(|error| ReadError {
            problem: format!("property '{}' {}", property.name, error.problem),
            ..error
        })
    }

    /// Finds the samples of a property by name.
    pub(super) fn samples(&self, properties: &Compound, name: &str) -> Read<Option<Samples>> {
        let property = properties.find(name);
        let found = property.map(|property| Samples::new(&self.container, property));
        found.transpose()
    }

    /// Reads the headers of the children of an object.
    pub(super) fn children(&self, object: &Group) -> Read<Vec<ObjectHeader>> {
        let bytes = self.header_bytes(object)?;
        // The last 32 bytes are digests.
        let mut headers = Headers(bytes.get(..bytes.len().saturating_sub(32)).unwrap_or(&[]));
        let mut children = Vec::new();
        while !headers.0.is_empty() {
            let name = headers.word(4)?;
            let name = headers.name(name)?;
            let index = headers.word(1)? as u8;
            let metadata = match index {
                0xff => {
                    let len = headers.word(4)?;
                    headers.metadata(len, &self.budget)?
                }
                index => self.indexed(index)?,
            };
            self.charge(name.len() as u64 + PROPERTY_BYTES, 1)?;
            let group = self
                .container
                .group_child(object, children.len() as u64 + 1)?;
            children.push(ObjectHeader {
                name,
                metadata,
                group,
            });
        }
        Ok(children)
    }

    /// Reads the properties of an object.
    pub(super) fn properties(&self, object: &Group) -> Read<Compound> {
        match object.len() {
            0 => Ok(Compound::default()),
            _ => match self.container.child(object, 0)? {
                Child::Group(group) => self.compound(group),
                Child::Data(_) => Ok(Compound::default()),
            },
        }
    }

    /// Reads the property headers of the compound at an offset.
    pub(super) fn compound(&self, offset: u64) -> Read<Compound> {
        let group = self.container.group(offset)?;
        let bytes = self.header_bytes(&group)?;
        let mut headers = Headers(&bytes);
        let mut properties = Vec::new();
        while !headers.0.is_empty() {
            let index = properties.len() as u64;
            properties.push(self.property(&mut headers, &group, index)?);
        }
        Ok(Compound { properties })
    }

    fn property(&self, headers: &mut Headers, group: &Group, index: u64) -> Read<Property> {
        let info = headers.word(4)?;
        let hint = match (info >> 2) & 3 {
            0 => 1,
            1 => 2,
            2 => 4,
            _ => {
                return Err(ReadError::container(
                    "a property header has an invalid size",
                ));
            }
        };
        let mut property = Property::from_info(info)?;
        if !property.is_compound() {
            property.samples = headers.word(hint)?;
            (property.first_changed, property.last_changed) = match info {
                _ if info & 0x200 != 0 => (headers.word(hint)?, headers.word(hint)?),
                _ if info & 0x800 != 0 => (0, 0),
                _ => (1, property.samples.saturating_sub(1)),
            };
            if info & 0x100 != 0 {
                property.time_sampling = headers.word(hint)?;
            }
        }
        let name = headers.word(hint)?;
        property.name = headers.name(name)?;
        property.metadata = match (info >> 20) as u8 {
            0xff => {
                let len = headers.word(hint)?;
                headers.metadata(len, &self.budget)?
            }
            index => self.indexed(index)?,
        };
        self.charge(property.name.len() as u64 + PROPERTY_BYTES, 1)?;
        property.group = self.container.group_child(group, index)?;
        Ok(property)
    }

    /// Reads the headers of a group, which are its last child.
    fn header_bytes(&self, group: &Group) -> Read<Vec<u8>> {
        if group.len() == 0 {
            return Ok(Vec::new());
        }
        let last = group.len() - 1;
        if let Child::Group(_) = self.container.child(group, last)? {
            return Ok(Vec::new());
        }
        let blob = self.container.data_child(group, last)?;
        self.charge(blob.len, 1)?;
        self.container.read_all(&blob)
    }

    fn indexed(&self, index: u8) -> Read<Metadata> {
        let found = self.indexed_metadata.get(usize::from(index));
        found.cloned().ok_or_else(|| {
            ReadError::container(format_args!(
                "found metadata index {index}, but there are {}",
                self.indexed_metadata.len()
            ))
        })
    }
}

fn unsupported_version(version: i32) -> ReadError {
    ReadError::new(
        ErrorKind::Unsupported,
        format_args!("unsupported Alembic version {version}"),
    )
}

fn charge(budget: &Budget, count: u64, size: u64) -> Read<()> {
    budget
        .charge(count, size)
        .map_err(|OverBudget { wanted, total }| {
            ReadError::limit(
                format_args!("decodes to {wanted} bytes more"),
                "DECODED_BASE_BYTES + DECODED_BYTES_PER_FILE_BYTE × file size",
                total,
            )
        })
}

/// Parses the metadata that headers refer to by index. Index 0 is empty metadata.
fn parse_indexed(bytes: &[u8]) -> Read<Vec<Metadata>> {
    let mut found = vec![Metadata::default()];
    let mut headers = Headers(bytes);
    while !headers.0.is_empty() {
        let len = headers.word(1)?;
        found.push(Metadata::from_bytes(headers.take(len)?));
    }
    Ok(found)
}

/// Headers that are not yet parsed.
struct Headers<'a>(&'a [u8]);

impl<'a> Headers<'a> {
    fn take(&mut self, len: u32) -> Read<&'a [u8]> {
        let found = self.0.split_at_checked(len as usize);
        let (taken, rest) = found.ok_or_else(|| ReadError::container("a header is truncated"))?;
        self.0 = rest;
        Ok(taken)
    }

    /// Takes a number of 1, 2 or 4 bytes.
    fn word(&mut self, bytes: u32) -> Read<u32> {
        let mut word = [0; 4];
        let taken = self.take(bytes)?;
        word[..taken.len()].copy_from_slice(taken);
        Ok(u32::from_le_bytes(word))
    }

    fn name(&mut self, len: u32) -> Read<String> {
        use crate::limits::MAX_NAME_BYTES;
        let bytes = self.take(len)?;
        if bytes.len() > MAX_NAME_BYTES {
            let problem = format!("has a name of {len} bytes");
            return Err(ReadError::limit(problem, "MAX_NAME_BYTES", MAX_NAME_BYTES));
        }
        match bytes {
            [] => Err(ReadError::container("a header has an empty name")),
            _ => Ok(String::from_utf8_lossy(bytes).into_owned()),
        }
    }

    fn metadata(&mut self, len: u32, budget: &Budget) -> Read<Metadata> {
        charge(budget, u64::from(len), 2)?;
        Ok(Metadata::from_bytes(self.take(len)?))
    }
}
