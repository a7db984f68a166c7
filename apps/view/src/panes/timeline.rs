//! The timeline, always visible.

use eframe::egui::{
    self, Align2, Color32, ComboBox, DragValue, FontId, Sense, Stroke, Ui, pos2, vec2,
};

use super::icons::{self, Icon};
use super::plot;
use crate::state::State;
use crate::theme::ACCENT;
use crate::timeline::{Repeat, SPEEDS};

pub fn show(ui: &mut Ui, state: &mut State) {
    ui.add_space(2.0);
    ui.horizontal(|ui| controls(ui, state));
    track(ui, state);
    ui.add_space(2.0);
}

fn controls(ui: &mut Ui, state: &mut State) {
    let timeline = &mut state.timeline;
    if icons::button(ui, Icon::StepBack, "One frame back (Left)").clicked() {
        timeline.step(-1);
    }
    let (icon, hint) = match timeline.is_playing {
        true => (Icon::Pause, "Pause (Space)"),
        false => (Icon::Play, "Play (Space)"),
    };
    if icons::button(ui, icon, hint).clicked() {
        timeline.is_playing = !timeline.is_playing;
    }
    if icons::button(ui, Icon::StepOn, "One frame on (Right)").clicked() {
        timeline.step(1);
    }
    let name = timeline
        .current()
        .map_or("no clips", |clip| &clip.name)
        .to_owned();
    let mut chosen = None;
    let clips = ComboBox::from_id_salt("clip")
        .selected_text(name)
        .show_ui(ui, |ui| {
            for (index, clip) in timeline.clips.iter().enumerate() {
                let text = format!("{} ({:.2} s)", clip.name, clip.duration_secs);
                if ui
                    .selectable_label(index == timeline.clip(), text)
                    .clicked()
                {
                    chosen = Some(index);
                }
            }
        });
    clips.response.on_hover_text("Clip");
    if let Some(clip) = chosen {
        timeline.play(clip);
    }
    let mut is_loop = timeline.repeat == Repeat::Loop;
    if ui.checkbox(&mut is_loop, "Loop").changed() {
        timeline.repeat = match is_loop {
            true => Repeat::Loop,
            false => Repeat::Once,
        };
    }
    let label = ui.label("Speed");
    ui.add(
        DragValue::new(&mut timeline.speed)
            .range(SPEEDS)
            .speed(0.02)
            .suffix("×"),
    )
    .labelled_by(label.id);
    ui.separator();
    let mut to = None;
    ui.add_enabled_ui(timeline.clips.len() > 1, |ui| {
        let fade = ComboBox::from_id_salt("fade")
            .selected_text("Fade to")
            .show_ui(ui, |ui| {
                for (index, clip) in timeline.clips.iter().enumerate() {
                    let is_other = index != timeline.clip();
                    if is_other && ui.selectable_label(false, &clip.name).clicked() {
                        to = Some(index);
                    }
                }
            });
        fade.response.on_hover_text("Cross-fade to another clip");
        let label = ui.label("over");
        ui.add(
            DragValue::new(&mut state.fade_secs)
                .range(0.05..=5.0)
                .speed(0.01)
                .suffix(" s"),
        )
        .labelled_by(label.id);
    });
    if let Some(to) = to {
        state.has_faded = true;
        timeline.cross_fade(to, state.fade_secs);
    }
    let rate_hz = timeline.current().map_or(0.0, |clip| clip.rate_hz);
    let text = format!(
        "{:.3} / {:.3} s   frame {:.1} at {rate_hz:.0} Hz",
        timeline.time_secs(),
        timeline.duration_secs(),
        timeline.time_secs() * rate_hz,
    );
    ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
        ui.monospace(text);
    });
}

/// The bar to scrub, with the error over the clip behind the play head.
fn track(ui: &mut Ui, state: &mut State) {
    let (rect, response) = plot::area(ui, 38.0, Sense::click_and_drag());
    let label = "Timeline: drag to scrub";
    response.widget_info(|| egui::WidgetInfo::slider(true, state.timeline.time_secs(), label));
    let duration_secs = state.timeline.duration_secs();
    let inner = rect.shrink2(vec2(6.0, 4.0));
    let weak = ui.visuals().weak_text_color();
    let mut worst = None;
    if let Some(curve) = &state.curve {
        match &curve.errors_mm {
            Some(errors_mm) if !errors_mm.is_empty() => {
                let top = errors_mm.iter().copied().fold(0.0, f32::max);
                plot::line(
                    ui,
                    inner,
                    errors_mm,
                    1.15 * top,
                    Color32::from_rgb(94, 170, 220),
                );
                let at = errors_mm
                    .iter()
                    .position(|&error| error == top)
                    .unwrap_or(0);
                let part = at as f32 / (errors_mm.len() - 1).max(1) as f32;
                worst = Some((f64::from(part) * duration_secs, part, top));
            }
            Some(_) => {}
            None => {
                let text = "measuring the error over the clip…";
                let font = FontId::proportional(11.0);
                ui.painter()
                    .text(inner.left_center(), Align2::LEFT_CENTER, text, font, weak);
            }
        }
    }
    if let Some(pointer) = response.interact_pointer_pos()
        && duration_secs > 0.0
    {
        let part = ((pointer.x - inner.left()) / inner.width()).clamp(0.0, 1.0);
        state.timeline.is_playing = false;
        state.timeline.seek(f64::from(part) * duration_secs);
    }
    if duration_secs > 0.0 {
        let part = (state.timeline.time_secs() / duration_secs) as f32;
        let x = inner.left() + part * inner.width();
        let ends = [pos2(x, rect.top()), pos2(x, rect.bottom())];
        ui.painter().line_segment(ends, Stroke::new(2.0, ACCENT));
    }
    if let Some((time_secs, part, top)) = worst {
        let x = inner.left() + part * inner.width();
        let mark = egui::Rect::from_center_size(pos2(x, inner.top() + 3.0), vec2(10.0, 10.0));
        let id = ui.scope_id().with("worst");
        let button = ui.interact(mark, id, Sense::click());
        let hint = format!("Largest error over this clip: {top:.3} mm at {time_secs:.3} s");
        let name = "Show the largest error of the clip";
        button.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, name));
        ui.painter()
            .circle_filled(mark.center(), 4.0, Color32::from_rgb(230, 80, 70));
        if button.on_hover_text(hint).clicked() {
            state.timeline.is_playing = false;
            state.timeline.seek(time_secs);
        }
    }
}
