//! Poses of many instances at once, in float32: what [`crate::LocalPose`], [`crate::ModelPose`] and
//! [`crate::Palette`] do for one character in float64, for a crowd.
//!
//! ```text
//! Clip ──► CrowdClip (made once)
//! CrowdClip, seconds of each instance ──► CrowdPose ──► CrowdPalette
//!                                        (in model)    (model_from_bind, one a skin)
//! ```
//!
//! Eight instances are posed side by side, one a lane. Nothing is allocated once the buffers have their
//! size. A key is found in constant time, so that times may come in any order at the same cost, and
//! tracks with the same key times share the search.
//!
//! | file | what it does |
//! |---|---|
//! | `lanes` | eight numbers at a time, by the instructions that the machine has; the only `unsafe` |
//! | `keys` | finds the key before a time |
//! | `segments` | turns the keys of a track into numbers that are cheap to evaluate |
//! | `clip` | puts the tracks of a clip together |
//! | `sampling` | evaluates them and walks the skeleton |
//! | `pose`, `palette` | the results |

mod clip;
mod keys;
mod lanes;
mod palette;
mod pose;
mod sampling;
mod segments;

pub use clip::CrowdClip;
pub use lanes::SimdLevel;
pub use palette::CrowdPalette;
pub use pose::{CrowdPose, Mat3x4};
