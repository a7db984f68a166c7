//! State of the viewer: everything that panes show and change. No device and no threads.

use std::sync::Arc;

use glam::Vec3;
use throng_format::Encoding;
use throng_rig::{Character, CharacterPose, Method, Skinning};
use throng_studio::View;
use throng_wgpu::{Fades, Technique};

use crate::bench_mode::BenchMode;
use crate::browse::Listing;
use crate::choice::{BakeChoice, Show, VertexSharing, ViewChoice, ViewCount};
use crate::crowd::CrowdChoice;
use crate::document::{BakedSet, Document, WorstMoment};
use crate::export::ExportDialog;
use crate::gpu::{Content, Overlays, What};
use crate::orbit::Orbit;
use crate::performance::Performance;
use crate::pose_edit::PoseEdit;
use crate::quantisation;
use crate::settings::Settings;
use crate::texture_view::TextureView;
use crate::timeline::Timeline;
use crate::worker::RequestId;

/// State of the viewer.
pub struct State {
    /// Open document; `None` until the first is ready.
    pub document: Option<Arc<Document>>,
    /// Changes whenever another document is opened or its character is replaced.
    pub generation: u64,
    /// Document that is being opened.
    pub opening: Option<Job>,
    /// Errors to show, the newest last.
    pub problems: Vec<Problem>,
    /// Clock of all viewports.
    pub timeline: Timeline,
    /// Duration of the next cross-fade.
    pub fade_secs: f64,
    /// True once a cross-fade was asked for: shaders without fades are cheaper.
    pub has_faded: bool,
    /// Camera of all viewports.
    pub orbit: Orbit,
    /// Width over height of a viewport; 0 before the first frame.
    pub aspect: f32,
    /// Content of the viewports, also of those that are not shown.
    pub views: [ViewChoice; 4],
    /// Number of viewports.
    pub view_count: ViewCount,
    /// Viewport that panes describe.
    pub focus: usize,
    /// Parameters of bakes.
    pub bake: BakeChoice,
    /// Parameters that are being edited.
    pub draft: BakeChoice,
    /// True if edits are baked at once.
    pub bakes_at_once: bool,
    /// Treatment of split vertices.
    pub sharing: VertexSharing,
    /// Bakes of the document.
    pub bakes: Vec<Bake>,
    /// Overlays.
    pub overlays: Overlays,
    /// Joint of weights and of the debug pane.
    pub joint: usize,
    /// Vertex of the debug pane: index of its unique position among those of all parts.
    pub vertex: usize,
    /// Deform factor of blended methods.
    pub factor: f32,
    /// Instances.
    pub crowd: CrowdChoice,
    /// Pose set by hand.
    pub pose: PoseEdit,
    /// Benchmark mode.
    pub bench: BenchMode,
    /// Errors over the clip.
    pub curve: Option<Curve>,
    /// Largest distance of each viewport from the one that it is compared with, in metres.
    pub distances_m: [Option<f32>; 4],
    /// Distance of the brightest colour, in metres; grows with the distances and is reset by the user.
    pub full_m: f32,
    /// Texture pane.
    pub texture: TextureView,
    /// Frame times.
    pub performance: Performance,
    /// Files that were opened, the newest first.
    pub recent: Vec<String>,
    /// True while the help sheet is shown.
    pub shows_help: bool,
    /// Dialog to open a file.
    pub open_dialog: Option<OpenDialog>,
    /// Dialog of an export.
    pub export_dialog: Option<ExportDialog>,
    /// Exports that run.
    pub exports: Vec<Job>,
    /// Last message, such as what was written.
    pub notice: Option<String>,
    /// Requests to the application.
    pub actions: Vec<Action>,
}

/// Request of a pane to the application.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// Opens a file, a set or a built-in character.
    Open(String),
    /// Exports what a dialog describes.
    Export(ExportDialog),
    /// Adds the pose set by hand as a clip.
    AddPoseClip,
    /// Starts the benchmark of the choices.
    StartBenchmark,
    /// Stops the benchmark.
    StopBenchmark,
    /// Puts all panes back.
    ResetLayout,
    /// Closes the window.
    Quit,
}

