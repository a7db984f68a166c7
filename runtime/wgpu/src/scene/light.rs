//! Lights of a scene: a sun, a sky, and what comes back from the ground.

use glam::Vec3;

/// Colours are linear; the sun's and the sky's are how brightly they light a white surface.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lights {
    /// Where the sun is; any length.
    pub to_sun: Vec3,
    /// A little warm.
    pub sun: Vec3,
    /// From above, a little cold.
    pub sky: Vec3,
    /// From below.
    pub bounce: Vec3,
    /// Behind everyone, as high as the eye; the ground fades into it.
    pub horizon: Vec3,
    /// Behind everyone, at the top.
    pub zenith: Vec3,
    /// Of the ground itself.
    pub ground: Vec3,
}

impl Default for Lights {
    fn default() -> Self {
        Self {
            to_sun: Vec3::new(-0.42, 0.78, 0.5),
            sun: Vec3::new(1.08, 1.0, 0.9),
            sky: Vec3::new(0.46, 0.52, 0.6),
            bounce: Vec3::new(0.24, 0.22, 0.2),
            horizon: Vec3::new(0.72, 0.76, 0.8),
            zenith: Vec3::new(0.38, 0.48, 0.6),
            ground: Vec3::new(0.5, 0.49, 0.47),
        }
    }
}
