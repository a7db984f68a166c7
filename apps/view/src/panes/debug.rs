//! Transforms of a joint, positions of a vertex, and the boxes that they are quantised in.

use eframe::egui::{ComboBox, DragValue, Grid, Ui};
use glam::{DAffine3, DVec3};
use throng_format::decode::{BonePose, VertexOffsets, bones};
use throng_format::{Layout, TextureSet};
use throng_rig::DualQuat;
use throng_skin::reference::skin_position;

use crate::document::Document;
use crate::quantisation::{self, QuantisationBox};
use crate::state::State;

pub fn show(ui: &mut Ui, state: &mut State) {
    let Some(document) = state.document.clone() else {
        return;
    };
    joint_choice(ui, state, &document);
    let Some(pose) = state.source_pose() else {
        return;
    };
    let joint = state
        .joint
        .min(document.character.skeleton().len().saturating_sub(1));
    let Some(&model_from_joint) = pose.model.model_from_joint.get(joint) else {
        return;
    };
    ui.checkbox(&mut state.overlays.weights, "Show its weights");
    let inverse_bind = inverse_bind(&document, joint);
    transform(ui, "Source: joint in model space", model_from_joint);
    if let Some(inverse_bind) = inverse_bind {
        let with_bind = model_from_joint * inverse_bind;
        transform(ui, "Source: with inverse bind matrix", with_bind);
    }
    if let Some(baked) = state.set_of(state.focus) {
        match baked.set.manifest().encoding.is_vertex() {
            true => vertex(ui, state, &document, &baked.set),
            false => decoded(ui, state, &baked.set, joint, model_from_joint),
        }
        quantisation_box(ui, state, &baked.set, joint);
    }
}

fn joint_choice(ui: &mut Ui, state: &mut State, document: &Document) {
    ui.horizontal(|ui| {
        ui.label("Joint");
        let name = document.joint_name(state.joint);
        let joints = document.character.skeleton().joints();
        let shown = ComboBox::from_id_salt("joint")
            .selected_text(name)
            .show_ui(ui, |ui| {
                for joint in 0..joints.len() {
                    ui.selectable_value(&mut state.joint, joint, document.joint_name(joint));
                }
            });
        shown.response.on_hover_text("Joint to inspect");
        let parent = joints.get(state.joint).and_then(|joint| joint.parent);
        if let Some(parent) = parent
            && ui.button("Parent").clicked()
        {
            state.joint = parent;
        }
    });
}

fn inverse_bind(document: &Document, joint: usize) -> Option<DAffine3> {
    let skins = document.character.skins().iter();
    let found = skins.filter_map(|skin| {
        let index = skin.joints().iter().position(|&of| of == joint)?;
        Some(skin.joint_from_bind()[index])
    });
    found.into_iter().next()
}

fn transform(ui: &mut Ui, title: &str, matrix: DAffine3) {
    ui.collapsing(title, |ui| {
        Grid::new((title, "matrix")).num_columns(4).show(ui, |ui| {
            let columns = [
                matrix.matrix3.x_axis,
                matrix.matrix3.y_axis,
                matrix.matrix3.z_axis,
                matrix.translation,
            ];
            for row in 0..3 {
                for column in columns {
                    ui.monospace(format!("{:9.5}", column[row]));
                }
                ui.end_row();
            }
        });
        let (scale, rotation, translation) = matrix.to_scale_rotation_translation();
        let dual = DualQuat::from_rotation_translation(rotation, translation);
        Grid::new((title, "dual quaternion"))
            .num_columns(5)
            .show(ui, |ui| {
                for (name, part) in [("real", dual.real), ("dual", dual.dual)] {
                    ui.label(name);
                    for value in part.to_array() {
                        ui.monospace(format!("{value:8.5}"));
                    }
                    ui.end_row();
                }
            });
        if (scale - DVec3::ONE).abs().max_element() > 1e-6 {
            ui.monospace(format!(
                "scale {:.5} {:.5} {:.5}",
                scale.x, scale.y, scale.z
            ));
        }
    });
}

