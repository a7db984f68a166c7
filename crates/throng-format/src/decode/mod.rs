//! From texels back to bones and vertices: what a shader does, on the CPU.

pub mod bone_dq;
pub mod bone_matrix;
pub mod bone_qt;
mod bone_sample;
mod bones;
mod frame;
pub mod joint_tracks;
mod pose;
mod rest;
mod slerp_vertices;
mod vertex_tracks;
mod vertices;
pub mod virtual_bones;

pub use bone_sample::BoneSample;
pub use bones::{frame_bones, rest_row};
pub use frame::Frame;
pub use pose::{BonePose, FramePair, VertexPose};
pub use rest::{RestVertices, rest_vertices};
pub use slerp_vertices::{slerp_positions, slerp_vertex, vertex_centre};
pub use vertices::{
    normal, octahedron_from_vector, vector_from_octahedron, vertex_offset, vertex_ray,
};

use crate::{Layout, TextureSet};

/// Joints and morph weights of a bone set at a time in seconds from the clip's start, held inside it.
///
/// With [`crate::Blend::SlerpVertices`] joints go between frames as with [`crate::Blend::Linear`], and
/// vertices otherwise: [`slerp_vertex`] of those at both frames, whose joints are [`frame_bones`].
///
/// # Panics
/// Where the set holds vertices.
pub fn bones(set: &TextureSet, clip: usize, time_secs: f64, out: &mut BonePose) {
    match &set.manifest().layout {
        Layout::JointTracks(layout) => {
            joint_tracks::joints(set, layout, clip, time_secs, out);
            bones::morphs(set, clip, time_secs, out);
        }
        Layout::Bones(layout) => bones::bones(set, layout, clip, time_secs, out),
        Layout::Vertices(_) | Layout::VertexTracks(_) => panic!("a vertex set has no bones"),
    }
}

/// Vertices of a vertex set at a time in seconds from the clip's start, held inside it.
///
/// # Panics
/// Where the set holds bones.
pub fn vertices(set: &TextureSet, clip: usize, time_secs: f64, out: &mut VertexPose) {
    match &set.manifest().layout {
        Layout::VertexTracks(layout) => vertex_tracks::vertices(set, layout, clip, time_secs, out),
        Layout::Vertices(layout) => vertices::vertices(set, layout, clip, time_secs, out),
        Layout::Bones(_) | Layout::JointTracks(_) => panic!("a bone set has no vertices"),
    }
}
