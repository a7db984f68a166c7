//! Files and reports of a bake, and `throng verify`.

use super::{RUNNER, WorkFolder, number, six_digits, storage};
use crate::run::{names_in, object};

const KEYS: [&str; 12] = [
    "encoding",
    "layout",
    "rate_hz",
    "max_error_mm",
    "p99_error_mm",
    "rms_error_mm",
    "max_error_of_size",
    "max_normal_error_deg",
    "bone_error_mm",
    "gpu_bytes",
    "disk_bytes",
    "bytes_per_joint_frame",
];

#[test]
fn a_set_is_four_files_and_verifies_as_reported() {
    let work = WorkFolder::new();
    let all = [&RUNNER[..], &["--encoding", "bone-local"]].concat();
    let text = work.bake(&all).quiet();
    assert!(text.contains("wrote humanoid-1000.throng"), "{text}");
    let set = "humanoid-1000.throng";
    assert_eq!(names_in(work.path()), [set]);
    assert_eq!(
        names_in(&work.at(set)),
        ["curves.ktx2", "manifest.json", "mesh.glb", "report.json"]
    );
    let report = work.json(&format!("{set}/report.json"));
    for key in KEYS {
        assert!(!report[key].is_null(), "{key}");
    }
    assert_eq!(report["encoding"], "bone-local");
    assert_eq!(storage(&report), "compressed");
    assert!(number(&report, "max_error_of_size") <= 0.000_28);
    work.assert_verifies_as_baked(set, &report);
    let table = work.verify(&[set]).quiet();
    for table in [&text, &table] {
        assert!(
            table.contains("bone-local") && table.contains("compressed"),
            "{table}"
        );
    }
}

#[test]
fn verify_prints_the_table_of_the_bake() {
    const CYLINDER: [&str; 5] = ["builtin:cylinder", "--clips", "bend", "-o", "set"];
    let work = WorkFolder::new();
    for args in [
        // Measured by the bake, by the search, and after the bake.
        &["--encoding", "bone-local"][..],
        &["--max-error", "0.5%"],
        &["--max-bytes", "16k"],
        &["--encoding", "vertex", "--layout", "compressed"],
        &["--encoding", "bone-qt"],
        // Measured against the source instead of the import with fewer influences.
        &["--encoding", "bone-local", "--max-influences", "1"],
        &["--max-error", "20%", "--max-influences", "1"],
        &["--encoding", "bone-local", "--min-weight", "0.4"],
        &["--encoding", "bone-local", "--positions", "split"],
        &["--encoding", "bone-local", "--heat"],
        &["--encoding", "bone-local", "--format", "glb"],
    ] {
        let all = [&CYLINDER[..], args].concat();
        let _ = std::fs::remove_dir_all(work.at("set"));
        let baked = work.bake(&all).ok();
        let verified = work.verify(&["set"]).quiet();
        assert!(
            baked.starts_with(&verified),
            "{args:?}\n{baked}\n{verified}"
        );
    }
}

#[test]
fn disk_bytes_count_all_files_except_the_report() {
    let work = WorkFolder::new();
    let baked = work.bake_runner("set", &["--encoding", "bone-qt"]);
    let bytes = |name: &String| work.at("set").join(name).metadata().unwrap().len();
    let names = names_in(&work.at("set"));
    let files = names.iter().filter(|name| *name != "report.json");
    assert_eq!(baked["disk_bytes"], files.map(bytes).sum::<u64>());
}

#[test]
fn report_file_equals_the_json_output_to_six_digits() {
    let work = WorkFolder::new();
    let printed = work.bake_runner("set", &["--encoding", "bone-dq"]);
    let written = work.json("set/report.json");
    for (key, value) in written.as_object().unwrap() {
        assert_eq!(six_digits(&printed[key]), *value, "{key}");
    }
    assert_eq!(printed["output"], "set");
}

#[test]
fn verify_exits_with_1_beyond_the_limit() {
    let work = WorkFolder::new();
    work.bake_runner("set", &["--encoding", "bone-qt", "--precision", "unorm8"]);
    let error_mm = number(&work.verify_json("set"), "max_error_mm");
    for (limit, shown) in [
        (format!("{}mm", error_mm / 2.0), "mm\n"),
        ("0.0001%".into(), "the limit is 0.0001 %\n"),
    ] {
        let beyond = work.verify(&["set", "--max-error", &limit]);
        assert_eq!(beyond.code, Some(1), "{beyond:?}");
        assert!(
            beyond
                .stderr
                .starts_with("error: set: the maximum error is "),
            "{beyond:?}"
        );
        assert!(
            beyond.stderr.contains(&format!("{error_mm:.3} mm")),
            "{beyond:?}"
        );
        assert!(beyond.stderr.ends_with(shown), "{beyond:?}");
        // The report is printed too.
        let beyond = work.verify(&["set", "--max-error", &limit, "--json"]);
        assert_eq!(beyond.code, Some(1));
        assert_eq!(object(&beyond.stdout)["within_limit"], false);
    }
    let wide = format!("{}mm", error_mm * 1.01);
    let within = work
        .verify(&["set", "--max-error", &wide, "--json"])
        .quiet();
    assert_eq!(object(&within)["within_limit"], true);
}
