//! One, two or four viewports with one camera.

use eframe::egui::{
    self, Align2, Color32, FontId, PointerButton, Pos2, Rect, Response, Sense, Stroke, StrokeKind,
    Ui, UiBuilder, pos2, vec2,
};
use glam::{Mat4, Vec3};
use throng_rig::{Bounds, CharacterPose};
use throng_studio::{LineVertex, ramp};

use super::statistics::mm;
use super::{PaneContext, parameters};
use crate::choice::{Show, ViewCount};
use crate::document::Document;
use crate::gpu::{Colors, FrameSpec, Stage, Vertices, largest_distance};
use crate::quantisation;
use crate::state::{BakeStatus, State};
use crate::theme::ACCENT;

/// Gap between viewports, in points.
const GAP: f32 = 2.0;

/// Largest side of a viewport in pixels.
const MAX_SIDE: u32 = 8192;

pub fn show(ui: &mut Ui, context: &mut PaneContext<'_>) {
    let whole = ui.max_rect();
    ui.painter()
        .rect_filled(whole, 0.0, ui.visuals().extreme_bg_color);
    let Some(stage) = context.stage.as_deref_mut() else {
        ui.centered_and_justified(|ui| ui.label("No graphics device"));
        return;
    };
    let state = &mut *context.state;
    let count = state.view_count.count();
    if let Err(error) = stage.set_count(count) {
        state.report("Cannot make a viewport", error);
        return;
    }
    let scene = Overlay::of(state);
    let rects = rects(whole, state.view_count);
    let aspect = rects[0].width() / rects[0].height().max(1.0);
    // The first frame of a window shows the character before its size is known.
    if state.aspect == 0.0 && state.document.is_some() {
        state.aspect = aspect;
        state.frame_document();
    }
    state.aspect = aspect;
    for (view, rect) in rects.into_iter().enumerate() {
        viewport(ui, state, stage, view, rect, scene.as_ref());
    }
}

fn rects(whole: Rect, count: ViewCount) -> Vec<Rect> {
    let [columns, rows] = match count {
        ViewCount::One => [1, 1],
        ViewCount::Two => [2, 1],
        ViewCount::Four => [2, 2],
    };
    let size = vec2(
        (whole.width() - GAP * (columns - 1) as f32) / columns as f32,
        (whole.height() - GAP * (rows - 1) as f32) / rows as f32,
    );
    let rect = |index: i32| {
        let at = vec2((index % columns) as f32, (index / columns) as f32);
        let min = whole.min + at * (size + vec2(GAP, GAP));
        Rect::from_min_size(min, size)
    };
    (0..columns * rows).map(rect).collect()
}

/// Pose and lines that the overlays of all viewports share.
struct Overlay {
    pose: CharacterPose,
    /// Lines on top of surfaces: bones of the skeleton.
    on_top: Vec<LineVertex>,
    /// Bounding boxes.
    boxes: Vec<LineVertex>,
}

impl Overlay {
    fn of(state: &State) -> Option<Self> {
        let document = state.document.as_ref()?;
        let pose = state.source_pose()?;
        let (mut on_top, mut boxes) = (Vec::new(), Vec::new());
        if state.overlays.joints {
            let at = |joint: usize| pose.model.model_from_joint[joint].translation.as_vec3();
            for (parent, child) in document.character.skeleton().segments() {
                let is_selected = parent == state.joint;
                let color = match is_selected {
                    true => [232, 150, 60, 255],
                    false => [120, 190, 255, 255],
                };
                on_top.extend(LineVertex::line([at(parent), at(child)], color));
            }
        }
        if state.overlays.boxes {
            let clip = document.clip_bounds(state.timeline.clip());
            add_box(&mut boxes, &clip, [90, 200, 120, 255]);
            add_box(&mut boxes, &document.rest, [150, 150, 160, 255]);
        }
        Some(Self {
            pose,
            on_top,
            boxes,
        })
    }
}

/// Adds the twelve edges of a box.
fn add_box(lines: &mut Vec<LineVertex>, bounds: &Bounds, color: [u8; 4]) {
    let corners: Vec<Vec3> = bounds.corners().map(glam::DVec3::as_vec3).collect();
    for (a, first) in corners.iter().enumerate() {
        for second in &corners[a + 1..] {
            let shared = (*first - *second)
                .to_array()
                .iter()
                .filter(|side| **side == 0.0)
                .count();
            if shared >= 2 {
                lines.extend(LineVertex::line([*first, *second], color));
            }
        }
    }
}

