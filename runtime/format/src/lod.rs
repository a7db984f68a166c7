//! Distances at which levels of detail are good enough.

use serde::{Deserialize, Serialize};

/// A camera and the largest error that a picture may have. The default is that of reports: a vertical field of view of 60°,
/// 1920 × 1080 pixels, half a pixel.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct PixelError {
    /// Vertical field of view, in radians.
    pub fov_y: f64,
    /// Height of the picture, in pixels.
    pub height_px: f64,
    /// Width of the picture over its height.
    pub aspect: f64,
    /// Largest displacement of a point in the picture, in pixels, along each side.
    pub max_error_px: f64,
}

impl Default for PixelError {
    fn default() -> Self {
        Self {
            fov_y: std::f64::consts::FRAC_PI_3,
            height_px: 1080.0,
            aspect: 16.0 / 9.0,
            max_error_px: 0.5,
        }
    }
}

impl PixelError {
    /// Returns the view depth, in metres, from which on a displacement of `error_m` metres in any direction moves no point
    /// of the picture by more than [`Self::max_error_px`].
    ///
    /// A point at height `y` and view depth `z` is seen at `y / z · cot(fov/2)` half picture heights from the middle. The
    /// gradient of that is at most `√(cot²(fov/2) + 1) / z` where the point is between the upper and lower edge, and across
    /// `√(cot²(fov/2) + aspect²) / z` between the other two.
    pub fn distance_m(&self, error_m: f64) -> f64 {
        let cot = (0.5 * self.fov_y).tan().recip();
        let edge = self.aspect.max(1.0);
        error_m * (0.5 * self.height_px) * cot.hypot(edge) / self.max_error_px
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pixels from the middle, of a point at `y` along a side and depth `z`.
    fn pixel(camera: &PixelError, y: f64, z: f64) -> f64 {
        0.5 * camera.height_px * y / (z * (0.5 * camera.fov_y).tan())
    }

    #[test]
    fn displacement_at_the_distance_moves_at_most_the_pixels_allowed() {
        for camera in [
            PixelError::default(),
            PixelError {
                fov_y: 0.4,
                height_px: 720.0,
                aspect: 0.5,
                max_error_px: 2.0,
            },
        ] {
            let error_m = 0.004;
            let z = camera.distance_m(error_m);
            // The longer side of the picture.
            let edge = z * (0.5 * camera.fov_y).tan() * camera.aspect.max(1.0);
            let mut most: f64 = 0.0;
            for height in 0..=20 {
                let y = edge * f64::from(height) / 20.0;
                for degree in 0..360 {
                    let (sin, cos) = f64::from(degree).to_radians().sin_cos();
                    let moved = pixel(&camera, y + error_m * sin, z + error_m * cos);
                    most = most.max((moved - pixel(&camera, y, z)).abs());
                }
            }
            // The gradient is that at the point itself.
            assert!(most <= 1.01 * camera.max_error_px, "{most}");
            assert!(most >= 0.99 * camera.max_error_px, "{most}");
        }
    }

    #[test]
    fn one_millimetre_needs_about_three_metres_by_default() {
        // 540 pixels, √(3 + 256/81), half a pixel.
        let distance = PixelError::default().distance_m(1e-3);
        assert!(
            (distance - 1.08 * (499f64 / 81.0).sqrt()).abs() < 1e-12,
            "{distance}"
        );
    }
}
