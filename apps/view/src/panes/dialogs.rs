//! Dialogs: a path to open, errors.

use std::path::Path;

use eframe::egui::{self, Align2, Context, RichText, Ui, Window, vec2};

use crate::browse::{EntryKind, Listing, MAX_ENTRIES};
use crate::command_line::shell_command;
use crate::export::{ExportKind, LANGUAGES};
use crate::state::{Action, State};

pub fn show(ctx: &Context, state: &mut State) {
    open(ctx, state);
    export(ctx, state);
    problems(ctx, state);
}

fn open(ctx: &Context, state: &mut State) {
    let Some(mut dialog) = state.open_dialog.take() else {
        return;
    };
    let mut is_open = true;
    let mut chosen = None;
    Window::new("Open")
        .open(&mut is_open)
        .collapsible(false)
        .resizable(false)
        .anchor(Align2::CENTER_CENTER, vec2(0.0, -40.0))
        .show(ctx, |ui| {
            ui.set_width(460.0);
            let label = ui.label(
                "Path of a .glb, .gltf, .fbx, .abc or .obj file, of a texture set, or builtin:NAME",
            );
            let field = ui
                .add(
                    egui::TextEdit::singleline(&mut dialog.path)
                        .hint_text("characters/knight.glb")
                        .desired_width(f32::INFINITY),
                )
                .labelled_by(label.id);
            if ui.memory(|memory| memory.focused().is_none()) {
                field.request_focus();
            }
            let is_entered =
                field.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
            if let Some(path) = entries(ui, &mut dialog.listing) {
                chosen = Some(path);
            }
            ui.weak("Files can also be dropped on the window.");
            ui.horizontal(|ui| {
                let path = dialog.path.trim();
                let can_open = !path.is_empty();
                let button = ui.add_enabled(can_open, egui::Button::new("Open"));
                if can_open && (button.clicked() || is_entered) {
                    chosen = Some(path.to_owned());
                }
                if ui.button("Cancel").clicked() {
                    chosen = Some(String::new());
                }
            });
        });
    match chosen {
        Some(path) if path.is_empty() => {}
        Some(path) => state.actions.push(Action::Open(path)),
        None if is_open => state.open_dialog = Some(dialog),
        None => {}
    }
}

/// Entries of a folder. Folders are entered; returns the path of a file or set that is clicked.
fn entries(ui: &mut Ui, listing: &mut Listing) -> Option<String> {
    let mut entered = None;
    let mut chosen = None;
    ui.horizontal(|ui| {
        let parent = listing.folder.parent().map(Path::to_owned);
        let up = ui.add_enabled(parent.is_some(), egui::Button::new("Up"));
        if up.on_hover_text("The folder above").clicked() {
            entered = parent;
        }
        ui.monospace(listing.folder.display().to_string());
    });
    egui::ScrollArea::vertical()
        .max_height(240.0)
        .auto_shrink(false)
        .show(ui, |ui| {
            if let Some(problem) = &listing.problem {
                ui.colored_label(ui.visuals().error_fg_color, problem);
            }
            for entry in &listing.entries {
                let text = match entry.kind {
                    EntryKind::Folder => RichText::new(format!("{}/", entry.name)).weak(),
                    EntryKind::Set | EntryKind::File => RichText::new(&entry.name),
                };
                let row = egui::Button::new(text).frame_when_inactive(false);
                if ui.add(row.min_size(vec2(430.0, 0.0))).clicked() {
                    let path = listing.folder.join(&entry.name);
                    match entry.kind {
                        EntryKind::Folder => entered = Some(path),
                        _ => chosen = Some(path.display().to_string()),
                    }
                }
            }
            if listing.entries.is_empty() && listing.problem.is_none() {
                ui.weak("No folders, characters or texture sets.");
            }
            if listing.is_cut {
                ui.weak(format!(
                    "Only {MAX_ENTRIES} entries are listed: type a path."
                ));
            }
        });
    if let Some(folder) = entered {
        *listing = Listing::of(&folder);
    }
    chosen
}

fn export(ctx: &Context, state: &mut State) {
    let Some(mut dialog) = state.export_dialog.take() else {
        return;
    };
    let (mut is_open, mut is_done) = (true, false);
    let command = dialog
        .arguments(state)
        .map(|arguments| shell_command(&arguments));
    Window::new(format!(
        "Export: {}",
        dialog.kind.title().trim_end_matches('…')
    ))
    .id(egui::Id::unique("export"))
    .open(&mut is_open)
    .collapsible(false)
    .resizable(false)
    .anchor(Align2::CENTER_CENTER, vec2(0.0, -40.0))
    .show(ctx, |ui| {
        ui.set_width(460.0);
        let label = ui.label(dialog.kind.about());
        let field = egui::TextEdit::singleline(&mut dialog.path).desired_width(f32::INFINITY);
        ui.add(field).labelled_by(label.id);
        match dialog.kind {
            ExportKind::Shader => {
                ui.horizontal(|ui| {
                    for language in LANGUAGES {
                        ui.selectable_value(&mut dialog.language, language, language);
                    }
                });
            }
            ExportKind::Animation => {
                let label = ui.label("Frames per second");
                ui.add(egui::Slider::new(&mut dialog.fps, 5..=60))
                    .labelled_by(label.id);
            }
            _ => {}
        }
        if let Some(command) = &command {
            ui.add_space(4.0);
            ui.weak("The same on the command line:");
            ui.horizontal_wrapped(|ui| {
                ui.monospace(command);
                if ui.small_button("Copy").clicked() {
                    ui.ctx().copy_text(command.clone());
                }
            });
        }
        ui.horizontal(|ui| {
            let can_export = !dialog.path.trim().is_empty();
            if ui
                .add_enabled(can_export, egui::Button::new("Export"))
                .clicked()
            {
                state.actions.push(Action::Export(dialog.clone()));
                is_done = true;
            }
            is_done |= ui.button("Cancel").clicked();
        });
    });
    if is_open && !is_done {
        state.export_dialog = Some(dialog);
    }
}

fn problems(ctx: &Context, state: &mut State) {
    let Some(problem) = state.problems.first().cloned() else {
        return;
    };
    let mut is_open = true;
    let mut is_closed = false;
    let more = state.problems.len() - 1;
    Window::new(&problem.title)
        .id(egui::Id::unique("problem"))
        .open(&mut is_open)
        .collapsible(false)
        .anchor(Align2::RIGHT_TOP, vec2(-12.0, 44.0))
        .show(ctx, |ui| {
            ui.set_max_width(420.0);
            ui.colored_label(ui.visuals().error_fg_color, &problem.message);
            ui.horizontal(|ui| {
                is_closed |= ui.button("Dismiss").clicked();
                if more > 0 {
                    ui.weak(format!("{more} more"));
                }
            });
        });
    if is_closed || !is_open {
        state.problems.remove(0);
    }
}
