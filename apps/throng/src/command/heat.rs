//! Heat maps: errors as vertex colours.

use throng_bake::accuracy::HeatMap;
use throng_format::{ModelExtras, write_model};
use throng_rig::Character;
use throng_studio::ramp;

use super::CommandError;

/// Writes the character in its rest pose as a GLB, every vertex coloured by its maximum error: dark for none,
/// bright for the largest.
pub fn heat_glb(character: &Character, heat: &HeatMap) -> Result<Vec<u8>, CommandError> {
    let mut parts = character.clone().into_parts();
    parts.clips.clear();
    // A mesh that several parts share has different errors in each.
    let mut meshes = Vec::new();
    for (index, part) in parts.parts.iter_mut().enumerate() {
        let mut mesh = parts.meshes[part.mesh].clone();
        mesh.material = None;
        mesh.set_colors(heat.colors(index, heat.max_m(), ramp))
            .map_err(|error| CommandError::Usage(error.to_string()))?;
        part.mesh = meshes.len();
        meshes.push(mesh);
    }
    parts.meshes = meshes;
    let coloured = Character::new(parts).map_err(|error| CommandError::Usage(error.to_string()))?;
    let mut bytes = Vec::new();
    write_model(&coloured, ModelExtras::default(), &mut bytes)
        .map_err(|error| CommandError::Failed(format!("cannot write the heat map: {error}")))?;
    Ok(bytes)
}
