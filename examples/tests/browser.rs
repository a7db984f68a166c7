//! The wasm build of the examples in headless Chromium, on WebGPU and WebGL2: captured vertices equal those of the CPU.

use std::path::{Path, PathBuf};
use std::process::Command;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use glam::Vec3;
use serde_json::Value;
use throng_bake::{BakeSettings, Rate, bake};
use throng_examples::instances;
use throng_format::decode::{self, BonePose};
use throng_format::{DecodeParams, Encoding, Precision, Source, Storage, TextureSet};
use throng_rig::{Method, ModelPose, Palette};
use throng_skin::reference::{Skinned, skin};
use throng_testkit::{path_or_skip, skip, workspace_root};
use throng_wgpu::{Instance, Play, Ticks};

/// For humanoids of 1.8 m up to 20 m from the origin.
const TOLERANCE_MM: f32 = 0.03;
/// Distance of unit vectors: about a twentieth of a degree.
const NORMAL_TOLERANCE: f32 = 1e-3;
/// Shortly before ticks wrap.
const NOW: Ticks = Ticks(u32::MAX - 777);
/// Exit code of `cargo xtask wasm-build` where a tool is missing.
const MISSING_TOOL: i32 = 3;

/// Position and normal in world space.
type Vertex = [Vec3; 2];

fn baked(encoding: Encoding, storage: impl Into<Storage>) -> TextureSet {
    let character = throng_import::builtin::builtin("humanoid:1000").unwrap();
    let settings = BakeSettings {
        encoding,
        storage: storage.into(),
        clips: vec![0, 1],
        skinning: Method::Lbs.into(),
        rate: Rate::Hz(15.0),
        max_error_of_size: 0.003,
        ..BakeSettings::default()
    };
    let source = Source {
        path: "builtin:humanoid:1000".into(),
        digest: String::new(),
        settings: String::new(),
        max_influences: None,
        min_weight: 0.0,
        shared_positions: true,
    };
    bake(&character, &settings, &source, &()).unwrap().set
}

/// Vertices of an instance: decoded on the CPU, and skinned in float64.
fn expected(set: &TextureSet, instance: &Instance) -> Vec<Vertex> {
    let clips = DecodeParams::of(set).clips;
    let at = |play: &Play| {
        let clip = &clips[play.clip() as usize];
        let time_secs = play.time_secs(clip.duration_secs, clip.looping, NOW);
        (play.clip() as usize, time_secs)
    };
    let first = at(&instance.play);
    let (second, weight) = match &instance.fade {
        Some(fade) => (at(&fade.to), fade.weight(NOW)),
        None => (first, 0.0),
    };
    let model = set.model();
    let mut bones = BonePose::rest(model);
    decode::fade_bones(set, [first, second], weight, &mut bones);
    let joints = ModelPose {
        model_from_joint: bones.model_from_joint,
    };
    let world_from_model = instance.world_from_model;
    let mut vertices = Vec::new();
    for part in model.parts() {
        let mut palette = Palette::default();
        palette.update(model.skin_of(part), &joints);
        let mut skinned = Skinned::default();
        let mesh = model.mesh_of(part);
        skin(Method::Lbs, mesh, &[], &palette, &mut skinned);
        let of_part = skinned.positions.iter().zip(&skinned.normals);
        vertices.extend(of_part.map(|(position, normal)| {
            let position = world_from_model.transform_point3(position.as_vec3());
            let normal = world_from_model.transform_vector3(normal.as_vec3());
            [position, normal.normalize()]
        }));
    }
    vertices
}

/// Fails where the vertices are not as many or not within the tolerances. Returns the largest distances of positions,
/// in millimetres, and of normals.
fn compare(found: &[Vertex], expected: &[Vertex]) -> Result<[f32; 2], String> {
    if found.len() != expected.len() {
        let (found, expected) = (found.len(), expected.len());
        return Err(format!("expected {expected} vertices, found {found}"));
    }
    let mut largest = [0.0_f32; 2];
    for (index, (found, expected)) in found.iter().zip(expected).enumerate() {
        let errors = [
            1e3 * found[0].distance(expected[0]),
            found[1].distance(expected[1]),
        ];
        // Not the reverse: NaN must fail.
        if !(errors[0] <= TOLERANCE_MM && errors[1] <= NORMAL_TOLERANCE) {
            return Err(format!(
                "vertex {index}: expected {expected:?}, found {found:?}"
            ));
        }
        largest = [largest[0].max(errors[0]), largest[1].max(errors[1])];
    }
    Ok(largest)
}

