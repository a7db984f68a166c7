//! Commits, drops, rejections and leftovers of folders.

use super::super::PREFIX;
use super::*;

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
    let folder = create(target).unwrap();
    folder.write_file("a.txt", text.as_bytes()).unwrap();
    folder
}

fn create(target: &Path) -> Result<AtomicFolder, AtomicError> {
    AtomicFolder::create(Disk, target, |folder| {
        let is_listed = folder.join("a.txt").exists();
        is_listed.then(|| vec!["listed.txt".into(), "a.txt".into()])
    })
}

fn text_in(target: &Path) -> String {
    assert_eq!(names_in(target), ["a.txt"]);
    fs::read_to_string(target.join("a.txt")).unwrap()
}

#[test]
fn commit_creates_the_target() {
    let home = tempfile::tempdir().unwrap();
    let target = home.path().join("set");
    let folder = filled(&target, "new");
    assert!(!target.exists());
    folder.commit().unwrap();
    assert_eq!(text_in(&target), "new");
    assert_eq!(names_in(home.path()), ["set"]);
}

#[test]
fn drop_removes_the_hidden_folder() {
    let home = tempfile::tempdir().unwrap();
    let folder = filled(&home.path().join("set"), "new");
    assert_eq!(names_in(home.path()).len(), 1);
    assert!(names_in(home.path())[0].starts_with('.'), "hidden");
    drop(folder);
    assert!(names_in(home.path()).is_empty());
}

#[test]
fn commit_replaces_listed_files_and_keeps_others() {
    let home = tempfile::tempdir().unwrap();
    let target = home.path().join("set");
    filled(&target, "old").commit().unwrap();
    fs::write(target.join("listed.txt"), "old").unwrap();
    fs::create_dir_all(target.join("deep/er")).unwrap();
    let foreign = ["notes.txt", "deep/b.txt", "deep/er/c.txt"];
    for name in foreign {
        fs::write(target.join(name), name).unwrap();
    }
    filled(&target, "new").commit().unwrap();
    assert_eq!(names_in(&target), ["a.txt", "deep", "notes.txt"]);
    assert_eq!(fs::read_to_string(target.join("a.txt")).unwrap(), "new");
    for name in foreign {
        assert_eq!(fs::read_to_string(target.join(name)).unwrap(), name);
    }
    assert_eq!(names_in(home.path()), ["set"]);
}

#[test]
#[cfg(unix)]
fn links_and_pipes_in_a_folder_are_kept() {
    use std::os::unix::fs::{FileTypeExt, symlink};
    let home = tempfile::tempdir().unwrap();
    let target = home.path().join("set");
    filled(&target, "old").commit().unwrap();
    symlink("nowhere", target.join("broken")).unwrap();
    symlink("/dev/zero", target.join("device")).unwrap();
    let pipe = target.join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    filled(&target, "new").commit().unwrap();
    assert_eq!(names_in(&target), ["a.txt", "broken", "device", "pipe"]);
    assert!(target.join("broken").is_symlink() && target.join("device").is_symlink());
    assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());
}

#[test]
fn rejects_a_foreign_file_with_the_name_of_a_new_one() {
    let home = tempfile::tempdir().unwrap();
    let target = home.path().join("set");
    filled(&target, "old").commit().unwrap();
    fs::write(target.join("heat.glb"), "theirs").unwrap();
    let folder = filled(&target, "new");
    folder.write_file("heat.glb", b"ours").unwrap();
    let error = folder.commit().unwrap_err();
    assert!(matches!(error, AtomicError::HoldsFile { .. }), "{error}");
    assert!(error.to_string().contains("heat.glb in it"), "{error}");
    assert_eq!(
        fs::read_to_string(target.join("heat.glb")).unwrap(),
        "theirs"
    );
    assert_eq!(fs::read_to_string(target.join("a.txt")).unwrap(), "old");
    assert_eq!(names_in(home.path()), ["set"]);
}

/// A hidden folder as a process leaves it that is killed after the exchange.
fn killed_after_exchange(home: &Path, files: &[(&str, &str)]) {
    let hidden = home.join(".throng-set");
    fs::create_dir_all(hidden.join("old")).unwrap();
    fs::write(hidden.join("lock"), "").unwrap();
    for (name, text) in files {
        fs::write(hidden.join("old").join(name), text).unwrap();
    }
}

#[test]
fn file_added_during_the_exchange_is_recovered() {
    let home = tempfile::tempdir().unwrap();
    let target = home.path().join("set");
    filled(&target, "new").commit().unwrap();
    killed_after_exchange(home.path(), &[("a.txt", "old"), ("notes.txt", "late")]);
    filled(&target, "newer").commit().unwrap();
    assert_eq!(names_in(&target), ["a.txt", "notes.txt"]);
    assert_eq!(
        fs::read_to_string(target.join("notes.txt")).unwrap(),
        "late"
    );
    assert_eq!(names_in(home.path()), ["set"]);
}

