//! `throng render --compare`: techniques, methods and sets side by side.

use std::path::Path;

use serde_json::Value;
use throng_testkit::shared_assets;

use crate::render::{read_png, rejected};
use crate::run::{has_adapter, run_in};

/// Runs `throng render` in a folder and returns its report.
fn report<'a>(folder: &Path, args: impl IntoIterator<Item = &'a str>) -> Value {
    let args = ["render"].into_iter().chain(args).chain(["--json"]);
    serde_json::from_str(&run_in(folder, args).ok()).unwrap()
}

/// Returns a value of every panel.
fn of_panels(report: &Value, key: &str) -> Vec<Value> {
    let panels = report["panels"].as_array().unwrap();
    panels.iter().map(|panel| panel[key].clone()).collect()
}

#[test]
fn compares_techniques_with_their_errors() {
    if !has_adapter() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let compare = "cpu,palette-dq,bone-matrix,vertex";
    let args = [
        "render",
        "builtin:bar:200",
        "--size",
        "200x120",
        "--compare",
        compare,
    ];
    for more in [&["-o", "a.png"][..], &["-o", "b.png", "--show-error"]] {
        let args = args.iter().chain(more).chain(&["--json"]);
        let report: Value = serde_json::from_str(&run_in(folder.path(), args).ok()).unwrap();
        let errors: Vec<f64> = report["panels"]
            .as_array()
            .unwrap()
            .iter()
            .map(|panel| panel["max_error_mm"].as_f64().unwrap())
            .collect();
        // Errors on a bar of 2 m: of rounding for floats, of 16 bits and of interpolation for textures.
        assert!(errors[0] < 0.001 && errors[1] < 0.01, "{errors:?}");
        assert!(errors[2] < 5.0 && errors[3] < 5.0, "{errors:?}");
        assert!(errors[3] > errors[0], "{errors:?}");
    }
    let (_, size, plain) = read_png(&folder.path().join("a.png"));
    let (_, _, heat) = read_png(&folder.path().join("b.png"));
    assert_eq!(size, [200, 120]);
    assert_ne!(plain, heat);
}

/// Largest and smallest number of the character's pixels in a row, of these columns and rows of a picture.
fn widths(
    rgb: &[u8],
    width: usize,
    columns: std::ops::Range<usize>,
    rows: std::ops::Range<usize>,
) -> [usize; 2] {
    let pixel = |x: usize, y: usize| &rgb[3 * (y * width + x)..][..3];
    let is_body = |x: usize, y: usize| {
        // The background has nearly no colour, the stripes of the cylinder are teal and sand.
        let [r, _, b] = [0, 1, 2].map(|channel| i32::from(pixel(x, y)[channel]));
        (r - b).abs() > 25
    };
    let count = |y: usize| columns.clone().filter(|&x| is_body(x, y)).count();
    let counts: Vec<usize> = rows.map(count).collect();
    [*counts.iter().max().unwrap(), *counts.iter().min().unwrap()]
}

/// Methods in the pose where LBS is worst, without naming the time.
#[test]
fn compares_methods_with_their_artefacts() {
    if !has_adapter() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let methods = "lbs,dqs,blend:auto,cor,dqs-bulge-free,sclerp";
    let names: Vec<&str> = methods.split(',').collect();
    let args = |clip| {
        let source = ["builtin:cylinder", "--size", "960x640", "-o", "a.png"];
        [&source[..], &["--clip", clip, "--methods", methods]].concat()
    };
    let measure = |report: &Value, key: &str| -> Vec<f64> {
        let artefacts = of_panels(report, "artefacts");
        let values = artefacts.iter().map(|panel| panel[key].as_f64().unwrap());
        values.collect()
    };
    let twist = report(folder.path(), args("twist"));
    assert_eq!(of_panels(&twist, "method"), names);
    let radii = measure(&twist, "min_radius_ratio");
    assert!(radii[0] < 0.05, "LBS collapses: {radii:?}");
    assert!(
        radii[1..].iter().all(|&r| r > 0.95),
        "others do not: {radii:?}"
    );

    let bend = report(folder.path(), args("bend"));
    let bulges = measure(&bend, "max_radius_ratio");
    let [_, dqs, auto, cor, bulge_free, _] = bulges[..] else {
        panic!("{bulges:?}");
    };
    assert!(dqs > 1.08 && auto < dqs, "{bulges:?}");
    assert!(cor < 1.06 && bulge_free < 1.03, "{bulges:?}");
}

