//! Hidden folders of this process, to be removed when a signal ends it.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard};

use super::staging::{DROPPED, NEW};
use super::system::{Disk, remove_tree};

/// Hidden folders whose new content is not in place yet.
static LIVE: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Held for reading while hidden folders appear, disappear or are put in place, and for writing once the process is to end.
static STEPS: RwLock<()> = RwLock::new(());

/// Removes the hidden folders of this process, which must then exit: writes that are under way never return.
///
/// Waits for content that is being put in place and for folders that are being created. Call it from another thread than
/// those that write.
pub fn clean_up() {
    std::mem::forget(STEPS.write().unwrap_or_else(PoisonError::into_inner));
    let live = lock();
    for folder in live.iter() {
        let (new, dropped) = (folder.join(NEW), folder.join(DROPPED));
        // Under another name, no file is added any more. What cannot be removed, the next write of the target removes.
        let _ = fs::rename(new, &dropped);
        let _ = remove_tree(&Disk, &dropped);
        let _ = super::staging::close(&Disk, folder);
    }
    std::mem::forget(live);
}

/// Keeps [`clean_up`] from running until the guard is dropped. Never returns once it runs. Guards must not nest.
pub(super) fn hold_off() -> RwLockReadGuard<'static, ()> {
    STEPS.read().unwrap_or_else(PoisonError::into_inner)
}

pub(super) fn register(folder: &Path) {
    lock().push(folder.to_owned());
}

pub(super) fn unregister(folder: &Path) {
    lock().retain(|live| live != folder);
}

fn lock() -> MutexGuard<'static, Vec<PathBuf>> {
    LIVE.lock().unwrap_or_else(PoisonError::into_inner)
}
