//! Vertex caches beside a mesh file: `throng bake --cache`; and caches as morph targets of glTF.

use std::fs;

use serde_json::{Value, json};

use super::{WorkFolder, number};
use crate::run::{has_adapter, object, run_in};

/// Points on a side of the grid.
const SIDE: usize = 9;
const POINTS: usize = SIDE * SIDE;
const FRAMES: usize = 12;

/// A grid of quads.
pub fn grid_obj(side: usize) -> String {
    let mut text = "o Flag\n".to_owned();
    for point in 0..side * side {
        let [x, y] = [point % side, point / side].map(|at| at as f64 / side as f64);
        text += &format!("v {x} {y} 0\n");
    }
    for y in 0..side - 1 {
        for x in 0..side - 1 {
            let [a, b] = [y * side + x + 1, (y + 1) * side + x + 1];
            text += &format!("f {a} {} {} {b}\n", a + 1, b + 1);
        }
    }
    text
}

/// Position of a point of the grid in a frame: a wave.
pub fn position(side: usize, point: usize, frame: usize) -> [f32; 3] {
    let [x, y] = [point % side, point / side].map(|at| at as f32 / side as f32);
    [x, y, 0.2 * x * (6.0 * x + y - 0.5 * frame as f32).sin()]
}

fn positions(points: usize) -> impl Iterator<Item = f32> {
    let of_frame = move |frame| (0..points).flat_map(move |point| position(SIDE, point, frame));
    (0..FRAMES).flat_map(of_frame)
}

/// A PC2 file that starts at frame 6.
fn pc2(points: usize) -> Vec<u8> {
    let mut out = b"POINTCACHE2\0".to_vec();
    for number in [1, points as i32] {
        out.extend(number.to_le_bytes());
    }
    for number in [6.0_f32, 1.0] {
        out.extend(number.to_le_bytes());
    }
    out.extend((FRAMES as i32).to_le_bytes());
    out.extend(positions(points).flat_map(f32::to_le_bytes));
    out
}

/// An MDD file at 10 frames per second.
fn mdd() -> Vec<u8> {
    let counts = [FRAMES as i32, POINTS as i32];
    let mut out: Vec<u8> = counts.into_iter().flat_map(i32::to_be_bytes).collect();
    out.extend((0..FRAMES).flat_map(|frame| (0.1 * frame as f32).to_be_bytes()));
    out.extend(positions(POINTS).flat_map(f32::to_be_bytes));
    out
}

fn flag() -> WorkFolder {
    let work = WorkFolder::new();
    fs::write(work.at("flag.obj"), grid_obj(SIDE)).unwrap();
    fs::write(work.at("wave.pc2"), pc2(POINTS)).unwrap();
    fs::write(work.at("wave.mdd"), mdd()).unwrap();
    work
}

#[test]
fn caches_of_both_types_are_baked_and_verified() {
    let work = flag();
    for (cache, hz, start) in [("wave.pc2", 24.0, 0.25), ("wave.mdd", 10.0, 0.0)] {
        let out = cache.replace("wave.", "set-");
        let args = ["flag.obj", "--cache", cache, "-o", &out, "--json"];
        let report = object(&work.bake(&args).quiet());
        assert_eq!(report["encoding"], "vertex", "{report}");
        let error = number(&report, "max_error_of_size");
        assert!(error > 0.0 && error < 2e-5, "{error}");
        let manifest = work.json(&format!("{out}/manifest.json"));
        let clip = &manifest["clips"][0];
        assert_eq!(clip["name"], "wave");
        assert!((number(clip, "start_secs") - start).abs() < 1e-6, "{clip}");
        let expected = (FRAMES - 1) as f64 / hz;
        assert!((number(clip, "duration_secs") - expected).abs() < 1e-6);
        let source = &manifest["source"]["caches"][0];
        assert_eq!(source["path"], format!("../{cache}"));
        work.assert_verifies_as_baked(&out, &report);
        work.verify(&[&out, "--dense", "7"]).ok();
    }
}

#[test]
fn a_set_is_up_to_date_until_its_cache_changes() {
    let work = flag();
    let args = ["flag.obj", "--cache", "wave.pc2", "-o", "set"];
    work.bake(&args).ok();
    assert!(work.bake(&args).ok().contains("up to date"));
    let slower = [&args[..], &["--cache-fps", "12"]].concat();
    assert!(!work.bake(&slower).ok().contains("up to date"));
    let mut changed = pc2(POINTS);
    let last = changed.len() - 1;
    changed[last] ^= 1;
    fs::write(work.at("wave.pc2"), changed).unwrap();
    let error = work.verify(&["set"]).failed(2);
    assert!(error.contains("wave.pc2 has changed"), "{error}");
    assert!(!work.bake(&args).ok().contains("up to date"));
    work.verify(&["set"]).ok();
    fs::remove_file(work.at("wave.pc2")).unwrap();
    work.verify(&["set"]).failed(3);
}

