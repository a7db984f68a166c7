//! Options of the kernels.

use throng_simd::Level;

/// Options of the kernels. The default suits most uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FastOptions {
    /// SIMD instructions.
    pub level: Level,
    /// Path of results to memory.
    pub store_mode: StoreMode,
    /// Number of cores.
    pub cores: Cores,
}

impl Default for FastOptions {
    fn default() -> Self {
        Self {
            level: Level::detect(),
            store_mode: StoreMode::BySize,
            cores: Cores::All,
        }
    }
}

/// Path of results to memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StoreMode {
    /// Through the cache, for results that are read again soon.
    Cached,
    /// Past the cache, for results that would be evicted before they are read.
    Streaming,
    /// Streaming for results over 16 MiB, cached for others.
    BySize,
}

/// Largest results that are expected to stay in a core's share of the cache.
const CACHED_BYTES: usize = 16 << 20;

impl StoreMode {
    pub(super) fn streams(self, bytes: usize) -> bool {
        match self {
            Self::Cached => false,
            Self::Streaming => true,
            Self::BySize => bytes > CACHED_BYTES,
        }
    }
}

/// Number of cores.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cores {
    /// The calling thread alone.
    One,
    /// All threads of the current [`rayon`] pool.
    All,
}