#[test]
fn focus_on_an_unknown_joint_is_refused() {
    if !has_adapter() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let methods = ["--methods", "lbs,dqs", "--focus", "elbow", "-o", "a.png"];
    let args = [&["render", "builtin:cylinder"], &methods[..]].concat();
    let error = rejected(run_in(folder.path(), args), 2);
    assert!(
        error.contains("elbow") && error.contains("bone2"),
        "{error}"
    );
}

#[test]
fn one_method_is_no_comparison() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["render", "--methods", "cor", "-o", "a.png"];
    let error = rejected(run_in(folder.path(), args), 2);
    assert!(error.contains("2 to 9"), "{error}");
}

/// The central figure of P1, P2 and P4: twisted by 180°, LBS collapses, and DQS does not, without naming methods.
#[test]
fn dual_quaternion_techniques_keep_the_volume_of_a_twist() {
    if !has_adapter() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let panels = "palette-matrix,palette-dq,bone-dq,p0-dq8,palette-dq:blend:0.5,cpu:dqs-sum";
    let args = [
        "builtin:cylinder",
        "--clip",
        "twist",
        "--time",
        "1",
        "--size",
        "960x640",
        "--compare",
        panels,
        "-o",
        "a.png",
    ];
    let report = report(folder.path(), args);
    let methods = of_panels(&report, "method");
    assert_eq!(
        methods,
        ["lbs", "dqs", "dqs", "dqs", "blend:0.5", "dqs-sum"]
    );
    let authored = of_panels(&report, "as_authored");
    assert_eq!(authored, [true, false, false, false, false, false]);
    let (_, [width, height], rgb) = read_png(&folder.path().join("a.png"));
    let (width, height) = (width as usize, height as usize);
    let narrowed = |panel: usize| {
        let (column, row) = (panel % 3, panel / 3);
        let columns = column * width / 3 + 4..(column + 1) * width / 3 - 4;
        let top = row * height / 2;
        let rows = top + height / 5..top + height * 2 / 5;
        let [widest, narrowest] = widths(&rgb, width, columns, rows);
        narrowest as f64 / widest as f64
    };
    assert!(narrowed(0) < 0.15, "LBS keeps {}", narrowed(0));
    for panel in [1, 2, 3] {
        assert!(
            narrowed(panel) > 0.7,
            "panel {panel} keeps {}",
            narrowed(panel)
        );
    }
    assert!(
        (0.15..0.7).contains(&narrowed(4)),
        "the blend keeps {}",
        narrowed(4)
    );
}

/// P0's switch "metadata texel reads": from tables, and from the first column.
#[test]
fn metadata_is_read_from_tables_or_from_the_first_column() {
    if !has_adapter() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let panels = "p0-matrix8,p0-dq8,p0-vertex8,bone-qt";
    let errors = ["tables", "column"].map(|source| {
        let args = [
            "builtin:cylinder",
            "--size",
            "320x200",
            "--compare",
            panels,
            "--metadata-reads",
            source,
            "-o",
            "a.png",
        ];
        let report = report(folder.path(), args);
        let errors = of_panels(&report, "max_error_mm");
        let errors = errors.iter().map(|error| error.as_f64().unwrap());
        errors.collect::<Vec<_>>()
    });
    let [tables, column] = errors;
    for (tables, column) in tables.iter().zip(&column) {
        // Both shaders apply the same ranges, in another order.
        assert!((tables - column).abs() < 0.01, "{tables} {column}");
    }
    let args = [
        "render",
        "--technique",
        "bone-local",
        "--metadata-reads",
        "column",
        "-o",
        "b.png",
    ];
    let printed = rejected(run_in(folder.path(), args), 1);
    assert!(printed.contains("--metadata column"), "{printed}");
}

