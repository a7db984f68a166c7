//! The mesh and the bones at rest.

use std::collections::HashSet;
use std::time::Instant;

use glam::DVec3;
use throng_rig::{CharacterPose, JointKind};

use super::{DEFAULT, FEWEST, humanoid, mesh};
use crate::builtin::checks;
use crate::builtin::humanoid::bones::{Bones, JOINTS};
use crate::builtin::humanoid::weights::MOST_INFLUENCES;
use crate::builtin::humanoid::{DEFAULT_VERTICES, MIN_VERTICES};

const SIZES: [usize; 4] = [MIN_VERTICES, 2_330, DEFAULT_VERTICES, 45_000];

#[test]
fn the_count_is_met_and_the_body_is_closed() {
    for wanted in SIZES {
        let start = Instant::now();
        let character = humanoid(wanted);
        let secs = start.elapsed().as_secs_f64();
        let count = mesh(&character).vertex_count();
        println!("{wanted}: {count} vertices in {secs:.3} s");
        let off = (count as f64 / wanted as f64 - 1.0).abs();
        assert!(off < 0.02, "{wanted}: {count}");
        checks::assert_closed(&wanted.to_string(), mesh(&character));
    }
}

#[test]
fn every_step_of_the_grid_gives_a_closed_body() {
    // Just above each limit, where a finer grid is taken.
    for wanted in [14_001, 50_001] {
        checks::assert_closed(&wanted.to_string(), mesh(&humanoid(wanted)));
    }
}

#[test]
fn the_most_vertices_make_a_closed_body() {
    for wanted in [130_000, 320_000] {
        let start = Instant::now();
        let character = humanoid(wanted);
        println!("{wanted}: {:.3} s", start.elapsed().as_secs_f64());
        checks::assert_closed(&wanted.to_string(), mesh(&character));
    }
}

#[test]
fn it_stands_on_the_ground_and_is_as_tall_and_heavy_as_a_person() {
    for character in [&*FEWEST, &*DEFAULT] {
        let wanted = mesh(character).vertex_count();
        let heights = mesh(character).positions().iter().map(|p| f64::from(p.y));
        let low = heights.clone().fold(f64::INFINITY, f64::min);
        let high = heights.fold(f64::NEG_INFINITY, f64::max);
        // A millimetre, and a centimetre.
        assert!(low.abs() < 1e-3, "{wanted}: {low}");
        assert!((high - 1.8).abs() < 1e-2, "{wanted}: {high}");
        let volume = checks::signed_volume(mesh(character));
        assert!((0.05..0.09).contains(&volume), "{wanted}: {volume} m³");
    }
}

#[test]
fn left_and_right_are_mirror_images_to_the_bit() {
    let character = &*DEFAULT;
    let bits = |x: f32, y: f32, z: f32| [x + 0.0, y, z].map(f32::to_bits);
    let positions = mesh(character).positions().iter();
    let all: HashSet<[u32; 3]> = positions.clone().map(|p| bits(p.x, p.y, p.z)).collect();
    for p in positions {
        assert!(all.contains(&bits(-p.x, p.y, p.z)), "{p}");
    }
}

#[test]
fn normals_are_of_unit_length_and_look_outwards() {
    for character in [&*FEWEST, &*DEFAULT] {
        let mesh = mesh(character);
        let wanted = mesh.vertex_count();
        for normal in mesh.normals() {
            assert!((normal.length() - 1.0).abs() < 1e-5, "{wanted}: {normal}");
        }
        let at = |v: u32| mesh.positions()[v as usize];
        let against = mesh.triangles().iter().filter(|&&[a, b, c]| {
            let wound = (at(b) - at(a)).cross(at(c) - at(a));
            [a, b, c]
                .into_iter()
                .any(|v| mesh.normals()[v as usize].dot(wound) <= 0.0)
        });
        // A few corners in the creases of clothes see over the edge.
        let share = against.count() as f64 / mesh.triangles().len() as f64;
        assert!(share < 0.04, "{wanted}: {share}");
    }
}

