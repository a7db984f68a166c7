//! Errors of writing a posed character.

use std::path::PathBuf;

use thiserror::Error;
use throng_format::atomic::AtomicError;
use throng_format::glb::TooLarge;

/// An error of writing a posed character.
#[derive(Debug, Error)]
pub enum ExportError {
    /// The file extension is not supported.
    #[error("{}: unsupported file type; expected .glb, .obj, .ply or .json", path.display())]
    UnknownExtension {
        /// The file.
        path: PathBuf,
    },
    /// No part has a triangle.
    #[error("'{name}' has no triangles to write: choose a file with a mesh, or write .json")]
    NothingToDraw {
        /// The character.
        name: String,
    },
    /// A position or normal is infinite or NaN.
    #[error(
        "part {part} ('{}'): vertex {vertex} is not finite: choose another time or method", node_name.escape_debug()
    )]
    NotFinite {
        /// Index into the character's parts.
        part: usize,
        /// Node of the part.
        node_name: String,
        /// Index of the vertex.
        vertex: usize,
    },
    /// A position exceeds the range of float32.
    #[error(
        "part {part} ('{}'): vertex {vertex} is out of the range of float32: scale the character down, \
         or write .json", node_name.escape_debug()
    )]
    TooFar {
        /// Index into the character's parts.
        part: usize,
        /// Node of the part.
        node_name: String,
        /// Index of the vertex.
        vertex: usize,
    },
    /// More vertices than a PLY face can index.
    #[error(
        "too many vertices for PLY: {vertices}, at most {}: write .obj",
        i32::MAX
    )]
    TooManyVertices {
        /// Number of vertices.
        vertices: usize,
    },
    /// The file exceeds the size limit of GLB.
    #[error("{0}: write .obj or .ply")]
    TooLarge(TooLarge),
    /// The file could not be written.
    #[error(transparent)]
    File(#[from] AtomicError),
}
