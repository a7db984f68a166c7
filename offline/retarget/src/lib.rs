//! Puts skeletal animation of one skeleton on another: clips of motion capture or of other files on a character.
//!
//! [`retarget()`] pairs joints by name ([`JointMap`]), compares the rest poses and proportions, and returns [`Clip`]s of the
//! character. A rig's motion on the same rig is copied key by key; on a scaled copy it is the scaled motion.
//!
//! No files: [`Character`]s come from `throng-import`, whose `import_motion` reads files without a mesh.
//!
//! # Example
//!
//! ```
//! use throng_import::builtin::builtin;
//! use throng_retarget::{Transfer, retarget};
//!
//! let motion = builtin("humanoid")?;
//! let character = builtin("humanoid:500")?;
//! let retargeted = retarget(&motion, &character, &[])?;
//! assert_eq!(retargeted.transfer, Transfer::Copied);
//! assert_eq!(retargeted.clips, motion.clips());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Character`]: throng_rig::Character
//! [`Clip`]: throng_rig::Clip

mod align;
mod global_pose;
mod joint_map;
mod leg_reach;
mod retarget;
mod role;
mod same_rig;
mod stance;

pub use joint_map::{JointMap, JointPair, MapError};
pub use retarget::{RetargetError, Retargeted, Transfer, retarget};
pub use role::{Finger, Role, Side};

/// Tests the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
