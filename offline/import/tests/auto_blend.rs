//! `blend:auto` against every fixed factor, by the measures of skinning artefacts.
//!
//! Factors are chosen from poses at other instants than those that are measured here.

use std::f64::consts::PI;

use glam::{DQuat, DVec3};
use throng_import::builtin::builtin;
use throng_import::import_file;
use throng_rig::{
    Character, CharacterPose, Clip, Interpolation, JointTracks, Method, Skinning, Track,
};
use throng_skin::artefacts::{PosedSurface, measure};
use throng_skin::prepare;
use throng_skin::reference::{Skinned, skin_part};

/// Fixed factors to compare with.
const FIXED: [f64; 11] = [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0];

/// Poses measured, over all clips.
const POSES: usize = 24;

fn skinned(character: &Character, pose: &CharacterPose, skinning: Skinning) -> Vec<Skinned> {
    let skin = |part| {
        let mut out = Skinned::default();
        skin_part(character, part, pose, skinning, &mut out);
        out
    };
    character.parts().iter().map(skin).collect()
}

/// Mean of the artefacts of a joint in a pose.
fn mean_change(character: &Character, skinning: Skinning) -> f64 {
    let rest = CharacterPose::rest(character);
    let rest_parts = skinned(character, &rest, skinning);
    let duration: f64 = character.clips().iter().map(Clip::duration_secs).sum();
    let (mut sum, mut count) = (0.0, 0);
    for clip in character.clips() {
        let share = clip.duration_secs() / duration;
        let poses = (share * POSES as f64).ceil();
        for index in 0..poses as usize {
            let mut pose = rest.clone();
            let along = (index as f64 + 0.63) / poses;
            pose.sample(
                character,
                clip,
                clip.start_secs() + along * clip.duration_secs(),
            );
            let parts = skinned(character, &pose, skinning);
            let rest = PosedSurface {
                pose: &rest,
                parts: &rest_parts,
            };
            let posed = PosedSurface {
                pose: &pose,
                parts: &parts,
            };
            for joint in measure(character, rest, posed).joints {
                sum += joint.total_change();
                count += 1;
            }
        }
    }
    sum / f64::from(count)
}

/// Artefacts of the automatic factors, and those of each fixed factor.
struct Comparison {
    auto: f64,
    fixed: Vec<f64>,
}

impl Comparison {
    fn new(character: &Character) -> Self {
        let auto = prepare(character.clone(), Skinning::BlendAuto, &[]);
        let fixed = FIXED.map(|factor| mean_change(character, Method::Blend(factor).into()));
        Self {
            auto: mean_change(&auto, Skinning::BlendAuto),
            fixed: fixed.to_vec(),
        }
    }

    fn best_fixed(&self) -> f64 {
        self.fixed.iter().copied().fold(f64::INFINITY, f64::min)
    }
}

/// Replaces the clips by one of two seconds, in which joints rotate about an axis by an angle, in radians.
fn with_rotations(character: Character, rotations: &[(usize, DVec3, f64)]) -> Character {
    let times: Vec<f64> = (0..=40).map(|key| f64::from(key) / 20.0).collect();
    let tracks = rotations.iter().map(|&(joint, axis, angle)| {
        let rest = CharacterPose::rest(&character).local.joints[joint].rotation;
        let key = |time: &f64| {
            let rotation = rest * DQuat::from_axis_angle(axis, angle * time / 2.0);
            rotation.as_quat()
        };
        let values = times.iter().map(key).collect();
        let mut tracks = JointTracks::new(joint);
        let track = Track::new(times.clone().into(), values, Interpolation::Linear);
        tracks.rotation = Some(track.unwrap());
        tracks
    });
    let clip = Clip::new("made".into(), tracks.collect(), Vec::new()).unwrap();
    let mut pieces = character.into_parts();
    pieces.clips = vec![clip];
    Character::new(pieces).unwrap()
}

#[test]
fn cylinder_is_no_worse_in_a_twist_and_in_a_bend_and_better_with_both() {
    let (twist, bend) = ((1, DVec3::Y, PI), (3, DVec3::Z, 2.0 * PI / 3.0));
    let compare = |rotations: &[_]| {
        let cylinder = builtin("cylinder").unwrap();
        Comparison::new(&with_rotations(cylinder, rotations))
    };
    let pure_twist = compare(&[twist]);
    let pure_bend = compare(&[bend]);
    let both = compare(&[twist, bend]);
    for (name, comparison) in [
        ("twist", &pure_twist),
        ("bend", &pure_bend),
        ("both", &both),
    ] {
        let Comparison { auto, fixed } = comparison;
        println!("cylinder, {name}: auto {auto:.4}, fixed {fixed:.4?}");
    }
    assert!(pure_twist.auto <= pure_twist.best_fixed() * (1.0 + 1e-6));
    assert!(pure_bend.auto <= pure_bend.best_fixed());
    assert!(both.auto < 0.99 * both.best_fixed());
    // A twist needs DQS: LBS collapses.
    assert!(pure_twist.auto < 0.05 * pure_twist.fixed[0]);
}

#[test]
fn humanoid_is_better_than_with_any_fixed_factor() {
    let Comparison { auto, fixed } = Comparison::new(&builtin("humanoid").unwrap());
    println!("humanoid: auto {auto:.4}, fixed {fixed:.4?}");
    for (factor, fixed) in FIXED.iter().zip(fixed) {
        assert!(
            auto < fixed,
            "blend:{factor} has {fixed}, blend:auto {auto}"
        );
    }
}

