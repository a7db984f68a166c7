//! One motion set for several characters: the error holds on every mesh, and characters that cannot share are refused.

mod common;

use std::sync::Arc;

use common::*;
use glam::{DAffine3, DQuat, DVec3, Vec3};
use throng_bake::accuracy::{verify, verify_densely};
use throng_bake::search::SearchSpace;
use throng_bake::share::{
    ShareError, ShareGoal, SharedCharacter, SharedSets, SkeletonDifference, bake_shared,
    difference, group_by_skeleton, group_clips, set_on_mesh, with_shell,
};
use throng_bake::{BakeSettings, DEFAULT_ERROR_OF_SIZE, Preset};
use throng_format::decode::{self, BonePose};
use throng_format::file::{FileFormat, Supercompression};
use throng_format::{Encoding, Precision, Storage, TextureSet, disk};
use throng_rig::{
    Character, CharacterPose, Clip, Influences, Interpolation, JointTracks, Mesh, ModelPose,
    Palette, Part, Skeleton, Skin, Track,
};
use throng_skin::reference::{Skinned, skin};
use throng_skin::rest_size;

/// The character with another mesh: an octahedron of 10 cm that moves with one joint.
fn hat(on: &Character, joint: &str) -> Character {
    let joints = on.skeleton().joints();
    let joint = joints.iter().position(|j| j.name == joint).unwrap();
    let rest = CharacterPose::rest(on).model.model_from_joint[joint];
    let corner = |axis: DVec3| (rest.translation + 0.05 * axis).as_vec3();
    let axes = [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| [axis, -axis]);
    let positions: Vec<Vec3> = axes.into_iter().flatten().map(corner).collect();
    let influences = Influences::rigid(positions.len());
    let mesh = Mesh::new(positions, vec![[0, 2, 4], [1, 3, 5]], influences).unwrap();
    let mut parts = on.clone().into_parts();
    parts.name = "hat".into();
    let skin = Skin::new(
        "hat".into(),
        &parts.skeleton,
        vec![joint],
        vec![rest.inverse()],
    );
    parts.skins = vec![skin.unwrap()];
    parts.meshes = vec![mesh];
    parts.parts = vec![Part {
        node: 0,
        node_name: "hat".into(),
        primitive: 0,
        mesh: 0,
        skin: 0,
        morph_set: None,
    }];
    parts.morph_sets = Vec::new();
    Character::new(parts).unwrap()
}

/// The character with its meshes bound in a space that is rotated and moved. It looks the same.
fn bound_elsewhere(character: &Character) -> Character {
    let rotation = DQuat::from_rotation_y(0.7) * DQuat::from_rotation_x(-1.1);
    let elsewhere = DAffine3::from_rotation_translation(rotation, DVec3::new(0.3, -0.2, 0.5));
    let mut parts = character.clone().into_parts();
    for skin in &mut parts.skins {
        let binds = skin
            .joint_from_bind()
            .iter()
            .map(|m| *m * elsewhere.inverse());
        let joints = skin.joints().to_vec();
        *skin = Skin::new(skin.name.clone(), &parts.skeleton, joints, binds.collect()).unwrap();
    }
    for mesh in &mut parts.meshes {
        let moved = |p: &Vec3| elsewhere.transform_point3(p.as_dvec3()).as_vec3();
        let turned = |n: &Vec3| (rotation * n.as_dvec3()).as_vec3();
        let positions = mesh.positions().iter().map(moved).collect();
        let normals = mesh.normals().iter().map(turned).collect();
        let (triangles, influences) = (mesh.triangles().to_vec(), mesh.influences().clone());
        *mesh = Mesh::new(positions, triangles, influences).unwrap();
        mesh.set_normals(normals).unwrap();
    }
    Character::new(parts).unwrap()
}

fn with_clips(character: &Character, clips: Vec<Clip>) -> Character {
    let mut parts = character.clone().into_parts();
    parts.clips = clips;
    Character::new(parts).unwrap()
}

fn members<'a>(characters: &'a [&'a Character]) -> Vec<SharedCharacter<'a>> {
    let member = |character: &&'a Character| SharedCharacter {
        label: &character.name,
        character,
        reference: character,
        source: source(),
        max_error_of_size: DEFAULT_ERROR_OF_SIZE,
    };
    characters.iter().map(member).collect()
}

