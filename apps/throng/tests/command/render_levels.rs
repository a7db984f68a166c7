//! `throng render --lod`: levels of detail of crowds.

use serde_json::Value;

use crate::render::{read_png, rejected};
use crate::run::{has_adapter, run, run_in};

/// Mean difference of two pictures, of 255.
fn difference(a: &[u8], b: &[u8]) -> f64 {
    assert_eq!(a.len(), b.len());
    let differences = a.iter().zip(b).map(|(a, b)| f64::from(a.abs_diff(*b)));
    differences.sum::<f64>() / a.len() as f64
}

/// The picture, half a pixel to the left. Pixels have three or four bytes.
fn shifted(picture: &[u8], pixel: usize) -> Vec<u8> {
    let right = picture[pixel..].iter().chain(&picture[..pixel]);
    let pairs = picture.iter().zip(right);
    pairs.map(|(&a, &b)| u8::midpoint(a, b)).collect()
}

#[test]
fn levels_of_detail_draw_almost_the_same_picture() {
    if !has_adapter() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let draw = |args: &[&str]| -> (Value, Vec<u8>) {
        let common = [
            "render",
            "builtin:humanoid:2000",
            "--instances",
            "300",
            "--size",
            "320x180",
            "-o",
            "a.png",
            "--json",
        ];
        let report = run_in(folder.path(), common.iter().chain(args)).ok();
        let picture = read_png(&folder.path().join("a.png")).2;
        (serde_json::from_str(&report).unwrap(), picture)
    };
    // Few instances have no levels unless asked for.
    let (report, full) = draw(&[]);
    assert_eq!(report["panels"][0]["levels"], Value::Null);
    let (report, levels) = draw(&["--lod", "auto"]);
    let listed = report["panels"][0]["levels"].as_array().unwrap();
    assert!(listed.len() >= 4, "{report}");
    let errors: Vec<f64> = listed
        .iter()
        .map(|level| level["max_error_mm"].as_f64().unwrap())
        .collect();
    assert!(errors[0] == 0.0 && errors.is_sorted(), "{errors:?}");
    // Levels move edges by less than half a pixel.
    let by_levels = difference(&full, &levels);
    let by_shift = difference(&full, &shifted(&full, full.len() / (320 * 180)));
    assert!(
        by_levels > 0.0 && by_levels < 0.5 * by_shift,
        "{by_levels}, {by_shift}"
    );
    let (report, _) = draw(&["--lod", "100%,40%,15%"]);
    assert_eq!(report["panels"][0]["levels"].as_array().unwrap().len(), 3);
}

#[test]
fn sets_on_disk_have_the_levels_of_their_bake() {
    if !has_adapter() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let bake = [
        "bake",
        "builtin:humanoid:1000",
        "--lod",
        "100%,30%",
        "--encoding",
        "bone-qt",
        "-o",
        "walker",
    ];
    run_in(folder.path(), bake).ok();
    let draw = |args: &[&str]| {
        let common = ["render", "walker", "--size", "160x90", "-o", "a.png"];
        run_in(folder.path(), common.iter().chain(args))
    };
    let crowd = ["--instances", "40", "--json"];
    let report: Value = serde_json::from_str(&draw(&crowd).ok()).unwrap();
    assert_eq!(report["panels"][0]["levels"].as_array().unwrap().len(), 2);
    let whole = [&crowd[..], &["--lod", "none"]].concat();
    let report: Value = serde_json::from_str(&draw(&whole).ok()).unwrap();
    assert_eq!(report["panels"][0]["levels"], Value::Null);
    let error = rejected(draw(&["--instances", "40", "--lod", "50%"]), 2);
    assert!(error.contains("levels of detail of its bake"), "{error}");
}

#[test]
fn rejects_levels_that_do_not_decrease() {
    let crowd = ["render", "--instances", "40", "-o", "a.png", "--lod"];
    for lod in ["40%,50%", "much", "0%"] {
        let error = rejected(run(crowd.iter().chain([&lod])), 2);
        assert!(error.contains("--lod"), "{lod}: {error}");
    }
    let error = rejected(run(["render", "--lod", "auto", "-o", "a.png"]), 2);
    assert!(error.contains("--instances"), "{error}");
}
