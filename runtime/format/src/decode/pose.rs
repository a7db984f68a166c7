//! What comes out of a set at a time.

use glam::{DAffine3, DVec3};
use throng_rig::Character;

use crate::{ClipEntry, ClipTiming, Numbers, TextureSet};

/// Joints in the model's space, and morph weights. Made once for a set, then reused.
#[derive(Debug, Clone)]
pub struct BonePose {
    /// One a joint of the skeleton; those that have no texels stay as they are.
    pub model_from_joint: Vec<DAffine3>,
    /// Weights of all morph sets in a row.
    pub morph_weights: Vec<f64>,
}

impl BonePose {
    /// The rest pose.
    pub fn rest(model: &Character) -> Self {
        let pose = throng_rig::CharacterPose::rest(model);
        Self {
            model_from_joint: pose.model.model_from_joint,
            morph_weights: pose.local.morph_weights,
        }
    }
}

/// Vertices of the whole character: one entry a true position and a true normal, parts in a row.
#[derive(Debug, Clone, Default)]
pub struct VertexPose {
    /// Offsets from rest (see [`crate::TextureSet::rest`]), in metres.
    pub offsets: Vec<DVec3>,
    /// Unit vectors.
    pub normals: Vec<DVec3>,
}

/// Two frames and the way between them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FramePair {
    /// Counted through all clips.
    pub first: u32,
    /// The next, or the same at the clip's end.
    pub second: u32,
    /// From 0, the first, to 1.
    pub fraction: f64,
}

impl FramePair {
    /// Where a time, in seconds from the clip's start, is among its frames. Held inside the clip.
    pub fn at(clip: &ClipEntry, time_secs: f64) -> Self {
        Self::of(&ClipTiming::from(clip), time_secs)
    }

    /// [`Self::at`], by the numbers that the set itself is played by.
    pub fn in_set(set: &TextureSet, clip: usize, time_secs: f64) -> Self {
        Self::of(&Numbers::of(set).clips[clip], time_secs)
    }

    /// [`Self::at`], from the timing alone.
    pub fn of(clip: &ClipTiming, time_secs: f64) -> Self {
        let last = clip.frames - 1;
        let place = (time_secs * clip.rate_hz).clamp(0.0, f64::from(last));
        let index = (place as u32).min(last.saturating_sub(1));
        Self {
            first: clip.first_frame + index,
            second: clip.first_frame + (index + 1).min(last),
            fraction: place - f64::from(index),
        }
    }
}
