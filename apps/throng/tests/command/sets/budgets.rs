//! Budgets: the smallest within an error, the most accurate within so many bytes.

use super::{Place, RUNNER, number};
use crate::run::list;

#[test]
fn an_error_is_kept() {
    let place = Place::new();
    let baked = place.runner("set", &["--max-error", "0.5mm"]);
    assert!(number(&baked, "max_error_mm") <= 0.5);
    assert!(!list(&baked["candidates"]).is_empty());
    place.agrees("set", &baked);
    place.verify(&["set", "--max-error", "0.5mm"]).quiet();
}

#[test]
fn an_error_is_kept_by_one_encoding() {
    let place = Place::new();
    for encoding in ["bone-local", "bone-dq"] {
        let kind = ["--encoding", encoding, "--max-error", "0.1%"];
        let baked = place.runner("set", &kind);
        assert_eq!(baked["encoding"], encoding);
        assert!(number(&baked, "max_error_of_size") <= 0.001);
        place.agrees("set", &baked);
    }
}

#[test]
fn bytes_are_kept() {
    let place = Place::new();
    let baked = place.runner("set", &["--max-bytes", "8k"]);
    assert!(number(&baked, "gpu_bytes") <= 8192.0);
    place.agrees("set", &baked);
}

#[test]
fn a_search_shows_the_frontier_and_is_the_same_again() {
    let place = Place::new();
    let args = [
        &RUNNER[..],
        &["--encoding", "bone-qt", "--max-bytes", "32k", "-o", "set"],
    ];
    let first = place.bake(&args.concat()).quiet();
    assert!(first.contains("bone-qt"), "{first}");
    assert_eq!(place.bake(&args.concat()).quiet(), first);
}

#[test]
fn a_budget_that_nothing_meets_fails_with_what_came_nearest() {
    let place = Place::new();
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
        let error = place.bake(&all).failed(1);
        assert!(error.contains("the nearest is "), "{error}");
        assert!(error.contains("; allow "), "{error}");
        assert!(!place.at("set").exists());
    }
}

#[test]
fn curves_that_miss_an_error_fail_and_leave_nothing() {
    let place = Place::new();
    let args = ["--encoding", "bone-local", "--max-error", "0.0000001mm"];
    let all = [&RUNNER[..], &["-o", "set"], &args].concat();
    let error = place.bake(&all).failed(1);
    assert!(
        error.contains("the nearest is bone-local packed"),
        "{error}"
    );
    assert!(!place.at("set").exists());
}

#[test]
fn a_search_takes_only_what_its_files_hold() {
    let place = Place::new();
    for (format, encoding, held) in [
        ("exr", "bone-qt", &["f16", "f32"][..]),
        ("png", "bone-qt", &["unorm8", "unorm16"]),
        ("exr", "vertex", &["f16", "f32", "packed"]),
        ("png", "vertex", &["unorm8", "unorm16", "packed"]),
    ] {
        let kind = [
            "--encoding",
            encoding,
            "--format",
            format,
            "--max-error",
            "2%",
        ];
        let baked = place.runner("set", &kind);
        let precision = baked["precision"].as_str().unwrap();
        assert!(
            held.contains(&precision),
            "{format}, {encoding}: {precision}"
        );
        place.agrees("set", &baked);
    }
}
