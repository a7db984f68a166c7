//! Refusals state the reason and an alternative.

mod common;

use common::*;
use glam::{DAffine3, DQuat, DVec3};
use throng_bake::accuracy::verify;
use throng_bake::search::{Goal, SearchSpace, search};
use throng_bake::{BakeSettings, DEFAULT_ERROR_OF_SIZE, Preset, Rate};
use throng_format::{Encoding, FrameInterpolation, Layout, Metadata, Precision, Storage};
use throng_rig::{Character, Skin};

fn refused(character: &Character, settings: &BakeSettings, words: &[&str]) {
    let message = match try_baked(character, settings) {
        Ok(_) => panic!("not refused: {settings:?}"),
        Err(error) => error.to_string(),
    };
    for word in words {
        assert!(message.contains(word), "'{word}' is not in: {message}");
    }
}

fn key(rotation: DQuat, scale: DVec3) -> (DVec3, DQuat, DVec3) {
    (DVec3::Y * 0.5, rotation, scale)
}

fn rigid() -> Vec<(DVec3, DQuat, DVec3)> {
    vec![
        key(DQuat::IDENTITY, DVec3::ONE),
        key(DQuat::from_rotation_x(0.5), DVec3::ONE),
    ]
}

#[test]
fn refusal_names_joint_clip_and_alternative() {
    let grows = vec![
        key(DQuat::IDENTITY, DVec3::ONE),
        key(DQuat::IDENTITY, DVec3::splat(1.5)),
    ];
    let growing = chain(&[
        vec![rigid(), rigid(), rigid()],
        vec![rigid(), rigid(), grows],
    ]);
    for encoding in [Encoding::BoneDq, Encoding::VirtualBones] {
        refused(
            &growing,
            &settings_of(encoding, Precision::F32),
            &[
                "'joint2'",
                "'clip1'",
                "scales by 1.0000 and then by",
                "bone-qt",
                encoding.name(),
            ],
        );
    }
    baked(&growing, &settings_of(Encoding::BoneQt, Precision::Unorm16));
    // The first clip alone is rigid.
    baked(
        &growing,
        &BakeSettings {
            clips: vec![0],
            ..settings_of(Encoding::BoneDq, Precision::F32)
        },
    );

    let wide = vec![key(DQuat::IDENTITY, DVec3::new(2.0, 1.0, 1.0))];
    let uneven = chain(&[vec![rigid(), rigid(), wide.clone()]]);
    refused(
        &uneven,
        &settings_of(Encoding::BoneDq, Precision::F32),
        &["'joint2'", "along its axes", "bone-qt"],
    );
    baked(&uneven, &settings_of(Encoding::BoneQt, Precision::F32));

    // A joint that rotates under a stretched one is sheared.
    let sheared = chain(&[vec![
        wide,
        vec![key(DQuat::from_rotation_z(0.7), DVec3::ONE)],
        rigid(),
    ]]);
    for encoding in [Encoding::BoneQt, Encoding::BoneDq, Encoding::VirtualBones] {
        let wanted: &[&str] = match encoding {
            Encoding::BoneQt => &["'joint1'", "shears", "bone-matrix"],
            _ => &["'joint0'", "along its axes"],
        };
        refused(&sheared, &settings_of(encoding, Precision::F32), wanted);
    }
    for precision in PRECISIONS {
        baked(&sheared, &settings_of(Encoding::BoneMatrix, precision));
        baked(&sheared, &settings_of(Encoding::Vertex, precision));
    }
}

/// A still pose, with a joint that is rotated under one that is stretched by `stretch`.
fn slightly_sheared(stretch: f64) -> Character {
    let wide = key(DQuat::IDENTITY, DVec3::new(1.0 + stretch, 1.0, 1.0));
    let turned = key(DQuat::from_rotation_z(0.7), DVec3::ONE);
    let still = key(DQuat::IDENTITY, DVec3::ONE);
    chain(&[vec![vec![wide; 2], vec![turned; 2], vec![still; 2]]])
}

#[test]
fn shear_that_moves_no_vertex_visibly_is_left_out() {
    // The chain is 1.2 m high, and its joints move vertices up to 0.55 m away, times their weight: a fifth of the
    // default maximum error, 0.067 mm, is a shear of 1.2e-4. Rounding is 5e-5.
    let slight = slightly_sheared(1e-4);
    let visible = slightly_sheared(5e-3);
    for encoding in [Encoding::BoneQt, Encoding::BoneDq, Encoding::VirtualBones] {
        let settings = BakeSettings {
            skinning: throng_rig::Method::Lbs.into(),
            ..settings_of(encoding, Precision::F32)
        };
        let set = baked(&slight, &settings);
        let report = verify(&set, &slight, &()).unwrap();
        let error = report.error.errors.overall.max_error_of_size;
        assert!(
            error <= 2.0 * DEFAULT_ERROR_OF_SIZE / 5.0,
            "{encoding}: {error}"
        );
        // The shear is left out, so that it must be seen in the measured error.
        assert!(error > 1e-6, "{encoding}: {error}");
        let wanted: &[&str] = match encoding {
            Encoding::BoneQt => &["shears", "bone-matrix"],
            _ => &["along its axes"],
        };
        refused(&visible, &settings, wanted);
    }
}

