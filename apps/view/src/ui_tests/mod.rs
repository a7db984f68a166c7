//! Tests that drive the viewer as a user does, without a window.

mod gpu_times;
mod robustness;
mod snapshots;

use std::sync::Arc;
use std::time::{Duration, Instant};

use eframe::egui::accesskit::Role;
use eframe::egui::{self, Key};
use eframe::egui_wgpu::WgpuSetup;
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use throng_format::Encoding;
use throng_rig::{Method, Skinning};
use throng_testkit::adapter_or_skip;
use throng_wgpu::Gpu;

use crate::choice::{Show, ViewCount};
use crate::state::{Action, BakeStatus, State};
use crate::{Options, Viewer, device_descriptor};

/// Longest time that a test waits for the worker.
const PATIENCE: Duration = Duration::from_secs(120);

/// Opens the viewer on a source and waits until it is shown. `None` where there is no adapter.
fn open(source: &str) -> Option<Harness<'static, Viewer>> {
    // Large enough for every control of every pane.
    open_sized(source, [1600.0, 1200.0])
}

fn open_sized(source: &str, size: [f32; 2]) -> Option<Harness<'static, Viewer>> {
    let options = Options {
        source: Some(source.to_owned()),
        ..Options::default()
    };
    open_with(options, size)
}

fn open_with(options: Options, size: [f32; 2]) -> Option<Harness<'static, Viewer>> {
    adapter_or_skip(Gpu::headless().ok(), "Vulkan", "mesa-vulkan-drivers")?;
    let mut setup = egui_kittest::wgpu::default_wgpu_setup();
    if let WgpuSetup::CreateNew(setup) = &mut setup {
        setup.device_descriptor = Arc::new(device_descriptor);
    }
    let mut harness = Harness::builder()
        .with_size(size)
        .with_step_dt(1.0 / 60.0)
        .with_max_steps(8)
        .wgpu_setup(setup)
        .build_eframe(|creation| Viewer::new(creation, options));
    wait(&mut harness, |state| state.document.is_some());
    Some(harness)
}

/// Runs frames until a condition holds.
fn wait(harness: &mut Harness<'_, Viewer>, until: impl Fn(&State) -> bool) {
    let start = Instant::now();
    while !until(&harness.state().state) {
        assert!(start.elapsed() < PATIENCE, "waited too long");
        harness.step();
        std::thread::sleep(Duration::from_millis(2));
    }
    harness.step();
}

fn is_ready(state: &State) -> bool {
    let mut views = state.shown_views();
    views.all(|view| match state.bake_of(view) {
        Some(bake) => matches!(bake.status, BakeStatus::Ready(_)),
        None => true,
    })
}

fn click(harness: &mut Harness<'_, Viewer>, label: &str) {
    {
        let mut nodes = harness.query_all_by_label(label);
        let control = nodes.find(|node| node.accesskit_node().role() != Role::Label);
        control
            .unwrap_or_else(|| panic!("no control '{label}'"))
            .click();
    }
    for _ in 0..4 {
        harness.step();
    }
}

/// Opens a menu and clicks an entry.
fn menu(harness: &mut Harness<'_, Viewer>, path: &[&str]) {
    for label in path {
        click(harness, label);
    }
}

#[test]
fn opens_the_builtin_character_and_plays() {
    let Some(mut harness) = open("builtin:bar") else {
        return;
    };
    let before = harness.state().state.timeline.time_secs();
    for _ in 0..5 {
        harness.step();
    }
    assert_ne!(harness.state().state.timeline.time_secs(), before);
    harness.key_press(Key::Space);
    harness.step();
    assert!(!harness.state().state.timeline.is_playing);
    let before = harness.state().state.timeline.time_secs();
    harness.key_press(Key::ArrowRight);
    harness.step();
    harness.step();
    assert!(harness.state().state.timeline.time_secs() > before);
}

