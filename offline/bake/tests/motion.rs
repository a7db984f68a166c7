//! Clips, loops, rates and interpolation between frames.

mod common;

use common::*;
use glam::{DMat3, DQuat, DVec3};
use throng_bake::accuracy::{Playback, Played, SetPlayback, verify};
use throng_bake::{BakeSettings, Preset, Rate};
use throng_format::{Encoding, FrameInterpolation, Layout, MeshStorage, Precision, TextureSet};
use throng_rig::{LoopPolicy, svd};

/// Index of the clip with the most motion.
fn run(character: &throng_rig::Character) -> usize {
    let mut clips = character.clips().iter();
    clips.position(|clip| clip.name.contains("run")).unwrap()
}

fn key(rotation: DQuat) -> (DVec3, DQuat, DVec3) {
    (DVec3::Y * 0.5, rotation, DVec3::ONE)
}

#[test]
fn clips_share_one_atlas_without_overlap() {
    let character = builtin("humanoid:1000");
    let settings = BakeSettings {
        clips: vec![2, 0],
        rate: Rate::Hz(12.0),
        ..BakeSettings::default()
    };
    let set = baked(&character, &settings);
    let manifest = set.manifest();
    assert_eq!(manifest.clips.len(), 2);
    for (entry, clip) in manifest.clips.iter().zip([2, 0]) {
        let source = &character.clips()[clip];
        assert_eq!(entry.name, source.name);
        assert_eq!(entry.start_secs, source.start_secs());
        assert!(
            entry.rate_hz >= 12.0 - 1e-9 && entry.rate_hz < 14.0,
            "{}",
            entry.rate_hz
        );
    }
    assert_eq!(manifest.clips[1].first_frame, manifest.clips[0].frames);
    assert_eq!(set.textures().len(), 1);
    assert!(set.model().clips().is_empty());
    // Each clip's own last frame, not the next clip's first.
    let end = manifest.clips[0].duration_secs;
    let pose = decoded_bones(&set, 0, end + 1.0);
    let reference = reference_pose(&character, 2, end);
    for joint in bone_joints(&set) {
        let off = pose.model_from_joint[joint].translation
            - reference.model.model_from_joint[joint].translation;
        assert!(off.length() < 2e-3, "{off}"); // 0.1 % of size: the clip wraps
    }
}

#[test]
fn clip_does_not_inherit_the_pose_of_the_clip_before() {
    let rotated = DQuat::from_rotation_x(1.0);
    // The second clip moves joint 1 alone: joints 0 and 2 are in their rest pose.
    let first = vec![vec![key(rotated), key(rotated)], vec![], vec![key(rotated)]];
    let second = vec![vec![], vec![key(rotated), key(DQuat::IDENTITY)], vec![]];
    let both = chain(&[first.clone(), second.clone()]);
    for encoding in FRAME_ENCODINGS {
        let settings = settings_of(encoding, Precision::F32);
        let set = baked(&both, &settings);
        let alone = baked(
            &both,
            &BakeSettings {
                clips: vec![1],
                ..settings
            },
        );
        for time in [0.0, 0.4, 1.0] {
            if encoding.is_vertex() {
                // Ellipsoids differ, and with them the last bits.
                let (a, b) = (
                    decoded_vertices(&set, 1, time),
                    decoded_vertices(&alone, 0, time),
                );
                assert!(a.0.iter().zip(&b.0).all(|(a, b)| a.distance(*b) < 1e-6));
            } else {
                let (a, b) = (decoded_bones(&set, 1, time), decoded_bones(&alone, 0, time));
                let reference = reference_pose(&both, 1, 0.0);
                assert_eq!(a.model_from_joint, b.model_from_joint, "{encoding}");
                let root = a.model_from_joint[0];
                assert!(root.abs_diff_eq(reference.model.model_from_joint[0], 1e-6));
            }
        }
    }
}

#[test]
fn loop_is_detected_and_walking_away_is_not_a_loop() {
    let character = builtin("humanoid:1000");
    let set = baked(
        &character,
        &BakeSettings {
            clips: vec![0],
            ..BakeSettings::default()
        },
    );
    let clip = &set.manifest().clips[0];
    assert_eq!(clip.looping, LoopPolicy::Wrap);
    let (first, last) = (
        decoded_bones(&set, 0, 0.0),
        decoded_bones(&set, 0, clip.duration_secs),
    );
    assert_eq!(first.model_from_joint, last.model_from_joint);

    let gone = (DVec3::X, DQuat::IDENTITY, DVec3::ONE);
    let away = chain(&[vec![vec![key(DQuat::IDENTITY), gone], vec![], vec![]]]);
    let set = baked(&away, &BakeSettings::default());
    assert_eq!(set.manifest().clips[0].looping, LoopPolicy::Once);
    let forced = BakeSettings {
        looping: Some(LoopPolicy::Wrap),
        ..BakeSettings::default()
    };
    let set = baked(&away, &forced);
    let (first, last) = (decoded_bones(&set, 0, 0.0), decoded_bones(&set, 0, 1.0));
    assert_eq!(first.model_from_joint, last.model_from_joint);
}