#[test]
fn real_characters_are_better_than_with_any_fixed_factor() {
    let Some(assets) = throng_testkit::shared_assets() else {
        return;
    };
    let mut total = 0.0;
    let mut better = 0;
    let mut fixed_totals = [0.0; FIXED.len()];
    for file in [
        "gltf/khronos/Fox.glb",
        "gltf/khronos/RiggedFigure.glb",
        "gltf/godot/mannequiny.glb",
        "fbx/quaternius/Zombie.fbx",
        "fbx/quaternius/KnightCharacter.fbx",
        "fbx/quaternius/Red_Fox.fbx",
    ] {
        let import = import_file(&assets.join(file), &Default::default()).unwrap();
        let comparison = Comparison::new(&import.character);
        let best = comparison.best_fixed();
        let Comparison { auto, fixed } = comparison;
        assert!(auto <= best, "{file}: {auto}, best fixed {best}");
        better += u32::from(auto < best);
        println!("{file}: auto {auto:.4}, fixed {fixed:.4?}");
        total += auto;
        for (index, fixed) in fixed.into_iter().enumerate() {
            fixed_totals[index] += fixed;
        }
    }
    // Red_Fox is best with dual quaternions alone.
    assert!(better >= 5, "{better}");
    println!("total: auto {total:.4}, fixed {fixed_totals:.4?}");
    assert!(fixed_totals.iter().all(|&fixed| total < fixed));
}

#[test]
fn limbs_of_real_characters_twist_and_bend_no_worse_than_with_the_best_fixed_factor() {
    let Some(assets) = throng_testkit::shared_assets() else {
        return;
    };
    for (file, joint) in [
        ("gltf/khronos/Fox.glb", "b_RightForeArm_07"),
        ("gltf/godot/mannequiny.glb", "lowerarm.l"),
        ("fbx/quaternius/Zombie.fbx", "LeftForeArm"),
        ("fbx/quaternius/KnightCharacter.fbx", "LowerArm.L"),
    ] {
        let import = import_file(&assets.join(file), &Default::default()).unwrap();
        let character = import.character;
        let joints = character.skeleton().joints();
        let Some(index) = joints.iter().position(|other| other.name == joint) else {
            let names: Vec<&str> = joints.iter().map(|joint| &*joint.name).collect();
            panic!("{file}: no joint {joint} among {names:?}");
        };
        // The bone, in the space of its joint, from the joint to a child.
        let child = joints.iter().position(|other| other.parent == Some(index));
        let rest = CharacterPose::rest(&character);
        let bone = rest.local.joints[child.unwrap()].translation.normalize();
        let twist = Comparison::new(&with_rotations(character.clone(), &[(index, bone, PI)]));
        let across = bone.any_orthonormal_vector();
        let bend = with_rotations(character, &[(index, across, 2.0 * PI / 3.0)]);
        let bend = Comparison::new(&bend);
        for (name, comparison) in [("twist", twist), ("bend", bend)] {
            let Comparison { auto, fixed } = &comparison;
            println!("{file}, {name} of {joint}: auto {auto:.5}, fixed {fixed:.5?}");
            let best = comparison.best_fixed();
            assert!(
                *auto <= best * (1.0 + 1e-9),
                "{file} {name}: {auto}, best fixed {best}"
            );
        }
    }
}

#[test]
fn factors_are_smooth_over_the_surface_and_the_same_each_time() {
    let character = prepare(builtin("humanoid").unwrap(), Skinning::BlendAuto, &[]);
    let again = prepare(builtin("humanoid").unwrap(), Skinning::BlendAuto, &[]);
    let mut range = (1.0_f32, 0.0_f32);
    let mut steps = Vec::new();
    for (mesh, again) in character.meshes().iter().zip(again.meshes()) {
        let factors = mesh.blend_factors();
        assert_eq!(factors, again.blend_factors());
        assert_eq!(factors.len(), mesh.vertex_count());
        for &factor in factors {
            assert!((0.0..=1.0).contains(&factor), "{factor}");
            range = (range.0.min(factor), range.1.max(factor));
        }
        for &[a, b, c] in mesh.triangles() {
            for (from, to) in [(a, b), (b, c), (c, a)] {
                let step = factors[from as usize] - factors[to as usize];
                steps.push(step.abs());
            }
        }
    }
    steps.sort_by(f32::total_cmp);
    let at = |part: f64| steps[((steps.len() - 1) as f64 * part) as usize];
    println!("half {}, 99% {}, all {}", at(0.5), at(0.99), at(1.0));
    assert!(at(0.5) < 0.02 && at(0.99) < 0.33);
    // The same factor everywhere would be smooth, too.
    assert!(range.1 - range.0 > 0.5, "{range:?}");
}

#[test]
fn character_without_motion_has_a_factor() {
    let mut pieces = builtin("cylinder").unwrap().into_parts();
    pieces.clips.clear();
    let character = Character::new(pieces).unwrap();
    let prepared = prepare(character, Skinning::BlendAuto, &[]);
    for mesh in prepared.meshes() {
        assert!(mesh.blend_factors().iter().all(|&factor| factor == 0.5));
    }
}
