//! Exit codes (0 done, 1 the work failed, 2 wrong usage, 3 an input cannot be read) and error messages.

use throng_testkit::files_below;

use crate::run::{asset, run, tiny_gltf};

#[test]
fn missing_file_exits_with_3() {
    for command in ["inspect", "pose"] {
        let error = run([command, "no/such/file.glb"]).failed(3);
        assert!(error.starts_with("error: no/such/file.glb: "), "{error}");
        assert!(error.contains("check the path"), "{error}");
    }
}

#[test]
fn folder_as_a_file_exits_with_3() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("folder.glb");
    std::fs::create_dir(&path).unwrap();
    let error = run(["pose".as_ref(), path.as_os_str()]).failed(3);
    assert!(error.contains("is a folder"), "{error}");
}

#[test]
fn malformed_file_exits_with_3_and_one_line() {
    let Some(malformed) = asset("malformed") else {
        return;
    };
    let files = files_below(&malformed, &["glb", "gltf"]);
    let mut failed = 0;
    for path in &files {
        let path = path.to_str().unwrap();
        let inspected = run(["inspect", path]);
        if inspected.code == Some(0) {
            // A repaired file has warnings instead.
            inspected.quiet();
            continue;
        }
        let error = inspected.failed(3);
        assert!(error.starts_with(&format!("error: {path}: ")), "{error}");
        assert_eq!(run(["pose", path]).failed(3), error);
        failed += 1;
    }
    println!("{failed} of {} files were rejected", files.len());
    assert!(failed >= 30, "only {failed} files were rejected");
}

#[test]
fn invalid_gltf_exits_with_3_and_one_line() {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in [
        ("empty.glb", &b""[..]),
        ("text.gltf", b"hello"),
        ("glTF.glb", b"glTF"),
        ("two\nlines.gltf", b"{}"),
        ("binary.gltf", &[0xff; 64]),
    ] {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        let error = run(["inspect".as_ref(), path.as_os_str()]).failed(3);
        assert!(error.contains(&name.replace('\n', "\\n")), "{error}");
    }
}

#[test]
fn unsupported_file_type_exits_with_2() {
    for (command, name) in [
        ("inspect", "knight"),
        ("inspect", "knight.blend"),
        ("inspect", ""),
        ("pose", "."),
    ] {
        let error = run([command, name]).failed(2);
        assert!(
            error.contains("expected .glb, .gltf, .fbx, .obj or .abc"),
            "{error}"
        );
    }
}

#[test]
fn unknown_built_in_exits_with_2() {
    for (name, remedy) in [
        (
            "builtin:nosuch",
            "expected one of humanoid, bar, box, cylinder",
        ),
        ("builtin:", "expected one of humanoid, bar, box, cylinder"),
        ("builtin:humanoid:499", "a whole number from 500 to 320000"),
        ("builtin:bar:x", "a whole number from 24 to 1000000"),
        ("builtin:bar:23", "a whole number from 24 to 1000000"),
        ("builtin:cylinder:7", "use 'builtin:cylinder'"),
    ] {
        for command in ["inspect", "pose"] {
            let error = run([command, name]).failed(2);
            assert!(error.starts_with(&format!("error: {name}: ")), "{error}");
            assert!(error.contains(remedy), "{error}");
            assert_eq!(error.matches(name).count(), 1, "named once: {error}");
        }
    }
}

#[test]
fn unsupported_output_type_exits_with_2_before_any_work() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["out.fbx", "out", "out.", ".glb", "glb"] {
        let path = folder.path().join(name);
        let output = path.to_str().unwrap();
        // The missing source is not reported: it is not opened.
        for source in ["builtin:bar", "no/such/file.glb"] {
            let error = run(["pose", source, "-o", output]).failed(2);
            assert!(error.contains(output), "{error}");
            assert!(error.contains(".glb, .obj, .ply or .json"), "{error}");
        }
    }
    assert_eq!(folder.path().read_dir().unwrap().count(), 0);
}

#[test]
fn invalid_arguments_exit_with_2() {
    for args in [
        &["nosuch"][..],
        &["--nosuch"],
        &["inspect", "--nosuch"],
        &["inspect", "builtin:bar", "builtin:bar"],
        &["inspect", "-o", "out.glb"],
        &["pose", "-o"],
        &["pose", "--clip"],
        &["pose", "--clip", "twist", "--clip", "bend"],
        &["pose", "--max-influences", "0"],
        &["pose", "--max-influences", "-1"],
        &["pose", "--max-influences", "many"],
        &["pose", "--min-weight", "1.1"],
        &["pose", "--min-weight", "nan"],
        &["pose", "--positions", "some"],
    ] {
        run(args).misused();
    }
}

#[test]
#[cfg(unix)]
fn argument_that_is_not_unicode_exits_with_2() {
    use std::os::unix::ffi::OsStrExt;
    let bytes = std::ffi::OsStr::from_bytes(b"\xff.glb");
    let error = run(["inspect".as_ref(), bytes]).misused();
    assert!(
        error.contains("not valid Unicode: rename the file"),
        "{error}"
    );
}

#[test]
fn writes_a_character_without_triangles_as_json_only() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("points.gltf");
    let mut points: serde_json::Value = serde_json::from_str(&tiny_gltf(&[])).unwrap();
    points["meshes"][0]["primitives"][0]["mode"] = 0.into();
    std::fs::write(&path, points.to_string()).unwrap();
    let source = path.to_str().unwrap();
    for name in ["out.glb", "out.obj", "out.ply"] {
        let output = folder.path().join(name);
        let run = run(["pose", source, "-o", output.to_str().unwrap()]);
        assert_eq!(run.code, Some(1), "{run:?}");
        assert!(run.stderr.contains("no triangles to write"), "{run:?}");
        assert!(!output.exists());
    }
    let output = folder.path().join("out.json");
    run(["pose", source, "-o", output.to_str().unwrap()]).warned();
}
