//! Hidden folders that killed processes left.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use super::staging::{DROPPED, LOCK, NEW, OLD, Staging, Target};
use super::system::{Disk, exists};
use super::{AtomicError, Listing, PREFIX};

/// Returns the target of a hidden folder: the file or folder beside it that was being written. `None` for any other folder:
/// one of another name, a symbolic link, or one with entries that no write creates.
pub(crate) fn target_of_leftover(folder: &Path) -> Option<PathBuf> {
    let name = folder.file_name()?.to_str()?.strip_prefix(PREFIX)?;
    let is_ours = |name: &OsStr| [LOCK, NEW, OLD, DROPPED].iter().any(|ours| name == *ours);
    if name.is_empty() || !folder.symlink_metadata().ok()?.is_dir() {
        return None;
    }
    for entry in fs::read_dir(folder).ok()? {
        let entry = entry.ok()?;
        let is_link = entry.file_type().ok()?.is_symlink();
        if is_link || !is_ours(&entry.file_name()) {
            return None;
        }
    }
    let target = folder.with_file_name(name);
    (!target.is_symlink()).then_some(target)
}

/// Recovers a hidden folder of a killed process as the next write of its target would: an old folder without a replacement
/// gets its name back, everything else is removed. Returns false where it is no such folder, or a living process holds it.
pub(crate) fn recover_leftover(folder: &Path, listing: Listing) -> Result<bool, AtomicError> {
    let Some(path) = target_of_leftover(folder) else {
        return Ok(false);
    };
    match Staging::open(Disk, &Target::new(&path)?, listing) {
        // Dropping it removes the folder.
        Ok(staging) => drop(staging),
        Err(AtomicError::Busy { .. }) => return Ok(false),
        Err(error) => return Err(error),
    }
    Ok(!exists(folder))
}

#[cfg(test)]
mod tests {
    use std::fs::File;

    use super::*;

    fn recover(folder: &Path) -> bool {
        recover_leftover(folder, |_| Some(vec!["own".into()])).unwrap()
    }

    #[test]
    fn incomplete_content_is_removed() {
        let temporary = tempfile::tempdir().unwrap();
        let hidden = temporary.path().join(".throng-set");
        fs::create_dir_all(hidden.join(NEW)).unwrap();
        fs::write(hidden.join(NEW).join("half"), "x").unwrap();
        fs::write(hidden.join(LOCK), "").unwrap();
        assert!(recover(&hidden));
        assert_eq!(fs::read_dir(temporary.path()).unwrap().count(), 0);
    }

    #[test]
    fn old_folder_gets_its_name_back() {
        let temporary = tempfile::tempdir().unwrap();
        let hidden = temporary.path().join(".throng-set");
        fs::create_dir_all(hidden.join(OLD)).unwrap();
        fs::write(hidden.join(OLD).join("own"), "x").unwrap();
        assert!(recover(&hidden));
        assert!(temporary.path().join("set/own").is_file());
        assert!(!hidden.exists());
    }

    #[test]
    fn folder_of_a_living_process_stays() {
        let temporary = tempfile::tempdir().unwrap();
        let hidden = temporary.path().join(".throng-set");
        fs::create_dir_all(hidden.join(NEW)).unwrap();
        let lock = File::create(hidden.join(LOCK)).unwrap();
        lock.lock().unwrap();
        assert!(!recover(&hidden));
        assert!(hidden.join(NEW).is_dir());
    }

    #[test]
    fn folder_of_the_user_stays() {
        let temporary = tempfile::tempdir().unwrap();
        let hidden = temporary.path().join(".throng-set");
        fs::create_dir_all(hidden.join(NEW)).unwrap();
        fs::write(hidden.join("notes.txt"), "x").unwrap();
        assert!(!recover(&hidden));
        assert!(hidden.join("notes.txt").is_file());
        let other = temporary.path().join("other");
        fs::create_dir_all(other.join(NEW)).unwrap();
        assert!(!recover(&other));
        #[cfg(unix)]
        {
            let link = temporary.path().join(".throng-link");
            std::os::unix::fs::symlink(&other, &link).unwrap();
            assert!(!recover(&link));
        }
        assert!(other.join(NEW).is_dir());
    }
}
