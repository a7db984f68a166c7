//! Decoded poses, and the frames of a time.

use glam::{DAffine3, DVec3};
use throng_rig::Character;

use crate::{ClipEntry, ClipTiming, DecodeParams, TextureSet};

/// Decoded joints in model space, and morph weights. Created once per set and reused.
#[derive(Debug, Clone)]
pub struct BonePose {
    /// One per joint of the skeleton. Decoding leaves joints without texels unchanged.
    pub model_from_joint: Vec<DAffine3>,
    /// Weights of all morph sets, concatenated.
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

/// Decoded vertices of all parts: one offset per unique position, one vector per unique normal.
#[derive(Debug, Clone, Default)]
pub struct VertexPose {
    /// Offsets from the rest pose (see [`crate::TextureSet::rest`]), in metres.
    pub offsets: Vec<DVec3>,
    /// Normals, unit vectors.
    pub normals: Vec<DVec3>,
}

/// Two frames and the fraction between them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FramePair {
    /// First frame, counted across all clips.
    pub first: u32,
    /// The next frame, or the same one in a clip of one frame.
    pub second: u32,
    /// Interpolation factor, from 0 (first) to 1 (second).
    pub fraction: f64,
}

impl FramePair {
    /// Finds the frames of a time, in seconds from the start of the clip. Clamped to the clip.
    pub fn at(clip: &ClipEntry, time_secs: f64) -> Self {
        Self::of(&ClipTiming::from(clip), time_secs)
    }

    /// [`Self::at`], with the timing that the set is decoded with.
    pub fn in_set(set: &TextureSet, clip: usize, time_secs: f64) -> Self {
        Self::of(&DecodeParams::of(set).clips[clip], time_secs)
    }

    /// [`Self::at`], from the timing alone.
    pub fn of(clip: &ClipTiming, time_secs: f64) -> Self {
        let last = clip.frames - 1;
        let position = (time_secs * clip.rate_hz).clamp(0.0, f64::from(last));
        let index = (position as u32).min(last.saturating_sub(1));
        Self {
            first: clip.first_frame + index,
            second: clip.first_frame + (index + 1).min(last),
            fraction: position - f64::from(index),
        }
    }
}
