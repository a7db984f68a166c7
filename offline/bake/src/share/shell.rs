//! Points around joints, to measure motion that has no mesh.

use glam::{DVec3, Vec3};
use throng_rig::{Bounds, Character, CharacterPose, Influences, Mesh, Part, Skin};

use crate::BakeError;

/// Distance of the points from their joint, as a part of the skeleton's size: 3 cm at 1.8 m.
const SHELL_OF_SIZE: f64 = 0.03 / 1.8;
/// Distance where the skeleton has no size, in metres.
const MIN_SHELL_M: f64 = 0.03;

/// Corners of an octahedron, and its triangles.
const CORNERS: [DVec3; 6] = [
    DVec3::X,
    DVec3::NEG_X,
    DVec3::Y,
    DVec3::NEG_Y,
    DVec3::Z,
    DVec3::NEG_Z,
];
const TRIANGLES: [[u32; 3]; 8] = [
    [0, 2, 4],
    [2, 1, 4],
    [1, 3, 4],
    [3, 0, 4],
    [2, 0, 5],
    [1, 2, 5],
    [3, 1, 5],
    [0, 3, 5],
];

/// Returns a character without parts as one with a shell: six points around each joint in the rest pose, which move rigidly
/// with it, at 3 cm for a skeleton of 1.8 m. Characters with parts are returned unchanged.
///
/// Joints whose rest transform has no inverse have no points. Errors where no joint has any.
pub fn with_shell(character: Character) -> Result<Character, BakeError> {
    if !character.parts().is_empty() {
        return Ok(character);
    }
    let model_from_joint = CharacterPose::rest(&character).model.model_from_joint;
    let joints: Vec<usize> = (0..model_from_joint.len())
        .filter(|&joint| model_from_joint[joint].inverse().is_finite())
        .collect();
    let no_vertices = BakeError::NoVertices {
        character: character.name.clone(),
    };
    if joints.is_empty() {
        return Err(no_vertices);
    }
    let origins = joints
        .iter()
        .map(|&joint| model_from_joint[joint].translation);
    let extent = Bounds::of(origins.clone()).extent().max_element();
    let radius = match extent > 0.0 {
        true => SHELL_OF_SIZE * extent,
        false => MIN_SHELL_M,
    };
    let positions = origins.flat_map(|origin| CORNERS.map(|c| (origin + c * radius).as_vec3()));
    let positions: Vec<Vec3> = positions.collect();
    let first_corners = (0..joints.len() as u32).map(|shell| shell * CORNERS.len() as u32);
    let triangles = first_corners.flat_map(|first| TRIANGLES.map(|t| t.map(|v| first + v)));
    let influences = (0..positions.len()).map(|vertex| [((vertex / CORNERS.len()) as u32, 1.0)]);
    let influences = Influences::new(influences).expect("one influence per vertex is valid");
    // Fails where a joint is so far away that float32 does not hold it.
    let mesh = Mesh::new(positions, triangles.collect(), influences).map_err(|_| no_vertices)?;
    let inverse_binds = joints
        .iter()
        .map(|&joint| model_from_joint[joint].inverse());
    let inverse_binds = inverse_binds.collect();
    let mut parts = character.into_parts();
    let skin = Skin::new("shell".into(), &parts.skeleton, joints, inverse_binds);
    parts.skins = vec![skin.expect("the joints are those of the skeleton")];
    parts.meshes = vec![mesh];
    parts.parts = vec![Part {
        node: 0,
        node_name: "shell".into(),
        primitive: 0,
        mesh: 0,
        skin: 0,
        morph_set: None,
    }];
    Ok(Character::new(parts).expect("a checked character stays valid with a shell"))
}

#[cfg(test)]
mod tests {
    use glam::DQuat;
    use throng_rig::{CharacterParts, Joint, JointKind, Skeleton, Transform};

    use super::*;

    /// A chain of joints that each turn and scale, without a mesh.
    fn chain(length_m: f64) -> Character {
        let joint = |(index, scale): (usize, f64)| Joint {
            name: format!("joint{index}"),
            parent: index.checked_sub(1),
            parent_from_joint: Transform {
                translation: DVec3::Y * length_m * if index == 0 { 0.0 } else { 1.0 },
                rotation: DQuat::from_rotation_x(0.3 * index as f64),
                scale: DVec3::splat(scale),
            },
            kind: JointKind::Bone,
        };
        let joints = [1.0, 0.5, 2.0].into_iter().enumerate().map(joint);
        let skeleton = Skeleton::new(joints.collect()).unwrap();
        let parts = CharacterParts::without_mesh("chain".into(), skeleton, Vec::new());
        Character::new(parts).unwrap()
    }

    #[test]
    fn points_are_at_one_distance_from_their_joint_at_any_scale() {
        for length_m in [0.01, 1.0, 250.0] {
            let bare = chain(length_m);
            let origins = CharacterPose::rest(&bare).model.model_from_joint;
            let extent = Bounds::of(origins.iter().map(|m| m.translation)).extent();
            let radius = extent.max_element() / 60.0;
            let shell = with_shell(bare).unwrap();
            let mesh = &shell.meshes()[0];
            assert_eq!(mesh.vertex_count(), 18);
            let skin = &shell.skins()[0];
            for (vertex, position) in mesh.positions().iter().enumerate() {
                let (palette_index, weight) = mesh.influences().of(vertex).next().unwrap();
                assert_eq!((palette_index, weight), (vertex / 6, 1.0));
                let origin = origins[skin.joints()[palette_index]].translation;
                let distance = position.as_dvec3().distance(origin);
                assert!(
                    (distance / radius - 1.0).abs() < 1e-3,
                    "{distance} {radius}"
                );
                // In the rest pose, skinning leaves the points where they are.
                let palette = origins[palette_index] * skin.joint_from_bind()[palette_index];
                let skinned = palette.transform_point3(position.as_dvec3());
                assert!(skinned.distance(position.as_dvec3()) < 1e-6 * length_m.max(1.0));
            }
            let size = throng_skin::rest_size(&shell);
            assert!((size - extent.max_element()).abs() < 2.1 * radius);
        }
    }

    #[test]
    fn skeleton_without_size_has_a_shell_of_3_cm() {
        let shell = with_shell(chain(0.0)).unwrap();
        let distance = shell.meshes()[0].positions()[0].length();
        assert!((distance - 0.03).abs() < 1e-6);
    }

    #[test]
    fn skeleton_without_joints_is_refused() {
        let mut parts = chain(1.0).into_parts();
        parts.skeleton = Skeleton::new(Vec::new()).unwrap();
        let error = with_shell(Character::new(parts).unwrap()).unwrap_err();
        assert!(matches!(error, BakeError::NoVertices { .. }), "{error}");
    }
}