#[test]
fn clip_without_duration_is_one_frame() {
    let still = chain(&[vec![vec![key(DQuat::from_rotation_z(0.5))], vec![], vec![]]]);
    for encoding in FRAME_ENCODINGS {
        let set = baked(&still, &settings_of(encoding, Precision::Unorm16));
        let clip = &set.manifest().clips[0];
        assert_eq!(
            (clip.frames, clip.rate_hz, clip.duration_secs),
            (1, 0.0, 0.0)
        );
        for time in [-1.0, 0.0, 5.0] {
            if encoding.is_vertex() {
                decoded_vertices(&set, 0, time);
            } else {
                decoded_bones(&set, 0, time);
            }
        }
    }
}

/// Returns the smallest singular value of any bone between frames: below one where bones shrink.
fn least_stretch(character: &throng_rig::Character, settings: &BakeSettings) -> f64 {
    let set = baked(character, settings);
    let mut least = f64::INFINITY;
    for step in 0..200 {
        let time = set.manifest().clips[0].duration_secs * f64::from(step) / 200.0;
        let pose = decoded_bones(&set, 0, time);
        for joint in bone_joints(&set) {
            let matrix: DMat3 = pose.model_from_joint[joint].matrix3;
            least = least.min(svd(&matrix).sigma.z);
        }
    }
    least
}

#[test]
fn matrices_shrink_between_frames_at_6_hz_and_dual_quaternions_do_not() {
    let character = builtin("humanoid:1000");
    let clip = run(&character);
    let settings = |encoding| BakeSettings {
        clips: vec![clip],
        rate: Rate::Hz(6.0),
        ..settings_of(encoding, Precision::F32)
    };
    let matrix = least_stretch(&character, &settings(Encoding::BoneMatrix));
    let axes = least_stretch(&character, &settings(Encoding::VirtualBones));
    let dual = least_stretch(&character, &settings(Encoding::BoneDq));
    let parts = least_stretch(&character, &settings(Encoding::BoneQt));
    eprintln!(
        "least singular value at 6 Hz: matrix {matrix:.4}, axes {axes:.4}, dq {dual:.4}, qt {parts:.4}"
    );
    assert!(matrix < 0.97, "{matrix}");
    assert!(axes < 0.97, "{axes}");
    assert!((dual - 1.0).abs() < 1e-6, "{dual}");
    assert!((parts - 1.0).abs() < 1e-6, "{parts}");
    // The remedies that the paper names.
    let slerp = BakeSettings {
        interpolation: Some(FrameInterpolation::Slerp),
        ..settings(Encoding::BoneMatrix)
    };
    assert!(least_stretch(&character, &slerp) > 1.0 - 1e-5);
    let nlerp = BakeSettings {
        interpolation: Some(FrameInterpolation::Nlerp),
        ..settings(Encoding::VirtualBones)
    };
    assert!(least_stretch(&character, &nlerp) > 1.0 - 1e-5);
}

/// Returns the vertices of the first part at a time.
fn played(set: &TextureSet, time_secs: f64) -> Vec<DVec3> {
    let (playback, mut out) = (SetPlayback::new(set), Played::default());
    playback.player().play(0, time_secs, &mut out);
    out.parts[0].positions.clone()
}

