//! Why a posed character could not be written.

use std::path::PathBuf;

use thiserror::Error;
use throng_format::atomic::AtomicError;
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
    /// The file could not be put in its place.
    #[error(transparent)]
    File(#[from] AtomicError),
}
