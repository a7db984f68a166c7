//! The Ogawa container: groups of children, and data. Nothing is kept in memory.
//!
//! A file begins with `Ogawa`, a byte that is 0xff once the file is complete, a version, and the offset of the root group.
//! A group is a count and as many offsets; the top bit of an offset marks data. Data is a size and as many bytes. An offset
//! of zero is an empty group or empty data. All numbers are little-endian and of 64 bits.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::bytes::ByteSource;
use crate::error::{ErrorKind, Fault};
use crate::limits::{ALEMBIC_BASE_WORK, ALEMBIC_READ_WORK, ALEMBIC_WORK_PER_FILE_BYTE};

/// Marks an offset of data.
const DATA_BIT: u64 = 1 << 63;

const HEADER_BYTES: u64 = 16;

/// Something that cannot be read, without the object that it belongs to.
#[derive(Debug, Clone)]
pub(super) struct ReadError {
    pub kind: ErrorKind,
    pub problem: String,
    pub remedy: Option<String>,
}

/// Result of reading a part of a file.
pub(super) type Read<T> = Result<T, ReadError>;

impl ReadError {
    /// Creates an error of kind [`ErrorKind::Container`].
    pub(super) fn container(problem: impl fmt::Display) -> Self {
        Self::new(ErrorKind::Container, problem)
    }

    /// Creates an error of kind [`ErrorKind::Data`].
    pub(super) fn data(problem: impl fmt::Display) -> Self {
        Self::new(ErrorKind::Data, problem)
    }

    pub(super) fn new(kind: ErrorKind, problem: impl fmt::Display) -> Self {
        Self {
            kind,
            problem: problem.to_string(),
            remedy: None,
        }
    }

    /// Creates an error of kind [`ErrorKind::Limit`]; `name` is the constant in [`crate::limits`].
    pub(super) fn limit(problem: impl fmt::Display, name: &str, limit: impl fmt::Display) -> Self {
        Self {
            remedy: Some(format!("the limit {name} is {limit}")),
            ..Self::new(ErrorKind::Limit, problem)
        }
    }

    /// Replaces the remedy.
    pub(super) fn remedy(mut self, remedy: &str) -> Self {
        self.remedy = Some(remedy.to_owned());
        self
    }

    /// Names the object.
    pub(super) fn of(self, object: impl Into<String>) -> Fault {
        let fault = Fault::new(self.kind, object, self.problem);
        match self.remedy {
            Some(remedy) => fault.remedy(remedy),
            None => fault,
        }
    }
}

/// An open container.
#[derive(Debug, Clone)]
pub(super) struct Container {
    source: Arc<dyn ByteSource>,
    len: u64,
    /// Work of all reads so far, of all clones; `None` where it is not limited.
    work: Option<Arc<AtomicU64>>,
}

/// A group. The list of its children is within the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Group {
    offset: u64,
    count: u64,
}

/// Offset of a child of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Child {
    /// Offset of a group; 0 is an empty one.
    Group(u64),
    /// Offset of data; 0 is empty.
    Data(u64),
}

/// Data within the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Blob {
    /// Offset of the first byte.
    pub start: u64,
    /// Number of bytes.
    pub len: u64,
}

impl Group {
    /// Group without children.
    pub(super) const EMPTY: Self = Self {
        offset: 0,
        count: 0,
    };

    /// Number of children.
    pub(super) fn len(&self) -> u64 {
        self.count
    }
}

impl Container {
    /// Opens a file and returns its root group.
    pub(super) fn open(source: Arc<dyn ByteSource>) -> Read<(Self, Group)> {
        let len = source.len();
        let container = Self {
            source,
            len,
            work: Some(Arc::default()),
        };
        let mut header = [0; HEADER_BYTES as usize];
        let known = len.min(HEADER_BYTES) as usize;
        container.read_at(0, &mut header[..known])?;
        if header.starts_with(b"\x89HDF\r\n\x1a\n") {
            let problem = "is an Alembic file in an HDF5 container";
            return Err(ReadError::new(ErrorKind::Unsupported, problem)
                .remedy("re-export it as Ogawa, the default of Alembic 1.5 and newer"));
        }
        if !header.starts_with(b"Ogawa") || known < header.len() {
            let problem = "invalid Alembic: the file does not begin with the header of Ogawa";
            return Err(ReadError::container(problem).remedy("check that this is an Alembic file"));
        }
        if header[5] != 0xff {
            let problem = "invalid Alembic: the file is not complete";
            return Err(ReadError::container(problem)
                .remedy("the program that wrote it did not finish: export it again"));
        }
        let version = u16::from_be_bytes([header[6], header[7]]);
        if version != 1 {
            return Err(ReadError::new(
                ErrorKind::Unsupported,
                format_args!("unsupported Ogawa version {version}; expected 1"),
            ));
        }
        let mut root = [0; 8];
        root.copy_from_slice(&header[8..]);
        let root = container.group(u64::from_le_bytes(root))?;
        Ok((container, root))
    }

    /// Returns the container without a limit of work, for frames that are read when they are asked for.
    pub(super) fn unlimited(&self) -> Self {
        Self {
            work: None,
            ..self.clone()
        }
    }

    /// Refuses a file that was written to since it was opened.
    pub(super) fn check_unchanged(&self) -> Read<()> {
        self.source
            .check_unchanged()
            .map_err(|error| unreadable(&error))
    }