/// Work that runs.
#[derive(Debug, Clone, PartialEq)]
pub struct Job {
    /// Request.
    pub id: RequestId,
    /// Name of the work.
    pub title: String,
    /// Stage in a few words.
    pub stage: String,
    /// Part that is done.
    pub done: Option<f32>,
}

/// An error to show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Operation that failed.
    pub title: String,
    /// Reason and remedy.
    pub message: String,
}

/// Dialog that asks for a path.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct OpenDialog {
    /// Path that is typed.
    pub path: String,
    /// Folder to choose from.
    pub listing: Listing,
}

impl OpenDialog {
    /// A dialog in the folder of the last file that was opened.
    pub fn beside(recent: &[String]) -> Self {
        let mut files = recent.iter().map(String::as_str);
        let last = files.find(|source| !source.starts_with("builtin:"));
        Self {
            path: String::new(),
            listing: Listing::beside(last),
        }
    }
}

/// Identity of a bake within a document.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BakeKey {
    /// Parameters.
    pub choice: BakeChoice,
    /// Skinning method; `None` for that of the encoding.
    pub skinning: Option<Skinning>,
}

/// A bake of the document.
#[derive(Debug, Clone)]
pub struct Bake {
    /// Its parameters.
    pub key: BakeKey,
    /// Its state.
    pub status: BakeStatus,
}

/// State of a bake.
#[derive(Debug, Clone)]
pub enum BakeStatus {
    /// It runs.
    Running(Job),
    /// It is done.
    Ready(Arc<BakedSet>),
    /// It failed.
    Failed(String),
}

/// Error over the time of a clip.
#[derive(Debug, Clone)]
pub struct Curve {
    /// Set and clip that are compared.
    pub key: CurveKey,
    /// Largest error at times of equal distance over the clip, in millimetres; `None` while it is computed.
    pub errors_mm: Option<Vec<f32>>,
    /// Request that computes it.
    pub request: Option<RequestId>,
}

/// Identity of a curve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CurveKey {
    /// Address of the set, which the state keeps alive.
    pub set: usize,
    /// Clip of the document.
    pub clip: usize,
    /// Generation of the document.
    pub generation: u64,
}

impl State {
    /// The state of a new window.
    pub fn new(settings: &Settings) -> Self {
        Self {
            document: None,
            generation: 0,
            opening: None,
            problems: Vec::new(),
            timeline: Timeline::new(Vec::new(), 0),
            fade_secs: 0.3,
            has_faded: false,
            orbit: Orbit::framing(&[Vec3::NEG_ONE, Vec3::ONE], View::PORTRAIT, 1.0),
            aspect: 0.0,
            views: [
                ViewChoice::of(Show::Source),
                ViewChoice::of(Show::Bake),
                ViewChoice::of(Show::Encoding(Encoding::Vertex)),
                ViewChoice::of(Show::Encoding(Encoding::BoneMatrix)),
            ],
            view_count: settings.view_count,
            focus: 0,
            bake: settings.bake,
            draft: settings.bake,
            bakes_at_once: true,
            sharing: VertexSharing::Shared,
            bakes: Vec::new(),
            overlays: settings.overlays,
            joint: 0,
            vertex: 0,
            factor: 0.5,
            crowd: CrowdChoice::default(),
            pose: PoseEdit::default(),
            bench: BenchMode::default(),
            curve: None,
            distances_m: [None; 4],
            full_m: 0.0,
            texture: TextureView::default(),
            performance: Performance::default(),
            recent: settings.recent.clone(),
            shows_help: false,
            open_dialog: None,
            export_dialog: None,
            exports: Vec::new(),
            notice: None,
            actions: Vec::new(),
        }
    }

    /// Adds an error to show. The same error is shown once.
    pub fn report(&mut self, title: impl Into<String>, message: impl Into<String>) {
        let problem = Problem {
            title: title.into(),
            message: message.into(),
        };
        if !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
    }

