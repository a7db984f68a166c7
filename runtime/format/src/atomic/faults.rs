//! A file system that fails at a chosen operation, for tests.

use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use super::system::{Disk, FileSystem};

/// Event at the chosen operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The operation fails. Those after it succeed.
    Error,
    /// The process is killed: the operation and those after it do not happen.
    Kill,
    /// The machine stops: as [`Self::Kill`], and everything that was not flushed is undone.
    PowerLoss,
}

/// The file system of the machine with one fault. Nothing is flushed in fact.
#[derive(Debug, Clone)]
pub(crate) struct FaultyDisk(Arc<Mutex<State>>);

#[derive(Debug)]
struct State {
    fault: Fault,
    /// Operations before the fault.
    left: usize,
    has_happened: bool,
    has_exchange: bool,
    /// Changes that are not flushed, oldest first.
    pending: Vec<Change>,
}

#[derive(Debug)]
enum Change {
    Created(PathBuf),
    Written(PathBuf),
    Renamed {
        from: PathBuf,
        to: PathBuf,
        replaced: Option<Vec<u8>>,
    },
    Exchanged(PathBuf, PathBuf),
}

impl FaultyDisk {
    /// Fails at the operation after `operations` others.
    pub fn new(fault: Fault, operations: usize, has_exchange: bool) -> Self {
        Self(Arc::new(Mutex::new(State {
            fault,
            left: operations,
            has_happened: false,
            has_exchange,
            pending: Vec::new(),
        })))
    }

    /// True once the fault has happened.
    pub fn has_happened(&self) -> bool {
        self.0.lock().unwrap().has_happened
    }

    /// Counts an operation, and fails where it does not happen.
    fn step(&self) -> io::Result<()> {
        let mut state = self.0.lock().unwrap();
        if state.has_happened {
            return match state.fault {
                Fault::Error => Ok(()),
                Fault::Kill | Fault::PowerLoss => Err(io::Error::other("the process is dead")),
            };
        }
        if state.left > 0 {
            state.left -= 1;
            return Ok(());
        }
        state.has_happened = true;
        if state.fault == Fault::PowerLoss {
            while let Some(change) = state.pending.pop() {
                change.undo();
            }
        }
        Err(io::Error::other("an injected fault"))
    }

    fn remember(&self, change: Change) {
        self.0.lock().unwrap().pending.push(change);
    }

    fn forget(&self, is_flushed: impl Fn(&Change) -> bool) {
        let mut state = self.0.lock().unwrap();
        state.pending.retain(|change| !is_flushed(change));
    }

    /// Follows renamed folders in the changes that are not flushed.
    fn follow(&self, renames: &[(&Path, &Path)]) {
        let mut state = self.0.lock().unwrap();
        for change in &mut state.pending {
            let (Change::Created(path) | Change::Written(path)) = change else {
                continue;
            };
            let moved = renames.iter().find_map(|(from, to)| {
                let inside = path.strip_prefix(from).ok()?;
                Some(to.join(inside))
            });
            if let Some(moved) = moved {
                *path = moved;
            }
        }
    }
}

impl Change {
    fn undo(self) {
        match self {
            Self::Created(path) if path.is_dir() => fs::remove_dir_all(path).unwrap(),
            Self::Created(path) => {
                let _ = fs::remove_file(path);
            }
            Self::Written(path) => {
                if let Ok(file) = File::options().write(true).open(path) {
                    file.set_len(file.metadata().unwrap().len() / 2).unwrap();
                }
            }
            Self::Renamed { from, to, replaced } => {
                fs::rename(&to, from).unwrap();
                if let Some(bytes) = replaced {
                    fs::write(to, bytes).unwrap();
                }
            }
            Self::Exchanged(a, b) => Disk.exchange(&a, &b).unwrap(),
        }
    }
}

impl FileSystem for FaultyDisk {
    type File = FaultyFile;

    fn create_folder(&self, path: &Path) -> io::Result<()> {
        self.step()?;
        Disk.create_folder(path)?;
        self.remember(Change::Created(path.into()));
        Ok(())
    }

    fn create_file(&self, path: &Path) -> io::Result<FaultyFile> {
        self.step()?;
        let file = Disk.create_file(path)?;
        self.remember(Change::Created(path.into()));
        self.remember(Change::Written(path.into()));
        Ok(FaultyFile {
            file,
            path: path.into(),
            disk: self.clone(),
        })
    }

    fn open_lock(&self, path: &Path) -> io::Result<File> {
        self.step()?;
        let file = Disk.open_lock(path)?;
        self.remember(Change::Created(path.into()));
        Ok(file)
    }

    fn sync_file(&self, file: &FaultyFile) -> io::Result<()> {
        self.step()?;
        self.forget(|change| matches!(change, Change::Written(path) if *path == file.path));
        Ok(())
    }

    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        self.step()?;
        self.forget(|change| match change {
            Change::Created(path)
            | Change::Renamed { to: path, .. }
            | Change::Exchanged(_, path) => path.parent() == Some(folder),
            Change::Written(_) => false,
        });
        Ok(())
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.step()?;
        let replaced = fs::read(to).ok();
        Disk.rename(from, to)?;
        self.follow(&[(from, to)]);
        self.remember(Change::Renamed {
            from: from.into(),
            to: to.into(),
            replaced,
        });
        Ok(())
    }

    fn exchange(&self, a: &Path, b: &Path) -> io::Result<()> {
        self.step()?;
        if !self.0.lock().unwrap().has_exchange {
            return Err(io::ErrorKind::Unsupported.into());
        }
        Disk.exchange(a, b)?;
        self.follow(&[(a, b), (b, a)]);
        self.remember(Change::Exchanged(a.into(), b.into()));
        Ok(())
    }

    fn link(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.step()?;
        Disk.link(from, to)?;
        self.remember(Change::Created(to.into()));
        Ok(())
    }

    fn remove_file(&self, path: &Path) -> io::Result<()> {
        self.step()?;
        Disk.remove_file(path)
    }

    fn remove_folder(&self, path: &Path) -> io::Result<()> {
        self.step()?;
        Disk.remove_folder(path)
    }
}

/// A file of a [`FaultyDisk`]. A write that fails writes half of its bytes.
#[derive(Debug)]
pub(crate) struct FaultyFile {
    file: File,
    path: PathBuf,
    disk: FaultyDisk,
}

impl Write for FaultyFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let was_dead = self.disk.has_happened();
        if let Err(error) = self.disk.step() {
            if !was_dead {
                self.file.write_all(&bytes[..bytes.len() / 2])?;
            }
            return Err(error);
        }
        self.disk.remember(Change::Written(self.path.clone()));
        self.file.write_all(bytes)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seek for FaultyFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}
