//! Errors of the GPU run time.

use thiserror::Error;
use throng_format::TexelFormat;

/// Reason why work on a GPU failed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum GpuError {
    /// No adapter was found.
    #[error("no GPU adapter: install a Vulkan driver (Debian: mesa-vulkan-drivers); {0}")]
    NoAdapter(#[from] wgpu::RequestAdapterError),
    /// The adapter refused to open a device.
    #[error("cannot open a device on the adapter '{adapter}': {source}; update its driver")]
    NoDevice {
        /// Name of the adapter.
        adapter: String,
        /// Error of the driver.
        source: wgpu::RequestDeviceError,
    },
    /// The texture of compressed curves has another format.
    #[error(
        "compressed curves need a texture of R32Uint, found {0:?}: pass the texture that the layout names"
    )]
    WrongTexels(TexelFormat),
    /// The set has no mesh to draw.
    #[error("'{set}' is a motion set, without a mesh: draw a set that uses it")]
    NoMesh {
        /// Name of the set.
        set: String,
    },
    /// A set was combined with the textures of another motion set.
    #[error(
        "the textures of '{set}' are not those on the device: use those of its own motion set, or CrowdModel::new"
    )]
    OtherTextures {
        /// Name of the set.
        set: String,
    },
    /// A texture is larger than the device supports.
    #[error(
        "a texture of {width} × {height} × {layers} texels is too large for the device: expected at most {max_side} \
         per side and {max_layers} layers; bake with --max-side {max_side}, or fewer clips"
    )]
    TextureTooLarge {
        /// Width in texels.
        width: u32,
        /// Height in texels.
        height: u32,
        /// Number of layers.
        layers: u32,
        /// Largest side that the device supports.
        max_side: u32,
        /// Largest number of layers that the device supports.
        max_layers: u32,
    },
    /// A table of compressed curves exceeds its texture.
    #[error(
        "the {table} ends at word {end}, but the texture has {words} words: the set is damaged, bake it again"
    )]
    TableOutside {
        /// Name of the table.
        table: &'static str,
        /// Word after its last one.
        end: u64,
        /// Number of words of the texture.
        words: u64,
    },
    /// Joint records of an unsupported length.
    #[error("joint records of {0} words, expected 8 or 12: the set is damaged, bake it again")]
    RecordWords(u32),
    /// One instance exceeds a storage buffer, or the device has no compute passes.
    #[error("the device cannot pose {joints} joints in a compute pass")]
    TooManyJoints {
        /// Number of joints of the set.
        joints: u32,
    },
    /// The clip index of an instance is out of range.
    #[error("instance {instance} plays clip {clip}, but there are {clips} clips")]
    NoSuchClip {
        /// Index of the instance.
        instance: usize,
        /// Clip index of the instance.
        clip: u32,
        /// Number of clips.
        clips: u32,
    },
    /// A dual-quaternion method was requested for joints that scale or shear.
    #[error(
        "dual quaternions need rigid joints, but those of this set may scale or shear: use the method lbs, the \
         technique palette-dq, or bake as vertex"
    )]
    NotRigid,
    /// The set has no metadata in its texels.
    #[error(
        "the set has no metadata in its first column: read it from tables, or bake with --metadata column or a preset of P0"
    )]
    NoColumn,
    /// The method needs a palette whose signs the CPU aligns.
    #[error(
        "the method {0} needs a palette whose quaternion signs the CPU aligns: use palette-dq, or bake as vertex"
    )]
    NeedsPalette(&'static str),
    /// No shader has the method.
    #[error("no shader has the method {0}: use the technique cpu, or bake as vertex")]
    NoShader(&'static str),
    /// A palette of matrices does not support the method.
    #[error("palette-matrix supports the method lbs only, found {0}: use palette-dq")]
    MatrixPalette(&'static str),
    /// The technique skins joints, which do not move a vertex cache.
    #[error(
        "vertex caches move vertices of '{character}', and the technique {technique} skins joints: bake it as vertex, or \
         draw its rest pose as control"
    )]
    VertexCache {
        /// Name of the character.
        character: String,
        /// Name of the technique.
        technique: &'static str,
    },
    /// A technique that plays clips got a character without clips.
    #[error("'{0}' has no clips to play: draw it as control")]
    NoClips(String),
    /// The technique cannot use the source that it got.
    #[error("the technique {technique} needs {needs}")]
    WrongSource {
        /// Name of the technique.
        technique: &'static str,
        /// Source that the technique needs.
        needs: &'static str,
    },
    /// Palette indices exceed 16 bits.
    #[error(
        "{0} joints over all skins exceed the 65535 that a vertex can index: split the character"
    )]
    TooManyPaletteIndices(usize),
    /// A joint that influences vertices has no bone in the set.
    #[error(
        "joint '{joint}' influences vertices but has no bone in the set: the set is damaged, bake it again"
    )]
    NoBone {
        /// Name of the joint.
        joint: String,
    },
    /// Bones are not contiguous in the texture.
    #[error("the bones of the set are not contiguous, as shaders expect: bake it again")]
    ScatteredBones,
    /// Palettes or vertices of all instances exceed a texture.
    #[error(
        "{what} of {instances} instances need {rows} rows of a texture, but the device supports {max_rows}: draw at \
         most {max_instances} instances at once"
    )]
    TooManyInstances {
        /// Contents of the texture: palettes or vertices.
        what: &'static str,
        /// Number of instances that were requested.
        instances: usize,
        /// Rows that they need.
        rows: u64,
        /// Rows that the device supports.
        max_rows: u32,
        /// Number of instances that fit.
        max_instances: u64,
    },
    /// A buffer is larger than the device supports.
    #[error(
        "the {what} need a buffer of {bytes} bytes, but the device supports {max_bytes}: draw fewer instances or a \
         smaller mesh"
    )]
    BufferTooLarge {
        /// Contents of the buffer.
        what: &'static str,
        /// Bytes that are needed.
        bytes: u64,
        /// Bytes that the device supports.
        max_bytes: u64,
    },
    /// The buffers of a point of view exceed the limits of the device.
    #[error(
        "{instances} instances are too many for the device to cull: draw at most {max_instances} per crowd, or \
         request a larger max_storage_buffer_binding_size"
    )]
    TooManyToCull {
        /// Number of instances that there is room for.
        instances: usize,
        /// Number of instances that fit.
        max_instances: u64,
    },
    /// The instance buffer is larger than the device supports.
    #[error(
        "{instances} instances need a buffer of {bytes} bytes, but the device supports {max_bytes}: draw at most \
         {max_instances} per crowd"
    )]
    InstancesTooLarge {
        /// Number of instances that were requested.
        instances: usize,
        /// Bytes that they need.
        bytes: u64,
        /// Bytes that the device supports.
        max_bytes: u64,
        /// Number of instances that fit.
        max_instances: u64,
    },
    /// An instance id is unknown or no longer valid.
    #[error("the crowd has no such instance: it was removed, or belongs to another crowd")]
    NoSuchInstance,
    /// A material reads `previous_clip_position` of a model without motion.
    #[error(
        "the material reads previous_clip_position, but the model was made with Motion::None: make it with \
         Motion::Previous"
    )]
    NoMotion,
    /// A material takes Throng's bind group for itself.
    #[error(
        "group {group} is Throng's, but bind_group_layouts has a layout there: leave it None, or choose another group"
    )]
    GroupTaken {
        /// Index of the group.
        group: u32,
    },
    /// The metadata of the set cannot be compiled into a shader.
    #[error(transparent)]
    Constants(#[from] throng_shaders::ConstantsError),
    /// A switch of a benchmark that does not apply to the technique.
    #[error("the switch '{switch}' needs {needs}: leave it at its default")]
    SwitchNeeds {
        /// Field of [`crate::Switches`].
        switch: &'static str,
        /// Condition under which the switch applies.
        needs: &'static str,
    },
    /// A cross-fade with a model that was made without.
    #[error(
        "instance {instance} cross-fades, but the model was made with Fades::None: make it with Fades::Possible"
    )]
    NoFades {
        /// Index of the instance.
        instance: usize,
    },
    /// The device is out of memory.
    #[error("the device is out of memory: draw fewer instances or smaller textures; {0}")]
    OutOfMemory(#[source] wgpu::Error),
    /// The device reported an error.
    #[error("the device reported an error: {0}")]
    Refused(#[source] wgpu::Error),
    /// The device was lost.
    #[error("the device was lost: make a new one; {0}")]
    Lost(String),
}
