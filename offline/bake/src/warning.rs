//! Losses that a bake accepts and reports.

use std::fmt;

/// Part of a character that a preset's layout does not hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BakeWarning {
    /// Vertices have more influences than the paper's shader reads. The heaviest were kept and normalised.
    Influences {
        /// Number of vertices that lost influences.
        vertices: usize,
        /// Most influences of a vertex.
        most: usize,
        /// Influences that were kept.
        kept: usize,
    },
    /// Vertices of one position had several normals, and now share their mean: hard edges are drawn smooth.
    Normals {
        /// Number of unique positions.
        positions: usize,
    },
}

impl fmt::Display for BakeWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Influences {
                vertices,
                most,
                kept,
            } => write!(
                f,
                "{vertices} vertices have up to {most} influences; the preset's shader reads {kept}, so the {kept} heaviest \
                 were kept"
            ),
            Self::Normals { positions } => write!(
                f,
                "{positions} positions have several normals; the preset's texture has one per position, so hard edges are \
                 smooth"
            ),
        }
    }
}
