//! Mesh and bones in the rest pose.

use std::collections::HashSet;
use std::time::Instant;

use glam::DVec3;
use throng_rig::{CharacterPose, JointKind};

use super::{DEFAULT, FEWEST, mesh, whole};
use crate::builtin::checks;
use crate::builtin::humanoid::bones::{Bones, JOINTS};
use crate::builtin::humanoid::weights::MAX_INFLUENCES;
use crate::builtin::humanoid::{DEFAULT_VERTICES, MIN_VERTICES};

/// The minimum, the default, and the sizes of the person in the paper on skinning with dual quaternions.
const SIZES: [usize; 6] = [MIN_VERTICES, 986, 3_938, DEFAULT_VERTICES, 15_746, 62_978];

#[test]
fn vertex_count_is_within_2_percent_and_the_body_is_closed() {
    for wanted in SIZES {
        let start = Instant::now();
        let character = whole(wanted);
        let secs = start.elapsed().as_secs_f64();
        let count = mesh(&character).vertex_count();
        println!("{wanted}: {count} vertices in {secs:.3} s");
        let off = (count as f64 / wanted as f64 - 1.0).abs();
        assert!(off < 0.02, "{wanted}: {count}");
        checks::assert_closed(&wanted.to_string(), mesh(&character));
    }
}

#[test]
fn every_grid_step_gives_a_closed_body() {
    // Just above each limit, where a finer grid is used.
    for wanted in [14_001, 50_001] {
        checks::assert_closed(&wanted.to_string(), mesh(&whole(wanted)));
    }
}

#[test]
fn maximum_vertex_count_gives_a_closed_body() {
    for wanted in [130_000, 320_000] {
        let start = Instant::now();
        let character = whole(wanted);
        println!("{wanted}: {:.3} s", start.elapsed().as_secs_f64());
        checks::assert_closed(&wanted.to_string(), mesh(&character));
    }
}

#[test]
fn stands_on_the_ground_with_human_height_and_volume() {
    // Edges of the coarsest soles are 8 cm long, and cut the rounded rim.
    for (character, max_gap) in [(&*FEWEST, 4e-3), (&*DEFAULT, 1e-3)] {
        let wanted = mesh(character).vertex_count();
        let heights = mesh(character).positions().iter().map(|p| f64::from(p.y));
        let low = heights.clone().fold(f64::INFINITY, f64::min);
        let high = heights.fold(f64::NEG_INFINITY, f64::max);
        assert!(low.abs() < max_gap, "{wanted}: {low}");
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
fn normals_have_unit_length_and_face_outwards() {
    // A few vertices have triangles that face away: in the creases of clothes, and between the coarsest fingers.
    for (character, max_share) in [(&*FEWEST, 0.08), (&*DEFAULT, 0.04)] {
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
        let share = against.count() as f64 / mesh.triangles().len() as f64;
        assert!(share < max_share, "{wanted}: {share}");
    }
}

#[test]
fn coarsest_body_has_every_colour() {
    let colors = |character| -> HashSet<[u32; 4]> {
        let colors = mesh(character).colors().iter();
        colors.map(|color| color.map(f32::to_bits)).collect()
    };
    assert_eq!(colors(&FEWEST), colors(&DEFAULT));
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
fn has_65_joints_with_unique_names() {
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
fn every_bone_points_along_its_local_y() {
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
fn rest_pose_of_the_skeleton_matches_the_bones() {
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
fn vertices_have_at_most_four_influences_of_their_own_side() {
    let character = &*DEFAULT;
    let mesh = mesh(character);
    assert!(mesh.influences().max_per_vertex() <= MAX_INFLUENCES);
    let joints = character.skins()[0].joints();
    for (vertex, position) in mesh.positions().iter().enumerate() {
        for (palette_index, weight) in mesh.influences().of(vertex) {
            let name = &character.skeleton().joints()[joints[palette_index]].name;
            let is_of_other_side = match position.x {
                x if x > 0.03 => name.starts_with("right"),
                x if x < -0.03 => name.starts_with("left"),
                _ => false,
            };
            assert!(
                !is_of_other_side,
                "{name} has weight {weight} at {position}"
            );
        }
    }
}

#[test]
fn weights_change_gradually_along_edges() {
    let character = &*DEFAULT;
    let mesh = mesh(character);
    let bones = character.skins()[0].len();
    let weights = |vertex: u32| {
        let mut all = vec![0.0; bones];
        for (palette_index, weight) in mesh.influences().of(vertex as usize) {
            all[palette_index] += weight;
        }
        all
    };
    for &[a, b, c] in mesh.triangles() {
        for (from, to) in [(a, b), (b, c), (c, a)] {
            let length = mesh.positions()[from as usize].distance(mesh.positions()[to as usize]);
            let change: f64 = weights(from)
                .iter()
                .zip(weights(to))
                .map(|(x, y)| (x - y).abs())
                .sum::<f64>()
                / 2.0;
            // A full change needs up to a centimetre, the thickness of a finger.
            let limit = 0.35 + f64::from(length) / 0.010;
            assert!(
                change <= limit,
                "{change} over {length} m at {}",
                mesh.positions()[from as usize]
            );
        }
    }
}
