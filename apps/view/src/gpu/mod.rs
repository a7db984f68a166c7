//! Viewports on the device.

mod content;
mod overlay;
mod screen;
mod stage;

pub use content::{Content, ContentKey, What};
pub use overlay::{Colors, Overlays, largest_distance};
pub use screen::{FrameSpec, Screen};
pub use stage::{Stage, Vertices};
