//! Models round-trip exactly.

use throng_format::read_model;
use throng_rig::{
    Character, CharacterParts, CharacterPose, Mesh, Method, Skeleton, Skin, Transform,
};
use throng_skin::reference::{Skinned, skin_part};
use throng_skin::rest_size;

use crate::files::{for_every_character, written, written_compact};

/// Fraction of the character's size that a vertex may move, since joints and inverse bind matrices are rounded to float32.
const REST_TOLERANCE: f64 = 1e-6;

/// The expected result of a round trip: without clips and control points, joints and inverse bind matrices rounded.
fn as_read(character: &Character) -> Character {
    let parts = character.clone().into_parts();
    let mut joints = parts.skeleton.joints().to_vec();
    for joint in &mut joints {
        let Transform {
            translation,
            rotation,
            scale,
        } = joint.parent_from_joint;
        joint.parent_from_joint = Transform {
            translation: translation.as_vec3().as_dvec3(),
            rotation: rotation.as_quat().as_dquat(),
            scale: scale.as_vec3().as_dvec3(),
        };
    }
    let skeleton = Skeleton::new(joints).unwrap();
    let rounded = |skin: &Skin| {
        let matrices = skin.joint_from_bind().iter();
        let matrices = matrices.map(|m| m.as_affine3().as_daffine3()).collect();
        let joints = skin.joints().to_vec();
        Skin::new(skin.name.clone(), &skeleton, joints, matrices).unwrap()
    };
    Character::new(CharacterParts {
        skins: parts.skins.iter().map(rounded).collect(),
        meshes: parts.meshes.iter().map(without_points).collect(),
        skeleton,
        clips: Vec::new(),
        ..parts
    })
    .unwrap()
}

fn without_points(mesh: &Mesh) -> Mesh {
    if mesh.control_points().is_none() {
        return mesh.clone();
    }
    let (positions, triangles) = (mesh.positions().to_vec(), mesh.triangles().to_vec());
    let mut out = Mesh::new(positions, triangles, mesh.influences().clone()).unwrap();
    out.set_normals(mesh.normals().to_vec()).unwrap();
    if !mesh.tangents().is_empty() {
        out.set_tangents(mesh.tangents().to_vec()).unwrap();
    }
    if !mesh.uvs().is_empty() {
        out.set_uvs(mesh.uvs().to_vec()).unwrap();
    }
    if !mesh.colors().is_empty() {
        out.set_colors(mesh.colors().to_vec()).unwrap();
    }
    if !mesh.rotation_centers().is_empty() {
        out.set_rotation_centers(mesh.rotation_centers().to_vec())
            .unwrap();
    }
    if !mesh.blend_factors().is_empty() {
        out.set_blend_factors(mesh.blend_factors().to_vec())
            .unwrap();
    }
    for target in mesh.morph_targets() {
        out.add_morph_target(target.clone()).unwrap();
    }
    out.set_unique(mesh.unique().clone()).unwrap();
    out.material = mesh.material;
    out.authored_method = mesh.authored_method;
    out
}

/// Maximum distance of vertices in the rest pose, as a fraction of the character's size.
fn rest_error(a: &Character, b: &Character) -> f64 {
    let poses = [a, b].map(CharacterPose::rest);
    let (mut in_a, mut in_b) = (Skinned::default(), Skinned::default());
    let mut worst: f64 = 0.0;
    for part in a.parts() {
        skin_part(a, part, &poses[0], Method::Lbs, &mut in_a);
        skin_part(b, part, &poses[1], Method::Lbs, &mut in_b);
        for (a, b) in in_a.positions.iter().zip(&in_b.positions) {
            worst = worst.max(a.distance(*b));
        }
    }
    if worst == 0.0 {
        0.0
    } else {
        worst / rest_size(a)
    }
}

#[test]
fn characters_round_trip_exactly_and_keep_their_rest_pose() {
    let mut count = 0;
    for_every_character(|name, character| {
        let bytes = written(&character, None);
        let model = read_model(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        let (found, expected) = (model.character, as_read(&character));
        assert_eq!(found.skeleton(), expected.skeleton(), "{name}");
        assert_eq!(found.skins(), expected.skins(), "{name}");
        for (index, (found, expected)) in found.meshes().iter().zip(expected.meshes()).enumerate() {
            assert!(found == expected, "{name}: mesh {index} differs");
        }
        assert!(found == expected, "{name} differs");
        // Debug text distinguishes the signs of zeros.
        assert!(
            format!("{found:?}") == format!("{expected:?}"),
            "{name} differs in a sign"
        );
        assert!(model.extension.is_none());
        assert!(
            written(&found, None) == bytes,
            "{name}: written again, the file differs"
        );

        let compact = written_compact(&character);
        let model = read_model(&compact).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(
            format!("{:?}", model.character) == format!("{expected:?}"),
            "{name} differs in compact storage"
        );

        let error = rest_error(&character, &found);
        println!("{error:9.2e} of size  {name}");
        assert!(error <= REST_TOLERANCE, "{name}: {error:.2e} of size");
        count += 1;
    });
    println!("{count} characters");
}
