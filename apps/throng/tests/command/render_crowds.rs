//! `throng render` of crowds: arrangements, clips, fades, fractions, placements.

use std::path::Path;

use serde_json::{Value, json};
use throng_testkit::shared_assets;

use crate::render::{read_png, rejected};
use crate::run::{has_adapter, run_in};

/// Draws a small picture of a small character.
fn draw(folder: &Path, args: &[&str]) -> (Value, Vec<u8>) {
    let common = [
        "render",
        "builtin:humanoid:1000",
        "--size",
        "160x90",
        "-o",
        "a.png",
        "--json",
    ];
    let args = common.iter().chain(args);
    let report = serde_json::from_str(&run_in(folder, args).ok()).unwrap();
    (report, read_png(&folder.join("a.png")).2)
}

#[test]
fn the_same_seed_draws_the_same_crowd() {
    if !has_adapter() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let mut pictures = Vec::new();
    for arrangement in ["grid", "scatter", "ring", "disc", "street", "stadium"] {
        let crowd = [
            "--instances",
            "12",
            "--clips",
            "walk,run",
            "--arrangement",
            arrangement,
        ];
        let (report, picture) = draw(folder.path(), &crowd);
        assert_eq!(report["clips"], json!(["walk", "run"]));
        assert_eq!(report["instances"], 12);
        pictures.push(picture);
    }
    let crowd = ["--instances", "12", "--clips", "walk,run"];
    let seeded = |seed| draw(folder.path(), &[&crowd[..], &["--seed", seed]].concat()).1;
    assert!(seeded("0") == pictures[1]);
    assert!(seeded("7") == seeded("7"));
    pictures.push(seeded("7"));
    let far = draw(folder.path(), &[&crowd[..], &["--spacing", "4"]].concat()).1;
    pictures.push(far);
    let slow = draw(
        folder.path(),
        &[&crowd[..], &["--speed", "0.5", "--time", "1"]].concat(),
    )
    .1;
    pictures.push(slow);
    let red = draw(
        folder.path(),
        &[&crowd[..], &["--tint", "#ff0000"]].concat(),
    )
    .1;
    pictures.push(red);
    for (index, picture) in pictures.iter().enumerate() {
        assert!(!pictures[..index].contains(picture), "picture {index}");
    }
}

#[test]
fn a_crowd_plays_all_clips_of_its_file() {
    if !has_adapter() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (report, _) = draw(folder.path(), &["--instances", "3"]);
    assert_eq!(report["clips"].as_array().unwrap().len(), 5);
    assert_eq!(report["panels"][0]["technique"], "bone-qt");
}

#[test]
fn cameras_of_formations_imply_the_arrangement() {
    if !has_adapter() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for name in ["street", "stadium"] {
        let crowd = ["--instances", "30", "--camera", name];
        let implied = draw(folder.path(), &crowd).1;
        let named = [&crowd[..], &["--arrangement", name]].concat();
        assert!(implied == draw(folder.path(), &named).1, "{name}");
        let other = [&crowd[..], &["--arrangement", "grid"]].concat();
        assert!(implied != draw(folder.path(), &other).1, "{name}");
        let evening = [&crowd[..], &["--light", "evening"]].concat();
        assert!(implied != draw(folder.path(), &evening).1, "{name}");
    }
    let args = ["render", "-o", "b.png", "--camera", "high"];
    let printed = rejected(run_in(folder.path(), args), 2);
    assert!(printed.contains("--instances"), "{printed}");
}

/// A crowd from a set on disk is dressed as that of its character.
#[test]
fn outfits_vary_by_the_seed_also_from_a_set_on_disk() {
    if !has_adapter() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let bake = "bake builtin:humanoid:1000 --encoding bone-qt -o set.throng".split(' ');
    run_in(folder.path(), bake).ok();
    let draw = |more: &[&str]| {
        let crowd = "render set.throng --instances 12 --size 160x90 -o a.png";
        run_in(folder.path(), crowd.split(' ').chain(more.iter().copied())).ok();
        read_png(&folder.path().join("a.png")).2
    };
    let varied = draw(&[]);
    assert!(draw(&["--outfits", "varied", "--tint", "none"]) == varied);
    let one = draw(&["--outfits", "one", "--tint", "none"]);
    // Clothes cover more of the picture than a tint changes.
    let (clothes, tints) = (
        difference(&one, &varied),
        difference(&one, &draw(&["--outfits", "one"])),
    );
    assert!(clothes > tints && tints > 0.1, "{clothes} {tints}");
    // The same people in other clothes; --seed also moves them.
    assert!(draw(&["--seed", "5"]) != varied);
    assert!(draw(&["--seed", "0"]) == varied);
}

