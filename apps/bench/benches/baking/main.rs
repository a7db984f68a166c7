//! Speed of bakes and size of sets: `cargo bench -p throng-bench --bench baking [-- speed|sizes|mocap|effort|library
//! [NAME...]]`.
//!
//! Speed: `vertex` f16 on all cores beside the plain glam loop on one, in turns. Sizes: the bytes that each
//! encoding needs for 0.028 % of size, for every character of the test assets (or those whose path contains a
//! NAME), compared with other tools. Mocap: the bytes of compressed curves of motion capture beside those of ACL, and CPU
//! seconds, with `THRONG_BEFORE=PROGRAM` beside those of another build of the command. Effort: bytes and search time of
//! each `--effort`. Library: CPU time per clip of up to 2 000 clips, which must not grow. Exits with 1 if a bar is missed.

mod characters;
mod cpu_time;
mod effort;
mod library;
mod mocap;
mod sizes;
mod speed;
mod table;

use std::process::ExitCode;

use throng_format::Source;

/// Usage.
const PARTS: [&str; 5] = ["speed", "sizes", "mocap", "effort", "library"];

fn main() -> ExitCode {
    // Cargo adds a flag.
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
    if is_asked("mocap") {
        met &= mocap::report(&named);
    }
    if is_asked("effort") {
        met &= effort::report(&named);
    }
    if is_asked("library") {
        met &= library::report(&named);
    }
    if met {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// Manifest source of sets that are only measured.
fn source(name: &str) -> Source {
    Source::in_memory(name.to_owned())
}

/// Returns "met" or "MISSED".
fn verdict(met: bool) -> &'static str {
    if met { "met" } else { "MISSED" }
}
