//! Last steps of every import: leaf joints, limits on the whole character, and the final check.

use throng_rig::{Character, CharacterParts, Mesh, Part};

use crate::error::{Fault, Outcome};
use crate::limits::{MAX_PART_VERTICES, MAX_SKIN_JOINTS, PART_VERTICES_PER_FILE_BYTE};
use crate::{ImportOptions, Warning, leaves, reach};

/// Assembles a character from the parts of a file.
pub(crate) fn assemble(
    mut parts: CharacterParts,
    options: &ImportOptions,
    warnings: &mut Vec<Warning>,
) -> Outcome<Character> {
    reach::check(&parts.skeleton, &parts.clips)?;
    reach::check_skins(&parts.skins)?;
    parts.skeleton = leaves::mark_and_add(
        parts.skeleton,
        &parts.skins,
        &parts.meshes,
        &parts.parts,
        options.leaves,
        warnings,
    )
    .map_err(|error| Fault::data("", error))?;
    Character::new(parts).map_err(|error| Fault::data("", error))
}

/// Checks the number of joints over all skins.
pub(crate) fn check_skin_joints(joints: usize) -> Outcome<()> {
    if joints <= MAX_SKIN_JOINTS {
        return Ok(());
    }
    Err(Fault::limit(
        "",
        format_args!("has skins of {joints} joints together"),
        "MAX_SKIN_JOINTS",
        MAX_SKIN_JOINTS,
    ))
}

/// Checks the number of vertices over all parts. Many nodes may share a mesh, so a small file can ask for
/// very many vertices.
pub(crate) fn check_part_vertices(meshes: &[Mesh], parts: &[Part], file_bytes: u64) -> Outcome<()> {
    let vertices: u64 = parts
        .iter()
        .map(|part| meshes[part.mesh].vertex_count() as u64)
        .sum();
    let limit = MAX_PART_VERTICES + PART_VERTICES_PER_FILE_BYTE * file_bytes;
    if vertices <= limit {
        return Ok(());
    }
    Err(Fault::limit(
        "",
        format_args!("has {vertices} vertices in {} parts", parts.len()),
        "MAX_PART_VERTICES + PART_VERTICES_PER_FILE_BYTE × file size",
        limit,
    ))
}
