//! The help sheet.

use eframe::egui::{Align2, Context, Grid, Window, vec2};

use crate::state::State;

/// Keys and what they do.
const KEYS: [(&str, &str); 14] = [
    ("Left drag", "turn the camera"),
    ("Right or middle drag", "move the camera across the picture"),
    ("Wheel", "nearer, farther"),
    ("W A S D", "walk forward, left, back, right"),
    ("Q E", "down, up"),
    ("R", "show the whole character"),
    ("Space", "play, pause"),
    ("Left, Right", "one frame back, one frame on"),
    ("Ctrl+O", "open a file"),
    ("Drop a file", "open it"),
    ("Click on a viewport", "panes describe it"),
    ("Tab", "next control"),
    ("Escape", "close messages"),
    ("?", "this sheet"),
];

pub fn show(ctx: &Context, state: &mut State) {
    let mut is_open = state.shows_help;
    Window::new("Keys and mouse")
        .open(&mut is_open)
        .collapsible(false)
        .resizable(false)
        .anchor(Align2::CENTER_CENTER, vec2(0.0, 0.0))
        .show(ctx, |ui| {
            Grid::new("keys")
                .num_columns(2)
                .striped(true)
                .show(ui, |ui| {
                    for (key, what) in KEYS {
                        ui.strong(key);
                        ui.label(what);
                        ui.end_row();
                    }
                });
        });
    state.shows_help = is_open;
}
