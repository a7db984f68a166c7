//! Errors of drawing a picture.

use thiserror::Error;
use throng_wgpu::GpuError;

/// Reason why a picture could not be drawn.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StudioError {
    /// The device reported an error.
    #[error(transparent)]
    Gpu(#[from] GpuError),
    /// A base-colour image could not be decoded.
    #[error("cannot decode the image '{name}': {reason}; export it again as PNG or JPEG")]
    Image {
        /// Name of the image in the source file; may be empty.
        name: String,
        /// Message of the decoder.
        reason: String,
    },
    /// The picture is empty or larger than the device can draw.
    #[error(
        "cannot draw a picture of {width} × {height} pixels: expected 1 to {max_side} pixels per side"
    )]
    PictureSize {
        /// Width in pixels.
        width: u32,
        /// Height in pixels.
        height: u32,
        /// Largest side that the device supports, in pixels.
        max_side: u32,
    },
}
