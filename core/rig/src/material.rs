//! Materials: base colour and alpha only.

/// A material.
#[derive(Debug, Clone, PartialEq)]
pub struct Material {
    /// Name as in the file; may be empty.
    pub name: String,
    /// Linear RGBA, multiplied with the texture and the vertex colours.
    pub base_color: [f32; 4],
    /// Base-colour texture, sRGB.
    pub texture: Option<Texture>,
    /// Use of alpha.
    pub alpha: AlphaMode,
    /// True if back faces are drawn.
    pub double_sided: bool,
}

impl Default for Material {
    fn default() -> Self {
        Self {
            name: String::new(),
            base_color: [1.0; 4],
            texture: None,
            alpha: AlphaMode::Opaque,
            double_sided: false,
        }
    }
}

/// Use of alpha.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum AlphaMode {
    /// Alpha is ignored.
    Opaque,
    /// Drawn where alpha is at least the cutoff.
    Mask {
        /// Smallest alpha that is drawn.
        cutoff: f32,
    },
    /// Blended over the background.
    Blend,
}

/// An image and its wrap modes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Texture {
    /// Index into [`crate::Character::images`].
    pub image: usize,
    /// Wrap mode along U.
    pub wrap_u: Wrap,
    /// Wrap mode along V.
    pub wrap_v: Wrap,
}

/// Behaviour of texture coordinates outside of 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wrap {
    /// Repeats the image.
    Repeat,
    /// Repeats the image, mirrored every other time.
    Mirror,
    /// Repeats the edge.
    Clamp,
}

/// An encoded image, as in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Image {
    /// Name as in the file; may be empty.
    pub name: String,
    /// Format of the bytes.
    pub format: ImageFormat,
    /// Encoded bytes.
    pub bytes: Vec<u8>,
}

/// Image formats that glTF allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImageFormat {
    /// PNG.
    Png,
    /// JPEG.
    Jpeg,
}

impl ImageFormat {
    /// Detects the format from the first bytes.
    pub fn of(bytes: &[u8]) -> Option<Self> {
        match bytes {
            [0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a, ..] => Some(Self::Png),
            [0xff, 0xd8, 0xff, ..] => Some(Self::Jpeg),
            _ => None,
        }
    }

    /// MIME type.
    pub fn mime(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
        }
    }
}
