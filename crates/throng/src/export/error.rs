//! Why a posed character could not be written.

use std::io;
use std::path::PathBuf;

use thiserror::Error;
use throng_format::glb::TooLarge;

/// Why a posed character could not be written.
#[derive(Debug, Error)]
pub enum ExportError {
    /// The file's name does not say what to write.
    #[error("cannot tell a format from the name {}: end it in .glb, .obj, .ply or .json", path.display())]
    UnknownExtension {
        /// The file.
        path: PathBuf,
    },
    /// No part has a triangle.
    #[error("'{name}' has no triangles to write: choose a file that holds a mesh")]
    NothingToDraw {
        /// The character.
        name: String,
    },
    /// A number is infinite or NaN.
    #[error(
        "part {part} ('{}'): vertex {vertex} is not finite: choose another time or method", node_name.escape_debug()
    )]
    NotFinite {
        /// Index into the character's parts.
        part: usize,
        /// The node that holds it.
        node_name: String,
        /// The vertex.
        vertex: usize,
    },
    /// A position is finite, and infinite as a float32.
    #[error(
        "part {part} ('{}'): vertex {vertex} is too far away for 32 bits: scale the character down, \
         or write .json", node_name.escape_debug()
    )]
    TooFar {
        /// Index into the character's parts.
        part: usize,
        /// The node that holds it.
        node_name: String,
        /// The vertex.
        vertex: usize,
    },
    /// More vertices than a PLY face can name.
    #[error("{vertices} vertices, PLY holds {}: write .obj", i32::MAX)]
    TooManyVertices {
        /// How many there are.
        vertices: usize,
    },
    /// More bytes than a GLB can hold.
    #[error("{0}: write .obj or .ply")]
    TooLarge(TooLarge),
    /// There is nowhere to put the file.
    #[error("cannot write {}: the folder {} does not exist: make it first", path.display(), folder.display())]
    NoFolder {
        /// The file.
        path: PathBuf,
        /// Its folder.
        folder: PathBuf,
    },
    /// A folder or a device has the file's name.
    #[error("cannot write {}: it exists and is not a file: choose another name", path.display())]
    NotAFile {
        /// The file.
        path: PathBuf,
    },
    /// The system refused.
    #[error("cannot write {}: {error}: {remedy}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
        /// What may help.
        remedy: &'static str,
    },
}
