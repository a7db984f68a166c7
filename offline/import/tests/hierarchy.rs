//! Hierarchy: joints and rigid parts inherit the transforms of all ancestors, with scale, shear and
//! mirroring. The node of a skinned mesh is ignored.

mod common;

use common::{
    Glb, assert_close, assert_finite, by_hand, has_warning, normals, posed, round_to_f32, triangle,
};
use glam::{DMat4, DQuat, DVec3};
use serde_json::{Value, json};
use throng_import::Warning;
use throng_rig::JointKind;

const ALL: [[f32; 4]; 3] = [[1.0, 0.0, 0.0, 0.0]; 3];

/// Returns the JSON of a node and its matrix.
fn trs(translation: [f64; 3], rotation: DQuat, scale: [f64; 3]) -> (Value, DMat4) {
    let matrix = DMat4::from_scale_rotation_translation(
        DVec3::from_array(scale),
        rotation,
        DVec3::from_array(translation),
    );
    let node =
        json!({ "translation": translation, "rotation": rotation.to_array(), "scale": scale });
    (node, matrix)
}

fn with_children(mut node: Value, children: &[usize]) -> Value {
    node["children"] = json!(children);
    node
}

fn corners() -> [DVec3; 3] {
    triangle().map(|c| DVec3::from_array(c.map(f64::from)))
}

/// Returns a shear, which translation, rotation and scale cannot represent.
fn shear() -> DMat4 {
    DMat4::from_cols_array(&[
        1.0, 0.0, 0.0, 0.0, 0.75, 1.0, 0.0, 0.0, 0.0, -0.5, 2.0, 0.0, 3.0, -1.0, 0.5, 1.0,
    ])
}

/// A skin of two joints, with nodes above and between them that scale, shear and mirror.
#[test]
fn transforms_of_nodes_above_and_between_joints_apply() {
    let rotation = DQuat::from_rotation_x(0.7);
    let (above, above_matrix) = trs([1., 2., 3.], DQuat::from_rotation_z(0.3), [1., 4., 0.5]);
    let (between, between_matrix) = trs([0., 1., 0.], rotation, [-2., 1., 1.]);
    let (first, first_matrix) = trs([0., 0.5, 0.], DQuat::from_rotation_y(1.1), [1.; 3]);
    let (second, second_matrix) = trs([0.2, 0., 0.1], rotation, [1., 1., 3.]);
    let mut glb = Glb::new();
    let second = glb.node(second);
    let sheared = glb.node(json!({ "matrix": shear().to_cols_array(), "children": [second] }));
    let between = glb.node(with_children(between, &[sheared]));
    let first = glb.node(with_children(first, &[between]));
    let above = glb.node(with_children(above, &[first]));
    let joint_from_bind = [
        DMat4::from_translation(DVec3::new(0.0, -1.0, 0.25)),
        round_to_f32(DMat4::from_rotation_x(-0.4) * DMat4::from_scale(DVec3::splat(0.01))),
    ];
    let skin = glb.skin(&[first, second], &joint_from_bind);
    let attributes = glb.weighted(
        &triangle(),
        &[[0, 1, 0, 0]; 3],
        &[[1., 0., 0., 0.], [0.5, 0.5, 0., 0.], [0.25, 0.75, 0., 0.]],
    );
    let mesh = glb.mesh(json!({ "attributes": attributes }));
    let (elsewhere, _) = trs([50., 60., 70.], rotation, [9., 9., -9.]);
    let mut drawn = with_children(elsewhere, &[]);
    drawn["mesh"] = json!(mesh);
    drawn["skin"] = json!(skin);
    let drawn = glb.node(drawn);
    glb.json["scenes"] = json!([{ "nodes": [above, drawn] }]);

    let first_model = above_matrix * first_matrix;
    let second_model = first_model * between_matrix * shear() * second_matrix;
    let weights = [[1.0, 0.0], [0.5, 0.5], [0.25, 0.75]];
    let expected: Vec<DVec3> = triangle()
        .iter()
        .zip(weights)
        .map(|(&corner, [a, b])| {
            by_hand(
                corner,
                &[
                    (a, first_model, joint_from_bind[0]),
                    (b, second_model, joint_from_bind[1]),
                ],
            )
        })
        .collect();
    let import = glb.import();
    assert_close(&posed(&import.character, 0, None), &expected, 1e-12);
    assert!(has_warning(
        &import.warnings,
        |w| matches!(w, Warning::NodeSheared { node } if *node == format!("node {sheared}"))
    ));
    assert_finite(&import.character, 0, "sheared");
}

