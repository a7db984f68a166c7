//! Rest meshes in the units of the pose: virtual bones cannot scale, so a scale that a skin gives to all of its vertices is
//! applied to them beforehand.

use glam::{DAffine3, DVec3};
use throng_rig::{Character, CharacterPose, Skin};

use crate::BakeSettings;
use crate::mesh_per_part::mesh_per_part;

/// Relative difference of scales that counts as rounding.
const TOLERANCE: f64 = 1e-4;

/// Returns the character with one mesh per part, and without the scale that all joints of a skin give to its vertices: it
/// moves from inverse bind matrices into positions. Motion is unchanged. Other scales are left as they are.
pub(crate) fn with_rest_meshes(character: &Character, settings: &BakeSettings) -> Character {
    let mut pose = CharacterPose::rest(character);
    let clip = settings.clips.first().copied().unwrap_or(0);
    if let Some(clip) = character.clips().get(clip) {
        pose.sample(character, clip, clip.start_secs());
    }
    let used = character.used_palette_indices();
    let skins = character.skins().iter().zip(&used);
    let scales: Vec<f64> = skins
        .map(|(skin, used)| common_scale(skin, used, &pose.model.model_from_joint).unwrap_or(1.0))
        .collect();
    let mut parts = mesh_per_part(character);
    for (skin, &scale) in parts.skins.iter_mut().zip(&scales) {
        let bind_from_mesh = DAffine3::from_scale(DVec3::splat(1.0 / scale));
        let matrices = skin.joint_from_bind().iter();
        let matrices = matrices.map(|matrix| *matrix * bind_from_mesh).collect();
        let joints = skin.joints().to_vec();
        *skin = Skin::new(skin.name.clone(), character.skeleton(), joints, matrices)
            .expect("scaled matrices of a skin are a skin");
    }
    for (mesh, part) in parts.meshes.iter_mut().zip(character.parts()) {
        mesh.scale_positions(scales[part.skin] as f32);
    }
    Character::new(parts).expect("a character in other units is a character")
}

/// Returns the scale that all used joints of a skin have in common; `None` if there is none, or if it is one.
fn common_scale(skin: &Skin, used: &[bool], model_from_joint: &[DAffine3]) -> Option<f64> {
    let joints = skin.joints().iter().zip(skin.joint_from_bind());
    let mut scales =
        joints
            .zip(used)
            .filter(|(_, used)| **used)
            .map(|((&joint, joint_from_bind), _)| {
                let matrix = model_from_joint[joint].matrix3 * joint_from_bind.matrix3;
                matrix.determinant().cbrt()
            });
    // As stored: positions are float32.
    let first = f64::from(scales.next()? as f32);
    let is_near = |scale: f64| (scale - first).abs() <= TOLERANCE * first;
    let is_common = first > 0.0 && (first - 1.0).abs() > TOLERANCE && scales.all(is_near);
    is_common.then_some(first)
}
