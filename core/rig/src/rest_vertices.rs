//! Vertices of a character in its rest pose.

use glam::Vec3;

/// Vertices in the rest pose: one position per unique position and one normal per unique normal, part by part.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RestVertices {
    /// Positions in model space, in metres.
    pub positions: Vec<Vec3>,
    /// Unit normals in model space.
    pub normals: Vec<Vec3>,
}
