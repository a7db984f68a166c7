//! Playback of clips: of a source, of a set, of a set on a GPU.

use glam::DAffine3;
use throng_format::decode::BonePose;
use throng_rig::{Character, Skinning};
use throng_skin::reference::Skinned;

/// Plays clips. An error is the difference between two playbacks.
pub trait Playback: Sync {
    /// Returns a player with buffers of its own, for use on one thread.
    fn player(&self) -> Box<dyn Player + '_>;

    /// Returns the character and a player of its joints, where skinning alone moves the vertices; `None` where single
    /// vertices are played. Two playbacks with joints are compared much faster.
    fn posed(&self) -> Option<PosedPlayback<'_>> {
        None
    }
}

/// Plays single times.
pub trait Player: Send {
    /// Writes the pose at a time, in seconds from the clip's start. Earlier contents of `out` are replaced.
    fn play(&mut self, clip: usize, time_secs: f64, out: &mut Played);
}

/// A character at one time. Reuse it to avoid allocations.
#[derive(Debug, Clone, Default)]
pub struct Played {
    /// Positions and normals of each part, in the vertex order of the source, in metres.
    pub parts: Vec<Skinned>,
    /// One per joint of the skeleton; empty where there are no bones.
    pub model_from_joint: Vec<DAffine3>,
}

impl Played {
    /// Resizes to a number of parts.
    pub(super) fn set_parts(&mut self, parts: usize) {
        self.parts.resize_with(parts, Skinned::default);
    }
}

/// A character whose vertices are skinned from joints.
pub struct PosedPlayback<'a> {
    /// Meshes and skins.
    pub character: &'a Character,
    /// Skinning method.
    pub skinning: Skinning,
    /// Player of the joints, with buffers of its own, for use on one thread.
    pub joints: Box<dyn JointPlayer + 'a>,
}

/// Plays joints and morph weights at single times.
pub trait JointPlayer: Send {
    /// Returns the pose at a time, in seconds from the clip's start.
    fn pose(&mut self, clip: usize, time_secs: f64) -> &BonePose;
}