#[test]
fn animations_of_nodes_between_joints_apply() {
    let mut glb = Glb::new();
    let hand = glb.node(json!({ "translation": [0., 1., 0.] }));
    let between = glb.node(json!({ "scale": [1., 2., 1.], "children": [hand] }));
    let arm = glb.node(json!({ "children": [between] }));
    let above = glb.node(json!({ "children": [arm] }));
    let skin = glb.push("skins", json!({ "joints": [arm, hand] }));
    let attributes = glb.weighted(&triangle(), &[[1, 0, 0, 0]; 3], &ALL);
    let mesh = glb.mesh(json!({ "attributes": attributes }));
    let drawn = glb.node(json!({ "mesh": mesh, "skin": skin }));
    glb.json["scenes"] = json!([{ "nodes": [above, drawn] }]);
    let clip = glb.clip("move");
    let rotations = [[0.0, 0.0, 0.0, 1.0], [0.6, 0.0, 0.0, 0.8]];
    let output = glb.floats(&rotations);
    glb.channel(clip, (between, "rotation"), "LINEAR", &[0.0, 1.0], output);
    let output = glb.floats(&[[1.0, 1.0, 1.0], [3.0, 1.0, 0.5]]);
    glb.channel(clip, (above, "scale"), "LINEAR", &[0.0, 1.0], output);

    let rotation = DQuat::from_array(rotations[1].map(f64::from)).normalize();
    let rotated =
        DMat4::from_scale_rotation_translation(DVec3::new(1., 2., 1.), rotation, DVec3::ZERO);
    let model =
        DMat4::from_scale(DVec3::new(3.0, 1.0, 0.5)) * rotated * DMat4::from_translation(DVec3::Y);
    let expected = corners().map(|c| model.transform_point3(c));
    let found = posed(&glb.import().character, 0, Some((0, 1.0)));
    assert_close(&found, &expected, 1e-7); // Keys have unit length to float32 precision.
}

#[test]
fn transform_of_a_skinned_mesh_node_is_ignored() {
    let mut glb = Glb::new();
    let joint = glb.node(json!({ "translation": [1., 0., 0.] }));
    let skin = glb.push("skins", json!({ "joints": [joint] }));
    let attributes = glb.weighted(&triangle(), &[[0; 4]; 3], &ALL);
    let mesh = glb.mesh(json!({ "attributes": attributes }));
    let drawn = glb.node(
        json!({ "mesh": mesh, "skin": skin, "scale": [7., 7., -7.], "translation": [9., 9., 9.] }),
    );
    glb.node(json!({ "children": [drawn], "translation": [100., 0., 0.] }));
    let expected = corners().map(|c| c + DVec3::X);
    assert_close(&posed(&glb.import().character, 0, None), &expected, 0.0);
}

#[test]
fn without_inverse_bind_matrices_vertices_are_in_joint_space() {
    let mut glb = Glb::new();
    let (node, model) = trs([1., 2., 3.], DQuat::from_rotation_y(0.5), [2., 1., 1.]);
    let joint = glb.node(node);
    let skin = glb.push("skins", json!({ "joints": [joint] }));
    let attributes = glb.weighted(&triangle(), &[[0; 4]; 3], &ALL);
    let mesh = glb.mesh(json!({ "attributes": attributes }));
    glb.node(json!({ "mesh": mesh, "skin": skin }));
    let expected = corners().map(|c| model.transform_point3(c));
    assert_close(&posed(&glb.import().character, 0, None), &expected, 1e-14);
}

#[test]
fn skin_may_span_several_trees() {
    let mut glb = Glb::new();
    let left = glb.node(json!({ "translation": [-1., 0., 0.] }));
    let right = glb.node(json!({ "translation": [1., 0., 0.] }));
    glb.node(json!({ "children": [right], "translation": [0., 3., 0.] }));
    let skin = glb.push("skins", json!({ "joints": [right, left] }));
    let attributes = glb.weighted(&triangle(), &[[0, 1, 0, 0]; 3], &[[0.75, 0.25, 0., 0.]; 3]);
    let mesh = glb.mesh(json!({ "attributes": attributes }));
    glb.node(json!({ "mesh": mesh, "skin": skin }));
    let character = glb.import().character;
    let expected = corners().map(|c| c + DVec3::new(0.75 - 0.25, 0.75 * 3.0, 0.0));
    assert_close(&posed(&character, 0, None), &expected, 1e-14);
    assert_eq!(character.skeleton().root_count(), 2);
}

