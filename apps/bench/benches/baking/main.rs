//! How fast bakes are and how small sets: `cargo bench -p throng-bench --bench baking [-- speed|sizes [NAME...]]`.
//!
//! Speed: `vertex` f16 on all cores beside the plain glam loop on one, in turns. Sizes: the bytes that each
//! encoding needs for 0.028 % of size, for every character of the test assets (or those whose path holds a
//! NAME), beside what others need.
//! Exits with 1 where a bar is missed.

mod characters;
mod sizes;
mod speed;
mod table;

use std::process::ExitCode;

use throng_format::Source;

/// What can be asked for.
const PARTS: [&str; 2] = ["speed", "sizes"];

fn main() -> ExitCode {
    // Cargo adds a flag of its own.
    let asked: Vec<String> = std::env::args()
        .skip(1)
        .filter(|argument| !argument.starts_with("--"))
        .collect();
    let (parts, named): (Vec<String>, Vec<String>) = asked
        .into_iter()
        .partition(|argument| PARTS.contains(&argument.as_str()));
    let is_asked = |part: &str| parts.is_empty() || parts.iter().any(|asked| asked == part);
    let mut met = true;
    if is_asked("speed") {
        met &= speed::report();
    }
    if is_asked("sizes") {
        met &= sizes::report(&named);
    }
    if met {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// What a manifest says of a source that is only measured.
fn source(name: &str) -> Source {
    Source {
        path: name.to_owned(),
        digest: String::new(),
        settings: String::new(),
        max_influences: None,
        min_weight: 0.0,
        shared_positions: true,
    }
}

/// Says whether a bar is met.
fn verdict(met: bool) -> &'static str {
    if met { "met" } else { "MISSED" }
}
