//! The crowd of the examples on Vulkan and on GL equals the CPU, and every example runs without a window.

mod common;

use std::path::{Path, PathBuf};
use std::process::Command;

use common::{NOW, Vertex, baked, compare, expected_crowd, instances};
use throng_format::{Encoding, Precision, Storage};
use throng_testkit::adapter_or_skip;
use throng_wgpu::{CrowdModel, Gpu, GpuError, GpuLimits, ModelSettings, wgpu};

fn device(backends: wgpu::Backends, limits: GpuLimits, package: &str) -> Option<Gpu> {
    let gpu = match Gpu::headless_on(backends, limits) {
        Err(GpuError::NoAdapter(_)) => None,
        gpu => Some(gpu.unwrap()),
    };
    adapter_or_skip(gpu, "GPU", package)
}

fn vulkan() -> Option<Gpu> {
    let backends = wgpu::Backends::PRIMARY;
    device(backends, GpuLimits::Adapter, "mesa-vulkan-drivers")
}

#[test]
fn captures_match_cpu_decoding_on_vulkan_and_gl() {
    let gl = device(wgpu::Backends::GL, GpuLimits::WebGl2, "libegl1");
    let (Some(vulkan), Some(gl)) = (vulkan(), gl) else {
        return;
    };
    for (encoding, storage) in [
        (Encoding::BoneQt, Precision::Unorm16.into()),
        (Encoding::BoneLocal, Storage::Compressed),
    ] {
        let set = baked(encoding, storage);
        let expected = expected_crowd(&set);
        for gpu in [&vulkan, &gl] {
            let settings = ModelSettings::default();
            let model = CrowdModel::new(gpu.device(), gpu.queue(), &set, settings).unwrap();
            let mut crowd = model.crowd().unwrap();
            crowd.set_instances(&instances()).unwrap();
            let captured = crowd.capture(NOW).unwrap().wait().unwrap();
            let vertices = captured
                .iter()
                .flat_map(|one| one.positions.iter().zip(&one.normals));
            let found: Vec<Vertex> = vertices.map(|(p, n)| [*p, *n]).collect();
            let [mm, _] = compare(&found, &expected)
                .unwrap_or_else(|error| panic!("{encoding} on {}: {error}", gpu.name()));
            println!("{encoding} on {:?}: {mm:.4} mm", gpu.backend());
        }
    }
}

/// Runs an example that cargo built with this test.
fn run(example: &str, args: &[&str]) -> String {
    let test = std::env::current_exe().unwrap();
    let folder: &Path = test.parent().unwrap().parent().unwrap();
    let program: PathBuf = folder.join("examples").join(example);
    let output = Command::new(&program)
        .args(args)
        .env("NODEVICE_SELECT", "1")
        .output()
        .unwrap_or_else(|error| panic!("{}: {error}", program.display()));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{example}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

/// Draws a picture by an example. Returns its size and its RGBA bytes.
fn drawn_pixels(example: &str, args: &[&str]) -> ([u32; 2], Vec<u8>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("picture.png");
    run(
        example,
        &[&["--headless", path.to_str().unwrap()], args].concat(),
    );
    let file = std::io::BufReader::new(std::fs::File::open(&path).unwrap());
    let mut reader = png::Decoder::new(file).read_info().unwrap();
    let mut rgba = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut rgba).unwrap();
    ([info.width, info.height], rgba)
}

/// Draws a picture by an example. Returns the share of pixels that are not `background`.
fn drawn(example: &str, background: [u8; 3]) -> f64 {
    let (size, rgba) = drawn_pixels(example, &[]);
    assert_eq!(size, [1280, 720]);
    let is_drawn = |pixel: &&[u8]| (0..3).any(|k| pixel[k].abs_diff(background[k]) > 12);
    let pixels = rgba.chunks_exact(4);
    pixels.filter(is_drawn).count() as f64 / (1280.0 * 720.0)
}

#[test]
fn draw_crowd_writes_a_picture() {
    let Some(_) = vulkan() else { return };
    // sRGB of the clear colour.
    let share = drawn("draw_crowd", [174, 191, 209]);
    assert!((0.2..0.6).contains(&share), "{share}");
}

#[test]
fn custom_material_writes_a_picture() {
    let Some(_) = vulkan() else { return };
    let share = drawn("custom_material", [33, 39, 61]);
    assert!((0.4..0.9).contains(&share), "{share}");
}

#[test]
fn crowd_steering_draws_people_on_a_street() {
    let Some(_) = vulkan() else { return };
    let street = |agents: &str| {
        let args = ["--agents", agents, "--secs", "0.5", "--size", "320x180"];
        let (size, rgba) = drawn_pixels("crowd_steering", &args);
        assert_eq!(size, [320, 180]);
        rgba
    };
    let (empty, peopled) = (street("0"), street("3000"));
    let colors: std::collections::HashSet<&[u8]> = empty.chunks_exact(4).collect();
    assert!(
        colors.len() > 500,
        "{} colours of houses and trees",
        colors.len()
    );
    let pixels = empty.chunks_exact(4).zip(peopled.chunks_exact(4));
    let changed = pixels.filter(|(a, b)| (0..3).any(|k| a[k].abs_diff(b[k]) > 12));
    let share = changed.count() as f64 / (320.0 * 180.0);
    assert!((0.03..0.5).contains(&share), "{share}");
}

#[test]
fn bake_and_read_decodes_what_it_baked() {
    let printed = run("bake_and_read", &[]);
    assert!(printed.contains("max error 0."), "{printed}");
}
