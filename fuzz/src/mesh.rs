//! The mesh of a set, `mesh.glb`.

use throng_format::{MeshStorage, ModelExtras, read_model, write_model};

use crate::memory::within_memory;

/// Reads a mesh. One that is read is written and read again, in both storages, with the same result.
pub fn mesh(data: &[u8]) {
    within_memory(|| {
        let Ok(model) = read_model(data) else {
            return;
        };
        let extension = model.extension.iter();
        for blob in extension.flat_map(|extension| &extension.blobs) {
            assert!(data.get(blob.clone()).is_some(), "blob out of range");
        }
        for &storage in MeshStorage::ALL {
            let extras = ModelExtras {
                second_uvs: model.second_uvs.clone(),
                bone_colors: model.bone_colors.clone(),
                rest: model.rest.as_ref(),
                extension: None,
                storage,
                lods: &model.lods,
            };
            let mut written = Vec::new();
            write_model(&model.character, extras, &mut written).expect("a mesh that was read");
            let again = read_model(&written).expect("a mesh that was written");
            assert!(again.character == model.character, "another character");
            assert!(again.second_uvs == model.second_uvs, "other TEXCOORD_1");
            assert!(again.bone_colors == model.bone_colors, "other bones");
            assert!(again.rest == model.rest, "another rest pose");
            assert!(again.lods == model.lods, "other levels of detail");
        }
    });
}
