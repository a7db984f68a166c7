//! Frame times.

use eframe::egui::{Color32, Grid, Sense, Ui};

use super::{PaneContext, plot};
use crate::performance::FrameTime;

const WHOLE: Color32 = Color32::from_rgb(94, 170, 220);
const CPU: Color32 = Color32::from_rgb(232, 150, 60);
const GPU: Color32 = Color32::from_rgb(120, 200, 120);

pub fn show(ui: &mut Ui, context: &mut PaneContext<'_>) {
    let performance = &context.state.performance;
    type Time = fn(&FrameTime) -> Option<f32>;
    let rows: [(&str, Color32, Time); 3] = [
        ("Frame", WHOLE, |frame| Some(frame.whole_ms)),
        ("CPU", CPU, |frame| Some(frame.cpu_ms)),
        ("GPU", GPU, |frame| frame.gpu_ms),
    ];
    let mut top: f32 = 20.0;
    Grid::new("times")
        .num_columns(3)
        .striped(true)
        .show(ui, |ui| {
            for (name, color, time) in rows {
                ui.colored_label(color, name);
                let median = performance.median(time);
                top = top.max(1.5 * median.unwrap_or(0.0));
                ui.monospace(median.map_or("–".into(), |ms| format!("{ms:.2} ms")));
                ui.monospace(
                    median
                        .filter(|&ms| ms > 0.0)
                        .map_or(String::new(), |ms| format!("{:.0} per second", 1000.0 / ms)),
                );
                ui.end_row();
            }
        });
    ui.weak("Medians of the last 240 frames while the timeline plays. GPU: passes of the first viewport.");
    let (rect, _) = plot::area(ui, 120.0, Sense::hover());
    for (_, color, time) in rows {
        let values: Vec<f32> = performance
            .frames()
            .map(|frame| time(frame).unwrap_or(f32::NAN))
            .collect();
        plot::line(ui, rect.shrink(4.0), &values, top, color);
    }
    if let Some(stage) = &context.stage {
        let info = stage.render.adapter.get_info();
        ui.weak(format!(
            "{} ({:?}) {}",
            info.name, info.backend, info.driver_info
        ));
    }
}
