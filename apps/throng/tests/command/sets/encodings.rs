//! Every encoding at every precision, in every file format that supports it.

use super::{WorkFolder, number, runner_report, storage, storage_options};

const BONES: [&str; 4] = ["bone-matrix", "bone-dq", "bone-qt", "virtual-bones"];
const PRECISIONS: [&str; 4] = ["unorm8", "unorm16", "f16", "f32"];

/// Encodings with their storages: a precision of frames, or `compressed`.
fn kinds() -> Vec<(&'static str, &'static str)> {
    let encodings = [&["vertex", "vertex-ray"], &BONES[..]].concat();
    let plain = encodings
        .into_iter()
        .flat_map(|encoding| PRECISIONS.map(|precision| (encoding, precision)));
    plain
        .chain([("vertex", "compressed"), ("bone-local", "compressed")])
        .collect()
}

/// Bakes and verifies the bar.
#[track_caller]
fn assert_bakes(work: &WorkFolder, (encoding, stored): (&str, &str), format: &str) {
    let set = format!("{encoding}-{stored}-{format}.throng");
    let args = ["builtin:bar", "-o", &set, "--format", format, "--json"];
    let kind = [["--encoding", encoding], storage_options(stored)].concat();
    let baked = crate::run::object(&work.bake(&[&args[..], &kind].concat()).quiet());
    assert_eq!(baked["encoding"], encoding);
    assert_eq!(storage(&baked), stored);
    work.assert_verifies_as_baked(&set, &baked);
}

#[test]
fn every_precision_of_every_encoding_bakes_as_ktx2() {
    let work = WorkFolder::new();
    for kind in kinds() {
        assert_bakes(&work, kind, "ktx2");
    }
}

#[test]
fn png_supports_integers_and_exr_floats_and_both_compressed_curves() {
    let work = WorkFolder::new();
    for kind in kinds() {
        let (supported, unsupported) = match kind.1 {
            "unorm8" | "unorm16" => (&["png"][..], Some(("exr", "use png or ktx2"))),
            "f16" | "f32" => (&["exr"][..], Some(("png", "use exr or ktx2"))),
            _ => (&["png", "exr"][..], None),
        };
        for format in supported {
            assert_bakes(&work, kind, format);
        }
        let Some((format, remedy)) = unsupported else {
            continue;
        };
        let args = ["builtin:bar", "-o", "no", "--format", format];
        let kind = [["--encoding", kind.0], storage_options(kind.1)].concat();
        let error = work.bake(&[&args[..], &kind].concat()).failed(1);
        assert!(error.contains(&format!("as {format}")), "{error}");
        assert!(error.contains(remedy), "{error}");
        assert!(!work.at("no").exists());
    }
}

#[test]
fn every_precision_bakes_as_one_file() {
    let work = WorkFolder::new();
    // Steps of five cover every precision.
    for kind in kinds().into_iter().step_by(5) {
        assert_bakes(&work, kind, "glb");
    }
}

#[test]
fn rejects_a_layout_that_the_encoding_does_not_support() {
    let work = WorkFolder::new();
    let mut wrong = PRECISIONS.map(|p| ("bone-local", p)).to_vec();
    wrong.extend(BONES.map(|encoding| (encoding, "compressed")));
    wrong.push(("vertex-ray", "compressed"));
    for (encoding, stored) in wrong {
        let args = [
            &["builtin:bar", "--encoding", encoding],
            &storage_options(stored)[..],
        ];
        let error = work.bake(&args.concat()).failed(1);
        let layouts = match stored {
            "compressed" => ["compressed", "frames"],
            _ => ["frames", "compressed"],
        };
        let [asked, expected] = layouts;
        let text = format!("{encoding} does not support the {asked} layout; expected {expected}");
        assert!(error.contains(&text), "{error}");
    }
}

#[test]
fn presets_bake_and_verify() {
    let work = WorkFolder::new();
    for (preset, encoding) in [
        ("p0-vertex8", "vertex"),
        ("p0-matrix8", "bone-matrix"),
        ("p0-dq8", "bone-dq"),
        ("p3-virtual-bones", "virtual-bones"),
        ("p3-virtual-bones-split", "virtual-bones"),
    ] {
        let baked = work.bake_runner(preset, &["--preset", preset]);
        assert_eq!(baked["encoding"], encoding);
        let is_p0 = preset.starts_with("p0");
        assert_eq!(baked["precision"], if is_p0 { "unorm8" } else { "f32" });
        work.assert_verifies_as_baked(preset, &baked);
        // 8 bits have large errors.
        assert!(!is_p0 || number(&baked, "max_error_mm") > 1.0, "{preset}");
    }
}

/// Eight influences per vertex are reduced to four, with a warning that says how much weight is lost.
#[test]
fn presets_of_p3_keep_four_influences() {
    let Some(assets) = throng_testkit::shared_assets() else {
        return;
    };
    let work = WorkFolder::new();
    let path = assets.join("gltf/crafted_valid/influences8_f32.glb");
    let path = path.display().to_string();
    let run = work.bake(&[&path, "-o", "p3", "--preset", "p3-virtual-bones"]);
    let warning = run.warned();
    assert!(warning.contains("influences"), "{warning}");
    let set = throng_format::disk::read(&work.at("p3")).unwrap();
    assert_eq!(set.manifest().source.max_influences, Some(4));
}

#[test]
fn more_bits_have_a_smaller_error() {
    for encoding in ["vertex", "bone-qt"] {
        let error = |precision: &str| {
            let kind = ["--encoding", encoding, "--precision", precision];
            number(&runner_report(&kind), "max_error_mm")
        };
        assert!(error("unorm16") < error("unorm8"), "{encoding}");
    }
}
