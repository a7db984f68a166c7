//! Appearance of a crowd or a mesh.

/// Appearance of a crowd or a mesh. Wireframes need a device with `POLYGON_MODE_LINE` and are left out on others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Surface {
    /// Lit, with shadows.
    #[default]
    Lit,
    /// Lit, with the edges of triangles on top.
    LitWireframe,
    /// The edges of triangles only.
    Wireframe,
    /// Nothing, not even a shadow.
    Hidden,
}

impl Surface {
    pub(crate) fn is_lit(self) -> bool {
        matches!(self, Self::Lit | Self::LitWireframe)
    }

    pub(crate) fn has_wireframe(self) -> bool {
        matches!(self, Self::Wireframe | Self::LitWireframe)
    }

    pub(crate) fn casts_shadows(self) -> bool {
        self != Self::Hidden
    }
}
