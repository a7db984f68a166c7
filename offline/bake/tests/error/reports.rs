//! Contents of `report.json` and of the text table.

use throng_bake::accuracy::{
    BakeReport, ErrorReport, MeasurePlan, SourcePlayback, TextureReport, measure,
};
use throng_format::{Encoding, Precision, TexelFormat};
use throng_rig::{Interpolation, Skinning};

use crate::common::{Sampled, character, clip, once, slide};

fn error_report() -> ErrorReport {
    let step = clip(
        "step\n",
        &[(0.0, 0.0), (0.51, 0.08), (1.0, 0.0)],
        Interpolation::Step,
    );
    let wave = clip(
        "wave",
        &[(0.0, 0.0), (0.41, 0.08), (1.0, 0.0)],
        Interpolation::Linear,
    );
    let character = character(vec![slide("slide"), step, wave]);
    let reference = SourcePlayback::new(&character, vec![0, 1, 2], Skinning::AsAuthored);
    let tested = Sampled {
        reference: &reference,
        rate_hz: 30.0,
    };
    let plan = MeasurePlan::full(&character, &once(3));
    measure(&reference, &tested, &plan, &())
}

fn bake_report() -> BakeReport {
    BakeReport {
        name: "hand-made".into(),
        source: "hand.glb".into(),
        encoding: Encoding::BoneQt,
        storage: Precision::Unorm16.into(),
        method: "as-authored".into(),
        mesh_methods: vec!["lbs".into(), "dqs".into()],
        rate_hz: 30.0,
        frames: 93,
        influences: 1,
        source_influences: 2,
        gpu_bytes: 12_345,
        disk_bytes: Some(2_000_000),
        inverse_bind_bytes: 96,
        bytes_per_joint_frame: 4.25,
        lods: Vec::new(),
        textures: vec![TextureReport {
            name: "bones".into(),
            texels: TexelFormat::Rgba16Unorm,
            width: 16,
            height: 96,
            layers: 1,
            gpu_bytes: 12_288,
        }],
        error: error_report(),
    }
}

#[test]
fn report_json_has_its_keys_at_the_top_level() {
    let report = bake_report();
    let json = serde_json::to_value(&report).unwrap();
    for key in [
        "encoding",
        "precision",
        "rate_hz",
        "max_error_mm",
        "p99_error_mm",
        "rms_error_mm",
        "max_error_of_size",
        "max_normal_error_deg",
        "bone_error_mm",
        "gpu_bytes",
        "disk_bytes",
        "bytes_per_joint_frame",
        "size_m",
        "joints",
        "vertices",
        "influences",
        "worst",
        "at_samples",
        "between_samples",
        "step_jumps",
        "clips",
    ] {
        assert!(json.get(key).is_some(), "{key}: {json:#}");
    }
    assert_eq!(json["encoding"], "bone-qt");
    assert_eq!(json["clips"][2]["name"], "wave");
    assert_eq!(json["clips"][2]["loop"], "once");
    assert_eq!(json["max_error_mm"], json["clips"][2]["max_error_mm"]);
    assert!(json["bone_error_mm"].is_null(), "no bones were played");
    let text = serde_json::to_string(&report).unwrap();
    let back: BakeReport = serde_json::from_str(&text).unwrap();
    assert_eq!(back.error.clips.len(), 3);
    assert_eq!(back.gpu_bytes, report.gpu_bytes);
    assert_eq!(back.error.errors.worst.unwrap().vertex, 2);
}

#[test]
fn table_states_settings_cost_and_errors() {
    let table = bake_report().table();
    for expected in [
        "hand-made: bone-qt (unorm16), skinning as authored (LBS, DQS), 30 Hz, 93 frames\n",
        "character  2.00 m, 4 vertices, 2 joints that move them, up to 1 of 2 influences per vertex\n",
        "texture    bones: 16 × 96 × 1, 12.0 KiB\n",
        "bytes      12.1 KiB on the GPU + 96 B of inverse bind matrices, 1.91 MiB on disk; 4.25 bytes per joint per 1/30 s\n",
        "vertex 2 of part 0 'body', heaviest joint 1 'tip', 0.414 s into 'wave'\n",
        "at jumps (not in all)",
        "\n  step\\n ",
    ] {
        assert!(table.contains(expected), "no {expected:?} in\n{table}");
    }
    assert!(
        !table.contains("  bones  "),
        "no bones were played:\n{table}"
    );
    eprintln!("{table}");
}
