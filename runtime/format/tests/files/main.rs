//! Texture files, written and read back.

mod by_hand;
mod common;
mod damage;
mod exr_by_hand;
mod foreign;
mod ktx_parse;
mod names;
mod refusals;
mod round_trip;
