//! The application: messages of the worker, keys, panes.

use std::sync::Arc;

use eframe::egui::{self, Key, Ui};
use egui_tiles::Tree;
use glam::Vec3;

use crate::export::{ExportDialog, ExportKind};
use crate::gpu::Stage;
use crate::layout::{Pane, default_tree, is_usable};
use crate::panes::{self, PaneContext};
use crate::performance::FrameTime;
use crate::recording::Recording;
use crate::recovery::Recovery;
use crate::settings::Settings;
use crate::state::{Action, Bake, BakeKey, BakeStatus, Curve, CurveKey, Job, OpenDialog, State};
use crate::theme;
use crate::worker::{
    BakeRequest, BenchRequest, CurveRequest, Event, MeshRequest, Outcome, PoseClipRequest, Request,
    RequestId, Side, Worker,
};

/// Character that is shown first.
const DEFAULT_SOURCE: &str = "builtin:humanoid";

/// Name of the settings in the storage.
const SETTINGS: &str = "throng-view";

/// Times of an error curve.
const CURVE_SAMPLES: usize = 241;

/// Start of the viewer.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// File, set or built-in character to open; `None` for the built-in humanoid.
    pub source: Option<String>,
    /// Reason why the graphics device of the window before was lost, to be shown.
    pub lost: Option<String>,
}

/// The viewer.
pub struct Viewer {
    pub(crate) state: State,
    tree: Tree<Pane>,
    stage: Option<Stage>,
    worker: Worker,
    recording: Option<Recording>,
    /// Notes what is shown, and a lost device.
    pub(crate) recovery: Recovery,
    /// True once the title of the window names the document.
    is_titled: bool,
}

impl Viewer {
    /// Makes the viewer in a window of eframe that draws with wgpu.
    pub fn new(creation: &eframe::CreationContext<'_>, options: Options) -> Self {
        Self::recoverable(creation, options, Recovery::default())
    }

    /// As [`Self::new`]; notes a lost device.
    pub(crate) fn recoverable(
        creation: &eframe::CreationContext<'_>,
        options: Options,
        recovery: Recovery,
    ) -> Self {
        theme::apply(&creation.egui_ctx);
        let stored = creation.storage.and_then(stored_settings);
        let settings = stored.unwrap_or_default();
        let ctx = creation.egui_ctx.clone();
        let mut viewer = Self {
            state: State::new(&settings),
            tree: match is_usable(&settings.tree) {
                true => settings.tree,
                false => default_tree(),
            },
            stage: creation
                .wgpu_render_state
                .as_ref()
                .map(|render| Stage::new(render, &recovery)),
            worker: Worker::new(move || ctx.request_repaint()),
            recording: None,
            recovery,
            is_titled: false,
        };
        if viewer.stage.is_none() {
            viewer.state.report(
                "No graphics device",
                "viewports need wgpu: install a Vulkan or OpenGL driver",
            );
        }
        if let Some(reason) = options.lost {
            viewer.state.report(
                "The graphics device was lost",
                format!(
                    "Its driver says: {reason}. The document was opened again, without poses set by hand. If it happens \
                     again, update the graphics driver or draw fewer instances."
                ),
            );
        }
        viewer.open(options.source.unwrap_or_else(|| DEFAULT_SOURCE.into()));
        viewer
    }

    /// Numbers of buffers, textures and pipelines that are alive on the device, for tests.
    #[cfg(test)]
    pub(crate) fn device_objects(&self) -> [isize; 3] {
        let Some(stage) = &self.stage else {
            return [0; 3];
        };
        let counters = stage.render.device.get_internal_counters().hal;
        [
            counters.buffers.read(),
            counters.textures.read(),
            counters.render_pipelines.read(),
        ]
    }

    /// Viewports on the device, for tests.
    #[cfg(test)]
    pub(crate) fn stage(&self) -> Option<&Stage> {
        self.stage.as_ref()
    }

    /// Destroys the device, as a driver that is reset does, for tests.
    #[cfg(test)]
    pub(crate) fn destroy_device(&self) {
        if let Some(stage) = &self.stage {
            stage.render.device.destroy();
        }
    }

    /// Opens a source in the background. The old document stays until the new one is ready.
    fn open(&mut self, source: String) {
        if let Some(job) = self.state.opening.take() {
            self.worker.stop(job.id);
        }
        let id = self.worker.send(Request::Open {
            source: source.clone(),
            sharing: self.state.sharing,
        });
        self.state.opening = Some(Job {
            id,
            title: source,
            stage: "reading".into(),
            done: None,
        });
    }

