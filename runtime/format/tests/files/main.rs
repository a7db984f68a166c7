//! Writing and reading texture files.

mod by_hand;
mod common;
mod damage;
mod exr_by_hand;
mod ktx_parse;
mod mismatches;
mod names;
mod round_trip;
mod unsupported_features;