#[test]
fn bad_files_show_an_error_and_the_old_one_keeps_playing() {
    let Some(mut harness) = open("builtin:bar") else {
        return;
    };
    let action = Action::Open("/no/such/file.glb".into());
    harness.state_mut().state.actions.push(action);
    wait(&mut harness, |state| !state.problems.is_empty());
    assert!(
        harness
            .query_all_by_label_contains("/no/such/file.glb")
            .count()
            > 0
    );
    let state = &harness.state().state;
    assert_eq!(state.document.as_ref().unwrap().source, "builtin:bar");
    assert!(state.timeline.is_playing);
    click(&mut harness, "Dismiss");
    assert!(harness.state().state.problems.is_empty());
}

#[test]
fn viewports_bake_and_their_difference_is_measured() {
    let Some(mut harness) = open("builtin:bar") else {
        return;
    };
    click(&mut harness, "2 views");
    assert_eq!(harness.state().state.view_count, ViewCount::Two);
    wait(&mut harness, is_ready);
    let state = &mut harness.state_mut().state;
    state.timeline.is_playing = false;
    state.timeline.seek(0.3);
    state.views[1].difference = Some(0);
    state.focus = 1;
    wait(&mut harness, |state| state.distances_m[1].is_some());
    let state = &harness.state().state;
    let distance_mm = 1e3 * f64::from(state.distances_m[1].unwrap());
    let set = state.set_of(1).unwrap();
    let bound_mm = set.summary.as_ref().unwrap().max_error_mm;
    // The bound is that of the CPU; float32 on the device adds micrometres.
    assert!(distance_mm <= bound_mm + 0.02, "{distance_mm} {bound_mm}");
    assert!(
        harness
            .query_by_label("Reset the scale of distances")
            .is_some()
    );
    wait(&mut harness, |state| {
        state
            .curve
            .as_ref()
            .is_some_and(|curve| curve.errors_mm.is_some())
    });
    let state = &harness.state().state;
    let errors_mm = state.curve.as_ref().unwrap().errors_mm.as_ref().unwrap();
    let top = errors_mm.iter().copied().fold(0.0, f32::max);
    assert!(
        f64::from(top) <= bound_mm * 1.001 + 1e-6,
        "{top} {bound_mm}"
    );
    click(&mut harness, "Show the largest error of the clip");
}

#[test]
fn vertex_caches_are_shown_from_a_bake_of_their_vertices() {
    let file = throng_testkit::workspace_root().join("offline/import/tests/uniform.abc");
    let Some(mut harness) = open(file.to_str().unwrap()) else {
        return;
    };
    wait(&mut harness, is_ready);
    let state = &harness.state().state;
    assert!(state.problems.is_empty(), "{:?}", state.problems);
    let set = state.set_of(0).expect("a bake");
    assert_eq!(set.set.manifest().encoding, Encoding::Vertex);
    // The source rests beside it.
    harness.state_mut().state.views[0].show = Show::Source;
    for _ in 0..4 {
        harness.step();
    }
    let state = &harness.state().state;
    assert!(state.problems.is_empty(), "{:?}", state.problems);
}

#[test]
fn sets_of_methods_with_numbers_per_vertex_have_their_own_error() {
    let folder = tempfile::tempdir().unwrap();
    let character = throng_import::builtin::builtin("cylinder").unwrap();
    for (method, name) in [(Method::Cor.into(), "cor"), (Skinning::BlendAuto, "auto")] {
        let character = throng_skin::prepare(character.clone(), method, &[]);
        let settings = throng_bake::BakeSettings {
            encoding: Encoding::BoneQt,
            skinning: method,
            ..Default::default()
        };
        let source = throng_format::Source::in_memory("builtin:cylinder".to_owned());
        let baked = throng_bake::bake(&character, &settings, &source, &()).unwrap();
        let path = folder.path().join(format!("{name}.glb"));
        throng_format::disk::write_glb(&baked.set, &path).unwrap();
        let Some(harness) = open(path.to_str().unwrap()) else {
            return;
        };
        let document = harness.state().state.document.clone().unwrap();
        let summary = document.set.as_ref().unwrap().summary.clone().unwrap();
        // With the numbers of the set; without, a twist is off by the radius of the cylinder.
        assert!(
            summary.max_error_mm < 5.0,
            "{name}: {}",
            summary.max_error_mm
        );
    }
}

