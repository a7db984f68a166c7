//! Memory, damaged files and a lost device.

use std::process::Command;

use super::*;

/// Environment variable of a process that runs one test.
const ALONE: &str = "THRONG_TEST_ALONE";

/// Largest growth of memory that is no leak, in KiB: caches of the driver fill up.
const MAX_GROWTH_KIB: u64 = 20_000;

/// Runs a test in a process of its own, whose memory no other test uses. Returns true in that process.
fn is_alone(test: &str) -> bool {
    if std::env::var_os(ALONE).is_some() {
        return true;
    }
    let name = format!("ui_tests::robustness::{test}");
    let output = Command::new(std::env::current_exe().unwrap())
        .args([name.as_str(), "--exact", "--nocapture"])
        .env(ALONE, "1")
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}{errors}");
    assert!(text.contains("1 passed"), "{text}");
    for line in text.lines().filter(|line| line.contains("skipped:")) {
        println!("{line}");
    }
    false
}

#[test]
fn frames_at_rest_do_not_grow_memory() {
    if !is_alone("frames_at_rest_do_not_grow_memory") {
        return;
    }
    let Some(mut harness) = open_sized("builtin:bar", [640.0, 480.0]) else {
        return;
    };
    harness.state_mut().state.timeline.is_playing = false;
    for _ in 0..20 {
        harness.step();
    }
    let before = harness.state().device_objects();
    let resident = resident_kib();
    for _ in 0..500 {
        harness.step();
    }
    assert_eq!(harness.state().device_objects(), before);
    let grown = resident_kib().saturating_sub(resident);
    println!("500 frames: {grown} KiB");
    // 500 pictures of 640 × 480 pixels would be 600 MB.
    assert!(grown < MAX_GROWTH_KIB, "{grown} KiB");
}

/// Memory of this process in KiB; 0 where it is not known.
fn resident_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmRSS:"));
    let number = line.and_then(|line| line.split_whitespace().nth(1));
    number.and_then(|number| number.parse().ok()).unwrap_or(0)
}

#[test]
fn files_that_are_damaged_leave_the_viewer_alive() {
    let Some(assets) = throng_testkit::shared_assets() else {
        return;
    };
    let Some(mut harness) = open("builtin:bar") else {
        return;
    };
    let files = throng_testkit::files_below(&assets.join("malformed"), &["glb", "gltf", "fbx"]);
    assert!(files.len() > 10, "{}", files.len());
    for file in &files {
        let dropped: Arc<dyn egui::DroppedFile + Send + Sync> = Arc::new(Dropped(file.clone()));
        harness.input_mut().dropped_files.push(dropped);
        harness.step();
        wait(&mut harness, |state| state.opening.is_none());
        harness.state_mut().state.problems.clear();
    }
    let action = Action::Open("builtin:bar".into());
    harness.state_mut().state.actions.push(action);
    harness.step();
    wait(&mut harness, |state| state.opening.is_none());
    assert_eq!(
        harness.state().state.document.as_ref().unwrap().source,
        "builtin:bar"
    );
    assert!(harness.state().state.problems.is_empty());
}

#[test]
fn a_hundred_files_leak_neither_memory_nor_objects_of_the_device() {
    if !is_alone("a_hundred_files_leak_neither_memory_nor_objects_of_the_device") {
        return;
    }
    let Some(mut harness) = open_sized("builtin:bar", [640.0, 480.0]) else {
        return;
    };
    let mut counts = Vec::new();
    let mut resident = 0;
    for round in 0..100 {
        let source = ["builtin:bar", "builtin:box"][round % 2];
        // Some with a bake, which takes longer.
        let show = [Show::Source, Show::Bake][usize::from(round % 25 < 4)];
        harness.state_mut().state.views[0].show = show;
        harness
            .state_mut()
            .state
            .actions
            .push(Action::Open(source.into()));
        harness.step();
        wait(&mut harness, |state| {
            state.opening.is_none() && is_ready(state)
        });
        for _ in 0..3 {
            harness.step();
        }
        counts.push(harness.state().device_objects());
        if round == 20 {
            resident = resident_kib();
        }
    }
    // Objects of the old document are gone after a few frames; the same document has the same number.
    for [first, last] in [[3, 78], [2, 77], [5, 99], [4, 98]] {
        assert_eq!(counts[first], counts[last], "{counts:?}");
    }
    let grown = resident_kib().saturating_sub(resident);
    println!("80 files: {grown} KiB");
    // Each document has megabytes of textures.
    assert!(grown < MAX_GROWTH_KIB, "{grown} KiB");
}

#[test]
fn lost_device_closes_the_window_and_names_the_document() {
    let Some(mut harness) = open("builtin:bar") else {
        return;
    };
    assert_eq!(harness.state().recovery.loss(), None);
    harness.state().destroy_device();
    // The device ends what it was drawing.
    let start = Instant::now();
    let loss = loop {
        harness.step();
        if let Some(loss) = harness.state().recovery.loss() {
            break loss;
        }
        assert!(start.elapsed() < PATIENCE, "the loss was not noted");
    };
    assert_eq!(loss.source.as_deref(), Some("builtin:bar"));
    assert!(!loss.reason.is_empty());
    let viewports = harness.output().viewport_output.values();
    let mut commands = viewports.flat_map(|viewport| &viewport.commands);
    assert!(commands.any(|command| *command == egui::ViewportCommand::Close));
    harness.step();
    // Without a device, panes still answer.
    assert!(harness.query_by_label("No graphics device").is_some());
}

#[test]
fn window_after_a_lost_device_says_so() {
    let lost = Options {
        source: Some("builtin:bar".into()),
        lost: Some("the driver was reset".into()),
    };
    let Some(harness) = open_with(lost, [1280.0, 720.0]) else {
        return;
    };
    let state = &harness.state().state;
    assert!(state.problems[0].message.contains("the driver was reset"));
    assert!(
        harness
            .query_by_label("The graphics device was lost")
            .is_some()
    );
}
