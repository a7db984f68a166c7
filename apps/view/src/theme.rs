//! Colours, type and spacing.

use eframe::egui::{
    Color32, Context, CornerRadius, FontFamily, FontId, Margin, Stroke, Style, TextStyle, Theme,
    Visuals, vec2,
};

/// Accent of selections and of the play head.
pub const ACCENT: Color32 = Color32::from_rgb(232, 150, 60);

/// Sets the look of both themes.
pub fn apply(ctx: &Context) {
    for theme in [Theme::Dark, Theme::Light] {
        ctx.style_mut_of(theme, |style| {
            spacing(style);
            style.visuals = match theme {
                Theme::Dark => dark(),
                Theme::Light => light(),
            };
        });
    }
}

fn spacing(style: &mut Style) {
    style.spacing.item_spacing = vec2(8.0, 6.0);
    style.spacing.button_padding = vec2(8.0, 4.0);
    style.spacing.interact_size.y = 24.0;
    style.spacing.slider_width = 140.0;
    style.spacing.combo_width = 128.0;
    style.spacing.menu_margin = Margin::same(6);
    let size = |size| FontId::new(size, FontFamily::Proportional);
    style.text_styles = [
        (TextStyle::Small, size(11.0)),
        (TextStyle::Body, size(13.5)),
        (TextStyle::Button, size(13.5)),
        (TextStyle::Heading, size(17.0)),
        (
            TextStyle::Monospace,
            FontId::new(12.5, FontFamily::Monospace),
        ),
    ]
    .into();
}

fn rounded(visuals: &mut Visuals) {
    let radius = CornerRadius::same(5);
    let widgets = &mut visuals.widgets;
    for widget in [
        &mut widgets.noninteractive,
        &mut widgets.inactive,
        &mut widgets.hovered,
        &mut widgets.active,
        &mut widgets.open,
    ] {
        widget.corner_radius = radius;
    }
    visuals.window_corner_radius = CornerRadius::same(8);
    visuals.menu_corner_radius = CornerRadius::same(6);
    visuals.selection.bg_fill = ACCENT.gamma_multiply(0.45);
    visuals.slider_trailing_fill = true;
}

fn dark() -> Visuals {
    let mut visuals = Visuals::dark();
    rounded(&mut visuals);
    let grey = Color32::from_gray;
    visuals.panel_fill = Color32::from_rgb(30, 32, 36);
    visuals.window_fill = Color32::from_rgb(36, 38, 43);
    visuals.extreme_bg_color = Color32::from_rgb(20, 21, 24);
    visuals.faint_bg_color = Color32::from_rgb(38, 40, 45);
    visuals.widgets.noninteractive.bg_stroke = Stroke::new(1.0, Color32::from_rgb(54, 57, 63));
    visuals.widgets.noninteractive.fg_stroke = Stroke::new(1.0, grey(200));
    visuals.widgets.inactive.fg_stroke = Stroke::new(1.0, grey(215));
    visuals.widgets.inactive.weak_bg_fill = Color32::from_rgb(52, 55, 61);
    visuals.widgets.inactive.bg_fill = Color32::from_rgb(58, 61, 68);
    visuals.widgets.hovered.weak_bg_fill = Color32::from_rgb(66, 70, 78);
    visuals.selection.stroke = Stroke::new(1.0, Color32::from_rgb(255, 226, 190));
    visuals.hyperlink_color = Color32::from_rgb(120, 180, 255);
    visuals.error_fg_color = Color32::from_rgb(255, 130, 115);
    visuals
}

fn light() -> Visuals {
    let mut visuals = Visuals::light();
    rounded(&mut visuals);
    let grey = Color32::from_gray;
    visuals.panel_fill = Color32::from_rgb(246, 246, 248);
    visuals.window_fill = Color32::from_rgb(252, 252, 253);
    visuals.faint_bg_color = Color32::from_rgb(236, 237, 240);
    visuals.widgets.noninteractive.bg_stroke = Stroke::new(1.0, Color32::from_rgb(208, 210, 216));
    visuals.widgets.noninteractive.fg_stroke = Stroke::new(1.0, grey(45));
    visuals.widgets.inactive.fg_stroke = Stroke::new(1.0, grey(40));
    visuals.selection.stroke = Stroke::new(1.0, Color32::from_rgb(110, 60, 0));
    visuals
}
