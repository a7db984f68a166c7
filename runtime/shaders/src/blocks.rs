//! What Rust writes and shaders read. A test holds the offsets of both against each other.

use bytemuck::{Pod, Zeroable};

/// An affine transform: three rows of four numbers, the translation last in each.
pub type Rows = [[f32; 4]; 3];

/// Ticks of a second, in which time goes to shaders: whole numbers that wrap after 18 hours.
pub const TICKS_PER_SEC: f64 = 65536.0;

/// Marks a play that goes backwards, in its clip's number.
pub const BACKWARDS: u32 = 1 << 31;

/// Texels of a row of every table.
pub const TABLE_COLUMNS: u32 = 2048;

/// What changes from frame to frame.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Default, Pod, Zeroable)]
pub struct Frame {
    /// Columns of the camera's projection and view.
    pub clip_from_world: [[f32; 4]; 4],
    /// Ticks.
    pub now: u32,
    /// How much of the dual quaternions there is in blends.
    pub deform_factor: f32,
    /// Zeros.
    pub padding: [u32; 2],
}

/// A scene: where it is seen from, its lights and its ground. Colours are linear.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Default, Pod, Zeroable)]
pub struct Scene {
    /// Columns of the inverse of the camera's projection and view.
    pub world_from_clip: [[f32; 4]; 4],
    /// To the map that holds depth as the sun sees it.
    pub sun_from_world: [[f32; 4]; 4],
    /// To the map of what stands closely over the ground.
    pub contact_from_world: [[f32; 4]; 4],
    /// Where it is seen from.
    pub eye: [f32; 4],
    /// A unit vector, and how far a point is lifted off its surface before its shadow is looked up.
    pub to_sun: [f32; 4],
    /// Light of the sun.
    pub sun_color: [f32; 4],
    /// Light from above.
    pub sky_color: [f32; 4],
    /// Light that comes back from the ground.
    pub bounce_color: [f32; 4],
    /// Behind everyone, as high as the eye.
    pub horizon_color: [f32; 4],
    /// Behind everyone, at the top.
    pub zenith_color: [f32; 4],
    /// Of the ground itself.
    pub ground_color: [f32; 4],
    /// The middle of the ground, and how far from there it is gone.
    pub ground: [f32; 4],
    /// A texel of the sun's map, a step of its depth, and the height in which contact fades.
    pub steps: [f32; 3],
    /// Zero.
    pub padding: u32,
}

/// How a surface looks.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Default, Pod, Zeroable)]
pub struct Material {
    /// Linear RGBA.
    pub base_color: [f32; 4],
    /// What is less opaque is not there; 0 where alpha is not used.
    pub alpha_cutoff: f32,
    /// Zeros.
    pub padding: [u32; 3],
}

/// What an instance plays.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Pod, Zeroable)]
pub struct PlayBlock {
    /// Index into the clips; [`BACKWARDS`] is added where it plays backwards.
    pub clip: u32,
    /// When the clip was at its start, in ticks; where there is no period, the bits of the seconds that it is held at.
    pub start: u32,
    /// Ticks that the clip takes at the instance's speed; 0 holds it.
    pub period: u32,
}

/// One of the crowd: 24 words, a vertex buffer's step.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub struct InstanceBlock {
    /// From the model to the world.
    pub world_from_model: Rows,
    /// RGBA, red in the lowest byte.
    pub tint: u32,
    /// What it plays.
    pub first: PlayBlock,
    /// What it fades to.
    pub second: PlayBlock,
    /// When the fade begins, in ticks.
    pub fade_start: u32,
    /// How long it takes, in ticks; 0 where there is none.
    pub fade_duration: u32,
    /// From the mesh as it was bound, 0, to the pose, 1.
    pub fraction: f32,
    /// The caller's own.
    pub user: u32,
    /// Which of the poses that are skinned once it copies.
    pub group: u32,
}