fn shared(characters: &[&Character], settings: BakeSettings) -> SharedSets {
    let goal = ShareGoal::Bake(settings);
    bake_shared(&members(characters), &goal, &source(), &()).unwrap()
}

/// Largest distance, in metres, between vertices of the set and of the character at some times, by plain skinning.
fn largest_distance(set: &TextureSet, character: &Character) -> f64 {
    let mut worst = 0.0_f64;
    for (index, entry) in set.manifest().clips.iter().enumerate() {
        let clip = character
            .clips()
            .iter()
            .find(|c| c.name == entry.name)
            .unwrap();
        for step in 0..7 {
            let time = entry.duration_secs * f64::from(step) / 6.3;
            let mut expected = CharacterPose::rest(character);
            expected.sample(character, clip, clip.start_secs() + time);
            let mut bones = BonePose::rest(set.model());
            decode::bones(set, index, time, &mut bones);
            let decoded = ModelPose {
                model_from_joint: bones.model_from_joint,
            };
            let positions = |model: &Character, pose: &ModelPose| {
                let mut all = Vec::new();
                for part in model.parts() {
                    let (mut palette, mut skinned) = (Palette::default(), Skinned::default());
                    palette.update(model.skin_of(part), pose);
                    let mesh = model.mesh_of(part);
                    skin(throng_rig::Method::Lbs, mesh, &[], &palette, &mut skinned);
                    all.extend(skinned.positions);
                }
                all
            };
            let ordered = throng_bake::drawing_order(character);
            let expected = positions(&ordered, &expected.model);
            let decoded = positions(set.model(), &decoded);
            assert_eq!(expected.len(), decoded.len());
            let distances = expected.iter().zip(&decoded).map(|(a, b)| a.distance(*b));
            worst = distances.fold(worst, f64::max);
        }
    }
    worst
}

/// The running clip.
fn run(encoding: Encoding, storage: impl Into<Storage>) -> BakeSettings {
    BakeSettings {
        clips: vec![2],
        ..settings_of(encoding, storage)
    }
}

#[test]
fn every_character_is_within_the_error_of_its_own_size() {
    let humanoid = builtin("humanoid:600");
    let hat = hat(&humanoid, "head");
    assert!(rest_size(&hat) < 0.11 * rest_size(&humanoid));
    let characters = [&humanoid, &hat];
    let sets = shared(&characters, run(Encoding::BoneLocal, Storage::Compressed));
    for (character, shared) in characters.iter().zip(&sets.characters) {
        let set = &shared.set;
        assert!(
            set.shared_textures()
                .is_same(sets.motion.set.shared_textures())
        );
        let overall = &shared.report.error.errors.overall;
        assert!(
            overall.max_error_of_size <= DEFAULT_ERROR_OF_SIZE,
            "{overall:?}"
        );
        assert_eq!(
            set.manifest().max_error_of_size,
            Some(overall.max_error_of_size)
        );
        assert!((set.manifest().size / rest_size(character) - 1.0).abs() < 1e-12);
        // Against the character itself, in other ways.
        let dense = verify_densely(set, character, 5, &()).unwrap();
        assert!(dense.max_error_mm <= 1.001 * overall.max_error_mm);
        let distance = largest_distance(set, character);
        assert!(
            distance <= 1e-3 * overall.max_error_mm * 1.001,
            "{distance}"
        );
        assert!(distance > 0.0);
    }
    // Alone, the humanoid needs fewer bytes: the hat allows a tenth of the error.
    let alone = shared(&[&humanoid], run(Encoding::BoneLocal, Storage::Compressed));
    assert!(alone.motion.report.gpu_bytes < sets.motion.report.gpu_bytes);
    let motion = sets.motion.set.manifest();
    assert!(motion.is_motion() && motion.skins.is_empty());
}

