//! The Khronos validator, run on posed characters and other files.

use std::path::{Path, PathBuf};
use std::process::Command;

use throng_testkit::{files_below, path_or_skip, shared_assets, workspace_root};

use crate::run::{finished, list, object, run};

/// Poses a character in the middle of its first clip, if it has one.
fn pose(source: &str, output: &Path) {
    let report = object(&run(["inspect", "--json", source]).quiet());
    let mut args = vec!["pose", source, "--method", "dqs", "-o"];
    args.push(output.to_str().unwrap());
    let middle = list(&report["clips"]).first().map(|clip| {
        let (start, end) = (&clip["start_secs"], &clip["end_secs"]);
        let middle = (start.as_f64().unwrap() + end.as_f64().unwrap()) / 2.0;
        format!("--time={middle}")
    });
    args.extend(middle.as_deref());
    run(args).ok();
}

/// Asserts that the Khronos validator reports neither errors nor warnings for the files.
///
/// Skipped if it is not installed. It starts slowly, so it is run once for all files.
#[track_caller]
pub fn assert_clean(files: &[PathBuf]) {
    let Some(tool) = validator() else {
        return;
    };
    let mut validator = Command::new("node");
    validator.arg(tool.join("validate.mjs")).args(files);
    let printed = finished(validator.output().expect("node starts")).quiet();
    let clean = printed.matches(": 0 errors, 0 warnings\n").count();
    println!(
        "{clean} of {} files without errors or warnings",
        files.len()
    );
    assert_eq!(clean, files.len(), "{printed}");
}

/// Returns the folder of the validator, or `None` if it is not installed.
fn validator() -> Option<PathBuf> {
    let tool = workspace_root().join("tools/gltf-validate");
    let what = "gltf-validator (npm ci in tools/gltf-validate)";
    path_or_skip(tool.join("node_modules"), what)?;
    Some(tool)
}

#[test]
fn posed_characters_pass_the_khronos_validator() {
    if validator().is_none() {
        return;
    }
    let mut sources: Vec<String> = ["humanoid", "bar", "bar:70000", "cylinder"]
        .map(|name| format!("builtin:{name}"))
        .to_vec();
    if let Some(assets) = shared_assets() {
        let files = files_below(&assets.join("gltf"), &["glb", "gltf"]);
        assert!(files.len() >= 60, "only {} files", files.len());
        sources.extend(files.iter().map(|path| path.to_str().unwrap().to_owned()));
    }
    let folder = tempfile::tempdir().unwrap();
    let mut outputs = Vec::new();
    for (index, source) in sources.iter().enumerate() {
        let stem = Path::new(source).file_stem().unwrap().to_str().unwrap();
        let output = folder.path().join(format!("{index:02} {stem}.glb"));
        pose(source, &output);
        outputs.push(output);
    }
    assert_clean(&outputs);
}