fn viewport(
    ui: &mut Ui,
    state: &mut State,
    stage: &mut Stage,
    view: usize,
    rect: Rect,
    overlay: Option<&Overlay>,
) {
    let id = ui.scope_id().with(("viewport", view));
    let response = ui.interact(rect, id, Sense::click_and_drag());
    let label = format!("Viewport {}: {}", view + 1, state.views[view].show.name());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Image, true, &label));
    control_camera(ui, state, &response, rect);
    if response.clicked() || response.drag_started() {
        state.focus = view;
    }
    match state.content(view) {
        Some(content) => stage.screens[view].show(&stage.render, &content),
        None if state.document.is_none() => stage.screens[view].clear(),
        None => {}
    }
    let others = other_vertices(state, stage, view);
    // A benchmark has the device to itself.
    let is_measuring = state.bench.job.is_some();
    if let Some(overlay) = overlay.filter(|_| !is_measuring) {
        draw(ui, state, stage, view, rect, overlay, others.as_ref());
    }
    let uv = Rect::from_min_max(Pos2::ZERO, pos2(1.0, 1.0));
    let texture = stage.screens[view].texture;
    ui.painter().image(texture, rect, uv, Color32::WHITE);
    let aspect = rect.width() / rect.height().max(1.0);
    let clip_from_world = state.orbit.camera(aspect).clip_from_world();
    if let (Some(overlay), Some(document)) = (overlay, state.document.clone()) {
        joints(ui, state, &document, overlay, &clip_from_world, rect);
    }
    if state.view_count != ViewCount::One && state.focus == view {
        ui.painter()
            .rect_stroke(rect, 0.0, Stroke::new(1.5, ACCENT), StrokeKind::Inside);
    }
    caption(ui, state, stage, view, rect);
}

fn control_camera(ui: &Ui, state: &mut State, response: &Response, rect: Rect) {
    let drag = response.drag_delta();
    if drag != egui::Vec2::ZERO {
        let drag = [drag.x, drag.y];
        match response.dragged_by(PointerButton::Primary) {
            true => state.orbit.turn(drag),
            false => state.orbit.pan(drag, rect.height()),
        }
    }
    if response.hovered() {
        let (wheel, pinch) = ui.input(|input| (input.smooth_scroll_delta().y, input.zoom_delta()));
        if wheel != 0.0 || pinch != 1.0 {
            state.orbit.zoom((-0.002 * wheel).exp() / pinch);
        }
    }
}

/// Vertices that a viewport is compared with, where they show the same time.
fn other_vertices(state: &State, stage: &Stage, view: usize) -> Option<Vertices> {
    let other = state.views[view].difference?;
    stage.screens.get(other)?.vertices().cloned()
}

fn draw(
    ui: &Ui,
    state: &mut State,
    stage: &mut Stage,
    view: usize,
    rect: Rect,
    overlay: &Overlay,
    others: Option<&Vertices>,
) {
    let Some(document) = state.document.clone() else {
        return;
    };
    let pixels = ui.pixels_per_point();
    let side = |points: f32| ((points * pixels).round() as u32).clamp(1, MAX_SIDE);
    let size = [side(rect.width()), side(rect.height())];
    let is_compared = state.views[..state.view_count.count()]
        .iter()
        .any(|other| other.difference == Some(view));
    let own_difference = state.views[view].difference.is_some();
    let held = state.pose.is_active.then(|| {
        let skinning = match stage.screens[view].content() {
            Some(content) => content.skinning(),
            None => Default::default(),
        };
        state
            .pose
            .vertices(&document.character, state.with_factor(skinning))
    });
    let own = held.as_ref().or(stage.screens[view].vertices());
    let distance = own.zip(others).and_then(|(own, others)| {
        largest_distance(&own.positions, &others.positions).filter(|_| own.at == others.at)
    });
    if own_difference {
        if let Some(distance) = distance {
            state.distances_m[view] = Some(distance);
            state.full_m = state.full_m.max(distance);
        }
    } else {
        state.distances_m[view] = None;
    }
    let colors = match others {
        Some(others) if own_difference => Colors::Distances {
            others: &others.positions,
            full_m: state.full_m,
        },
        _ if state.overlays.weights => Colors::Weights { joint: state.joint },
        _ => Colors::Materials,
    };
    let mut tested = overlay.boxes.clone();
    if state.overlays.quantisation
        && let Some(baked) = state.set_of(view)
        && let Some(found) = quantisation::of_selection(&baked.set, state.joint, state.vertex)
    {
        add_box(&mut tested, &found.bounds, [232, 150, 60, 255]);
    }
    if state.overlays.normals
        && let Some(vertices) = stage.screens[view].vertices()
    {
        let length = 0.015 * document.size_m as f32;
        for (&position, &normal) in vertices.positions.iter().zip(&vertices.normals) {
            let ends = [position, position + normal * length];
            tested.extend(LineVertex::line(ends, [90, 220, 255, 255]));
        }
    }
    let casters = match state.crowd.instances {
        0 | 1 => document.bounds(),
        _ => state.crowd.bounds(&document, &state.timeline),
    };
    let ground_y = document
        .clip_bounds(state.timeline.clip())
        .min
        .y
        .min(document.rest.min.y);
    let aspect = size[0] as f32 / size[1] as f32;
    let instances = || state.crowd.instances(&document, &state.timeline);
    let frame = FrameSpec {
        size,
        camera: state.orbit.camera(aspect),
        casters,
        ground_y: ground_y as f32,
        character_size: document.size_m as f32,
        now: state.timeline.ticks(),
        instances: &instances,
        instances_key: state.crowd.key(&state.timeline, state.generation),
        probe: state.timeline.instance(0.0, 1.0),
        factor: state.factor,
        surface: state.overlays.surface(),
        colors,
        lines: [&tested, &overlay.on_top],
        held: held.as_ref(),
        needs_vertices: is_compared
            || own_difference
            || state.overlays.weights
            || state.overlays.normals,
    };
    let Stage {
        screens,
        render,
        times,
        ..
    } = stage;
    let times = times.as_mut().filter(|_| view == 0);
    let drawn = screens[view].draw(render, &frame, times);
    let needs_more = frame.needs_vertices
        && frame.held.is_none()
        && screens[view]
            .vertices()
            .is_none_or(|vertices| vertices.at != frame.now);
    if let Err(error) = drawn {
        state.report("Cannot draw", error);
    } else if needs_more {
        ui.ctx().request_repaint();
    }
}