/// Half a revolution about Z in two seconds, 15° per frame, while the joint moves up. Half way between two frames the
/// lever arms of vertices are 7.5° from each.
#[test]
fn half_a_revolution_is_exact_with_slerp_of_vertices_and_shrinks_with_linear() {
    let keys = [0.0, 90.0, 180.0].map(|angle: f64| {
        let place = DVec3::new(0.1, 0.5 + angle / 90.0, -0.3);
        (
            place,
            DQuat::from_rotation_z(angle.to_radians()),
            DVec3::ONE,
        )
    });
    let character = chain(&[vec![keys.to_vec()]]);
    let half_step = 7.5f64.to_radians();
    // Positions of vertices relative to their joint: across the axis, and off that plane by a tenth and two.
    let arms = [
        DVec3::new(0.1, 0.0, 0.0),
        DVec3::new(-0.1, 0.2, 0.1),
        DVec3::new(0.0, 0.1, -0.2),
    ];
    for encoding in [Encoding::BoneMatrix, Encoding::VirtualBones] {
        let at = |blend| BakeSettings {
            interpolation: Some(blend),
            rate: Rate::Hz(6.0),
            mesh: MeshStorage::Exact,
            ..settings_of(encoding, Precision::F32)
        };
        let slerp = baked(&character, &at(FrameInterpolation::SlerpVertices));
        let linear = baked(&character, &at(FrameInterpolation::Linear));
        for frame in 0..12 {
            let time = (f64::from(frame) + 0.5) / 6.0;
            let rotation = DQuat::from_rotation_z(time * 90f64.to_radians());
            let joint = DVec3::new(0.1, 0.5 + time, -0.3);
            let (slerp, linear) = (played(&slerp, time), played(&linear, time));
            for (vertex, arm) in arms.into_iter().enumerate() {
                let flat = DVec3::new(arm.x, arm.y, 0.0);
                // Linear: the part across the axis shrinks, with the effect of P3's cross product.
                let shrunk = flat * half_step.cos() + DVec3::Z * arm.z;
                let along = match encoding {
                    Encoding::VirtualBones => half_step.cos().powi(2),
                    _ => 1.0,
                };
                let expected = joint + rotation * (shrunk * DVec3::new(1.0, 1.0, along));
                assert!(linear[vertex].distance(expected) < 1e-6, "{encoding}");
                // Slerp: the same direction, at the same distance from the joint as at the frames.
                let expected = joint + rotation * (shrunk.normalize() * arm.length());
                assert!(slerp[vertex].distance(expected) < 1e-6, "{encoding}");
            }
            assert!(slerp[0].distance(joint + rotation * arms[0]) < 1e-6);
        }
        // At frames there is nothing to interpolate.
        for time in frame_times(&slerp, 0) {
            for (a, b) in played(&slerp, time).into_iter().zip(played(&linear, time)) {
                assert!(a.distance(b) < 1e-6, "{a} {b}");
            }
        }
    }
}

/// The numbers in docs/format.md: the largest error and the RMS, in mm.
#[test]
fn interpolation_errors_of_a_humanoid_at_6_hz_are_as_documented() {
    let character = builtin("humanoid:1000");
    let table = [
        (FrameInterpolation::Linear, [125.2, 35.6], [145.1, 14.1]),
        (FrameInterpolation::Slerp, [128.8, 35.2], [143.5, 13.7]),
        (
            FrameInterpolation::SlerpVertices,
            [128.8, 35.3],
            [144.9, 13.9],
        ),
    ];
    for (blend, runs, dances) in table {
        for (clip, documented) in [("run", runs), ("dance", dances)] {
            let mut clips = character.clips().iter();
            let settings = BakeSettings {
                clips: vec![clips.position(|c| c.name == clip).unwrap()],
                rate: Rate::Hz(6.0),
                interpolation: Some(blend),
                ..settings_of(Encoding::BoneMatrix, Precision::F32)
            };
            let report = verify(&baked(&character, &settings), &character, &()).unwrap();
            let found = report.error.errors.overall;
            let found = [found.max_error_mm, found.rms_error_mm];
            let off = [found[0] - documented[0], found[1] - documented[1]];
            assert!(
                off.iter().all(|off| off.abs() < 0.06),
                "{clip}, {blend}: {found:?}"
            );
        }
    }
}

#[test]
fn eight_bit_dual_quaternions_jitter_more_than_matrices() {
    let character = builtin("humanoid:1000");
    // RMS difference of the joints' errors from frame to frame: quantisation alone.
    let jitter = |preset| {
        let settings = BakeSettings {
            clips: vec![0],
            preset: Some(preset),
            ..BakeSettings::default()
        };
        let set = baked(&character, &settings);
        let joints = bone_joints(&set);
        let (mut sum, mut count) = (0.0f64, 0.0);
        let mut before: Option<Vec<DVec3>> = None;
        for time in frame_times(&set, 0) {
            let pose = decoded_bones(&set, 0, time);
            let reference = reference_pose(&character, 0, time);
            let off: Vec<DVec3> = joints
                .iter()
                .map(|&j| {
                    pose.model_from_joint[j].translation
                        - reference.model.model_from_joint[j].translation
                })
                .collect();
            for (a, b) in before.iter().flatten().zip(&off) {
                sum += a.distance_squared(*b);
                count += 1.0;
            }
            before = Some(off);
        }
        (sum / count).sqrt() * 1000.0
    };
    let (dual, matrix) = (jitter(Preset::P0Dq8), jitter(Preset::P0Matrix8));
    eprintln!("jitter of joints at 8 bits: dq {dual:.2} mm, matrix {matrix:.2} mm");
    assert!(dual > 2.0 * matrix, "{dual} {matrix}");
}

