//! What Rust writes and shaders read. A test holds the offsets of both against each other.

use bytemuck::{Pod, Zeroable};

/// Where the tables of a `bone-local` stream are.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Pod, Zeroable)]
pub struct JointTracks {
    /// Word of the clip table.
    pub clip_table: u32,
    /// Word of the joint table.
    pub joint_table: u32,
    /// Words of a joint's record.
    pub record_words: u32,
    /// Curves of a segment.
    pub tracks: u32,
    /// Records of the joint table.
    pub joints: u32,
    /// Zeros.
    pub padding: [u32; 3],
}

/// What an instance plays.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub struct ClipTime {
    /// Index into the clip table.
    pub clip: u32,
    /// From the clip's start; held inside the clip.
    pub time_secs: f32,
}

/// An affine transform: three rows of four numbers, the translation last in each.
pub type Rows = [[f32; 4]; 3];
