//! State of the texture pane.

use eframe::egui::{TextureHandle, Vec2};

/// Texture, layer, place and magnification.
#[derive(Default)]
pub struct TextureView {
    /// Texture of the set.
    pub texture: usize,
    /// Layer of the texture.
    pub layer: u32,
    /// Points per texel; 0 fits the texture into the pane.
    pub zoom: f32,
    /// Offset of the picture from the middle of the pane, in points.
    pub pan: Vec2,
    /// Picture of a layer, and what it shows: address of the set, texture and layer.
    pub image: Option<((usize, usize, u32), TextureHandle)>,
}
