//! Bytes that are read by position: of a file, or in memory.

use std::fmt;
use std::fs::File;
use std::io;
use std::sync::Arc;
use std::time::SystemTime;

/// Bytes that are read by position, from any thread.
pub(crate) trait ByteSource: fmt::Debug + Send + Sync {
    /// Number of bytes when the source was opened. A file may have fewer by now.
    fn len(&self) -> u64;

    /// Fills `out` with the bytes from `offset` on.
    ///
    /// # Errors
    /// If there are not as many bytes, or the file can no longer be read.
    fn read_at(&self, offset: u64, out: &mut [u8]) -> io::Result<()>;

    /// Refuses a file that was written to since it was opened.
    fn check_unchanged(&self) -> io::Result<()> {
        Ok(())
    }
}

impl ByteSource for Arc<[u8]> {
    fn len(&self) -> u64 {
        self.as_ref().len() as u64
    }

    fn read_at(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let found = usize::try_from(offset)
            .ok()
            .and_then(|start| self.get(start..)?.get(..out.len()));
        match found {
            Some(bytes) => out.copy_from_slice(bytes),
            None => return Err(io::ErrorKind::UnexpectedEof.into()),
        }
        Ok(())
    }
}

/// A regular file that stays open.
#[derive(Debug)]
pub(crate) struct FileBytes {
    #[cfg(unix)]
    file: File,
    #[cfg(not(unix))]
    file: std::sync::Mutex<File>,
    len: u64,
    modified: Option<SystemTime>,
}

impl FileBytes {
    /// Reads from an open file of `len` bytes.
    pub(crate) fn new(file: File, len: u64) -> Self {
        let modified = modified(&file);
        #[cfg(not(unix))]
        let file = std::sync::Mutex::new(file);
        Self {
            file,
            len,
            modified,
        }
    }
}

fn modified(file: &File) -> Option<SystemTime> {
    file.metadata().and_then(|data| data.modified()).ok()
}

impl ByteSource for FileBytes {
    fn len(&self) -> u64 {
        self.len
    }

    #[cfg(unix)]
    fn read_at(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        std::os::unix::fs::FileExt::read_exact_at(&self.file, out, offset)
    }

    #[cfg(not(unix))]
    fn read_at(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        use std::io::{Read, Seek, SeekFrom};
        // The position is set before every read, so a panic of another thread left nothing invalid.
        let mut file = self
            .file
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        file.seek(SeekFrom::Start(offset))?;
        file.read_exact(out)
    }

    fn check_unchanged(&self) -> io::Result<()> {
        #[cfg(unix)]
        let file = &self.file;
        #[cfg(not(unix))]
        let file = &*self
            .file
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        match file.metadata()?.len() == self.len && modified(file) == self.modified {
            true => Ok(()),
            false => Err(io::Error::other("the file has changed since it was opened")),
        }
    }
}
