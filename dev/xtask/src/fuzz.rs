//! `cargo xtask fuzz` and `cargo xtask asan`: builds the targets of `fuzz/` with libFuzzer and runs them.
//!
//! Coverage comes from a pass of LLVM that every Rust compiler has, so that a nightly toolchain is not needed. AddressSanitizer
//! is that of the C compiler, and covers C and C++ code; Rust code keeps its own checks.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Output};
use std::time::Instant;

use crate::metadata::{cargo, items, metadata, text, workspace_root};

/// Time limit for one input, in seconds. The slowest take 5, and tests run at the same time.
const INPUT_SECS: u32 = 20;

/// Largest input, in bytes. Every fault found so far needs far less, and small inputs are fast.
const MAX_INPUT_BYTES: u32 = 64 << 10;

/// Limit on resident memory, in MiB: that of `throng_fuzz::MAX_PEAK_BYTES`, and the fuzzer itself.
const MAX_RESIDENT_MIB: u32 = 1536;

/// Resident memory with AddressSanitizer, which keeps freed blocks for a while.
const MAX_SANITIZED_MIB: u32 = 4096;

/// Options of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fuzz {
    /// Duration of the whole run, in seconds. Targets share it evenly.
    pub secs: u64,
    /// Name of the only target to run.
    pub target: Option<String>,
    /// Seed of the mutations.
    pub seed: u32,
    /// Where inputs of earlier runs go.
    pub corpus: Corpus,
    /// Inputs to run once each, instead of fuzzing.
    pub inputs: Vec<PathBuf>,
    pub sanitizer: Sanitizer,
}

/// Inputs that a run begins with, besides the seeds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Corpus {
    /// Inputs that earlier runs have found. The run adds to them.
    Kept,
    /// None, so that a run depends on the seed alone.
    Fresh,
}

/// Checks of C and C++ code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sanitizer {
    None,
    Address,
}

impl Sanitizer {
    /// Command and folder of builds.
    fn name(self) -> &'static str {
        match self {
            Self::None => "fuzz",
            Self::Address => "asan",
        }
    }
}

/// Parses the arguments of `fuzz` or `asan`; none for a request for help.
pub fn parse(
    sanitizer: Sanitizer,
    mut args: impl Iterator<Item = String>,
) -> Result<Option<Fuzz>, String> {
    let mut fuzz = Fuzz {
        secs: match sanitizer {
            Sanitizer::None => 120,
            Sanitizer::Address => 60,
        },
        target: None,
        seed: 1,
        corpus: Corpus::Kept,
        inputs: Vec::new(),
        sanitizer,
    };
    while let Some(arg) = args.next() {
        let mut value = || args.next().ok_or(format!("{arg} needs a value"));
        match arg.as_str() {
            "--secs" => fuzz.secs = number(&arg, &value()?)?,
            "--seed" => fuzz.seed = number(&arg, &value()?)?,
            "--target" => fuzz.target = Some(value()?),
            "--fresh" => fuzz.corpus = Corpus::Fresh,
            "--help" | "-h" => return Ok(None),
            option if option.starts_with('-') => {
                return Err(format!("unexpected argument '{option}'"));
            }
            input => fuzz.inputs.push(input.into()),
        }
    }
    if !fuzz.inputs.is_empty() && fuzz.target.is_none() {
        return Err("an input needs the --target that reads it".into());
    }
    Ok(Some(fuzz))
}

fn number<T: std::str::FromStr>(option: &str, value: &str) -> Result<T, String> {
    let invalid = |_| format!("invalid value '{value}' of {option}; expected a whole number");
    value.parse().map_err(invalid)
}

