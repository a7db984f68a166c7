//! Levels of detail of the manifest must be those of the mesh file.

use throng_rig::{Character, Part};

use super::{ensure, ensure_count};
use crate::{Lod, LodTriangles, MAX_LODS, Manifest, SetError, SetMesh};

/// Checks that each level has fewer triangles than the one before, as many as its manifest entry says, on vertices that
/// exist.
pub(super) fn check_lods(manifest: &Manifest, mesh: &SetMesh) -> Result<(), SetError> {
    let found = manifest.lods.len();
    ensure_count("lods", found, mesh.lods.len(), "the mesh")?;
    ensure(
        found <= MAX_LODS,
        || "lods".into(),
        || format!("expected at most {MAX_LODS} levels of detail, found {found}"),
    )?;
    let model = &mesh.character;
    let mut finer = triangle_count(model, |part| model.mesh_of(part).triangles().len());
    for (index, (lod, triangles)) in manifest.lods.iter().zip(&mesh.lods).enumerate() {
        let location = format!("lods[{index}]");
        check_lod(&location, lod)?;
        check_triangles(&location, model, triangles)?;
        let count = triangle_count(model, |part| triangles.meshes[part.mesh].len());
        ensure(
            u64::from(lod.triangles) == count,
            || format!("{location}.triangles"),
            || {
                let found = lod.triangles;
                format!("expected {count} as in the mesh, found {found}")
            },
        )?;
        ensure(
            count > 0,
            || format!("{location}.triangles"),
            || "expected at least one triangle, found 0".into(),
        )?;
        ensure(
            count < finer,
            || format!("{location}.triangles"),
            || format!("expected fewer than the {finer} of the level before, found {count}"),
        )?;
        finer = count;
    }
    Ok(())
}

fn check_lod(location: &str, lod: &Lod) -> Result<(), SetError> {
    let error = lod.max_error_of_size;
    ensure(
        error.is_finite() && error >= 0.0,
        || format!("{location}.max_error_of_size"),
        || format!("expected an error that is not negative, found {error}"),
    )?;
    ensure(
        lod.max_influences > 0,
        || format!("{location}.max_influences"),
        || "expected at least one influence per vertex, found 0".into(),
    )
}

fn check_triangles(location: &str, model: &Character, lod: &LodTriangles) -> Result<(), SetError> {
    let meshes = model.meshes();
    ensure_count(
        &format!("{location}, meshes"),
        lod.meshes.len(),
        meshes.len(),
        "the mesh",
    )?;
    for (index, (mesh, triangles)) in meshes.iter().zip(&lod.meshes).enumerate() {
        let (largest, vertices) = (triangles.as_flattened().iter().max(), mesh.vertex_count());
        ensure(
            largest.is_none_or(|&vertex| (vertex as usize) < vertices),
            || format!("{location}, mesh {index}"),
            || {
                let vertex = largest.copied().unwrap_or_default();
                format!("vertex {vertex} is out of range, the mesh has {vertices}")
            },
        )?;
    }
    Ok(())
}

/// Number of triangles of all parts.
fn triangle_count(model: &Character, of: impl Fn(&Part) -> usize) -> u64 {
    model.parts().iter().map(|part| of(part) as u64).sum()
}
