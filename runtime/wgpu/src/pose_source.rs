//! Sources of poses.

use throng_shaders::PaletteSource;

/// Source of poses.
#[derive(Debug)]
pub(crate) enum PoseSource {
    /// The vertex shader reads the textures of the set, or vertices are static.
    Textures,
    /// A decode pass fills a palette.
    Pass(PaletteSource),
    /// The CPU poses.
    #[cfg(feature = "cpu")]
    Cpu(std::sync::Arc<crate::cpu::source::CpuSource>),
}

impl PoseSource {
    /// Returns true if the CPU uploads palettes.
    pub fn is_cpu_palette(&self) -> bool {
        match self {
            Self::Textures | Self::Pass(_) => false,
            #[cfg(feature = "cpu")]
            Self::Cpu(source) => matches!(source.output, crate::cpu::source::CpuOutput::Palette(_)),
        }
    }

    /// Returns true if the CPU skins, so that no pass does.
    pub fn is_skinned_by_cpu(&self) -> bool {
        match self {
            Self::Textures | Self::Pass(_) => false,
            #[cfg(feature = "cpu")]
            Self::Cpu(_) => !self.is_cpu_palette(),
        }
    }
}
