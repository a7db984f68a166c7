//! Writes posed meshes.

use std::path::Path;

use throng_export::{Format, Posed, write_file};
use throng_rig::{Character, CharacterPose, Skinning};
use throng_skin::reference::{Skinned, skin_part};

/// Skins a pose in float64 and writes it. Returns a message for the user.
pub fn write(
    character: &Character,
    pose: &CharacterPose,
    skinning: Skinning,
    path: &Path,
) -> Result<String, String> {
    let format = Format::from_path(path).map_err(|error| error.to_string())?;
    let skinned = |part| {
        let mut skinned = Skinned::default();
        skin_part(character, part, pose, skinning, &mut skinned);
        skinned
    };
    let parts: Vec<Skinned> = character.parts().iter().map(skinned).collect();
    let posed = Posed {
        character,
        parts: &parts,
    };
    let bytes = format.encode(&posed).map_err(|error| error.to_string())?;
    write_file(path, &bytes).map_err(|error| error.to_string())?;
    Ok(format!("wrote {}", path.display()))
}
