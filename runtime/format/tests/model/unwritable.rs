//! Characters that cannot be written are rejected with a specific error.

use std::io::{self, Write};

use glam::{DAffine3, DQuat, DVec3, Vec3};
use throng_format::{ModelError, ModelExtras, write_model};
use throng_rig::{Character, CharacterParts, Influences, Joint, Mesh, Skeleton, Skin};

use crate::everything::{everything, everything_in_parts, many_joints};

/// Error of writing a changed character.
#[track_caller]
fn unwritable(edit: impl FnOnce(&mut CharacterParts)) -> ModelError {
    let mut parts = everything_in_parts();
    edit(&mut parts);
    let character = Character::new(parts).unwrap();
    write_model(&character, ModelExtras::default(), &mut io::sink()).unwrap_err()
}

fn change_joint(parts: &mut CharacterParts, joint: usize, edit: impl FnOnce(&mut Joint)) {
    let mut joints = parts.skeleton.joints().to_vec();
    edit(&mut joints[joint]);
    parts.skeleton = Skeleton::new(joints).unwrap();
}

#[test]
fn rejects_values_that_are_not_finite_as_float32() {
    let location = |edit: &dyn Fn(&mut CharacterParts)| match unwritable(edit) {
        ModelError::NotFinite { location } => location,
        other => panic!("{other}"),
    };
    let far = |parts: &mut CharacterParts| {
        change_joint(parts, 1, |joint| {
            joint.parent_from_joint.translation.x = 1e60;
        });
    };
    assert_eq!(location(&far), "the transform of joint 1 'hip'");
    let wide = |parts: &mut CharacterParts| {
        change_joint(parts, 1, |joint| joint.parent_from_joint.scale.z = -1e60);
    };
    assert_eq!(location(&wide), "the transform of joint 1 'hip'");
    let bind = |parts: &mut CharacterParts| {
        let matrix = DAffine3::from_translation(DVec3::X * 1e60);
        let skin = Skin::new(String::new(), &parts.skeleton, vec![1], vec![matrix]);
        parts.skins[1] = skin.unwrap();
    };
    assert_eq!(location(&bind), "the inverse bind matrix 0 of skin 1");
}

#[test]
fn rejects_a_rotation_that_is_not_a_unit_quaternion() {
    let error = unwritable(|parts| {
        change_joint(parts, 1, |joint| {
            joint.parent_from_joint.rotation = DQuat::from_xyzw(0.0, 0.0, 0.0, 2.0);
        });
    });
    assert_eq!(
        error.to_string(),
        "joint 1 'hip': expected a rotation of length 1, found 2: normalise it"
    );
}

#[test]
fn rejects_shared_vertices_that_differ() {
    let error = unwritable(|parts| {
        let mut normals = parts.meshes[0].normals().to_vec();
        normals[2] = Vec3::X;
        parts.meshes[0].set_normals(normals).unwrap();
    });
    assert!(
        matches!(error, ModelError::UniqueMismatch { mesh: 0, .. }),
        "{error}"
    );
}

#[test]
fn rejects_joints_above_16_bits() {
    let mut parts = many_joints().into_parts();
    let joints = vec![parts.skeleton.joints()[0].clone(); 65537];
    parts.skeleton = Skeleton::new(joints).unwrap();
    let skin = |len: usize| {
        let matrices = vec![DAffine3::IDENTITY; len];
        Skin::new(String::new(), &parts.skeleton, (0..len).collect(), matrices).unwrap()
    };
    parts.skins = vec![skin(65537)];
    parts.parts[0].morph_set = None;
    let result = |joint: u32| {
        let influences = Influences::new([[(joint, 1.0)]]).unwrap();
        let mut parts = parts.clone();
        parts.meshes = vec![Mesh::new(vec![Vec3::ZERO], vec![], influences).unwrap()];
        let character = Character::new(parts).unwrap();
        write_model(&character, ModelExtras::default(), &mut io::sink())
    };
    assert!(result(65535).is_ok());
    let error = result(65536).unwrap_err();
    assert!(
        matches!(
            error,
            ModelError::JointTooHigh {
                mesh: 0,
                joint: 65536
            }
        ),
        "{error}"
    );
}

#[test]
fn rejects_too_many_skins_times_joints() {
    // 2^16 joints, and 2^12 + 1 skins of two.
    let mut parts = many_joints().into_parts();
    let joints = vec![parts.skeleton.joints()[0].clone(); 1 << 16];
    parts.skeleton = Skeleton::new(joints).unwrap();
    let matrices = vec![DAffine3::IDENTITY; 2];
    let skin = Skin::new(String::new(), &parts.skeleton, vec![0, 1], matrices).unwrap();
    parts.skins = vec![skin; (1 << 12) + 1];
    (parts.meshes, parts.parts) = (Vec::new(), Vec::new());
    let character = Character::new(parts).unwrap();
    let error = write_model(&character, ModelExtras::default(), &mut io::sink()).unwrap_err();
    assert!(matches!(error, ModelError::TooManySkins { .. }), "{error}");
}

#[test]
fn errors_of_the_writer_are_returned() {
    struct Full;
    impl Write for Full {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::StorageFull.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let error = write_model(&everything(), ModelExtras::default(), &mut Full).unwrap_err();
    assert!(matches!(error, ModelError::Write(_)), "{error}");
}