#[test]
fn skins_share_joints_and_meshes() {
    let mut glb = Glb::new();
    let tip = glb.node(json!({ "translation": [0., 1., 0.] }));
    let root = glb.node(json!({ "translation": [1., 0., 0.], "children": [tip] }));
    let shift = DMat4::from_translation(DVec3::new(0.0, 0.0, 5.0));
    // The same joints in another order with other matrices, and one more joint.
    let plain = glb.skin(&[root, tip], &[DMat4::IDENTITY; 2]);
    let other = glb.skin(&[tip, root, tip], &[shift; 3]);
    let attributes = glb.weighted(&triangle(), &[[0, 1, 0, 0]; 3], &[[0.25, 0.75, 0., 0.]; 3]);
    let mesh = glb.mesh(json!({ "attributes": attributes }));
    glb.node(json!({ "mesh": mesh, "skin": plain }));
    glb.node(json!({ "mesh": mesh, "skin": other }));
    let character = glb.import().character;
    assert_eq!(character.parts().len(), 2);
    assert_eq!(character.meshes().len(), 1, "read once");
    let bones = character.skeleton().joints().iter();
    assert_eq!(bones.filter(|j| j.kind == JointKind::Bone).count(), 2);
    let root = DVec3::X;
    let tip = DVec3::X + DVec3::Y;
    let plain = corners().map(|c| c + root * 0.25 + tip * 0.75);
    let shifted = corners().map(|c| c + DVec3::Z * 5.0 + tip * 0.25 + root * 0.75);
    assert_close(&posed(&character, 0, None), &plain, 1e-14);
    assert_close(&posed(&character, 1, None), &shifted, 1e-14);
}

#[test]
fn rigid_part_follows_its_node() {
    let mut glb = Glb::new();
    let mesh = glb.triangle_mesh();
    let arm = glb.node(json!({ "mesh": mesh, "translation": [0., 1., 0.] }));
    let body = glb.node(json!({ "children": [arm], "scale": [1., 2., 1.] }));
    let clip = glb.clip("rotate");
    let output = glb.floats(&[[0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 1.0, 0.0]]);
    glb.channel(clip, (body, "rotation"), "LINEAR", &[0.0, 2.0], output);
    let character = glb.import().character;
    for quarter in 0..=4 {
        let angle = std::f64::consts::PI * f64::from(quarter) / 4.0;
        let model = DMat4::from_rotation_z(angle)
            * DMat4::from_scale(DVec3::new(1., 2., 1.))
            * DMat4::from_translation(DVec3::Y);
        let expected = corners().map(|c| model.transform_point3(c));
        let found = posed(&character, 0, Some((0, f64::from(quarter) / 2.0)));
        assert_close(&found, &expected, 1e-12);
    }
}

/// Returns positions and normals of a tetrahedron around the origin, wound outwards, with separate vertices
/// per face.
fn tetrahedron() -> ([[f32; 3]; 12], [[f32; 3]; 12]) {
    let corners = [[1., 1., 1.], [-1., -1., 1.], [-1., 1., -1.], [1., -1., -1.]];
    let faces: [[usize; 3]; 4] = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    let positions = std::array::from_fn(|i| corners[faces[i / 3][i % 3]]);
    let normals = std::array::from_fn(|i| {
        // Away from the corner that is not in the face.
        let lacks = 6 - faces[i / 3].iter().sum::<usize>();
        let unit = 1.0 / 3.0_f32.sqrt();
        corners[lacks].map(|x: f32| -x * unit)
    });
    (positions, normals)
}

#[test]
fn mirrored_rigid_mesh_faces_outwards() {
    let mirror_by_matrix = DMat4::from_cols_array(&[
        1., 0., 0., 0., 0.5, 1., 0., 0., 0., 0.25, -2., 0., 0., 0., 0., 1.,
    ]);
    let rotation = DQuat::from_rotation_x(1.2);
    let mirrors: [(Value, DMat4); 4] = [
        trs([0.; 3], DQuat::IDENTITY, [-1., 2., 1.]),
        trs([0.; 3], rotation, [-1., -1., -3.]),
        (
            json!({ "matrix": mirror_by_matrix.to_cols_array() }),
            mirror_by_matrix,
        ),
        // Two mirrorings are a rotation.
        trs([0.; 3], rotation, [-1., 1., -1.]),
    ];
    for (parent, matrix) in mirrors {
        for given in [true, false] {
            let (positions, file_normals) = tetrahedron();
            let mut glb = Glb::new();
            let mut attributes = json!({ "POSITION": glb.floats(&positions) });
            if given {
                attributes["NORMAL"] = json!(glb.floats(&file_normals));
            }
            let mesh = glb.mesh(json!({ "attributes": attributes }));
            let solid = glb.node(json!({ "mesh": mesh, "translation": [0.25, 0., 0.] }));
            glb.node(with_children(parent.clone(), &[solid]));
            let character = glb.import().character;
            let found = posed(&character, 0, None);
            // The positions are still mirrored.
            let model = matrix * DMat4::from_translation(DVec3::new(0.25, 0.0, 0.0));
            let expected =
                positions.map(|p| model.transform_point3(DVec3::from_array(p.map(f64::from))));
            assert_close(&found, &expected, 1e-12);

            let centre = found.iter().sum::<DVec3>() / 12.0;
            let normals = normals(&character, 0, None);
            for triangle in character.meshes()[0].triangles() {
                let [a, b, c] = triangle.map(|v| found[v as usize]);
                let by_winding = (b - a).cross(c - a).normalize();
                assert!(by_winding.dot(a - centre) > 0.0, "wound inwards: {parent}");
                for &vertex in triangle {
                    let normal = normals[vertex as usize];
                    assert!(
                        normal.dot(by_winding) > 0.999_999,
                        "{normal} for {by_winding}: {parent}"
                    );
                }
            }
        }
    }
}