#[test]
fn every_encoding_can_be_chosen_from_the_viewport() {
    let Some(mut harness) = open("builtin:bar") else {
        return;
    };
    for &encoding in Encoding::ALL {
        harness.state_mut().state.views[0].show = Show::Encoding(encoding);
        harness.step();
        wait(&mut harness, is_ready);
        let state = &harness.state().state;
        let set = state.set_of(0).unwrap();
        assert_eq!(set.set.manifest().encoding, encoding);
        assert!(
            state.problems.is_empty(),
            "{encoding}: {:?}",
            state.problems
        );
    }
}

#[test]
fn menus_switch_overlays_and_the_help_sheet() {
    let Some(mut harness) = open("builtin:bar") else {
        return;
    };
    for label in ["Wireframe", "Joints", "Bounding boxes", "Normals"] {
        menu(&mut harness, &["View", label]);
        harness.key_press(Key::Escape);
        harness.step();
    }
    let overlays = harness.state().state.overlays;
    assert!(overlays.wireframe && overlays.joints && overlays.boxes && overlays.normals);
    for _ in 0..5 {
        harness.step();
    }
    assert!(harness.state().state.problems.is_empty());
    menu(&mut harness, &["Help", "Keys and mouse"]);
    assert!(harness.query_by_label("turn the camera").is_some());
}

#[test]
fn dropped_files_are_opened() {
    let Some(mut harness) = open("builtin:bar") else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("box.glb");
    write_glb("box", &path);
    let dropped: Arc<dyn egui::DroppedFile + Send + Sync> = Arc::new(Dropped(path.clone()));
    harness.input_mut().dropped_files.push(dropped);
    harness.step();
    wait(&mut harness, |state| {
        state
            .document
            .as_ref()
            .is_some_and(|document| document.title() == "box.glb")
    });
    assert_eq!(harness.state().state.recent[0], path.display().to_string());
}

/// Writes a built-in character as a GLB file.
fn write_glb(name: &str, path: &std::path::Path) {
    let character = throng_import::builtin::builtin(name).unwrap();
    let extras = throng_format::ModelExtras::default();
    let mut bytes = Vec::new();
    throng_format::write_model(&character, extras, &mut bytes).unwrap();
    std::fs::write(path, bytes).unwrap();
}

/// A file that is dropped on the window.
#[derive(Debug)]
struct Dropped(std::path::PathBuf);

impl egui::DroppedFile for Dropped {
    fn path(&self) -> &std::path::Path {
        &self.0
    }

    fn bytes(&self) -> Result<Vec<u8>, String> {
        std::fs::read(&self.0).map_err(|error| error.to_string())
    }
}

#[test]
fn dragging_turns_the_camera_and_r_resets_it() {
    let Some(mut harness) = open("builtin:bar") else {
        return;
    };
    let before = harness.state().state.orbit;
    let viewport = harness.get_by_label_contains("Viewport 1:");
    let center = viewport.rect().center();
    harness.drag_at(center);
    harness.hover_at(center + egui::vec2(60.0, 20.0));
    harness.step();
    harness.drop_at(center + egui::vec2(60.0, 20.0));
    harness.step();
    let turned = harness.state().state.orbit;
    assert_ne!(turned.yaw_rad, before.yaw_rad);
    harness.key_press(Key::R);
    harness.step();
    harness.step();
    assert_eq!(harness.state().state.orbit.yaw_rad, before.yaw_rad);
}

#[test]
fn every_control_has_a_name() {
    let Some(harness) = open("builtin:bar") else {
        return;
    };
    let unnamed = harness
        .query_all_by_role(Role::Button)
        .filter(|node| {
            node.accesskit_node()
                .label()
                .is_none_or(|label| label.is_empty())
        })
        .count();
    assert_eq!(unnamed, 0);
}

