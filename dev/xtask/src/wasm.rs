//! The browser build: no C code, the run time for WebGPU and WebGL2, and the module of the examples.

use std::path::Path;
use std::process::{Command, ExitCode};

use crate::metadata::{cargo, target_folder, workspace_root};
use crate::program::{Program, succeed};

const TARGET: &str = "wasm32-unknown-unknown";

/// Profile of the browser build.
const PROFILE: &str = "wasm";

/// Crates of the run time that must build without C code.
const CRATES: &[&str] = &["throng-format", "throng-wgpu"];

/// Crates that compile or bind C code in a build script.
const C_BUILDERS: &[&str] = &["bindgen", "cc", "cmake", "cxx-build", "pkg-config", "vcpkg"];

/// Crates that are named like bindings of C libraries, but bind the browser.
const BROWSER_BINDINGS: &[&str] = &["js-sys", "web-sys"];

/// Exit code of [`build_module`] where a tool is missing, so that a test can skip.
const MISSING_TOOL: u8 = 3;

/// Checks and builds everything for browsers. Installs the target and `wasm-bindgen` first.
pub fn run() -> Result<(), String> {
    add_target()?;
    check_no_c_code()?;
    let target = target_folder()?;
    for features in [&[][..], &["--features", "webgl"]] {
        let mut build = cargo_for_wasm("build", &target);
        build.args(["-p", "throng-wgpu", "--no-default-features"]);
        build.args(features);
        succeed(&mut build, "cargo build for wasm32")?;
    }
    for arguments in [
        &["-p", "throng-wgpu", "--no-default-features"][..],
        &["-p", "throng-wgpu", "--features", "webgl,cpu"],
        &["-p", "throng-examples"],
        &["-p", "throng-view"],
    ] {
        let mut clippy = cargo_for_wasm("clippy", &target);
        clippy.arg("--lib").args(arguments);
        clippy.args(["--", "-D", "warnings"]);
        // Handles of wgpu are `Send` and `Sync` on other targets.
        clippy.args(["-A", "clippy::arc_with_non_send_sync"]);
        succeed(&mut clippy, "cargo clippy for wasm32")?;
    }
    let program = wasm_bindgen(&lock_file()?)?.installed(&target)?;
    write_module(&target, &program, &target.join("wasm/module"))
}

/// Writes the module of the examples and its JavaScript into a folder. Installs nothing.
pub fn build_module(out: &Path) -> Result<ExitCode, String> {
    let target = target_folder()?;
    let program = wasm_bindgen(&lock_file()?)?.path(&target);
    let missing = if !has_target()? {
        format!("the standard library of {TARGET}")
    } else if !program.is_file() {
        program.display().to_string()
    } else {
        write_module(&target, &program, out)?;
        return Ok(ExitCode::SUCCESS);
    };
    eprintln!("{missing} not found; run 'cargo xtask wasm'");
    Ok(ExitCode::from(MISSING_TOOL))
}

fn write_module(target: &Path, wasm_bindgen: &Path, out: &Path) -> Result<(), String> {
    let mut build = cargo_for_wasm("build", target);
    build.args(["-p", "throng-examples", "--lib"]);
    succeed(&mut build, "cargo build for wasm32")?;
    let built = format!("wasm/{TARGET}/{PROFILE}/throng_examples.wasm");
    let mut bindgen = Command::new(wasm_bindgen);
    bindgen
        .args(["--target", "web", "--no-typescript", "--out-dir"])
        .arg(out)
        .arg(target.join(built));
    succeed(&mut bindgen, "wasm-bindgen")
}

/// Cargo for the target, in a target folder of its own: it and other cargo commands do not wait for each other.
fn cargo_for_wasm(command: &str, target: &Path) -> Command {
    let mut cargo = cargo();
    cargo
        .args([command, "--quiet", "--locked", "--target", TARGET])
        .args(["--profile", PROFILE, "--target-dir"])
        .arg(target.join("wasm"));
    cargo
}

fn add_target() -> Result<(), String> {
    if has_target()? {
        return Ok(());
    }
    let mut add = Command::new("rustup");
    add.args(["target", "add", TARGET])
        .current_dir(workspace_root());
    succeed(&mut add, "rustup target add")
}

