//! Parameters of bakes, and the content of the focused viewport.

use eframe::egui::{self, ComboBox, DragValue, Grid, ProgressBar, Slider, Ui};
use throng_format::Encoding;

use crate::choice::{
    BakeChoice, Budget, EffortChoice, METHODS, RateChoice, Show, VertexSharing, is_blend,
    method_name,
};
use crate::state::{Action, BakeStatus, State};

pub fn show(ui: &mut Ui, state: &mut State) {
    ui.heading(format!("Viewport {}", state.focus + 1));
    Grid::new("viewport").num_columns(2).show(ui, |ui| {
        let focus = state.focus;
        ui.label("Shows");
        content(ui, state, focus);
        ui.end_row();
        ui.label("Skinning");
        method(ui, state, focus);
        ui.end_row();
        let label = ui.label("Deform factor");
        let blends = is_blend(state.views[focus].skinning);
        let slider = Slider::new(&mut state.factor, 0.0..=1.0);
        let response = ui.add_enabled(blends, slider).labelled_by(label.id);
        response
            .on_hover_text("0 is LBS, 1 is DQS")
            .on_disabled_hover_text("For the skinning methods blend and blend-positions");
        ui.end_row();
        ui.label("Difference");
        difference(ui, state, focus);
        ui.end_row();
    });
    ui.separator();
    ui.heading("Bake");
    let can_bake = state
        .document
        .as_ref()
        .is_some_and(|document| document.has_motion);
    ui.add_enabled_ui(can_bake, |ui| bake(ui, state));
    progress(ui, state);
    warnings(ui, state);
}

/// Choice of what a viewport shows.
pub fn content(ui: &mut Ui, state: &mut State, view: usize) {
    let has_set = state
        .document
        .as_ref()
        .is_some_and(|document| document.set.is_some());
    let choice = &mut state.views[view];
    let combo = ComboBox::from_id_salt(("content", view)).selected_text(choice.show.name());
    let shown = combo.show_ui(ui, |ui| {
        for show in Show::all().filter(|&show| show != Show::OpenedSet || has_set) {
            ui.selectable_value(&mut choice.show, show, show.name())
                .on_hover_text(show.about());
        }
    });
    shown.response.on_hover_text("Content of the viewport");
}

/// Choice of the skinning method of a viewport.
pub fn method(ui: &mut Ui, state: &mut State, view: usize) {
    let choice = &mut state.views[view];
    let combo = ComboBox::from_id_salt(("method", view))
        .selected_text(method_name(choice.skinning))
        .width(96.0);
    let shown = combo.show_ui(ui, |ui| {
        for (name, skinning) in METHODS {
            let is_chosen = method_name(choice.skinning) == name;
            if ui.selectable_label(is_chosen, name).clicked() {
                choice.skinning = skinning;
            }
        }
    });
    shown.response.on_hover_text("Skinning method");
}

fn difference(ui: &mut Ui, state: &mut State, view: usize) {
    let count = state.view_count.count();
    let name = |other: Option<usize>| match other {
        None => "none".to_owned(),
        Some(other) => format!("from viewport {}", other + 1),
    };
    let chosen = &mut state.views[view].difference;
    ui.add_enabled_ui(count > 1, |ui| {
        let combo = ComboBox::from_id_salt("difference").selected_text(name(*chosen));
        let shown = combo.show_ui(ui, |ui| {
            ui.selectable_value(chosen, None, name(None));
            for other in (0..count).filter(|&other| other != view) {
                ui.selectable_value(chosen, Some(other), name(Some(other)));
            }
        });
        shown
            .response
            .on_hover_text("Distance from the vertices of another viewport, in colours")
            .on_disabled_hover_text("Show two or four viewports first");
    });
}

