//! Decoding on the CPU: bones and vertices from texels, as a shader computes them.

pub mod bone_dq;
pub mod bone_matrix;
pub mod bone_qt;
mod bone_sample;
mod bones;
mod frame;
pub mod joint_curves;
mod pose;
mod slerp_vertices;
mod vertex_curves;
mod vertex_offsets;
mod vertices;
pub mod virtual_bones;

pub use bone_sample::BoneSample;
pub use bones::{frame_bones, rest_row};
pub use frame::Frame;
pub use pose::{BonePose, FramePair, VertexPose};
pub use slerp_vertices::{slerp_positions, slerp_vertex, vertex_center};
pub use vertex_offsets::VertexOffsets;
pub use vertices::{octahedron_from_vector, vector_from_octahedron, vertex_offset, vertex_ray};

use crate::{Layout, TextureSet};

/// Decodes joints and morph weights of a bone set. Time is in seconds from the start of the clip, clamped to the clip.
///
/// With [`crate::FrameInterpolation::SlerpVertices`], joints are interpolated as with
/// [`crate::FrameInterpolation::Linear`]. Vertices are then [`slerp_vertex`] of those skinned at both frames, whose
/// joints are [`frame_bones`].
///
/// # Panics
/// If the set holds vertices.
pub fn bones(set: &TextureSet, clip: usize, time_secs: f64, out: &mut BonePose) {
    let time = (clip, time_secs);
    match &set.manifest().layout {
        Layout::JointCurves(layout) => joint_curves::joints(set, layout, time, out),
        Layout::Bones(layout) => bones::bones(set, layout, time, out),
        Layout::Vertices(_) | Layout::VertexCurves(_) => panic!("a vertex set has no bones"),
    }
    bones::morphs(set, time, out);
}

/// Index of a clip, and a time in seconds from its start.
pub type ClipTime = (usize, f64);

/// Cross-fades between two clips of a bone set: weight 0 is the first, 1 the second.
///
/// `bone-local` blends each joint in its parent's space, as [`throng_rig::LocalPose::blend`] does. All other encodings
/// blend joints in model space, in the form in which they are stored, which shortens limbs during the fade.
///
/// # Panics
/// If the set holds vertices.
pub fn fade_bones(set: &TextureSet, times: [ClipTime; 2], weight: f64, out: &mut BonePose) {
    match &set.manifest().layout {
        Layout::JointCurves(layout) => joint_curves::fade_joints(set, layout, times, weight, out),
        Layout::Bones(layout) => bones::fade_bones(set, layout, times, weight, out),
        Layout::Vertices(_) | Layout::VertexCurves(_) => panic!("a vertex set has no bones"),
    }
    let mut second = out.clone();
    bones::morphs(set, times[0], out);
    bones::morphs(set, times[1], &mut second);
    for (value, other) in out.morph_weights.iter_mut().zip(&second.morph_weights) {
        *value += (other - *value) * weight;
    }
}

/// Cross-fades between two clips of a vertex set: weight 0 is the first, 1 the second. Vertices are interpolated
/// linearly.
///
/// # Panics
/// If the set holds bones.
pub fn fade_vertices(set: &TextureSet, times: [ClipTime; 2], weight: f64, out: &mut VertexPose) {
    let mut second = VertexPose::default();
    vertices(set, times[0].0, times[0].1, out);
    vertices(set, times[1].0, times[1].1, &mut second);
    for (offset, other) in out.offsets.iter_mut().zip(&second.offsets) {
        *offset = offset.lerp(*other, weight);
    }
    for (normal, other) in out.normals.iter_mut().zip(&second.normals) {
        *normal = normal.lerp(*other, weight).normalize_or(*normal);
    }
}

/// Decodes the vertices of a vertex set. Time is in seconds from the start of the clip, clamped to the clip.
///
/// # Panics
/// If the set holds bones.
pub fn vertices(set: &TextureSet, clip: usize, time_secs: f64, out: &mut VertexPose) {
    match &set.manifest().layout {
        Layout::VertexCurves(layout) => vertex_curves::vertices(set, layout, clip, time_secs, out),
        Layout::Vertices(layout) => vertices::vertices(set, layout, clip, time_secs, out),
        Layout::Bones(_) | Layout::JointCurves(_) => panic!("a bone set has no vertices"),
    }
}
