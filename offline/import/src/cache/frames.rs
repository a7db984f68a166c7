//! Frames of a cache file, read when they are asked for.

use std::fmt;
use std::fs::File;
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use glam::Vec3;
use throng_rig::{VertexFrames, VertexFramesError};

use super::{CHUNK_BYTES, Header, mdd, open, pc2};
use crate::Warning;
use crate::error::{ErrorKind, Fault, ImportError, Outcome};

/// A PC2 or MDD file. Its header is checked, and frames are read when they are asked for.
pub struct PointCache {
    bytes: Mutex<Bytes>,
    header: Header,
    byte_order: ByteOrder,
    /// Factors of the axes, from the space of the file to that of the mesh.
    scale: Vec3,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ByteOrder {
    Little,
    Big,
}

enum Bytes {
    File {
        file: File,
        size: u64,
        modified: Option<SystemTime>,
    },
    Memory(Cursor<Vec<u8>>),
}

impl fmt::Debug for PointCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PointCache")
            .field("points", &self.header.points)
            .field("frames", &self.header.times_secs.len())
            .finish_non_exhaustive()
    }
}

impl PointCache {
    /// Opens a `.pc2` or `.mdd` file and checks its header against its size. `frames_per_sec` is that of PC2 files. Positions
    /// are in the space of the file.
    pub fn open(
        path: &Path,
        frames_per_sec: f64,
        warnings: &mut Vec<Warning>,
    ) -> Result<Self, ImportError> {
        Self::open_scaled(path, frames_per_sec, Vec3::ONE, warnings)
            .map_err(|fault| fault.in_file(&path.display().to_string()))
    }

    pub(super) fn open_scaled(
        path: &Path,
        frames_per_sec: f64,
        scale: Vec3,
        warnings: &mut Vec<Warning>,
    ) -> Outcome<Self> {
        let (file, size) = open(path)?;
        let modified = file.metadata().and_then(|data| data.modified()).ok();
        let extension = path.extension().unwrap_or_default();
        let is_pc2 = extension.eq_ignore_ascii_case("pc2");
        let bytes = Bytes::File {
            file,
            size,
            modified,
        };
        let cache = Self::new(bytes, size, is_pc2, frames_per_sec, scale)?;
        cache.report_left_over(&path.display(), size, warnings);
        Ok(cache)
    }

    /// Reads the bytes of a cache file: PC2 by its first bytes, otherwise MDD.
    pub fn from_bytes(
        source_name: &str,
        bytes: Vec<u8>,
        frames_per_sec: f64,
        warnings: &mut Vec<Warning>,
    ) -> Result<Self, ImportError> {
        let (size, is_pc2) = (bytes.len() as u64, bytes.starts_with(pc2::MAGIC));
        let bytes = Bytes::Memory(Cursor::new(bytes));
        let cache = Self::new(bytes, size, is_pc2, frames_per_sec, Vec3::ONE)
            .map_err(|fault| fault.in_file(source_name))?;
        cache.report_left_over(&source_name, size, warnings);
        Ok(cache)
    }

    fn report_left_over(&self, name: &dyn fmt::Display, size: u64, warnings: &mut Vec<Warning>) {
        let bytes = self.header.bytes_left_over(size);
        if bytes > 0 {
            let file = name.to_string();
            warnings.push(Warning::CacheBytesIgnored { file, bytes });
        }
    }

    fn new(
        mut bytes: Bytes,
        size: u64,
        is_pc2: bool,
        frames_per_sec: f64,
        scale: Vec3,
    ) -> Outcome<Self> {
        if !(frames_per_sec.is_finite() && frames_per_sec > 0.0) {
            let problem =
                format!("invalid frame rate {frames_per_sec}; expected a positive number");
            return Err(Fault::new(ErrorKind::Data, "", problem).remedy("pass another frame rate"));
        }
        let reader = &mut bytes;
        let header = match is_pc2 {
            true => pc2::read(reader, size, frames_per_sec)?,
            false => mdd::read(reader, size)?,
        };
        Ok(Self {
            bytes: Mutex::new(bytes),
            header,
            byte_order: match is_pc2 {
                true => ByteOrder::Little,
                false => ByteOrder::Big,
            },
            scale,
        })
    }

    fn read(&self, frame: usize, out: &mut Vec<Vec3>) -> io::Result<()> {
        let frame_bytes = 12 * self.header.points as u64;
        let mut bytes = self.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        bytes.check_unchanged()?;
        bytes.seek(SeekFrom::Start(
            self.header.first_byte + frame as u64 * frame_bytes,
        ))?;
        let mut buffer = vec![0; CHUNK_BYTES.min(frame_bytes as usize)];
        let mut left = self.header.points;
        while left > 0 {
            let count = left.min(CHUNK_BYTES / 12);
            let chunk = &mut buffer[..12 * count];
            bytes.read_exact(chunk)?;
            let (points, _) = chunk.as_chunks::<12>();
            out.extend(points.iter().map(|point| self.scale * self.position(point)));
            left -= count;
        }
        Ok(())
    }

    fn position(&self, bytes: &[u8; 12]) -> Vec3 {
        let number = |at: usize| {
            let bytes = [bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]];
            match self.byte_order {
                ByteOrder::Little => f32::from_le_bytes(bytes),
                ByteOrder::Big => f32::from_be_bytes(bytes),
            }
        };
        Vec3::new(number(0), number(4), number(8))
    }
}

impl VertexFrames for PointCache {
    fn point_count(&self) -> usize {
        self.header.points
    }

    fn times_secs(&self) -> &[f64] {
        &self.header.times_secs
    }

    fn read_positions(&self, frame: usize, out: &mut Vec<Vec3>) -> Result<(), VertexFramesError> {
        out.clear();
        let fault = |reason: String| VertexFramesError { frame, reason };
        if frame >= self.header.times_secs.len() {
            let frames = self.header.times_secs.len();
            return Err(fault(format!("the cache has {frames} frames")));
        }
        let read = self.read(frame, out);
        read.map_err(|error| fault(format!("cannot be read: {error}")))?;
        match out.iter().position(|position| !position.is_finite()) {
            Some(point) => Err(fault(format!(
                "the position of point {point} is not finite: export the cache again"
            ))),
            None => Ok(()),
        }
    }
}

impl Bytes {
    /// Refuses a file that was written to since it was opened.
    fn check_unchanged(&self) -> io::Result<()> {
        let Self::File {
            file,
            size,
            modified,
        } = self
        else {
            return Ok(());
        };
        let data = file.metadata()?;
        match data.len() == *size && data.modified().ok() == *modified {
            true => Ok(()),
            false => Err(io::Error::other("the file has changed since it was opened")),
        }
    }
}

impl Read for Bytes {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::File { file, .. } => file.read(buffer),
            Self::Memory(bytes) => bytes.read(buffer),
        }
    }
}

impl Seek for Bytes {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match self {
            Self::File { file, .. } => file.seek(to),
            Self::Memory(bytes) => bytes.seek(to),
        }
    }
}