#[test]
fn textures_hold_the_bones_that_any_mesh_uses() {
    let humanoid = builtin("humanoid:600");
    let hats = ["head", "left_foot"].map(|joint| hat(&humanoid, joint));
    for (encoding, storage) in [
        (Encoding::BoneQt, Storage::Frames(Precision::Unorm16)),
        (Encoding::BoneMatrix, Storage::Frames(Precision::F32)),
        (Encoding::BoneDq, Storage::Frames(Precision::F16)),
        (Encoding::VirtualBones, Storage::Frames(Precision::F32)),
        (Encoding::BoneLocal, Storage::Compressed),
    ] {
        // Meshes of few joints come first.
        let characters = [&hats[0], &hats[1], &humanoid];
        let sets = shared(&characters, run(encoding, storage));
        for (character, set) in characters.iter().zip(&sets.characters) {
            let report = verify(&set.set, character, &()).unwrap();
            let bound = report.error.errors.overall.max_error_mm;
            let distance = largest_distance(&set.set, character);
            assert!(
                distance * 1000.0 <= 1.001 * bound + 1e-6,
                "{encoding}: {distance}"
            );
            assert!(bound < 10.0, "{encoding} {}: {bound} mm", character.name);
        }
    }
}

#[test]
fn characters_bound_in_different_poses_share_textures() {
    let humanoid = builtin("humanoid:600");
    let elsewhere = bound_elsewhere(&humanoid);
    let characters = [&humanoid, &elsewhere];
    for (encoding, storage) in [
        (Encoding::BoneQt, Storage::Frames(Precision::F32)),
        (Encoding::BoneLocal, Storage::Compressed),
    ] {
        let sets = shared(&characters, run(encoding, storage));
        let errors = sets
            .characters
            .iter()
            .map(|set| set.report.error.errors.overall);
        let errors: Vec<f64> = errors.map(|overall| overall.max_error_mm).collect();
        let difference = (errors[0] - errors[1]).abs();
        assert!(
            difference < 0.1 * errors[0] + 0.01,
            "{encoding}: {errors:?}"
        );
        let boxes = sets.characters.iter().map(|set| set.set.manifest().bounds);
        let boxes: Vec<_> = boxes.collect();
        assert!(boxes[0].min.distance(boxes[1].min) < 1e-4, "{boxes:?}");
    }
}

#[test]
fn search_chooses_a_bone_encoding_within_every_error() {
    let humanoid = builtin("humanoid:600");
    let hat = hat(&humanoid, "left_hand");
    let goal = ShareGoal::MaxError {
        base: BakeSettings {
            clips: vec![2],
            ..BakeSettings::default()
        },
        space: SearchSpace::default(),
    };
    let sets = bake_shared(&members(&[&humanoid, &hat]), &goal, &source(), &()).unwrap();
    assert!(!sets.motion.set.manifest().encoding.is_vertex());
    for set in &sets.characters {
        let overall = &set.report.error.errors.overall;
        assert!(overall.max_error_of_size <= DEFAULT_ERROR_OF_SIZE);
    }
}

#[test]
fn party_on_disk_is_the_party_in_memory() {
    let humanoid = builtin("humanoid:600");
    let hat = hat(&humanoid, "head");
    let characters = [&humanoid, &hat];
    let sets = shared(&characters, run(Encoding::BoneLocal, Storage::Compressed));
    let home = tempfile::tempdir().unwrap();
    let motion = home.path().join("motion.throng");
    let write = |set: &TextureSet, path: &std::path::Path| {
        let (format, none) = (FileFormat::Ktx2, Supercompression::None);
        disk::write_folder(set, path, format, none, &[]).unwrap();
    };
    write(&sets.motion.set, &motion);
    let reference = disk::motion_reference(&motion).unwrap();
    for set in &sets.characters {
        let name = format!("{}.throng", set.set.manifest().name.replace(':', "-"));
        let set = set.set.clone().with_motion(reference.clone()).unwrap();
        write(&set, &home.path().join(name));
    }
    let read = disk::read_party(home.path()).unwrap();
    assert_eq!(read.len(), 3);
    for (character, shared) in characters.iter().zip(&sets.characters) {
        let name = &shared.set.manifest().name;
        let found = read
            .iter()
            .find(|s| s.set.manifest().name == *name && !s.set.manifest().is_motion());
        let found = &found.unwrap().set;
        assert!(found.model() == shared.set.model());
        assert!(found.textures() == shared.set.textures());
        let report = verify(found, character, &()).unwrap();
        assert_eq!(report.error, shared.report.error);
    }
}

