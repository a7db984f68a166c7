//! Thousands of damaged models, the same ones in every run: none causes a panic or needs much memory, and models that
//! are read can be posed and written again.

use std::panic::{AssertUnwindSafe, catch_unwind};

use serde_json::{Value, json};
use throng_format::{Extension, read_model};
use throng_import::{ImportOptions, import};
use throng_rig::{Character, CharacterPose, Method};
use throng_skin::reference::{Skinned, skin_part};
use throng_testkit::{Random, cases, corrupt_bytes, corrupt_json, peak_of_thread};

use crate::everything::{everything, many_joints};
use crate::files::{join_glb, split_glb, written};

/// Number of mutations of each kind, over all models.
const MUTATIONS: u32 = 3000;

/// Limit of memory per byte of the file. Small objects in the JSON of an extension need most.
const MAX_BYTES_PER_BYTE: usize = 120;

/// The two chunks of a valid model.
struct ValidModel {
    json: Vec<u8>,
    binary: Vec<u8>,
}

fn valid_models() -> Vec<ValidModel> {
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
    let valid = |file: &Vec<u8>| {
        let (json, binary) = split_glb(file);
        let json = json.to_string().into_bytes();
        ValidModel { json, binary }
    };
    files.iter().map(valid).collect()
}

/// Poses the character, and checks that it round-trips.
fn use_it(character: &Character) {
    let pose = CharacterPose::rest(character);
    let mut out = Skinned::default();
    for part in character.parts() {
        skin_part(character, part, &pose, Method::Dqs, &mut out);
    }
    let again = read_model(&written(character, None)).unwrap().character;
    assert!(again == *character);
}

/// Reads a model under a memory limit and uses it. Returns true where it was read.
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

/// Runs mutations of every model. Some must be accepted and some rejected, or the test proves nothing.
#[track_caller]
fn run(kind: &str, mutate: impl Fn(&ValidModel, &mut Random) -> Vec<u8>) {
    let models = valid_models();
    let mutations = u64::from(cases(MUTATIONS));
    let mut read = 0;
    for seed in 0..mutations {
        let model = &models[seed as usize % models.len()];
        let bytes = mutate(model, &mut Random::new(seed));
        read += u64::from(survives(&format!("{kind}, seed {seed}"), &bytes));
    }
    println!("{kind}: {read} of {mutations} are read");
    assert!(read > mutations / 100 && read < mutations);
}

#[test]
fn damaged_json_never_panics() {
    run("json", |model, random| {
        let mut json = model.json.clone();
        (0..=random.below(2)).for_each(|_| corrupt_bytes(&mut json, random));
        join_glb(&json, &model.binary)
    });
}

#[test]
fn damaged_data_never_panics() {
    run("data", |model, random| {
        let mut binary = model.binary.clone();
        let length = binary.len();
        corrupt_bytes(&mut binary, random);
        // A shorter buffer is rejected at once.
        binary.resize(length, 0);
        join_glb(&model.json, &binary)
    });
}

#[test]
fn damaged_documents_never_panic() {
    run("document", |model, random| {
        let mut document: Value = serde_json::from_slice(&model.json).unwrap();
        (0..=random.below(2)).for_each(|_| corrupt_json(&mut document, random));
        join_glb(document.to_string().as_bytes(), &model.binary)
    });
}

#[test]
fn damaged_files_never_panic() {
    run("file", |model, random| {
        let mut bytes = join_glb(&model.json, &model.binary);
        corrupt_bytes(&mut bytes, random);
        bytes
    });
}

/// Lists of items that are small as text and large in memory, and arrays that are referenced many times.
#[test]
fn hostile_files_need_little_memory() {
    let list = |item: &str, count: usize| vec![item; count].join(",");
    let in_extension = |item: &str| {
        let items = list(item, 100_000);
        format!(r#"{{"extensions":{{"X":{{"bufferViews":[],"list":[{items}]}}}}}}"#)
    };
    let in_list = |name: &str, item: &str| format!(r#"{{"{name}":[{}]}}"#, list(item, 100_000));
    // One array of positions referenced by many morph targets.
    let bar = import("builtin:bar", &ImportOptions::default()).unwrap();
    let (mut one_array, binary) = split_glb(&written(&bar.character, None));
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
        let bytes = join_glb(json.as_bytes(), &binary);
        let start = &json[..json.len().min(60)];
        let (result, peak) = peak_of_thread(|| read_model(&bytes));
        let factor = peak as f64 / bytes.len() as f64;
        println!("{factor:6.1} bytes per byte: {start}");
        assert!(result.is_err(), "{start}");
        assert!(factor < MAX_BYTES_PER_BYTE as f64, "{factor}: {start}");
    }
}
