//! Why a model could not be written or read.

use std::fmt::Display;
use std::io;

use thiserror::Error;

use super::{MAX_EXACT, MAX_SKIN_STEPS};
use crate::glb::{OpenError, TooLarge};

/// Why a model could not be written or read.
#[derive(Debug, Error)]
pub enum ModelError {
    /// More vertices than `_UNIQUE_NORMAL` can number.
    #[error("mesh {mesh} has {vertices} vertices, a model holds {MAX_EXACT}: split the mesh")]
    TooManyVertices {
        /// Index into the character's meshes.
        mesh: usize,
        /// How many there are.
        vertices: usize,
    },
    /// A joint that `JOINTS_n` cannot name.
    #[error(
        "mesh {mesh} uses joint {joint} of its skin, glTF goes to {}: split the mesh",
        u16::MAX
    )]
    JointTooHigh {
        /// Index into the character's meshes.
        mesh: usize,
        /// Index into the skin.
        joint: usize,
    },
    /// Second texture coordinates that are not one a vertex.
    #[error(
        "mesh {mesh} has {vertices} vertices and {uvs} second texture coordinates: give one a vertex"
    )]
    SecondUvs {
        /// Index into the character's meshes.
        mesh: usize,
        /// How many coordinates there are.
        uvs: usize,
        /// How many vertices there are.
        vertices: usize,
    },
    /// Rest vertices of a mesh that several parts use.
    #[error(
        "mesh {mesh} is used by several parts: give each part its own mesh to store a rest pose"
    )]
    SharedMesh {
        /// Index into the character's meshes.
        mesh: usize,
    },
    /// Fewer rest vertices than the character has.
    #[error(
        "mesh {mesh} has more unique vertices than the rest pose: pass one per unique position and normal"
    )]
    RestCount {
        /// Index into the character's meshes.
        mesh: usize,
    },
    /// Vertices that are marked as the same and are not: the mesh was changed afterwards.
    #[error("mesh {mesh}: {error}: call share_positions last")]
    NotTheSame {
        /// Index into the character's meshes.
        mesh: usize,
        /// Which vertices.
        error: throng_rig::MeshError,
    },
    /// Skins and joints that take too long to read.
    #[error("{steps} skins times joints, at most {MAX_SKIN_STEPS} are read: merge the skins")]
    TooManySkins {
        /// Skins of several joints, times joints of the skeleton.
        steps: u64,
    },
    /// A number that is not finite, or is not as a float32.
    #[error("{place} is not finite in 32 bits: scale the character down, or repair its source")]
    NotFinite {
        /// What the number is.
        place: String,
    },
    /// A joint's rotation is no rotation.
    #[error("joint {joint} '{}' has a rotation of length {length}: normalise it", name.escape_debug())]
    RotationNotUnit {
        /// Index into the skeleton.
        joint: usize,
        /// Its name.
        name: String,
        /// Of the quaternion.
        length: f64,
    },
    /// An extension that cannot be written.
    #[error("extension {name}: {problem}")]
    BadExtension {
        /// Its name.
        name: &'static str,
        /// What is wrong with it.
        problem: String,
    },
    /// More bytes than a GLB holds.
    #[error("the model is too large: {0}: put less into it")]
    TooLarge(#[from] TooLarge),
    /// The system refused to write.
    #[error("the model cannot be written: {0}")]
    Write(#[from] io::Error),
    /// What was read is not a model as [`super::write_model`] writes it.
    #[error("{place}: {problem}: the model is damaged or another program's: write it again")]
    Damaged {
        /// Where in the file.
        place: String,
        /// What is wrong there.
        problem: String,
    },
    /// What was read is a model of another version.
    #[error("the model is of version {version}, this program reads {expected}: bake again")]
    OtherVersion {
        /// The model's.
        version: u32,
        /// The one that is read.
        expected: u32,
    },
}

impl From<OpenError> for ModelError {
    fn from(OpenError { place, problem }: OpenError) -> Self {
        Self::Damaged { place, problem }
    }
}

/// Tells a fault of what is read where it is.
pub(super) trait At<T> {
    fn at(self, place: impl FnOnce() -> String) -> Result<T, ModelError>;
}

impl<T, E: Display> At<T> for Result<T, E> {
    fn at(self, place: impl FnOnce() -> String) -> Result<T, ModelError> {
        self.map_err(|error| ModelError::Damaged {
            place: place(),
            problem: error.to_string(),
        })
    }
}
