//! Generated GLSL ES 3.00 on WebGL2 in headless Chromium: captured vertices equal those of the CPU.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use glam::{Affine3A, Quat, Vec3};
use serde_json::{Value, json};
use throng_bake::{BakeSettings, Rate, bake};
use throng_format::decode::{self, BonePose};
use throng_format::{DecodeParams, Encoding, Precision, Source, Storage, TextureSet};
use throng_rig::{Method, ModelPose, Palette};
use throng_shaders::translate::{Language, translate};
use throng_shaders::{
    CaptureTarget, Frame, InstanceBlock, Pass, Shader, TABLE_COLUMNS, deform_shader,
    fill_palette_shader,
};
use throng_skin::reference::{Skinned, skin};
use throng_testkit::{Tier, path_or_skip, workspace_root};
use throng_wgpu::{
    DecodeMode, DeviceTexels, Fade, Instance, Play, SetBuffers, SetShaders, Ticks, VERTEX_LAYOUTS,
};

/// For humanoids of 1.8 m up to 20 m from the origin.
const TOLERANCE_MM: f64 = 0.03;
/// Distance of unit vectors: about a twentieth of a degree.
const NORMAL_TOLERANCE: f64 = 1e-3;
/// Shortly before ticks wrap.
const NOW: Ticks = Ticks(u32::MAX - 777);

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
    let source = Source::in_memory("builtin:humanoid:1000");
    bake(&character, &settings, &source, &()).unwrap().set
}

/// Instances of both clips, forwards, backwards and held; the third is in the middle of a cross-fade.
fn instances() -> Vec<Instance> {
    let ago = |secs: f64| Ticks(NOW.0.wrapping_sub(Ticks::from_secs(secs).0));
    let play = |clip, secs, speed| Play::Running {
        clip,
        start: ago(secs),
        speed,
    };
    let fade = Fade::starting(play(1, 0.7, 1.25), ago(0.4), Ticks::from_secs(1.0));
    let plays = [
        (Play::held(0, 0.0), None),
        (play(0, 0.37, 1.0), None),
        (play(0, 31.9, 1.0), Some(fade)),
        (play(1, 5.21, -0.8), None),
        (play(1, 4000.0, 1.1), None),
    ];
    let instances = plays.into_iter().enumerate().map(|(index, (play, fade))| {
        let step = index as f32;
        Instance {
            world_from_model: Affine3A::from_scale_rotation_translation(
                Vec3::splat(0.8 + 0.1 * step),
                Quat::from_rotation_y(1.3 * step),
                Vec3::new(5.0 * step, 0.0, -3.0 * step),
            ),
            play,
            fade,
            ..Instance::default()
        }
    });
    instances.collect()
}

/// Positions and normals of an instance in world space: decoded on the CPU, and skinned in float64.
fn expected(set: &TextureSet, instance: &Instance) -> (Vec<[f32; 3]>, Vec<[f32; 3]>) {
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
    let (mut positions, mut normals) = (Vec::new(), Vec::new());
    for part in model.parts() {
        let mut palette = Palette::default();
        palette.update(model.skin_of(part), &joints);
        let mut skinned = Skinned::default();
        let mesh = model.mesh_of(part);
        skin(Method::Lbs, mesh, &[], &palette, &mut skinned);
        let skinned_positions = skinned.positions.iter();
        positions.extend(
            skinned_positions.map(|p| world_from_model.transform_point3(p.as_vec3()).to_array()),
        );
        let skinned_normals = skinned
            .normals
            .iter()
            .map(|n| world_from_model.transform_vector3(n.as_vec3()));
        normals.extend(skinned_normals.map(|normal| normal.normalize().to_array()));
    }
    (positions, normals)
}

fn base64(bytes: &[u8]) -> String {
    BASE64_STANDARD.encode(bytes)
}

/// Consecutive texels in rows of a table.
fn table<const WORDS: usize>(format: &str, texels: &[[u32; WORDS]]) -> Value {
    let rows = table_rows(texels.len());
    let mut padded = texels.to_vec();
    padded.resize((rows * TABLE_COLUMNS) as usize, [0; WORDS]);
    let texels = base64(bytemuck::cast_slice(&padded));
    json!({ "format": format, "size": [TABLE_COLUMNS, rows], "texels": texels })
}

