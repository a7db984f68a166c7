//! Animation textures: `throng bake` and `throng verify`.

mod budgets;
mod damage;
mod encodings;
mod interrupted;
mod library;
mod one_file;
mod options;
mod report;
mod source;
mod usage;

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tempfile::TempDir;

use crate::run::{Run, object, run_in};

/// A character that is quickly baked.
const RUNNER: [&str; 3] = ["builtin:humanoid:1000", "--clips", "run"];

/// An empty folder that the command is run in.
struct Place(TempDir);

impl Place {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn at(&self, name: &str) -> PathBuf {
        self.path().join(name)
    }

    fn bake(&self, args: &[&str]) -> Run {
        run_in(self.path(), [&["bake"], args].concat())
    }

    fn verify(&self, args: &[&str]) -> Run {
        run_in(self.path(), [&["verify"], args].concat())
    }

    /// Bakes the runner to a set of this name; gives the report on standard output.
    #[track_caller]
    fn runner(&self, set: &str, args: &[&str]) -> Value {
        let all = [&RUNNER[..], &["-o", set, "--json"], args].concat();
        object(&self.bake(&all).ok())
    }

    /// Verifies a set that must be sound; gives the report.
    #[track_caller]
    fn verified(&self, set: &str) -> Value {
        object(&self.verify(&[set, "--json"]).quiet())
    }

    /// Checks that a set verifies, with what was said of it when it was baked.
    #[track_caller]
    fn agrees(&self, set: &str, baked: &Value) {
        let verified = self.verified(set);
        for (key, value) in baked.as_object().unwrap() {
            if key == "output" || value.is_object() || value.is_array() {
                continue;
            }
            match (value.as_f64(), verified[key].as_f64()) {
                (Some(a), Some(b)) => {
                    let near = (a - b).abs() <= 1e-9 * (1.0 + a.abs());
                    assert!(near, "{set}: {key}: {a} baked, {b} verified");
                }
                _ => assert_eq!(verified[key], *value, "{set}: {key}"),
            }
        }
    }

    fn json(&self, file: &str) -> Value {
        serde_json::from_slice(&fs::read(self.at(file)).unwrap()).unwrap()
    }

    /// Writes a set's manifest anew.
    fn edit_manifest(&self, set: &str, edit: impl FnOnce(&mut Value)) {
        let file = format!("{set}/manifest.json");
        let mut manifest = self.json(&file);
        edit(&mut manifest);
        fs::write(self.at(&file), manifest.to_string()).unwrap();
    }
}

/// A number in a report.
#[track_caller]
fn number(report: &Value, key: &str) -> f64 {
    let found = report[key].as_f64();
    found.unwrap_or_else(|| panic!("{key} is {}", report[key]))
}
