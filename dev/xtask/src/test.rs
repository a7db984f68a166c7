//! `cargo xtask test`: installs what tests need, builds once, and runs the test programs side by side.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::metadata::{Package, cargo, items, packages, text, workspace_root};
use crate::schedule::{self, Finished, Job};
use crate::summary::{Counts, skip_lines};
use crate::tier::{LeftOut, Tier, start_order};
use crate::{arrows, deny, install, npm, pip, wasm};

/// Number of jobs that the summary lists as slowest.
const SLOWEST: usize = 5;

/// Results of a run so far.
#[derive(Default)]
struct Report {
    counts: Counts,
    /// Names of steps and test programs that failed.
    failed: Vec<String>,
    /// Reasons that tests gave for skipping a check.
    skips: BTreeSet<String>,
    times: Vec<(Duration, String)>,
}

/// Runs a tier, or `cargo test` with the arguments given. Prints the counts last.
pub fn run(tier: Tier, cargo_args: &[String]) -> Result<ExitCode, String> {
    let start = Instant::now();
    let mut report = Report::default();
    if tier != Tier::Quick {
        step("install what the tests need");
        install::run();
        npm::run();
        pip::run();
    }
    if !cargo_args.is_empty() {
        report.cargo_test(tier, cargo_args)?;
        return Ok(report.finish(start));
    }
    let packages = packages()?;
    if tier != Tier::Quick {
        report.step("format", cargo().args(["fmt", "--all", "--check"]));
        step("crate dependencies");
        if let Err(message) = arrows::check(&packages) {
            println!("{message}");
            report.failed.push("crate dependencies".into());
        }
        step("licences, duplicates and sources of dependencies");
        if let Err(message) = deny::run() {
            println!("{message}");
            report
                .failed
                .push("licences, duplicates and sources".into());
        }
        let mut clippy = cargo();
        clippy.args(["clippy", "--workspace", "--all-targets", "--locked"]);
        clippy.args(["--", "-D", "warnings"]);
        report.step("lints", &mut clippy);
        step("browser build");
        let start = Instant::now();
        if let Err(message) = wasm::run() {
            println!("{message}");
            report.failed.push("browser build".into());
        }
        report.times.push((start.elapsed(), "browser build".into()));
    }
    step("build the tests");
    match build(tier, &packages) {
        Ok(mut jobs) => {
            step(&format!("run {} test programs", jobs.len()));
            if tier != Tier::Quick {
                // After the slowest.
                jobs.insert(jobs.len().min(1), docs(tier));
                jobs.insert(0, fuzz(tier)?);
            }
            report.run_jobs(tier, jobs);
        }
        Err(message) => {
            println!("{message}");
            report.failed.push("build the tests".into());
        }
    }
    Ok(report.finish(start))
}

fn step(name: &str) {
    println!("\n== {name} ==");
}

/// Gives the tier to tests. Variables that the user has set win.
fn set_tier(command: &mut Command, tier: Tier) {
    command.env("THRONG_TEST_TIER", tier.name());
    if std::env::var_os("PROPTEST_CASES").is_none() {
        command.env("PROPTEST_CASES", tier.proptest_cases());
    }
    // Silences a layer of Mesa that reports an error where there is no display.
    command.env("NODEVICE_SELECT", "1");
}

/// Builds the test programs of a tier, and returns them in the order in which they are to start.
fn build(tier: Tier, packages: &[Package]) -> Result<Vec<Job>, String> {
    let mut command = cargo();
    command.args(["test", "--no-run", "--locked", "--workspace"]);
    command.arg("--message-format=json-render-diagnostics");
    if tier == Tier::Quick {
        command.args(["--lib", "--bins"]);
        let names: BTreeSet<&String> = packages
            .iter()
            .flat_map(|package| package.tests.iter().map(move |test| (package, test)))
            .filter(|(package, test)| tier.left_out(&package.name, test) != LeftOut::Target)
            .map(|(_, test)| test)
            .collect();
        for name in names {
            command.args(["--test", name]);
        }
    }
    let output = command
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("cannot run cargo: {error}"))?;
    if !output.status.success() {
        return Err("the tests do not compile".into());
    }
    let messages = String::from_utf8_lossy(&output.stdout);
    let mut programs: Vec<Program> = messages
        .lines()
        .filter_map(|line| Program::parse(&serde_json::from_str(line).ok()?, packages))
        .collect();
    programs.sort_by_key(|program| {
        let order = start_order(&program.package, &program.target);
        (order, program.package.clone(), program.target.clone())
    });
    let engines = (tier != Tier::Quick).then(|| engines(&messages));
    let programs = programs.iter().filter_map(|program| program.job(tier));
    Ok(engines.into_iter().chain(programs).collect())
}

