//! Small plots.

use eframe::egui::{
    Color32, Pos2, Rect, Response, Sense, Shape, Stroke, StrokeKind, Ui, pos2, vec2,
};

/// Makes room for a plot of the whole width, with its background.
pub fn area(ui: &mut Ui, height: f32, sense: Sense) -> (Rect, Response) {
    let size = vec2(ui.available_width(), height);
    let (rect, response) = ui.allocate_exact_size(size, sense);
    let visuals = ui.visuals();
    let (fill, stroke) = (
        visuals.extreme_bg_color,
        visuals.widgets.noninteractive.bg_stroke,
    );
    ui.painter()
        .rect(rect, 4.0, fill, stroke, StrokeKind::Inside);
    (rect, response)
}

/// Draws values of equal distance as a line over a rectangle, from 0 at the bottom to `top` at the top. Values that are not
/// finite interrupt the line.
pub fn line(ui: &Ui, rect: Rect, values: &[f32], top: f32, color: Color32) {
    let last = values.len().saturating_sub(1).max(1) as f32;
    let point = |(index, &value): (usize, &f32)| -> Pos2 {
        let x = rect.left() + rect.width() * index as f32 / last;
        let part = (value / top.max(f32::MIN_POSITIVE)).clamp(0.0, 1.0);
        pos2(x, rect.bottom() - rect.height() * part)
    };
    let numbered: Vec<(usize, &f32)> = values.iter().enumerate().collect();
    for run in numbered.split(|(_, value)| !value.is_finite()) {
        let points: Vec<Pos2> = run.iter().map(|&one| point(one)).collect();
        ui.painter()
            .add(Shape::line(points, Stroke::new(1.5, color)));
    }
}
