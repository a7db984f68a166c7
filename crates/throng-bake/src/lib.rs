//! Bakes a character's clips into texture sets, and measures what was lost.

pub mod curves;
pub mod joint_tracks;
pub mod error;
mod progress;
mod settings;

pub use progress::Progress;
pub use settings::{BakeSettings, Boxes, DEFAULT_ERROR_OF_SIZE, Preset, Rate, Sides};