/// The joint as the set decodes to it, and its distance from the source.
fn decoded(ui: &mut Ui, state: &State, set: &TextureSet, joint: usize, source: DAffine3) {
    let Some(shown) = state.timeline.shown() else {
        return;
    };
    if shown.clip >= set.manifest().clips.len() {
        return;
    }
    let mut pose = BonePose::rest(set.model());
    bones(set, shown.clip, shown.time_secs, &mut pose);
    let Some(&decoded) = pose.model_from_joint.get(joint) else {
        return;
    };
    transform(ui, "Set: joint in model space", decoded);
    if !state.pose.is_active {
        let apart_mm = 1e3 * decoded.translation.distance(source.translation);
        ui.monospace(format!("position apart by {apart_mm:.4} mm"));
    }
}

/// Choice of a vertex; its position in the source and in the set.
fn vertex(ui: &mut Ui, state: &mut State, document: &Document, set: &TextureSet) {
    let count = set.rest().positions.len();
    state.vertex = state.vertex.min(count.saturating_sub(1));
    ui.horizontal(|ui| {
        let label = ui.label("Vertex");
        let value = DragValue::new(&mut state.vertex).range(0..=count.saturating_sub(1));
        ui.add(value).labelled_by(label.id);
        ui.weak(format!("of {count} unique positions"));
    });
    let clips = set.manifest().clips.len();
    let shown = state.timeline.shown();
    let Some((shown, rest)) = shown.zip(set.rest().positions.get(state.vertex)) else {
        return;
    };
    if shown.clip >= clips {
        return;
    }
    let offsets = VertexOffsets::at(set, shown.clip, shown.time_secs);
    let decoded = rest.as_dvec3() + offsets.offset(state.vertex as u32);
    Grid::new("vertex").num_columns(4).show(ui, |ui| {
        let mut row = |name: &str, position: DVec3| {
            ui.label(name);
            for value in position.to_array() {
                ui.monospace(format!("{value:9.5}"));
            }
            ui.end_row();
        };
        row("Rest pose", rest.as_dvec3());
        row("Set", decoded);
        let is_posed = document.has_motion && !state.pose.is_active && shown.second.is_none();
        if let Some(source) = source_position(state, document, set).filter(|_| is_posed) {
            row("Source", source);
            ui.label("Apart");
            ui.monospace(format!("{:.4} mm", 1e3 * source.distance(decoded)));
            ui.end_row();
        }
    });
}

/// Position of the selected vertex in the source, skinned by the method of the set.
fn source_position(state: &State, document: &Document, set: &TextureSet) -> Option<DVec3> {
    let pose = state.source_pose()?;
    let [part, vertex] = quantisation::vertex_at(set, state.vertex)?;
    let character = &document.character;
    let part = character.parts().get(part)?;
    Some(skin_position(
        set.manifest().method,
        character.mesh_of(part),
        &pose.local.morph_weights[character.morph_range(part)],
        &pose.palettes[part.skin],
        vertex,
        None,
    ))
}

/// The box that positions of the joint or of the vertex are quantised in.
fn quantisation_box(ui: &mut Ui, state: &mut State, set: &TextureSet, joint: usize) {
    let found = quantisation::of_selection(set, joint, state.vertex);
    let Some(QuantisationBox { bounds, step_m }) = found else {
        ui.weak(match &set.manifest().layout {
            Layout::JointCurves(_) => "Compressed curves have a range per curve and segment.",
            _ => "Its texels are not quantised in a box of positions.",
        });
        return;
    };
    ui.checkbox(
        &mut state.overlays.quantisation,
        "Show its quantisation box",
    );
    Grid::new("quantisation").num_columns(4).show(ui, |ui| {
        let mut row = |name: &str, values: DVec3, scale: f64, unit: &str| {
            ui.label(name);
            for value in values.to_array() {
                ui.monospace(format!("{:9.4}", scale * value));
            }
            ui.label(unit);
            ui.end_row();
        };
        row("From", bounds.min, 1.0, "m");
        row("To", bounds.max, 1.0, "m");
        if let Some(step_m) = step_m {
            row("Step", step_m, 1e3, "mm");
        }
    });
}
