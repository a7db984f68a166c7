//! Development commands of the workspace: `cargo xtask test`, `arrows`, `deny`, `fuzz`, `asan`, `wasm` and `images`.

mod arrows;
mod deny;
mod fuzz;
mod images;
mod install;
mod metadata;
mod npm;
mod pip;
mod program;
mod schedule;
mod summary;
mod test;
mod tier;
mod wasm;

use std::path::PathBuf;
use std::process::ExitCode;

use fuzz::{Fuzz, Sanitizer};
use tier::Tier;

const USAGE: &str = "\
usage: cargo xtask test [--quick | --full] [-- CARGO_TEST_ARGS...]
       cargo xtask arrows
       cargo xtask deny
       cargo xtask fuzz [--secs N] [--target NAME] [--seed N] [--fresh] [INPUT...]
       cargo xtask asan [the same options]
       cargo xtask wasm
       cargo xtask wasm-build FOLDER
       cargo xtask images [FILE...]

test      Runs the tests of the workspace and prints their counts last.
            --quick   unit tests and fast integration tests; installs nothing; under 2 minutes when built
            (default) installs what the tests need; formatting, crate dependencies, lints, all tests, docs
            --full    the default, with ten times the random cases and browsers in every mode
          CARGO_TEST_ARGS go to `cargo test --locked`, which then runs alone, at the chosen tier:
            cargo xtask test --quick -- -p throng-bake --test search
arrows    Checks which crate depends on which.
deny      Checks licences, duplicates and sources of dependencies by deny.toml; installs cargo-deny once.
fuzz      Runs the fuzz targets of fuzz/ with libFuzzer.
            --secs N       duration of the whole run (default 120)
            --target NAME  one target instead of all
            --seed N       seed of the mutations (default 1)
            --fresh        begins with the seeds alone; otherwise also with inputs that earlier runs have found
            INPUT...       runs these files once, to reproduce a failure; needs --target
asan      Runs the fuzz targets with C and C++ code built with AddressSanitizer (default 60 s).
wasm      Checks that the run time builds for browsers without C code, for WebGPU and for WebGL2, and builds the
          examples into target/wasm/module; installs the Rust target and wasm-bindgen once.
wasm-build
          Builds the examples for browsers into FOLDER; installs nothing. Exits with 3 if a tool is missing.
images    Draws the pictures of docs/images with `throng render`, all or those named: crowd.png. Others have commands of
          their own:
            view-*.png  UPDATE_SNAPSHOTS=1 cargo test -p throng-view snapshots
            rim.png     cargo run -p throng-examples --example custom_material -- --headless docs/images/rim.png
            bench.png   a screenshot of the report of `throng bench`
            three.png   a screenshot of the page of `node engines/three/demo/build.mjs`";

/// Exit code for wrong usage.
const WRONG_USAGE: u8 = 2;

/// Parsed command line.
enum Command {
    Test { tier: Tier, cargo_args: Vec<String> },
    Arrows,
    Deny,
    Fuzz(Fuzz),
    Wasm,
    WasmBuild { folder: PathBuf },
    Images { files: Vec<String> },
    Help,
}

fn parse(mut args: impl Iterator<Item = String>) -> Result<Command, String> {
    let command = args.next().unwrap_or_default();
    match command.as_str() {
        "test" => parse_test(args),
        "arrows" => no_more(args, Command::Arrows),
        "deny" => no_more(args, Command::Deny),
        "fuzz" => parse_fuzz(Sanitizer::None, args),
        "asan" => parse_fuzz(Sanitizer::Address, args),
        "wasm" => no_more(args, Command::Wasm),
        "wasm-build" => {
            let folder = args.next().ok_or("wasm-build needs a folder")?.into();
            no_more(args, Command::WasmBuild { folder })
        }
        "images" => Ok(match args.collect::<Vec<_>>() {
            files if files.iter().any(|arg| arg == "--help" || arg == "-h") => Command::Help,
            files => Command::Images { files },
        }),
        "help" | "--help" | "-h" => Ok(Command::Help),
        "" => Err("no command given".into()),
        other => Err(format!("unknown command '{other}'")),
    }
}

fn no_more(mut args: impl Iterator<Item = String>, command: Command) -> Result<Command, String> {
    match args.next() {
        None => Ok(command),
        Some(arg) => Err(format!("unexpected argument '{arg}'")),
    }
}

fn parse_fuzz(sanitizer: Sanitizer, args: impl Iterator<Item = String>) -> Result<Command, String> {
    Ok(fuzz::parse(sanitizer, args)?.map_or(Command::Help, Command::Fuzz))
}

fn parse_test(mut args: impl Iterator<Item = String>) -> Result<Command, String> {
    let mut tier = None;
    let mut cargo_args = Vec::new();
    while let Some(arg) = args.next() {
        let chosen = match arg.as_str() {
            "--quick" => Tier::Quick,
            "--full" => Tier::Full,
            "--" => {
                cargo_args.extend(args);
                break;
            }
            "--help" | "-h" => return Ok(Command::Help),
            other => {
                return Err(format!(
                    "unexpected argument '{other}'; arguments of cargo test go after '--'"
                ));
            }
        };
        if tier.replace(chosen).is_some_and(|other| other != chosen) {
            return Err("--quick and --full exclude each other".into());
        }
    }
    let tier = tier.unwrap_or(Tier::Default);
    Ok(Command::Test { tier, cargo_args })
}

fn main() -> ExitCode {
    let command = match parse(std::env::args().skip(1)) {
        Ok(command) => command,
        Err(message) => {
            eprintln!("error: {message}\n\n{USAGE}");
            return ExitCode::from(WRONG_USAGE);
        }
    };
    let outcome = match command {
        Command::Help => {
            println!("{USAGE}");
            Ok(ExitCode::SUCCESS)
        }
        Command::Arrows => metadata::packages()
            .and_then(|packages| arrows::check(&packages))
            .map(|()| ExitCode::SUCCESS),
        Command::Deny => deny::run().map(|()| ExitCode::SUCCESS),
        Command::Fuzz(fuzz) => fuzz::run(&fuzz),
        Command::Wasm => wasm::run().map(|()| ExitCode::SUCCESS),
        Command::WasmBuild { folder } => wasm::build_module(&folder),
        Command::Images { files } => images::run(&files).map(|()| ExitCode::SUCCESS),
        Command::Test { tier, cargo_args } => test::run(tier, &cargo_args),
    };
    outcome.unwrap_or_else(|message| {
        eprintln!("error: {message}");
        ExitCode::FAILURE
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse_words(words: &str) -> Result<Command, String> {
        parse(words.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn test_takes_a_tier_and_arguments_of_cargo_test() {
        let Ok(Command::Test { tier, cargo_args }) =
            parse_words("test --quick -- -p throng-rig -- --nocapture")
        else {
            panic!("expected a test command");
        };
        assert_eq!(tier, Tier::Quick);
        assert_eq!(cargo_args, ["-p", "throng-rig", "--", "--nocapture"]);
    }

    #[test]
    fn the_tier_defaults_to_default() {
        let Ok(Command::Test { tier, .. }) = parse_words("test") else {
            panic!("expected a test command");
        };
        assert_eq!(tier, Tier::Default);
    }

    #[test]
    fn rejects_unknown_arguments() {
        for words in [
            "",
            "tests",
            "test --fast",
            "test --quick --full",
            "arrows x",
            "deny x",
            "fuzz --fast",
            "wasm x",
            "wasm-build",
            "wasm-build a b",
        ] {
            assert!(parse_words(words).is_err(), "{words}");
        }
    }
}
