//! Every encoding at every precision, in every file format that can hold it.

use super::{Place, number};

const BONES: [&str; 4] = ["bone-matrix", "bone-dq", "bone-qt", "virtual-bones"];
const PRECISIONS: [&str; 4] = ["unorm8", "unorm16", "f16", "f32"];

/// Encodings with the precisions they have.
fn kinds() -> Vec<(&'static str, &'static str)> {
    let encodings = [&["vertex", "vertex-ray"], &BONES[..]].concat();
    let plain = encodings
        .into_iter()
        .flat_map(|encoding| PRECISIONS.map(|precision| (encoding, precision)));
    plain
        .chain([("vertex", "packed"), ("bone-local", "packed")])
        .collect()
}

/// Bakes and verifies a kind of the bar.
#[track_caller]
fn holds(place: &Place, (encoding, precision): (&str, &str), format: &str) {
    let set = format!("{encoding}-{precision}-{format}.throng");
    let args = ["builtin:bar", "-o", &set, "--format", format, "--json"];
    let kind = ["--encoding", encoding, "--precision", precision];
    let baked = crate::run::object(&place.bake(&[&args[..], &kind].concat()).quiet());
    assert_eq!(baked["encoding"], encoding);
    assert_eq!(baked["precision"], precision);
    place.agrees(&set, &baked);
}

#[test]
fn every_kind_bakes_and_verifies_as_ktx2() {
    let place = Place::new();
    for kind in kinds() {
        holds(&place, kind, "ktx2");
    }
}

#[test]
fn png_takes_integers_and_exr_floats_and_both_take_curves() {
    let place = Place::new();
    for kind in kinds() {
        let (held, refused) = match kind.1 {
            "unorm8" | "unorm16" => (&["png"][..], Some(("exr", "choose png or ktx2"))),
            "f16" | "f32" => (&["exr"][..], Some(("png", "choose exr or ktx2"))),
            _ => (&["png", "exr"][..], None),
        };
        for format in held {
            holds(&place, kind, format);
        }
        let Some((format, remedy)) = refused else {
            continue;
        };
        let args = ["builtin:bar", "-o", "no", "--format", format];
        let kind = ["--encoding", kind.0, "--precision", kind.1];
        let error = place.bake(&[&args[..], &kind].concat()).failed(1);
        assert!(error.contains(&format!("as {format}")), "{error}");
        assert!(error.contains(remedy), "{error}");
        assert!(!place.at("no").exists());
    }
}

#[test]
fn kinds_of_each_precision_bake_and_verify_as_one_file() {
    let place = Place::new();
    // Five apart, so that every precision has its turn.
    for kind in kinds().into_iter().step_by(5) {
        holds(&place, kind, "glb");
    }
}

#[test]
fn a_precision_that_an_encoding_does_not_have_is_refused() {
    let place = Place::new();
    let mut wrong = PRECISIONS.map(|p| ("bone-local", p)).to_vec();
    wrong.extend(BONES.map(|encoding| (encoding, "packed")));
    wrong.push(("vertex-ray", "packed"));
    for (encoding, precision) in wrong {
        let args = [
            "builtin:bar",
            "--encoding",
            encoding,
            "--precision",
            precision,
        ];
        let error = place.bake(&args).failed(1);
        let said = format!("{encoding} cannot be {precision}: choose ");
        assert!(error.contains(&said), "{error}");
    }
}

#[test]
fn presets_of_the_papers_bake_and_verify() {
    let place = Place::new();
    for (preset, encoding) in [
        ("p0-vertex8", "vertex"),
        ("p0-matrix8", "bone-matrix"),
        ("p0-dq8", "bone-dq"),
        ("p3-virtual-bones", "virtual-bones"),
    ] {
        let baked = place.runner(preset, &["--preset", preset]);
        assert_eq!(baked["encoding"], encoding);
        let is_p0 = preset.starts_with("p0");
        assert_eq!(baked["precision"], if is_p0 { "unorm8" } else { "f32" });
        place.agrees(preset, &baked);
        // Bytes are coarse.
        assert!(!is_p0 || number(&baked, "max_error_mm") > 1.0, "{preset}");
    }
}

#[test]
fn more_bits_are_closer() {
    let place = Place::new();
    for encoding in ["vertex", "bone-qt"] {
        let error = |precision: &str| {
            let kind = ["--encoding", encoding, "--precision", precision];
            number(&place.runner("set", &kind), "max_error_mm")
        };
        assert!(error("unorm16") < error("unorm8"), "{encoding}");
    }
}
