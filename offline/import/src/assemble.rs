//! The last steps of every import: ends of bones, limits over the whole, and the check that all fits.

use throng_rig::{Character, CharacterParts, Mesh, Part};

use crate::error::{Fault, Outcome};
use crate::limits::{MAX_PART_VERTICES, PART_VERTICES_PER_FILE_BYTE};
use crate::{ImportOptions, Warning, leaves, reach};

/// Puts a character together from what a file holds.
pub(crate) fn assemble(
    mut parts: CharacterParts,
    options: &ImportOptions,
    warnings: &mut Vec<Warning>,
) -> Outcome<Character> {
    reach::check(&parts.skeleton, &parts.clips)?;
    parts.skeleton = leaves::finish(
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

/// Many nodes may share a mesh, so a small file can ask for very many vertices.
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
        format_args!("{vertices} vertices over {} parts", parts.len()),
        "MAX_PART_VERTICES + PART_VERTICES_PER_FILE_BYTE × file size",
        limit,
    ))
}