    /// Closes the window if the graphics device was lost.
    fn leave_lost_device(&mut self, ctx: &egui::Context) {
        let Some(stage) = &self.stage else {
            return;
        };
        stage.poll();
        if self.recovery.loss().is_some() {
            self.stage = None;
            self.recording = None;
            ctx.send_viewport_cmd(egui::ViewportCommand::Close);
        }
    }

    fn receive(&mut self) {
        while let Some(event) = self.worker.receive() {
            match event {
                Event::Progress { id, stage, done } => {
                    if let Some(job) = self.job_mut(id) {
                        job.stage = stage;
                        job.done = done;
                    }
                }
                Event::Curves { curves, .. } => self.state.bench.curves = curves,
                Event::Finished { id, outcome } => self.finish(id, outcome),
            }
        }
    }

    fn job_mut(&mut self, id: RequestId) -> Option<&mut Job> {
        let bakes = self.state.bakes.iter_mut();
        let baking = bakes.filter_map(|bake| match &mut bake.status {
            BakeStatus::Running(job) => Some(job),
            _ => None,
        });
        let exports = self.state.exports.iter_mut();
        let others = self
            .state
            .opening
            .iter_mut()
            .chain(&mut self.state.bench.job);
        let mut jobs = others.chain(baking).chain(exports);
        jobs.find(|job| job.id == id)
    }

    fn finish(&mut self, id: RequestId, outcome: Result<Outcome, String>) {
        let state = &mut self.state;
        if state.opening.as_ref().is_some_and(|job| job.id == id) {
            let job = state.opening.take();
            match outcome {
                Ok(Outcome::Opened(document)) => {
                    for bake in &state.bakes {
                        if let BakeStatus::Running(job) = &bake.status {
                            self.worker.stop(job.id);
                        }
                    }
                    self.recovery.shows(&document.source);
                    state.show_document(*document);
                    self.is_titled = false;
                }
                Ok(_) => {}
                Err(message) => {
                    let name = job.map_or(String::new(), |job| job.title);
                    state.report(format!("Cannot open {name}"), message);
                }
            }
            return;
        }
        if let Some(curve) = &mut state.curve
            && curve.request == Some(id)
        {
            curve.request = None;
            curve.errors_mm = Some(match outcome {
                Ok(Outcome::Curve(errors_mm)) => errors_mm,
                _ => Vec::new(),
            });
            return;
        }
        if state.bench.job.as_ref().is_some_and(|job| job.id == id) {
            state.bench.job = None;
            match outcome {
                Ok(Outcome::Benchmarked(answers, page)) => {
                    state.bench.answers = answers;
                    state.bench.page = Some(page);
                }
                Ok(_) => {}
                Err(message) => state.report("Cannot measure", message),
            }
            return;
        }
        if let Some(at) = state.exports.iter().position(|job| job.id == id) {
            let job = state.exports.remove(at);
            match outcome {
                Ok(Outcome::Written(message)) => state.notice = Some(message),
                Ok(Outcome::Extended(document)) => state.extend_document(*document),
                Ok(_) => {}
                Err(message) => state.report(format!("Cannot make {}", job.title), message),
            }
            return;
        }
        let is_it = |bake: &&mut Bake| match &bake.status {
            BakeStatus::Running(job) => job.id == id,
            _ => false,
        };
        if let Some(bake) = state.bakes.iter_mut().find(is_it) {
            bake.status = match outcome {
                Ok(Outcome::Baked(set)) => BakeStatus::Ready(set),
                Ok(_) => BakeStatus::Failed("the bake gave no set".into()),
                Err(message) => BakeStatus::Failed(message),
            };
        }
    }

    /// Starts the bakes that viewports need, and stops those that none needs.
    fn request_bakes(&mut self) {
        let state = &mut self.state;
        let Some(document) = state.document.clone() else {
            return;
        };
        if !document.has_motion {
            return;
        }
        let views = state.shown_views();
        let needed: Vec<BakeKey> = views.filter_map(|view| state.bake_key(view)).collect();
        state.bakes.retain(|bake| match &bake.status {
            BakeStatus::Running(job) if !needed.contains(&bake.key) => {
                self.worker.stop(job.id);
                false
            }
            _ => true,
        });
        for key in needed {
            if state.bakes.iter().any(|bake| bake.key == key) {
                continue;
            }
            let id = self.worker.send(Request::Bake(BakeRequest {
                source: document.source.clone(),
                character: document.character.clone(),
                choice: key.choice,
                skinning: key.skinning,
            }));
            let encoding = key.choice.encoding;
            let title = encoding.map_or("best encoding", |encoding| encoding.name());
            state.bakes.push(Bake {
                key,
                status: BakeStatus::Running(Job {
                    id,
                    title: title.into(),
                    stage: "baking".into(),
                    done: None,
                }),
            });
        }
    }

