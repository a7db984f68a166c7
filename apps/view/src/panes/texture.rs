//! The baked texture at true texels, with the play head on it.

use eframe::egui::{
    Color32, ColorImage, ComboBox, Pos2, Rect, Sense, Stroke, StrokeKind, TextureOptions, Ui, Vec2,
    pos2, vec2,
};
use throng_format::curves::{ClipRecord, Words, mask_words, row_words};
use throng_format::decode::FramePair;
use throng_format::{FrameOrder, Grid, Layout, TextureSet};

use crate::document::BakedSet;
use crate::state::State;
use crate::texels::{frame_rows, layer_image, meaning};
use crate::theme::ACCENT;

pub fn show(ui: &mut Ui, state: &mut State) {
    let Some(baked) = state.set_of(state.focus) else {
        ui.weak("Viewport without a texture set: show a bake in it, or open a set.");
        return;
    };
    let set = &baked.set;
    let view = &mut state.texture;
    view.texture = view.texture.min(set.textures().len().saturating_sub(1));
    let [width, height, layers] = set.textures()[view.texture].size();
    view.layer = view.layer.min(layers - 1);
    ui.horizontal_wrapped(|ui| {
        let entries = &set.manifest().textures;
        let name = entries.get(view.texture).map_or("", |entry| &entry.name);
        let shown = ComboBox::from_id_salt("texture")
            .selected_text(name)
            .show_ui(ui, |ui| {
                for (index, entry) in entries.iter().enumerate() {
                    ui.selectable_value(&mut view.texture, index, &entry.name);
                }
            });
        shown.response.on_hover_text("Texture of the set");
        if layers > 1 {
            let value = eframe::egui::DragValue::new(&mut view.layer).range(0..=layers - 1);
            ui.add(value.prefix("layer ")).on_hover_text("Layer");
        }
        if ui.button("Fit").clicked() {
            view.zoom = 0.0;
            view.pan = Vec2::ZERO;
        }
        if ui.button("1:1").clicked() {
            view.zoom = 1.0;
        }
        ui.monospace(format!(
            "{width} × {height} {}",
            set.textures()[view.texture].format()
        ));
    });
    picture(ui, state, &baked);
}

