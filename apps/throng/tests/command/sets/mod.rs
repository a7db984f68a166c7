//! Texture sets: `throng bake` and `throng verify`.

mod alembic;
mod append;
mod budgets;
mod cache_memory;
mod caches;
mod damage;
mod disk_size;
mod encodings;
mod interrupted;
mod levels;
mod library;
mod methods;
mod motion;
mod one_file;
mod options;
mod party;
mod poses;
mod prune;
mod report;
mod source;
mod target;
mod unchanged;
mod usage;

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex, OnceLock};

use serde_json::Value;
use tempfile::TempDir;

use crate::run::{Run, object, run_in};

/// A character that bakes quickly.
const RUNNER: [&str; 3] = ["builtin:humanoid:1000", "--clips", "run"];

/// Temporary folder that the command runs in.
struct WorkFolder(TempDir);

impl WorkFolder {
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

    /// Bakes the runner to a set of this name; returns the JSON report.
    #[track_caller]
    fn bake_runner(&self, set: &str, args: &[&str]) -> Value {
        let all = [&RUNNER[..], &["-o", set, "--json"], args].concat();
        object(&self.bake(&all).ok())
    }

    /// Verifies a set; returns the JSON report.
    #[track_caller]
    fn verify_json(&self, set: &str) -> Value {
        object(&self.verify(&[set, "--json"]).quiet())
    }

    /// Asserts that `throng verify` reports exactly what `throng bake` reported.
    #[track_caller]
    fn assert_verifies_as_baked(&self, set: &str, baked: &Value) {
        assert_same_report(&self.verify_json(set), baked);
    }

    fn json(&self, file: &str) -> Value {
        serde_json::from_slice(&fs::read(self.at(file)).unwrap()).unwrap()
    }

    /// Edits the manifest of a set.
    fn edit_manifest(&self, set: &str, edit: impl FnOnce(&mut Value)) {
        let file = format!("{set}/manifest.json");
        let mut manifest = self.json(&file);
        edit(&mut manifest);
        fs::write(self.at(&file), manifest.to_string()).unwrap();
    }
}

/// Asserts that the report of `throng verify` has exactly what that of `throng bake` has.
#[track_caller]
fn assert_same_report(verified: &Value, baked: &Value) {
    for (key, value) in baked.as_object().unwrap() {
        let is_compared = key != "output" && key != "candidates";
        if is_compared && six_digits(&verified[key]) != *value {
            assert_eq!(verified[key], *value, "{key}");
        }
    }
}

/// The value with its numbers rounded as in `report.json`.
fn six_digits(value: &Value) -> Value {
    match value {
        Value::Number(number) if number.is_f64() => {
            let rounded = format!("{:.5e}", number.as_f64().unwrap());
            rounded.parse::<f64>().unwrap().into()
        }
        Value::Array(list) => list.iter().map(six_digits).collect(),
        Value::Object(map) => {
            let rounded = map
                .iter()
                .map(|(key, value)| (key.clone(), six_digits(value)));
            Value::Object(rounded.collect())
        }
        other => other.clone(),
    }
}

/// Returns the JSON report of the runner, baked with these options. Equal options are baked once for all tests.
fn runner_report(options: &[&str]) -> Value {
    type Reports = HashMap<Vec<String>, Arc<OnceLock<Value>>>;
    static REPORTS: LazyLock<Mutex<Reports>> = LazyLock::new(Mutex::default);
    let key: Vec<String> = options.iter().map(|&option| option.to_owned()).collect();
    let report = REPORTS.lock().unwrap().entry(key).or_default().clone();
    report
        .get_or_init(|| WorkFolder::new().bake_runner("set", options))
        .clone()
}

/// Returns the options of a storage: a precision, or `compressed`.
fn storage_options(storage: &str) -> [&str; 2] {
    match storage {
        "compressed" => ["--layout", storage],
        precision => ["--precision", precision],
    }
}

/// Returns the storage of a report or manifest: the precision of frames, or `compressed`.
#[track_caller]
fn storage(report: &Value) -> &str {
    match report["layout"].as_str() {
        Some("compressed") => {
            assert!(report["precision"].is_null(), "{report}");
            "compressed"
        }
        layout => {
            assert_eq!(layout, Some("frames"), "{report}");
            report["precision"].as_str().expect("a precision")
        }
    }
}

/// Returns a number of a report.
#[track_caller]
fn number(report: &Value, key: &str) -> f64 {
    let found = report[key].as_f64();
    found.unwrap_or_else(|| panic!("{key} is {}", report[key]))
}
