//! Thousands of damaged models, the same ones at every run: none panics or takes much memory, and what is
//! read can be posed and written again.

use std::panic::{AssertUnwindSafe, catch_unwind};

use serde_json::{Value, json};
use throng_format::{Extension, read_model};
use throng_import::{ImportOptions, import};
use throng_rig::{Character, CharacterPose, Method};
use throng_skin::reference::{Skinned, skin_part};
use throng_testkit::{Random, corrupt_bytes, corrupt_json, peak_of_thread};

use crate::everything::{everything, many_joints};
use crate::files::{put_together, taken_apart, written};

/// Of each kind, over all models.
const MUTATIONS: u64 = 3000;

/// What reading may need for each byte of the file: most for small objects in the JSON of an extension.
const MAX_BYTES_PER_BYTE: usize = 120;

/// A sound model in its two pieces.
struct Sound {
    json: Vec<u8>,
    binary: Vec<u8>,
}

fn sound_models() -> Vec<Sound> {
    let extension = Extension {
        name: "THRONG_animation_textures",
        json: json!({ "frames": 7 }),
        blobs: vec![&[1; 7], &[2; 4]],
    };
    let bar = import("builtin:bar", &ImportOptions::default()).unwrap();
    let files = [
        written(&everything(), Some(extension)),
        written(&many_joints(), None),
        written(&bar.character, None),
    ];
    let sound = |file: &Vec<u8>| {
        let (json, binary) = taken_apart(file);
        let json = json.to_string().into_bytes();
        Sound { json, binary }
    };
    files.iter().map(sound).collect()
}

/// What was read can be posed, and is written as what it was read from.
fn use_it(character: &Character) {
    let pose = CharacterPose::rest(character);
    let mut out = Skinned::default();
    for part in character.parts() {
        skin_part(character, part, &pose, Method::Dqs, &mut out);
    }
    let again = read_model(&written(character, None)).unwrap().character;
    assert!(again == *character);
}

/// True when the model was read.
#[track_caller]
fn survives(what: &str, bytes: &[u8]) -> bool {
    let read = catch_unwind(AssertUnwindSafe(|| {
        let (result, peak) = peak_of_thread(|| read_model(bytes));
        let most = MAX_BYTES_PER_BYTE * bytes.len();
        assert!(peak <= most, "{peak} bytes for a file of {}", bytes.len());
        if let Ok(model) = &result {
            use_it(&model.character);
            let mut blobs = model
                .extension
                .iter()
                .flat_map(|extension| &extension.blobs);
            assert!(blobs.all(|blob| bytes.get(blob.clone()).is_some()));
        }
        result.is_ok()
    }));
    read.unwrap_or_else(|_| panic!("{what}: panicked, see above"))
}

/// Runs mutations of every model; some must be read and some must not, or they say nothing.
#[track_caller]
fn run(kind: &str, mutate: impl Fn(&Sound, &mut Random) -> Vec<u8>) {
    let models = sound_models();
    let mut read = 0;
    for seed in 0..MUTATIONS {
        let model = &models[seed as usize % models.len()];
        let bytes = mutate(model, &mut Random::new(seed));
        read += u64::from(survives(&format!("{kind}, seed {seed}"), &bytes));
    }
    println!("{kind}: {read} of {MUTATIONS} are read");
    assert!(read > MUTATIONS / 100 && read < MUTATIONS);
}

#[test]
fn damaged_json_never_panics() {
    run("json", |model, random| {
        let mut json = model.json.clone();
        (0..=random.below(2)).for_each(|_| corrupt_bytes(&mut json, random));
        put_together(&json, &model.binary)
    });
}

#[test]
fn damaged_data_never_panics() {
    run("data", |model, random| {
        let mut binary = model.binary.clone();
        let length = binary.len();
        corrupt_bytes(&mut binary, random);
        // A shorter buffer is refused at once.
        binary.resize(length, 0);
        put_together(&model.json, &binary)
    });
}

#[test]
fn damaged_documents_never_panic() {
    run("document", |model, random| {
        let mut document: Value = serde_json::from_slice(&model.json).unwrap();
        (0..=random.below(2)).for_each(|_| corrupt_json(&mut document, random));
        put_together(document.to_string().as_bytes(), &model.binary)
    });
}

#[test]
fn damaged_files_never_panic() {
    run("file", |model, random| {
        let mut bytes = put_together(&model.json, &model.binary);
        corrupt_bytes(&mut bytes, random);
        bytes
    });
}

/// Lists of what is small as text and large in memory, and arrays that are named again and again.
#[test]
fn files_that_ask_for_much_get_little() {
    let list = |item: &str, count: usize| vec![item; count].join(",");
    let in_extension = |item: &str| {
        let items = list(item, 100_000);
        format!(r#"{{"extensions":{{"X":{{"bufferViews":[],"list":[{items}]}}}}}}"#)
    };
    let in_list = |name: &str, item: &str| format!(r#"{{"{name}":[{}]}}"#, list(item, 100_000));
    // One array of positions for each of many morphs.
    let bar = import("builtin:bar", &ImportOptions::default()).unwrap();
    let (mut one_array, binary) = taken_apart(&written(&bar.character, None));
    let primitive = &mut one_array["meshes"][0]["primitives"][0];
    let normals = primitive["attributes"]["NORMAL"].clone();
    primitive["targets"] = vec![json!({ "POSITION": normals }); 10_000].into();
    one_array["meshes"][0]["extras"]["targetNames"] = vec![json!(""); 10_000].into();
    let bombs = [
        in_extension("0"),
        in_extension("[]"),
        in_extension(r#"{"":0}"#),
        in_list("nodes", "{}"),
        in_list("nodes", r#"{"extras":{"throng":"root"}}"#),
        in_list("meshes", "{}"),
        in_list("meshes", r#"{"primitives":[],"extras":{}}"#),
        in_list("skins", r#"{"joints":[],"inverseBindMatrices":0}"#),
        in_list("accessors", "{}"),
        in_list("materials", "{}"),
        "[".repeat(1_000_000),
        r#"{"extensions":"#.repeat(100_000),
        one_array.to_string(),
    ];
    for json in bombs {
        let bytes = put_together(json.as_bytes(), &binary);
        let start = &json[..json.len().min(60)];
        let (result, peak) = peak_of_thread(|| read_model(&bytes));
        let factor = peak as f64 / bytes.len() as f64;
        println!("{factor:6.1} bytes a byte: {start}");
        assert!(result.is_err(), "{start}");
        assert!(factor < MAX_BYTES_PER_BYTE as f64, "{factor}: {start}");
    }
}