fn bake(ui: &mut Ui, state: &mut State) {
    let before = state.sharing;
    Grid::new("bake").num_columns(2).show(ui, |ui| {
        let draft = &mut state.draft;
        encoding(ui, draft);
        storage(ui, draft);
        rate(ui, draft);
        influences(ui, draft);
        budget(ui, draft);
        effort(ui, draft);
        let label = ui.label("Vertices");
        let mut is_shared = state.sharing == VertexSharing::Shared;
        let shared = ui.checkbox(&mut is_shared, "Share positions at seams");
        shared.labelled_by(label.id);
        state.sharing = match is_shared {
            true => VertexSharing::Shared,
            false => VertexSharing::Split,
        };
        ui.end_row();
    });
    if state.sharing != before
        && let Some(document) = &state.document
    {
        state.actions.push(Action::Open(document.source.clone()));
    }
    ui.horizontal(|ui| {
        let is_changed = state.draft != state.bake;
        let button = ui.add_enabled(is_changed, egui::Button::new("Bake"));
        let is_dragging = ui.input(|input| input.pointer.any_down());
        let at_once = state.bakes_at_once && !is_dragging && !ui.ctx().egui_wants_keyboard_input();
        if button.clicked() || is_changed && at_once {
            state.bake = state.draft;
        }
        ui.checkbox(&mut state.bakes_at_once, "at once");
        if ui.button("Defaults").clicked() {
            state.draft = BakeChoice::default();
        }
    });
}

fn encoding(ui: &mut Ui, draft: &mut BakeChoice) {
    ui.label("Encoding");
    let name = draft.encoding.map_or("auto", |encoding| encoding.name());
    let before = draft.encoding;
    let shown = ComboBox::from_id_salt("encoding")
        .selected_text(name)
        .show_ui(ui, |ui| {
            ui.selectable_value(&mut draft.encoding, None, "auto")
                .on_hover_text(
                    "The smallest set within the error, or the most accurate within the bytes",
                );
            for &encoding in Encoding::ALL {
                ui.selectable_value(&mut draft.encoding, Some(encoding), encoding.name());
            }
        });
    shown.response.on_hover_text("Encoding");
    if draft.encoding != before
        && let Some(encoding) = draft.encoding
    {
        *draft = draft.with_encoding(encoding);
    }
    ui.end_row();
}

fn storage(ui: &mut Ui, draft: &mut BakeChoice) {
    ui.label("Precision");
    let name = draft.storage.map_or("default", |storage| storage.name());
    let shown = ComboBox::from_id_salt("precision")
        .selected_text(name)
        .show_ui(ui, |ui| {
            ui.selectable_value(&mut draft.storage, None, "default");
            for storage in BakeChoice::storages(draft.encoding) {
                ui.selectable_value(&mut draft.storage, Some(storage), storage.name());
            }
        });
    shown
        .response
        .on_hover_text("Precision of frames, or compressed curves");
    ui.end_row();
}

fn rate(ui: &mut Ui, draft: &mut BakeChoice) {
    ui.label("Sample rate");
    ui.horizontal(|ui| {
        let name = match draft.rate {
            RateChoice::Native => "native",
            RateChoice::Auto => "auto",
            RateChoice::Hz(_) => "fixed",
        };
        let shown = ComboBox::from_id_salt("rate")
            .selected_text(name)
            .width(72.0)
            .show_ui(ui, |ui| {
                ui.selectable_value(&mut draft.rate, RateChoice::Native, "native");
                ui.selectable_value(&mut draft.rate, RateChoice::Auto, "auto");
                let is_fixed = matches!(draft.rate, RateChoice::Hz(_));
                if ui.selectable_label(is_fixed, "fixed").clicked() && !is_fixed {
                    draft.rate = RateChoice::Hz(30.0);
                }
            });
        shown.response.on_hover_text("Sample rate");
        if let RateChoice::Hz(hz) = &mut draft.rate {
            ui.add(DragValue::new(hz).range(6.0..=120.0).suffix(" Hz"))
                .on_hover_text("Samples per second");
        }
    });
    ui.end_row();
}

