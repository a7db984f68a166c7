//! Who is measured.

use throng_bake::accuracy::moving_joints;
use throng_import::builtin::builtin;
use throng_import::{ImportOptions, import_file};
use throng_rig::{Character, Clip};
use throng_testkit::{files_below, shared_assets};

/// Fewer joints are a test of a file, not a character.
const MIN_JOINTS: usize = 10;
/// All clips together.
const MIN_SECS: f64 = 0.5;

/// A character with its joints that move vertices.
pub struct Subject {
    pub name: String,
    pub character: Character,
    pub joints: usize,
    pub secs: f64,
}

/// The humanoid and all that is among the test assets, without those that are too small to say anything.
pub fn all() -> Vec<Subject> {
    let humanoid = builtin("humanoid").expect("a built-in character");
    let mut all: Vec<Subject> = subject("builtin:humanoid".into(), humanoid)
        .into_iter()
        .collect();
    let Some(assets) = shared_assets() else {
        return all;
    };
    for path in files_below(&assets, &["glb", "gltf", "fbx"]) {
        // Some are broken on purpose.
        let Ok(import) = import_file(&path, &ImportOptions::default()) else {
            continue;
        };
        let name = path.strip_prefix(&assets).unwrap_or(&path);
        all.extend(subject(name.display().to_string(), import.character));
    }
    all
}

/// `None` where there is too little of it.
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