    /// Requests the error over the clip of the set that the focused viewport shows.
    fn request_curve(&mut self) {
        let state = &mut self.state;
        let Some(document) = state.document.clone() else {
            return;
        };
        let set = state.set_of(state.focus).filter(|_| document.has_motion);
        let Some((set, clip)) = set.zip(state.timeline.current().cloned()) else {
            state.curve = None;
            return;
        };
        let key = CurveKey {
            set: Arc::as_ptr(&set) as usize,
            clip: state.timeline.clip(),
            generation: state.generation,
        };
        if state.curve.as_ref().is_some_and(|curve| curve.key == key) {
            return;
        }
        if let Some(request) = state.curve.take().and_then(|curve| curve.request) {
            self.worker.stop(request);
        }
        let skinning = set.set.manifest().method;
        let request = self.worker.send(Request::Curve(CurveRequest {
            sides: [
                Side::Source(document.character.clone(), skinning),
                Side::Set(set),
            ],
            clips: [key.clip; 2],
            duration_secs: clip.duration_secs,
            samples: CURVE_SAMPLES,
        }));
        state.curve = Some(Curve {
            key,
            errors_mm: None,
            request: Some(request),
        });
    }

    /// Begins an export.
    fn export(&mut self, dialog: &ExportDialog) {
        let state = &mut self.state;
        let request = match dialog.kind {
            ExportKind::Bake | ExportKind::Shader => {
                let Some(arguments) = dialog.arguments(state) else {
                    state.report(
                        "Cannot export",
                        "the command bakes what is in a file: show a bake of a file in the focused viewport; a pose set by \
                         hand is baked with `throng bake --rotate`",
                    );
                    return;
                };
                let is_shader = dialog.kind == ExportKind::Shader;
                Request::Command {
                    arguments,
                    output: is_shader.then(|| dialog.path.clone().into()),
                }
            }
            ExportKind::Mesh => {
                let document = state.document.clone();
                let Some((document, pose)) = document.zip(state.source_pose()) else {
                    return;
                };
                let skinning = state.views[state.focus].skinning.unwrap_or_default();
                Request::Mesh(Box::new(MeshRequest {
                    character: document.character.clone(),
                    pose,
                    skinning: state.with_factor(skinning),
                    path: dialog.path.clone().into(),
                }))
            }
            ExportKind::Picture | ExportKind::Animation => {
                self.recording = Recording::new(dialog, state);
                return;
            }
        };
        let id = self.worker.send(request);
        state.exports.push(Job {
            id,
            title: dialog.path.clone(),
            stage: "writing".into(),
            done: None,
        });
    }

    fn add_pose_clip(&mut self) {
        let state = &mut self.state;
        let Some(document) = state.document.clone() else {
            return;
        };
        let skinning = state.views[state.focus].skinning.unwrap_or_default();
        let id = self
            .worker
            .send(Request::PoseClip(Box::new(PoseClipRequest {
                pose: state.pose.whole(&document.character),
                keyframe: state.pose.keyframe(),
                skinning: state.with_factor(skinning),
                document,
            })));
        state.exports.push(Job {
            id,
            title: "pose".into(),
            stage: "adding the clip".into(),
            done: None,
        });
    }

    fn start_benchmark(&mut self) {
        let state = &mut self.state;
        let Some(document) = state.document.clone().filter(|_| state.bench.job.is_none()) else {
            return;
        };
        let bench = &mut state.bench;
        let chosen = bench.techniques.iter().filter(|(_, is_chosen)| *is_chosen);
        let id = self.worker.send(Request::Bench(BenchRequest {
            source: document.source.clone(),
            character: document.character.clone(),
            techniques: chosen.map(|(technique, _)| *technique).collect(),
            max_secs: 60.0 * bench.minutes,
            max_instances: bench.max_instances,
            spacing_m: bench.spacing * document.size_m,
            updates: bench.updates,
            folder: bench.folder.clone().into(),
        }));
        state.timeline.is_playing = false;
        bench.curves.clear();
        bench.answers.clear();
        bench.page = None;
        bench.job = Some(Job {
            id,
            title: "benchmark".into(),
            stage: "baking".into(),
            done: None,
        });
    }

    fn act(&mut self, ctx: &egui::Context) {
        for action in std::mem::take(&mut self.state.actions) {
            match action {
                Action::Open(source) => self.open(source),
                Action::Export(dialog) => self.export(&dialog),
                Action::AddPoseClip => self.add_pose_clip(),
                Action::StartBenchmark => self.start_benchmark(),
                Action::StopBenchmark => {
                    if let Some(job) = self.state.bench.job.take() {
                        self.worker.stop(job.id);
                    }
                }
                Action::ResetLayout => self.tree = default_tree(),
                Action::Quit => ctx.send_viewport_cmd(egui::ViewportCommand::Close),
            }
        }
    }