#[test]
fn poses_by_hand_are_skinned_by_each_viewport() {
    let Some(mut harness) = open("builtin:bar") else {
        return;
    };
    click(&mut harness, "2 views");
    wait(&mut harness, is_ready);
    click(&mut harness, "Pose");
    click(&mut harness, "Pose by hand");
    let state = &mut harness.state_mut().state;
    assert!(state.pose.is_active);
    let joint = state.pose.angles_deg.len() / 2;
    state.pose.angles_deg[joint] = [0.0, 0.0, 70.0];
    state.views[0].skinning = Some(Method::Lbs.into());
    state.views[1].show = Show::Source;
    state.views[1].skinning = Some(Method::Dqs.into());
    state.views[1].difference = Some(0);
    wait(&mut harness, |state| {
        state.distances_m[1].is_some_and(|m| m > 1e-3)
    });
    // At the rest pose, both methods agree.
    harness.state_mut().state.pose.fraction = 0.0;
    wait(&mut harness, |state| {
        state.distances_m[1].is_some_and(|m| m < 1e-6)
    });
    // The pose as a clip: it ends in the pose, and is baked.
    let state = &mut harness.state_mut().state;
    state.pose.fraction = 1.0;
    state.views[1] = crate::choice::ViewChoice::of(Show::Bake);
    let clips = state.timeline.clips.len();
    click(&mut harness, "Add as a clip");
    wait(&mut harness, |state| {
        state.timeline.clips.len() == clips + 1 && is_ready(state)
    });
    let state = &harness.state().state;
    assert_eq!(state.timeline.current().unwrap().name, "pose");
    assert!(!state.pose.is_active);
    let set = state.set_of(1).unwrap();
    assert_eq!(set.set.manifest().clips.len(), clips + 1);
    // The file lacks the clip, so that the command would lose it.
    let dialog = crate::export::ExportDialog::new(crate::export::ExportKind::Bake, state);
    assert_eq!(dialog.arguments(state), None);
    click(&mut harness, "Reset");
    let pose = &harness.state().state.pose;
    assert!(pose.angles_deg.iter().all(|angles| *angles == [0.0; 3]));
    assert!(harness.state().state.problems.is_empty());
}

#[test]
fn crowds_are_drawn_with_variation() {
    let Some(mut harness) = open("builtin:bar") else {
        return;
    };
    click(&mut harness, "Crowd");
    click(&mut harness, "25");
    let state = &harness.state().state;
    assert_eq!(state.crowd.instances, 25);
    let document = state.document.clone().unwrap();
    let instances = state.crowd.instances(&document, &state.timeline);
    assert_eq!(instances.len(), 25);
    assert!(instances.iter().any(|one| one.tint != instances[0].tint));
    assert!(instances.iter().any(|one| one.play != instances[0].play));
    for show in [Show::Bake, Show::Technique(throng_wgpu::Technique::Cpu)] {
        harness.state_mut().state.views[0].show = show;
        harness.step();
        wait(&mut harness, is_ready);
        for _ in 0..3 {
            harness.step();
        }
    }
    assert!(harness.state().state.problems.is_empty());
}

#[test]
fn texture_pane_names_texels_of_every_encoding() {
    let Some(mut harness) = open("builtin:bar") else {
        return;
    };
    click(&mut harness, "Texture");
    for &encoding in Encoding::ALL {
        harness.state_mut().state.views[0].show = Show::Encoding(encoding);
        harness.step();
        wait(&mut harness, is_ready);
        let texture = harness.get_by_label("Texture: drag to pan, wheel to zoom");
        let rect = texture.rect();
        let size = rect.size();
        for part in [0.3, 0.5, 0.7] {
            harness.hover_at(rect.min + egui::vec2(0.5 * size.x, part * size.y));
            harness.step();
        }
        let state = &harness.state().state;
        assert!(
            state.problems.is_empty(),
            "{encoding}: {:?}",
            state.problems
        );
        assert!(state.texture.image.is_some(), "{encoding}");
    }
}

#[test]
fn exports_write_files() {
    let Some(mut harness) = open("builtin:bar") else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let exports = [
        ("Posed mesh…", path("bar.glb")),
        ("Picture…", path("bar.png")),
        ("Animation…", path("bar.gif")),
    ];
    for (entry, path) in exports {
        menu(&mut harness, &["File", "Export", entry]);
        let state = &mut harness.state_mut().state;
        let dialog = state.export_dialog.as_mut().unwrap();
        dialog.path.clone_from(&path);
        dialog.fps = 5;
        harness.step();
        // The menu has an entry of the same name.
        let dialog = harness.state_mut().state.export_dialog.take().unwrap();
        harness
            .state_mut()
            .state
            .actions
            .push(Action::Export(dialog));
        harness.step();
        let wrote = format!("wrote {path}");
        wait(&mut harness, |state| {
            assert!(state.problems.is_empty(), "{:?}", state.problems);
            state.notice.as_ref() == Some(&wrote)
        });
        assert!(std::fs::metadata(&path).unwrap().len() > 1000, "{path}");
    }
}