fn table_rows(texels: usize) -> u32 {
    texels.div_ceil(TABLE_COLUMNS as usize).max(1) as u32
}

/// A texture of a set in a format of WebGL2, which has no 16-bit normalised formats.
fn array(texels: &DeviceTexels<'_>) -> Value {
    let format = match texels.format {
        wgpu::TextureFormat::Rgba16Uint => "rgba16ui",
        wgpu::TextureFormat::R32Uint => "r32ui",
        other => panic!("the page does not support {other:?}"),
    };
    json!({ "format": format, "size": texels.size, "texels": base64(&texels.bytes) })
}

fn attributes() -> Value {
    let buffers = ["vertices", "attributes", "instances"];
    let layouts = VERTEX_LAYOUTS.iter().flatten().zip(buffers);
    let all = layouts.flat_map(|(layout, buffer)| {
        layout.attributes.iter().map(move |attribute| {
            json!({
                "buffer": buffer,
                "location": attribute.shader_location,
                "format": format!("{:?}", attribute.format).to_lowercase(),
                "offset": attribute.offset,
                "stride": layout.array_stride,
                "instanced": layout.step_mode == wgpu::VertexStepMode::Instance,
            })
        })
    });
    all.collect()
}

/// Both stages of a shader that draws.
fn stages(shader: &Shader) -> Value {
    let [vertex, fragment] = [0, 1].map(|stage| {
        let entry_point = shader.entry_points[stage];
        translate(shader, entry_point, Language::Glsl).unwrap()
    });
    json!({ "vertex": vertex, "fragment": fragment })
}

/// Resources and draw calls of the page, and the expected vertices.
fn case(name: &str, set: &TextureSet, decode: DecodeMode) -> Value {
    let shaders = SetShaders::of(set, decode).unwrap();
    let buffers = SetBuffers::of(set).unwrap();
    let clips = DecodeParams::of(set).clips;
    let instances = instances();
    let blocks: Vec<InstanceBlock> = instances.iter().map(|i| i.to_block(&clips)).collect();

    let info = shaders.info;
    let target = CaptureTarget {
        rows: table_rows(info.vertices as usize * instances.len()),
        ..CaptureTarget::default()
    };
    let frame = Frame {
        now: NOW.0,
        previous_first: u32::MAX,
        count: instances.len() as u32,
        deform_factor: 1.0,
        ..Frame::default()
    };
    let mut textures = serde_json::Map::from_iter([
        ("1.1".to_owned(), table("rgba32ui", &shaders.tables)),
        ("1.4".to_owned(), table("rg32ui", &buffers.influences)),
    ]);
    for texture in &shaders.textures {
        let texels = array(&texture.device_texels(set));
        textures.insert(format!("1.{}", texture.binding), texels);
    }
    let palette = shaders.palette.map(|source| {
        let words: &[[u32; 4]] = bytemuck::cast_slice(&blocks);
        textures.insert("1.7".to_owned(), table("rgba32ui", words));
        let mut pass = stages(&fill_palette_shader(source));
        pass["rows"] = table_rows(info.palette_stride as usize * instances.len()).into();
        pass["binding"] = "1.2".into();
        pass
    });
    let draws = shaders.deforms.iter().enumerate().map(|(index, deform)| {
        let parts = buffers.parts.iter().zip(&shaders.deform_of_part);
        let parts = parts
            .filter(|(_, deform)| **deform == index)
            .map(|(part, _)| json!({ "first": part.vertices.start, "count": part.vertices.len() }));
        let mut draw = stages(&deform_shader(*deform, Pass::Capture));
        draw["parts"] = parts.collect();
        draw
    });
    let (positions, normals): (Vec<_>, Vec<_>) =
        instances.iter().map(|one| expected(set, one)).unzip();
    json!({
        "name": name,
        "vertices": info.vertices,
        "instances": instances.len(),
        "rows": target.rows,
        "buffers": {
            "vertices": base64(&buffers.vertices),
            "attributes": base64(&buffers.attributes),
            "instances": base64(bytemuck::cast_slice(&blocks)),
        },
        "attributes": attributes(),
        "blocks": {
            "1.14": base64(bytemuck::bytes_of(&frame)),
            "1.0": base64(bytemuck::bytes_of(&info)),
            "1.10": base64(bytemuck::bytes_of(&target)),
        },
        "textures": textures,
        "palette": palette,
        "draws": draws.collect::<Value>(),
        "expected": {
            "positions": base64(bytemuck::cast_slice(&positions.concat())),
            "normals": base64(bytemuck::cast_slice(&normals.concat())),
        },
    })
}