fn project(clip_from_world: &Mat4, rect: Rect, point: Vec3) -> Option<Pos2> {
    let clip = *clip_from_world * point.extend(1.0);
    (clip.w > 0.0).then(|| {
        let at = vec2(clip.x / clip.w, -clip.y / clip.w);
        rect.center() + at * 0.5 * rect.size()
    })
}

/// Dots and names of joints.
fn joints(
    ui: &Ui,
    state: &State,
    document: &Document,
    overlay: &Overlay,
    clip_from_world: &Mat4,
    rect: Rect,
) {
    if !state.overlays.joints && !state.overlays.names {
        return;
    }
    let painter = ui.painter().with_clip_rect(rect);
    // Dots of fingers stay apart in small viewports.
    let scale = (rect.height() / 600.0).clamp(0.4, 1.5);
    let (mut selected, mut others) = (None, Vec::new());
    for (joint, model_from_joint) in overlay.pose.model.model_from_joint.iter().enumerate() {
        let position = model_from_joint.translation.as_vec3();
        let Some(at) = project(clip_from_world, rect, position) else {
            continue;
        };
        let is_selected = joint == state.joint;
        let color = match is_selected {
            true => ACCENT,
            false => Color32::from_rgb(150, 205, 255),
        };
        if state.overlays.joints {
            let radius = if is_selected { 5.0 } else { 2.5 };
            painter.circle_filled(at, radius * scale, color);
        }
        if is_selected && (state.overlays.joints || state.overlays.names) {
            selected = Some((joint, at));
        } else if state.overlays.names {
            others.push((joint, at));
        }
    }
    // The selected joint keeps its name; others leave theirs out where it would cover one.
    let mut placed: Vec<Rect> = Vec::new();
    for (joint, at) in selected.into_iter().chain(others) {
        let font = FontId::proportional(11.0);
        let name = painter.layout_no_wrap(document.joint_name(joint), font, Color32::WHITE);
        let size = name.size();
        let text = at + vec2(6.0, -0.5 * size.y);
        let covered = Rect::from_min_size(text, size);
        if placed.iter().any(|other| other.intersects(covered)) {
            continue;
        }
        placed.push(covered);
        let shadow = text + vec2(1.0, 1.0);
        painter.galley_with_override_text_color(shadow, name.clone(), Color32::BLACK);
        painter.galley(text, name, Color32::WHITE);
    }
}

/// Content, method, problem and legend of a viewport.
fn caption(ui: &mut Ui, state: &mut State, stage: &Stage, view: usize, rect: Rect) {
    let size = vec2(rect.width() - 16.0, 28.0);
    let top = Rect::from_min_size(rect.min + vec2(8.0, 6.0), size);
    let mut child = ui.new_child(UiBuilder::new().id_salt(("caption", view)).max_rect(top));
    child.shrink_clip_rect(rect);
    child.horizontal(|ui| {
        parameters::content(ui, state, view);
        parameters::method(ui, state, view);
    });
    shadowed(ui, rect, &detail(state, stage, view));
    if let Some(problem) = problem(state, stage, view) {
        let painter = ui.painter().with_clip_rect(rect);
        let galley = painter.layout(
            problem,
            FontId::proportional(13.0),
            Color32::WHITE,
            rect.width() - 40.0,
        );
        let size = galley.size();
        let area = Rect::from_center_size(rect.center(), size + vec2(20.0, 14.0));
        painter.rect_filled(area, 6.0, Color32::from_black_alpha(200));
        painter.galley(area.min + vec2(10.0, 7.0), galley, Color32::WHITE);
    }
    legend(ui, state, view, rect);
}

