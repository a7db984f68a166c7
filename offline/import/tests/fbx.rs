//! FBX import: skinning methods, curves, layers, takes, units, and malformed files.

use std::path::Path;

use throng_import::{
    ErrorKind, Import, ImportOptions, SourceFormat, Warning, import_bytes, import_file,
};
use throng_rig::{AuthoredMethod, CharacterPose, JointKind, Method, Skinning};
use throng_skin::reference::{Skinned, skin_part};
use throng_testkit::{files_below, shared_assets};

fn import(path: &Path) -> Import {
    import_file(path, &ImportOptions::default()).unwrap_or_else(|error| panic!("{error}"))
}

/// Skins every part in the rest pose and in the middle of each clip, and asserts that all of it is finite.
fn assert_finite(import: &Import, what: &str) {
    let character = &import.character;
    let mut pose = CharacterPose::rest(character);
    let mut skinned = Skinned::default();
    let mut check = |pose: &CharacterPose| {
        for part in character.parts() {
            skin_part(character, part, pose, Skinning::AsAuthored, &mut skinned);
            assert!(skinned.positions.iter().all(|p| p.is_finite()), "{what}");
            assert!(skinned.normals.iter().all(|n| n.is_normalized()), "{what}");
        }
    };
    check(&pose);
    for clip in character.clips() {
        pose.sample(character, clip, 0.5 * (clip.start_secs() + clip.end_secs()));
        check(&pose);
    }
}

/// Returns the text of an ASCII file with dual quaternion skinning.
fn dual_quaternion_text() -> Option<String> {
    let path = shared_assets()?.join("fbx/ufbx/maya_dual_quaternion_7500_ascii.fbx");
    Some(std::fs::read_to_string(path).unwrap())
}