#[test]
fn benchmark_mode_shows_curves_and_writes_a_report() {
    let Some(mut harness) = open("builtin:bar") else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    click(&mut harness, "Benchmark");
    let bench = &mut harness.state_mut().state.bench;
    bench.minutes = 0.1;
    bench.max_instances = 40;
    bench.folder = folder.path().join("bench").display().to_string();
    for (technique, is_chosen) in &mut bench.techniques {
        *is_chosen = *technique == throng_wgpu::Technique::PaletteMatrix;
    }
    harness.step();
    click(&mut harness, "Start");
    assert!(harness.state().state.bench.job.is_some());
    wait(&mut harness, |state| !state.bench.curves.is_empty());
    wait(&mut harness, |state| state.bench.job.is_none());
    let bench = &harness.state().state.bench;
    assert_eq!(
        bench.answers.len(),
        1,
        "{:?}",
        harness.state().state.problems
    );
    assert!(bench.page.as_ref().unwrap().is_file());
    assert!(harness.query_by_label("Open the report").is_some());
}

#[test]
fn files_are_chosen_from_a_folder() {
    let Some(mut harness) = open("builtin:bar") else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().join("inner");
    std::fs::create_dir(&inner).unwrap();
    write_glb("box", &inner.join("box.glb"));
    harness.key_press_modifiers(egui::Modifiers::COMMAND, Key::O);
    harness.step();
    let dialog = harness.state_mut().state.open_dialog.as_mut().unwrap();
    dialog.listing = crate::browse::Listing::of(folder.path());
    harness.step();
    click(&mut harness, "inner/");
    let dialog = harness.state().state.open_dialog.as_ref().unwrap();
    assert_eq!(dialog.listing.folder, inner);
    click(&mut harness, "Up");
    click(&mut harness, "inner/");
    click(&mut harness, "box.glb");
    wait(&mut harness, |state| {
        let document = state.document.as_ref();
        document.is_some_and(|document| document.title() == "box.glb")
    });
    assert!(harness.state().state.open_dialog.is_none());
}

#[test]
fn debug_pane_has_the_box_of_a_joint_and_of_a_vertex() {
    let Some(mut harness) = open("builtin:bar") else {
        return;
    };
    click(&mut harness, "Debug");
    for encoding in [Encoding::BoneQt, Encoding::Vertex] {
        let state = &mut harness.state_mut().state;
        state.views[0].show = Show::Encoding(encoding);
        state.overlays.quantisation = false;
        harness.step();
        wait(&mut harness, is_ready);
        click(&mut harness, "Show its quantisation box");
        assert!(harness.state().state.overlays.quantisation, "{encoding}");
        assert!(harness.query_by_label("Step").is_some(), "{encoding}");
        for _ in 0..3 {
            harness.step();
        }
        assert!(harness.state().state.problems.is_empty());
    }
    // The vertex of the largest error is selected with its moment.
    click(&mut harness, "Statistics");
    let state = &mut harness.state_mut().state;
    let summary = state.set_of(0).unwrap().summary.clone().unwrap();
    let worst = summary.worst.unwrap();
    state.show_worst(&worst.clip, worst.time_secs, Some(&worst));
    let baked = state.set_of(0).unwrap();
    let [part, vertex] = crate::quantisation::vertex_at(&baked.set, state.vertex).unwrap();
    let [worst_part, worst_vertex] = worst.vertex;
    assert_eq!(part, worst_part);
    let model = baked.set.model();
    let unique = model.mesh_of(&model.parts()[part]).unique().position_of();
    assert_eq!(unique[vertex], unique[worst_vertex]);
}
