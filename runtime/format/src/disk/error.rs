//! Errors of sets on disk.

use std::path::PathBuf;

use thiserror::Error;

use super::{EXTENSION, MANIFEST, MAX_BYTES, MAX_EXPANSION};
use crate::atomic::AtomicError;
use crate::file::FileError;
use crate::{ModelError, SHARED_VERSION, SetError, TextureError, VERSION};

/// An error while reading or writing a set.
#[derive(Debug, Error)]
pub enum DiskError {
    /// The path does not exist.
    #[error("{} does not exist: check the path", path.display())]
    NotFound {
        /// Path of the set.
        path: PathBuf,
    },
    /// The path does not exist, because a bake was killed while it replaced the set.
    #[error(
        "{} does not exist, a bake was interrupted: bake again, or rename {} back", path.display(), kept.display()
    )]
    Interrupted {
        /// Path of the set.
        path: PathBuf,
        /// Folder of the old set.
        kept: PathBuf,
    },
    /// The folder has no manifest.
    #[error("{} is not a texture set, it has no {MANIFEST}: bake it first", path.display())]
    NotASet {
        /// The folder.
        path: PathBuf,
    },
    /// The GLB does not hold a set.
    #[error("{} has no texture set in it, it has no extension {EXTENSION}: bake it first", path.display())]
    NoExtension {
        /// The file.
        path: PathBuf,
    },
    /// The system returned an error.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Error of the system.
        error: std::io::Error,
    },
    /// The file is larger than any manifest or mesh that is read.
    #[error("{}: expected at most {MAX_BYTES} bytes, found more: bake a smaller set", path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
    },
    /// A pipe or a device has the name of the file.
    #[error("{}: expected a regular file, found a pipe, a device or a folder: bake the set again", path.display())]
    NotAFile {
        /// The file.
        path: PathBuf,
    },
    /// The textures take much more memory than their files.
    #[error(
        "{}: the textures have {texel_bytes} bytes and their files {file_bytes}, more than {MAX_EXPANSION} times less: \
         bake without Zstandard",
        path.display()
    )]
    Expansion {
        /// Path of the set.
        path: PathBuf,
        /// Bytes of all texels.
        texel_bytes: u128,
        /// Bytes of all texture files.
        file_bytes: u64,
    },
    /// The content of a file differs from its digest in the manifest.
    #[error("{} is damaged: its content does not match the digest in {MANIFEST}: bake the set again", path.display())]
    Digest {
        /// The file.
        path: PathBuf,
    },
    /// The set has another version of the format.
    #[error("{}: expected format version {VERSION} or {SHARED_VERSION}, found {version}: bake again", path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// Version of the set.
        version: u32,
    },
    /// The manifest is invalid.
    #[error("{}: {problem}: bake the set again", path.display())]
    Manifest {
        /// The file.
        path: PathBuf,
        /// Description and location of the problem.
        problem: String,
    },
    /// A texture file is invalid.
    #[error("{} {error}", path.display())]
    Texture {
        /// The file.
        path: PathBuf,
        /// Error of the file.
        error: FileError,
    },
    /// The number of texels differs from the manifest.
    #[error("{}: texture '{texture}': {error}: bake the set again", path.display())]
    Texels {
        /// Path of the set.
        path: PathBuf,
        /// Name of the texture.
        texture: String,
        /// Error of the texture.
        error: TextureError,
    },
    /// The mesh is invalid.
    #[error("{}: {error}", path.display())]
    Model {
        /// The file.
        path: PathBuf,
        /// Error of the mesh.
        error: ModelError,
    },
    /// Manifest, textures and mesh contradict each other.
    #[error("{}: {error}: bake the set again", path.display())]
    Set {
        /// Path of the set.
        path: PathBuf,
        /// The inconsistency.
        error: SetError,
    },
    /// The motion set that the textures belong to is not there.
    #[error(
        "{}: its motion set {} does not exist: copy it there, or bake the party again with --share", path.display(),
        motion.display()
    )]
    MotionMissing {
        /// Path of the set.
        path: PathBuf,
        /// Path of the motion set.
        motion: PathBuf,
    },
    /// The motion set is a link to another folder.
    #[error(
        "{}: its motion set {} is a link out of the folder of both: copy the motion set there", path.display(),
        motion.display()
    )]
    MotionOutside {
        /// Path of the set.
        path: PathBuf,
        /// Path of the motion set.
        motion: PathBuf,
    },
    /// The manifest of the motion set is not the one that the set was written for.
    #[error(
        "{}: its motion set {} is another than it was baked with: bake the party again with --share", path.display(),
        motion.display()
    )]
    MotionChanged {
        /// Path of the set.
        path: PathBuf,
        /// Path of the motion set.
        motion: PathBuf,
    },
    /// The manifests of the set and of its motion set contradict each other.
    #[error(
        "{}: its motion set {} does not fit: {error}: bake the party again with --share", path.display(),
        motion.display()
    )]
    MotionMismatch {
        /// Path of the set.
        path: PathBuf,
        /// Path of the motion set.
        motion: PathBuf,
        /// The contradiction.
        error: SetError,
    },
    /// The folder holds no sets.
    #[error("{} contains no texture set: expected folders named *.throng", path.display())]
    NoSets {
        /// The folder.
        path: PathBuf,
    },
    /// The folder or file could not be created or replaced.
    #[error(transparent)]
    Atomic(#[from] AtomicError),
}
