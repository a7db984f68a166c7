//! How a surface looks: base colour, and no more than crowds need.

/// A surface.
#[derive(Debug, Clone, PartialEq)]
pub struct Material {
    /// As in the file; may be empty.
    pub name: String,
    /// Linear RGBA, multiplied with the texture and the vertex colours.
    pub base_color: [f32; 4],
    /// The base-colour texture, sRGB.
    pub texture: Option<Texture>,
    /// How alpha is used.
    pub alpha: AlphaMode,
    /// True when back faces show.
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

/// How alpha is used.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum AlphaMode {
    /// Not at all.
    Opaque,
    /// Seen where alpha is at least the cutoff.
    Mask {
        /// The cutoff.
        cutoff: f32,
    },
    /// Blended over what is behind.
    Blend,
}

/// An image and how it repeats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Texture {
    /// Index into [`crate::Character::images`].
    pub image: usize,
    /// Along U.
    pub wrap_u: Wrap,
    /// Along V.
    pub wrap_v: Wrap,
}

/// What is seen past the edge of a texture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wrap {
    /// The other edge.
    Repeat,
    /// The image turned around.
    Mirror,
    /// The edge itself.
    Clamp,
}

/// An encoded picture, as it stood in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Image {
    /// As in the file; may be empty.
    pub name: String,
    /// What the bytes are.
    pub format: ImageFormat,
    /// The encoded bytes.
    pub bytes: Vec<u8>,
}

/// The encodings that glTF allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImageFormat {
    /// PNG.
    Png,
    /// JPEG.
    Jpeg,
}

impl ImageFormat {
    /// Tells a format from its first bytes.
    pub fn of(bytes: &[u8]) -> Option<Self> {
        match bytes {
            [0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a, ..] => Some(Self::Png),
            [0xff, 0xd8, 0xff, ..] => Some(Self::Jpeg),
            _ => None,
        }
    }

    /// The MIME type.
    pub fn mime(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
        }
    }
}
