//! Compressed curves: the storage of `bone-local` sets and of compressed `vertex` sets.
//!
//! Curves are stored in a texture of 32-bit words ([`Words`]). Each clip is cut into segments of equal duration. In a
//! segment, every curve has three components: a reference plus a uniform B-spline of degree 0 to 3 over 1 to 64 spans,
//! whose keys are integers of as few bits as they need. Rotations are modified Rodrigues parameters (the axis times the
//! tangent of a quarter of the angle), blended as quaternions. A [`CurveHeader`] of three words locates the keys and
//! describes their format, so that a value at any time costs a bounded number of fetches and decoding is random access.
//!
//! ```text
//! texture  calibration strip · clip table · joint table · clip 0 · clip 1 · …
//! clip     header rows of all its segments · keys of all its segments
//! row      block of up to 64 headers · block · …      (the same length for every segment)
//! block    word of its first key · header · header · …
//! ```

mod curve;
mod header;
mod joint;
mod stream;

pub use curve::{rotation_curve, spline_weights, vector_curve};
pub use header::{CurveHeader, MAX_DEGREE, MAX_SPANS, MAX_WIDTH, step_size};
pub use joint::{JointRecord, RECORD_WORDS, SCALED_RECORD_WORDS};
pub use stream::{
    BLOCK_CURVES, CLIP_WORDS, ClipRecord, HEADER_WORDS, Words, header_word, row_words,
};