fn picture(ui: &mut Ui, state: &mut State, baked: &BakedSet) {
    let set = &baked.set;
    let view = &mut state.texture;
    let [width, height, _] = set.textures()[view.texture].size();
    let size = vec2(
        ui.available_width(),
        (ui.available_height() - 96.0).max(80.0),
    );
    let (rect, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
    response.widget_info(|| {
        eframe::egui::WidgetInfo::labeled(
            eframe::egui::Role::Image,
            true,
            "Texture: drag to pan, wheel to zoom",
        )
    });
    let texels = vec2(width as f32, height as f32);
    let fit = (rect.width() / texels.x).min(rect.height() / texels.y);
    let zoom = if view.zoom > 0.0 { view.zoom } else { fit };
    if response.hovered() {
        let wheel = ui.input(|input| input.smooth_scroll_delta().y);
        if wheel != 0.0 {
            let factor = (wheel * 0.004).exp();
            let pointer = response.hover_pos().unwrap_or(rect.center());
            let from_middle = pointer - rect.center() - view.pan;
            view.zoom = (zoom * factor).clamp(0.05, 64.0);
            view.pan -= from_middle * (view.zoom / zoom - 1.0);
        }
    }
    view.pan += response.drag_delta();
    let zoom = if view.zoom > 0.0 { view.zoom } else { fit };
    let drawn = Rect::from_center_size(rect.center() + view.pan, texels * zoom);
    let key = (std::ptr::from_ref(baked) as usize, view.texture, view.layer);
    if view.image.as_ref().is_none_or(|(known, _)| *known != key) {
        let image = layer_image(&set.textures()[view.texture], view.layer);
        let image = ColorImage::from_rgba_unmultiplied(image.size, &image.rgba);
        let handle = ui
            .ctx()
            .load_texture("baked texture", image, TextureOptions::NEAREST);
        view.image = Some((key, handle));
    }
    let painter = ui.painter().with_clip_rect(rect);
    painter.rect_filled(rect, 4.0, ui.visuals().extreme_bg_color);
    if let Some((_, handle)) = &view.image {
        let whole = Rect::from_min_max(Pos2::ZERO, pos2(1.0, 1.0));
        painter.image(handle.id(), drawn, whole, Color32::WHITE);
    }
    let to_screen = |texel: Rect| {
        let at = |point: Pos2| drawn.min + point.to_vec2() * zoom;
        Rect::from_min_max(at(texel.min), at(texel.max))
    };
    if let Some(shown) = state.timeline.shown() {
        let marks = play_heads(set, view.texture, view.layer, shown.clip, shown.time_secs);
        for mark in marks {
            let mark = to_screen(mark).expand2(vec2(0.0, 0.5));
            painter.rect(
                mark,
                0.0,
                ACCENT.gamma_multiply(0.25),
                Stroke::new(1.0, ACCENT),
                StrokeKind::Outside,
            );
        }
    }
    let hovered = response.hover_pos().and_then(|pointer| {
        let at = (pointer - drawn.min) / zoom;
        let is_inside = at.x >= 0.0 && at.y >= 0.0 && at.x < texels.x && at.y < texels.y;
        is_inside.then_some([at.x as u32, at.y as u32])
    });
    let Some(texel) = hovered else {
        ui.weak("Point at a texel to see what it means. Drag to pan, wheel to zoom.");
        return;
    };
    let cell = Rect::from_min_size(pos2(texel[0] as f32, texel[1] as f32), vec2(1.0, 1.0));
    let outline = Stroke::new(1.0, Color32::WHITE);
    painter.rect_stroke(to_screen(cell), 0.0, outline, StrokeKind::Outside);
    let meaning = meaning(set, view.texture, view.layer, texel);
    ui.strong(format!("{}, {}: {}", texel[0], texel[1], meaning.role));
    ui.label(&meaning.time);
    for [name, stored, decoded] in &meaning.channels {
        ui.monospace(format!("{name}: {stored}  →  {decoded}"));
    }
}

/// Texels of a layer that the current time is decoded from, as rectangles.
fn play_heads(
    set: &TextureSet,
    texture: usize,
    layer: u32,
    clip: usize,
    time_secs: f64,
) -> Vec<Rect> {
    let manifest = set.manifest();
    if clip >= manifest.clips.len() {
        return Vec::new();
    }
    let [width, height, _] = set.textures()[texture].size();
    let rows = |first: u32, last: u32| -> Option<Rect> {
        let top = first.max(layer * height);
        let bottom = last.min((layer + 1) * height);
        (top < bottom).then(|| {
            let (top, bottom) = (top - layer * height, bottom - layer * height);
            Rect::from_min_max(pos2(0.0, top as f32), pos2(width as f32, bottom as f32))
        })
    };
    let of_grid = |grid: &Grid| -> Vec<Rect> {
        if grid.texture != texture {
            return Vec::new();
        }
        let pair = FramePair::in_set(set, clip, time_secs);
        let frames = [pair.first, pair.second];
        match grid.order {
            FrameOrder::Rows => {
                let marks = frames.map(|frame| frame_rows(grid, frame));
                marks
                    .into_iter()
                    .filter_map(|mark| rows(mark.start, mark.end))
                    .collect()
            }
            FrameOrder::Columns => {
                let start = grid.pages.as_ref().map_or(0, |pages| {
                    pages.frame_starts.get(clip).copied().unwrap_or(0)
                });
                let marks = frames.map(|frame| {
                    let x = (grid.first_column + frame.saturating_sub(start)) as f32;
                    Rect::from_min_size(pos2(x, 0.0), vec2(1.0, height as f32))
                });
                marks.into()
            }
        }
    };
    let of_words = |curve_texture: usize, clip_table: u32, curves: u32| -> Vec<Rect> {
        if curve_texture != texture {
            return Vec::new();
        }
        let words = Words::of(&set.textures()[texture]);
        let record = ClipRecord::read(words, clip_table, clip as u32);
        let segment = (time_secs as f32 * record.segments_per_sec) as u32;
        let segment = segment.min(record.segments.max(1) - 1);
        let row = row_words(record.present);
        let first = record.first_word + mask_words(curves) + segment * row;
        rows(first / width, (first + row).div_ceil(width))
            .into_iter()
            .collect()
    };
    match &manifest.layout {
        Layout::Vertices(layout) => {
            let mut marks = of_grid(&layout.positions);
            marks.extend(of_grid(&layout.normals));
            marks
        }
        Layout::Bones(layout) => of_grid(&layout.grid),
        Layout::JointCurves(layout) => of_words(layout.texture, layout.clip_table, layout.curves),
        Layout::VertexCurves(layout) => {
            let curves = layout.positions + layout.normals;
            of_words(layout.texture, layout.clip_table, curves)
        }
    }
}