fn influences(ui: &mut Ui, draft: &mut BakeChoice) {
    let label = ui.label("Influences");
    ui.horizontal(|ui| {
        let mut is_limited = draft.influences.is_some();
        let limit = ui.checkbox(&mut is_limited, "at most");
        limit.labelled_by(label.id);
        let mut count = draft.influences.unwrap_or(4);
        let value = DragValue::new(&mut count).range(1..=12);
        ui.add_enabled(is_limited, value)
            .on_hover_text("Influences per vertex");
        draft.influences = is_limited.then_some(count);
    });
    ui.end_row();
}

fn budget(ui: &mut Ui, draft: &mut BakeChoice) {
    ui.label("Budget");
    ui.horizontal(|ui| {
        let name = match draft.budget {
            Budget::Default => "default",
            Budget::ErrorMm(_) => "error",
            Budget::KiB(_) => "bytes",
        };
        let shown = ComboBox::from_id_salt("budget")
            .selected_text(name)
            .width(72.0)
            .show_ui(ui, |ui| {
                ui.selectable_value(&mut draft.budget, Budget::Default, "default")
                    .on_hover_text("An error of 0.028 % of the size: 0.5 mm at 1.8 m");
                if ui.selectable_label(name == "error", "error").clicked() {
                    draft.budget = Budget::ErrorMm(0.5);
                }
                if ui.selectable_label(name == "bytes", "bytes").clicked() {
                    draft.budget = Budget::KiB(64.0);
                }
            });
        shown.response.on_hover_text("Limit of the bake");
        match &mut draft.budget {
            Budget::Default => {}
            Budget::ErrorMm(mm) => {
                let value = DragValue::new(mm).range(0.001..=1000.0).speed(0.01);
                ui.add(value.suffix(" mm")).on_hover_text("Largest error");
            }
            Budget::KiB(kib) => {
                let value = DragValue::new(kib).range(0.5..=1_000_000.0).speed(1.0);
                ui.add(value.suffix(" KiB")).on_hover_text("GPU bytes");
            }
        }
    });
    ui.end_row();
}

fn effort(ui: &mut Ui, draft: &mut BakeChoice) {
    ui.label("Effort");
    let name = |effort: EffortChoice| match effort {
        EffortChoice::Fast => "fast",
        EffortChoice::Normal => "normal",
        EffortChoice::Best => "best",
    };
    let shown = ComboBox::from_id_salt("effort")
        .selected_text(name(draft.effort))
        .show_ui(ui, |ui| {
            for effort in [EffortChoice::Fast, EffortChoice::Normal, EffortChoice::Best] {
                ui.selectable_value(&mut draft.effort, effort, name(effort));
            }
        });
    shown.response.on_hover_text("Effort of compression");
    ui.end_row();
}

/// Bakes that run, and those that failed.
fn progress(ui: &mut Ui, state: &State) {
    for bake in &state.bakes {
        match &bake.status {
            BakeStatus::Running(job) => {
                let text = format!("{}: {}", job.title, job.stage);
                ui.add(
                    ProgressBar::new(job.done.unwrap_or(0.0))
                        .text(text)
                        .animate(true),
                );
            }
            BakeStatus::Failed(message) => {
                let is_shown = state
                    .shown_views()
                    .any(|view| state.bake_key(view) == Some(bake.key));
                if is_shown {
                    ui.colored_label(ui.visuals().error_fg_color, message);
                }
            }
            BakeStatus::Ready(_) => {}
        }
    }
}

fn warnings(ui: &mut Ui, state: &State) {
    let Some(document) = &state.document else {
        return;
    };
    if document.warnings.is_empty() {
        return;
    }
    let title = format!("{} warnings of the import", document.warnings.len());
    ui.collapsing(title, |ui| {
        for warning in &document.warnings {
            ui.colored_label(ui.visuals().warn_fg_color, warning);
        }
    });
}