    fn keys(&mut self, ctx: &egui::Context, dt: f32) {
        let dropped = ctx.input(|input| input.raw.dropped_files.clone());
        for file in dropped {
            self.open(file.path().display().to_string());
        }
        if ctx.egui_wants_keyboard_input() {
            return;
        }
        let state = &mut self.state;
        ctx.input_mut(|input| {
            let none = egui::Modifiers::NONE;
            if input.consume_key(none, Key::Space) {
                state.timeline.is_playing = !state.timeline.is_playing;
            }
            if input.consume_key(none, Key::ArrowRight) {
                state.timeline.step(1);
            }
            if input.consume_key(none, Key::ArrowLeft) {
                state.timeline.step(-1);
            }
            if input.consume_key(none, Key::R) {
                state.frame_document();
            }
            if input.consume_key(none, Key::Questionmark)
                || input.consume_key(egui::Modifiers::SHIFT, Key::Questionmark)
                || input.consume_key(none, Key::F1)
            {
                state.shows_help = !state.shows_help;
            }
            if input.consume_key(egui::Modifiers::COMMAND, Key::O) {
                state.open_dialog = Some(OpenDialog::beside(&state.recent));
            }
            if input.consume_key(none, Key::Escape) {
                state.shows_help = false;
                state.problems.clear();
            }
            if input.modifiers.is_none() {
                let axis = |plus: Key, minus: Key| {
                    f32::from(u8::from(input.key_down(plus)))
                        - f32::from(u8::from(input.key_down(minus)))
                };
                let step = Vec3::new(
                    axis(Key::D, Key::A),
                    axis(Key::E, Key::Q),
                    axis(Key::W, Key::S),
                );
                if step != Vec3::ZERO {
                    state.orbit.walk(step * dt.min(0.1));
                    ctx.request_repaint();
                }
            }
        });
    }
}

#[cfg(not(target_arch = "wasm32"))]
fn stored_settings(storage: &dyn eframe::Storage) -> Option<Settings> {
    eframe::get_value(storage, SETTINGS)
}

#[cfg(target_arch = "wasm32")]
fn stored_settings(_storage: &dyn eframe::Storage) -> Option<Settings> {
    let _ = SETTINGS;
    None
}

impl eframe::App for Viewer {
    fn ui(&mut self, ui: &mut Ui, frame: &mut eframe::Frame) {
        let ctx = ui.ctx().clone();
        let dt = ctx.input(|input| input.stable_dt);
        self.leave_lost_device(&ctx);
        self.receive();
        self.keys(&ctx, dt);
        self.state.timeline.advance(f64::from(dt));
        self.request_bakes();
        self.request_curve();
        if let Some(stage) = &mut self.stage {
            for error in stage.take_errors() {
                self.state
                    .report("The graphics device reported an error", error);
            }
            if let Some(times) = &mut stage.times
                && let Some(gpu_ms) = times.try_read()
            {
                self.state.performance.add_gpu(gpu_ms as f32);
            }
        }
        if self.state.timeline.is_playing {
            self.state.performance.add(FrameTime {
                whole_ms: 1e3 * dt,
                cpu_ms: 1e3 * frame.info().cpu_usage.unwrap_or(0.0),
                gpu_ms: None,
            });
        }
        if let Some(document) = &self.state.document
            && !self.is_titled
        {
            let title = format!("{} – Throng", document.title());
            ctx.send_viewport_cmd(egui::ViewportCommand::Title(title));
            self.is_titled = true;
        }
        let mut context = PaneContext {
            state: &mut self.state,
            stage: self.stage.as_mut(),
        };
        panes::show(ui, &mut context, &mut self.tree);
        if let Some(recording) = &mut self.recording
            && let Some(stage) = &self.stage
        {
            ctx.request_repaint();
            if recording.step(&mut self.state, stage) {
                self.recording = None;
            }
        }
        self.act(&ctx);
        // The worker wakes the window up.
        if self.state.timeline.is_playing {
            ctx.request_repaint();
        }
    }

    #[cfg(not(target_arch = "wasm32"))]
    fn save(&mut self, storage: &mut dyn eframe::Storage) {
        let settings = Settings {
            recent: self.state.recent.clone(),
            view_count: self.state.view_count,
            bake: self.state.bake,
            overlays: self.state.overlays,
            tree: self.tree.clone(),
        };
        eframe::set_value(storage, SETTINGS, &settings);
    }
}