/// Shows a text in the lower left corner of a viewport.
fn shadowed(ui: &Ui, rect: Rect, text: &str) {
    if text.is_empty() {
        return;
    }
    let painter = ui.painter().with_clip_rect(rect);
    let font = FontId::proportional(12.0);
    let galley = painter.layout_no_wrap(text.to_owned(), font, Color32::WHITE);
    let size = galley.size() + vec2(12.0, 8.0);
    let corner = rect.left_bottom() + vec2(8.0, -8.0 - size.y);
    painter.rect_filled(
        Rect::from_min_size(corner, size),
        4.0,
        Color32::from_black_alpha(150),
    );
    painter.galley(corner + vec2(6.0, 4.0), galley, Color32::WHITE);
}

fn detail(state: &State, stage: &Stage, view: usize) -> String {
    let Some(content) = stage.screens[view].content() else {
        return String::new();
    };
    let mut parts = Vec::new();
    if let Some(baked) = state.set_of(view) {
        let manifest = baked.set.manifest();
        parts.push(format!("{} {}", manifest.encoding, manifest.storage()));
        parts.push(super::statistics::bytes(baked.set.gpu_bytes()));
        if let Some(summary) = &baked.summary {
            parts.push(format!("max {}", mm(summary.max_error_mm)));
        }
    } else if state.views[view].show == Show::Source {
        parts.push(content.technique().name().to_owned());
    }
    if let Some(BakeStatus::Running(job)) = state.bake_of(view).map(|bake| &bake.status) {
        parts.push(format!("{}…", job.stage));
    }
    if let Some(distance_m) = state.distances_m[view] {
        parts.push(format!("apart by {}", mm(1e3 * f64::from(distance_m))));
    }
    parts.join(" · ")
}

fn problem(state: &State, stage: &Stage, view: usize) -> Option<String> {
    if let Some(problem) = &stage.screens[view].problem {
        return Some(problem.clone());
    }
    match state.bake_of(view).map(|bake| &bake.status) {
        Some(BakeStatus::Failed(message)) => Some(message.clone()),
        Some(BakeStatus::Running(job)) if stage.screens[view].content().is_none() => {
            Some(format!("{}: {}…", job.title, job.stage))
        }
        _ if state.document.is_none() => {
            let job = state.opening.as_ref()?;
            Some(format!("opening {}…", job.title))
        }
        None if state.views[view].show.is_set() && state.set_of(view).is_none() => {
            Some("the source of this set was not found, so that it cannot be baked again".into())
        }
        _ => None,
    }
}

/// Colours and their values.
fn legend(ui: &mut Ui, state: &mut State, view: usize, rect: Rect) {
    let (title, end) = if state.views[view].difference.is_some() {
        ("distance", mm(1e3 * f64::from(state.full_m)))
    } else if state.overlays.weights {
        ("weight", "1".to_owned())
    } else {
        return;
    };
    let size = vec2(150.0, 42.0);
    let area = Rect::from_min_size(rect.right_bottom() - size - vec2(10.0, 40.0), size);
    let painter = ui.painter().with_clip_rect(rect);
    painter.rect_filled(area, 5.0, Color32::from_black_alpha(170));
    let bar = Rect::from_min_size(area.min + vec2(8.0, 18.0), vec2(134.0, 8.0));
    for step in 0..67 {
        let [r, g, b, _] = ramp(step as f32 / 66.0);
        let color: Color32 = egui::Rgba::from_rgb(r, g, b).into();
        let cell = Rect::from_min_size(bar.min + vec2(2.0 * step as f32, 0.0), vec2(2.0, 8.0));
        painter.rect_filled(cell, 0.0, color);
    }
    let font = FontId::proportional(11.0);
    let text = |at: Pos2, align: Align2, text: &str| {
        painter.text(at, align, text, font.clone(), Color32::WHITE);
    };
    text(area.min + vec2(8.0, 3.0), Align2::LEFT_TOP, title);
    text(bar.left_bottom() + vec2(0.0, 1.0), Align2::LEFT_TOP, "0");
    text(bar.right_bottom() + vec2(0.0, 1.0), Align2::RIGHT_TOP, &end);
    if state.views[view].difference.is_some() {
        let id = ui.scope_id().with(("legend", view));
        let button = ui.interact(area, id, Sense::click());
        let name = "Reset the scale of distances";
        button.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, name));
        if button
            .on_hover_text("Click to fit the scale to the current frame")
            .clicked()
        {
            state.full_m = state.distances_m[view].unwrap_or(0.0);
        }
    }
}
