//! The wasm build of the examples in headless Chromium, on WebGPU and WebGL2: captured vertices equal those of the CPU.

mod common;

use std::path::{Path, PathBuf};
use std::process::Command;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use common::{NOW, Vertex, baked, compare, expected_crowd};
use glam::Vec3;
use serde_json::Value;
use throng_format::{Encoding, Precision, Storage};
use throng_testkit::{path_or_skip, skip, workspace_root};

/// Exit code of `cargo xtask wasm-build` where a tool is missing.
const MISSING_TOOL: i32 = 3;

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
        let expected = expected_crowd(set);
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
    let expected = expected_crowd(&set);
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