#[test]
fn constant_mirroring_is_a_negative_scale() {
    let mirrored = vec![key(DQuat::from_rotation_x(0.5), DVec3::NEG_ONE)];
    let mirrors = chain(&[vec![mirrored, rigid(), rigid()]]);
    for encoding in [
        Encoding::BoneDq,
        Encoding::BoneQt,
        Encoding::VirtualBones,
        Encoding::BoneMatrix,
    ] {
        let set = baked(&mirrors, &settings_of(encoding, Precision::F32));
        let Layout::Bones(layout) = &set.manifest().layout else {
            panic!()
        };
        assert!(
            layout
                .bones
                .iter()
                .all(|bone| bone.scale == -1.0 && !bone.has_scale)
        );
        let reference = reference_pose(&mirrors, 0, 0.5);
        let pose = decoded_bones(&set, 0, 0.5);
        for joint in 0..3 {
            let (a, b) = (
                pose.model_from_joint[joint],
                reference.model.model_from_joint[joint],
            );
            assert!(a.abs_diff_eq(b, 2e-3), "{encoding}: {a:?} {b:?}");
        }
    }
    let rotates = vec![
        key(DQuat::IDENTITY, DVec3::ONE),
        key(DQuat::IDENTITY, DVec3::NEG_ONE),
    ];
    let mirrors = chain(&[vec![rotates, rigid(), rigid()]]);
    refused(
        &mirrors,
        &settings_of(Encoding::BoneDq, Precision::F32),
        &["'joint0'", "bone-qt"],
    );
}

#[test]
fn contradictory_settings_are_refused() {
    let character = chain(&[vec![rigid(), rigid(), rigid()]]);
    let interpolated = |encoding, interpolation| BakeSettings {
        interpolation: Some(interpolation),
        ..settings_of(encoding, Precision::F32)
    };
    refused(
        &character,
        &interpolated(Encoding::Vertex, FrameInterpolation::Slerp),
        &["vertex", "slerp", "linear"],
    );
    refused(
        &character,
        &interpolated(Encoding::BoneMatrix, FrameInterpolation::Nlerp),
        &["linear, slerp or slerp-vertices"],
    );
    refused(
        &character,
        &interpolated(Encoding::BoneDq, FrameInterpolation::Slerp),
        &["nlerp"],
    );
    refused(
        &character,
        &interpolated(Encoding::BoneQt, FrameInterpolation::Linear),
        &["nlerp or slerp"],
    );
    for encoding in [
        Encoding::Vertex,
        Encoding::VertexRay,
        Encoding::BoneDq,
        Encoding::BoneQt,
    ] {
        let words = [
            encoding.name(),
            "does not support slerp-vertices interpolation",
        ];
        refused(
            &character,
            &interpolated(encoding, FrameInterpolation::SlerpVertices),
            &words,
        );
    }
    let compressed = BakeSettings {
        interpolation: Some(FrameInterpolation::SlerpVertices),
        ..settings_of(Encoding::BoneLocal, Storage::Compressed)
    };
    refused(&character, &compressed, &["linear, nlerp or slerp"]);
    refused(
        &character,
        &settings_of(Encoding::BoneQt, Storage::Compressed),
        &["compressed", "expected frames"],
    );
    refused(
        &character,
        &settings_of(Encoding::BoneLocal, Precision::F32),
        &["bone-local", "expected compressed"],
    );
    for rate in [5.9, 121.0, f64::NAN, -1.0] {
        let settings = BakeSettings {
            rate: Rate::Hz(rate),
            ..BakeSettings::default()
        };
        refused(&character, &settings, &["6 to 120"]);
    }
    let settings = BakeSettings {
        clips: vec![1],
        ..BakeSettings::default()
    };
    refused(&character, &settings, &["clip index 1", "has 1"]);
    let settings = BakeSettings {
        max_side: 0,
        ..BakeSettings::default()
    };
    refused(&character, &settings, &["sides of 0 texels"]);
    let settings = BakeSettings {
        metadata: Metadata::P0Column,
        ..BakeSettings::default()
    };
    refused(&character, &settings, &["p0-column", "presets"]);
    let mut parts = character.into_parts();
    parts.clips.clear();
    refused(
        &Character::new(parts).unwrap(),
        &BakeSettings::default(),
        &["no clip"],
    );
}

