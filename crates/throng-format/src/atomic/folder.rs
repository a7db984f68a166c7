//! Folders that appear whole.

use std::ffi::OsString;
use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tempfile::{Builder, TempDir};

use super::{AtomicError, PREFIX, parent_of};

/// A temporary folder of this age is of a process that was killed: no one writes a set for so long.
const STALE_AGE: Duration = Duration::from_secs(24 * 60 * 60);

/// Letters and digits at the end of a temporary folder's name.
const RANDOM_CHARS: usize = 6;

/// A hidden folder that becomes its target, with all that is in it, or nothing.
///
/// It is gone when it is dropped before [`Self::commit`].
#[derive(Debug)]
pub struct AtomicFolder {
    /// As the caller names it, for errors.
    name: PathBuf,
    /// Where it goes: what a link points to, not the link.
    target: PathBuf,
    temporary: TempDir,
}

impl AtomicFolder {
    /// Makes a hidden folder beside the target, where there may be a folder already.
    ///
    /// Removes what killed processes left there of the same target, more than a day ago.
    pub fn create(target: &Path) -> Result<Self, AtomicError> {
        let name = target.to_owned();
        let target = followed(target).map_err(AtomicError::write(&name))?;
        if target.file_name().is_none() {
            return Err(AtomicError::NoName { path: name });
        }
        let parent = parent_of(&target)?;
        if is_something(&target) && !target.is_dir() {
            return Err(AtomicError::NotAFolder { path: name });
        }
        remove_stale(parent, &prefix(&target));
        let temporary = hidden_folder(&target).map_err(AtomicError::write(&name))?;
        Ok(Self {
            name,
            target,
            temporary,
        })
    }

    /// Where to write what belongs in the folder.
    pub fn path(&self) -> &Path {
        self.temporary.path()
    }

    /// Renames the folder to its target.
    ///
    /// A folder that is there already is replaced where it is empty, or where `replaces` says of its path that
    /// it is ours to remove: it is renamed away, and removed when the new one is in its place. For that moment
    /// the target does not exist; it never is half of one and half of the other.
    pub fn commit(self, replaces: impl Fn(&Path) -> bool) -> Result<(), AtomicError> {
        let Self {
            name,
            target,
            temporary,
        } = self;
        let failed = AtomicError::write(&name);
        sync_files(temporary.path()).map_err(&failed)?;
        if !is_something(&target) {
            fs::rename(temporary.path(), &target).map_err(&failed)?;
        } else if !target.is_dir() {
            return Err(AtomicError::NotAFolder { path: name.clone() });
        } else if is_empty(&target).map_err(&failed)? || replaces(&target) {
            replace(temporary.path(), &target).map_err(&failed)?;
        } else {
            return Err(AtomicError::NotOurs { path: name.clone() });
        }
        // It is the target now, and nothing is left to remove.
        let _ = temporary.keep();
        Ok(())
    }
}

/// Puts a folder in the place of another, which is removed; or puts the other back.
fn replace(new: &Path, target: &Path) -> io::Result<()> {
    let aside = hidden_folder(target)?;
    let old = aside.path().join("old");
    fs::rename(target, &old)?;
    if let Err(error) = fs::rename(new, target) {
        if fs::rename(&old, target).is_err() {
            // What was there is worth more than a tidy folder.
            let _ = aside.keep();
        }
        return Err(error);
    }
    Ok(())
}

fn hidden_folder(target: &Path) -> io::Result<TempDir> {
    let parent = target.parent().unwrap_or(Path::new(""));
    Builder::new()
        .prefix(&prefix(target))
        .rand_bytes(RANDOM_CHARS)
        .tempdir_in(parent)
        // The error names the temporary folder, which is nothing to the user.
        .map_err(|error| error.kind().into())
}

/// What the names of a target's temporary folders begin with.
fn prefix(target: &Path) -> OsString {
    let mut prefix = OsString::from(PREFIX);
    prefix.push(target.file_name().unwrap_or_default());
    prefix.push("-");
    prefix
}

