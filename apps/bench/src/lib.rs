//! Benchmarks that other work on the machine cannot fool.
//!
//! Times on a shared machine drift by more than what is to be measured. So contenders run in turns,
//! round after round, and what is told is the ratio within a round ([`measure`]). What ours is held against is
//! a plain loop ([`glam_loop`]).

pub mod glam_loop;
pub mod measure;