/// The file has a T-pose among 76 clips, and poses of single frames.
#[test]
fn clips_that_hold_a_pose_are_left_out_of_a_crowd() {
    if !has_adapter() {
        return;
    }
    let Some(knight) = shared_assets().map(|assets| assets.join("gltf/kaykit/Knight.glb")) else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let clips = |more: &[&str]| {
        let knight = knight.to_str().unwrap();
        let args = ["render", knight, "-o", "a.png", "--json", "--size", "64x64"];
        let args = args.iter().chain(&["--instances", "3"]).chain(more);
        let report: Value = serde_json::from_str(&run_in(folder.path(), args).ok()).unwrap();
        let clips = report["clips"].as_array().unwrap().iter();
        let names = clips.map(|clip| clip.as_str().unwrap().to_owned());
        names.collect::<Vec<_>>()
    };
    let all = clips(&[]);
    assert!(
        all.len() > 60 && !all.iter().any(|name| name == "T-Pose"),
        "{all:?}"
    );
    assert_eq!(clips(&["--clips", "T-Pose"]), ["T-Pose"]);
}

#[test]
fn fades_and_fractions_match_the_reference() {
    if !has_adapter() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let walk = draw(folder.path(), &["--clip", "walk", "--offset", "0.25"]).1;
    let faded = |fade| {
        let walk = ["--clip", "walk", "--offset", "0.25", "--fade", fade];
        draw(folder.path(), &walk).1
    };
    assert!(faded("run:0") == walk);
    assert!(faded("run:0.5") != walk);
    assert!(faded("run") == faded("run:0.5"));
    // The float64 blend of local poses, or the straight line between bind pose and pose.
    for more in [
        &["--fade", "run:0.4"][..],
        &["--fade", "run:1"],
        &["--fraction", "0.3"],
    ] {
        let compare = [
            "--clip",
            "walk",
            "--compare",
            "cpu,palette-dq:lbs,bone-local:lbs,vertex:lbs",
        ];
        let (report, _) = draw(folder.path(), &[&compare[..], more].concat());
        let panels = report["panels"].as_array().unwrap();
        let error = |panel: usize| panels[panel]["max_error_mm"].as_f64().unwrap();
        assert!(error(0) < 0.01 && error(1) < 0.01, "{more:?}: {report}");
        assert!(error(2) < 1.0, "{more:?}: {report}");
        if more[0] == "--fraction" {
            assert!(error(3) < 1.0, "{report}");
        }
    }
}

#[test]
fn placements_put_instances_where_the_file_says() {
    if !has_adapter() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let rows = "x,z,heading,scale,clip,offset,speed,tint,fade_clip,fade_weight\n\
                -1,0,90,1.2,walk,0.5,1,#ffffff,,\n\
                1,0.5,-90,0.8,idle,0,1,#ff8000,run,0.5\n";
    std::fs::write(folder.path().join("crowd.csv"), rows).unwrap();
    let objects = json!([
        { "x": -1, "z": 0, "heading": 90, "scale": 1.2, "clip": "walk", "offset": 0.5, "speed": 1, "tint": "#ffffff" },
        { "x": 1, "z": 0.5, "heading": -90, "scale": 0.8, "clip": "idle", "offset": 0, "speed": 1, "tint": "#ff8000",
          "fade_clip": "run", "fade_weight": 0.5 },
    ]);
    std::fs::write(folder.path().join("crowd.json"), objects.to_string()).unwrap();
    let (report, of_csv) = draw(folder.path(), &["--placements", "crowd.csv"]);
    assert_eq!(report["instances"], 2);
    let of_json = draw(folder.path(), &["--placements", "crowd.json"]).1;
    assert!(of_json == of_csv);
    std::fs::write(folder.path().join("bad.csv"), "x,clip\n0,walk\n1,fly\n").unwrap();
    let args = ["render", "-o", "b.png", "--placements", "bad.csv"];
    let printed = rejected(run_in(folder.path(), args), 2);
    assert!(
        printed.contains("instance 1") && printed.contains("fly"),
        "{printed}"
    );
    let args = ["render", "-o", "b.png", "--placements", "none.csv"];
    let printed = rejected(run_in(folder.path(), args), 3);
    assert!(printed.contains("none.csv"), "{printed}");
}