#[test]
fn bone_encodings_are_refused_and_searches_skip_them() {
    let work = flag();
    let bake = |options: &[&str]| {
        let args = ["flag.obj", "--cache", "wave.pc2", "-o", "set"];
        work.bake(&[&args[..], options].concat())
    };
    for encoding in ["bone-matrix", "bone-qt", "bone-local"] {
        for budget in [&[][..], &["--max-error", "1%"]] {
            let error = bake(&[&["--encoding", encoding], budget].concat()).failed(1);
            assert!(error.contains("vertex caches move"), "{error}");
            assert!(error.contains("--encoding vertex"), "{error}");
        }
    }
    for budget in [["--max-error", "0.5%"], ["--max-bytes", "1M"]] {
        let report = object(&bake(&[&budget[..], &["--json"]].concat()).ok());
        let encoding = report["encoding"].as_str().unwrap();
        assert!(encoding.starts_with("vertex"), "{encoding}");
        work.assert_verifies_as_baked("set", &report);
    }
    for storage in [
        ["--layout", "compressed"],
        ["--precision", "f32"],
        ["--format", "exr"],
        ["--method", "cor"],
    ] {
        let report = object(&bake(&[&storage[..], &["--json"]].concat()).ok());
        work.assert_verifies_as_baked("set", &report);
    }
    if has_adapter() {
        // The last set was skinned by a method whose numbers a cache does not have.
        let args = ["render", "set", "--size", "64x64", "-o", "picture.png"];
        run_in(work.path(), args).ok();
    }
}

#[test]
fn bad_caches_are_refused_in_plain_words() {
    let work = flag();
    let failed = |cache: &str, code: i32, words: &[&str]| {
        let error = work
            .bake(&["flag.obj", "--cache", cache, "-o", "set"])
            .failed(code);
        for word in words {
            assert!(error.contains(word), "'{word}' is not in: {error}");
        }
        assert!(!work.at("set").exists(), "{cache}");
    };
    fs::write(work.at("other.pc2"), pc2(POINTS - 1)).unwrap();
    failed("other.pc2", 3, &["other.pc2", "80 points", "'Flag' 81"]);
    fs::write(work.at("short.pc2"), &pc2(POINTS)[..999]).unwrap();
    failed("short.pc2", 3, &["short.pc2", "999 bytes", "truncated"]);
    let mut damaged = pc2(POINTS);
    let at = 32 + 12 * (POINTS * 3 + 5);
    damaged[at..at + 4].copy_from_slice(&f32::NAN.to_le_bytes());
    fs::write(work.at("nan.pc2"), damaged).unwrap();
    failed(
        "nan.pc2",
        1,
        &["'Flag'", "frame 3", "point 5", "not finite"],
    );
    failed("missing.mdd", 3, &["missing.mdd"]);
    failed("Sail=wave.pc2", 3, &["Sail", "Flag"]);
    failed(
        "flag.obj",
        2,
        &["unsupported file type '.obj'", ".pc2 or .mdd"],
    );
    let error = work.bake(&["wave.pc2"]).failed(2);
    assert!(
        error.contains("throng bake MESH --cache wave.pc2"),
        "{error}"
    );
    let error = work.bake(&["flag.obj", "builtin:bar", "--cache", "wave.pc2"]);
    assert!(error.failed(2).contains("one file"));
}

#[test]
fn a_cache_is_inspected_and_posed() {
    let work = flag();
    let source = ["flag.obj", "--cache", "Flag=wave.mdd"];
    let inspected = run_in(
        work.path(),
        [&["inspect"], &source[..], &["--json"]].concat(),
    );
    let inspected = object(&inspected.ok());
    assert_eq!(inspected["clips"][0]["name"], "wave");
    let options = ["--clip", "wave", "--time", "0.25", "-o", "posed.json"];
    run_in(work.path(), [&["pose"], &source[..], &options].concat()).ok();
    let posed = work.json("posed.json");
    let found = posed.to_string();
    // Half-way between frames 2 and 3.
    let [a, b] = [2, 3].map(|frame| position(SIDE, 40, frame)[2]);
    let middle = f64::from(a + b) / 2.0;
    let is_there = numbers(&posed)
        .iter()
        .any(|number| (number - middle).abs() < 1e-6);
    assert!(is_there, "{middle} is not in {found}");
    let gpu = [&["pose"], &source[..], &["--device", "gpu"]].concat();
    assert!(run_in(work.path(), gpu).failed(2).contains("vertex cache"));
}

fn numbers(value: &Value) -> Vec<f64> {
    match value {
        Value::Array(list) => list.iter().flat_map(numbers).collect(),
        Value::Object(map) => map.values().flat_map(numbers).collect(),
        other => other.as_f64().into_iter().collect(),
    }
}