/// Folder of the checker, or `None` if it or a browser is missing.
fn tool() -> Option<PathBuf> {
    let tool = workspace_root().join("tools/wasm-check");
    let what = "playwright-core (npm ci in tools/wasm-check)";
    path_or_skip(tool.join("node_modules"), what)?;
    let browser = std::env::var_os("CHROMIUM").unwrap_or("/usr/bin/chromium".into());
    path_or_skip(browser.into(), "a browser (Debian's chromium)")?;
    Some(tool)
}

/// Builds the examples for browsers into a folder; `None` if a tool is missing.
fn build(folder: &Path) -> Option<()> {
    let cargo = std::env::var_os("CARGO").unwrap_or("cargo".into());
    let output = Command::new(cargo)
        .args(["xtask", "wasm-build"])
        .arg(folder)
        .current_dir(workspace_root())
        .output()
        .expect("cargo starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    if output.status.code() == Some(MISSING_TOOL) {
        skip(errors.trim());
        return None;
    }
    assert!(output.status.success(), "{errors}");
    Some(())
}

/// Captures the crowd in a browser. Returns the name of the renderer and the vertices.
fn captured(tool: &Path, module: &Path, backend: &str, set: &Path) -> (String, Vec<Vertex>) {
    let output = Command::new("node")
        .arg(tool.join("check.mjs"))
        .arg(module)
        .arg(backend)
        .arg(set)
        .arg(NOW.secs().to_string())
        .output()
        .expect("node starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{backend}: {errors}");
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found["backend"], backend);
    let bytes = BASE64_STANDARD.decode(found["vertices"].as_str().unwrap());
    let floats: Vec<f32> = bytemuck::pod_collect_to_vec(&bytes.unwrap());
    let (vertices, rest) = floats.as_chunks::<6>();
    assert!(rest.is_empty(), "six floats per vertex");
    let vertex = |[x, y, z, u, v, w]: &[f32; 6]| [Vec3::new(*x, *y, *z), Vec3::new(*u, *v, *w)];
    let renderer = found["renderer"].as_str().unwrap().to_owned();
    (renderer, vertices.iter().map(vertex).collect())
}

#[test]
fn browser_captures_match_cpu_decoding() {
    let Some(tool) = tool() else { return };
    let folder = tempfile::tempdir().unwrap();
    let module = folder.path().join("module");
    let Some(()) = build(&module) else { return };
    let sets = [
        ("bone-qt", baked(Encoding::BoneQt, Precision::Unorm16)),
        (
            "bone-local",
            baked(Encoding::BoneLocal, Storage::Compressed),
        ),
    ];
    for (name, set) in &sets {
        let path = folder.path().join(format!("{name}.glb"));
        throng_format::disk::write_glb(set, &path).unwrap();
        let instances = instances(NOW);
        let expected: Vec<Vertex> = instances
            .iter()
            .flat_map(|one| expected(set, one))
            .collect();
        for backend in ["webgpu", "webgl2"] {
            let (renderer, found) = captured(&tool, &module, backend, &path);
            let compared = compare(&found, &expected);
            let [mm, normal] =
                compared.unwrap_or_else(|error| panic!("{name}, {backend}: {error}"));
            let vertices = found.len();
            println!(
                "{name}, {backend} ({renderer}): {vertices} vertices, {mm:.4} mm, normals {normal:.1e}"
            );
        }
    }
}

/// The comparison detects one vertex in thousands that is moved by a tenth of a millimetre.
#[test]
fn comparison_detects_one_moved_vertex() {
    let set = baked(Encoding::BoneQt, Precision::Unorm16);
    let expected: Vec<Vertex> = instances(NOW)
        .iter()
        .flat_map(|one| expected(&set, one))
        .collect();
    assert!(expected.len() > 4000, "{}", expected.len());
    assert_eq!(compare(&expected, &expected), Ok([0.0; 2]));

    let middle = expected.len() / 2;
    let mut moved = expected.clone();
    moved[middle][0].x += 1e-4;
    let error = compare(&moved, &expected).unwrap_err();
    assert!(error.starts_with(&format!("vertex {middle}: ")), "{error}");
    moved[middle] = expected[middle];
    moved[middle][1] = Vec3::NAN;
    assert!(compare(&moved, &expected).is_err());
    assert!(compare(&expected[1..], &expected).is_err());
}