/// P4's comparison: half way to a pose, vertices are elsewhere by angles than by positions.
#[test]
fn poses_set_by_hand_are_reached_by_angles_and_by_positions() {
    if !has_adapter() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let turned = |more: &[&str]| {
        let args = [
            "render",
            "builtin:cylinder",
            "--rotate",
            "2=0,0,120",
            "--size",
            "160x90",
            "-o",
            "a.png",
            "--json",
        ];
        let printed = run_in(folder.path(), args.iter().chain(more)).ok();
        let report: Value = serde_json::from_str(&printed).unwrap();
        assert_eq!(report["clips"], json!(["pose"]));
        (report, read_png(&folder.path().join("a.png")).2)
    };
    for more in [
        &[][..],
        &["--fraction", "0.5"],
        &["--fraction", "0.5", "--fraction-by", "angles"],
        &["--keyframe", "0.5:positions"],
    ] {
        let compare = ["--compare", "cpu,palette-matrix,bone-local"];
        let (report, _) = turned(&[&compare[..], more].concat());
        for (panel, limit_mm) in [(0, 0.01), (1, 0.01), (2, 1.0)] {
            let error = &report["panels"][panel]["max_error_mm"];
            assert!(error.as_f64().unwrap() < limit_mm, "{more:?}: {report}");
        }
    }
    let crowd = [
        "--instances",
        "5",
        "--arrangement",
        "grid",
        "--fraction",
        "0..1",
    ];
    let by = |by| turned(&[&crowd[..], &["--fraction-by", by]].concat()).1;
    let (angles, positions) = (by("angles"), by("positions"));
    assert!(angles != positions);
    let whole = turned(&crowd[..4]).1;
    assert!(whole != angles && whole != positions);
}

/// Mean difference of the channels of two pictures.
fn difference(a: &[u8], b: &[u8]) -> f64 {
    assert_eq!(a.len(), b.len());
    let sum: u64 = a
        .iter()
        .zip(b)
        .map(|(a, b)| u64::from(a.abs_diff(*b)))
        .sum();
    sum as f64 / a.len() as f64
}

/// The bind pose of this character is another than its rest pose, in other units.
#[test]
fn fractions_begin_at_the_rest_pose_and_end_at_the_pose() {
    if !has_adapter() {
        return;
    }
    let Some(zombie) = shared_assets().map(|assets| assets.join("fbx/quaternius/Zombie.fbx"))
    else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let draw = |more: &[&str]| {
        let common = [
            "render",
            zombie.to_str().unwrap(),
            "--size",
            "160x90",
            "-o",
            "a.png",
        ];
        run_in(folder.path(), common.iter().chain(more)).ok();
        read_png(&folder.path().join("a.png")).2
    };
    let clip = ["--clip", "Zombie|ZombieWalk", "--time", "0.5"];
    let (rest, pose) = (draw(&["--clip", "none"]), draw(&clip));
    let far = difference(&rest, &pose);
    assert!(far > 2.0, "{far}");
    for by in ["positions", "angles"] {
        for technique in ["palette-matrix", "bone-matrix", "vertex", "cpu"] {
            let at = |fraction| {
                let fraction = ["--fraction", fraction, "--fraction-by", by];
                draw(&[&clip[..], &fraction, &["--technique", technique]].concat())
            };
            // Shadows of another clip have other texels.
            let (first, last) = (difference(&at("0"), &rest), difference(&at("1"), &pose));
            assert!(
                first.max(last) < 0.25 * far,
                "{by} {technique}: {first} {last} of {far}"
            );
        }
    }
}

#[test]
fn speeds_may_be_negative_or_zero() {
    if !has_adapter() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let at = |speed: &str, offset: &str| {
        let crowd = ["--instances", "3", "--clips", "run", "--time", "0.2"];
        draw(
            folder.path(),
            &[&crowd[..], &["--speed", speed, "--offset", offset]].concat(),
        )
        .1
    };
    let standing = at("0", "0.5");
    assert!(standing != at("0", "0"));
    assert!(at("1", "0.5") != at("-1", "0.5"));
    assert!(at("1", "0.5") != standing);
}

#[test]
fn options_without_effect_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    for (args, says) in [
        (&["--spacing", "2"][..], "--spacing is for a crowd"),
        (&["--arrangement", "ring"], "--arrangement is for a crowd"),
        (&["--clips", "walk"], "--clips is for a crowd"),
        (&["--fraction-by", "angles"], "use --fraction, too"),
        (&["--time", "1", "--offset", "0.5"], "leave one out"),
        (
            &["--rotate", "1=0,0,9", "--instances", "2", "--clips", "walk"],
            "leave --clips out",
        ),
    ] {
        let args = ["render", "-o", "a.png"].iter().chain(args);
        let printed = rejected(run_in(folder.path(), args), 2);
        assert!(printed.contains(says), "{printed}");
    }
    if !has_adapter() {
        return;
    }
    for (args, says) in [
        (&["--factor", "0.5"][..], "no panel blends"),
        (
            &["--technique", "p0-dq8", "--precision", "f32"],
            "leave --layout and --precision out",
        ),
        (
            &["--technique", "bone-local", "--decode", "direct"],
            "in a pass only",
        ),
    ] {
        let args = ["render", "builtin:bar:200", "-o", "a.png"]
            .iter()
            .chain(args);
        let printed = rejected(run_in(folder.path(), args), 2);
        assert!(printed.contains(says), "{printed}");
    }
}
