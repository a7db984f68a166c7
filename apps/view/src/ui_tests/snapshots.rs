//! Pictures of the main states, compared with those of the documentation.
//!
//! `UPDATE_SNAPSHOTS=1 cargo test -p throng-view snapshots` rewrites them; look at them before you commit them.

use std::path::PathBuf;

use egui_kittest::SnapshotOptions;
use throng_rig::Method;

use super::*;

/// Size of the pictures.
const SIZE: [f32; 2] = [1280.0, 720.0];

/// Pixels of a picture that may differ: edges that another version of the driver rounds differently.
const MAX_PIXELS: usize = 1500;

/// Compares the window with a picture of the documentation.
fn check(harness: &mut Harness<'_, Viewer>, name: &str) {
    for _ in 0..4 {
        harness.step();
    }
    let folder: PathBuf = [env!("CARGO_MANIFEST_DIR"), "..", "..", "docs", "images"]
        .iter()
        .collect();
    let options = SnapshotOptions::new()
        .threshold(2.0)
        .max_failed_pixels(MAX_PIXELS)
        .output_path(folder);
    harness.snapshot_options(name, &options);
}

/// The humanoid, in the middle of a step.
fn walking() -> Option<Harness<'static, Viewer>> {
    let mut harness = open_sized("builtin:humanoid", SIZE)?;
    let state = &mut harness.state_mut().state;
    state.timeline.is_playing = false;
    state.timeline.seek(0.4);
    Some(harness)
}

fn has_curve(state: &State) -> bool {
    let curve = state.curve.as_ref();
    curve.is_some_and(|curve| curve.errors_mm.is_some())
}

#[test]
fn one_viewport_and_the_errors_in_two() {
    let Some(mut harness) = walking() else {
        return;
    };
    check(&mut harness, "view-one");
    click(&mut harness, "2 views");
    wait(&mut harness, is_ready);
    let state = &mut harness.state_mut().state;
    state.views[1].difference = Some(0);
    state.focus = 1;
    wait(&mut harness, |state| {
        state.distances_m[1].is_some() && has_curve(state)
    });
    check(&mut harness, "view-difference");
}

#[test]
fn four_viewports_and_a_texture() {
    let Some(mut harness) = walking() else {
        return;
    };
    click(&mut harness, "4 views");
    wait(&mut harness, is_ready);
    let state = &mut harness.state_mut().state;
    state.overlays.joints = true;
    state.focus = 1;
    click(&mut harness, "Texture");
    wait(&mut harness, has_curve);
    check(&mut harness, "view-four");
}

#[test]
fn crowd_of_a_bake() {
    let Some(mut harness) = walking() else {
        return;
    };
    let state = &mut harness.state_mut().state;
    state.views[0].show = Show::Bake;
    state.crowd.instances = 200;
    click(&mut harness, "Crowd");
    harness.state_mut().state.frame_document();
    wait(&mut harness, is_ready);
    wait(&mut harness, has_curve);
    check(&mut harness, "view-crowd");
}

#[test]
fn pose_by_hand_with_weights_and_the_debug_pane() {
    let Some(mut harness) = walking() else {
        return;
    };
    let state = &mut harness.state_mut().state;
    let names = state.document.clone().unwrap();
    let joints = names.character.skeleton().len();
    let arm = (0..joints).find(|&joint| names.joint_name(joint).contains("upper_arm"));
    state.joint = arm.unwrap();
    state.pose.is_active = true;
    state.pose.angles_deg[state.joint] = [0.0, 0.0, 60.0];
    state.overlays.weights = true;
    state.overlays.joints = true;
    click(&mut harness, "2 views");
    let state = &mut harness.state_mut().state;
    state.views[0].skinning = Some(Method::Lbs.into());
    state.views[1] = crate::choice::ViewChoice::of(Show::Source);
    state.views[1].skinning = Some(Method::Dqs.into());
    click(&mut harness, "Pose");
    click(&mut harness, "Debug");
    check(&mut harness, "view-pose");
}

#[test]
fn help_and_an_error_in_the_light_theme() {
    let Some(mut harness) = walking() else {
        return;
    };
    harness.ctx.set_theme(egui::Theme::Light);
    let state = &mut harness.state_mut().state;
    state.shows_help = true;
    state.report(
        "Cannot open knight.glb",
        "knight.glb: the file ends within accessor 3: export it again",
    );
    check(&mut harness, "view-light");
}
