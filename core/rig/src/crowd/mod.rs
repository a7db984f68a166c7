//! Poses of many instances at once, in float32. One character in float64 is [`crate::LocalPose`],
//! [`crate::ModelPose`] and [`crate::Palette`].
//!
//! ```text
//! Clip ──► CrowdClip (made once)
//! CrowdClip, seconds of each instance ──► CrowdPose ──► CrowdPalette
//!                                        (in model)    (model_from_bind, one per skin)
//! Character ──► CrowdClips (made once)
//! CrowdClips, CrowdPlay of each instance ──► CrowdPose, morph weights
//! ```
//!
//! Eight instances are posed side by side, one per SIMD lane. Lanes of a block play the same clip, or fade between the
//! same two. Nothing is allocated once the buffers have their size. A key is found in constant time, so times may come in any order at the same cost. Tracks
//! with the same key times share the search.
//!
//! | file | task |
//! |---|---|
//! | `keys` | finds the key before a time |
//! | `spans` | converts the keys of a track to polynomial coefficients |
//! | `layout` | lays out the tracks of a clip in memory |
//! | `sampling` | evaluates the layout and walks the skeleton |
//! | `matrix` | multiplies the matrices of eight instances |
//! | `plan` | puts instances that play the same clips side by side |
//! | `morphs` | samples morph weights |
//! | `clip`, `clips`, `play`, `pose`, `palette` | public types |

mod clip;
mod clips;
mod keys;
mod layout;
mod matrix;
mod morphs;
mod palette;
mod plan;
mod play;
mod pose;
mod sampling;
mod spans;

pub use clip::CrowdClip;
pub use clips::CrowdClips;
pub use palette::CrowdPalette;
pub use play::{CrowdFade, CrowdPlay};
pub use pose::{CrowdPose, Mat3x4};
