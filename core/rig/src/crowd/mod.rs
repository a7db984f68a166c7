//! Poses of many instances at once, in float32. One character in float64 is [`crate::LocalPose`],
//! [`crate::ModelPose`] and [`crate::Palette`].
//!
//! ```text
//! Clip ──► CrowdClip (made once)
//! CrowdClip, seconds of each instance ──► CrowdPose ──► CrowdPalette
//!                                        (in model)    (model_from_bind, one per skin)
//! ```
//!
//! Eight instances are posed side by side, one per SIMD lane. Nothing is allocated once the buffers have
//! their size. A key is found in constant time, so times may come in any order at the same cost. Tracks
//! with the same key times share the search.
//!
//! | file | task |
//! |---|---|
//! | `keys` | finds the key before a time |
//! | `spans` | converts the keys of a track to polynomial coefficients |
//! | `layout` | lays out the tracks of a clip in memory |
//! | `sampling` | evaluates the layout and walks the skeleton |
//! | `clip`, `pose`, `palette` | public types |

mod clip;
mod keys;
mod layout;
mod palette;
mod pose;
mod sampling;
mod spans;

pub use clip::CrowdClip;
pub use palette::CrowdPalette;
pub use pose::{CrowdPose, Mat3x4};
