//! Sizes and errors of the set in the focused viewport.

use eframe::egui::{Grid, Ui};
use throng_rig::Mesh;

use crate::document::ErrorSummary;
use crate::state::State;

pub fn show(ui: &mut Ui, state: &mut State) {
    let Some(baked) = state.set_of(state.focus) else {
        ui.weak("Viewport without a texture set: show a bake in it, or open a set.");
        character(ui, state);
        return;
    };
    let manifest = baked.set.manifest();
    ui.heading(format!("{} {}", manifest.encoding, manifest.storage()));
    if let Some(note) = &baked.note {
        ui.weak(note);
    }
    Grid::new("sizes")
        .num_columns(2)
        .striped(true)
        .show(ui, |ui| {
            row(ui, "GPU bytes", &bytes(baked.set.gpu_bytes()));
            row(ui, "Frames", &baked.set.frames().to_string());
            for texture in &manifest.textures {
                let size = format!(
                    "{} × {}{} {}",
                    texture.width,
                    texture.height,
                    match texture.layers {
                        1 => String::new(),
                        layers => format!(" × {layers}"),
                    },
                    texture.texels
                );
                row(ui, &texture.name, &size);
            }
            if let Some(summary) = &baked.summary {
                let rate = format!("{:.3}", summary.bytes_per_joint_frame);
                row(ui, "Bytes/joint/frame", &rate);
                let [kept, all] = summary.influences;
                row(ui, "Influences", &format!("{kept} of {all}"));
            }
        });
    ui.separator();
    match &baked.summary {
        Some(summary) => errors(ui, state, summary),
        None => {
            ui.weak("The error is not known: the source was not found.");
        }
    }
}

fn errors(ui: &mut Ui, state: &mut State, summary: &ErrorSummary) {
    ui.heading("Error against the source");
    Grid::new("errors")
        .num_columns(2)
        .striped(true)
        .show(ui, |ui| {
            row(ui, "Largest (bound)", &mm(summary.max_error_mm));
            row(ui, "99 % below", &mm(summary.p99_error_mm));
            row(ui, "Root mean square", &mm(summary.rms_error_mm));
            let of_size = format!("{:.4} %", 100.0 * summary.max_error_of_size);
            row(ui, "Largest, of the size", &of_size);
            row(
                ui,
                "Normals",
                &format!("{:.3}°", summary.max_normal_error_deg),
            );
        });
    if let Some(worst) = &summary.worst {
        let joint = state
            .document
            .as_ref()
            .map(|document| document.joint_name(worst.joint));
        let text = format!(
            "Worst: {} at '{}' in '{}', {:.3} s",
            mm(worst.error_mm),
            joint.unwrap_or_default(),
            worst.clip,
            worst.time_secs
        );
        let button = ui
            .button(text)
            .on_hover_text("Show this moment, its joint and its vertex");
        if button.clicked() {
            state.show_worst(&worst.clip, worst.time_secs, Some(worst));
        }
    }
    ui.separator();
    ui.label("Clips");
    Grid::new("clips")
        .num_columns(2)
        .striped(true)
        .show(ui, |ui| {
            for clip in &summary.clips {
                let button = ui
                    .button(&clip.name)
                    .on_hover_text("Show its largest error");
                if button.clicked() {
                    state.show_worst(&clip.name, clip.worst_secs.unwrap_or(0.0), None);
                }
                ui.monospace(mm(clip.max_error_mm));
                ui.end_row();
            }
        });
}

fn character(ui: &mut Ui, state: &State) {
    let Some(document) = &state.document else {
        return;
    };
    ui.separator();
    let character = &document.character;
    let vertices: usize = character.meshes().iter().map(Mesh::vertex_count).sum();
    let triangles: usize = character
        .meshes()
        .iter()
        .map(|mesh| mesh.triangles().len())
        .sum();
    let influences = character
        .meshes()
        .iter()
        .map(|mesh| mesh.influences().max_per_vertex());
    Grid::new("character")
        .num_columns(2)
        .striped(true)
        .show(ui, |ui| {
            row(ui, "Vertices", &vertices.to_string());
            row(ui, "Triangles", &triangles.to_string());
            row(ui, "Joints", &character.skeleton().len().to_string());
            row(ui, "Influences", &influences.max().unwrap_or(0).to_string());
            row(ui, "Parts", &character.parts().len().to_string());
            row(ui, "Size", &format!("{:.3} m", document.size_m));
        });
}

fn row(ui: &mut Ui, name: &str, value: &str) {
    ui.label(name);
    ui.monospace(value);
    ui.end_row();
}

/// Formats millimetres.
pub fn mm(value: f64) -> String {
    match value {
        0.0 => "0 mm".into(),
        value if value < 0.001 => "<0.001 mm".into(),
        value if value < 10.0 => format!("{value:.3} mm"),
        value => format!("{value:.1} mm"),
    }
}

/// Formats bytes.
pub fn bytes(bytes: u64) -> String {
    match bytes {
        0..1024 => format!("{bytes} B"),
        1024..1_048_576 => format!("{:.1} KiB", bytes as f64 / 1024.0),
        _ => format!("{:.1} MiB", bytes as f64 / 1_048_576.0),
    }
}