#[test]
fn motion_set_is_measured_on_the_mesh_of_its_source() {
    let humanoid = builtin("humanoid:600");
    let sets = shared(&[&humanoid], run(Encoding::BoneQt, Precision::F32));
    let on_mesh = set_on_mesh(&sets.motion.set, &humanoid, source()).unwrap();
    let report = verify(&on_mesh, &humanoid, &()).unwrap();
    let error = report.error.errors.overall.max_error_mm;
    let recorded = sets.motion.report.error.errors.overall.max_error_mm;
    assert!(
        (error - recorded).abs() <= 0.06 * recorded,
        "{error} {recorded}"
    );
}

#[test]
fn skeleton_without_a_mesh_is_baked_within_the_error_of_its_shell() {
    let mut parts = builtin("humanoid:600").into_parts();
    (parts.skins, parts.meshes, parts.parts) = (Vec::new(), Vec::new(), Vec::new());
    let shell = with_shell(Character::new(parts).unwrap()).unwrap();
    let sets = shared(&[&shell], run(Encoding::BoneLocal, Storage::Compressed));
    let overall = &sets.motion.report.error.errors.overall;
    assert!(overall.max_error_of_size <= DEFAULT_ERROR_OF_SIZE);
    assert!(
        largest_distance(&sets.characters[0].set, &shell) * 1000.0 <= 1.001 * overall.max_error_mm
    );
    // Every joint moves points, so that every joint is stored.
    let throng_format::Layout::JointCurves(layout) = &sets.motion.set.manifest().layout else {
        panic!("not curves")
    };
    assert_eq!(layout.bones.len(), shell.skeleton().len());
}

#[test]
fn characters_are_grouped_by_joints_and_rest_poses() {
    let humanoid = builtin("humanoid:600");
    let other = builtin("humanoid:1000");
    let bar = builtin("bar");
    let edited = |edit: &dyn Fn(&mut Vec<throng_rig::Joint>)| {
        let mut parts = humanoid.clone().into_parts();
        let mut joints = parts.skeleton.joints().to_vec();
        edit(&mut joints);
        parts.skeleton = Skeleton::new(joints).unwrap();
        Character::new(parts).unwrap()
    };
    let renamed = edited(&|joints| joints[3].name = "tail".into());
    let hung = edited(&|joints| joints[5].parent = Some(0));
    let longer = edited(&|joints| joints[4].parent_from_joint.translation.y += 1e-3);
    let nearly = edited(&|joints| joints[4].parent_from_joint.translation.y += 1e-6);
    let turned = edited(&|joints| {
        let rotation = &mut joints[4].parent_from_joint.rotation;
        *rotation = (*rotation * DQuat::from_rotation_z(1e-3)).normalize();
    });
    let all = [
        &humanoid, &bar, &other, &renamed, &hung, &longer, &nearly, &turned,
    ];
    let groups = group_by_skeleton(&all);
    let members: Vec<&[usize]> = groups.iter().map(|group| &group.members[..]).collect();
    assert_eq!(members, [&[0, 2, 6][..], &[1], &[3], &[4], &[5], &[7]]);
    assert_eq!(groups[0].differs, None);
    let kinds = groups[1..]
        .iter()
        .map(|group| group.differs.clone().unwrap());
    let kinds: Vec<SkeletonDifference> = kinds.collect();
    use SkeletonDifference::{Count, Name, Parent, Rest};
    assert!(matches!(
        kinds.as_slice(),
        [
            Count(_),
            Name { joint: 3, .. },
            Parent { .. },
            Rest { .. },
            Rest { .. }
        ]
    ));
    let text = difference(&humanoid, &renamed).unwrap().to_string();
    assert!(text.contains("'tail'"), "{text}");
    let text = difference(&humanoid, &longer).unwrap().to_string();
    assert!(text.contains("1.000 mm"), "{text}");
    let error = bake_shared(
        &self::members(&[&humanoid, &longer]),
        &ShareGoal::Bake(BakeSettings::default()),
        &source(),
        &(),
    );
    assert!(matches!(error, Err(ShareError::Skeletons { .. })));
}

