//! Last steps of every import: leaf joints, limits on the whole character, and the final check.

use throng_rig::{Character, CharacterParts, Clip, Mesh, Part, Skeleton};

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
    let reaches = leaves::reaches(&parts.skeleton, &parts.skins, &parts.meshes, &parts.parts);
    parts.skeleton = leaves::mark_and_add(parts.skeleton, &reaches, options.leaves, warnings)
        .map_err(|error| Fault::data("", error))?;
    Character::new(parts).map_err(|error| Fault::data("", error))
}

/// Assembles a character without meshes. Clips that animate no joint are left out; a file without any other is an error.
pub(crate) fn assemble_motion(
    name: &str,
    skeleton: Skeleton,
    mut clips: Vec<Clip>,
    options: &ImportOptions,
    warnings: &mut Vec<Warning>,
) -> Outcome<Character> {
    clips.retain(|clip| !clip.joints().is_empty());
    if clips.is_empty() {
        return Err(Fault::data("", "has no clip that moves a joint")
            .remedy("export the file with its animation, or pass another file as motion"));
    }
    reach::check(&skeleton, &clips)?;
    let mut reaches = vec![None; skeleton.len()];
    for tracks in clips.iter().flat_map(Clip::joints) {
        // An animated bone moves something, but nothing tells its length.
        reaches[tracks.joint] = Some(0.0);
    }
    let skeleton = leaves::mark_and_add(skeleton, &reaches, options.leaves, warnings)
        .map_err(|error| Fault::data("", error))?;
    let parts = CharacterParts::without_mesh(name.to_owned(), skeleton, clips);
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
