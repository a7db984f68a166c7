//! The tour and `--help`.

use crate::run::{run, run_in};

/// Columns of a terminal.
const COLUMNS: usize = 80;

#[track_caller]
fn fits(text: &str) {
    for line in text.lines() {
        assert!(line.chars().count() <= COLUMNS, "{line}");
    }
}

/// Returns the command lines of the tour as words, without their remarks.
fn commands(tour: &str) -> Vec<Vec<&str>> {
    let lines = tour
        .lines()
        .filter_map(|line| line.strip_prefix("  throng "));
    let typed = lines.map(|line| line.split("  ").next().unwrap());
    typed.map(|line| line.split(' ').collect()).collect()
}

fn output_of<'a>(words: &[&'a str]) -> Option<&'a str> {
    let flag = words.iter().position(|word| *word == "-o")?;
    Some(words[flag + 1])
}

#[test]
fn commands_of_the_tour_work() {
    let tour = run([""; 0]).quiet();
    fits(&tour);
    assert!(tour.contains("throng help COMMAND"), "{tour}");
    let folder = tempfile::tempdir().unwrap();
    let mut ran = 0;
    for words in commands(&tour) {
        let output = output_of(&words);
        let is_input =
            |word: &&str| word.ends_with('/') || word.contains('.') && word.ends_with("glb");
        if words
            .iter()
            .any(|word| is_input(word) && Some(*word) != output)
        {
            continue;
        }
        run_in(folder.path(), &words).quiet();
        if let Some(output) = output {
            let written = std::fs::metadata(folder.path().join(output)).unwrap();
            assert!(written.len() > 1000, "{words:?}");
        }
        ran += 1;
    }
    assert!(ran >= 3, "{ran} commands in {tour}");
}

#[test]
fn built_in_characters_of_the_tour_exist() {
    let tour = run([""; 0]).quiet();
    let lines = tour.lines().filter(|line| line.starts_with("  builtin:"));
    let names: Vec<&str> = lines
        .map(|line| line.split_whitespace().next().unwrap())
        .collect();
    assert_eq!(names[0], "builtin:humanoid", "{names:?}");
    assert!(names.contains(&"builtin:cylinder"), "{names:?}");
    for name in names {
        run(["inspect", name]).quiet();
    }
}

#[test]
fn help_fits_a_terminal_and_lists_every_option() {
    for args in [
        &["--help"][..],
        &["-h"],
        &["help", "inspect"],
        &["inspect", "-h"],
        &["help", "pose"],
        &["pose", "-h"],
        &["help", "bake"],
        &["bake", "-h"],
        &["help", "verify"],
        &["verify", "-h"],
        &["help", "shader"],
        &["shader", "-h"],
        &["help", "render"],
        &["render", "-h"],
    ] {
        fits(&run(args).quiet());
    }
    let help = run(["help", "pose"]).quiet();
    for option in [
        "[FILE]",
        "--clip",
        "--time",
        "--method",
        "-o, --output",
        "--json",
        "--max-influences",
        "--min-weight",
        "--positions",
    ] {
        assert!(help.contains(option), "{option}: {help}");
    }
    let version = run(["--version"]).quiet();
    assert_eq!(version, concat!("throng ", env!("CARGO_PKG_VERSION"), "\n"));
}
