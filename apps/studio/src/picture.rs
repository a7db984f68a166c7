//! Pictures in memory.

/// An opaque sRGB picture: three bytes per pixel, rows from top to bottom.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// `3 * width * height` bytes.
    pub rgb: Vec<u8>,
}

impl Picture {
    /// Returns a picture of one colour.
    pub fn filled(width: u32, height: u32, rgb: [u8; 3]) -> Self {
        Self {
            width,
            height,
            rgb: rgb.repeat(width as usize * height as usize),
        }
    }

    /// Returns the picture of four bytes per pixel, without the alpha channel.
    pub fn from_rgba(width: u32, height: u32, rgba: &[u8]) -> Self {
        let pixels = rgba.chunks_exact(4);
        Self {
            width,
            height,
            rgb: pixels
                .flat_map(|pixel| [pixel[0], pixel[1], pixel[2]])
                .collect(),
        }
    }

    /// Returns the colour of a pixel.
    ///
    /// # Panics
    /// Panics if the pixel is outside of the picture.
    pub fn pixel(&self, x: u32, y: u32) -> [u8; 3] {
        let first = 3 * (y as usize * self.width as usize + x as usize);
        [self.rgb[first], self.rgb[first + 1], self.rgb[first + 2]]
    }
}