/// Removes old temporary folders. What cannot be removed stays: it does no harm.
fn remove_stale(parent: &Path, prefix: &OsString) {
    let Ok(entries) = fs::read_dir(parent) else {
        return;
    };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let random = name
            .as_encoded_bytes()
            .strip_prefix(prefix.as_encoded_bytes());
        // A target called `a-b` has folders that begin as those of `a` do, but not such an end.
        let ours = random.is_some_and(|random| {
            random.len() == RANDOM_CHARS && random.iter().all(u8::is_ascii_alphanumeric)
        });
        if ours && is_stale(&entry) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

fn is_stale(entry: &fs::DirEntry) -> bool {
    let age = entry
        .metadata()
        .and_then(|metadata| metadata.modified())
        .map(|time| time.elapsed().unwrap_or_default());
    age.is_ok_and(|age| age > STALE_AGE)
}

/// Puts the files on the disk before the folder's name says that they are there.
fn sync_files(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        if kind.is_dir() {
            sync_files(&entry.path())?;
        } else if kind.is_file() {
            let file = OpenOptions::new().write(true).open(entry.path())?;
            file.sync_all()?;
        }
    }
    Ok(())
}

/// What a link points to, and otherwise the path, without a slash at its end.
fn followed(path: &Path) -> io::Result<PathBuf> {
    let path: PathBuf = path.components().collect();
    if path.is_symlink() {
        path.canonicalize()
    } else {
        Ok(path)
    }
}