#[test]
fn error_names_the_leftover_of_a_file_that_changed_during_the_exchange() {
    let home = tempfile::tempdir().unwrap();
    let target = home.path().join("set");
    filled(&target, "new").commit().unwrap();
    fs::write(target.join("notes.txt"), "early").unwrap();
    killed_after_exchange(home.path(), &[("a.txt", "old"), ("notes.txt", "later")]);
    let error = create(&target).unwrap_err();
    let kept = home.path().join(".throng-set/old");
    assert!(
        error
            .to_string()
            .contains(&format!("old files are in {}", kept.display())),
        "{error}"
    );
    assert_eq!(fs::read_to_string(kept.join("notes.txt")).unwrap(), "later");
    assert_eq!(
        fs::read_to_string(target.join("notes.txt")).unwrap(),
        "early"
    );
}

#[test]
fn rejects_a_second_write_at_the_same_time() {
    let home = tempfile::tempdir().unwrap();
    let target = home.path().join("set");
    let first = filled(&target, "first");
    let error = create(&target).unwrap_err();
    assert!(matches!(error, AtomicError::Busy { .. }), "{error}");
    first.commit().unwrap();
    filled(&target, "second").commit().unwrap();
    assert_eq!(text_in(&target), "second");
    assert_eq!(names_in(home.path()), ["set"]);
}

#[test]
fn empty_folder_is_replaced() {
    let home = tempfile::tempdir().unwrap();
    let target = home.path().join("set");
    fs::create_dir(&target).unwrap();
    filled(&target, "new").commit().unwrap();
    assert_eq!(text_in(&target), "new");
    assert_eq!(names_in(home.path()), ["set"]);
}

#[test]
fn folder_with_other_files_is_not_replaced() {
    let home = tempfile::tempdir().unwrap();
    let target = home.path().join("set");
    fs::create_dir(&target).unwrap();
    fs::write(target.join("b.txt"), "theirs").unwrap();
    let error = filled(&target, "new").commit().unwrap_err();
    assert!(
        matches!(error, AtomicError::HoldsOtherFiles { .. }),
        "{error}"
    );
    assert_eq!(names_in(&target), ["b.txt"]);
    assert_eq!(names_in(home.path()), ["set"]);
}

#[test]
fn rejects_a_target_that_is_a_file() {
    let home = tempfile::tempdir().unwrap();
    let target = home.path().join("set");
    fs::write(&target, "theirs").unwrap();
    let error = create(&target).unwrap_err();
    assert!(matches!(error, AtomicError::NotAFolder { .. }), "{error}");
    fs::remove_file(&target).unwrap();
    // A file may also appear between creation and commit.
    let folder = filled(&target, "new");
    fs::write(&target, "theirs").unwrap();
    let error = folder.commit().unwrap_err();
    assert!(matches!(error, AtomicError::NotAFolder { .. }), "{error}");
    assert_eq!(fs::read_to_string(&target).unwrap(), "theirs");
    assert_eq!(names_in(home.path()), ["set"]);
}

#[test]
fn rejects_a_missing_parent_folder() {
    let home = tempfile::tempdir().unwrap();
    let error = create(&home.path().join("none/set")).unwrap_err();
    assert!(matches!(error, AtomicError::NoFolder { .. }), "{error}");
    assert!(names_in(home.path()).is_empty());
}

#[test]
fn rejects_a_path_without_a_name() {
    for path in ["", ".", "..", "/", "set/.."] {
        let error = create(Path::new(path)).unwrap_err();
        assert!(matches!(error, AtomicError::NoName { .. }), "{error}");
    }
}

#[test]
fn errors_name_the_target_and_not_the_hidden_folder() {
    let home = tempfile::tempdir().unwrap();
    let target = home.path().join("n".repeat(5000));
    let error = create(&target).unwrap_err();
    assert!(matches!(error, AtomicError::Write { .. }), "{error}");
    assert!(!error.to_string().contains(PREFIX), "{error}");
}

#[test]
fn leftovers_of_a_killed_process_are_removed() {
    let home = tempfile::tempdir().unwrap();
    let half = home.path().join(".throng-set/new/deep");
    fs::create_dir_all(&half).unwrap();
    fs::write(half.join("a.txt"), "half").unwrap();
    // Belongs to another target.
    fs::create_dir(home.path().join(".throng-set-b")).unwrap();
    filled(&home.path().join("set"), "new").commit().unwrap();
    assert_eq!(names_in(home.path()), [".throng-set-b", "set"]);
}

#[test]
#[cfg(unix)]
fn symbolic_link_stays_and_its_target_is_replaced() {
    let home = tempfile::tempdir().unwrap();
    let (link, real) = (home.path().join("link"), home.path().join("real"));
    filled(&real, "old").commit().unwrap();
    std::os::unix::fs::symlink(&real, &link).unwrap();
    for (path, text) in [(link.clone(), "new"), (link.join(""), "newer")] {
        filled(&path, text).commit().unwrap();
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
    filled(&ours, "new").commit().unwrap();
    fs::create_dir(&plain).unwrap();
    let mode = |path| fs::metadata(path).unwrap().permissions().mode();
    assert_eq!(mode(ours), mode(plain));
}

#[test]
#[cfg(unix)]
fn permissions_of_a_replaced_folder_are_kept() {
    use std::os::unix::fs::PermissionsExt;
    let home = tempfile::tempdir().unwrap();
    let target = home.path().join("set");
    filled(&target, "old").commit().unwrap();
    fs::set_permissions(&target, fs::Permissions::from_mode(0o770)).unwrap();
    filled(&target, "new").commit().unwrap();
    let mode = fs::metadata(&target).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o770);
}
