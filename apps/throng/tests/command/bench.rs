//! `throng bench`.

use std::path::Path;

use serde_json::Value;

use crate::run::{has_adapter, list, names_in, object, run, run_in, throng};

/// Arguments of a run of seconds.
const SHORT: [&str; 14] = [
    "bench",
    "builtin:bar:100",
    "--techniques",
    "bone-qt,vertex",
    "--fps",
    "60",
    "--settle",
    "1",
    "--sample",
    "5",
    "--rounds",
    "3..6",
    "--max-time",
    "60s",
];

fn report(folder: &Path) -> Value {
    let text = std::fs::read_to_string(folder.join("report.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn sections(report: &Value) -> Vec<&str> {
    let sections = list(&report["sections"]).iter();
    sections
        .map(|section| section["id"].as_str().unwrap())
        .collect()
}

#[test]
fn writes_a_page_and_its_data() {
    if !has_adapter() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let run = run_in(folder.path(), SHORT.into_iter().chain(["-o", "out"]));
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.stdout.contains("bar: "), "{}", run.stdout);
    let out = folder.path().join("out");
    assert_eq!(
        names_in(&out),
        ["report.html", "report.json", "results.csv", "samples.csv"]
    );
    let page = std::fs::read_to_string(out.join("report.html")).unwrap();
    assert!(page.contains("<svg") && page.contains("bone-qt unorm16"));
    for outside in ["http://", "https://", "<link", "@import", " src="] {
        let w3 = page.replace("http://www.w3.org/2000/svg", "");
        assert!(!w3.contains(outside), "{outside}");
    }
    let report = report(&out);
    assert_eq!(report["state"], "complete");
    assert_eq!(
        sections(&report),
        [
            "character/builtin:bar:100/curves",
            "character/builtin:bar:100/at-60"
        ]
    );
    let contest = &report["sections"][1];
    let names = list(&contest["entrants"])
        .iter()
        .map(|one| one["name"].as_str().unwrap());
    assert_eq!(
        names.collect::<Vec<_>>(),
        [
            "control",
            "control again",
            "palette-matrix",
            "bone-qt unorm16",
            "vertex unorm16"
        ]
    );
    for entrant in list(&contest["entrants"]) {
        assert_eq!(entrant["status"]["kind"], "measured", "{entrant}");
        assert!(
            entrant["picture_error_mm"].as_f64().unwrap() < 20.0,
            "{entrant}"
        );
    }
    // Every round has raw samples of every contestant, in an order of its own.
    let rounds = list(&contest["body"]["rounds"]);
    assert!(rounds.len() >= 3);
    for turn in list(&rounds[0]["turns"]) {
        assert!(!list(&turn["frames_ms"]).is_empty());
        assert!(turn["cpu_ms"].as_f64().unwrap() > 0.0);
    }
    let same = list(&contest["body"]["ratios"])
        .iter()
        .filter(|ratio| ratio["is_same"] == true);
    assert_eq!(same.count(), 1);
}

#[test]
fn a_technique_that_a_character_does_not_allow_is_listed_with_its_reason() {
    if !has_adapter() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let mut args = SHORT.to_vec();
    // Colours of vertices hold 256 bones.
    args[1] = "builtin:graph:300:2400";
    args[3] = "p3-virtual-bones,bone-qt";
    let printed = run_in(folder.path(), args.into_iter().chain(["-o", "out"])).ok();
    assert!(printed.contains("refused: "), "{printed}");
    let report = report(&folder.path().join("out"));
    let entrants = list(&report["sections"][1]["entrants"]);
    let refused = entrants
        .iter()
        .find(|one| one["name"] == "p3-virtual-bones")
        .unwrap();
    assert_eq!(refused["status"]["kind"], "refused");
    assert!(
        refused["status"]["reason"]
            .as_str()
            .unwrap()
            .contains("256"),
        "{refused}"
    );
}

#[test]
fn json_is_one_object() {
    if !has_adapter() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let printed = run_in(
        folder.path(),
        SHORT.into_iter().chain(["--json", "-o", "out"]),
    )
    .ok();
    let summary = object(&printed);
    assert_eq!(summary["state"], "complete");
    assert_eq!(list(&summary["contests"]).len(), 1);
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_leaves_a_report_and_can_be_resumed() {
    use std::process::Stdio;
    use std::time::{Duration, Instant};
    if !has_adapter() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let mut args = SHORT.to_vec();
    // Long enough to be interrupted within the contest.
    args[11] = "60..60";
    args[13] = "10m";
    args.extend(["-o", "out"]);
    let mut child = throng()
        .current_dir(folder.path())
        .args(&args)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // The curves are saved before the contest begins.
    let start = Instant::now();
    while !out.join("report.json").exists() {
        assert!(start.elapsed() < Duration::from_secs(120), "no report");
        std::thread::sleep(Duration::from_millis(50));
    }
    std::thread::sleep(Duration::from_millis(500));
    let killed = std::process::Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .unwrap();
    assert!(killed.success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let interrupted = report(&out);
    assert_eq!(interrupted["state"], "interrupted");
    assert!(out.join("report.html").exists());
    let contest = |report: &Value| list(&report["sections"][1]["body"]["rounds"]).len();
    let before = contest(&interrupted);
    assert!(before < 60, "{before}");
    args.extend(["--resume"]);
    let resumed = run_in(folder.path(), &args);
    assert_eq!(resumed.code, Some(0), "{resumed:?}");
    let complete = report(&out);
    assert_eq!(
        (complete["state"].as_str(), contest(&complete)),
        (Some("complete"), 60)
    );
    // Rounds of the first session are kept.
    let rounds = |report: &Value| list(&report["sections"][1]["body"]["rounds"]).to_vec();
    assert_eq!(rounds(&complete)[..before], rounds(&interrupted));
    let error = run_in(folder.path(), &args).failed(2);
    assert!(error.contains("complete"), "{error}");
}

#[test]
fn reports_are_compared() {
    if !has_adapter() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for name in ["a", "b"] {
        run_in(folder.path(), SHORT.into_iter().chain(["-o", name])).ok();
    }
    let printed = run_in(folder.path(), ["bench", "--compare", "a/report.json", "b"]).quiet();
    assert!(printed.contains("bone-qt unorm16"), "{printed}");
    let json = run_in(folder.path(), ["bench", "--json", "--compare", "a", "b"]).quiet();
    object(&json);
}

#[test]
fn wrong_usage_is_explained() {
    let cases: [(&[&str], &str); 6] = [
        (&["bench", "--suite", "p9"], "expected one of quick"),
        (
            &["bench", "builtin:bar", "--suite", "quick"],
            "characters of its own",
        ),
        (
            &["bench", "--techniques", "bone-fast"],
            "neither a technique nor",
        ),
        (&["bench", "--threshold", "2..1ms"], "expected a range"),
        (&["bench", "--compare", "one.json"], "2 values required"),
        (&["bench", "--max-time", "5"], "expected a duration"),
    ];
    for (args, message) in cases {
        let error = run(args).misused();
        assert!(error.contains(message), "{args:?}: {error}");
    }
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("no.json"), "{}").unwrap();
    let error = run_in(folder.path(), ["bench", "--compare", "no.json", "no.json"]).failed(3);
    assert!(error.contains("not a report"), "{error}");
    if has_adapter() {
        let args = ["bench", "builtin:bar:100", "--resume", "-o", "nowhere"];
        let error = run_in(folder.path(), args).failed(3);
        assert!(error.contains("nowhere"), "{error}");
        let args = ["bench", "builtin:bar:100", "--clips", "jump", "-o", "out"];
        let error = run_in(folder.path(), args);
        assert_eq!(error.code, Some(2), "{error:?}");
        assert!(
            error.stderr.contains("there is no clip 'jump'"),
            "{error:?}"
        );
        assert!(!folder.path().join("out").exists());
    }
}