/// Tests of the packages in `engines`, with the command that cargo has built.
fn engines(messages: &str) -> Job {
    let mut command = Command::new("node");
    command
        .arg("scripts/test.mjs")
        .current_dir(workspace_root().join("engines"));
    if let Some(program) = messages.lines().find_map(command_of) {
        command.env("THRONG", program);
    }
    Job {
        name: "engines".into(),
        commands: vec![command],
        tests: true,
    }
}

/// Path of the `throng` command, if a message of cargo is about it.
fn command_of(line: &str) -> Option<String> {
    let message: Value = serde_json::from_str(line).ok()?;
    let target = &message["target"];
    let is_command = text(&target["name"]) == "throng"
        && items(&target["kind"]).any(|kind| text(kind) == "bin")
        && message["profile"]["test"] == false;
    is_command.then(|| message["executable"].as_str().map(str::to_owned))?
}

/// A test program that cargo has built.
struct Program {
    package: String,
    /// Integration test, or `lib` or `bin` for unit tests.
    target: String,
    folder: PathBuf,
    executable: PathBuf,
}

impl Program {
    /// Reads one message of cargo; none unless it is a test program.
    fn parse(message: &Value, packages: &[Package]) -> Option<Self> {
        let executable = message["executable"].as_str()?;
        if message["reason"] != "compiler-artifact" || message["profile"]["test"] != true {
            return None;
        }
        let package = packages
            .iter()
            .find(|package| package.id == text(&message["package_id"]))?;
        let target = &message["target"];
        let kind = items(&target["kind"]).next().map_or("", text);
        Some(Self {
            package: package.name.clone(),
            target: match kind {
                "test" => text(&target["name"]).into(),
                other => other.into(),
            },
            folder: workspace_root().join(&package.folder),
            executable: executable.into(),
        })
    }

    /// Runs the program as `cargo test` does; none where the tier leaves it out.
    fn job(&self, tier: Tier) -> Option<Job> {
        let LeftOut::Modules(left_out) = tier.left_out(&self.package, &self.target) else {
            return None;
        };
        let mut command = Command::new(&self.executable);
        command
            .args(left_out.iter().flat_map(|module| ["--skip", module]))
            .current_dir(&self.folder)
            .env("CARGO_MANIFEST_DIR", &self.folder)
            .env("CARGO_PKG_NAME", &self.package);
        set_tier(&mut command, tier);
        Some(Job {
            name: format!("{} {}", self.package, self.target),
            commands: vec![command],
            tests: true,
        })
    }
}

/// Documentation tests and documentation. Cargo runs one of them at a time, so they share a job.
fn docs(tier: Tier) -> Job {
    let mut tests = cargo();
    tests.args(["test", "--doc", "--locked", "--workspace"]);
    set_tier(&mut tests, tier);
    let mut docs = cargo();
    docs.args(["doc", "--locked", "--workspace", "--no-deps"]);
    docs.env("RUSTDOCFLAGS", "-D warnings");
    Job {
        name: "documentation".into(),
        commands: vec![tests, docs],
        tests: true,
    }
}

/// Fuzz targets for a bounded time, from their seeds alone; in the full tier longer, and with AddressSanitizer too.
fn fuzz(tier: Tier) -> Result<Job, String> {
    let program = std::env::current_exe()
        .map_err(|error| format!("cannot find the program of xtask: {error}"))?;
    let runs: &[(&str, &str)] = match tier {
        Tier::Full => &[("fuzz", "1200"), ("asan", "120")],
        Tier::Quick | Tier::Default => &[("fuzz", "120")],
    };
    let command = |(name, secs): &(&str, &str)| {
        let mut command = Command::new(&program);
        command.args([name, "--secs", secs, "--fresh"]);
        command
    };
    Ok(Job {
        name: "fuzz targets".into(),
        commands: runs.iter().map(command).collect(),
        tests: false,
    })
}

impl Report {
    /// Runs a command with its output on the terminal.
    fn step(&mut self, name: &str, command: &mut Command) {
        step(name);
        let start = Instant::now();
        match command.status() {
            Ok(status) if status.success() => {}
            Ok(_) => self.failed.push(name.into()),
            Err(error) => self.failed.push(format!("{name} ({error})")),
        }
        self.times.push((start.elapsed(), name.into()));
    }

    /// Runs `cargo test` with arguments of the user.
    fn cargo_test(&mut self, tier: Tier, args: &[String]) -> Result<(), String> {
        step("cargo test");
        let mut command = cargo();
        command.args(["test", "--locked"]);
        if !names_packages(args) {
            command.arg("--workspace");
        }
        command.args(args).stdout(Stdio::piped());
        set_tier(&mut command, tier);
        let mut child = command
            .spawn()
            .map_err(|error| format!("cannot run cargo: {error}"))?;
        let output = child.stdout.take().expect("standard output is piped");
        for line in BufReader::new(output).lines() {
            let line = line.map_err(|error| format!("cannot read from cargo: {error}"))?;
            println!("{line}");
            self.counts.add_output(&line);
        }
        let status = child
            .wait()
            .map_err(|error| format!("cannot wait for cargo: {error}"))?;
        if !status.success() {
            self.failed.push("cargo test".into());
        }
        Ok(())
    }

