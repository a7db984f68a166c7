//! Clips from other files, put on a character.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::Path;

use throng_import::{ImportOptions, import_motion};
use throng_retarget::{JointPair, retarget};
use throng_rig::{Character, Clip};

use super::CommandError;
use super::files_below::files_below;
use crate::cli::MotionArgs;

/// Extensions of files with motion.
const EXTENSIONS: [&str; 5] = ["bvh", "fbx", "glb", "gltf", "abc"];

/// Names that programs give to clips by themselves.
const GENERIC_NAMES: [&str; 6] = [
    "mixamo.com",
    "take 001",
    "take",
    "anim",
    "animation",
    "action",
];

/// Largest file of joint pairs, in bytes.
const MAX_PAIRS_BYTES: u64 = 16 << 20;

/// Joints of the character, and the joints of the motion that move them.
pub type JointPairs = BTreeMap<String, Option<String>>;

/// Files with motion, and joints that are paired by hand.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Motion {
    /// Paths of files, or `builtin:NAME`.
    pub files: Vec<String>,
    /// Joints that are paired by hand.
    pub pairs: JointPairs,
}

impl Motion {
    /// Lists the files as named and the files in folders, sorted by name, and reads the pairs.
    pub fn resolve(args: &MotionArgs) -> Result<Self, CommandError> {
        let mut files = Vec::new();
        for named in &args.motion {
            if !Path::new(named).is_dir() {
                files.push(named.clone());
                continue;
            }
            let found = files_below(Path::new(named), &EXTENSIONS)?;
            if found.is_empty() {
                return Err(CommandError::Usage(format!(
                    "--motion {named} contains no .bvh, .fbx, .glb, .gltf or .abc file"
                )));
            }
            files.extend(found.into_iter().map(|file| file.source));
        }
        let mut known = HashSet::new();
        files.retain(|file| known.insert(file.clone()));
        let pairs = args.joint_map.as_deref().map(read_pairs).transpose()?;
        Ok(Self {
            files,
            pairs: pairs.unwrap_or_default(),
        })
    }

    /// Imports the files and returns their clips on the character. Adds warnings of imports, and of joints that have no
    /// counterpart.
    pub fn clips_for(
        &self,
        character: &Character,
        warnings: &mut Vec<String>,
    ) -> Result<Vec<Clip>, CommandError> {
        let pairs: Vec<JointPair> = self
            .pairs
            .iter()
            .map(|(target, source)| JointPair {
                target: target.clone(),
                source: source.clone(),
            })
            .collect();
        let own = character.clips().iter().map(|clip| clip.name.clone());
        let mut names: HashSet<String> = own.collect();
        let mut clips = Vec::new();
        for file in &self.files {
            let imported = import_motion(file, &ImportOptions::default())?;
            let shown = imported
                .warnings
                .iter()
                .filter(|warning| !warning.is_note());
            warnings.extend(shown.map(|warning| format!("{file}: {warning}")));
            let retargeted = retarget(&imported.character, character, &pairs)
                .map_err(|error| CommandError::Failed(format!("{file}: {error}")))?;
            if let Some(warning) = retargeted.warning() {
                warnings.push(format!("{file}: {warning}"));
            }
            let stem = &imported.character.name;
            let is_only = retargeted.clips.len() == 1;
            for mut clip in retargeted.clips {
                clip.name = free_name(&clip.name, stem, is_only, &names).ok_or_else(|| {
                    CommandError::Failed(format!(
                        "{file}: clip '{}' has the name of another clip, with and without the name of the file: rename \
                         the file",
                        clip.name
                    ))
                })?;
                names.insert(clip.name.clone());
                clips.push(clip);
            }
        }
        Ok(clips)
    }

    /// Returns the character with the clips of the files before its own.
    pub fn put_on(
        &self,
        character: Character,
        warnings: &mut Vec<String>,
    ) -> Result<Character, CommandError> {
        if self.files.is_empty() {
            return Ok(character);
        }
        let clips = self.clips_for(&character, warnings)?;
        with_clips_before(character, clips)
    }
}

/// Returns the character with clips before its own.
pub fn with_clips_before(
    character: Character,
    mut clips: Vec<Clip>,
) -> Result<Character, CommandError> {
    let name = character.name.clone();
    let mut parts = character.into_parts();
    clips.append(&mut parts.clips);
    parts.clips = clips;
    Character::new(parts).map_err(|error| CommandError::Failed(format!("{name}: {error}")))
}

/// Returns the name of a clip that no other clip has: its own, unless it is one that programs give; else that of its file, if
/// it is the file's only clip; else both.
fn free_name(own: &str, stem: &str, is_only: bool, taken: &HashSet<String>) -> Option<String> {
    let last = own
        .rsplit(['|', ':'])
        .next()
        .unwrap_or(own)
        .trim()
        .to_lowercase();
    let layers = own.split('|').map(|part| part.trim().to_lowercase());
    let is_generic = last.is_empty()
        || layers.clone().any(|part| part == GENERIC_NAMES[0])
        || GENERIC_NAMES.contains(&last.as_str());
    let candidates = [
        (!is_generic).then(|| own.to_owned()),
        is_only.then(|| stem.to_owned()),
        Some(format!("{stem}:{own}")),
    ];
    let candidates = candidates.into_iter().flatten();
    let mut free = candidates.filter(|name| !taken.contains(name));
    free.next()
}

/// Reads a JSON object of joint names.
fn read_pairs(path: &Path) -> Result<JointPairs, CommandError> {
    let unreadable = |problem: String| {
        CommandError::Unreadable(format!("--joint-map {}: {problem}", path.display()))
    };
    let data = fs::metadata(path).map_err(|error| unreadable(error.to_string()))?;
    if !data.is_file() || data.len() > MAX_PAIRS_BYTES {
        return Err(unreadable(format!(
            "expected a JSON file of at most {} MiB",
            MAX_PAIRS_BYTES >> 20
        )));
    }
    let text = fs::read(path).map_err(|error| unreadable(error.to_string()))?;
    serde_json::from_slice(&text).map_err(|error| {
        unreadable(format!(
            "{error}; expected an object of joint names such as {{\"LeftHand\": \"hand.l\", \"Tail\": null}}"
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clips_have_their_own_names_unless_programs_gave_them() {
        let taken = HashSet::from(["walk".to_owned(), "run".to_owned()]);
        for (own, stem, expected) in [
            ("Wave", "file", "Wave"),
            ("mixamo.com", "jump", "jump"),
            ("Armature|mixamo.com|Layer0", "jump", "jump"),
            ("Take 001", "jump", "jump"),
            ("", "jump", "jump"),
            ("walk", "jump", "jump"),
            ("walk", "run", "run:walk"),
            ("mixamo.com", "run", "run:mixamo.com"),
        ] {
            let found = free_name(own, stem, true, &taken);
            assert_eq!(found.as_deref(), Some(expected), "{own} in {stem}");
        }
        let found = free_name("walk", "file", false, &taken);
        assert_eq!(found.as_deref(), Some("file:walk"));
        let taken = HashSet::from(["a".to_owned(), "b".to_owned(), "b:a".to_owned()]);
        assert_eq!(free_name("a", "b", true, &taken), None);
    }
}
