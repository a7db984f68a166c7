//! Import options.

use serde::Serialize;

/// Options of an import. The default changes only invalid data, and adds leaf joints.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ImportOptions {
    /// Maximum number of influences per vertex; the heaviest are kept. `None` keeps all.
    pub max_influences: Option<usize>,
    /// Minimum weight, after normalisation. Lighter influences are dropped, except the heaviest of a
    /// vertex.
    pub min_weight: f64,
    /// Sharing of positions between vertices.
    pub positions: PositionSharing,
    /// Treatment of bones without an end.
    pub leaves: LeafPolicy,
}

/// Treatment of vertices that were split only for a hard edge or a texture seam.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum PositionSharing {
    /// Such vertices share one unique position.
    Shared,
    /// Every vertex has its own position. For measuring the savings of sharing.
    Split,
    /// Every corner of every face is a vertex with its own position, as for flat shading. Faces are the polygons of an
    /// FBX file or a built-in character, and the triangles of a glTF file.
    Corners,
}

/// Treatment of bones without an end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum LeafPolicy {
    /// Adds a leaf joint at the end of the bone.
    Add,
    /// Adds nothing.
    Keep,
}

impl Default for ImportOptions {
    fn default() -> Self {
        Self {
            max_influences: None,
            min_weight: 0.0,
            positions: PositionSharing::Shared,
            leaves: LeafPolicy::Add,
        }
    }
}
