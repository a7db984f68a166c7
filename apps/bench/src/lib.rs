//! Benchmarks that are robust against other work on the machine.
//!
//! Times on a shared machine drift by more than what is to be measured. So contenders run in turns,
//! round after round, and the result is the ratio within a round ([`measure`]). The baseline of the kernels is a
//! plain loop ([`glam_loop`]).

pub mod glam_loop;
pub mod measure;
