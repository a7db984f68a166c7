//! Settings that are kept between sessions.

use egui_tiles::Tree;
use serde::{Deserialize, Serialize};

use crate::choice::{BakeChoice, ViewCount};
use crate::gpu::Overlays;
use crate::layout::{Pane, default_tree};

/// Settings that are kept between sessions.
#[derive(Clone, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// Files that were opened, the newest first.
    pub recent: Vec<String>,
    /// Number of viewports.
    pub view_count: ViewCount,
    /// Parameters of bakes.
    pub bake: BakeChoice,
    /// Overlays.
    pub overlays: Overlays,
    /// Places of the panes.
    pub tree: Tree<Pane>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            recent: Vec::new(),
            view_count: ViewCount::One,
            bake: BakeChoice::default(),
            overlays: Overlays::default(),
            tree: default_tree(),
        }
    }
}
