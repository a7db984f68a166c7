//! Alembic files from end to end: inspected, posed, drawn, baked and verified.

use std::fs;
use std::path::{Path, PathBuf};

use throng_testkit::shared_assets;

use super::{WorkFolder, assert_same_report, number};
use crate::run::{has_adapter, object, run_in};

/// A file with transforms that move a mesh whose points move.
const UNIFORM: &[u8] = include_bytes!("../../../../../offline/import/tests/uniform.abc");
/// A mesh with another number of points in its second frame; `tools/alembic-reference/write.py` writes it.
const VARYING: &[u8] = include_bytes!("varying_points.abc");

/// Files of the assets, and whether something moves in them.
const ASSETS: [(&str, bool); 4] = [
    ("animatedCube", true),
    ("rotatingCube", true),
    ("subdPlane", false),
    ("velocityCube", false),
];

/// Returns files of the assets with whether something moves, and one that needs no assets.
fn files(work: &WorkFolder) -> Vec<(PathBuf, bool)> {
    fs::write(work.at("uniform.abc"), UNIFORM).unwrap();
    let mut files = vec![(work.at("uniform.abc"), true)];
    if let Some(assets) = shared_assets() {
        let asset = |(name, moves)| (assets.join(format!("alembic/{name}.abc")), moves);
        files.extend(ASSETS.map(asset));
    }
    files
}

fn stem(file: &Path) -> String {
    file.file_stem().unwrap().to_string_lossy().into_owned()
}

#[test]
fn files_are_baked_and_verified() {
    let work = WorkFolder::new();
    for (file, moves) in files(&work) {
        let (path, set) = (file.to_str().unwrap(), stem(&file));
        let run = work.bake(&[path, "-o", &set, "--json"]);
        if !moves {
            // After warnings about objects that are ignored.
            assert_eq!(run.code, Some(1), "{run:?}");
            assert!(
                run.stderr.ends_with("has no clip: nothing to bake\n"),
                "{run:?}"
            );
            assert!(!work.at(&set).exists(), "{set}");
            continue;
        }
        let report = object(&run.ok());
        let error = number(&report, "max_error_of_size");
        // Points on straight lines and turning cubes are followed; the transforms of `uniform` turn by 20° per frame.
        let limit = if set == "uniform" { 0.02 } else { 2.8e-4 };
        assert!(error > 0.0 && error < limit, "{set}: {error}");
        let manifest = work.json(&format!("{set}/manifest.json"));
        assert_eq!(manifest["clips"][0]["name"], set, "{manifest}");
        // Objects that are ignored are reported again.
        let verified = object(&work.verify(&[&set, "--json"]).ok());
        assert_same_report(&verified, &report);
    }
}

#[test]
fn a_set_is_up_to_date_until_its_file_changes() {
    let work = WorkFolder::new();
    fs::write(work.at("uniform.abc"), UNIFORM).unwrap();
    let args = ["uniform.abc", "-o", "set"];
    work.bake(&args).ok();
    assert!(work.bake(&args).ok().contains("up to date"));
    // A byte after the last group: the same character, but another file.
    let mut changed = UNIFORM.to_vec();
    changed.push(0);
    fs::write(work.at("uniform.abc"), changed).unwrap();
    let error = work.verify(&["set"]).failed(2);
    assert!(error.contains("uniform.abc has changed"), "{error}");
    assert!(!work.bake(&args).ok().contains("up to date"));
}

#[test]
fn files_are_inspected_posed_and_drawn() {
    let work = WorkFolder::new();
    for (file, moves) in files(&work) {
        let path = file.to_str().unwrap();
        let inspected = object(&run_in(work.path(), ["inspect", path, "--json"]).ok());
        let clips = inspected["clips"].as_array().unwrap();
        assert_eq!(clips.len(), usize::from(moves), "{path}");
        let pose = |part: f64, out: &str| {
            let mut args = vec!["pose", path, "-o", out];
            let clip_and_time = clips.first().map(|clip| {
                let [start, length] = ["start_secs", "duration_secs"].map(|key| number(clip, key));
                (stem(&file), (start + part * length).to_string())
            });
            if let Some((clip, time)) = &clip_and_time {
                args.extend(["--clip", clip, "--time", time]);
            }
            run_in(work.path(), &args).ok();
            fs::read(work.at(out)).unwrap()
        };
        // The rotating cube is the same after half of its clip.
        let [early, late] = [pose(0.1, "a.obj"), pose(0.3, "b.obj")];
        assert_eq!(early != late, moves, "{path}");
        if has_adapter() {
            let args = ["render", path, "--size", "64x64", "-o", "picture.png"];
            run_in(work.path(), args).ok();
        }
    }
}

#[test]
fn topology_that_changes_is_unreadable_and_says_where() {
    let work = WorkFolder::new();
    fs::write(work.at("splash.abc"), VARYING).unwrap();
    for command in [&["bake"][..], &["inspect"], &["pose"]] {
        let error = run_in(work.path(), [command, &["splash.abc"]].concat()).failed(3);
        for words in [
            "splash.abc: object '/splash'",
            "topology changes over time",
            "frame 1 has 3 points, frame 0 has 4",
            "export the mesh with the same points and faces in every frame",
        ] {
            assert!(error.contains(words), "'{words}' is not in: {error}");
        }
    }
    assert!(!work.at("splash.throng").exists());
}

#[test]
fn folders_are_searched_for_alembic_files() {
    let work = WorkFolder::new();
    fs::create_dir(work.at("in")).unwrap();
    fs::write(work.at("in/wave.abc"), UNIFORM).unwrap();
    work.bake(&["in", "-o", "out"]).ok();
    work.verify(&["out/wave.throng"]).ok();
    let text = run_in(work.path(), ["inspect", "in"]).ok();
    assert!(text.contains("wave.abc"), "{text}");
}

#[test]
fn damaged_frames_fail_the_bake() {
    let work = WorkFolder::new();
    // Half of the file: groups point past its end.
    fs::write(work.at("cut.abc"), &UNIFORM[..UNIFORM.len() / 2]).unwrap();
    let error = work.bake(&["cut.abc", "-o", "set"]).failed(3);
    assert!(error.contains("cut.abc"), "{error}");
    assert!(!work.at("set").exists());
}