fn is_something(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

fn is_empty(folder: &Path) -> io::Result<bool> {
    Ok(fs::read_dir(folder)?.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{File, FileTimes};
    use std::time::SystemTime;

    fn names_in(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    /// A folder with a file of this text.
    fn filled(target: &Path, text: &str) -> AtomicFolder {
        let folder = AtomicFolder::create(target).unwrap();
        fs::write(folder.path().join("a.txt"), text).unwrap();
        folder
    }

    fn text_in(target: &Path) -> String {
        assert_eq!(names_in(target), ["a.txt"]);
        fs::read_to_string(target.join("a.txt")).unwrap()
    }

    fn never(_: &Path) -> bool {
        panic!("nothing to replace")
    }

    #[test]
    fn a_folder_appears_when_it_is_committed() {
        let home = tempfile::tempdir().unwrap();
        let target = home.path().join("set");
        let folder = filled(&target, "new");
        assert!(!target.exists());
        folder.commit(never).unwrap();
        assert_eq!(text_in(&target), "new");
        assert_eq!(names_in(home.path()), ["set"]);
    }

    #[test]
    fn a_folder_that_is_dropped_leaves_nothing() {
        let home = tempfile::tempdir().unwrap();
        let folder = filled(&home.path().join("set"), "new");
        assert_eq!(names_in(home.path()).len(), 1);
        assert!(names_in(home.path())[0].starts_with('.'), "hidden");
        drop(folder);
        assert!(names_in(home.path()).is_empty());
    }

    #[test]
    fn ours_is_replaced_whole() {
        let home = tempfile::tempdir().unwrap();
        let target = home.path().join("set");
        filled(&target, "old").commit(never).unwrap();
        fs::rename(target.join("a.txt"), target.join("b.txt")).unwrap();
        let asked = |path: &Path| path.join("b.txt").exists();
        filled(&target, "new").commit(asked).unwrap();
        assert_eq!(text_in(&target), "new");
        assert_eq!(names_in(home.path()), ["set"]);
    }

    #[test]
    fn an_empty_folder_is_replaced_without_asking() {
        let home = tempfile::tempdir().unwrap();
        let target = home.path().join("set");
        fs::create_dir(&target).unwrap();
        filled(&target, "new").commit(never).unwrap();
        assert_eq!(text_in(&target), "new");
        assert_eq!(names_in(home.path()), ["set"]);
    }

    #[test]
    fn what_is_not_ours_stays() {
        let home = tempfile::tempdir().unwrap();
        let target = home.path().join("set");
        fs::create_dir(&target).unwrap();
        fs::write(target.join("a.txt"), "theirs").unwrap();
        let error = filled(&target, "new").commit(|_| false).unwrap_err();
        let expected = format!(
            "cannot replace {}: the folder holds something else: choose another name, or empty it first",
            target.display()
        );
        assert_eq!(error.to_string(), expected);
        assert_eq!(text_in(&target), "theirs");
        assert_eq!(names_in(home.path()), ["set"]);
    }

    #[test]
    fn a_file_of_that_name_stays() {
        let home = tempfile::tempdir().unwrap();
        let target = home.path().join("set");
        fs::write(&target, "theirs").unwrap();
        let error = AtomicFolder::create(&target).unwrap_err();
        assert!(matches!(error, AtomicError::NotAFolder { .. }), "{error}");
        fs::remove_file(&target).unwrap();
        // It may come later, too.
        let folder = filled(&target, "new");
        fs::write(&target, "theirs").unwrap();
        let error = folder.commit(|_| true).unwrap_err();
        assert!(matches!(error, AtomicError::NotAFolder { .. }), "{error}");
        assert_eq!(fs::read_to_string(&target).unwrap(), "theirs");
        assert_eq!(names_in(home.path()), ["set"]);
    }

    #[test]
    fn a_missing_folder_is_named_with_its_remedy() {
        let home = tempfile::tempdir().unwrap();
        let error = AtomicFolder::create(&home.path().join("none/set")).unwrap_err();
        assert!(matches!(error, AtomicError::NoFolder { .. }), "{error}");
        assert!(names_in(home.path()).is_empty());
    }

    #[test]
    fn a_path_without_a_name_is_refused() {
        for path in ["", ".", "..", "/", "set/.."] {
            let error = AtomicFolder::create(Path::new(path)).unwrap_err();
            assert!(matches!(error, AtomicError::NoName { .. }), "{error}");
        }
    }

    #[test]
    fn errors_name_the_target_and_not_the_temporary_folder() {
        let home = tempfile::tempdir().unwrap();
        let target = home.path().join("n".repeat(5000));
        let error = AtomicFolder::create(&target).unwrap_err();
        assert!(matches!(error, AtomicError::Write { .. }), "{error}");
        assert!(!error.to_string().contains(PREFIX), "{error}");
    }

    /// A temporary folder as a killed process leaves it.
    fn left_behind(home: &Path, name: &str, age: Duration) {
        let path = home.join(name);
        fs::create_dir(&path).unwrap();
        fs::write(path.join("a.txt"), "half").unwrap();
        let times = FileTimes::new().set_modified(SystemTime::now() - age);
        File::open(&path).unwrap().set_times(times).unwrap();
    }

    #[test]
    #[cfg(unix)] // Folders cannot be opened to set their times elsewhere.
    fn what_killed_processes_left_is_removed_when_it_is_old() {
        let home = tempfile::tempdir().unwrap();
        let old = STALE_AGE + Duration::from_secs(60);
        let new = STALE_AGE - Duration::from_secs(60);
        left_behind(home.path(), ".throng-set-abc123", old);
        let stay = [
            (".throng-set-ABC123", new),   // May still be written.
            (".throng-set-b-abc123", old), // Of `set-b`.
            (".throng-settle-abcde", old), // Of nothing that we know.
            (".throng-set-abc12", old),
            ("throng-set-abc123", old),
        ];
        for (name, age) in stay {
            left_behind(home.path(), name, age);
        }
        filled(&home.path().join("set"), "new")
            .commit(never)
            .unwrap();
        let mut expected: Vec<&str> = stay.iter().map(|(name, _)| *name).collect();
        expected.push("set");
        expected.sort_unstable();
        assert_eq!(names_in(home.path()), expected);
    }

    #[test]
    #[cfg(unix)]
    fn a_link_stays_and_what_it_points_to_is_replaced() {
        let home = tempfile::tempdir().unwrap();
        let (link, real) = (home.path().join("link"), home.path().join("real"));
        filled(&real, "old").commit(never).unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        for (path, text) in [(link.clone(), "new"), (link.join(""), "newer")] {
            filled(&path, text).commit(|_| true).unwrap();
            assert!(link.is_symlink());
            assert_eq!(text_in(&real), text);
        }
        assert_eq!(names_in(home.path()), ["link", "real"]);
    }

    #[test]
    #[cfg(unix)]
    fn the_permissions_are_those_of_any_new_folder() {
        use std::os::unix::fs::PermissionsExt;
        let home = tempfile::tempdir().unwrap();
        let (ours, plain) = (home.path().join("ours"), home.path().join("plain"));
        filled(&ours, "new").commit(never).unwrap();
        fs::create_dir(&plain).unwrap();
        let mode = |path| fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(ours), mode(plain));
    }
}