/// Whether the compiler has the standard library of the target.
fn has_target() -> Result<bool, String> {
    let output = Command::new("rustc")
        .args(["--print", "target-libdir", "--target", TARGET])
        .current_dir(workspace_root())
        .output()
        .map_err(|error| format!("cannot run rustc: {error}"))?;
    let folder = String::from_utf8_lossy(&output.stdout);
    Ok(output.status.success() && Path::new(folder.trim()).is_dir())
}

fn check_no_c_code() -> Result<(), String> {
    let output = cargo()
        .args(["tree", "--locked", "--target", TARGET])
        .args(["-e", "normal,build", "--prefix", "none"])
        .args(["--no-default-features", "--features", "throng-wgpu/webgl"])
        .args(CRATES.iter().flat_map(|name| ["-p", name]))
        .output()
        .map_err(|error| format!("cannot run cargo tree: {error}"))?;
    if !output.status.success() {
        let errors = String::from_utf8_lossy(&output.stderr);
        return Err(format!("cargo tree failed: {}", errors.trim()));
    }
    let tree = String::from_utf8_lossy(&output.stdout);
    let found = c_crates(&tree);
    if found.is_empty() {
        return Ok(());
    }
    Err(format!(
        "{} must build for browsers without C code, but depend on {}; \
         'cargo tree --target {TARGET} -e normal,build -i NAME' shows by which crates",
        CRATES.join(" and "),
        found.join(", ")
    ))
}

/// Crates with C code in the output of `cargo tree`, each once.
fn c_crates(tree: &str) -> Vec<&str> {
    let names = tree.lines().filter_map(|line| line.split(' ').next());
    let mut found: Vec<&str> = names
        .filter(|name| {
            let is_binding = name.ends_with("-sys") && !BROWSER_BINDINGS.contains(name);
            is_binding || C_BUILDERS.contains(name)
        })
        .collect();
    found.sort_unstable();
    found.dedup();
    found
}

fn lock_file() -> Result<String, String> {
    std::fs::read_to_string(workspace_root().join("Cargo.lock"))
        .map_err(|error| format!("cannot read Cargo.lock: {error}"))
}

/// The program `wasm-bindgen`. It must have the version of the crate.
fn wasm_bindgen(lock: &str) -> Result<Program<'_>, String> {
    let version =
        locked_version(lock, "wasm-bindgen").ok_or("wasm-bindgen is not in Cargo.lock")?;
    Ok(Program {
        package: "wasm-bindgen-cli",
        name: "wasm-bindgen",
        version,
        // Its lock file names versions that mirrors of crates.io may not have yet.
        locked: false,
    })
}

fn locked_version<'a>(lock: &'a str, name: &str) -> Option<&'a str> {
    let entry = format!("name = \"{name}\"\nversion = \"");
    lock.split_once(&entry)?.1.split('"').next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_crates_with_c_code() {
        let tree = "throng-wgpu v0.1.0 (/w/runtime/wgpu)\nzstd-sys v2.0.1\ncc v1.2.0\nzstd-sys v2.0.1 (*)\n\
                    web-sys v0.3.1\naccess v0.1.0\n\nthrong-format v0.1.0 (/w/runtime/format)\n";
        assert_eq!(c_crates(tree), ["cc", "zstd-sys"]);
    }

    #[test]
    fn bindings_of_the_browser_are_not_c_code() {
        assert_eq!(c_crates("js-sys v0.3.1\nweb-sys v0.3.1 (*)\n"), [""; 0]);
    }

    #[test]
    fn wasm_bindgen_has_the_version_of_the_lock_file() {
        let lock = "[[package]]\nname = \"wasm-bindgen-futures\"\nversion = \"0.4.80\"\n\n\
                    [[package]]\nname = \"wasm-bindgen\"\nversion = \"0.2.130\"\nsource = \"x\"\n";
        assert_eq!(wasm_bindgen(lock).unwrap().version, "0.2.130");
        assert!(wasm_bindgen("").is_err());
    }
}
