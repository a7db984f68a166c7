//! Model files in memory, and the characters that tests use.

use serde_json::Value;
use throng_format::{Extension, MeshStorage, ModelExtras, write_model};
use throng_import::{ImportOptions, import};
use throng_rig::Character;
use throng_testkit::{files_below, shared_assets};

use crate::everything::{empty_character, everything, many_joints};

/// Bytes of a model with an optional extension.
pub fn written(character: &Character, extension: Option<Extension<'_>>) -> Vec<u8> {
    let extras = extension.map_or_else(ModelExtras::default, ModelExtras::from);
    written_with(character, extras)
}

/// Bytes of a model in compact storage.
pub fn written_compact(character: &Character) -> Vec<u8> {
    let extras = ModelExtras {
        storage: MeshStorage::Compact,
        ..ModelExtras::default()
    };
    written_with(character, extras)
}

/// Bytes of a model with extras.
pub fn written_with(character: &Character, extras: ModelExtras<'_>) -> Vec<u8> {
    let mut out = Vec::new();
    write_model(character, extras, &mut out).unwrap();
    out
}

/// JSON and binary chunk of a file.
pub fn split_glb(bytes: &[u8]) -> (Value, Vec<u8>) {
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    assert_eq!((&bytes[..4], word(8)), (&b"glTF"[..], bytes.len()));
    let end = 20 + word(12);
    let json = serde_json::from_slice(&bytes[20..end]).unwrap();
    (json, bytes.get(end + 8..).unwrap_or_default().to_vec())
}

/// File with a JSON chunk and a binary chunk.
pub fn join_glb(json: &[u8], binary: &[u8]) -> Vec<u8> {
    let mut chunks = Vec::new();
    for (kind, chunk, filler) in [(b"JSON", json, b' '), (b"BIN\0", binary, 0)] {
        let length = chunk.len().next_multiple_of(4);
        chunks.extend((length as u32).to_le_bytes());
        chunks.extend(kind);
        chunks.extend(chunk);
        chunks.extend(std::iter::repeat_n(filler, length - chunk.len()));
    }
    let mut file = b"glTF\x02\0\0\0".to_vec();
    file.extend((chunks.len() as u32 + 12).to_le_bytes());
    file.extend(chunks);
    file
}

/// Calls `check` for every test character: synthetic ones, built-ins, and all test assets.
pub fn for_every_character(mut check: impl FnMut(&str, Character)) {
    check("everything", everything());
    check("many joints", many_joints());
    check("empty", empty_character());
    let mut sources: Vec<String> = ["humanoid:1000", "bar", "bar:70000", "cylinder", "graph"]
        .map(|name| format!("builtin:{name}"))
        .to_vec();
    if let Some(assets) = shared_assets() {
        for (folder, min_files) in [("gltf", 60), ("fbx", 20)] {
            let files = files_below(&assets.join(folder), &["glb", "gltf", "fbx"]);
            assert!(files.len() >= min_files, "only {} in {folder}", files.len());
            sources.extend(files.iter().map(|path| path.to_str().unwrap().to_owned()));
        }
    }
    for source in sources {
        let import = import(&source, &ImportOptions::default());
        let import = import.unwrap_or_else(|error| panic!("{error}"));
        check(&source, import.character);
    }
}