/// Where the texels of a frame are: `throng_format::Grid`.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Pod, Zeroable)]
pub struct Grid {
    /// Columns before the first texel.
    pub first_column: u32,
    /// Rows before the first frame.
    pub first_row: u32,
    /// Texels of a frame that are in one row.
    pub columns: u32,
    /// Rows that a frame takes.
    pub rows_per_frame: u32,
    /// 1 where a frame is a column.
    pub by_columns: u32,
    /// Rows of a layer.
    pub height: u32,
    /// Layers.
    pub layers: u32,
    /// Zero.
    pub padding: u32,
}

/// How raw numbers become lengths and directions: `offset + scale * raw`.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Default, Pod, Zeroable)]
pub struct Codec {
    /// Of positions, offsets or dual parts; one box for all.
    pub offset: [f32; 4],
    /// The same.
    pub scale: [f32; 4],
    /// Of the scales of bones.
    pub size_offset: [f32; 4],
    /// The same.
    pub size_scale: [f32; 4],
    /// Of numbers from -1 to 1.
    pub unit_offset: f32,
    /// The same.
    pub unit_scale: f32,
    /// Of numbers from 0 to 1.
    pub level_scale: f32,
    /// Of normals.
    pub normal_offset: f32,
    /// The same.
    pub normal_scale: f32,
    /// Texels from one axis of a bone to the next: 1, or the number of bones in P3's planes.
    pub axis_items: u32,
    /// First record of boxes of one bone each; 0 where there is one box for all.
    pub range_table: u32,
    /// First record of bones whose numbers are not all as many; 0 where there is none.
    pub bone_table: u32,
}

/// Where the tables of a `bone-local` stream are.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Pod, Zeroable)]
pub struct JointCurves {
    /// Word of the clip table.
    pub clip_table: u32,
    /// Word of the joint table.
    pub joint_table: u32,
    /// Words of a joint's record.
    pub record_words: u32,
    /// Curves of a segment.
    pub curves: u32,
    /// Records of the joint table.
    pub joints: u32,
    /// Zeros.
    pub padding: [u32; 3],
}

/// What a shader must know of a set beside its texels.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Default, Pod, Zeroable)]
pub struct SetInfo {
    /// Of bones or positions.
    pub grid: Grid,
    /// Of normals.
    pub normals: Grid,
    /// Of weights of morphs.
    pub morphs: Grid,
    /// Of texels.
    pub codec: Codec,
    /// Of packed curves.
    pub joint_curves: JointCurves,
    /// Offsets of vertices in packed curves: `center + scale * curve`, the scale last.
    pub vertex_curve_range: [f32; 4],
    /// First record of the clips.
    pub clip_table: u32,
    /// First record of the links, as matrices.
    pub inverse_bind_table: u32,
    /// First record of the links, as dual quaternions.
    pub dual_inverse_bind_table: u32,
    /// First record of the boxes of morph weights, or their first texel in a palette.
    pub morph_table: u32,
    /// Entries of a palette.
    pub palette_len: u32,
    /// Texels of a palette an instance.
    pub palette_stride: u32,
    /// Vertices of the whole character.
    pub vertices: u32,
    /// Curves of true positions, before those of normals.
    pub position_curves: u32,
    /// First record of the places of the entries' bones, four a texel.
    pub bone_offset_table: u32,
    /// 1 where links are matrices, three texels each; 0 where they only move, a texel each.
    pub inverse_binds_are_matrices: u32,
    /// Zeros.
    pub padding: [u32; 2],
}

/// Vertices of a part that are skinned in one dispatch.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Pod, Zeroable)]
pub struct SkinnedPart {
    /// Counted through all parts.
    pub first_vertex: u32,
    /// How many there are.
    pub vertices: u32,
    /// Zeros.
    pub padding: [u32; 2],
}

/// Where vertices are put, to be read back or copied.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Pod, Zeroable)]
pub struct CaptureTarget {
    /// Rows of the texture, of [`TABLE_COLUMNS`] texels.
    pub rows: u32,
    /// Zeros.
    pub padding: [u32; 3],
}
