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
    /// One instance is more than a buffer holds, or there are no compute passes.
    #[error("the device has no room to pose {joints} joints in a compute pass")]
    TooManyJoints {
        /// Joints of the set.
        joints: u32,
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
    /// Dual quaternions were asked of joints that scale or shear.
    #[error(
        "dual quaternions need joints that only turn and move, and this set's may scale or shear: use the method \
         lbs, the technique palette-dq, or bake as vertex"
    )]
    NotRigid,
    /// A method whose signs are settled on the CPU.
    #[error(
        "the method {0} takes its signs from a palette that the CPU makes: use palette-dq, or bake as vertex"
    )]
    NeedsPalette(&'static str),
    /// Matrices cannot serve a method.
    #[error("palette-matrix skins by lbs, not by {0}: use palette-dq")]
    MatrixPalette(&'static str),
    /// The CPU skins every instance, and nothing is left to skin once.
    #[error(
        "cpu skins each instance by itself: use palette-matrix, palette-dq or a texture set with skin-once"
    )]
    CpuSkinOnce,
    /// A technique that plays clips was given none.
    #[error("'{0}' has no clips to play: draw it as control")]
    NoClips(String),
    /// A technique that needs a texture set was given a character, or the other way round.
    #[error("the technique {technique} needs {needs}")]
    WrongSource {
        /// Which.
        technique: &'static str,
        /// What it draws from.
        needs: &'static str,
    },
    /// Entries of palettes are counted in 16 bits.
    #[error(
        "{0} joints over all skins are more than the 65535 that a vertex can name: split the character"
    )]
    TooManyEntries(usize),
    /// A vertex is moved by a joint without texels.
    #[error(
        "joint '{joint}' moves vertices and has no bone in the set: the set is damaged, bake it again"
    )]
    NoBone {
        /// Its name.
        joint: String,
    },
    /// Bones are not one after the other.
    #[error("the bones of the set are not in a row, which shaders rely on: bake it again")]
    ScatteredBones,
    /// Poses of all instances are more than a texture.
    #[error(
        "{what} of {instances} instances take {rows} rows of a texture, the device has {max_rows}: draw at most \
         {max_instances} at once"
    )]
    TooManyInstances {
        /// Palettes or vertices.
        what: &'static str,
        /// How many were asked for.
        instances: usize,
        /// What that takes.
        rows: u64,
        /// What there is.
        max_rows: u32,
        /// How many fit.
        max_instances: u64,
    },
    /// A number of a set that shaders have no word for.
    #[error(transparent)]
    Constants(#[from] throng_shaders::ConstantsError),
    /// A fade in a crowd that was said to have none.
    #[error(
        "instance {instance} fades, and the crowd was made without fades: make it with Fades::Possible"
    )]
    NoFades {
        /// Which.
        instance: usize,
    },
    /// The device's memory is full.
    #[error("the device is out of memory: draw fewer instances or smaller textures; {0}")]
    OutOfMemory(#[source] wgpu::Error),
    /// The device refused what it was given.
    #[error("the device refused: {0}")]
    Refused(#[source] wgpu::Error),
    /// Nothing came back.
    #[error("the device was lost: make a new one; {0}")]
    Lost(String),
}