/// Builds the targets and runs them one after another. Fails where a target fails; its input is then in a file.
pub fn run(fuzz: &Fuzz) -> Result<ExitCode, String> {
    if !cfg!(target_os = "linux") {
        return Err("fuzzing needs Linux".into());
    }
    let metadata = metadata()?;
    let targets = targets(&metadata);
    let chosen = match &fuzz.target {
        None => targets,
        Some(name) if targets.contains(name) => vec![name.clone()],
        Some(name) => {
            let known = targets.join(", ");
            return Err(format!("unknown target '{name}'; expected one of {known}"));
        }
    };
    let root = Path::new(text(&metadata["target_directory"])).join(fuzz.sanitizer.name());
    let programs = build(fuzz.sanitizer, &root)?;
    let run = Run {
        fuzz,
        secs: (fuzz.secs / chosen.len() as u64).max(1),
        programs,
        folder: root.join("run"),
        scratch: scratch(&root),
    };
    run.prepare()?;
    let mut failed = false;
    for target in &chosen {
        failed |= !run.target(target)?;
    }
    // Targets that failed have left files there.
    let _ = std::fs::remove_dir_all(&run.scratch);
    Ok(match failed {
        true => ExitCode::FAILURE,
        false => ExitCode::SUCCESS,
    })
}

/// Names of the programs in `fuzz/fuzz_targets`, in the order of `fuzz/Cargo.toml`.
fn targets(metadata: &serde_json::Value) -> Vec<String> {
    let package = items(&metadata["packages"]).find(|package| package["name"] == "throng-fuzz");
    let targets = package.into_iter().flat_map(|p| items(&p["targets"]));
    targets
        .filter(|target| text(&target["src_path"]).contains("fuzz_targets"))
        .map(|target| text(&target["name"]).into())
        .collect()
}

/// Builds all targets and returns the folder of their programs.
fn build(sanitizer: Sanitizer, root: &Path) -> Result<PathBuf, String> {
    let host = host()?;
    let mut flags: Vec<String> = [
        "-Cpasses=sancov-module",
        "-Cllvm-args=-sanitizer-coverage-level=4",
        "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
        "-Cllvm-args=-sanitizer-coverage-pc-table",
        "-Cllvm-args=-sanitizer-coverage-trace-compares",
        "--cfg=fuzzing",
    ]
    .map(Into::into)
    .into();
    let mut command = cargo();
    command
        .args([
            "build",
            "--quiet",
            "--locked",
            "--package",
            "throng-fuzz",
            "--bins",
        ])
        .args(["--profile", "fuzz"])
        // Without a target, the flags would also apply to build scripts.
        .args(["--target", &host, "--target-dir"])
        .arg(root);
    if sanitizer == Sanitizer::Address {
        let variable = host.replace('-', "_");
        for language in ["CFLAGS", "CXXFLAGS"] {
            let flags = "-fsanitize=address -fno-omit-frame-pointer";
            command.env(format!("{language}_{variable}"), flags);
        }
        // Rust links with -nodefaultlibs, so that the C compiler does not add its runtime by itself. It must be whole, and
        // in the program, to take the place of malloc.
        let runtime = sanitizer_runtime()?;
        flags.push(format!(
            "-Clink-arg=-Wl,--whole-archive,{runtime},--no-whole-archive"
        ));
        flags.extend(["-lstdc++", "-lm", "-lc", "-lgcc_s"].map(|lib| format!("-Clink-arg={lib}")));
    }
    command.env("CARGO_ENCODED_RUSTFLAGS", flags.join("\x1f"));
    println!("building the fuzz targets");
    match command.status() {
        Ok(status) if status.success() => Ok(root.join(host).join("fuzz")),
        Ok(_) => Err("the fuzz targets do not compile".into()),
        Err(error) => Err(format!("cannot run cargo: {error}")),
    }
}

/// Target triple of the Rust compiler.
fn host() -> Result<String, String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or("rustc".into());
    let version = output(Command::new(rustc).arg("-vV"))?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned)
        .ok_or_else(|| "rustc -vV names no host".into())
}

