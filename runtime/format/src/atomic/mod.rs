//! Atomic writes of files and folders.
//!
//! New content is prepared in a hidden folder `.throng-NAME` next to the target `NAME` (`staging`) and takes the name
//! of the target once it is complete and on disk. Readers see the old content or all of the new.
//!
//! **Folders.** Two folders change places in one step: `renameat2` with `RENAME_EXCHANGE` on Linux, `renameatx_np` on
//! macOS. Where the system or the file system has no exchange, the old folder is renamed into the hidden folder and the
//! new one takes its name; a process that is killed between these two steps leaves no folder of that name. Files of the
//! old folder that are not part of it by its listing stay: they are linked into the new folder before the exchange
//! (`carry`).
//!
//! **Leftovers.** A hidden folder holds a lock while its process lives. The next write of the same target finds a hidden
//! folder without a lock, puts an old folder back that has no replacement, and removes the rest. [`clean_up`] removes
//! the hidden folders of a process that is about to end.

mod carry;
mod error;
#[cfg(test)]
mod faults;
mod file;
mod folder;
mod interrupt;
mod leftovers;
mod staging;
mod system;

pub use error::AtomicError;
pub use file::write_file;
pub(crate) use folder::AtomicFolder;
pub use interrupt::clean_up;
pub(crate) use leftovers::recover_leftover;
pub use staging::leftover_of;
pub(crate) use system::{Disk, FileSystem};

#[cfg(test)]
pub(crate) use faults::{Fault, FaultyDisk};

/// Prefix of the names of hidden folders.
const PREFIX: &str = ".throng-";

/// Names of a folder's own files, which a new folder replaces; `None` for a folder that may not be replaced.
///
/// The files are removed in this order. What is needed to list them must come last.
pub(crate) type Listing = fn(&std::path::Path) -> Option<Vec<std::ffi::OsString>>;