#[test]
fn sets_on_disk_are_compared_with_techniques() {
    if !has_adapter() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for (encoding, name) in [("bone-qt", "qt"), ("vertex", "vertices")] {
        let bake = [
            "bake",
            "builtin:bar:200",
            "--encoding",
            encoding,
            "--precision",
            "unorm16",
            "-o",
            name,
        ];
        run_in(folder.path(), bake).ok();
    }
    let small = ["--size", "320x200", "-o", "a.png"];
    let panels = ["builtin:bar:200", "--compare", "cpu,qt,qt:dqs,vertices"];
    let of_file = report(folder.path(), panels.into_iter().chain(small));
    assert_eq!(of_panels(&of_file, "method"), ["lbs", "lbs", "dqs", "lbs"]);
    assert_eq!(of_panels(&of_file, "title")[1], "qt: bone-qt unorm16");
    // A set finds its source, and is compared with techniques of it.
    let panels = ["qt", "--compare", "qt,bone-qt:dqs,palette-matrix"];
    let of_set = report(folder.path(), panels.into_iter().chain(small));
    for report in [&of_file, &of_set] {
        for error in of_panels(report, "max_error_mm") {
            assert!(error.as_f64().unwrap() < 5.0, "{report}");
        }
    }
    let refused = ["render", "builtin:bar:200", "--compare", "vertices:dqs,cpu"];
    let printed = rejected(run_in(folder.path(), refused.into_iter().chain(small)), 2);
    assert!(
        printed.contains("skinned by as-authored") && printed.contains("bake it again"),
        "{printed}"
    );
    let refused = ["render", "builtin:humanoid", "--compare", "qt,cpu"];
    let printed = rejected(run_in(folder.path(), refused.into_iter().chain(small)), 2);
    assert!(printed.contains("has no clip 'walk'"), "{printed}");
    let refused = ["render", "--compare", "nothing,cpu", "-o", "b.png"];
    let printed = rejected(run_in(folder.path(), refused), 2);
    assert!(
        printed.contains("neither a technique nor a texture set"),
        "{printed}"
    );
}

/// The file is skinned by dual quaternions, P3's shader by matrices.
#[test]
fn methods_that_ran_are_reported() {
    if !has_adapter() {
        return;
    }
    let Some(file) =
        shared_assets().map(|assets| assets.join("fbx/ufbx/maya_dual_quaternion_7500_ascii.fbx"))
    else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let file = file.to_str().unwrap();
    let small = ["--rotate", "1=0,0,90", "--size", "320x200", "-o", "a.png"];
    let panels = ["--compare", "cpu,p3-virtual-bones,palette-dq:blend:0.2"];
    let factor = ["--factor", "0.9"];
    let args = [file].into_iter().chain(small).chain(panels).chain(factor);
    let compared = report(folder.path(), args);
    assert_eq!(of_panels(&compared, "method"), ["dqs", "lbs", "blend:0.9"]);
    for error in of_panels(&compared, "max_error_mm") {
        assert!(error.as_f64().unwrap() < 0.01, "{compared}");
    }
    let alone = report(folder.path(), [file].into_iter().chain(small));
    assert_eq!(of_panels(&alone, "technique"), ["palette-dq"]);
    assert_eq!(of_panels(&alone, "as_authored"), [true]);
    // Straight lines to a pose end where the method of each panel puts it.
    let straight = [
        "--keyframe",
        "1:positions",
        "--compare",
        "palette-dq:lbs,palette-dq:dqs",
    ];
    let lines = [file].into_iter().chain(small).chain(straight);
    let lines = report(folder.path(), lines);
    for error in of_panels(&lines, "max_error_mm") {
        assert!(error.as_f64().unwrap() < 0.01, "{lines}");
    }
    let (_, [width, height], rgb) = read_png(&folder.path().join("a.png"));
    let row = |y: usize| &rgb[3 * y * width as usize..][..3 * width as usize];
    let half = 3 * (width as usize - 4) / 2;
    let differs = |y: usize| row(y)[..half] != row(y)[row(y).len() - half..];
    // Below the captions.
    assert!((60..height as usize).any(differs));
}

#[test]
fn automatic_technique_draws_scale_with_dual_quaternions() {
    if !has_adapter() {
        return;
    }
    let Some(file) = shared_assets().map(|assets| assets.join("gltf/godot/mannequiny.glb")) else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let args = [
        "render",
        file.to_str().unwrap(),
        "--instances",
        "2",
        "--method",
        "dqs",
        "--size",
        "64x48",
        "-o",
        "a.png",
    ];
    let run = run_in(folder.path(), args);
    assert!(run.stderr.contains("using vertex"), "{run:?}");
    assert!(run.ok().contains("vertex unorm16, skinning dqs"));
}
