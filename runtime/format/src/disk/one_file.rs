//! Sets of one GLB.

use std::path::Path;

use super::{DiskError, EXTENSION, assemble, model_extras, parse_manifest, read_bytes, set_mesh};
use crate::glb::lacks_extension;
use crate::{Extension, ModelExtras, Texture, TextureSet, read_model, write_model};

/// Writes a set as one GLB, completely or not at all. Returns its number of bytes. The file holds the textures, also those
/// of a motion set.
pub fn write_glb(set: &TextureSet, path: &Path) -> Result<u64, DiskError> {
    let mut manifest = set.manifest().clone();
    manifest.motion = None;
    manifest.version = manifest.required_version();
    let extension = Extension {
        name: EXTENSION,
        json: serde_json::json!({ "manifest": manifest }),
        blobs: set.textures().iter().map(Texture::bytes).collect(),
    };
    let extras = ModelExtras {
        extension: Some(extension),
        ..model_extras(set)
    };
    let mut bytes = Vec::new();
    write_model(set.model(), extras, &mut bytes).map_err(|error| DiskError::Model {
        path: path.into(),
        error,
    })?;
    crate::atomic::write_file(path, &bytes)?;
    Ok(bytes.len() as u64)
}

pub(super) fn read_glb(path: &Path) -> Result<TextureSet, DiskError> {
    read_glb_bytes(path, &read_bytes(path)?)
}

/// Reads and checks a set of one GLB from memory, for example in a browser. `path` is its name in errors.
pub fn read_glb_bytes(path: &Path, bytes: &[u8]) -> Result<TextureSet, DiskError> {
    let no_extension = || DiskError::NoExtension { path: path.into() };
    // For a GLB of another program, `read_model` would report damage.
    if lacks_extension(bytes, EXTENSION) {
        return Err(no_extension());
    }
    let mut model = read_model(bytes).map_err(|error| DiskError::Model {
        path: path.into(),
        error,
    })?;
    let extension = model.extension.take_if(|found| found.name == EXTENSION);
    let mut extension = extension.ok_or_else(no_extension)?;
    let manifest = extension
        .json
        .get_mut("manifest")
        .ok_or_else(no_extension)?;
    let manifest = serde_json::to_vec(&manifest.take()).expect("JSON values serialise to JSON");
    let manifest = parse_manifest(path, &manifest)?;
    if manifest.motion.is_some() {
        return Err(DiskError::Manifest {
            path: path.into(),
            problem: "motion: a set of one file holds its textures".into(),
        });
    }
    if manifest.textures.len() != extension.blobs.len() {
        return Err(DiskError::Manifest {
            path: path.into(),
            problem: format!(
                "expected one buffer view per texture, found {1} for {0} textures",
                manifest.textures.len(),
                extension.blobs.len()
            ),
        });
    }
    let textures = manifest
        .textures
        .iter()
        .zip(extension.blobs)
        .map(|(entry, blob)| {
            let size = [entry.width, entry.height, entry.layers];
            Texture::new(entry.texels, size, bytes[blob].to_vec()).map_err(|error| {
                DiskError::Texels {
                    path: path.into(),
                    texture: entry.name.clone(),
                    error,
                }
            })
        });
    let textures = textures.collect::<Result<Vec<_>, _>>()?;
    let (mesh, second_uvs) = set_mesh(model);
    assemble(path, manifest, textures.into(), mesh, &second_uvs)
}
