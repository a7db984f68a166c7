//! Curves fitted to samples and packed into as few bits as an error allows.
//!
//! See [`throng_format::tracks`] for how they are stored.

mod basis;
mod fit;
mod stream;
mod unwind;

pub use basis::Bases;
pub use fit::{Kind, PackedCurve, fit, fit_points, middle, stored_reference};
pub use stream::{SegmentTracks, StreamWriter};
pub use unwind::unwind;