    /// Takes over a document that was opened.
    pub fn show_document(&mut self, document: Document) {
        let is_first = self.document.is_none();
        self.generation += 1;
        let (was_playing, speed) = (self.timeline.is_playing, self.timeline.speed);
        self.timeline = Timeline::new(document.timeline_clips(), document.first_clip());
        self.timeline.is_playing = is_first || was_playing;
        self.timeline.speed = speed;
        self.has_faded = false;
        self.bakes.clear();
        self.curve = None;
        self.joint = first_weighted_joint(&document.character);
        self.vertex = 0;
        self.pose = PoseEdit::of(&document.character);
        self.full_m = 0.0;
        self.texture = TextureView::default();
        self.remember(&document.source);
        let has_set = document.set.is_some();
        for view in &mut self.views {
            if view.show == Show::OpenedSet && !has_set {
                view.show = Show::Source;
            }
        }
        if has_set {
            let shown = match (self.view_count, document.has_motion) {
                (ViewCount::One, _) | (_, false) => 0,
                _ => 1,
            };
            self.views[shown] = ViewChoice::of(Show::OpenedSet);
            self.focus = shown;
        }
        if document.character.has_vertex_caches() && !has_set {
            self.views[0] = ViewChoice::of(Show::Encoding(Encoding::Vertex));
        }
        self.document = Some(Arc::new(document));
        self.frame_document();
    }

    /// Takes over a document with another clip, the last, and plays it.
    pub fn extend_document(&mut self, document: Document) {
        self.generation += 1;
        let speed = self.timeline.speed;
        let last = document.clips.len().saturating_sub(1);
        self.timeline = Timeline::new(document.timeline_clips(), last);
        self.timeline.speed = speed;
        self.bakes.clear();
        self.curve = None;
        self.pose.is_active = false;
        for view in &mut self.views {
            if view.show == Show::OpenedSet {
                view.show = Show::Bake;
            }
        }
        self.document = Some(Arc::new(document));
    }

    /// Moves the camera such that it shows the whole character.
    pub fn frame_document(&mut self) {
        let Some(document) = &self.document else {
            return;
        };
        let points = self.crowd.corners(document, &self.timeline);
        let view = match self.crowd.instances {
            // Room for the captions above.
            0 | 1 => View {
                margin: 0.16,
                ..View::PORTRAIT
            },
            _ => View {
                margin: 0.06,
                ..View::CROWD
            },
        };
        let aspect = match self.aspect > 0.0 {
            true => self.aspect,
            false => 1.5,
        };
        self.orbit = Orbit::framing(&points, view, aspect);
    }

    fn remember(&mut self, source: &str) {
        self.recent.retain(|known| known != source);
        self.recent.insert(0, source.to_owned());
        self.recent.truncate(12);
    }

    /// Viewports that are shown.
    pub fn shown_views(&self) -> std::ops::Range<usize> {
        0..self.view_count.count()
    }

    /// Key of the bake that a viewport shows; `None` if it shows none.
    pub fn bake_key(&self, view: usize) -> Option<BakeKey> {
        let ViewChoice { show, skinning, .. } = self.views[view];
        let choice = match show {
            Show::Bake => self.bake,
            Show::Encoding(encoding) => self.bake.with_encoding(encoding),
            _ => return None,
        };
        // Vertices are skinned in the bake; joints are skinned by any method later.
        let is_vertex = choice.encoding.is_none_or(Encoding::is_vertex);
        Some(BakeKey {
            choice,
            skinning: skinning.filter(|_| is_vertex).map(|s| self.with_factor(s)),
        })
    }

    /// A method with the deform factor, where it blends.
    pub fn with_factor(&self, skinning: Skinning) -> Skinning {
        let factor = f64::from(self.factor);
        match skinning {
            Skinning::Method(Method::Blend(_)) => Method::Blend(factor).into(),
            Skinning::Method(Method::BlendPositions(_)) => Method::BlendPositions(factor).into(),
            other => other,
        }
    }

    /// Bake that a viewport shows.
    pub fn bake_of(&self, view: usize) -> Option<&Bake> {
        let key = self.bake_key(view)?;
        self.bakes.iter().find(|bake| bake.key == key)
    }

