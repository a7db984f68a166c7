//! Thousands of corrupt files, the same in every run: none panics, and those that load pose to finite
//! numbers.

mod common;

use std::panic::catch_unwind;

use common::{Component, Glb, assert_fields_finite, assert_finite, glb_bytes, triangle};
use serde_json::{Value, json};
use throng_import::{ImportOptions, import_bytes};
use throng_testkit::{Random, cases, corrupt_bytes, corrupt_json, shared_assets};

/// Number of mutations of each kind, over all files.
const MUTATIONS: u32 = 2500;

/// A valid file as its JSON and its buffer.
struct ValidFile {
    name: String,
    json: Vec<u8>,
    bin: Vec<u8>,
}

impl ValidFile {
    fn of_glb(name: &str, bytes: &[u8]) -> Self {
        let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
        let json_end = 20 + word(12);
        Self {
            name: name.to_owned(),
            json: bytes[20..json_end].to_vec(),
            bin: bytes[json_end + 8..].to_vec(),
        }
    }

    fn of_builder(name: &str, glb: &Glb) -> Self {
        Self::of_glb(name, &glb.bytes())
    }
}

/// Builds a file that uses every feature: two skins, a sparse accessor, morphs, splines, materials.
fn glb_with_everything() -> Glb {
    let mut glb = Glb::new();
    let tip =
        glb.node(json!({ "name": "tip", "translation": [0., 1., 0.], "scale": [1., 2., 1.] }));
    let matrix = [
        1., 0., 0., 0., 0.5, 1., 0., 0., 0., 0., -1., 0., 0., 0.5, 0., 1.,
    ];
    let bent = glb.node(json!({ "matrix": matrix, "children": [tip] }));
    let root = glb.node(json!({ "rotation": [0.6, 0., 0., 0.8], "children": [bent] }));
    let skin = glb.skin(&[root, tip], &[glam::DMat4::from_rotation_x(0.5); 2]);
    let mut attributes = glb.weighted(&triangle(), &[[0, 1, 0, 0]; 3], &[[0.5, 0.5, 0., 0.]; 3]);
    attributes["NORMAL"] = json!(glb.floats(&[[0., 0., 1.]; 3]));
    attributes["TANGENT"] = json!(glb.floats(&[[1., 0., 0., 1.]; 3]));
    attributes["TEXCOORD_0"] =
        json!(glb.numbers(Component::U16, "VEC2", &[0., 1., 2., 3., 4., 5.], true));
    attributes["COLOR_0"] = json!(glb.numbers(Component::U8, "VEC4", &[128.0; 12], true));
    let (indices, values) = (glb.view(&[2]), glb.view(&[0; 12]));
    let position = attributes["POSITION"].as_u64().unwrap() as usize;
    glb.json["accessors"][position]["sparse"] = json!({
        "count": 1,
        "indices": { "bufferView": indices, "componentType": 5121 },
        "values": { "bufferView": values },
    });
    let target = json!({ "POSITION": glb.floats(&triangle()), "NORMAL": glb.floats(&triangle()) });
    let indices = glb.numbers(Component::U8, "SCALAR", &[0., 1., 2.], false);
    let mesh = glb.mesh(json!({
        "attributes": attributes, "indices": indices, "targets": [target], "material": 0,
    }));
    glb.json["meshes"][mesh]["weights"] = json!([0.5]);
    glb.json["meshes"][mesh]["extras"] = json!({ "targetNames": ["smile"] });
    let drawn = glb.node(json!({ "mesh": mesh, "skin": skin }));
    let rigid = glb.node(json!({ "mesh": mesh, "scale": [-1., 1., 1.] }));
    glb.json["scenes"] = json!([{ "nodes": [root, drawn, rigid] }]);
    glb.json["scene"] = json!(0);
    let clip = glb.clip("all");
    let output = glb.floats(&[[0., 0., 0., 1.], [0.6, 0., 0., 0.8]].repeat(3));
    glb.channel(clip, (tip, "rotation"), "CUBICSPLINE", &[0., 1.], output);
    let output = glb.floats(&[[0., 0., 1.], [1., 0., 0.]]);
    glb.channel(clip, (root, "translation"), "LINEAR", &[0., 1.], output);
    glb.channel(clip, (rigid, "scale"), "STEP", &[0., 1.], output);
    let output = glb.floats(&[[0.0], [1.0]]);
    glb.channel(clip, (drawn, "weights"), "LINEAR", &[0.5, 2.], output);
    let image = glb.view(b"\x89PNG\r\n\x1a\n");
    glb.json["images"] = json!([{ "bufferView": image }]);
    glb.json["samplers"] = json!([{ "wrapS": 33071 }]);
    glb.json["textures"] = json!([{ "source": 0, "sampler": 0 }]);
    let transform = json!({ "offset": [0.5, 0.], "rotation": 0.5, "scale": [2., 2.] });
    glb.json["materials"] = json!([{ "alphaMode": "MASK", "pbrMetallicRoughness": {
        "baseColorFactor": [1., 1., 1., 1.],
        "baseColorTexture": { "index": 0, "extensions": { "KHR_texture_transform": transform } },
    } }]);
    glb
}

