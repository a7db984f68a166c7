//! Instances and their variation.

use eframe::egui::{ComboBox, DragValue, Grid, Slider, Ui};
use throng_studio::Arrangement;

use crate::crowd::{CrowdChoice, CrowdClips, MAX_INSTANCES};
use crate::state::State;

pub fn show(ui: &mut Ui, state: &mut State) {
    let before = state.crowd;
    let crowd = &mut state.crowd;
    Grid::new("crowd").num_columns(2).show(ui, |ui| {
        let label = ui.label("Instances");
        let value = DragValue::new(&mut crowd.instances)
            .range(1..=MAX_INSTANCES)
            .speed(1.0);
        ui.add(value).labelled_by(label.id);
        ui.end_row();
        let label = ui.label("Spacing");
        let slider = Slider::new(&mut crowd.spacing, 0.3..=5.0).suffix("×");
        ui.add(slider)
            .labelled_by(label.id)
            .on_hover_text("Distance between neighbours, in footprints");
        ui.end_row();
        ui.label("Arrangement");
        let shown = ComboBox::from_id_salt("arrangement")
            .selected_text(crowd.arrangement.name())
            .show_ui(ui, |ui| {
                for arrangement in Arrangement::FLAT {
                    ui.selectable_value(&mut crowd.arrangement, arrangement, arrangement.name())
                        .on_hover_text(arrangement.about());
                }
            });
        shown.response.on_hover_text("Arrangement");
        ui.end_row();
        let label = ui.label("Offsets");
        ui.add(Slider::new(&mut crowd.offsets, 0.0..=1.0))
            .labelled_by(label.id)
            .on_hover_text("Spread of times, as a part of the clip");
        ui.end_row();
        let label = ui.label("Speeds");
        ui.add(Slider::new(&mut crowd.speeds, 0.0..=0.5))
            .labelled_by(label.id)
            .on_hover_text("Largest difference from the speed of the timeline");
        ui.end_row();
        let label = ui.label("Poses");
        ui.add(Slider::new(&mut crowd.poses, 0.0..=1.0))
            .labelled_by(label.id)
            .on_hover_text("Spread between the animation and the bind pose");
        ui.end_row();
        ui.label("Clips");
        ui.horizontal(|ui| {
            ui.selectable_value(&mut crowd.clips, CrowdClips::Timeline, "one");
            ui.selectable_value(&mut crowd.clips, CrowdClips::Mixed, "all");
        });
        ui.end_row();
        let label = ui.label("Tint");
        ui.checkbox(&mut crowd.is_tinted, "Different colours")
            .labelled_by(label.id);
        ui.end_row();
        let label = ui.label("Seed");
        ui.add(DragValue::new(&mut crowd.seed))
            .labelled_by(label.id);
        ui.end_row();
    });
    ui.horizontal(|ui| {
        for instances in [1, 25, 100, 1000] {
            if ui.button(instances.to_string()).clicked() {
                state.crowd.instances = instances;
            }
        }
        if ui.button("Defaults").clicked() {
            state.crowd = CrowdChoice::default();
        }
    });
    let sizes = [before.instances.min(2), state.crowd.instances.min(2)];
    if sizes[0] != sizes[1] {
        state.frame_document();
    }
}
