//! From texels back to bones and vertices: what a shader does, on the CPU.

pub mod joint_tracks;
mod pose;
mod vertex_tracks;

pub use pose::{BonePose, FramePair, VertexPose};

use crate::{Layout, TextureSet};

/// Joints and morph weights of a bone set at a time in seconds from the clip's start, held inside it.
///
/// # Panics
/// Where the set holds vertices.
pub fn bones(set: &TextureSet, clip: usize, time_secs: f64, out: &mut BonePose) {
    match &set.manifest().layout {
        Layout::Bones(_) => unimplemented!("model-space bones"),
        Layout::JointTracks(layout) => joint_tracks::joints(set, layout, clip, time_secs, out),
        Layout::Vertices(_) | Layout::VertexTracks(_) => panic!("a vertex set has no bones"),
    }
}

/// Vertices of a vertex set at a time in seconds from the clip's start, held inside it.
///
/// # Panics
/// Where the set holds bones.
pub fn vertices(set: &TextureSet, clip: usize, time_secs: f64, out: &mut VertexPose) {
    match &set.manifest().layout {
        Layout::Vertices(_) => unimplemented!("vertices"),
        Layout::VertexTracks(layout) => vertex_tracks::vertices(set, layout, clip, time_secs, out),
        Layout::Bones(_) | Layout::JointTracks(_) => panic!("a bone set has no vertices"),
    }
}