fn import_text(text: &str) -> Import {
    import_bytes("test.fbx", text.as_bytes(), None, &ImportOptions::default())
        .unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn reads_every_skinning_method() {
    let Some(text) = dual_quaternion_text() else {
        return;
    };
    for (name, expected) in [
        ("DualQuaternion", AuthoredMethod::DualQuaternion),
        ("Linear", AuthoredMethod::Linear),
        ("Rigid", AuthoredMethod::Rigid),
    ] {
        let changed = text.replace("\"DualQuaternion\"", &format!("\"{name}\""));
        let import = import_text(&changed);
        assert_eq!(import.format, SourceFormat::Fbx);
        assert_eq!(import.character.meshes()[0].authored_method, expected);
    }
}

#[test]
fn blended_skins_have_a_deform_factor_per_vertex() {
    let Some(text) = dual_quaternion_text() else {
        return;
    };
    // Only control points 0 and 9 have a factor; the others are linear.
    let blended = text.replace(
        "SkinningType: \"DualQuaternion\"",
        "SkinningType: \"Blend\"\n\t\tIndexes: *2 {\n\t\t\ta: 0,9\n\t\t}\n\t\tBlendWeights: *2 {\n\t\t\ta: 1,0.25\n\t\t}",
    );
    let import = import_text(&blended);
    let character = &import.character;
    let (part, mesh) = (&character.parts()[0], &character.meshes()[0]);
    assert_eq!(mesh.authored_method, AuthoredMethod::Blended);
    let points = &mesh.control_points().unwrap().of_vertex;
    let pose = CharacterPose::rest(character);
    let [mut authored, mut lbs, mut dqs] = [(); 3].map(|()| Skinned::default());
    skin_part(character, part, &pose, Skinning::AsAuthored, &mut authored);
    skin_part(character, part, &pose, Method::Lbs, &mut lbs);
    skin_part(character, part, &pose, Method::Dqs, &mut dqs);
    let mut methods_differ = false;
    for (vertex, point) in points.iter().enumerate() {
        let factor = match point {
            0 => 1.0,
            9 => 0.25,
            _ => 0.0,
        };
        assert_eq!(
            Skinning::AsAuthored.method_of(mesh, vertex),
            Method::Blend(factor)
        );
        let expected = lbs.positions[vertex].lerp(dqs.positions[vertex], factor);
        assert!(authored.positions[vertex].distance(expected) < 1e-12);
        let difference = lbs.positions[vertex].distance(dqs.positions[vertex]);
        methods_differ |= factor > 0.0 && difference > 1e-6;
    }
    assert!(methods_differ, "LBS and DQS differ in this pose");
}

#[test]
fn samples_step_linear_and_spline_curves() {
    let Some(assets) = shared_assets() else {
        return;
    };
    let import = import(&assets.join("fbx/ufbx/maya_anim_interpolation_7700_binary.fbx"));
    let clip = &import.character.clips()[0];
    let translation = clip.joints()[0].translation.as_ref().unwrap();
    // A step becomes two keys 0.1 µs apart.
    let jumps = translation
        .times()
        .windows(2)
        .filter(|w| w[1] - w[0] < 1e-6)
        .count();
    assert!(jumps >= 1, "{:?}", translation.times());
    assert!(
        clip.finest_spacing_secs().unwrap() > 0.01,
        "the keys of the file, not samples"
    );
}

#[test]
fn imports_layers_takes_and_units() {
    let Some(assets) = shared_assets() else {
        return;
    };
    let layers = import(&assets.join("fbx/ufbx/maya_anim_layers_7500_binary.fbx"));
    assert_finite(&layers, "layers");
    assert!(layers.character.clips()[0].track_count() > 0);

    let takes = import(&assets.join("fbx/ufbx/maya_game_sausage_7500_binary_combined.fbx"));
    let spans: Vec<_> = takes
        .character
        .clips()
        .iter()
        .map(|clip| {
            (
                clip.name.as_str(),
                (24.0 * clip.start_secs()).round(),
                (24.0 * clip.end_secs()).round(),
            )
        })
        .collect();
    assert_eq!(
        spans,
        [
            ("wiggle", 1.0, 20.0),
            ("spin", 20.0, 40.0),
            ("deform", 40.0, 60.0)
        ]
    );

    // The file is in centimetres.
    let person = import(&assets.join("fbx/ozz/arnaud.fbx"));
    let size = throng_skin::rest_size(&person.character);
    assert!((1.7..2.0).contains(&size), "{size} m");
}

#[test]
fn file_without_a_mesh_gives_a_skeleton() {
    let Some(assets) = shared_assets() else {
        return;
    };
    let import = import(&assets.join("fbx/ozz/walk.fbx"));
    let skeleton = import.character.skeleton();
    assert!(import.character.parts().is_empty());
    let bones = skeleton
        .joints()
        .iter()
        .filter(|j| j.kind == JointKind::Bone);
    assert!(bones.count() > 50);
    assert!(import.character.clips()[0].track_count() > 50);
}

/// Expected outcome of importing a malformed file.
enum Outcome {
    Error(ErrorKind),
    /// Loads without a specific warning: `ufbx` finds the data elsewhere in the file.
    Loads,
    /// Loads with a warning that this accepts.
    Warns(fn(&Warning) -> bool),
}

const MALFORMED: [(&str, Outcome); 17] = [
    ("40_truncated_half", Outcome::Error(ErrorKind::Container)),
    ("41_bad_magic", Outcome::Error(ErrorKind::Container)),
    ("42_record_end_past_eof", Outcome::Loads),
    ("43_record_end_self", Outcome::Error(ErrorKind::Container)),
    ("44_array_count_huge", Outcome::Error(ErrorKind::Limit)),
    (
        "45_unsupported_version",
        Outcome::Warns(|w| matches!(w, Warning::ContainerRepaired { .. })),
    ),
    (
        "46_cluster_index_out_of_range",
        Outcome::Warns(|w| matches!(w, Warning::WeightsWithoutVertex { weights: 1, .. })),
    ),
    (
        "47_cluster_nan_negative_weight",
        Outcome::Warns(|w| matches!(w, Warning::WeightsInvalid { vertices: 2, .. })),
    ),
    ("48_cluster_zero_transformlink", Outcome::Loads),
    (
        "synthetic_node_cycle_fail_7700_ascii",
        Outcome::Error(ErrorKind::Container),
    ),
    (
        "synthetic_node_depth_fail_7400_binary",
        Outcome::Error(ErrorKind::Container),
    ),
    (
        "synthetic_bad_inf_nan_fail_7500_ascii",
        Outcome::Error(ErrorKind::Container),
    ),
    (
        "synthetic_truncated_quot_fail_7500_ascii",
        Outcome::Error(ErrorKind::Container),
    ),
    ("fuzz_0000", Outcome::Error(ErrorKind::Container)),
    ("fuzz_0100", Outcome::Error(ErrorKind::Container)),
    ("fuzz_0250", Outcome::Error(ErrorKind::Container)),
    ("fuzz_0400", Outcome::Loads),
];

#[test]
fn malformed_files_give_the_expected_outcome() {
    let Some(assets) = shared_assets() else {
        return;
    };
    for path in files_below(&assets.join("malformed"), &["fbx"]) {
        let stem = path.file_stem().unwrap().to_str().unwrap();
        let Some((_, expected)) = MALFORMED.iter().find(|(name, _)| *name == stem) else {
            panic!("{stem} is not in the table");
        };
        match (import_file(&path, &ImportOptions::default()), expected) {
            (Err(error), Outcome::Error(kind)) => {
                assert_eq!(error.kind, *kind, "{error}");
                assert!(error.to_string().contains(stem), "{error}");
                assert!(!error.remedy.is_empty(), "{error}");
            }
            (Ok(import), Outcome::Loads) => assert_finite(&import, stem),
            (Ok(import), Outcome::Warns(is_expected)) => {
                assert!(
                    import.warnings.iter().any(is_expected),
                    "{stem}: {:?}",
                    import.warnings
                );
                assert_finite(&import, stem);
            }
            (Ok(_), Outcome::Error(_)) => panic!("{stem} loads"),
            (Err(error), _) => panic!("{error}"),
        }
    }
}

/// Returns the next deterministic pseudo-random number.
fn next(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}

#[test]
fn corrupt_bytes_never_panic() {
    let Some(assets) = shared_assets() else {
        return;
    };
    let mut loaded = 0;
    for name in [
        "maya_game_sausage_7500_ascii_wiggle",
        "maya_dual_quaternion_7500_ascii",
        "blender_293_half_skinned_7400_binary",
        "maya_blend_shape_cube_7700_binary",
        "max7_skin_5000_binary",
    ] {
        let path = assets.join(format!("fbx/ufbx/{name}.fbx"));
        let valid = std::fs::read(path).unwrap();
        for seed in 1..=60_u64 {
            let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let mut bytes = valid.clone();
            for _ in 0..=next(&mut state) % 6 {
                let at = (next(&mut state) % bytes.len() as u64) as usize;
                bytes[at] = next(&mut state) as u8;
            }
            if seed % 10 == 0 {
                bytes.truncate((next(&mut state) % bytes.len() as u64) as usize);
            }
            let what = format!("{name}, seed {seed}");
            if let Ok(import) = import_bytes("x.fbx", &bytes, None, &ImportOptions::default()) {
                assert_finite(&import, &what);
                loaded += 1;
            }
        }
    }
    assert!(
        loaded > 50,
        "only {loaded} files loaded: the mutations are too severe to test much"
    );
}
