//! Errors of shared bakes.

use thiserror::Error;
use throng_format::{Encoding, SetError};

use crate::BakeError;
use crate::accuracy::VerifyError;
use crate::search::SearchError;
use crate::text::percent;

/// Reason for which characters cannot share a motion set.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum ShareError {
    /// Two files have a clip of one name, but not the same one.
    #[error(
        "clip '{clip}' of {first} and clip '{clip}' of {second} have different tracks: rename one of them, or bake the \
         characters without --share"
    )]
    ClipDiffers {
        /// Name of the clip.
        clip: String,
        /// The first character.
        first: String,
        /// The second character.
        second: String,
    },
    /// A clip animates morph weights.
    #[error(
        "{character}: clip '{clip}' animates morph weights, which belong to one mesh and cannot be shared: bake it without \
         --share, or leave the clip out with --clips"
    )]
    MorphWeights {
        /// The character.
        character: String,
        /// Name of the clip.
        clip: String,
    },
    /// The skeletons are not those of one group.
    #[error("{first} and {second} have different skeletons: {difference}")]
    Skeletons {
        /// The first character.
        first: String,
        /// The second character.
        second: String,
        /// The difference.
        difference: String,
    },
    /// No character of the group has a clip.
    #[error("{characters}: no clip to bake: add a character with clips and the same skeleton")]
    NoClips {
        /// The characters.
        characters: String,
    },
    /// The textures belong to one mesh.
    #[error(
        "{encoding} stores vertices of one mesh, which cannot be shared: choose a bone encoding"
    )]
    Encoding {
        /// The encoding.
        encoding: Encoding,
    },
    /// A preset lays out bones for one mesh.
    #[error("preset {preset} holds data of one mesh, which cannot be shared: leave the preset out")]
    Preset {
        /// Name of the preset.
        preset: &'static str,
    },
    /// A character exceeds its maximum error.
    #[error(
        "{character}: no shared set has an error within {} % of its size: the nearest has {} %; allow a larger error, or \
         bake it without --share", percent(*limit_of_size), percent(*error_of_size)
    )]
    NotMet {
        /// The character.
        character: String,
        /// Maximum error, as a part of the character's size.
        limit_of_size: f64,
        /// Smallest error that was reached.
        error_of_size: f64,
    },
    /// The group cannot be baked.
    #[error(transparent)]
    Bake(#[from] BakeError),
    /// No set meets the goal.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// A set does not match its character.
    #[error(transparent)]
    Verify(#[from] VerifyError),
    /// A set contradicts itself.
    #[error(transparent)]
    Set(#[from] SetError),
}
