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
    Cpu(crate::cpu::CpuSource),
}
