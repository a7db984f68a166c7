//! Playback of one instance of a crowd.

/// Clip and time of an instance, and the clip that it fades to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CrowdPlay {
    /// Index of the clip.
    pub clip: usize,
    /// Seconds in the file's time, clamped to the clip.
    pub time_secs: f64,
    /// Cross-fade to another clip.
    pub fade: Option<CrowdFade>,
}

/// Second clip of a cross-fade.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CrowdFade {
    /// Index of the clip.
    pub clip: usize,
    /// Seconds in the file's time, clamped to the clip.
    pub time_secs: f64,
    /// Weight of this clip, from 0 to 1.
    pub weight: f32,
}
