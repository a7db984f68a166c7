//! Meshes on motion sets.

use throng_format::{MeshStorage, MotionMesh, SetMesh, Source, TextureSet};
use throng_rig::Character;

use super::ShareError;
use crate::BakeSettings;
use crate::accuracy::Comparison;
use crate::bake::{allowed_error_m, as_stored, bounds_of_clips, check_vertices};
use crate::order::drawing_order;
use crate::plan::BakePlan;
use crate::sampler::VertexSampler;
use crate::search::keep_influences;

/// Returns the set of a character that plays a motion set: its mesh, unrounded, under the same textures. The character must
/// have the joints and the clips of the motion set.
pub fn set_on_mesh(
    motion: &TextureSet,
    character: &Character,
    source: Source,
) -> Result<TextureSet, ShareError> {
    let settings = BakeSettings {
        mesh: MeshStorage::Exact,
        skinning: motion.manifest().method,
        ..BakeSettings::default()
    };
    member_set(motion, character, &settings, source)
}

/// [`set_on_mesh`] with the mesh stored as the settings say, which must be resolved.
pub(super) fn member_set(
    motion: &TextureSet,
    character: &Character,
    settings: &BakeSettings,
    mut source: Source,
) -> Result<TextureSet, ShareError> {
    check_vertices(character)?;
    let mut character = drawing_order(character);
    // A search may have left out joints that only light influences move.
    let kept = motion.manifest().source.max_influences;
    if let Some(limit) = kept {
        character = keep_influences(&character, limit);
        source.max_influences = Some(source.max_influences.map_or(limit, |own| own.min(limit)));
    }
    let sampler = VertexSampler::new(&character, settings.skinning);
    let clips = Comparison::clips_of(motion.manifest(), &character)?;
    let plan = BakePlan::of_set(motion.manifest(), clips);
    let clip_bounds = bounds_of_clips(&sampler, &plan, allowed_error_m(&sampler, settings));
    let size = sampler.size();
    let mesh = SetMesh {
        storage: settings.mesh,
        ..as_stored(character.clone().into_parts(), settings, size)?.into()
    };
    Ok(motion.with_mesh(MotionMesh {
        name: character.name.clone(),
        source,
        mesh,
        size,
        clip_bounds,
    })?)
}
