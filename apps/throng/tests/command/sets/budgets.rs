//! Budgets: `--max-error` and `--max-bytes`.

use super::{RUNNER, WorkFolder, number, storage};
use crate::run::list;

#[test]
fn max_error_is_kept() {
    let work = WorkFolder::new();
    let baked = work.bake_runner("set", &["--max-error", "0.5mm"]);
    assert!(number(&baked, "max_error_mm") <= 0.5);
    assert!(!list(&baked["candidates"]).is_empty());
    work.assert_verifies_as_baked("set", &baked);
    work.verify(&["set", "--max-error", "0.5mm"]).quiet();
}

#[test]
fn max_error_is_kept_by_one_encoding() {
    let work = WorkFolder::new();
    for encoding in ["bone-local", "bone-dq"] {
        let kind = ["--encoding", encoding, "--max-error", "0.1%"];
        let baked = work.bake_runner("set", &kind);
        assert_eq!(baked["encoding"], encoding);
        assert!(number(&baked, "max_error_of_size") <= 0.001);
        work.assert_verifies_as_baked("set", &baked);
    }
}

#[test]
fn max_bytes_are_kept() {
    let work = WorkFolder::new();
    let baked = work.bake_runner("set", &["--max-bytes", "8k"]);
    assert!(number(&baked, "gpu_bytes") <= 8192.0);
    work.assert_verifies_as_baked("set", &baked);
}

#[test]
fn search_prints_the_frontier_and_is_deterministic() {
    let work = WorkFolder::new();
    let args = [
        &RUNNER[..],
        &["--encoding", "bone-qt", "--max-bytes", "32k", "-o", "set"],
    ];
    let first = work.bake(&args.concat()).quiet();
    assert!(first.contains("bone-qt"), "{first}");
    let again = [&args.concat()[..], &["--force"]].concat();
    assert_eq!(work.bake(&again).quiet(), first);
}

#[test]
fn unreachable_budget_fails_with_the_nearest_candidate() {
    let work = WorkFolder::new();
    for budget in [
        &["--max-bytes", "100"][..],
        &[
            "--encoding",
            "bone-qt",
            "--precision",
            "unorm8",
            "--max-error",
            "0.0001mm",
        ],
    ] {
        let all = [&RUNNER[..], &["-o", "set"], budget].concat();
        let error = work.bake(&all).failed(1);
        assert!(error.contains("the nearest is "), "{error}");
        assert!(error.contains("; allow "), "{error}");
        assert!(!work.at("set").exists());
    }
}

#[test]
fn compressed_curves_beyond_the_error_are_not_written() {
    let work = WorkFolder::new();
    let args = ["--encoding", "bone-local", "--max-error", "0.0000001mm"];
    let all = [&RUNNER[..], &["-o", "set"], &args].concat();
    let error = work.bake(&all).failed(1);
    assert!(
        error.contains("the nearest is bone-local compressed"),
        "{error}"
    );
    assert!(!work.at("set").exists());
}

#[test]
fn search_is_limited_to_the_file_format() {
    let work = WorkFolder::new();
    for (format, encoding, held) in [
        ("exr", "bone-qt", &["f16", "f32"][..]),
        ("png", "bone-qt", &["unorm8", "unorm16"]),
        ("exr", "vertex", &["f16", "f32", "compressed"]),
        ("png", "vertex", &["unorm8", "unorm16", "compressed"]),
    ] {
        let kind = [
            "--encoding",
            encoding,
            "--format",
            format,
            "--max-error",
            "2%",
        ];
        let baked = work.bake_runner("set", &kind);
        let storage = storage(&baked);
        assert!(held.contains(&storage), "{format}, {encoding}: {storage}");
        work.assert_verifies_as_baked("set", &baked);
    }
}