    /// Set that a viewport shows, if it shows one and it is ready.
    pub fn set_of(&self, view: usize) -> Option<Arc<BakedSet>> {
        match self.views[view].show {
            Show::OpenedSet => self.document.as_ref()?.set.clone(),
            _ => match &self.bake_of(view)?.status {
                BakeStatus::Ready(set) => Some(set.clone()),
                _ => None,
            },
        }
    }

    /// Content that a viewport should show; `None` while it is being made.
    pub fn content(&self, view: usize) -> Option<Content> {
        let document = self.document.as_ref()?;
        let ViewChoice { show, skinning, .. } = self.views[view];
        let fades = match self.has_faded {
            true => Fades::Possible,
            false => Fades::None,
        };
        let skinning = skinning.map(|skinning| self.with_factor(skinning));
        let of_character = |technique| Content {
            what: What::Character {
                character: document.character.clone(),
                // Joints do not move the vertices of a cache.
                technique: match document.has_motion && !document.character.has_vertex_caches() {
                    true => technique,
                    false => Technique::Control,
                },
            },
            skinning,
            fades,
        };
        Some(match show {
            Show::Source => of_character(self.source_technique(document, skinning)),
            Show::Technique(technique) => of_character(technique),
            Show::Bake | Show::Encoding(_) | Show::OpenedSet => {
                let set = self.set_of(view)?;
                let is_vertex = set.set.manifest().encoding.is_vertex();
                Content {
                    what: What::Set(set),
                    skinning: skinning.filter(|_| !is_vertex),
                    fades,
                }
            }
        })
    }

    /// Palette of matrices for linear skinning, and of dual quaternions for every other method.
    fn source_technique(&self, document: &Document, skinning: Option<Skinning>) -> Technique {
        let mut meshes = document.character.meshes().iter();
        let skinning = skinning.unwrap_or_default();
        match meshes.all(|mesh| skinning.method_of_mesh(mesh) == Some(Method::Lbs)) {
            true => Technique::PaletteMatrix,
            false => Technique::PaletteDq,
        }
    }

    /// Pose of the source at the time of the timeline, or the pose set by hand.
    pub fn source_pose(&self) -> Option<CharacterPose> {
        let document = self.document.as_ref()?;
        let character = &*document.character;
        if self.pose.is_active {
            return Some(self.pose.pose(character));
        }
        let mut pose = CharacterPose::rest(character);
        if !document.has_motion {
            return Some(pose);
        }
        let Some(shown) = self.timeline.shown() else {
            return Some(pose);
        };
        let sample = |local: &mut throng_rig::LocalPose, clip: usize, time_secs: f64| {
            let clip = &character.clips()[clip];
            local.sample(character, clip, clip.start_secs() + time_secs);
        };
        sample(&mut pose.local, shown.clip, shown.time_secs);
        if let Some((clip, time_secs, weight)) = shown.second {
            let mut second = throng_rig::LocalPose::rest(character);
            sample(&mut second, clip, time_secs);
            pose.local.blend(&second, weight);
        }
        pose.resolve(character);
        Some(pose)
    }

    /// Moves the timeline to the largest error of a set, and selects its joint and its vertex.
    pub fn show_worst(&mut self, clip: &str, time_secs: f64, at: Option<&WorstMoment>) {
        let mut clips = self.timeline.clips.iter();
        if let Some(clip) = clips.position(|known| known.name == clip)
            && clip != self.timeline.clip()
        {
            self.timeline.play(clip);
        }
        self.timeline.is_playing = false;
        self.timeline.seek(time_secs);
        if let Some(worst) = at {
            self.joint = worst.joint;
            self.overlays.joints = true;
            let position = self
                .set_of(self.focus)
                .and_then(|baked| quantisation::position_of(&baked.set, worst.vertex));
            self.vertex = position.unwrap_or(self.vertex);
        }
    }
}

/// First joint that moves vertices.
fn first_weighted_joint(character: &Character) -> usize {
    let used = character.used_palette_indices();
    let skins = character.skins().iter().zip(&used);
    let joints = skins.flat_map(|(skin, used)| {
        let joints = skin.joints().iter().zip(used);
        joints.filter(|(_, used)| **used).map(|(&joint, _)| joint)
    });
    joints.min().unwrap_or(0)
}
