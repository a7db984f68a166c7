//! Compressed curves: the storage of `bone-local` sets and of compressed `vertex` sets.
//!
//! Curves are stored in a texture of 32-bit words ([`Words`]). Each clip is cut into segments of equal duration. In a
//! segment, every curve that is present in the clip has three components: a reference plus a uniform B-spline of degree 0
//! to 3 over 1 to 64 spans, whose keys are integers of as few bits as they need. Every second key is stored as its
//! difference from the midpoint of its neighbours. Rotations are modified Rodrigues parameters (the axis times the tangent
//! of a quarter of the angle), blended as quaternions. A [`CurveHeader`] of two words locates the keys and describes their
//! format, so that a value at any time costs a bounded number of fetches and decoding is random access.
//!
//! ```text
//! texture  calibration strip · clip table · joint table · clip 0 · clip 1 · …
//! clip     presence masks · header rows of all its segments · keys of all its segments
//! masks    mask of 32 curves, number of present curves before · mask, number · …
//! row      block of up to 32 headers · block · …      (the same length for every segment of a clip)
//! block    word of its first key · header · header · …
//! ```

mod curve;
mod header;
mod joint;
mod stream;

pub use curve::{read_reference, rotation_curve, slerp_weight, spline_weights, vector_curve};
pub use header::{
    CurveHeader, KeyPlace, MAX_DEGREE, MAX_KEY_BITS, MAX_SPANS, MAX_STEP, MAX_WIDTH,
    REFERENCE_BITS, REFERENCE_WIDTH, nearest_reference, reference_value, step_size,
};
pub use joint::{JointRecord, RecordForm};
pub use stream::{
    BLOCK_CURVES, CLIP_WORDS, ClipRecord, HEADER_WORDS, MASK_WORDS, Words, header_word, mask_words,
    rank, row_words,
};
