//! Benchmark mode.

use eframe::egui::{
    Color32, DragValue, Grid, ProgressBar, Sense, Shape, Stroke, TextEdit, Ui, pos2,
};

use super::plot::area;
use crate::state::{Action, State};
use crate::worker::LiveCurve;

/// Colours of curves, in order.
const COLORS: [Color32; 8] = [
    Color32::from_rgb(160, 165, 175),
    Color32::from_rgb(110, 115, 125),
    Color32::from_rgb(94, 170, 220),
    Color32::from_rgb(232, 150, 60),
    Color32::from_rgb(120, 200, 120),
    Color32::from_rgb(220, 100, 110),
    Color32::from_rgb(190, 140, 230),
    Color32::from_rgb(220, 200, 90),
];

pub fn show(ui: &mut Ui, state: &mut State) {
    let can_start = state
        .document
        .as_ref()
        .is_some_and(|document| document.has_motion);
    let bench = &mut state.bench;
    let is_running = bench.job.is_some();
    ui.add_enabled_ui(!is_running, |ui| {
        Grid::new("techniques").num_columns(2).show(ui, |ui| {
            for (index, (technique, is_chosen)) in bench.techniques.iter_mut().enumerate() {
                ui.checkbox(is_chosen, technique.name());
                if index % 2 == 1 {
                    ui.end_row();
                }
            }
        });
        Grid::new("benchmark").num_columns(2).show(ui, |ui| {
            let label = ui.label("At most");
            let value = DragValue::new(&mut bench.minutes)
                .range(0.5..=120.0)
                .speed(0.1);
            ui.add(value.suffix(" min")).labelled_by(label.id);
            ui.end_row();
            let label = ui.label("Most instances");
            let value = DragValue::new(&mut bench.max_instances).range(10..=1_000_000);
            ui.add(value).labelled_by(label.id);
            ui.end_row();
            let label = ui.label("Spacing");
            let value = DragValue::new(&mut bench.spacing).range(0.1..=20.0);
            ui.add(value.speed(0.01).suffix(" sizes"))
                .labelled_by(label.id);
            ui.end_row();
            let label = ui.label("Palettes");
            ui.checkbox(&mut bench.updates, "Update each frame")
                .labelled_by(label.id);
            ui.end_row();
            let label = ui.label("Report");
            ui.add(TextEdit::singleline(&mut bench.folder).desired_width(160.0))
                .labelled_by(label.id);
            ui.end_row();
        });
    });
    ui.horizontal(|ui| match &bench.job {
        None => {
            let start = ui.add_enabled(can_start, eframe::egui::Button::new("Start"));
            if start.clicked() {
                state.actions.push(Action::StartBenchmark);
            }
            ui.weak("The viewports pause meanwhile.");
        }
        Some(job) => {
            if ui.button("Stop").clicked() {
                state.actions.push(Action::StopBenchmark);
            }
            ui.add(ProgressBar::new(job.done.unwrap_or(0.0)).text(&job.stage));
        }
    });
    plot(ui, &bench.curves);
    for answer in &bench.answers {
        ui.label(answer);
    }
    if let Some(page) = &bench.page {
        ui.hyperlink_to("Open the report", format!("file://{}", page.display()));
    }
}

/// Milliseconds per frame against instances.
fn plot(ui: &mut Ui, curves: &[LiveCurve]) {
    let points = || curves.iter().flat_map(|curve| &curve.points);
    let largest = |axis: usize| points().map(|point| point[axis]).fold(0.0, f32::max);
    let [instances, ms] = [largest(0), largest(1)];
    if instances == 0.0 {
        return;
    }
    let (rect, _) = area(ui, 150.0, Sense::hover());
    let inner = rect.shrink(6.0);
    for (curve, color) in curves.iter().zip(COLORS.iter().cycle()) {
        let mut sorted = curve.points.clone();
        sorted.sort_by(|a, b| a[0].total_cmp(&b[0]));
        let at = |point: &[f32; 2]| {
            pos2(
                inner.left() + inner.width() * point[0] / instances,
                inner.bottom() - inner.height() * point[1] / ms,
            )
        };
        let line = sorted.iter().map(at).collect();
        ui.painter()
            .add(Shape::line(line, Stroke::new(1.5, *color)));
    }
    ui.weak(format!(
        "milliseconds per frame (to {ms:.0}) against instances (to {instances:.0})"
    ));
    ui.horizontal_wrapped(|ui| {
        for (curve, color) in curves.iter().zip(COLORS.iter().cycle()) {
            ui.colored_label(*color, &curve.name);
        }
    });
}
