//! Characters to measure.

use throng_bake::accuracy::moving_joints;
use throng_import::builtin::builtin;
use throng_import::{ImportOptions, import_file};
use throng_rig::{Character, Clip};
use throng_testkit::{files_below, shared_assets};

/// Files with fewer joints are tests, not characters.
const MIN_JOINTS: usize = 10;
/// Least duration of all clips together, in seconds.
const MIN_SECS: f64 = 0.5;

/// Name of the built-in humanoid.
pub const HUMANOID: &str = "builtin:humanoid";

/// A character and the number of its joints that move vertices.
pub struct Subject {
    pub name: String,
    pub character: Character,
    pub joints: usize,
    pub secs: f64,
}

/// Returns the humanoid and the characters of the test assets that are large enough; if texts are given, only those
/// whose name contains one.
pub fn all(named: &[String]) -> Vec<Subject> {
    let is_asked = |name: &str| named.is_empty() || named.iter().any(|text| name.contains(text));
    let mut all = Vec::new();
    if is_asked(HUMANOID) {
        let humanoid = builtin("humanoid").expect("a built-in character");
        all.extend(subject(HUMANOID.into(), humanoid));
    }
    let Some(assets) = shared_assets() else {
        return all;
    };
    for path in files_below(&assets, &["glb", "gltf", "fbx"]) {
        let name = path.strip_prefix(&assets).unwrap_or(&path);
        let name = name.display().to_string();
        if !is_asked(&name) {
            continue;
        }
        // Some files are invalid on purpose.
        if let Ok(import) = import_file(&path, &ImportOptions::default()) {
            all.extend(subject(name, import.character));
        }
    }
    all
}

/// Returns `None` if the character is too small.
fn subject(name: String, character: Character) -> Option<Subject> {
    let joints = moving_joints(&character).len();
    let secs: f64 = character.clips().iter().map(Clip::duration_secs).sum();
    (joints >= MIN_JOINTS && secs >= MIN_SECS).then_some(Subject {
        name,
        character,
        joints,
        secs,
    })
}
