//! What a caller may ask of an import.

/// How a character is brought in. The default changes nothing but what is broken.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ImportOptions {
    /// Keeps at most this many influences a vertex, the heaviest. `None` keeps all.
    pub max_influences: Option<usize>,
    /// Drops influences that weigh less, unless it is a vertex's heaviest.
    pub min_weight: f64,
    /// Whether vertices that are the same point are found.
    pub positions: PositionSharing,
    /// Whether bones without an end get one.
    pub leaves: LeafPolicy,
}

/// What to do with vertices that were split for a hard edge or a texture seam only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PositionSharing {
    /// They point to one true position.
    Shared,
    /// Each has its own, to measure what sharing saves.
    Split,
}

/// What to do with bones that have no end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeafPolicy {
    /// An end joint is added.
    Add,
    /// They stay as they are.
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
