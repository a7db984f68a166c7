//! Lights of a scene: sun, sky and ground.

use glam::Vec3;

/// Lights and background colours, all linear.
///
/// `sun`, `sky` and `bounce` are the light that a white surface reflects.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lights {
    /// Direction to the sun; any length.
    pub to_sun: Vec3,
    /// Light of the sun.
    pub sun: Vec3,
    /// Ambient light from above.
    pub sky: Vec3,
    /// Ambient light from below.
    pub bounce: Vec3,
    /// Background colour at the horizon; the ground fades into it.
    pub horizon: Vec3,
    /// Background colour at the zenith.
    pub zenith: Vec3,
    /// Colour of the ground.
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
