//! Sets of skinning methods that need more than weights.

use super::{WorkFolder, number};
use crate::run::{has_adapter, object, run_in};

/// Maximum error of a report, in millimetres.
fn max_error_mm(json: &str) -> f64 {
    let report = object(json);
    number(&report, "max_error_mm")
}

/// Bakes a set, and asserts that its error is verified and below a limit, which it exceeds without what the method needs.
#[track_caller]
fn verifies_as_baked(args: &[&str], limit_mm: f64) {
    let work = WorkFolder::new();
    let baked = max_error_mm(&work.bake(&[args, &["-o", "set", "--json"]].concat()).ok());
    let verified = max_error_mm(&work.verify(&["set", "--json"]).ok());
    assert!(baked > 0.0 && baked < limit_mm, "{args:?}: {baked} mm");
    assert!(
        (verified - baked).abs() <= 1e-3 * baked,
        "{args:?}: {baked} mm baked, {verified} mm verified"
    );
}

#[test]
fn sets_of_all_methods_verify_as_baked() {
    for (method, encoding) in [
        ("blend:auto", "bone-qt"),
        ("blend:auto", "vertex"),
        ("cor", "bone-qt"),
        ("cor", "vertex"),
        ("dqs-bulge-free", "vertex"),
        ("sclerp", "vertex"),
    ] {
        let args = [
            "builtin:cylinder",
            "--method",
            method,
            "--encoding",
            encoding,
        ];
        verifies_as_baked(&args, 5.0);
    }
}

#[test]
fn sets_with_fewer_influences_verify_as_baked() {
    for method in ["blend:auto", "cor"] {
        let source = [
            "builtin:humanoid:1000",
            "--clips",
            "wave",
            "--method",
            method,
        ];
        let stored = ["--max-influences", "2", "--encoding", "bone-qt"];
        // Vertices have up to four influences.
        verifies_as_baked(&[&source[..], &stored].concat(), 50.0);
    }
}

#[test]
fn bulge_free_skinning_is_baked_as_vertices() {
    let work = WorkFolder::new();
    let args = [
        "builtin:cylinder",
        "--clips",
        "bend",
        "--method",
        "dqs-bulge-free",
    ];
    work.bake(&[&args[..], &["-o", "set"]].concat()).ok();
    let encoding = work.json("set/manifest.json")["encoding"].clone();
    assert!(
        encoding.as_str().unwrap().starts_with("vertex"),
        "{encoding}"
    );
    let bones = ["--encoding", "bone-qt", "-o", "bones"];
    let error = work.bake(&[&args[..], &bones].concat()).failed(1);
    assert!(
        error.contains("use --encoding vertex or vertex-ray"),
        "{error}"
    );
    if has_adapter() {
        let small = ["--size", "64x64", "-o", "a.png"];
        run_in(work.path(), [&["render", "set"], &small[..]].concat()).ok();
        let source = ["render", "builtin:cylinder", "--method", "dqs-bulge-free"];
        for crowd in [&[][..], &["--instances", "3"]] {
            run_in(work.path(), [&source, &small[..], crowd].concat()).ok();
        }
    }
}

/// Factors of the first mesh of a set.
fn blend_factors(work: &WorkFolder, set: &str) -> Vec<f32> {
    let set = throng_format::disk::read(&work.at(set)).unwrap();
    set.model().meshes()[0].blend_factors().to_vec()
}

#[test]
fn blend_factors_are_those_of_the_clips_in_the_set() {
    let work = WorkFolder::new();
    let args = [
        "builtin:cylinder",
        "--method",
        "blend:auto",
        "--encoding",
        "bone-qt",
    ];
    let of_clip = |clip: &str| {
        work.bake(&[&args[..], &["--clips", clip, "-o", clip]].concat())
            .ok();
        blend_factors(&work, clip)
    };
    let mean = |factors: Vec<f32>| factors.iter().sum::<f32>() / factors.len() as f32;
    // A twist needs dual quaternions everywhere, a bend does not.
    let [twist, bend] = ["twist", "bend"].map(|clip| mean(of_clip(clip)));
    assert!(twist > 0.95 && bend < 0.8, "{twist}, {bend}");
}

#[test]
fn motion_of_a_party_verifies_by_all_methods() {
    for method in ["blend:auto", "cor"] {
        let work = WorkFolder::new();
        let share = [
            "--share",
            "--encoding",
            "bone-qt",
            "--method",
            method,
            "-o",
            "party",
        ];
        let bodies = [
            "builtin:humanoid:1000",
            "builtin:humanoid:1500",
            "--clips",
            "wave",
        ];
        work.bake(&[&bodies[..], &share].concat()).ok();
        // The motion set, and the set of each character.
        work.verify(&["party"]).ok();
    }
}

#[test]
fn motion_without_a_mesh_is_baked_by_methods_with_centres() {
    let work = WorkFolder::new();
    let motion = "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nJOINT b\n{\nOFFSET 0 50 0\n\
        CHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site\n{\nOFFSET 0 50 0\n}\n}\n}\nMOTION\nFrames: 2\nFrame Time: 0.5\n\
        0 0 0 0 0 0\n10 0 0 60 0 0\n";
    std::fs::write(work.at("walk.bvh"), motion).unwrap();
    for method in ["cor", "blend:auto"] {
        let args = [
            "walk.bvh",
            "--motion-only",
            "--method",
            method,
            "-o",
            "motion.throng",
        ];
        work.bake(&args).ok();
        work.verify(&["motion.throng"]).ok();
    }
}
