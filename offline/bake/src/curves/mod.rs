//! Curves fitted to samples and compressed into as few bits as an error allows.
//!
//! See [`throng_format::curves`] for how they are stored.

mod basis;
mod fit;
mod spline;
mod unwind;
mod writer;

pub use basis::Bases;
pub use fit::{CompressedCurve, Fitter, Hints, Kind, Origins, fit_points, middle};
pub use unwind::unwind;
pub use writer::{ClipWords, CurveWriter, SegmentCurves};
