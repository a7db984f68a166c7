//! Commits, drops, rejections and leftovers of temporary folders.

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

/// A temporary folder with one file of this text.
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
    panic!("the target is not replaced")
}

#[test]
fn commit_creates_the_target() {
    let home = tempfile::tempdir().unwrap();
    let target = home.path().join("set");
    let folder = filled(&target, "new");
    assert!(!target.exists());
    folder.commit(never).unwrap();
    assert_eq!(text_in(&target), "new");
    assert_eq!(names_in(home.path()), ["set"]);
}

#[test]
fn drop_removes_the_temporary_folder() {
    let home = tempfile::tempdir().unwrap();
    let folder = filled(&home.path().join("set"), "new");
    assert_eq!(names_in(home.path()).len(), 1);
    assert!(names_in(home.path())[0].starts_with('.'), "hidden");
    drop(folder);
    assert!(names_in(home.path()).is_empty());
}

#[test]
fn commit_replaces_a_folder_completely() {
    let home = tempfile::tempdir().unwrap();
    let target = home.path().join("set");
    filled(&target, "old").commit(never).unwrap();
    fs::rename(target.join("a.txt"), target.join("b.txt")).unwrap();
    let may_replace = |path: &Path| path.join("b.txt").exists();
    filled(&target, "new").commit(may_replace).unwrap();
    assert_eq!(text_in(&target), "new");
    assert_eq!(names_in(home.path()), ["set"]);
}

#[test]
fn empty_folder_is_replaced_without_a_callback() {
    let home = tempfile::tempdir().unwrap();
    let target = home.path().join("set");
    fs::create_dir(&target).unwrap();
    filled(&target, "new").commit(never).unwrap();
    assert_eq!(text_in(&target), "new");
    assert_eq!(names_in(home.path()), ["set"]);
}

#[test]
fn folder_with_other_files_is_not_replaced() {
    let home = tempfile::tempdir().unwrap();
    let target = home.path().join("set");
    fs::create_dir(&target).unwrap();
    fs::write(target.join("a.txt"), "theirs").unwrap();
    let error = filled(&target, "new").commit(|_| false).unwrap_err();
    let expected = format!(
        "cannot replace {}: the folder holds other files: choose another name, or empty it first",
        target.display()
    );
    assert_eq!(error.to_string(), expected);
    assert_eq!(text_in(&target), "theirs");
    assert_eq!(names_in(home.path()), ["set"]);
}

#[test]
fn rejects_a_target_that_is_a_file() {
    let home = tempfile::tempdir().unwrap();
    let target = home.path().join("set");
    fs::write(&target, "theirs").unwrap();
    let error = AtomicFolder::create(&target).unwrap_err();
    assert!(matches!(error, AtomicError::NotAFolder { .. }), "{error}");
    fs::remove_file(&target).unwrap();
    // A file may also appear between creation and commit.
    let folder = filled(&target, "new");
    fs::write(&target, "theirs").unwrap();
    let error = folder.commit(|_| true).unwrap_err();
    assert!(matches!(error, AtomicError::NotAFolder { .. }), "{error}");
    assert_eq!(fs::read_to_string(&target).unwrap(), "theirs");
    assert_eq!(names_in(home.path()), ["set"]);
}

#[test]
fn rejects_a_missing_parent_folder() {
    let home = tempfile::tempdir().unwrap();
    let error = AtomicFolder::create(&home.path().join("none/set")).unwrap_err();
    assert!(matches!(error, AtomicError::NoFolder { .. }), "{error}");
    assert!(names_in(home.path()).is_empty());
}

#[test]
fn rejects_a_path_without_a_name() {
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
fn stale_temporary_folders_are_removed() {
    let home = tempfile::tempdir().unwrap();
    let old = STALE_AGE + Duration::from_secs(60);
    let new = STALE_AGE - Duration::from_secs(60);
    left_behind(home.path(), ".throng-set-abc123", old);
    let stay = [
        (".throng-set-ABC123", new),   // Too recent.
        (".throng-set-b-abc123", old), // Belongs to `set-b`.
        (".throng-settle-abcde", old), // Belongs to another target.
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
fn symbolic_link_stays_and_its_target_is_replaced() {
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
fn permissions_are_those_of_an_ordinary_folder() {
    use std::os::unix::fs::PermissionsExt;
    let home = tempfile::tempdir().unwrap();
    let (ours, plain) = (home.path().join("ours"), home.path().join("plain"));
    filled(&ours, "new").commit(never).unwrap();
    fs::create_dir(&plain).unwrap();
    let mode = |path| fs::metadata(path).unwrap().permissions().mode();
    assert_eq!(mode(ours), mode(plain));
}