#[test]
fn automatic_rate_is_the_lowest_that_meets_its_error() {
    let character = builtin("humanoid:1000");
    let mut rates = Vec::new();
    for max_error_of_size in [0.03, 0.01, 0.004] {
        let settings = BakeSettings {
            clips: vec![run(&character)],
            rate: Rate::Auto,
            max_error_of_size,
            ..settings_of(Encoding::BoneQt, Precision::F32)
        };
        let set = baked(&character, &settings);
        rates.push(set.manifest().clips[0].rate_hz);
        let size = set.manifest().size;
        let mut worst = 0.0f64;
        for step in 0..300 {
            let time = set.manifest().clips[0].duration_secs * f64::from(step) / 300.0;
            let pose = decoded_bones(&set, 0, time);
            let reference = reference_pose(&character, run(&character), time);
            for joint in bone_joints(&set) {
                let off = pose.model_from_joint[joint].translation
                    - reference.model.model_from_joint[joint].translation;
                worst = worst.max(off.length());
            }
        }
        assert!(
            worst < 1.2 * max_error_of_size * size,
            "{worst} at {rates:?}"
        );
    }
    eprintln!("automatic rates: {rates:?}");
    assert!(rates[0] < rates[1] && rates[1] < rates[2], "{rates:?}");
    // A constant clip needs only the lowest rate.
    let still = chain(&[vec![vec![key(DQuat::IDENTITY); 3], vec![], vec![]]]);
    let set = baked(
        &still,
        &BakeSettings {
            rate: Rate::Auto,
            ..BakeSettings::default()
        },
    );
    assert_eq!(set.manifest().clips[0].rate_hz, 6.0);
}

#[test]
fn signs_of_dual_quaternions_continue_over_a_full_revolution() {
    let rotations: Vec<_> = (0..=6)
        .map(|k| key(DQuat::from_rotation_y(f64::from(k) * 2.0)))
        .collect();
    let spinning = chain(&[vec![rotations, vec![], vec![]]]);
    for (encoding, interpolation) in [
        (Encoding::BoneDq, None),
        (Encoding::BoneQt, None),
        (Encoding::BoneQt, Some(FrameInterpolation::Slerp)),
    ] {
        let settings = BakeSettings {
            interpolation,
            rate: Rate::Hz(20.0),
            ..settings_of(encoding, Precision::F32)
        };
        let set = baked(&spinning, &settings);
        for step in 0..600 {
            let time = f64::from(step) * 0.01;
            let (a, b) = (
                decoded_bones(&set, 0, time),
                reference_pose(&spinning, 0, time),
            );
            let off = linear_difference(&a.model_from_joint[0], &b.model.model_from_joint[0]);
            assert!(off < 1e-3, "{off} at {time} in {encoding}");
        }
    }
}

#[test]
fn bounds_contain_every_vertex_of_every_frame() {
    let character = builtin("humanoid:1000");
    let settings = BakeSettings {
        clips: vec![0, 1],
        rate: Rate::Hz(8.0),
        ..BakeSettings::default()
    };
    for encoding in [Encoding::BoneQt, Encoding::Vertex] {
        let set = baked(
            &character,
            &BakeSettings {
                encoding,
                ..settings.clone()
            },
        );
        for (index, clip) in set.manifest().clips.iter().enumerate() {
            let (mut min, mut max) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
            for time in frame_times(&set, index) {
                for p in reference_vertices(
                    &character,
                    &settings,
                    &reference_pose(&character, index, time),
                )
                .0
                {
                    (min, max) = (min.min(p), max.max(p));
                }
            }
            // Between frames vertices reach a little farther.
            let [below, above] = [min - clip.bounds.min, clip.bounds.max - max];
            assert!(below.min(above).min_element() >= 0.0, "{below}, {above}");
            assert!(below.max(above).max_element() < 0.05, "{below}, {above}"); // metres
        }
        assert!((set.manifest().size - throng_skin::rest_size(&character)).abs() < 1e-6);
    }
}

#[test]
fn only_joints_that_move_vertices_are_bones() {
    let character = builtin("humanoid:1000");
    let set = baked(&character, &BakeSettings::default());
    let Layout::Bones(layout) = &set.manifest().layout else {
        panic!()
    };
    let mut used: Vec<usize> = Vec::new();
    for part in character.parts() {
        let mesh = character.mesh_of(part);
        for vertex in 0..mesh.vertex_count() {
            let joints = character.skin_of(part).joints();
            used.extend(mesh.influences().of(vertex).map(|(entry, _)| joints[entry]));
        }
    }
    used.sort_unstable();
    used.dedup();
    assert_eq!(bone_joints(&set), used);
    assert_eq!(layout.grid.items, (used.len() as u32 * 6).div_ceil(4));
}
