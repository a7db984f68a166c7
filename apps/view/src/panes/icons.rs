//! Buttons with drawn symbols: fonts differ in the symbols that they have.

use eframe::egui::{Pos2, Rect, Response, Role, Sense, Shape, Stroke, Ui, WidgetInfo, pos2, vec2};

/// A symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Icon {
    /// A triangle to the right.
    Play,
    /// Two bars.
    Pause,
    /// A triangle to the left, and a bar.
    StepBack,
    /// A triangle to the right, and a bar.
    StepOn,
}

/// Shows a button with a symbol; the hint is its name for screen readers, too.
pub fn button(ui: &mut Ui, icon: Icon, hint: &str) -> Response {
    let size = vec2(30.0, ui.spacing().interact_size.y);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, ui.is_enabled(), hint));
    if ui.is_rect_visible(rect) {
        let visuals = *ui.style().interact(&response);
        let painter = ui.painter();
        painter.rect(
            rect.expand(visuals.expansion),
            visuals.corner_radius,
            visuals.weak_bg_fill,
            visuals.bg_stroke,
            eframe::egui::StrokeKind::Inside,
        );
        let color = visuals.fg_stroke.color;
        let middle = rect.center();
        let at = |x: f32, y: f32| -> Pos2 { pos2(middle.x + x, middle.y + y) };
        let bar = |x: f32, width: f32| {
            let bar = Rect::from_min_size(at(x, -5.5), vec2(width, 11.0));
            Shape::rect_filled(bar, 0.5, color)
        };
        let triangle = |points: Vec<Pos2>| Shape::convex_polygon(points, color, Stroke::NONE);
        match icon {
            Icon::Play => {
                painter.add(triangle(vec![at(-4.0, -6.0), at(6.0, 0.0), at(-4.0, 6.0)]));
            }
            Icon::Pause => {
                painter.add(bar(-4.5, 3.0));
                painter.add(bar(1.5, 3.0));
            }
            Icon::StepBack => {
                painter.add(bar(-5.0, 2.0));
                painter.add(triangle(vec![at(5.0, -5.5), at(5.0, 5.5), at(-2.0, 0.0)]));
            }
            Icon::StepOn => {
                painter.add(bar(3.0, 2.0));
                painter.add(triangle(vec![at(-5.0, -5.5), at(2.0, 0.0), at(-5.0, 5.5)]));
            }
        }
    }
    response.on_hover_text(hint)
}
