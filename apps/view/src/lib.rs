//! Viewer of skinned characters and of their baked animation.
//!
//! [`Viewer`] is an [`eframe::App`]: viewports with one camera and one timeline, and panes around them. `state` holds what
//! panes show and change, `gpu` draws viewports, and `worker` imports, bakes and compares behind messages, so that the
//! window never waits.
//!
//! The crate builds for `wasm32` too, without importers and bakes: nothing blocks, and all long work is a message.

#![cfg_attr(
    target_arch = "wasm32",
    allow(
        dead_code,
        reason = "the worker of browsers reads few fields of requests"
    )
)]

mod app;
mod bench_mode;
mod browse;
mod choice;
mod command_line;
mod crowd;
mod document;
mod export;
mod gpu;
mod layout;
mod orbit;
mod panes;
mod performance;
mod pose_edit;
mod quantisation;
mod recording;
mod recovery;
mod settings;
mod state;
mod texels;
mod texture_view;
mod theme;
mod timeline;
#[cfg(test)]
mod ui_tests;
#[cfg(not(target_arch = "wasm32"))]
mod window;
mod worker;

pub use app::{Options, Viewer};
#[cfg(test)]
pub(crate) use window::device_descriptor;
#[cfg(not(target_arch = "wasm32"))]
pub use window::{RunError, native_options, run};

/// Tests the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
