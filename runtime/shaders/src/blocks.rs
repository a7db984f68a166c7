//! Structs that Rust writes and shaders read. A test compares the offsets of their fields in both.

use bytemuck::{Pod, Zeroable};

/// An affine transform: three rows of four numbers, the translation last in each.
pub type Rows = [[f32; 4]; 3];

/// Ticks per second. Shaders get time in ticks, as integers that wrap after 18 hours.
pub const TICKS_PER_SEC: f64 = 65536.0;

/// Flag in the clip of a [`PlayBlock`]: the clip plays backwards.
pub const BACKWARDS: u32 = 1 << 31;

/// Texels per row of textures that are indexed as one array: tables, palettes, instances and captured vertices.
pub const TABLE_COLUMNS: u32 = 2048;

/// Times of a frame.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Default, Pod, Zeroable)]
pub struct Frame {
    /// Time in ticks.
    pub now: u32,
    /// Time of the frame before, in ticks.
    pub previous_now: u32,
    /// Index of the first instance as it was in the frame before, in tables that hold both. `u32::MAX` if they do not.
    pub previous_first: u32,
    /// Index of the first group as it was in the frame before, if poses are skinned once.
    pub previous_group: u32,
    /// Blend between LBS (0) and DQS (1).
    pub deform_factor: f32,
    /// Number of instances. Passes before drawing skip indices from here to `previous_first`.
    pub count: u32,
    /// Padding, zero.
    pub padding: [u32; 2],
}

/// Playback of a clip: made by [`Self::running`] or [`Self::held`].
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Pod, Zeroable)]
pub struct PlayBlock {
    /// Index of the clip, with the flag [`BACKWARDS`].
    clip: u32,
    /// Tick at which the clip is at its start; bits of a float if it is held.
    time: u32,
    /// Duration of the clip at the instance's speed, in ticks; 0 if it is held.
    period: u32,
}

impl PlayBlock {
    /// A clip that advances: it is at its start at the tick `start`, and lasts `period` ticks.
    pub fn running(clip: u32, start: u32, period: u32, is_backwards: bool) -> Self {
        Self {
            clip: clip | if is_backwards { BACKWARDS } else { 0 },
            time: start,
            period,
        }
    }

    /// A clip that is held at a time in seconds from its start.
    pub fn held(clip: u32, time_secs: f32) -> Self {
        Self {
            clip,
            time: time_secs.to_bits(),
            period: 0,
        }
    }
}

/// Value of [`InstanceBlock::fade_duration`] for a constant weight.
pub const HELD_FADE: u32 = u32::MAX;

/// An instance of the crowd: 24 words, the stride of the instance buffer.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub struct InstanceBlock {
    /// From model space to world space.
    pub world_from_model: Rows,
    /// RGBA, red in the lowest byte.
    pub tint: u32,
    /// Clip that it plays.
    pub first: PlayBlock,
    /// Clip that it fades to.
    pub second: PlayBlock,
    /// Tick at which the cross-fade begins; the bits of the weight if it is held.
    pub fade_start: u32,
    /// Duration of the cross-fade in ticks; 0 for none, [`HELD_FADE`] for a constant weight.
    pub fade_duration: u32,
    /// Blend factor between the bind pose (0) and the animated pose (1).
    pub fraction: f32,
    /// Free for the caller; shaders pass it on.
    pub user: u32,
    /// Index of the skinned pose that it copies, if poses are skinned once.
    pub group: u32,
}

/// Addresses of the texels of a frame: `throng_format::Grid`.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Pod, Zeroable)]
pub struct Grid {
    /// Columns before the first texel.
    pub first_column: u32,
    /// Rows before the first frame.
    pub first_row: u32,
    /// Texels of a frame per row; if a frame is a column, the distance between the first frames of two clips.
    pub columns: u32,
    /// Rows per frame; if a frame is a column, rows of all layers of a clip.
    pub rows_per_frame: u32,
    /// 1 if a frame is a column, 0 if it is one or more rows.
    pub by_columns: u32,
    /// Rows per layer.
    pub height: u32,
    /// Number of layers.
    pub layers: u32,
    /// Padding, zero.
    pub padding: u32,
}