    /// Runs test programs side by side.
    fn run_jobs(&mut self, tier: Tier, jobs: Vec<Job>) {
        let finished = schedule::run(jobs, schedule::slots(), |done| print(done, tier));
        for done in finished {
            let before = self.counts;
            self.counts.add_output(&done.output);
            self.skips
                .extend(skip_lines(&done.output).map(str::to_owned));
            if !done.success {
                // A program that crashed has counted nothing.
                if done.tests && self.counts.failed == before.failed {
                    self.counts.failed += 1;
                }
                self.failed.push(done.name.clone());
            }
            self.times.push((done.duration, done.name));
        }
    }

    /// Prints the summary; the counts are the last line.
    fn finish(mut self, start: Instant) -> ExitCode {
        step(&format!("{:.0} s", start.elapsed().as_secs_f64()));
        self.times.sort();
        for (duration, name) in self.times.iter().rev().take(SLOWEST) {
            println!("{:6.1} s  {name}", duration.as_secs_f64());
        }
        for skip in &self.skips {
            println!("{skip}");
        }
        for failed in &self.failed {
            println!("FAILED: {failed}");
        }
        println!("{}", self.counts);
        if self.failed.is_empty() {
            ExitCode::SUCCESS
        } else {
            ExitCode::FAILURE
        }
    }
}

/// Prints what a job has written. The quick tier shows only results of programs that passed.
fn print(done: &Finished, tier: Tier) {
    let secs = done.duration.as_secs_f64();
    println!("\n-- {} ({secs:.1} s)", done.name);
    if tier == Tier::Quick && done.success {
        for line in done.output.lines() {
            if line.starts_with("test result:") {
                println!("{line}");
            }
        }
    } else {
        println!("{}", done.output.trim());
    }
}

/// Whether arguments of `cargo test` say which packages to test.
fn names_packages(args: &[String]) -> bool {
    let options = args.iter().take_while(|arg| *arg != "--");
    let mut options = options.map(String::as_str);
    options.any(|arg| {
        arg.starts_with("-p")
            || ["--package", "--workspace", "--all", "--manifest-path"]
                .iter()
                .any(|option| arg.split('=').next() == Some(option))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn message(kind: &str, test: bool) -> Value {
        json!({
            "reason": "compiler-artifact",
            "package_id": "path+file:///w/core/rig#throng-rig@0.1.0",
            "target": { "kind": [kind], "name": "crowd" },
            "profile": { "test": test },
            "executable": "/t/deps/crowd-0123",
        })
    }

    fn rig() -> Package {
        Package {
            name: "throng-rig".into(),
            id: "path+file:///w/core/rig#throng-rig@0.1.0".into(),
            folder: "core/rig".into(),
            dependencies: Vec::new(),
            tests: vec!["crowd".into()],
        }
    }

    #[test]
    fn finds_test_programs_in_messages_of_cargo() {
        let program = Program::parse(&message("test", true), &[rig()]).unwrap();
        assert_eq!(
            (&*program.package, &*program.target),
            ("throng-rig", "crowd")
        );
        assert_eq!(program.folder, workspace_root().join("core/rig"));
        let unit = Program::parse(&message("lib", true), &[rig()]).unwrap();
        assert_eq!(unit.target, "lib");
    }

    #[test]
    fn leaves_out_programs_that_are_not_tests() {
        assert!(Program::parse(&message("bin", false), &[rig()]).is_none());
        assert!(Program::parse(&json!({ "reason": "build-finished" }), &[rig()]).is_none());
    }

    #[test]
    fn finds_the_command_in_messages_of_cargo() {
        let mut built = message("bin", false);
        assert_eq!(command_of(&built.to_string()), None);
        built["target"]["name"] = "throng".into();
        let found = command_of(&built.to_string());
        assert_eq!(found.as_deref(), Some("/t/deps/crowd-0123"));
        built["profile"]["test"] = true.into();
        assert_eq!(command_of(&built.to_string()), None);
    }

    #[test]
    fn recognises_arguments_that_name_packages() {
        let words = |line: &str| line.split(' ').map(str::to_owned).collect::<Vec<_>>();
        assert!(names_packages(&words("-p throng-rig")));
        assert!(names_packages(&words("--lib --package=throng-rig")));
        assert!(!names_packages(&words("--test crowd -- -p")));
    }
}
