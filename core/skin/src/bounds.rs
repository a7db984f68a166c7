//! Bounding box and size of a posed character.

use throng_rig::{Bounds, Character, CharacterPose, Method, Skinning};

use crate::reference::{Skinned, skin_part};

/// Returns the bounding box of all parts in a pose, in model space.
pub fn posed_bounds(
    character: &Character,
    pose: &CharacterPose,
    skinning: impl Into<Skinning>,
) -> Bounds {
    let skinning = skinning.into();
    let mut bounds = Bounds::EMPTY;
    let mut skinned = Skinned::default();
    for part in character.parts() {
        skin_part(character, part, pose, skinning, &mut skinned);
        for &position in &skinned.positions {
            bounds.add(position);
        }
    }
    bounds
}

/// Returns the size of a character in metres: the largest extent of its bounding box in the rest pose.
/// Errors are stated relative to it.
pub fn rest_size(character: &Character) -> f64 {
    let rest = CharacterPose::rest(character);
    posed_bounds(character, &rest, Method::Lbs)
        .extent()
        .max_element()
}
