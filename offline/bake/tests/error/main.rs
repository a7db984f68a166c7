//! How errors are measured and told.

mod common;

mod bones;
mod closed_form;
mod fit;
mod jumps_and_seams;
mod probes;
mod reports;
mod threads;