#[test]
fn only_the_default_scene_is_drawn() {
    let mut glb = Glb::new();
    let mesh = glb.triangle_mesh();
    for name in ["first", "second", "nowhere"] {
        let child = glb.node(json!({ "name": name, "mesh": mesh }));
        glb.node(json!({ "children": [child] }));
    }
    let drawn = |glb: &Glb| -> Vec<String> {
        let character = glb.import().character;
        let parts = character.parts().iter();
        parts.map(|part| part.node_name.clone()).collect()
    };
    assert_eq!(
        drawn(&glb),
        ["first", "second", "nowhere"],
        "no scenes: all nodes"
    );
    glb.json["scenes"] = json!([{ "nodes": [1] }, { "nodes": [3, 3] }, {}]);
    assert_eq!(drawn(&glb), ["first"], "no default scene: the first");
    glb.json["scene"] = json!(1);
    assert_eq!(drawn(&glb), ["second"]);
    assert!(has_warning(&glb.import().warnings, |w| matches!(
        w,
        Warning::Unused { what }
            if what == "2 mesh nodes are not in the default scene and were ignored"
    )));
    glb.json["scene"] = json!(2);
    assert!(drawn(&glb).is_empty());
    glb.json["scene"] = json!(3);
    assert_eq!(glb.import_error().kind, throng_import::ErrorKind::Reference);
}

#[test]
fn joints_outside_the_scene_still_move_the_skin() {
    let mut glb = Glb::new();
    let joint = glb.node(json!({}));
    let above = glb.node(json!({ "children": [joint], "translation": [0., 4., 0.] }));
    let skin = glb.push("skins", json!({ "joints": [joint] }));
    let attributes = glb.weighted(&triangle(), &[[0; 4]; 3], &ALL);
    let mesh = glb.mesh(json!({ "attributes": attributes }));
    let drawn = glb.node(json!({ "mesh": mesh, "skin": skin }));
    glb.json["scenes"] = json!([{ "nodes": [drawn] }]);
    let clip = glb.clip("move");
    let output = glb.floats(&[[1.0, 0.0, 0.0]]);
    glb.channel(clip, (above, "translation"), "STEP", &[0.0], output);
    let character = glb.import().character;
    let at = |shift: DVec3| corners().map(|c| c + shift);
    assert_close(&posed(&character, 0, None), &at(DVec3::Y * 4.0), 0.0);
    assert_close(&posed(&character, 0, Some((0, 0.0))), &at(DVec3::X), 0.0);
}

#[test]
fn rejects_nodes_that_do_not_form_a_tree() {
    let broken: [(Value, &str); 4] = [
        (
            json!([{ "children": [1] }, { "children": [0] }]),
            "ancestor",
        ),
        (json!([{ "children": [0] }]), "own child"),
        (
            json!([{ "children": [2] }, { "children": [2] }, {}]),
            "has two parents, node 0 and node 1",
        ),
        (
            json!([{ "children": [1, 1] }, {}]),
            "has two parents, node 0 and node 0",
        ),
    ];
    for (nodes, problem) in broken {
        let mut glb = Glb::new();
        glb.json["nodes"] = nodes;
        let error = glb.import_error();
        assert_eq!(error.kind, throng_import::ErrorKind::Hierarchy);
        assert!(error.to_string().contains(problem), "{error}");
    }
    let mut glb = Glb::new();
    glb.node(json!({ "children": [1] }));
    assert_eq!(glb.import_error().kind, throng_import::ErrorKind::Reference);
}
