//! Curves fitted to samples and compressed into as few bits as an error allows.
//!
//! See [`throng_format::curves`] for how they are stored.

mod basis;
mod fit;
mod origins;
mod quantise;
mod spline;
mod stored_clip;
mod unwind;
mod writer;

pub use basis::Bases;
pub use fit::{CompressedCurve, FitEffort, Fitter, Hints, fit_points, middle};
pub use origins::{Kind, Origins};
pub use unwind::unwind;
pub use writer::{ClipWords, CurveWriter, SegmentCurves};
