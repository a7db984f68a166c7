//! Packages of the workspace, from `cargo metadata`.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// A package of the workspace.
#[derive(Debug, Clone)]
pub struct Package {
    pub name: String,
    /// Cargo's package id, as it is in messages of a build.
    pub id: String,
    /// Folder of `Cargo.toml`, relative to the workspace root.
    pub folder: PathBuf,
    pub dependencies: Vec<Dependency>,
    /// Names of integration tests.
    pub tests: Vec<String>,
}

/// A dependency of one package of the workspace on another.
#[derive(Debug, Clone)]
pub struct Dependency {
    pub name: String,
    /// Dev-dependencies are built for tests, examples and benchmarks only.
    pub dev: bool,
}

/// The workspace root: two folders above this crate. A target folder may serve several checkouts, so the folder
/// that cargo names at run time comes before that of the build.
pub fn workspace_root() -> PathBuf {
    let package = std::env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| env!("CARGO_MANIFEST_DIR").into(), PathBuf::from);
    let root = package.ancestors().nth(2);
    root.expect("dev/xtask is two folders below the workspace root")
        .into()
}

/// A cargo command in the workspace root.
pub fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
    command.current_dir(workspace_root());
    command
}

/// Reads all packages of the workspace.
pub fn packages() -> Result<Vec<Package>, String> {
    Ok(parse(&metadata()?))
}

/// Output of `cargo metadata`, without dependencies.
pub fn metadata() -> Result<Value, String> {
    let output = cargo()
        .args(["metadata", "--no-deps", "--locked", "--format-version=1"])
        .output()
        .map_err(|error| format!("cannot run cargo metadata: {error}"))?;
    if !output.status.success() {
        let errors = String::from_utf8_lossy(&output.stderr);
        return Err(format!("cargo metadata failed: {}", errors.trim()));
    }
    serde_json::from_slice(&output.stdout)
        .map_err(|error| format!("cannot parse the output of cargo metadata: {error}"))
}

/// Target folder of the workspace.
pub fn target_folder() -> Result<PathBuf, String> {
    Ok(text(&metadata()?["target_directory"]).into())
}

fn parse(metadata: &Value) -> Vec<Package> {
    let root = text(&metadata["workspace_root"]);
    let packages: Vec<&Value> = items(&metadata["packages"]).collect();
    let is_ours = |name: &str| {
        packages
            .iter()
            .any(|package| text(&package["name"]) == name)
    };
    let parse_one = |package: &Value| {
        let folder = Path::new(text(&package["manifest_path"])).parent();
        let folder = folder.unwrap_or(Path::new(""));
        Package {
            name: text(&package["name"]).into(),
            id: text(&package["id"]).into(),
            folder: folder.strip_prefix(root).unwrap_or(folder).into(),
            dependencies: items(&package["dependencies"])
                .filter(|dependency| is_ours(text(&dependency["name"])))
                .map(|dependency| Dependency {
                    name: text(&dependency["name"]).into(),
                    dev: text(&dependency["kind"]) == "dev",
                })
                .collect(),
            tests: items(&package["targets"])
                .filter(|target| items(&target["kind"]).any(|kind| kind == "test"))
                .map(|target| text(&target["name"]).into())
                .collect(),
        }
    };
    packages.iter().map(|package| parse_one(package)).collect()
}

/// The string in a JSON value; empty for any other value.
pub fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// The items of a JSON array; none for any other value.
pub fn items(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}
