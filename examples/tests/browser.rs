//! The wasm build of the examples in headless Chromium, on WebGPU and WebGL2: captured vertices equal those of the CPU.

mod common;

use std::path::{Path, PathBuf};
use std::process::Command;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use common::{NOW, Vertex, baked, compare, expected_crowd};
use glam::Vec3;
use serde_json::Value;
use throng_examples::small_picture;
use throng_format::{Encoding, Precision, Storage, TextureSet};
use throng_testkit::{adapter_or_skip, path_or_skip, skip, workspace_root};
use throng_wgpu::{Gpu, GpuError};

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

/// Results of a browser for one set.
struct Found {
    renderer: String,
    vertices: Vec<Vertex>,
    /// RGBA.
    picture: Vec<u8>,
}

/// Captures and draws the crowd in a browser.
fn found(tool: &Path, module: &Path, backend: &str, set: &Path) -> Found {
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
    let picture = BASE64_STANDARD.decode(found["picture"].as_str().unwrap());
    Found {
        renderer: found["renderer"].as_str().unwrap().to_owned(),
        vertices: vertices.iter().map(vertex).collect(),
        picture: picture.unwrap(),
    }
}

/// The picture on the device of this machine; `None` if there is no adapter.
fn native_picture(set: &TextureSet) -> Option<Vec<u8>> {
    let gpu = match Gpu::headless() {
        Err(GpuError::NoAdapter(_)) => None,
        gpu => Some(gpu.unwrap()),
    };
    let gpu = adapter_or_skip(gpu, "GPU", "mesa-vulkan-drivers")?;
    let picture = small_picture(gpu.device(), gpu.queue(), set, NOW).unwrap();
    Some(gpu.read_texture(&picture).unwrap())
}

/// Share of pixels that differ by more than a tenth. Drivers place samples differently, so that outlines differ.
fn share_of_differing_pixels(a: &[u8], b: &[u8]) -> f64 {
    assert_eq!(a.len(), b.len());
    let pixels = a.chunks_exact(4).zip(b.chunks_exact(4));
    let differing = pixels.filter(|(a, b)| (0..3).any(|k| a[k].abs_diff(b[k]) > 25));
    differing.count() as f64 / (a.len() / 4) as f64
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
        let Some(expected_picture) = native_picture(set) else {
            return;
        };
        for backend in ["webgpu", "webgl2"] {
            let found = found(&tool, &module, backend, &path);
            let compared = compare(&found.vertices, &expected);
            let [mm, normal] =
                compared.unwrap_or_else(|error| panic!("{name}, {backend}: {error}"));
            let Found {
                renderer, vertices, ..
            } = &found;
            let vertices = vertices.len();
            let sky = &found.picture[..3];
            let drawn = found.picture.chunks_exact(4).filter(|p| p[..3] != *sky);
            assert!(drawn.count() > 1500, "{name}, {backend}: nothing is drawn");
            let differing = share_of_differing_pixels(&found.picture, &expected_picture);
            assert!(
                differing < 0.02,
                "{name}, {backend}: {differing} of the picture"
            );
            println!(
                "{name}, {backend} ({renderer}): {vertices} vertices, {mm:.4} mm, normals {normal:.1e}, {:.2} % of the \
                 picture differ",
                100.0 * differing
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
