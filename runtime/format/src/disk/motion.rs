//! The motion set of a set: found beside it, and checked against it.

use std::path::{Path, PathBuf};

use super::{DiskError, MANIFEST, io, parse_manifest, read_bytes};
use crate::digest::digest;
use crate::motion::check_motion;
use crate::{Manifest, MotionReference};

/// Returns the reference to a motion set on disk, for sets in folders beside it.
pub fn motion_reference(motion: &Path) -> Result<MotionReference, DiskError> {
    let file = motion.join(MANIFEST);
    if !file.is_file() {
        return Err(DiskError::NotASet {
            path: motion.into(),
        });
    }
    let name = std::path::absolute(motion).map_err(io(motion))?;
    let name = name.file_name().unwrap_or_default().to_string_lossy();
    Ok(MotionReference {
        path: format!("../{name}"),
        digest: digest(&read_bytes(&file)?),
    })
}

/// Finds the motion set of the set in `folder`, and checks its manifest. Returns its folder, with links resolved, and the
/// manifest.
pub(super) fn find_motion(
    folder: &Path,
    manifest: &Manifest,
    reference: &MotionReference,
) -> Result<(PathBuf, Manifest), DiskError> {
    let name = reference.name().ok_or_else(|| DiskError::Manifest {
        path: folder.join(MANIFEST),
        problem: format!(
            "motion.path: expected '../' and the name of a folder beside the set's, found '{}'",
            reference.path.escape_debug()
        ),
    })?;
    let resolved = folder.canonicalize().map_err(io(folder))?;
    // The folder of a set has a parent: the file system's root is none.
    let parent = resolved.parent().unwrap_or(&resolved);
    let motion = parent.join(name);
    if !motion.join(MANIFEST).is_file() {
        return Err(DiskError::MotionMissing {
            path: folder.into(),
            motion,
        });
    }
    let target = motion.canonicalize().map_err(io(&motion))?;
    if target.parent() != Some(parent) {
        return Err(DiskError::MotionOutside {
            path: folder.into(),
            motion,
        });
    }
    let file = target.join(MANIFEST);
    let bytes = read_bytes(&file)?;
    if digest(&bytes) != reference.digest {
        return Err(DiskError::MotionChanged {
            path: folder.into(),
            motion,
        });
    }
    let found = parse_manifest(&file, &bytes)?;
    check_motion(manifest, &found).map_err(|error| DiskError::MotionMismatch {
        path: folder.into(),
        motion,
        error,
    })?;
    Ok((target, found))
}