#[test]
fn a_cache_is_drawn() {
    if !has_adapter() {
        return;
    }
    let work = flag();
    let render = |options: &[&str]| {
        let args = [
            "render", "flag.obj", "--cache", "wave.pc2", "--size", "64x64",
        ];
        run_in(work.path(), [&args[..], options].concat())
    };
    let at = |time: &'static str, name: &'static str| ["--time", time, "-o", name];
    render(&at("0.25", "first.png")).ok();
    render(&at("0.45", "later.png")).ok();
    let [first, later] = ["first.png", "later.png"].map(|name| fs::read(work.at(name)).unwrap());
    assert_ne!(first, later, "the cache does not move");
    let palette = ["--technique", "palette-matrix", "-o", "a.png"];
    let error = render(&palette).failed(2);
    assert!(error.contains("--technique vertex"), "{error}");
}

/// A grid with a morph target per frame after the first. Each frame, one target has weight 1.
fn morph_sequence(interpolation: &str, targets: usize) -> String {
    let mut bytes: Vec<u8> = Vec::new();
    let (mut views, mut accessors) = (Vec::new(), Vec::new());
    let mut add = |numbers: &[f32], kind: &str, width: usize| -> usize {
        views
            .push(json!({"buffer": 0, "byteOffset": bytes.len(), "byteLength": 4 * numbers.len()}));
        bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        accessors.push(json!({
            "bufferView": views.len() - 1, "componentType": 5126, "count": numbers.len() / width, "type": kind,
        }));
        accessors.len() - 1
    };
    let frame = |frame: usize| -> Vec<f32> {
        (0..POINTS)
            .flat_map(|point| position(SIDE, point, frame))
            .collect()
    };
    let first = frame(0);
    let rest = add(&first, "VEC3", 3);
    let of_target = (1..=targets).map(|target| {
        let offsets: Vec<f32> = frame(target)
            .iter()
            .zip(&first)
            .map(|(a, b)| a - b)
            .collect();
        json!({"POSITION": add(&offsets, "VEC3", 3)})
    });
    let morphs: Vec<Value> = of_target.collect();
    let times: Vec<f32> = (0..=targets).map(|key| key as f32 / 24.0).collect();
    let mut weights = vec![0.0; (targets + 1) * targets];
    for target in 0..targets {
        weights[(target + 1) * targets + target] = 1.0;
    }
    let [input, output] = [add(&times, "SCALAR", 1), add(&weights, "SCALAR", 1)];
    let corners = (0..SIDE - 1).flat_map(|y| (0..SIDE - 1).map(move |x| y * SIDE + x));
    let corners = corners.flat_map(|a| [a, a + 1, a + SIDE, a + 1, a + SIDE + 1, a + SIDE]);
    let corners: Vec<u8> = corners
        .flat_map(|index| (index as u16).to_le_bytes())
        .collect();
    views.push(json!({"buffer": 0, "byteOffset": bytes.len(), "byteLength": corners.len()}));
    accessors.push(json!({
        "bufferView": views.len() - 1, "componentType": 5123, "count": corners.len() / 2, "type": "SCALAR",
    }));
    bytes.extend(&corners);
    let hex: String = bytes.iter().map(|byte| format!("%{byte:02X}")).collect();
    json!({
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"name": "Flag", "mesh": 0}],
        "meshes": [{"primitives": [{
            "attributes": {"POSITION": rest}, "indices": accessors.len() - 1, "targets": morphs,
        }]}],
        "animations": [{
            "name": "wave",
            "channels": [{"sampler": 0, "target": {"node": 0, "path": "weights"}}],
            "samplers": [{"input": input, "output": output, "interpolation": interpolation}],
        }],
        "buffers": [{"byteLength": bytes.len(), "uri": format!("data:application/octet-stream,{hex}")}],
        "bufferViews": views,
        "accessors": accessors,
    })
    .to_string()
}

#[test]
fn sequences_of_morph_targets_are_baked_by_default_and_as_vertices() {
    for interpolation in ["LINEAR", "STEP"] {
        let work = WorkFolder::new();
        let gltf = morph_sequence(interpolation, 24);
        fs::write(work.at("flag.gltf"), gltf).unwrap();
        for options in [&[][..], &["--encoding", "vertex"]] {
            let args = [&["flag.gltf", "-o", "set", "--json"], options].concat();
            let report = object(&work.bake(&args).ok());
            let error = number(&report, "max_error_of_size");
            let limit = if options.is_empty() { 2.8e-4 } else { 2e-5 };
            if interpolation == "LINEAR" {
                assert!(error <= limit, "{options:?}: {error}");
            }
            work.assert_verifies_as_baked("set", &report);
        }
    }
}
