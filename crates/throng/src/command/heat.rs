//! Where on the surface the errors are, as colours.

use std::path::Path;

use throng_bake::accuracy::HeatMap;
use throng_format::write_model;
use throng_rig::Character;

use super::CommandError;
use crate::export::ExportError;

/// Writes the character in its rest pose, every vertex coloured by its largest error: dark where there is
/// none, bright at `full_m` metres and beyond.
pub fn write_heat(
    character: &Character,
    heat: &HeatMap,
    full_m: f32,
    path: &Path,
) -> Result<(), CommandError> {
    let mut parts = character.clone().into_parts();
    parts.clips.clear();
    // A mesh that several parts share has a colour in each.
    let mut meshes = Vec::new();
    for (index, part) in parts.parts.iter_mut().enumerate() {
        let mut mesh = parts.meshes[part.mesh].clone();
        mesh.material = None;
        mesh.set_colors(heat.colors(index, full_m))
            .map_err(|error| CommandError::Usage(error.to_string()))?;
        part.mesh = meshes.len();
        meshes.push(mesh);
    }
    parts.meshes = meshes;
    let coloured = Character::new(parts).map_err(|error| CommandError::Usage(error.to_string()))?;
    let mut bytes = Vec::new();
    write_model(&coloured, None, &mut bytes)
        .map_err(|error| CommandError::Limit(format!("{}: {error}", path.display())))?;
    throng_format::atomic::write_file(path, &bytes).map_err(ExportError::from)?;
    Ok(())
}