/// Decoding of raw numbers: a value is `offset + scale * raw`.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Default, Pod, Zeroable)]
pub struct Codec {
    /// Offset of positions, vertex offsets or dual parts, in the range that all bones share.
    pub offset: [f32; 4],
    /// Scale of the same.
    pub scale: [f32; 4],
    /// Offset of the scales of bones.
    pub size_offset: [f32; 4],
    /// Scale of the same.
    pub size_scale: [f32; 4],
    /// Offset of numbers from -1 to 1.
    pub unit_offset: f32,
    /// Scale of the same.
    pub unit_scale: f32,
    /// Scale of numbers from 0 to 1.
    pub level_scale: f32,
    /// Offset of normals.
    pub normal_offset: f32,
    /// Scale of the same.
    pub normal_scale: f32,
    /// Distance in texels between the axes of a bone in planes: the number of bones.
    pub axis_items: u32,
    /// First record of one range per bone, or 0 if all bones share a range.
    pub range_table: u32,
    /// First record of the bone table, or 0 if all bones have equally many numbers.
    pub bone_table: u32,
}

/// Addresses of the tables of compressed curves, in words.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Pod, Zeroable)]
pub struct JointCurves {
    /// First word of the clip table.
    pub clip_table: u32,
    /// First word of the joint table.
    pub joint_table: u32,
    /// Words per record of the joint table.
    pub record_words: u32,
    /// Number of curves in a segment.
    pub curves: u32,
    /// Number of records of the joint table.
    pub joints: u32,
    /// Padding, zero.
    pub padding: [u32; 3],
}

/// Description of a texture set: everything that a shader needs beside the texels and tables.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Default, Pod, Zeroable)]
pub struct SetInfo {
    /// Grid of bones or positions.
    pub grid: Grid,
    /// Grid of normals, or of the positions of bones that have their own texture.
    pub normals: Grid,
    /// Grid of morph weights.
    pub morphs: Grid,
    /// Decoding of texels.
    pub codec: Codec,
    /// Tables of compressed curves, of joints or vertices.
    pub joint_curves: JointCurves,
    /// Range of vertex offsets in compressed curves: centre in xyz, scale in w. An offset is `centre + scale * curve`.
    pub vertex_curve_range: [f32; 4],
    /// First record of the clip table.
    pub clip_table: u32,
    /// First record of the inverse bind matrices.
    pub inverse_bind_table: u32,
    /// First record of the inverse bind matrices as dual quaternions.
    pub dual_inverse_bind_table: u32,
    /// First record of the ranges of morph weights, or the first texel of the weights in a palette.
    pub morph_table: u32,
    /// Number of joints in a palette.
    pub palette_len: u32,
    /// Texels per instance in a palette: joints, then morph weights.
    pub palette_stride: u32,
    /// Number of vertices of the whole character.
    pub vertices: u32,
    /// Number of curves of unique positions, which come before those of normals.
    pub position_curves: u32,
    /// First record of the bone offsets, one per palette index, four per record.
    pub bone_offset_table: u32,
    /// 1 if inverse binds are matrices, three records each; 0 if they are translations, one record each.
    pub inverse_binds_are_matrices: u32,
    /// Padding, zero.
    pub padding: [u32; 2],
}

/// Range of the vertices of a part, for one dispatch that skins once.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Pod, Zeroable)]
pub struct SkinnedPart {
    /// Index of the first vertex among those of all parts.
    pub first_vertex: u32,
    /// Number of vertices.
    pub vertices: u32,
    /// Padding, zero.
    pub padding: [u32; 2],
}

/// Target texture of vertices that are read back or copied.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Pod, Zeroable)]
pub struct CaptureTarget {
    /// Number of rows of the texture, of [`TABLE_COLUMNS`] texels each.
    pub rows: u32,
    /// Padding, zero.
    pub padding: [u32; 3],
}

/// Largest number of levels of detail, the full mesh included.
pub const CULL_LEVELS: usize = 8;

/// A point of view that culls instances and chooses their levels of detail.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Default, Pod, Zeroable)]
pub struct CullView {
    /// Planes of the frustum: normals towards the inside, and distances.
    pub planes: [[f32; 4]; 6],
    /// Plane whose distance is the depth of a point, by which its size on the screen is divided.
    pub depth: [f32; 4],
    /// Errors of the levels in metres, finest first; that of the first level is 0.
    pub errors: [f32; CULL_LEVELS],
    /// Largest allowed error in metres at depth 1: for a level that the instance has already, and for a coarser one.
    pub max_error: [f32; 2],
    /// Number of levels.
    pub levels: u32,
    /// Number of parts.
    pub parts: u32,
    /// Number of instances.
    pub count: u32,
    /// Time in ticks.
    pub now: u32,
    /// Distance between the first instances of two levels in the list of visible instances; 0 if levels follow each other.
    pub region: u32,
    /// Padding, zero.
    pub padding: u32,
}