#[test]
fn clips_of_a_group_are_those_of_all_characters() {
    let humanoid = builtin("humanoid:600");
    let clips = humanoid.clips().to_vec();
    let names = |clips: &[Clip]| clips.iter().map(|c| c.name.clone()).collect::<Vec<_>>();
    let first = with_clips(&humanoid, clips[..2].to_vec());
    let second = with_clips(&humanoid, clips[1..4].to_vec());
    let none = with_clips(&humanoid, Vec::new());
    let group = [("none", &none), ("first", &first), ("second", &second)];
    let all = group_clips(&group).unwrap();
    assert_eq!(names(&all.clips), names(&clips[..4]));
    assert_eq!(all.first_owner, [1, 1, 2, 2]);
    assert_eq!(all.lenders_to(&none, 0), [1, 2]);
    assert_eq!(all.lenders_to(&second, 2), [1]);
    assert_eq!(all.on(&none).clips(), &clips[..4]);
    // A character without clips plays those of the group.
    let characters = [&none, &first].map(|character| all.on(character));
    let settings = BakeSettings {
        clips: vec![3],
        ..settings_of(Encoding::BoneQt, Precision::F32)
    };
    let sets = shared(&[&characters[0], &characters[1]], settings);
    assert_eq!(
        sets.characters[0].set.manifest().clips[0].name,
        clips[3].name
    );
    let error = group_clips(&[("a.glb", &none)]).unwrap_err();
    assert!(matches!(error, ShareError::NoClips { .. }), "{error}");
}

#[test]
fn clips_of_one_name_must_have_equal_tracks() {
    let humanoid = builtin("humanoid:600");
    let other = JointTracks {
        translation: Some(
            Track::new(
                Arc::from([0.0, 1.0]),
                vec![Vec3::ZERO, Vec3::Y],
                Interpolation::Linear,
            )
            .unwrap(),
        ),
        ..JointTracks::new(1)
    };
    let name = humanoid.clips()[1].name.clone();
    let clip = Clip::new(name.clone(), vec![other], Vec::new()).unwrap();
    let second = with_clips(&humanoid, vec![clip]);
    let error = group_clips(&[("knight.glb", &humanoid), ("mage.glb", &second)]).unwrap_err();
    let text = error.to_string();
    for part in [name.as_str(), "knight.glb", "mage.glb", "rename", "--share"] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn animated_morph_weights_are_refused_by_name() {
    let morphing = morphing();
    let clips = group_clips(&[("face.glb", &morphing)]).unwrap();
    assert_eq!(clips.morphing, [Some(0)]);
    let text = clips
        .check_morphs(&["face.glb"], &[])
        .unwrap_err()
        .to_string();
    assert!(
        text.contains("face.glb") && text.contains("without --share"),
        "{text}"
    );
    let goal = ShareGoal::Bake(BakeSettings::default());
    let error = bake_shared(&members(&[&morphing]), &goal, &source(), &()).unwrap_err();
    assert!(matches!(error, ShareError::MorphWeights { .. }), "{error}");
    // Without the tracks, morph targets keep their rest weights.
    let still = clips.on(&morphing);
    assert_eq!(
        still.clips()[0].duration_secs(),
        morphing.clips()[0].duration_secs()
    );
    let joints = still.clips()[0].joints().len();
    assert_eq!(joints, morphing.clips()[0].joints().len());
}

#[test]
fn textures_of_one_mesh_are_refused() {
    let humanoid = builtin("humanoid:600");
    let refused =
        |goal: ShareGoal| bake_shared(&members(&[&humanoid]), &goal, &source(), &()).unwrap_err();
    let error = refused(ShareGoal::Bake(settings_of(
        Encoding::Vertex,
        Precision::F32,
    )));
    assert!(matches!(error, ShareError::Encoding { .. }), "{error}");
    let error = refused(ShareGoal::MaxError {
        base: BakeSettings::default(),
        space: SearchSpace {
            encodings: Some(vec![Encoding::VertexRay]),
            ..SearchSpace::default()
        },
    });
    assert!(matches!(error, ShareError::Encoding { .. }), "{error}");
    let error = refused(ShareGoal::Bake(BakeSettings {
        preset: Some(Preset::ALL[0]),
        ..BakeSettings::default()
    }));
    assert!(matches!(error, ShareError::Preset { .. }), "{error}");
    let set = baked(&humanoid, &run(Encoding::Vertex, Precision::F32));
    assert_eq!(set.without_mesh().unwrap_err().location, "encoding");
}
