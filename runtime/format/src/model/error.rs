//! Errors of models.

use std::fmt::Display;
use std::io;

use thiserror::Error;

use super::{MAX_EXACT_INTEGER, MAX_SKIN_STEPS};
use crate::glb::{GlbError, TooLarge};

/// An error while reading or writing a model.
#[derive(Debug, Error)]
pub enum ModelError {
    /// More vertices than `_UNIQUE_POSITION` and `_UNIQUE_NORMAL` can index.
    #[error(
        "mesh {mesh} has {vertices} vertices, a model holds at most {MAX_EXACT_INTEGER}: split the mesh"
    )]
    TooManyVertices {
        /// Index into the character's meshes.
        mesh: usize,
        /// Number of vertices.
        vertices: usize,
    },
    /// A palette index that `JOINTS_n` cannot represent.
    #[error(
        "mesh {mesh} uses joint {joint} of its skin, glTF allows at most {}: split the mesh",
        u16::MAX
    )]
    JointTooHigh {
        /// Index into the character's meshes.
        mesh: usize,
        /// Palette index.
        joint: usize,
    },
    /// The number of second texture coordinates is not that of the vertices.
    #[error(
        "mesh {mesh}: expected {vertices} second texture coordinates, one per vertex, found {uvs}"
    )]
    SecondUvs {
        /// Index into the character's meshes.
        mesh: usize,
        /// Number of coordinates.
        uvs: usize,
        /// Number of vertices.
        vertices: usize,
    },
    /// The number of bone colours is not that of the vertices.
    #[error("mesh {mesh}: expected {vertices} bone colours, one per vertex, found {colors}")]
    BoneColors {
        /// Index into the character's meshes.
        mesh: usize,
        /// Number of colours.
        colors: usize,
        /// Number of vertices.
        vertices: usize,
    },
    /// A level of detail that indexes a vertex which its mesh does not have.
    #[error(
        "mesh {mesh}: level of detail {level} uses vertex {vertex}, the mesh has {vertices}: index its own vertices"
    )]
    LodIndex {
        /// Index into the character's meshes.
        mesh: usize,
        /// Index of the level.
        level: usize,
        /// Largest index.
        vertex: u32,
        /// Number of vertices.
        vertices: usize,
    },
    /// A rest pose for a mesh that several parts use.
    #[error(
        "mesh {mesh} is used by several parts: give each part its own mesh to store a rest pose"
    )]
    SharedMesh {
        /// Index into the character's meshes.
        mesh: usize,
    },
    /// Fewer rest vertices than the character has unique vertices.
    #[error(
        "mesh {mesh} has more unique vertices than the rest pose: pass one per unique position and normal"
    )]
    RestCount {
        /// Index into the character's meshes.
        mesh: usize,
    },
    /// Vertices that share a unique vertex differ: the mesh was changed after sharing.
    #[error("mesh {mesh}: {error}: call share_positions last")]
    UniqueMismatch {
        /// Index into the character's meshes.
        mesh: usize,
        /// The vertices that differ.
        error: throng_rig::MeshError,
    },
    /// Skins and joints would take too long to read.
    #[error(
        "skins times joints are {steps}, at most {MAX_SKIN_STEPS} are supported: merge the skins"
    )]
    TooManySkins {
        /// Skins with several joints, times joints of the skeleton.
        steps: u64,
    },
    /// A value is not finite as a float32.
    #[error("{location} is not finite as float32: scale the character down, or repair its source")]
    NotFinite {
        /// Description of the value.
        location: String,
    },
    /// The rotation of a joint is not a unit quaternion.
    #[error(
        "joint {joint} '{}': expected a rotation of length 1, found {length}: normalise it",
        name.escape_debug()
    )]
    RotationNotUnit {
        /// Index into the skeleton.
        joint: usize,
        /// Name of the joint.
        name: String,
        /// Length of the quaternion.
        length: f64,
    },
    /// An extension cannot be written.
    #[error("extension {name}: {problem}")]
    BadExtension {
        /// Name of the extension.
        name: &'static str,
        /// Description of the problem.
        problem: String,
    },
    /// The file would be larger than a GLB can be.
    #[error("the model is too large: {0}: reduce the set or the mesh")]
    TooLarge(#[from] TooLarge),
    /// The system returned an error on writing.
    #[error("the model cannot be written: {0}")]
    Write(#[from] io::Error),
    /// The file is not a model as [`super::write_model`] writes it.
    #[error(
        "{location}: {problem}: the model is damaged or of another program: bake the set again"
    )]
    Damaged {
        /// Location in the file.
        location: String,
        /// Description of the problem.
        problem: String,
    },
    /// The model has another version.
    #[error("expected model version {expected}, found {version}: bake again")]
    OtherVersion {
        /// Version of the file.
        version: u32,
        /// Supported version.
        expected: u32,
    },
}

impl From<GlbError> for ModelError {
    fn from(GlbError { location, problem }: GlbError) -> Self {
        Self::Damaged { location, problem }
    }
}

/// Adds the location in the file to an error.
pub(super) trait At<T> {
    fn at(self, location: impl FnOnce() -> String) -> Result<T, ModelError>;
}

impl<T, E: Display> At<T> for Result<T, E> {
    fn at(self, location: impl FnOnce() -> String) -> Result<T, ModelError> {
        self.map_err(|error| ModelError::Damaged {
            location: location(),
            problem: error.to_string(),
        })
    }
}
