//! What can go wrong on a GPU.

use thiserror::Error;
use throng_format::TexelFormat;

/// Why something was not done on a GPU.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum GpuError {
    /// There is nothing to run on.
    #[error("no graphics adapter: install a Vulkan driver (Debian: mesa-vulkan-drivers); {0}")]
    NoAdapter(#[from] wgpu::RequestAdapterError),
    /// The adapter is there but does not open.
    #[error("the adapter '{adapter}' does not open: {source}; update its driver")]
    NoDevice {
        /// What it calls itself.
        adapter: String,
        /// What it says.
        source: wgpu::RequestDeviceError,
    },
    /// A texture has other texels than its layout says.
    #[error("packed curves are words of r32-uint, the texture holds {0:?}: pass the layout's own")]
    WrongTexels(TexelFormat),
    /// A texture is larger than the device takes.
    #[error(
        "a texture of {width} × {height} × {layers} texels is too large for the device, whose limits are \
         {max_side} a side and {max_layers} layers: bake with --max-side {max_side}, or fewer clips"
    )]
    TextureTooLarge {
        /// Texels in a row.
        width: u32,
        /// Rows in a layer.
        height: u32,
        /// Layers.
        layers: u32,
        /// What a side may have.
        max_side: u32,
        /// Layers that there may be.
        max_layers: u32,
    },
    /// A table is not inside the texture.
    #[error(
        "the {table} ends at word {end}, the texture has {words}: the set is damaged, bake it again"
    )]
    TableOutside {
        /// Which.
        table: &'static str,
        /// Where it would end.
        end: u64,
        /// What there is.
        words: u64,
    },
    /// Records of a length that there is not.
    #[error("joint records have 8 or 12 words, not {0}: the set is damaged, bake it again")]
    RecordWords(u32),
    /// One instance is more than a buffer holds.
    #[error(
        "a pose of {joints} joints takes {bytes} bytes, a buffer of the device holds {max_bytes}"
    )]
    TooManyJoints {
        /// Joints of the set.
        joints: u32,
        /// Bytes of a pose.
        bytes: u64,
        /// The device's limit.
        max_bytes: u64,
    },
    /// An instance plays a clip that is not there.
    #[error("instance {instance} plays clip {clip}, the set has {clips}")]
    NoSuchClip {
        /// Which.
        instance: usize,
        /// What it asks for.
        clip: u32,
        /// What there is.
        clips: u32,
    },
    /// The device's memory is full.
    #[error("the device is out of memory: draw fewer instances or smaller textures; {0}")]
    OutOfMemory(#[source] wgpu::Error),
    /// The device refused what it was given.
    #[error("the device refused: {0}")]
    Refused(#[source] wgpu::Error),
    /// Nothing came back.
    #[error("the device was lost while reading back: make a new one; {0}")]
    Lost(String),
}