#[test]
fn texture_coordinates_are_inside_the_texture() {
    let character = &*DEFAULT;
    assert_eq!(mesh(character).uvs().len(), mesh(character).vertex_count());
    for uv in mesh(character).uvs() {
        let inside = |x: f32| (0.0..=1.0).contains(&x);
        assert!(inside(uv.x) && inside(uv.y), "{uv}");
    }
}

#[test]
fn sixty_five_joints_have_names_of_their_own() {
    let character = &*FEWEST;
    let joints = character.skeleton().joints();
    assert_eq!(joints.len(), JOINTS);
    assert_eq!(JOINTS, 65);
    let names: HashSet<&str> = joints.iter().map(|j| j.name.as_str()).collect();
    assert_eq!(names.len(), JOINTS);
    for name in [
        "hips",
        "spine3",
        "head_end",
        "left_upper_arm",
        "right_little3",
        "left_toes_end",
    ] {
        assert!(names.contains(name), "{name}");
    }
    let leaves = joints.iter().filter(|j| j.kind == JointKind::Leaf);
    // The crown, ten fingers and two feet.
    assert_eq!(leaves.count(), 13);
}

#[test]
fn every_bone_runs_along_its_own_y() {
    let bones = Bones::new();
    for joint in 0..JOINTS {
        if let Some(child) = bones.main_child(joint) {
            let along = (bones.positions[child] - bones.positions[joint]).normalize();
            let y = bones.rotations[joint] * DVec3::Y;
            assert!(y.abs_diff_eq(along, 1e-9), "joint {joint}");
        }
    }
}

#[test]
fn the_skeleton_stands_where_the_bones_are() {
    let character = &*FEWEST;
    let bones = Bones::new();
    let pose = CharacterPose::rest(character);
    for (joint, model) in pose.model.model_from_joint.iter().enumerate() {
        let expected = bones.positions[joint];
        assert!(
            model.translation.abs_diff_eq(expected, 1e-9),
            "joint {joint}"
        );
    }
}

#[test]
fn at_most_four_bones_hold_a_vertex_and_only_those_of_its_side() {
    let character = &*DEFAULT;
    let mesh = mesh(character);
    assert!(mesh.influences().max_per_vertex() <= MOST_INFLUENCES);
    let joints = character.skins()[0].joints();
    for (vertex, position) in mesh.positions().iter().enumerate() {
        for (entry, weight) in mesh.influences().of(vertex) {
            let name = &character.skeleton().joints()[joints[entry]].name;
            let strange = match position.x {
                x if x > 0.03 => name.starts_with("right"),
                x if x < -0.03 => name.starts_with("left"),
                _ => false,
            };
            assert!(!strange, "{name} holds {position} by {weight}");
        }
    }
}

#[test]
fn weights_do_not_jump_along_an_edge() {
    let character = &*DEFAULT;
    let mesh = mesh(character);
    let bones = character.skins()[0].len();
    let weights = |vertex: u32| {
        let mut all = vec![0.0; bones];
        for (entry, weight) in mesh.influences().of(vertex as usize) {
            all[entry] += weight;
        }
        all
    };
    for &[a, b, c] in mesh.triangles() {
        for (from, to) in [(a, b), (b, c), (c, a)] {
            let apart = mesh.positions()[from as usize].distance(mesh.positions()[to as usize]);
            let change: f64 = weights(from)
                .iter()
                .zip(weights(to))
                .map(|(x, y)| (x - y).abs())
                .sum::<f64>()
                / 2.0;
            // All of it over a centimetre at the most: fingers are no thicker.
            let most = 0.35 + f64::from(apart) / 0.010;
            assert!(
                change <= most,
                "{change} over {apart} m at {}",
                mesh.positions()[from as usize]
            );
        }
    }
}
