//! BVH import.

use throng_rig::Character;

use crate::asset_files::AssetFiles;
use crate::error::{ErrorKind, Fault, Outcome};
use crate::{ImportOptions, Warning};

/// Rejects every file.
pub(crate) fn read_motion(
    _name: &str,
    _file: &[u8],
    _files: &AssetFiles,
    _options: &ImportOptions,
    _warnings: &mut Vec<Warning>,
) -> Outcome<(Character, Option<String>)> {
    Err(
        Fault::new(ErrorKind::Unsupported, "", "unsupported file type '.bvh'")
            .remedy("expected .glb, .gltf or .fbx, or builtin:NAME"),
    )
}
