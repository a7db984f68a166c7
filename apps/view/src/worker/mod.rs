//! Long work behind messages: import, bakes, comparisons, exports.
//!
//! The viewer sends a [`Request`] and goes on drawing; [`Event`]s come back. Natively, requests run on threads. In a browser
//! they would run in a worker, so that messages hold values only, and nothing here blocks.

#[cfg(not(target_arch = "wasm32"))]
mod bake;
#[cfg(not(target_arch = "wasm32"))]
mod bench;
#[cfg(not(target_arch = "wasm32"))]
mod compare;
#[cfg(not(target_arch = "wasm32"))]
mod load;
#[cfg(not(target_arch = "wasm32"))]
mod mesh;
#[cfg(not(target_arch = "wasm32"))]
mod run_command;
#[cfg(not(target_arch = "wasm32"))]
mod threads;
#[cfg(target_arch = "wasm32")]
mod web;

use std::path::PathBuf;
use std::sync::Arc;

use throng_format::Keyframe;
use throng_rig::{Character, CharacterPose, Skinning};

use throng_wgpu::Technique;

use crate::choice::{BakeChoice, VertexSharing};
use crate::document::{BakedSet, Document};

#[cfg(not(target_arch = "wasm32"))]
pub use threads::Threads as Worker;
#[cfg(target_arch = "wasm32")]
pub use web::Web as Worker;

/// Number of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RequestId(pub u64);

/// Work to do.
#[derive(Debug, Clone)]
pub enum Request {
    /// Opens a file, a texture set or a built-in character.
    Open {
        /// Path, or `builtin:NAME`.
        source: String,
        /// Treatment of split vertices.
        sharing: VertexSharing,
    },
    /// Bakes a character.
    Bake(BakeRequest),
    /// Measures the error of a set over the time of a clip.
    Curve(CurveRequest),
    /// Runs the command `throng`.
    Command {
        /// Arguments.
        arguments: Vec<String>,
        /// File for its output.
        output: Option<PathBuf>,
    },
    /// Writes a posed mesh.
    Mesh(Box<MeshRequest>),
    /// Measures techniques against each other.
    Bench(BenchRequest),
    /// Adds a pose as a clip of a document.
    PoseClip(Box<PoseClipRequest>),
}

/// A pose to add as a clip.
#[derive(Debug, Clone)]
pub struct PoseClipRequest {
    /// The document.
    pub document: Arc<Document>,
    /// The whole pose.
    pub pose: CharacterPose,
    /// Its interpolation from the rest pose.
    pub keyframe: Keyframe,
    /// Skinning method of straight lines.
    pub skinning: Skinning,
}

/// A benchmark.
#[derive(Debug, Clone)]
pub struct BenchRequest {
    /// Name of the source.
    pub source: String,
    /// The character.
    pub character: Arc<Character>,
    /// Techniques; the static control is added.
    pub techniques: Vec<Technique>,
    /// Longest time in seconds.
    pub max_secs: f64,
    /// Most instances.
    pub max_instances: u32,
    /// Distance between rows in metres.
    pub spacing_m: f64,
    /// True if palettes are evaluated each frame.
    pub updates: bool,
    /// Folder of the report.
    pub folder: PathBuf,
}

/// Frame times of a technique so far.
#[derive(Debug, Clone, PartialEq)]
pub struct LiveCurve {
    /// Name of the technique.
    pub name: String,
    /// Numbers of instances and milliseconds per frame.
    pub points: Vec<[f32; 2]>,
}

/// A posed mesh to write.
#[derive(Debug, Clone)]
pub struct MeshRequest {
    /// The character.
    pub character: Arc<Character>,
    /// Its pose.
    pub pose: CharacterPose,
    /// Skinning method.
    pub skinning: Skinning,
    /// File to write; its extension names the format.
    pub path: PathBuf,
}

/// A bake.
#[derive(Debug, Clone)]
pub struct BakeRequest {
    /// Name of the source, for the manifest.
    pub source: String,
    /// Character to bake.
    pub character: Arc<Character>,
    /// Parameters.
    pub choice: BakeChoice,
    /// Skinning method; `None` for that of the encoding.
    pub skinning: Option<Skinning>,
}

/// A playback that errors are measured of.
#[derive(Debug, Clone)]
pub enum Side {
    /// The source, skinned in float64.
    Source(Arc<Character>, Skinning),
    /// A set, decoded and skinned in float64.
    Set(Arc<BakedSet>),
}

/// A comparison of two playbacks over a clip.
#[derive(Debug, Clone)]
pub struct CurveRequest {
    /// The two playbacks.
    pub sides: [Side; 2],
    /// Clip of each side; the order of clips may differ.
    pub clips: [usize; 2],
    /// Duration of the clip.
    pub duration_secs: f64,
    /// Number of times, from the start to the end.
    pub samples: usize,
}

/// Result of a request.
#[derive(Debug)]
pub enum Outcome {
    /// A document was opened.
    Opened(Box<Document>),
    /// A set was baked.
    Baked(Arc<BakedSet>),
    /// Largest error of any vertex at times of equal distance, in millimetres.
    Curve(Vec<f32>),
    /// The document with another clip, the last.
    Extended(Box<Document>),
    /// Something was written; a message for the user.
    Written(String),
    /// Answers of a benchmark, and its page.
    Benchmarked(Vec<String>, PathBuf),
}

/// A message of the worker.
#[derive(Debug)]
pub enum Event {
    /// A stage has begun, or is partly done: from 0 to 1 where that is known.
    Progress {
        /// The request.
        id: RequestId,
        /// A few words.
        stage: String,
        /// Part that is done.
        done: Option<f32>,
    },
    /// Curves of a benchmark that runs.
    Curves {
        /// The request.
        id: RequestId,
        /// All curves.
        curves: Vec<LiveCurve>,
    },
    /// The request is done, or has failed with a message.
    Finished {
        /// The request.
        id: RequestId,
        /// Result, or the reason of the failure.
        outcome: Result<Outcome, String>,
    },
}

impl Event {
    /// Request that the message belongs to.
    pub fn id(&self) -> RequestId {
        match self {
            Self::Progress { id, .. } | Self::Curves { id, .. } | Self::Finished { id, .. } => *id,
        }
    }
}
