//! The values of one frame.

use crate::{Channels, Grid, Range, Texture};

/// Reader of a frame's values: value `n` is channel `n % 4` of item `n / 4`.
#[derive(Debug, Clone, Copy)]
pub struct Frame<'t> {
    channels: Channels<'t>,
    grid: &'t Grid,
    width: u32,
    frame: u32,
    is_float: bool,
}

impl<'t> Frame<'t> {
    /// A frame of a grid, counted across all clips.
    pub fn new(texture: &'t Texture, grid: &'t Grid, frame: u32) -> Self {
        Self {
            channels: Channels::of(texture),
            grid,
            width: texture.size()[0],
            frame,
            is_float: texture.format().is_float(),
        }
    }

    /// A channel of an item: 0 to 1, or the value itself in float formats.
    pub fn channel(&self, item: u32, channel: usize) -> f64 {
        let texel = self.grid.texel(self.width, self.frame, item);
        self.channels.get(texel, channel)
    }

    /// A value from -1 to 1, or the value itself in float formats.
    pub fn unit(&self, value: u32) -> f64 {
        self.signed(value / 4, value as usize % 4)
    }

    /// [`Self::unit`], by item and channel.
    pub fn signed(&self, item: u32, channel: usize) -> f64 {
        let level = self.channel(item, channel);
        if self.is_float {
            level
        } else {
            2.0 * level - 1.0
        }
    }

    /// A value in a component of a range; the value itself without a range.
    pub fn ranged(&self, value: u32, range: Option<&Range>, component: usize) -> f64 {
        in_range(self.unit(value), range, component)
    }
}

/// Texels of all bones at a frame.
#[derive(Debug, Clone, Copy)]
pub struct BoneFrame<'t> {
    /// The frame of the layout's grid.
    pub frame: Frame<'t>,
    /// The frame of positions that have their own texture.
    pub positions: Option<Frame<'t>>,
}

/// Maps a value from -1 to 1 to a component of a range. Returns the value itself without a range.
pub fn in_range(unit: f64, range: Option<&Range>, component: usize) -> f64 {
    match range {
        Some(range) => range.center[component] + range.half_extent[component] * unit,
        None => unit,
    }
}
