//! The menu bar.

use eframe::egui::{self, MenuBar, Ui};
use egui_tiles::Tree;
use throng_rig::Mesh;

use super::PaneContext;
use crate::choice::ViewCount;
use crate::export::{ExportDialog, ExportKind};
use crate::layout::{Pane, show_pane, tile_of};
use crate::state::{Action, OpenDialog, State};

/// Built-in characters.
const BUILTINS: [(&str, &str); 4] = [
    ("Humanoid", "builtin:humanoid"),
    ("Bar", "builtin:bar"),
    ("Box", "builtin:box"),
    ("Cylinder", "builtin:cylinder"),
];

pub fn show(ui: &mut Ui, context: &mut PaneContext<'_>, tree: &mut Tree<Pane>) {
    MenuBar::new().ui(ui, |ui| {
        let state = &mut *context.state;
        ui.menu_button("File", |ui| file(ui, state));
        ui.menu_button("View", |ui| view(ui, state));
        ui.menu_button("Panes", |ui| {
            for pane in Pane::ALL {
                let is_open = tile_of(tree, pane).is_some();
                if ui.selectable_label(is_open, pane.title()).clicked() {
                    show_pane(tree, pane);
                }
            }
            ui.separator();
            if ui.button("Reset the layout").clicked() {
                state.actions.push(Action::ResetLayout);
            }
        });
        ui.menu_button("Help", |ui| {
            if ui.button("Keys and mouse").clicked() {
                state.shows_help = true;
            }
        });
        ui.separator();
        for count in ViewCount::ALL {
            let label = match count {
                ViewCount::One => "1 view",
                ViewCount::Two => "2 views",
                ViewCount::Four => "4 views",
            };
            if ui
                .selectable_label(state.view_count == count, label)
                .clicked()
            {
                set_view_count(state, count);
            }
        }
        status(ui, state);
    });
}

/// Shows a number of viewports. The focus stays on one that is shown.
pub fn set_view_count(state: &mut State, count: ViewCount) {
    state.view_count = count;
    state.focus = match count {
        ViewCount::One => 0,
        _ => state.focus.min(count.count() - 1),
    };
    for (index, view) in state.views.iter_mut().enumerate() {
        view.difference = view
            .difference
            .filter(|&other| other < count.count() && other != index);
    }
}

fn file(ui: &mut Ui, state: &mut State) {
    let open = egui::Button::new("Open…").shortcut_text("Ctrl+O");
    if ui.add(open).clicked() {
        state.open_dialog = Some(OpenDialog::beside(&state.recent));
    }
    ui.menu_button("Open recent", |ui| {
        if state.recent.is_empty() {
            ui.weak("no files yet");
        }
        for source in &state.recent {
            if ui.button(source).clicked() {
                state.actions.push(Action::Open(source.clone()));
            }
        }
    });
    ui.menu_button("Built-in characters", |ui| {
        for (label, source) in BUILTINS {
            if ui.button(label).clicked() {
                state.actions.push(Action::Open(source.into()));
            }
        }
    });
    ui.menu_button("Export", |ui| {
        let has_set = state.set_of(state.focus).is_some();
        for kind in ExportKind::ALL {
            let is_possible = state.document.is_some() && (has_set || !kind.needs_set());
            let button = ui.add_enabled(is_possible, egui::Button::new(kind.title()));
            let button = button
                .on_hover_text(kind.about())
                .on_disabled_hover_text("Show a bake in the focused viewport first");
            if button.clicked() {
                state.export_dialog = Some(ExportDialog::new(kind, state));
            }
        }
    });
    ui.separator();
    if ui.button("Quit").clicked() {
        state.actions.push(Action::Quit);
    }
}

fn view(ui: &mut Ui, state: &mut State) {
    let overlays = &mut state.overlays;
    ui.checkbox(&mut overlays.wireframe, "Wireframe");
    ui.checkbox(&mut overlays.joints, "Joints");
    ui.checkbox(&mut overlays.names, "Names of joints");
    ui.checkbox(&mut overlays.weights, "Weights of the selected joint");
    ui.checkbox(&mut overlays.boxes, "Bounding boxes");
    ui.checkbox(&mut overlays.normals, "Normals");
    ui.checkbox(&mut overlays.quantisation, "Quantisation box");
    ui.separator();
    let frame = egui::Button::new("Show the whole character").shortcut_text("R");
    if ui.add(frame).clicked() {
        state.frame_document();
    }
    ui.separator();
    ui.label("Theme");
    ui.horizontal(|ui| {
        let mut theme = ui.ctx().options(|options| options.theme_preference);
        for (choice, name) in [
            (egui::ThemePreference::System, "system"),
            (egui::ThemePreference::Dark, "dark"),
            (egui::ThemePreference::Light, "light"),
        ] {
            ui.selectable_value(&mut theme, choice, name);
        }
        ui.ctx().set_theme(theme);
    });
}

/// Name of the document, and work that runs.
fn status(ui: &mut Ui, state: &State) {
    ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
        if let Some(job) = &state.opening {
            ui.spinner();
            ui.label(format!("opening {}: {}", job.title, job.stage));
        }
        for job in &state.exports {
            ui.spinner();
            ui.label(format!("{}: {}", job.title, job.stage));
        }
        if let Some(notice) = &state.notice {
            ui.label(notice);
        }
        if let Some(document) = &state.document {
            let character = &document.character;
            let vertices: usize = character.meshes().iter().map(Mesh::vertex_count).sum();
            ui.weak(format!(
                "{vertices} vertices, {} joints, {} clips",
                character.skeleton().len(),
                document.clips.len()
            ));
            ui.strong(document.title());
        }
    });
}
