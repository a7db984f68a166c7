//! What can be played: a source, a set, a set on a GPU.

use glam::DAffine3;
use throng_skin::reference::Skinned;

/// Something that plays clips: errors are the difference between two of these.
pub trait Playback: Sync {
    /// A player with buffers of its own, one for each thread.
    fn player(&self) -> Box<dyn Player + '_>;
}

/// Plays one time after another.
pub trait Player: Send {
    /// Everything at a time, in seconds from the clip's start; what `out` held before is gone.
    fn play(&mut self, clip: usize, time_secs: f64, out: &mut Played);
}

/// A character at a time. Made once, then reused.
#[derive(Debug, Clone, Default)]
pub struct Played {
    /// Vertices and normals of each part, in the order of the source, in metres.
    pub parts: Vec<Skinned>,
    /// One a joint of the skeleton; empty where there are no bones.
    pub model_from_joint: Vec<DAffine3>,
}

impl Played {
    /// Makes room for so many parts.
    pub(super) fn set_parts(&mut self, parts: usize) {
        self.parts.resize_with(parts, Skinned::default);
    }
}