/// Path of the static library of AddressSanitizer.
fn sanitizer_runtime() -> Result<String, String> {
    let path = output(Command::new("cc").arg("-print-file-name=libasan.a"))?;
    let path = path.trim();
    if Path::new(path).is_absolute() {
        return Ok(path.into());
    }
    Err(
        "the C compiler has no libasan.a: install gcc, which Debian's build-essential contains"
            .into(),
    )
}

fn output(command: &mut Command) -> Result<String, String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command
        .output()
        .map_err(|error| format!("cannot run {program}: {error}"))?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// A folder for temporary files: in memory where the system has such a place, which makes sets ten times as fast.
fn scratch(root: &Path) -> PathBuf {
    let memory = Path::new("/dev/shm");
    let parent = if memory.is_dir() { memory } else { root };
    parent.join(format!("throng-fuzz-{}", std::process::id()))
}

/// A run with its folders: `seeds/`, `corpus/` and `failures/`.
struct Run<'a> {
    fuzz: &'a Fuzz,
    /// Duration per target, in seconds.
    secs: u64,
    programs: PathBuf,
    folder: PathBuf,
    /// Folder for temporary files of targets.
    scratch: PathBuf,
}

impl Run<'_> {
    /// Makes the folders and writes the seeds.
    fn prepare(&self) -> Result<(), String> {
        for stale in ["seeds", "fresh"] {
            // Absent at first.
            let _ = std::fs::remove_dir_all(self.folder.join(stale));
        }
        create(&self.folder.join("seeds"))?;
        create(&self.folder.join("failures"))?;
        create(&self.scratch)?;
        let mut seeds = self.command("seeds");
        seeds.arg(self.folder.join("seeds"));
        match seeds.status() {
            Ok(status) if status.success() => Ok(()),
            Ok(status) => Err(format!("cannot make the seeds: {status}")),
            Err(error) => Err(format!("cannot make the seeds: {error}")),
        }
    }

    /// A program of the build.
    fn command(&self, name: &str) -> Command {
        let mut command = Command::new(self.programs.join(name));
        command
            .env("TMPDIR", &self.scratch)
            .env("CARGO_MANIFEST_DIR", workspace_root().join("fuzz"))
            // One thread at a time: the coverage of an input must not depend on others.
            .env("RAYON_NUM_THREADS", "1")
            .env("RUST_BACKTRACE", "1");
        command
    }

    /// Runs a target and prints the number of its executions. Returns false where it failed.
    fn target(&self, target: &str) -> Result<bool, String> {
        let mut command = self.command(target);
        let resident = match self.fuzz.sanitizer {
            Sanitizer::None => MAX_RESIDENT_MIB,
            Sanitizer::Address => MAX_SANITIZED_MIB,
        };
        let failures = self.folder.join("failures");
        command
            .arg(format!("-timeout={INPUT_SECS}"))
            .arg(format!("-rss_limit_mb={resident}"))
            .arg(format!("-artifact_prefix={}/{target}-", failures.display()));
        if self.fuzz.inputs.is_empty() {
            self.add_fuzzing(target, &mut command)?;
        } else {
            command.args(&self.fuzz.inputs);
        }
        let start = Instant::now();
        let output = command
            .output()
            .map_err(|error| format!("cannot run the target {target}: {error}"))?;
        self.report(target, &output, start.elapsed().as_secs_f64());
        Ok(output.status.success())
    }

    /// Adds the arguments of a run that makes its own inputs.
    fn add_fuzzing(&self, target: &str, command: &mut Command) -> Result<(), String> {
        let corpus = match self.fuzz.corpus {
            Corpus::Kept => "corpus",
            Corpus::Fresh => "fresh",
        };
        let corpus = self.folder.join(corpus).join(target);
        create(&corpus)?;
        let seeds = self.folder.join("seeds");
        let assets = seeds.join(format!("{target}.assets"));
        if assets.metadata().is_ok_and(|file| file.len() > 0) {
            command.arg(format!("-seed_inputs=@{}", assets.display()));
        }
        if let Some(dictionary) = dictionary(target) {
            let path = workspace_root().join("fuzz/dictionaries").join(dictionary);
            command.arg(format!("-dict={}", path.display()));
        }
        command
            .arg(format!("-seed={}", self.fuzz.seed))
            .arg(format!("-max_len={MAX_INPUT_BYTES}"))
            .arg(format!("-max_total_time={}", self.secs))
            .arg("-print_final_stats=1")
            .arg(corpus)
            .arg(seeds.join(target));
        Ok(())
    }

    fn report(&self, target: &str, output: &Output, secs: f64) {
        let log = String::from_utf8_lossy(&output.stderr);
        if output.status.success() {
            let executions = executions(&log).unwrap_or(self.fuzz.inputs.len() as u64);
            println!("{target:12} {executions:9} executions in {secs:.0} s");
            return;
        }
        let lines: Vec<&str> = log.lines().collect();
        println!("{}", lines[lines.len().saturating_sub(60)..].join("\n"));
        println!("{target:12} FAILED after {secs:.0} s");
        if let Some(input) = failing_input(&log) {
            let command = self.fuzz.sanitizer.name();
            println!("run the input again: cargo xtask {command} --target {target} {input}");
        }
    }
}

