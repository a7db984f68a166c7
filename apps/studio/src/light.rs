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
    /// Sine of the angle above the horizon at which the sky has the colour of the zenith.
    pub zenith_from: f32,
    /// Light around the sun in the sky; black for a sun behind the camera or high above.
    pub glow: Vec3,
    /// Colour of the ground.
    pub ground: Vec3,
    /// Strength of the sun on outlines, from 0.
    pub rim: f32,
    /// Distance over which haze hides 63 % of a colour, in sizes of the character.
    pub haze_sizes: f32,
}

impl Lights {
    /// High sun behind the camera, from its left.
    pub const NOON: Self = Self {
        to_sun: Vec3::new(-0.42, 0.78, 0.5),
        sun: Vec3::new(1.08, 1.0, 0.9),
        sky: Vec3::new(0.46, 0.52, 0.6),
        bounce: Vec3::new(0.24, 0.22, 0.2),
        horizon: Vec3::new(0.72, 0.76, 0.8),
        zenith: Vec3::new(0.38, 0.48, 0.6),
        zenith_from: 0.7,
        glow: Vec3::ZERO,
        ground: Vec3::new(0.5, 0.49, 0.47),
        rim: 0.0,
        haze_sizes: 1500.0,
    };

    /// Low warm sun in front of the camera, at its right: long shadows towards the camera, lit outlines, a warm horizon.
    pub const EVENING: Self = Self {
        to_sun: Vec3::new(0.56, 0.36, -0.75),
        sun: Vec3::new(1.75, 1.06, 0.56),
        sky: Vec3::new(0.60, 0.60, 0.72),
        bounce: Vec3::new(0.50, 0.38, 0.28),
        horizon: Vec3::new(0.96, 0.66, 0.42),
        zenith: Vec3::new(0.22, 0.34, 0.56),
        zenith_from: 0.32,
        glow: Vec3::new(0.55, 0.30, 0.10),
        ground: Vec3::new(0.46, 0.42, 0.38),
        rim: 1.6,
        haze_sizes: 1200.0,
    };
}

impl Default for Lights {
    fn default() -> Self {
        Self::NOON
    }
}
