//! A picture that was read back.

/// Opaque sRGB, three bytes a texel, row by row from the top.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// Texels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// `3 * width * height`.
    pub rgb: Vec<u8>,
}

impl Picture {
    /// One colour.
    pub fn filled(width: u32, height: u32, rgb: [u8; 3]) -> Self {
        Self {
            width,
            height,
            rgb: rgb.repeat(width as usize * height as usize),
        }
    }

    /// Leaves alpha out.
    pub(crate) fn from_rgba(width: u32, height: u32, rgba: &[u8]) -> Self {
        let texels = rgba.chunks_exact(4);
        Self {
            width,
            height,
            rgb: texels
                .flat_map(|texel| [texel[0], texel[1], texel[2]])
                .collect(),
        }
    }

    /// Of a texel that must be inside.
    pub fn texel(&self, x: u32, y: u32) -> [u8; 3] {
        let at = 3 * (y as usize * self.width as usize + x as usize);
        [self.rgb[at], self.rgb[at + 1], self.rgb[at + 2]]
    }
}