/// Dictionary of a target; none for inputs without words.
fn dictionary(target: &str) -> Option<&'static str> {
    match target {
        "gltf" | "glb" | "mesh" => Some("gltf.dict"),
        "fbx" => Some("fbx.dict"),
        "abc" => Some("abc.dict"),
        "bvh" => Some("bvh.dict"),
        "ktx2" | "image" => Some("texture.dict"),
        "manifest" | "set_folder" | "set_file" => Some("set.dict"),
        _ => None,
    }
}

fn create(folder: &Path) -> Result<(), String> {
    std::fs::create_dir_all(folder)
        .map_err(|error| format!("cannot create {}: {error}", folder.display()))
}

/// Number of executions in the log of libFuzzer.
fn executions(log: &str) -> Option<u64> {
    let mut lines = log.lines();
    let line = lines.find_map(|line| line.strip_prefix("stat::number_of_executed_units:"))?;
    line.trim().parse().ok()
}

/// Path of the input that failed, in the log of libFuzzer.
fn failing_input(log: &str) -> Option<&str> {
    let (_, path) = log.split_once("Test unit written to ")?;
    path.lines().next()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse_words(words: &str) -> Result<Option<Fuzz>, String> {
        parse(Sanitizer::None, words.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn takes_a_duration_a_target_a_seed_and_inputs() {
        let fuzz = parse_words("--secs 9 --target glb --seed 7 --fresh a b");
        let expected = Fuzz {
            secs: 9,
            target: Some("glb".into()),
            seed: 7,
            corpus: Corpus::Fresh,
            inputs: vec!["a".into(), "b".into()],
            sanitizer: Sanitizer::None,
        };
        assert_eq!(fuzz, Ok(Some(expected)));
        assert_eq!(parse_words("--help"), Ok(None));
    }

    #[test]
    fn rejects_values_that_are_missing_or_invalid() {
        for words in ["--secs", "--secs x", "--seed -1", "--fast", "an-input"] {
            assert!(parse_words(words).is_err(), "{words}");
        }
    }

    #[test]
    fn reads_the_log_of_libfuzzer() {
        let log = "INFO: Seed: 1\nstat::number_of_executed_units: 1234\nstat::x: 5\n";
        assert_eq!(executions(log), Some(1234));
        let log =
            "x\nartifact_prefix='/f/glb-'; Test unit written to /f/glb-crash-01\nBase64: AA==";
        assert_eq!(failing_input(log), Some("/f/glb-crash-01"));
        assert_eq!(failing_input("fine"), None);
    }
}