#[test]
fn presets_that_do_not_fit_name_an_alternative() {
    let preset = |preset| BakeSettings {
        preset: Some(preset),
        clips: vec![0],
        ..BakeSettings::default()
    };
    let person = builtin("humanoid:5000");
    refused(
        &person,
        &preset(Preset::P0Vertex8),
        &[
            "p0-vertex8",
            "unique positions",
            "2048",
            "--max-side to 4096",
            "--encoding vertex",
        ],
    );
    let long = vec![(DVec3::X, DQuat::IDENTITY, DVec3::ONE); 40];
    let long = chain(&[vec![long, rigid(), rigid()]]);
    refused(
        &long,
        &BakeSettings {
            rate: Rate::Hz(120.0),
            ..preset(Preset::P0Dq8)
        },
        &["p0-dq8", "4681 frames", "--max-side to 8192", "--rate"],
    );
    refused(
        &morphing(),
        &preset(Preset::P0Matrix8),
        &["morph weights", "p0-vertex8", "bone-matrix"],
    );
    let graph = builtin("graph:300");
    refused(
        &graph,
        &preset(Preset::P3VirtualBones),
        &["300 joints", "at most 256"],
    );
    let many = {
        let mut parts = chain(&[vec![rigid(); 6]]).into_parts();
        let vertices = parts.meshes[0].vertex_count();
        let five =
            throng_rig::Influences::new((0..vertices).map(|_| (0..5).map(|j| (j, 0.2)))).unwrap();
        parts.meshes[0].set_influences(five).unwrap();
        Character::new(parts).unwrap()
    };
    refused(
        &many,
        &preset(Preset::P3VirtualBones),
        &["--max-influences 4"],
    );
    let dual = BakeSettings {
        skinning: throng_rig::Method::Dqs.into(),
        ..preset(Preset::P3VirtualBones)
    };
    refused(&person, &dual, &["lbs", "dqs", "leave --method out"]);
    let far = vec![(DVec3::X * 1e24, DQuat::IDENTITY, DVec3::ONE)];
    let far = chain(&[vec![far, rigid(), rigid()]]);
    refused(
        &far,
        &preset(Preset::P0Matrix8),
        &["'joint", "1.0e24", "--clips"],
    );
}

/// The scale of an inverse bind matrix belongs to the mesh where all joints of a skin have it.
#[test]
fn dual_quaternions_of_p0_need_rigid_inverse_binds() {
    let dual = BakeSettings {
        preset: Some(Preset::P0Dq8),
        ..BakeSettings::default()
    };
    let scaled = |factors: [f64; 3]| {
        let mut parts = chain(&[vec![rigid(); 3]]).into_parts();
        let skin = &parts.skins[0];
        let binds = skin.joint_from_bind().iter().zip(factors);
        let binds = binds.map(|(bind, factor)| DAffine3::from_scale(DVec3::splat(factor)) * *bind);
        let (joints, binds) = (skin.joints().to_vec(), binds.collect());
        parts.skins[0] = Skin::new("skin".into(), &parts.skeleton, joints, binds).unwrap();
        Character::new(parts).unwrap()
    };
    baked(&scaled([2.0; 3]), &dual);
    refused(
        &scaled([2.0, 1.0, 1.0]),
        &dual,
        &["'joint1'", "scale otherwise", "p0-matrix8"],
    );
}

#[test]
fn overflow_of_half_floats_is_refused() {
    let far = vec![(DVec3::X * 1e5, DQuat::IDENTITY, DVec3::ONE)];
    let far = chain(&[vec![far, rigid(), rigid()]]);
    for encoding in [Encoding::Vertex, Encoding::BoneQt] {
        refused(
            &far,
            &settings_of(encoding, Precision::F16),
            &["f16", "unorm16 or f32"],
        );
        baked(&far, &settings_of(encoding, Precision::Unorm16));
    }
}

#[test]
fn motion_too_far_for_float32_is_refused_before_a_search() {
    let at = |y: f64| (DVec3::Y * y, DQuat::IDENTITY, DVec3::ONE);
    let far =
        |distance: f64| chain(&[vec![vec![at(0.5), at(distance), at(0.5)], rigid(), rigid()]]);
    let searched = |distance: f64| {
        let goal = Goal::MaxError { of_size: 0.000_28 };
        let settings = BakeSettings::default();
        search(
            &far(distance),
            &settings,
            &SearchSpace::default(),
            goal,
            source(),
            &(),
        )
    };
    for distance in [1e6, 1e15, 1e30] {
        let start = std::time::Instant::now();
        let message = searched(distance).unwrap_err().to_string();
        assert!(message.contains("clip 'clip0' moves a vertex"), "{message}");
        assert!(message.contains("--max-error"), "{message}");
        assert!(start.elapsed().as_secs() < 2, "{:?}", start.elapsed());
    }
    searched(100.0).unwrap();
}
