//! A slider for every joint's angles.

use eframe::egui::{Slider, TextEdit, Ui};

use throng_format::InterpolatedValues;

use crate::state::{Action, State};

pub fn show(ui: &mut Ui, state: &mut State) {
    let Some(document) = state.document.clone() else {
        return;
    };
    let current = state.source_pose();
    let pose = &mut state.pose;
    ui.checkbox(&mut pose.is_active, "Pose by hand")
        .on_hover_text(
            "Viewports show this pose, skinned by their methods, instead of the timeline",
        );
    ui.horizontal(|ui| {
        let from_frame = ui
            .button("From this frame")
            .on_hover_text("Turn joints on top of the current frame");
        if from_frame.clicked()
            && let Some(current) = current
        {
            pose.reset();
            pose.base = Some(current.local);
            pose.is_active = true;
        }
        let reset = ui.button("Reset").on_hover_text("Back to the rest pose");
        if reset.clicked() {
            pose.reset();
        }
        let add = ui.add_enabled(
            document.has_motion,
            eframe::egui::Button::new("Add as a clip"),
        );
        let add = add.on_hover_text(
            "A clip of one second from the rest pose to this pose, which is baked like any other",
        );
        if add.clicked() {
            state.actions.push(Action::AddPoseClip);
        }
    });
    ui.horizontal(|ui| {
        ui.label("From the rest pose by");
        ui.selectable_value(&mut pose.by, InterpolatedValues::Rotations, "rotations");
        ui.selectable_value(&mut pose.by, InterpolatedValues::Positions, "positions");
    });
    ui.horizontal(|ui| {
        let label = ui.label("Fraction");
        ui.add(Slider::new(&mut pose.fraction, 0.0..=1.0))
            .labelled_by(label.id);
    });
    ui.horizontal(|ui| {
        let label = ui.label("Find");
        ui.add(TextEdit::singleline(&mut pose.filter).hint_text("part of a name"))
            .labelled_by(label.id);
    });
    ui.separator();
    let filter = pose.filter.to_lowercase();
    let mut selected = None;
    for (joint, angles) in pose.angles_deg.iter_mut().enumerate() {
        let name = document.joint_name(joint);
        if !name.to_lowercase().contains(&filter) {
            continue;
        }
        ui.push_id(joint, |ui| {
            if ui.selectable_label(state.joint == joint, &name).clicked() {
                selected = Some(joint);
            }
            let mut is_turned = false;
            for (axis, angle) in ["X", "Y", "Z"].into_iter().zip(angles) {
                ui.horizontal(|ui| {
                    let label = ui.label(axis);
                    let slider = Slider::new(angle, -180.0..=180.0).suffix("°");
                    let response = ui.add(slider).labelled_by(label.id);
                    is_turned |= response.changed();
                });
            }
            pose.is_active |= is_turned;
        });
    }
    if let Some(joint) = selected {
        state.joint = joint;
    }
}
