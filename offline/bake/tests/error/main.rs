//! Measurement of errors, and reports.

mod common;
mod comparison;

mod bones;
mod closed_form;
mod jumps_and_seams;
mod probes;
mod reports;
mod threads;