/// Moves one expected vertex by a millimetre.
fn move_a_vertex(case: &mut Value) {
    let positions = &mut case["expected"]["positions"];
    let bytes = BASE64_STANDARD.decode(positions.as_str().unwrap()).unwrap();
    let mut numbers: Vec<f32> = bytemuck::pod_collect_to_vec(&bytes);
    let middle = numbers.len() / 2;
    numbers[middle] += 1e-3;
    *positions = base64(bytemuck::cast_slice(&numbers)).into();
}

/// Backends of WebGL2 in the browser: on the CPU, and in the full tier also on the driver of the system.
fn backends() -> &'static [&'static str] {
    match Tier::current() {
        Tier::Quick | Tier::Default => &["swiftshader"],
        Tier::Full => &["swiftshader", "gl-egl"],
    }
}

fn check(tool: &Path, backend: &str, data: &Value) -> Output {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("cases.json"), data.to_string()).unwrap();
    Command::new("node")
        .arg(tool.join("check.mjs"))
        .arg(folder.path())
        .env("ANGLE", backend)
        .output()
        .expect("node starts")
}

/// Folder of the checker, or `None` if it or a browser is missing.
fn tool() -> Option<PathBuf> {
    let tool = workspace_root().join("tools/webgl2-check");
    let what = "playwright-core (npm ci in tools/webgl2-check)";
    path_or_skip(tool.join("node_modules"), what)?;
    let browser = std::env::var_os("CHROMIUM").unwrap_or("/usr/bin/chromium".into());
    path_or_skip(browser.into(), "a browser (Debian's chromium)")?;
    Some(tool)
}

#[test]
fn webgl2_captures_match_cpu_decoding() {
    let Some(tool) = tool() else { return };
    let direct = baked(Encoding::BoneQt, Precision::Unorm16);
    let pass = baked(Encoding::BoneLocal, Storage::Compressed);
    let mut data = json!({
        "columns": TABLE_COLUMNS,
        "toleranceMm": TOLERANCE_MM,
        "normalTolerance": NORMAL_TOLERANCE,
        "cases": [
            case("bone-qt unorm16, direct", &direct, DecodeMode::Direct),
            case("bone-local, decode pass", &pass, DecodeMode::Pass),
        ],
    });

    for backend in backends() {
        let output = check(&tool, backend, &data);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{errors}");
        let found: Value = serde_json::from_slice(&output.stdout).unwrap();
        println!("{found}");
        // The browser falls back to the CPU if it cannot use a driver.
        let renderer = found["renderer"].as_str().unwrap();
        assert_eq!(
            renderer.contains("SwiftShader"),
            *backend == "swiftshader",
            "{renderer}"
        );
        let cases = found["cases"].as_array().unwrap();
        assert_eq!(cases.len(), 2);
        for (case, set) in cases.iter().zip([&direct, &pass]) {
            let model = set.model();
            let parts = model.parts().iter();
            let vertices: usize = parts.map(|part| model.mesh_of(part).vertex_count()).sum();
            assert_eq!(case["vertices"], vertices * instances().len());
            assert!(
                case["maxErrorMm"].as_f64().unwrap() <= TOLERANCE_MM,
                "{case}"
            );
        }
    }

    // The comparison detects one vertex in thousands that is moved by a millimetre.
    move_a_vertex(&mut data["cases"][1]);
    let output = check(&tool, backends()[0], &data);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(
        errors.contains("bone-local") && !errors.contains("bone-qt"),
        "{errors}"
    );
}
