//! Transforms of a joint, and the ranges that its values are quantised in.

use eframe::egui::{ComboBox, Grid, Ui};
use glam::{DAffine3, DVec3};
use throng_format::decode::{BonePose, bones};
use throng_format::{Layout, Range, TextureSet};
use throng_rig::DualQuat;

use crate::document::Document;
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
        decoded(ui, state, &baked.set, joint, model_from_joint);
        ranges(ui, &baked.set, joint);
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
    let is_bones = matches!(
        set.manifest().layout,
        Layout::Bones(_) | Layout::JointCurves(_)
    );
    let Some(shown) = state.timeline.shown().filter(|_| is_bones) else {
        ui.weak("The set stores vertices: there is no joint in its texels.");
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

/// Ranges of the joint's positions, or of all vertices.
fn ranges(ui: &mut Ui, set: &TextureSet, joint: usize) {
    let mut range = |title: &str, range: &Range| {
        ui.collapsing(title, |ui| {
            Grid::new(("range", title)).num_columns(3).show(ui, |ui| {
                ui.label("component");
                ui.label("centre");
                ui.label("half extent");
                ui.end_row();
                let components = range.center.iter().zip(&range.half_extent);
                for (index, (center, half)) in components.enumerate() {
                    ui.monospace(["x", "y", "z", "w"].get(index).copied().unwrap_or("…"));
                    ui.monospace(format!("{center:9.5}"));
                    ui.monospace(format!("{half:9.5}"));
                    ui.end_row();
                }
            });
        });
    };
    match &set.manifest().layout {
        Layout::Vertices(layout) => {
            if let Some(of_all) = &layout.range {
                range("Quantisation range of all vertices", of_all);
            }
        }
        Layout::Bones(layout) => {
            let bone = layout.bones.iter().position(|bone| bone.joint == joint);
            match (layout.ranges.as_slice(), bone) {
                ([one], _) => range("Quantisation range of all bones", one),
                (many, Some(bone)) if bone < many.len() => {
                    range("Quantisation range of the bone", &many[bone]);
                }
                _ => {}
            }
        }
        Layout::JointCurves(_) | Layout::VertexCurves(_) => {
            ui.weak("Compressed curves have a range for every curve and segment.");
        }
    }
}
