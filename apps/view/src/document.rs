//! The open document: a character, its clips, and the texture set that it was opened from.

use std::sync::Arc;

use throng_format::TextureSet;
use throng_rig::{Bounds, Character, LoopPolicy};

use crate::timeline::TimelineClip;

/// A character or a texture set.
#[derive(Debug, Clone)]
pub struct Document {
    /// Path or `builtin:NAME`, as it was opened.
    pub source: String,
    /// The character, in drawing order, so that its vertices are those of its sets. Of a set whose source is missing, the
    /// model of the set, which has no clips.
    pub character: Arc<Character>,
    /// True if the character has its clips, so that it can be posed and baked.
    pub has_motion: bool,
    /// True if the document is what the file holds, so that the command can bake it: not a texture set, and no clip was added.
    pub is_file: bool,
    /// Clips of the character, or of the set.
    pub clips: Vec<DocumentClip>,
    /// Bounding box in the rest pose.
    pub rest: Bounds,
    /// Largest extent of the bounding box in the rest pose.
    pub size_m: f64,
    /// The set that was opened.
    pub set: Option<Arc<BakedSet>>,
    /// Repairs and omissions of the import.
    pub warnings: Vec<String>,
}

/// A clip of a document.
#[derive(Debug, Clone, PartialEq)]
pub struct DocumentClip {
    /// Name of the clip.
    pub name: String,
    /// Duration of the clip.
    pub duration_secs: f64,
    /// Behaviour at the end of the clip.
    pub looping: LoopPolicy,
    /// Bounding box over the whole clip.
    pub bounds: Bounds,
    /// Frames per second of the source, or of the set.
    pub rate_hz: f64,
}

/// A texture set with its measured error.
#[derive(Debug)]
pub struct BakedSet {
    /// The set.
    pub set: TextureSet,
    /// Its error against the source; `None` where it was not measured.
    pub summary: Option<ErrorSummary>,
    /// A remark about the choice of its settings.
    pub note: Option<String>,
}

/// Measured error of a set, and its cost.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ErrorSummary {
    /// Largest error of any vertex at any time.
    pub max_error_mm: f64,
    /// Error that 99 % of vertices and times do not exceed.
    pub p99_error_mm: f64,
    /// Root mean square error.
    pub rms_error_mm: f64,
    /// Largest error as a part of the size.
    pub max_error_of_size: f64,
    /// Largest angle between normals.
    pub max_normal_error_deg: f64,
    /// GPU bytes, per joint that moves vertices per 1/30 s.
    pub bytes_per_joint_frame: f64,
    /// Most influences of a vertex of the set, and of the source.
    pub influences: [usize; 2],
    /// Vertex and time of the largest error.
    pub worst: Option<WorstMoment>,
    /// Largest error of each clip.
    pub clips: Vec<ClipSummary>,
}

/// Vertex and time of an error.
#[derive(Debug, Clone, PartialEq)]
pub struct WorstMoment {
    /// The error.
    pub error_mm: f64,
    /// Name of the clip.
    pub clip: String,
    /// Seconds from the clip's start.
    pub time_secs: f64,
    /// Index of the part, and of the vertex in the part.
    pub vertex: [usize; 2],
    /// Joint with the largest weight on the vertex.
    pub joint: usize,
}

/// Largest error of a clip.
#[derive(Debug, Clone, PartialEq)]
pub struct ClipSummary {
    /// Name of the clip.
    pub name: String,
    /// Largest error.
    pub max_error_mm: f64,
    /// Time of the largest error, in seconds from the clip's start.
    pub worst_secs: Option<f64>,
}

impl Document {
    /// Short name for titles.
    pub fn title(&self) -> &str {
        let name = self.source.rsplit(['/', '\\']).next().unwrap_or_default();
        match name {
            "" => &self.source,
            name => name,
        }
    }

    /// Clips for the timeline.
    pub fn timeline_clips(&self) -> Vec<TimelineClip> {
        let clips = self.clips.iter().map(|clip| TimelineClip {
            name: clip.name.clone(),
            duration_secs: clip.duration_secs,
            looping: clip.looping,
            rate_hz: clip.rate_hz,
        });
        clips.collect()
    }

    /// Index of the clip that is shown first: a walk, or the first that has a duration.
    pub fn first_clip(&self) -> usize {
        let is_walk = |clip: &DocumentClip| clip.name.to_lowercase().contains("walk");
        let mut clips = self.clips.iter();
        let walk = clips.position(is_walk);
        let mut clips = self.clips.iter();
        walk.or_else(|| clips.position(|clip| clip.duration_secs > 0.0))
            .unwrap_or(0)
    }

    /// Bounding box over all clips.
    pub fn bounds(&self) -> Bounds {
        let mut all = self.rest;
        for clip in &self.clips {
            all.union(&clip.bounds);
        }
        all
    }

    /// Bounding box of a clip, or of the rest pose.
    pub fn clip_bounds(&self, clip: usize) -> Bounds {
        let clip = self.clips.get(clip).map(|clip| clip.bounds);
        clip.filter(|bounds| !bounds.is_empty())
            .unwrap_or(self.rest)
    }

    /// Name of a joint; its index where it has none.
    pub fn joint_name(&self, joint: usize) -> String {
        match self.character.skeleton().joints().get(joint) {
            Some(joint) if !joint.name.is_empty() => joint.name.clone(),
            _ => format!("#{joint}"),
        }
    }
}