/// Returns a generated file and small files of the test assets.
fn valid_files() -> Vec<ValidFile> {
    let glb = glb_with_everything();
    assert!(glb.import().character.parts().len() == 2);
    let mut files = vec![ValidFile::of_builder("everything", &glb)];
    let Some(assets) = shared_assets() else {
        return files;
    };
    for name in [
        "khronos/RiggedSimple.glb",
        "khronos/AnimatedMorphCube.glb",
        "derived/Fox_meshopt.glb",
        "derived/Fox_draco_indexed.glb",
        "crafted_valid/influences8_f32.glb",
        "crafted_valid/negative_scale_joint.glb",
        "crafted_valid/cubicspline_trs_skin.glb",
    ] {
        let bytes = std::fs::read(assets.join("gltf").join(name)).unwrap();
        files.push(ValidFile::of_glb(name, &bytes));
    }
    let folder = assets.join("gltf/khronos/RiggedFigure_draco");
    let json = std::fs::read(folder.join("RiggedFigure.gltf")).unwrap();
    let mut json: Value = serde_json::from_slice(&json).unwrap();
    json["buffers"][0].as_object_mut().unwrap().remove("uri");
    files.push(ValidFile {
        name: "RiggedFigure_draco".into(),
        json: json.to_string().into_bytes(),
        bin: std::fs::read(folder.join("RiggedFigure0.bin")).unwrap(),
    });
    files
}

/// Imports a file, and asserts that this does not panic and poses to finite numbers. Returns true if the
/// file loaded.
#[track_caller]
fn import_without_panic(what: &str, bytes: &[u8]) -> bool {
    let outcome = catch_unwind(|| {
        let Ok(import) = import_bytes("mutated.glb", bytes, None, &ImportOptions::default()) else {
            return false;
        };
        let parts = import.character.parts().iter();
        let vertices = parts.map(|part| import.character.mesh_of(part).vertex_count());
        if vertices.sum::<usize>() < 50_000 {
            assert_fields_finite(&import.character, what);
            assert_finite(&import.character, 2, what);
        }
        true
    });
    outcome.unwrap_or_else(|_| panic!("{what}: panicked, see above"))
}

/// Imports mutations of every file, and asserts that some load and some do not.
#[track_caller]
fn run(kind: &str, mutate: impl Fn(&ValidFile, &mut Random) -> Vec<u8>) {
    let files = valid_files();
    let mut loaded = 0;
    let mutations = u64::from(cases(MUTATIONS));
    for seed in 0..mutations {
        let file = &files[seed as usize % files.len()];
        let bytes = mutate(file, &mut Random::new(seed));
        let what = format!("{}, {kind}, seed {seed}", file.name);
        loaded += u64::from(import_without_panic(&what, &bytes));
    }
    println!("{kind}: {loaded} of {mutations} load");
    assert!(loaded > mutations / 100 && loaded < mutations);
}

#[test]
fn corrupt_json_text_never_panics() {
    run("json", |file, random| {
        let mut json = file.json.clone();
        (0..=random.below(2)).for_each(|_| corrupt_bytes(&mut json, random));
        glb_bytes(&json, &file.bin)
    });
}

#[test]
fn corrupt_buffers_never_panic() {
    run("data", |file, random| {
        let mut bin = file.bin.clone();
        (0..=random.below(16)).for_each(|_| corrupt_bytes(&mut bin, random));
        glb_bytes(&file.json, &bin)
    });
}

#[test]
fn corrupt_json_documents_never_panic() {
    run("document", |file, random| {
        let mut document: Value = serde_json::from_slice(&file.json).unwrap();
        (0..=random.below(2)).for_each(|_| corrupt_json(&mut document, random));
        glb_bytes(document.to_string().as_bytes(), &file.bin)
    });
}

#[test]
fn corrupt_files_never_panic() {
    run("file", |file, random| {
        let mut bytes = glb_bytes(&file.json, &file.bin);
        corrupt_bytes(&mut bytes, random);
        bytes
    });
}