    /// Counts work. Reads of one thread keep the limit exactly.
    pub(super) fn count_work(&self, added: u64) -> Read<()> {
        let Some(work) = &self.work else {
            return Ok(());
        };
        let done = work.load(Ordering::Relaxed).saturating_add(added);
        work.store(done, Ordering::Relaxed);
        match done <= self.work_limit() {
            true => Ok(()),
            false => Err(ReadError::limit(
                format_args!(
                    "takes more work to read than a file of {} bytes may",
                    self.len
                ),
                "ALEMBIC_BASE_WORK + ALEMBIC_WORK_PER_FILE_BYTE × file size",
                self.work_limit(),
            )),
        }
    }

    fn work_limit(&self) -> u64 {
        let per_byte = ALEMBIC_WORK_PER_FILE_BYTE.saturating_mul(self.len);
        ALEMBIC_BASE_WORK.saturating_add(per_byte)
    }

    /// Returns the work that is left before the limit.
    pub(super) fn work_left(&self) -> u64 {
        match &self.work {
            Some(work) => self
                .work_limit()
                .saturating_sub(work.load(Ordering::Relaxed)),
            None => u64::MAX,
        }
    }

    /// Size of the file, in bytes.
    pub(super) fn len(&self) -> u64 {
        self.len
    }

    /// Reads the group at an offset.
    pub(super) fn group(&self, offset: u64) -> Read<Group> {
        if offset == 0 {
            return Ok(Group::EMPTY);
        }
        let count = self.word(offset)?;
        let fits = count
            .checked_mul(8)
            .and_then(|bytes| offset.checked_add(8)?.checked_add(bytes))
            .is_some_and(|end| end <= self.len);
        match fits {
            true => Ok(Group { offset, count }),
            false => Err(ReadError::container(format_args!(
                "a group of {count} children at byte {offset} exceeds the file of {} bytes",
                self.len
            ))),
        }
    }

    /// Reads the offset of a child.
    pub(super) fn child(&self, group: &Group, index: u64) -> Read<Child> {
        if index >= group.count {
            return Err(ReadError::container(format_args!(
                "a group at byte {} has {} children, expected more than {index}",
                group.offset, group.count
            )));
        }
        let word = self.word(group.offset + 8 + 8 * index)?;
        Ok(match word & DATA_BIT {
            0 => Child::Group(word),
            _ => Child::Data(word & !DATA_BIT),
        })
    }

    /// Reads the offset of a child that is a group.
    pub(super) fn group_child(&self, group: &Group, index: u64) -> Read<u64> {
        match self.child(group, index)? {
            Child::Group(offset) => Ok(offset),
            Child::Data(offset) => Err(ReadError::container(format_args!(
                "found data at byte {offset}, expected a group"
            ))),
        }
    }

    /// Locates a child that is data.
    pub(super) fn data_child(&self, group: &Group, index: u64) -> Read<Blob> {
        match self.child(group, index)? {
            Child::Data(offset) => self.blob(offset),
            Child::Group(offset) => Err(ReadError::container(format_args!(
                "found a group at byte {offset}, expected data"
            ))),
        }
    }

    /// Locates the data at an offset.
    fn blob(&self, offset: u64) -> Read<Blob> {
        if offset == 0 {
            return Ok(Blob { start: 0, len: 0 });
        }
        let len = self.word(offset)?;
        let start = offset + 8;
        match start.checked_add(len).is_some_and(|end| end <= self.len) {
            true => Ok(Blob { start, len }),
            false => Err(ReadError::container(format_args!(
                "data of {len} bytes at byte {offset} exceeds the file of {} bytes",
                self.len
            ))),
        }
    }

    /// Reads bytes of data from `offset` in it on.
    pub(super) fn read(&self, blob: &Blob, offset: u64, out: &mut [u8]) -> Read<()> {
        let end = offset.checked_add(out.len() as u64);
        if end.is_none_or(|end| end > blob.len) {
            return Err(ReadError::container(format_args!(
                "data at byte {} has {} bytes, expected {}",
                blob.start,
                blob.len,
                end.unwrap_or(u64::MAX)
            )));
        }
        self.read_at(blob.start + offset, out)
    }

    /// Reads all bytes of data. The caller has checked its size.
    pub(super) fn read_all(&self, blob: &Blob) -> Read<Vec<u8>> {
        let mut bytes = vec![0; blob.len as usize];
        self.read_at(blob.start, &mut bytes)?;
        Ok(bytes)
    }

    fn word(&self, offset: u64) -> Read<u64> {
        let mut word = [0; 8];
        self.read_at(offset, &mut word)?;
        Ok(u64::from_le_bytes(word))
    }

    fn read_at(&self, offset: u64, out: &mut [u8]) -> Read<()> {
        let end = offset.checked_add(out.len() as u64);
        if end.is_none_or(|end| end > self.len) {
            return Err(ReadError::container(format_args!(
                "{} bytes at byte {offset} exceed the file of {} bytes",
                out.len(),
                self.len
            )));
        }
        self.count_work(ALEMBIC_READ_WORK.saturating_add(out.len() as u64))?;
        self.source
            .read_at(offset, out)
            .map_err(|error| unreadable(&error))
    }
}

fn unreadable(error: &std::io::Error) -> ReadError {
    ReadError::new(ErrorKind::Io, format_args!("cannot be read: {error}"))
}
